//! Which build this is: the version, the commit, and the signature of how it plays.

use crate::workshop::bench::expected_sum;
use std::sync::LazyLock;

/// The version of the crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that was built, `-changed` if the files were not as committed, or `unknown`.
pub const COMMIT: &str = env!("TENGEN_COMMIT");

/// Version and commit in one word, as GTP and result tables show it.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("TENGEN_COMMIT"));

/// Version, commit and signature: what `--version` prints.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> =
        LazyLock::new(|| format!("{VERSION} (commit {COMMIT}, signature {})", expected_sum()));
    &LONG
}
