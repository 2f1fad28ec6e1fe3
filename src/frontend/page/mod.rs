//! The page: hand-written JavaScript, CSS and HTML, embedded as they are.
//!
//! `rules.js` knows captures and ko, `board.js` draws a board, `curve.js` the course of a game, `review.js` a judged
//! game, and `theme.css` has the colours: these are shared by the page of `tengen web` (`index.html`, `app.js` and what
//! it uses) and by the review that stands alone in one file ([`review_html`]).

use crate::frontend::review::Review;

/// A file that the server hands out.
pub struct File {
    /// Its path below the token.
    pub name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its text.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

macro_rules! file {
    ($name:literal, $file:literal, $type:expr) => {
        File { name: $name, media_type: $type, text: include_str!($file) }
    };
}

/// All files of the page.
pub const FILES: &[File] = &[
    file!("", "index.html", HTML),
    file!("theme.css", "theme.css", CSS),
    file!("app.css", "app.css", CSS),
    file!("icon.svg", "icon.svg", IMAGE),
    file!("rules.js", "rules.js", SCRIPT),
    file!("board.js", "board.js", SCRIPT),
    file!("curve.js", "curve.js", SCRIPT),
    file!("review.js", "review.js", SCRIPT),
    file!("sgf.js", "sgf.js", SCRIPT),
    file!("tree.js", "tree.js", SCRIPT),
    file!("clock.js", "clock.js", SCRIPT),
    file!("server.js", "server.js", SCRIPT),
    file!("dialogs.js", "dialogs.js", SCRIPT),
    file!("state.js", "state.js", SCRIPT),
    file!("panel.js", "panel.js", SCRIPT),
    file!("app.js", "app.js", SCRIPT),
];

/// The modules of the review that stands alone, each after those that it uses.
const STANDALONE: [&str; 5] = [
    include_str!("rules.js"),
    include_str!("board.js"),
    include_str!("curve.js"),
    include_str!("review.js"),
    include_str!("standalone.js"),
];

/// Modules as one script: they share a file and need no import.
fn joined(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    let lines = lines.map(|line| line.strip_prefix("export ").unwrap_or(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Text that may stand between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A judged game as one page that stands alone: no server, no network, no other file.
pub fn review_html(review: &Review) -> String {
    // A review is numbers and text, which always can be written; "<" could end the script.
    let data = serde_json::to_string(review).unwrap_or_default().replace('<', "\\u003c");
    let title = format!("{} – {}", review.black, review.white);
    let parts = [
        ("{{title}}", escaped(&title)),
        ("{{style}}", include_str!("theme.css").to_owned()),
        ("{{script}}", joined(&STANDALONE)),
        ("{{review}}", data),
    ];
    let mut rest = include_str!("review.html");
    let mut page = String::new();
    // The marks stand in this order, and what replaces them is not searched again.
    for (mark, text) in parts {
        if let Some((before, after)) = rest.split_once(mark) {
            page.push_str(before);
            page.push_str(&text);
            rest = after;
        }
    }
    page + rest
}

#[cfg(test)]
mod tests;
