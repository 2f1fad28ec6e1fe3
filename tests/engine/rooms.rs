//! The rooms of the source and the one direction in which they may use each other.
//!
//! Every file below `src` belongs to a room; every `crate::ROOM` in its code, tests aside, must name a room that the
//! declaration allows. A new dependency is a decision: it is made here, or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Each room and what it may use, itself aside. From the bottom to the top: a room may only use rooms above it in
/// this list, so there is no cycle.
const ROOMS: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("input", &[]),
    ("board", &["types"]),
    ("game", &["types", "board", "input"]),
    ("tactics", &["types", "board"]),
    ("knowledge", &["types", "board", "game", "tactics", "input"]),
    ("params", &["types", "knowledge", "input"]),
    ("time", &["types", "params"]),
    ("playout", &["types", "board", "tactics", "knowledge", "params"]),
    ("search", &["types", "board", "game", "tactics", "knowledge", "params", "playout"]),
    ("endings", &["types", "board", "game", "tactics", "params", "playout", "search"]),
    ("engine", &["types", "board", "game", "params", "search", "endings"]),
    ("cluster", &["types", "game", "params", "search"]),
    ("rank", &["types", "board", "game", "knowledge", "params", "search", "endings", "engine"]),
    ("version", &[]),
    ("logging", &[]),
    (
        "frontend",
        &[
            "types",
            "board",
            "game",
            "input",
            "knowledge",
            "params",
            "time",
            "playout",
            "search",
            "endings",
            "engine",
            "rank",
            "tactics",
            "version",
            "logging",
        ],
    ),
    (
        "workshop",
        &[
            "types",
            "board",
            "game",
            "input",
            "tactics",
            "knowledge",
            "params",
            "time",
            "playout",
            "search",
            "endings",
            "engine",
            "cluster",
            "rank",
            "frontend",
            "version",
            "logging",
        ],
    ),
    (
        "study",
        &[
            "types",
            "board",
            "game",
            "input",
            "tactics",
            "knowledge",
            "params",
            "playout",
            "frontend",
            "workshop",
            "version",
        ],
    ),
    ("cli", &["cluster", "frontend", "workshop", "study", "params", "version", "input", "logging"]),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The room of a file: its folder below `src`, or its own name.
fn room(path: &Path, root: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The rooms that a source names, without its tests and comments.
fn named(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("#[cfg(test)]") {
            break; // tests stand at the end of a file
        }
        if line.trim_start().starts_with("//") {
            continue;
        }
        for part in line.split("crate::").skip(1) {
            let word: String =
                part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push((number + 1, word));
        }
    }
    found
}

#[test]
fn rooms_use_each_other_in_one_direction() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    files(&root, &mut sources);
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut faults = Vec::new();
    for path in sources {
        let own = room(&path, &root);
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if ["lib", "main"].contains(&own.as_str()) || is_test {
            continue;
        }
        let Some(may_use) = allowed.get(own.as_str()) else {
            faults.push(format!("{}: '{own}' is no declared room", path.display()));
            continue;
        };
        for (line, other) in named(&std::fs::read_to_string(&path).unwrap()) {
            if other != own && !may_use.contains(&other.as_str()) {
                faults.push(format!("{}:{line}: {own} may not use {other}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_declaration_has_no_cycle() {
    for (place, (room, uses)) in ROOMS.iter().enumerate() {
        for used in *uses {
            let below = ROOMS.iter().position(|(name, _)| name == used);
            assert!(below.is_some_and(|below| below < place), "{room} uses {used}");
        }
    }
}
