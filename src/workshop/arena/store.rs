//! The files of a match: `PREFIX.dat` with the results and `PREFIX-N.sgf` with the games.
//!
//! The match may be killed at any moment. A game is written first as SGF, under another name and
//! then renamed, and then as one line appended to the table in a single write. What the table says
//! is therefore true, and a game is in it or it is played again. Each step is on the disk before the
//! next one begins, so this holds after a loss of power too; a game costs three waits for the disk.
//! A lock (`lock.rs`) keeps a second match from writing to the same files.

use super::lock::{Lock, LockError};
use super::table::{Row, Table};
use crate::input;
use anyhow::{Context, Result, anyhow, ensure};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Most bytes of a table.
const MAX_TABLE: u64 = 1 << 30;

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
    ) -> Result<(Store, Vec<Row>)> {
        let path = suffixed(prefix, ".dat");
        if let Some(parent) = prefix.parent().filter(|parent| *parent != Path::new("")) {
            fs::create_dir_all(parent).with_context(|| cannot("create", parent))?;
        }
        let lock_path = suffixed(prefix, ".lock");
        let lock = Lock::take(&lock_path).map_err(|error| match error {
            LockError::Taken(owner) => {
                let owner = owner.map_or(String::new(), |process| format!(" (process {process})"));
                anyhow!("another match{owner} is writing to '{}'", path.display())
            }
            LockError::File(error) => anyhow!(error).context(cannot("lock", &lock_path)),
        })?;
        let exists = path.exists();
        let mut rows = Vec::new();
        if exists && !force {
            let bytes = input::read_regular(&path, MAX_TABLE)?;
            let table = Table::parse(&String::from_utf8_lossy(&bytes))
                .with_context(|| format!("'{}' is no results table", path.display()))?;
            for (key, here) in properties {
                let there = table.property(key).unwrap_or("");
                ensure!(
                    FREE_PROPERTIES.contains(&key.as_str()) || there == here.trim(),
                    "'{}' belongs to another match ({key} is '{there}' there, '{here}' here); choose \
                     another --out, or --force to overwrite it",
                    path.display()
                );
            }
            // A line that was being written when the match was killed.
            let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            if complete < bytes.len() {
                let file = OpenOptions::new().write(true).open(&path);
                file.and_then(|file| file.set_len(complete as u64))
                    .with_context(|| cannot("write", &path))?;
            }
            rows = table.rows;
        } else {
            replace(&path, &Table::head(properties))?;
        }
        let table = OpenOptions::new().append(true).open(&path);
        let table = table.with_context(|| cannot("write", &path))?;
        Ok((Store { prefix: prefix.to_owned(), table, _lock: lock }, rows))
    }

    /// Adds a finished game.
    pub fn add(&mut self, row: &Row, sgf: &str) -> Result<()> {
        replace(&self.game_path(row.game), sgf)?;
        let path = suffixed(&self.prefix, ".dat");
        let written = self.table.write_all(row.to_line().as_bytes());
        written.and_then(|()| self.table.sync_data()).with_context(|| cannot("write", &path))
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

fn cannot(what: &str, path: &Path) -> String {
    format!("cannot {what} '{}'", path.display())
}

/// Writes a file so that it is there as a whole or not at all, also after a loss of power.
fn replace(path: &Path, content: &str) -> Result<()> {
    let new = suffixed(path, ".new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(content.as_bytes())?;
        file.sync_all()
    };
    write().with_context(|| cannot("write", &new))?;
    let renamed = fs::rename(&new, path).and_then(|()| sync_folder(path));
    renamed.with_context(|| cannot("write", path))
}

/// A new name is on the disk when its directory is.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
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
        assert!(error.to_string().ends_with("is no results table"), "{error}");
    }

    #[test]
    fn a_running_match_keeps_others_out_and_a_dead_one_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let prefix = directory.path().join("m");
        // Whatever a killed match has left behind.
        for stale in ["1 99999999999\n", "4000000\n", "", "nonsense\n"] {
            fs::write(directory.path().join("m.lock"), stale).unwrap();
            let (_running, _) = Store::open(&prefix, &properties("7.5"), false).unwrap();
            let error = Store::open(&prefix, &properties("7.5"), false).unwrap_err();
            let own = std::process::id();
            assert!(error.to_string().starts_with("another match"), "{error}");
            if cfg!(unix) {
                let expected = format!("another match (process {own}) is writing to '");
                assert!(error.to_string().starts_with(&expected), "{error}");
            }
        }
    }
}
