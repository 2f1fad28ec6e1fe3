//! The page as it is embedded: every part is there, and nothing comes from elsewhere.

use super::*;
use std::collections::BTreeSet;

fn review(black: &str) -> Review {
    Review {
        size: 9,
        komi: 7.5,
        rules: "chinese".to_owned(),
        black: black.to_owned(),
        white: "White".to_owned(),
        result: String::new(),
        black_setup: Vec::new(),
        white_setup: Vec::new(),
        positions: Vec::new(),
        moves: Vec::new(),
    }
}

#[test]
fn a_review_stands_alone() {
    let page = review_html(&review("</script><script>alert(1)</script>{{script}}"));
    assert_eq!(page.matches("</script>").count(), 2, "the data and the script, nothing else");
    assert!(page.contains(r#""size":9"#) && page.contains("&lt;/script&gt;"));
    for outside in ["src=", "href=", "@import", "url(http", "\nimport ", "\nexport "] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.replace("{{script}}", "").contains("{{"));
}

/// In one file the modules share their names.
#[test]
fn no_name_is_declared_twice_in_a_review() {
    let mut names = BTreeSet::new();
    for line in joined(&STANDALONE).lines() {
        let words: Vec<&str> = line.split([' ', '(', '=', ';', '{']).collect();
        if let ["const" | "let" | "function" | "class", name, ..] = words[..] {
            assert!(names.insert(name.to_owned()), "{name} is declared twice");
        }
    }
    assert!(names.len() > 10, "{names:?}");
}

/// Nothing is fetched from elsewhere, and every import is a file of the page.
#[test]
fn the_page_needs_nothing_from_outside() {
    let svg = "http://www.w3.org/2000/svg";
    for file in FILES {
        let text = file.text.replace(svg, "");
        assert!(!text.contains("http://") && !text.contains("https://"), "{}", file.name);
        for line in text.lines().filter(|line| line.starts_with("import ")) {
            let module = line.split("'./").nth(1).and_then(|rest| rest.split('\'').next());
            let known = FILES.iter().any(|other| Some(other.name) == module);
            assert!(known, "{}: {line}", file.name);
        }
    }
}
