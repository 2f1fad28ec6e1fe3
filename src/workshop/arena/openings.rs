//! Reading opening files: SGF games, one or many in a file, or GTP moves.

use super::pairing::{Opening, parse_gtp_openings};
use crate::game::sgf::{Action, Record};
use crate::input;
use crate::types::Color;
use anyhow::{Context, Result, anyhow, ensure};
use std::path::{Path, PathBuf};

/// Largest opening file, uncompressed.
const MAX_FILE: u64 = 1 << 30;

/// Reads up to `needed` openings for a board of this size from a file (plain or `.zst`) or from the
/// `.sgf` files of a directory, in the order of their names. `first` moves first where the file does
/// not say; `moves` cuts the openings.
pub fn read_openings(
    path: &Path,
    size: usize,
    first: Color,
    moves: Option<usize>,
    needed: usize,
) -> Result<Vec<Opening>> {
    let mut openings = Vec::new();
    if path.is_dir() {
        for file in sgf_files(path)? {
            if openings.len() < needed {
                read_file(&file, size, first, needed, &mut openings)?;
            }
        }
    } else {
        read_file(path, size, first, needed, &mut openings)?;
    }
    ensure!(!openings.is_empty(), "there is no opening in '{}'", path.display());
    openings.truncate(needed);
    for opening in &mut openings {
        opening.moves.truncate(moves.unwrap_or(usize::MAX));
    }
    Ok(openings)
}

fn sgf_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("cannot read the directory '{}'", directory.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
        let is_game = |name: String| name.ends_with(".sgf") || name.ends_with(".sgf.zst");
        if name.is_some_and(is_game) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_file(
    path: &Path,
    size: usize,
    first: Color,
    needed: usize,
    openings: &mut Vec<Opening>,
) -> Result<()> {
    let bytes = input::read_bytes(path, MAX_FILE)?;
    let start = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if start != Some(&b'(') {
        let text = String::from_utf8_lossy(&bytes);
        let read = parse_gtp_openings(&text, size, first);
        openings.extend(read.map_err(|error| anyhow!("'{}': {error}", path.display()))?);
        return Ok(());
    }
    for (index, game) in split_games(&bytes).enumerate() {
        if openings.len() >= needed {
            break;
        }
        let (file, number) = (path.display(), index + 1);
        let record = Record::parse(game);
        let record = record.map_err(|error| anyhow!("'{file}', game {number}: {error}"))?;
        let found = record.size;
        ensure!(
            found == size,
            "'{file}', game {number}: a {found}x{found} board in a {size}x{size} match"
        );
        let setup = record.steps.iter().any(|step| matches!(step.action, Action::Setup { .. }));
        ensure!(
            !setup && record.setup.is_empty(),
            "'{file}', game {number}: openings must not have setup stones (use --handicap)"
        );
        let name =
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let moves = record.moves().collect();
        openings.push(Opening { name: format!("{name}, game {number}"), moves });
    }
    Ok(())
}

/// The game trees of a collection, by their outermost parentheses.
fn split_games(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut depth, mut start, mut in_value) = (0usize, at, false);
        while at < bytes.len() {
            let byte = bytes[at];
            at += 1;
            match byte {
                b'\\' if in_value => at += 1,
                b']' if in_value => in_value = false,
                _ if in_value => {}
                b'[' if depth > 0 => in_value = true,
                b'(' => {
                    if depth == 0 {
                        start = at - 1;
                    }
                    depth += 1;
                }
                b')' if depth > 0 => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(&bytes[start..at]);
                    }
                }
                _ => {}
            }
        }
        // A game without its end: whoever parses it says so.
        (depth > 0).then(|| {
            at = bytes.len();
            &bytes[start..]
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, content: &str, needed: usize) -> Result<Vec<Opening>> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        read_openings(&path, 9, Color::Black, Some(3), needed)
    }

    fn gtp(openings: &[Opening]) -> Vec<String> {
        let one = |opening: &Opening| {
            opening.moves.iter().map(|play| play.to_gtp()).collect::<Vec<_>>().join(" ")
        };
        openings.iter().map(one).collect()
    }

    const GAMES: &str = "(;GM[1]SZ[9]C[a ) b \\] (];B[dd](;W[ff])(;W[gg]))\n\n(;SZ[9];B[ee])\
                         (;SZ[9];B[aa];W[bb];B[cc];W[dd])";

    #[test]
    fn sgf_collections_and_moves_are_read() {
        let openings = read("x.sgf", GAMES, 10).unwrap();
        assert_eq!(gtp(&openings), ["B D6 W F4", "B E5", "B A9 W B8 B C7"]);
        assert_eq!(openings[1].name, "x.sgf, game 2");
        assert_eq!(read("x.sgf", GAMES, 2).unwrap().len(), 2);
        assert_eq!(gtp(&read("x.txt", "D4 E5 F6 G7\n", 9).unwrap()), ["B D4 W E5 B F6"]);
    }

    #[test]
    fn directories_are_read_in_order() {
        let directory = tempfile::tempdir().unwrap();
        for (name, content) in
            [("b.sgf", "(;SZ[9];B[bb])"), ("a.sgf", "(;SZ[9];B[aa])"), ("notes.txt", "no moves")]
        {
            std::fs::write(directory.path().join(name), content).unwrap();
        }
        let openings = read_openings(directory.path(), 9, Color::Black, None, 10).unwrap();
        assert_eq!(gtp(&openings), ["B A9", "B B8"]);
    }

    #[test]
    fn bad_files_are_told_in_one_sentence() {
        let error = |content: &str| {
            let text = read("x.sgf", content, 10).unwrap_err().to_string();
            assert!(!text.contains('\n'));
            text.rsplit('/').next().unwrap().to_owned()
        };
        assert_eq!(error("(;SZ[19];B[aa])"), "x.sgf', game 1: a 19x19 board in a 9x9 match");
        assert_eq!(
            error("(;SZ[9];B[aa])(;SZ[9]AB[aa])"),
            "x.sgf', game 2: openings must not have setup stones (use --handicap)"
        );
        assert_eq!(
            error("(;SZ[9];B[aa"),
            "x.sgf', game 1: the text ends inside a game: a '(' or '[' is never closed"
        );
        assert_eq!(error("# nothing\n"), "x.sgf'");
        assert_eq!(error("D4 K10"), "x.sgf': opening in line 1: 'K10' is outside the 9x9 board");
    }
}
