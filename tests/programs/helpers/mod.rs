//! What the tests of the arena share: where the programs are, and how to run them.
#![allow(dead_code)] // the bench of the arena uses a part of it

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tengen::workshop::arena::table::Table;

/// The tengen binary.
pub const TENGEN: &str = env!("CARGO_BIN_EXE_tengen");

/// The random mover. `cargo test` builds it with the other examples; a run of a single test file
/// does not, so it is built here if it is missing or older than its source.
pub fn mover() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let exe = std::env::current_exe().unwrap();
        let profile = exe.parent().and_then(Path::parent).unwrap();
        let path =
            profile.join("examples").join(format!("random_mover{}", std::env::consts::EXE_SUFFIX));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let time = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        if time(&path) < time(&root.join("tests/programs/helpers/random_mover.rs")) {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--example", "random_mover"]);
            build.current_dir(root);
            let name = profile.file_name().unwrap().to_str().unwrap();
            build.args(["--profile", if name == "debug" { "dev" } else { name }]);
            assert!(build.status().unwrap().success(), "the random mover does not build");
        }
        path.to_str().unwrap().to_owned()
    })
}

/// The random mover with arguments.
pub fn mover_with(arguments: &str) -> String {
    format!("'{}' {arguments}", mover())
}

/// Runs tengen and returns what it did.
pub fn tengen(arguments: &[&str]) -> Output {
    Command::new(TENGEN).args(arguments).output().unwrap()
}

/// Runs tengen, expects success, and returns its figures by name.
pub fn figures(arguments: &[&str]) -> BTreeMap<String, String> {
    let output = tengen(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}\n{text}");
    text.lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// A figure as a number.
pub fn number(figures: &BTreeMap<String, String>, name: &str) -> f64 {
    let value = figures.get(name).unwrap_or_else(|| panic!("no figure '{name}' in {figures:?}"));
    value.split_whitespace().next().unwrap().parse().unwrap()
}

/// Expects one sentence on stderr, nothing on stdout, and exit code 2.
pub fn assert_refused(arguments: &[&str], expected: &str) {
    let output = tengen(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{arguments:?}: {errors}");
    assert!(errors.starts_with("tengen: "), "{errors}");
    assert!(errors.contains(expected), "{arguments:?}: '{expected}' is not in: {errors}");
    assert!(output.stdout.is_empty());
}

/// Reads the results table of a match.
pub fn table(prefix: &Path) -> Table {
    let text = std::fs::read_to_string(dat(prefix)).unwrap();
    Table::parse(&text).unwrap()
}

/// The table's path.
pub fn dat(prefix: &Path) -> PathBuf {
    prefix.with_extension("dat")
}

/// A game's path.
pub fn sgf(prefix: &Path, game: u32) -> PathBuf {
    let name = prefix.file_name().unwrap().to_str().unwrap();
    prefix.with_file_name(format!("{name}-{game}.sgf"))
}
