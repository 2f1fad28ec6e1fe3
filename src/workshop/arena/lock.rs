//! A file that only one process has at a time.
//!
//! The operating system keeps the lock and lets go of it when the process ends, however it ends, so
//! that there is nothing to guess about a file that was left behind. (The existence of a file is no lock: of
//! 60 matches started at once two ran, because one took a file that was created and not yet written for a
//! stale one.) The number of the process stands in the file for messages.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// How often a lock may slip away, because its owner removed the file in between.
const TRIES: usize = 1000;

/// Why a lock cannot be had.
#[derive(Debug)]
pub(super) enum LockError {
    /// A process has it; this one, if it says so.
    Taken(Option<u32>),
    /// The file cannot be used.
    File(io::Error),
}

/// A lock that is held; removed with its file in the end.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Holds the lock while it is open.
    _file: File,
}

impl Lock {
    /// Takes the lock or says who has it, without waiting.
    pub(super) fn take(path: &Path) -> Result<Lock, LockError> {
        for _ in 0..TRIES {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(path).map_err(LockError::File)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, path) => {
                    sign(&mut file).map_err(LockError::File)?;
                    return Ok(Lock { path: path.to_owned(), _file: file });
                }
                Ok(()) => {} // the file of an owner who has just removed it
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::Taken(signature(&mut file)));
                }
                Err(TryLockError::Error(error)) => return Err(LockError::File(error)),
            }
        }
        Err(LockError::File(io::Error::other("it vanishes whenever it is taken")))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Only where a removed file can be told from the one that has its name; elsewhere it stays.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Does the path name this file?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

/// Who has signed: nobody, if the owner is only about to.
fn signature(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(20).read_to_string(&mut text).ok()?;
    text.strip_suffix('\n')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn of_many_who_start_at_once_one_has_the_lock() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.lock");
        for _ in 0..20 {
            let all = Barrier::new(60);
            let winners = AtomicUsize::new(0);
            thread::scope(|scope| {
                for _ in 0..60 {
                    scope.spawn(|| {
                        all.wait();
                        let lock = Lock::take(&path);
                        all.wait(); // nobody gives it back before all have tried
                        match lock {
                            Ok(_) => winners.fetch_add(1, Ordering::SeqCst),
                            Err(LockError::Taken(_)) => 0,
                            Err(LockError::File(error)) => panic!("{error}"),
                        };
                    });
                }
            });
            assert_eq!(winners.into_inner(), 1);
        }
    }

    #[test]
    fn it_is_never_held_twice_while_owners_come_and_go() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.lock");
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let Ok(_lock) = Lock::take(&path) else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 0);
        assert!(!cfg!(unix) || !path.exists());
    }
}
