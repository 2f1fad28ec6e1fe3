//! The documents: no link leads nowhere, and every file that is named is there.

use std::path::{Path, PathBuf};

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        [root.to_owned(), root.join("docs"), root.join("docs/adr"), root.join("tests/data")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut found: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    found.retain(|path| !path.ends_with("THIRD-PARTY.md")); // other people's words
    found
}

/// The anchor that a heading gets on the usual pages.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let letters = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    letters.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// What stands in `](...)`.
fn links(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        let name = document.display();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            count += 1;
            let (file, part) = link.split_once('#').map_or((link, None), |(f, p)| (f, Some(p)));
            let target = match file {
                "" => document.clone(),
                file => document.parent().expect("a folder").join(file),
            };
            assert!(target.exists(), "{name}: {link} leads nowhere");
            if let Some(part) = part {
                let there = std::fs::read_to_string(&target).expect("a document");
                assert!(anchors(&there).iter().any(|known| known == part), "{name}: {link}");
            }
        }
    }
    assert!(count > 10, "only {count} links");
}

/// Paths of the project that stand between backticks.
fn paths(text: &str) -> Vec<&str> {
    let folders = ["src/", "tests/", "docs/", "benches/", "fuzz/"];
    let words = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        folders.iter().any(|folder| word.starts_with(folder))
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    };
    words.filter(is_path).collect()
}

#[test]
fn every_file_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        for path in paths(&text) {
            count += 1;
            let there = root.join(path).exists() || root.join(format!("{path}.rs")).exists();
            assert!(there, "{}: there is no {path}", document.display());
        }
    }
    assert!(count > 30, "only {count} paths");
}

#[test]
fn anchors_are_made_as_the_usual_pages_make_them() {
    assert_eq!(anchor(" q5Go, LizGoban and others"), "q5go-lizgoban-and-others");
    assert_eq!(links("[a](b) (c) [d](#e-f)"), ["b", "#e-f"]);
}
