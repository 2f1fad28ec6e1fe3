//! The files of a match: `PREFIX.dat` with the results and `PREFIX-N.sgf` with the games.
//!
//! The match may be killed at any moment. A game is written first as SGF, under another name and
//! then renamed, and then as one line appended to the table in a single write. What the table says
//! is therefore true, and a game is in it or it is played again. A file `PREFIX.lock` keeps a second
//! match from writing to the same files; it names the process, so that one left behind by a killed
//! match is seen to be stale.

use super::table::{Row, Table, TableError};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Files that cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("cannot {what} '{}': {source}", path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The table cannot be read.
    #[error("'{}' is no results table: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: TableError,
    },
    /// The table is of another match.
    #[error(
        "'{}' belongs to another match ({key} is '{there}' there, '{here}' here); choose another \
         --out, or --force to overwrite it",
        path.display()
    )]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        key: String,
        /// What the file says.
        there: String,
        /// What this match says.
        here: String,
    },
    /// Another match is running.
    #[error("another match (process {process}) is writing to '{}'", path.display())]
    Locked {
        /// The table.
        path: PathBuf,
        /// The process.
        process: u32,
    },
}

/// Properties that may differ when a match goes on: they say who ran it, not what it is.
const FREE_PROPERTIES: [&str; 8] =
    ["Date", "Host", "Black", "White", "BlackVersion", "WhiteVersion", "BlackLabel", "WhiteLabel"];

/// The open files of a match.
#[derive(Debug)]
pub struct Store {
    prefix: PathBuf,
    table: File,
    _lock: Lock,
}

impl Store {
    /// Opens the files of a match, new or to go on, and returns the games they hold.
    pub fn open(
        prefix: &Path,
        properties: &[(String, String)],
        force: bool,
    ) -> Result<(Store, Vec<Row>), StoreError> {
        let path = suffixed(prefix, ".dat");
        if let Some(parent) = prefix.parent().filter(|parent| *parent != Path::new("")) {
            fs::create_dir_all(parent).map_err(failed("create", parent))?;
        }
        let lock = Lock::take(prefix, &path)?;
        let exists = path.exists();
        let mut rows = Vec::new();
        if exists && !force {
            let bytes = fs::read(&path).map_err(failed("read", &path))?;
            let table = Table::parse(&String::from_utf8_lossy(&bytes))
                .map_err(|source| StoreError::Table { path: path.clone(), source })?;
            for (key, here) in properties {
                let there = table.property(key).unwrap_or("");
                if !FREE_PROPERTIES.contains(&key.as_str()) && there != here.trim() {
                    let (there, here) = (there.to_owned(), here.clone());
                    return Err(StoreError::OtherMatch { path, key: key.clone(), there, here });
                }
            }
            // A line that was being written when the match was killed.
            let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            if complete < bytes.len() {
                let file = OpenOptions::new().write(true).open(&path);
                file.and_then(|file| file.set_len(complete as u64))
                    .map_err(failed("write", &path))?;
            }
            rows = table.rows;
        } else {
            replace(&path, &Table::head(properties))?;
        }
        let table = OpenOptions::new().append(true).open(&path).map_err(failed("write", &path))?;
        Ok((Store { prefix: prefix.to_owned(), table, _lock: lock }, rows))
    }

    /// Adds a finished game.
    pub fn add(&mut self, row: &Row, sgf: &str) -> Result<(), StoreError> {
        replace(&self.game_path(row.game), sgf)?;
        let path = suffixed(&self.prefix, ".dat");
        self.table.write_all(row.to_line().as_bytes()).map_err(failed("write", &path))
    }

    /// Where a game is written.
    pub fn game_path(&self, game: u32) -> PathBuf {
        suffixed(&self.prefix, &format!("-{game}.sgf"))
    }
}

/// The prefix with something appended to its last part.
fn suffixed(prefix: &Path, suffix: &str) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::File { what, path, source }
}

/// Writes a file so that it is there as a whole or not at all.
fn replace(path: &Path, content: &str) -> Result<(), StoreError> {
    let new = suffixed(path, ".new");
    fs::write(&new, content).map_err(failed("write", &new))?;
    fs::rename(&new, path).map_err(failed("write", path))
}

/// `PREFIX.lock`, removed when the match ends.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
}

impl Lock {
    fn take(prefix: &Path, table: &Path) -> Result<Lock, StoreError> {
        let path = suffixed(prefix, ".lock");
        let own = std::process::id();
        let content = format!("{own} {}\n", start_time(own).unwrap_or_default());
        for _ in 0..3 {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    file.write_all(content.as_bytes()).map_err(failed("write", &path))?;
                    return Ok(Lock { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    if let Some(process) = owner(&text).filter(|&process| process != own) {
                        return Err(StoreError::Locked { path: table.to_owned(), process });
                    }
                    let _ = fs::remove_file(&path); // its owner is gone
                }
                Err(error) => return Err(failed("write", &path)(error)),
            }
        }
        Err(failed("write", &path)(io::Error::other("it comes back whenever it is removed")))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The running process that a lock file names; `None` if it has ended.
fn owner(text: &str) -> Option<u32> {
    let (process, started) = text.trim().split_once(' ')?;
    let process = process.parse().ok()?;
    (start_time(process)?.to_string() == started).then_some(process)
}

/// When a process started, in clock ticks since boot: with its number it names a process for good.
/// `None` if there is no such process, or no `/proc` to ask.
fn start_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(komi: &str) -> Vec<(String, String)> {
        [("Komi", komi), ("Date", "today"), ("BlackCommand", "a  b ")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec()
    }

    fn row(game: u32) -> Row {
        Row { game, length: 7, ..Row::default() }
    }

    fn games(rows: &[Row]) -> Vec<u32> {
        rows.iter().map(|row| row.game).collect()
    }

    #[test]
    fn a_match_goes_on_where_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let prefix = directory.path().join("new/dir/m");
        let (mut store, rows) = Store::open(&prefix, &properties("7.5"), false).unwrap();
        assert!(rows.is_empty());
        store.add(&row(0), "(;A)").unwrap();
        store.add(&row(2), "(;B)").unwrap();
        assert_eq!(fs::read_to_string(store.game_path(2)).unwrap(), "(;B)");
        drop(store);
        // Killed while writing a line.
        let path = directory.path().join("new/dir/m.dat");
        let mut torn = fs::read_to_string(&path).unwrap();
        torn.push_str("1\tB+3\tB");
        fs::write(&path, torn).unwrap();
        let (mut store, rows) = Store::open(&prefix, &properties("7.5"), false).unwrap();
        assert_eq!(games(&rows), [0, 2]);
        store.add(&row(1), "(;C)").unwrap();
        drop(store);
        let (store, rows) = Store::open(&prefix, &properties("7.5"), false).unwrap();
        assert_eq!(games(&rows), [0, 2, 1]);
        drop(store);
        assert!(!directory.path().join("new/dir/m.lock").exists());
        let (_, rows) = Store::open(&prefix, &properties("7.5"), true).unwrap();
        assert!(rows.is_empty());
    }

    #[test]
    fn another_match_is_not_mixed_in() {
        let directory = tempfile::tempdir().unwrap();
        let prefix = directory.path().join("m");
        drop(Store::open(&prefix, &properties("7.5"), false).unwrap());
        let error = Store::open(&prefix, &properties("6.5"), false).unwrap_err().to_string();
        assert!(error.contains("Komi is '7.5' there, '6.5' here"), "{error}");
        fs::write(directory.path().join("m.dat"), "hello\n").unwrap();
        let error = Store::open(&prefix, &properties("7.5"), false).unwrap_err();
        assert!(matches!(error, StoreError::Table { .. }), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_running_match_keeps_others_out_and_a_dead_one_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let prefix = directory.path().join("m");
        let lock = directory.path().join("m.lock");
        // Process 1 always runs.
        fs::write(&lock, format!("1 {}\n", start_time(1).unwrap())).unwrap();
        let error = Store::open(&prefix, &properties("7.5"), false).unwrap_err();
        assert!(matches!(error, StoreError::Locked { process: 1, .. }), "{error}");
        assert!(lock.exists());
        // The same number, another process.
        for stale in ["1 99999999999\n", "4000000 1\n", "", "nonsense\n"] {
            fs::write(&lock, stale).unwrap();
            drop(Store::open(&prefix, &properties("7.5"), false).unwrap());
        }
    }
}
