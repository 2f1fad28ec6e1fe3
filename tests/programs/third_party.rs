//! THIRD-PARTY.md, the notices that binaries carry (`tengen licenses` prints them): made here, and
//! checked here against Cargo.lock, without a network.
//!
//! ```text
//! TENGEN_NOTICES=write cargo test --test programs third_party
//! ```
//!
//! writes the file anew after a change of the dependencies. All that `[dependencies]` reaches in
//! Cargo.lock is listed, for all systems: what one binary leaves out does no harm.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name and version.
type Crate = (String, String);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_default()
}

/// The packages of Cargo.lock with what they depend on.
fn locked(lock: &str) -> BTreeMap<Crate, Vec<String>> {
    let value = |line: &str, key: &str| {
        line.strip_prefix(key)?.trim_start_matches([' ', '=']).split('"').nth(1).map(str::to_owned)
    };
    let package = |block: &str| {
        let find = |key: &str| block.lines().find_map(|line| value(line, key));
        let (_, listed) = block.split_once("dependencies = [").unwrap_or_default();
        let dependencies = listed.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        Some(((find("name ")?, find("version ")?), dependencies))
    };
    lock.split("[[package]]").filter_map(package).collect()
}

/// The names under `[dependencies]` of Cargo.toml.
fn direct(manifest: &str) -> BTreeSet<String> {
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let names =
        lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(' '));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// All that a binary may hold.
fn reachable(lock: &str, manifest: &str) -> BTreeSet<Crate> {
    let packages = locked(lock);
    let direct = direct(manifest);
    // A dependency is a name, with its version if there are several.
    let find = |text: &str| {
        let mut words = text.split(' ');
        let (name, version) = (words.next(), words.next());
        let fits = |(known, of): &&Crate| {
            Some(known.as_str()) == name && version.is_none_or(|version| version == of)
        };
        packages.keys().find(fits).cloned()
    };
    let own = packages.iter().find(|((name, _), _)| name == "tengen").expect("tengen is locked");
    let is_direct =
        |text: &&String| text.split(' ').next().is_some_and(|name| direct.contains(name));
    let mut open: Vec<Crate> =
        own.1.iter().filter(is_direct).filter_map(|text| find(text)).collect();
    assert_eq!(open.len(), direct.len(), "every dependency is locked");
    let mut found = BTreeSet::new();
    while let Some(next) = open.pop() {
        if found.insert(next.clone()) {
            open.extend(packages[&next].iter().filter_map(|text| find(text)));
        }
    }
    found
}

/// The crates that the file lists: `- name version, license`.
fn listed(notices: &str) -> BTreeSet<Crate> {
    let entry = |line: &str| {
        let (name, rest) = line.strip_prefix("- ")?.split_once(' ')?;
        Some((name.to_owned(), rest.split_once(',')?.0.to_owned()))
    };
    notices.lines().take_while(|line| !line.starts_with("## ")).filter_map(entry).collect()
}

/// The license files of a package; the MIT one alone if there is a choice that includes it.
fn license_files(folder: &Path) -> Vec<PathBuf> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
    let starts = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];
    let is_license =
        |path: &PathBuf| path.is_file() && starts.iter().any(|start| name(path).starts_with(start));
    let entries = std::fs::read_dir(folder).expect("the sources are there: run cargo fetch");
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_license).collect();
    files.sort();
    if files.iter().any(|file| name(file).contains("MIT")) {
        let choices = ["APACHE", "UNLICENSE", "ZLIB", "BOOST", "BSL", "COPYING"];
        files.retain(|file| !choices.iter().any(|choice| name(file).contains(choice)));
    }
    files
}

const HEAD: &str = "# Third-party notices

tengen is under the MIT license (LICENSE). A binary of it holds the Rust standard library (MIT or
Apache-2.0, copyright The Rust Project Contributors; its own parts are listed in the toolchain's
COPYRIGHT-library.html) and, depending on the system, code of these crates, whose licenses follow.
Where there is a choice of licenses that includes MIT, MIT is chosen. `tengen licenses` prints this.
Made by `TENGEN_NOTICES=write cargo test --test programs third_party`.

";

/// Writes the notices from what `cargo metadata` says about the packages.
fn notices(crates: &BTreeSet<Crate>) -> String {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--all-features"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output();
    let metadata: Value =
        serde_json::from_slice(&output.expect("cargo runs").stdout).expect("metadata");
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let own = read("LICENSE");
    let mit = own.find("Permission is hereby granted").map(|start| own[start..].trim_end());
    let mut list = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let (name, version) = (text(package, "name"), text(package, "version"));
        if !crates.contains(&(name.clone(), version.clone())) {
            continue;
        }
        let license = text(package, "license");
        list += &format!("- {name} {version}, {license}\n");
        let manifest = PathBuf::from(text(package, "manifest_path"));
        let files = license_files(manifest.parent().expect("a folder"));
        let authors: Vec<&str> =
            package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if files.is_empty() {
            let authors = authors.join(", ");
            let terms = mit.expect("the words of the MIT license");
            let note = format!(
                "(The package says {license}, without a file.)\n\nCopyright (c) {authors}\n\n{terms}"
            );
            texts.entry(note).or_default().push(format!("{name} {version}"));
        }
        for file in files {
            let bytes = std::fs::read(&file).expect("a license");
            let license = String::from_utf8_lossy(&bytes).replace('\r', "");
            let lines: Vec<&str> = license.lines().map(str::trim_end).collect();
            let license = lines.join("\n").trim_matches('\n').to_owned();
            texts.entry(license).or_default().push(format!("{name} {version}"));
        }
    }
    let mut groups: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(license, crates)| (crates, license)).collect();
    groups.sort();
    let chapters = groups.iter().map(|(crates, license)| {
        format!("\n## {}\n\n```text\n{license}\n```\n", crates.join(", "))
    });
    format!("{HEAD}{list}{}", chapters.collect::<String>())
}

#[test]
fn the_notices_are_those_of_the_locked_crates() {
    let wanted = reachable(&read("Cargo.lock"), &read("Cargo.toml"));
    if std::env::var("TENGEN_NOTICES").is_ok_and(|word| word == "write") {
        std::fs::write(root().join("THIRD-PARTY.md"), notices(&wanted)).expect("the file");
    }
    let known = listed(&read("THIRD-PARTY.md"));
    let missing: Vec<&Crate> = wanted.difference(&known).collect();
    let gone: Vec<&Crate> = known.difference(&wanted).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "THIRD-PARTY.md lacks {missing:?} and has too much {gone:?}: \
         TENGEN_NOTICES=write cargo test --test programs third_party"
    );
}

#[test]
fn every_crate_has_its_license() {
    let notices = read("THIRD-PARTY.md");
    let chapters: BTreeSet<&str> = notices
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .flat_map(|line| line.split(", "))
        .collect();
    for (name, version) in listed(&notices) {
        assert!(chapters.contains(format!("{name} {version}").as_str()), "{name} {version}");
    }
}

#[test]
fn what_dependencies_reach_is_found() {
    let lock = "[[package]]\nname = \"tengen\"\nversion = \"1\"\ndependencies = [\n \"a\",\n \"dev\",\n]\n\
                [[package]]\nname = \"a\"\nversion = \"2\"\ndependencies = [\n \"b 1.0\",\n]\n\
                [[package]]\nname = \"b\"\nversion = \"1.0\"\n[[package]]\nname = \"b\"\nversion = \"3\"\n\
                [[package]]\nname = \"dev\"\nversion = \"1\"\ndependencies = [\n \"b 3\",\n]\n";
    let manifest = "[package]\n[dependencies]\na = \"2\"\n\n[dev-dependencies]\ndev = \"1\"\n";
    let found: Vec<Crate> = reachable(lock, manifest).into_iter().collect();
    let pair = |name: &str, version: &str| (name.to_owned(), version.to_owned());
    assert_eq!(found, [pair("a", "2"), pair("b", "1.0")]);
}
