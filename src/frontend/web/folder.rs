//! The folder of games that `--folder` opens to the page: nothing outside it is read or written.
//!
//! A file is named by its last part alone, ends in `.sgf`, and is a regular file: no path, no hidden file, no link
//! that leads elsewhere.

use super::http::{MAX_BODY, Refusal};
use crate::input;
use anyhow::{Context, ensure};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Most files that are listed.
const MAX_LISTED: usize = 500;
/// Most bytes of a file's name.
const MAX_NAME: usize = 120;

/// A folder of games.
pub struct Folder(PathBuf);

impl Folder {
    /// Opens a folder.
    pub fn open(path: &Path) -> anyhow::Result<Folder> {
        let name = path.display();
        let whole = path.canonicalize().with_context(|| format!("cannot open --folder {name}"))?;
        ensure!(whole.is_dir(), "--folder {name} is no folder");
        Ok(Folder(whole))
    }

    /// The names of the games, in order.
    pub fn list(&self) -> Result<Vec<String>, Refusal> {
        let entries =
            fs::read_dir(&self.0).map_err(|error| Refusal::new(500, error.to_string()))?;
        let names =
            entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| is_allowed(name)).collect();
        names.sort();
        names.truncate(MAX_LISTED);
        Ok(names)
    }

    /// The place of a file in the folder.
    fn place(&self, name: &str) -> Result<PathBuf, Refusal> {
        if !is_allowed(name) {
            return Err(Refusal::bad(
                "give the name of an .sgf file in the folder, without a path",
            ));
        }
        let place = self.0.join(name);
        match fs::symlink_metadata(&place) {
            Ok(found) if !found.is_file() => {
                Err(Refusal::new(403, format!("'{name}' is no regular file")))
            }
            _ => Ok(place),
        }
    }

    /// The bytes of a game, in whatever encoding it has.
    pub fn load(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        let place = self.place(name)?;
        if !place.exists() {
            return Err(Refusal::new(404, format!("there is no '{name}' in the folder")));
        }
        input::read_regular(&place, MAX_BODY as u64)
            .map_err(|_| Refusal::new(413, format!("'{name}' cannot be read or is too large")))
    }

    /// Writes a game; a file that is there only if it may be replaced.
    pub fn save(&self, name: &str, text: &str, replace: bool) -> Result<(), Refusal> {
        let place = self.place(name)?;
        if !text.trim_start().starts_with("(;") {
            return Err(Refusal::bad("this is no SGF game record"));
        }
        if place.exists() && !replace {
            return Err(Refusal::new(409, format!("there is a '{name}' already")));
        }
        let mut options = OpenOptions::new();
        options.write(true);
        if replace {
            options.create(true).truncate(true)
        } else {
            options.create_new(true)
        };
        options
            .open(place)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| Refusal::new(500, format!("cannot write '{name}': {error}")))
    }
}

/// Letters, digits, spaces and some signs, with the right ending, on any system.
fn is_allowed(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || " ._-+()".contains(c);
    name.len() <= MAX_NAME
        && name.to_lowercase().ends_with(".sgf")
        && name.chars().all(good)
        && !name.starts_with(['.', ' ', '-'])
        && !is_device(name)
}

/// Names that Windows keeps for devices, whatever they end in.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let numbered = |kind: &str| {
        stem.strip_prefix(kind).is_some_and(|number| number.parse().is_ok_and(|n: u8| n < 10))
    };
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_paths_are_allowed() {
        for name in ["a.sgf", "My game (2).SGF", "9x9_b+3.5.sgf", "囲碁.sgf"] {
            assert!(is_allowed(name), "{name}");
        }
        for name in [
            "", "a", ".sgf", "../a.sgf", "a/b.sgf", "a\\b.sgf", "c:a.sgf", "a\0.sgf", "-a.sgf",
            "NUL.sgf", "com1.sgf",
        ] {
            assert!(!is_allowed(name), "{name}");
        }
        assert!(!is_allowed(&format!("{}.sgf", "a".repeat(200))));
    }

    #[test]
    fn games_are_kept_within_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let inside = place.path().join("games");
        fs::create_dir(&inside).unwrap();
        fs::write(place.path().join("secret.sgf"), "(;)").unwrap();
        let folder = Folder::open(&inside).unwrap();
        assert!(folder.list().unwrap().is_empty());
        folder.save("a.sgf", "(;SZ[9])", false).unwrap();
        assert_eq!(folder.save("a.sgf", "(;)", false).unwrap_err().status, 409);
        folder.save("a.sgf", "(;SZ[13])", true).unwrap();
        assert_eq!(folder.load("a.sgf").unwrap(), b"(;SZ[13])");
        fs::write(inside.join("b.sgf"), b"(;CA[gb2312]PB[\xc4\xf4])").unwrap();
        assert_eq!(folder.load("b.sgf").unwrap(), b"(;CA[gb2312]PB[\xc4\xf4])", "as it is");
        assert_eq!(folder.save("c.sgf", "rubbish", false).unwrap_err().status, 400);
        assert_eq!(folder.load("missing.sgf").unwrap_err().status, 404);
        assert_eq!(folder.load("../secret.sgf").unwrap_err().status, 400);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(place.path().join("secret.sgf"), inside.join("link.sgf"))
                .unwrap();
            assert_eq!(folder.load("link.sgf").unwrap_err().status, 403);
            assert_eq!(folder.save("link.sgf", "(;)", true).unwrap_err().status, 403);
        }
        assert_eq!(folder.list().unwrap(), ["a.sgf", "b.sgf"]);
        assert!(Folder::open(&inside.join("a.sgf")).is_err());
    }
}
