//! Which build this is: the version, the commit, and the signature of how it plays.

use std::sync::LazyLock;

/// The signature of this source, as `tengen bench --what signature` prints it.
pub const SIGNATURE: &str = include_str!("../tests/signature.txt");

/// One number for all of it: the last word.
pub fn signature_sum() -> &'static str {
    SIGNATURE.split_whitespace().next_back().unwrap_or("unknown")
}

/// The version of the crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that was built, `-changed` if the files were not as committed, or `unknown`.
pub const COMMIT: &str = env!("TENGEN_COMMIT");

/// Version and commit in one word, as GTP and result tables show it.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("TENGEN_COMMIT"));

/// Version, commit and signature: what `--version` prints.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> =
        LazyLock::new(|| format!("{VERSION} (commit {COMMIT}, signature {})", signature_sum()));
    &LONG
}
