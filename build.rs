//! Puts the commit into the binary, so that a result can name the build it was measured on.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // A packaged crate, or a folder inside somebody else's repository, has no commit of its own.
    let own = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let commit = own.then(|| git(&["rev-parse", "--short=10", "HEAD"])).flatten();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])
        .is_some_and(|changes| !changes.is_empty());
    let suffix = if changed { "-changed" } else { "" };
    let commit = commit.map_or_else(|| "unknown".to_owned(), |commit| commit + suffix);
    // Whoever builds from an archive can say which commit it is.
    println!("cargo::rerun-if-env-changed=TENGEN_COMMIT");
    let commit = std::env::var("TENGEN_COMMIT").unwrap_or(commit);
    println!("cargo::rustc-env=TENGEN_COMMIT={commit}");
    for file in
        ["HEAD", "logs/HEAD"].into_iter().filter_map(|f| git(&["rev-parse", "--git-path", f]))
    {
        if Path::new(&file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    for path in ["build.rs", "Cargo.toml", "src", "patterns"] {
        println!("cargo::rerun-if-changed={path}");
    }
}
