//! Entry points for fuzzers: whatever the bytes, these return.
//!
//! `tests/engine/fuzz.rs` runs them on mutated input for a bounded time on stable Rust; `fuzz/` has the
//! targets for `cargo fuzz run gtp`, and so on.

use crate::frontend::analysis;
use crate::frontend::gtp::input::Inbox;
use crate::frontend::gtp::output::Output;
use crate::frontend::gtp::session::{Session, Settings};
use crate::game::sgf::Record;
use crate::knowledge::net::Network;
use crate::knowledge::{Gammas, Model};
use crate::logging::{Chatter, Kept};
use crate::params::Overrides;
use std::io::{self, Cursor};

/// Most bytes that are looked at: longer input finds nothing that shorter does not.
const MAX_BYTES: usize = 4096;
/// Most lines of a GTP session.
const MAX_LINES: usize = 30;

/// Words of GTP commands that a session of nonsense must not contain: they write files, or let the
/// engine think for long.
const DANGEROUS: [&str; 8] =
    ["param", "benchmark", "level", "rank", "printsgf", "loadsgf", "place_free", "final"];

/// A GTP session. Panics if a command did: the session itself would answer `internal error`.
pub fn gtp(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    let harmless = |line: &&[u8]| {
        // What the session ignores must not hide a word.
        let visible = line.iter().filter(|byte| !byte.is_ascii_control()).copied().collect();
        let text = String::from_utf8(visible).unwrap_or_default().to_ascii_lowercase();
        !DANGEROUS.iter().any(|word| text.contains(word))
    };
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').filter(harmless).take(MAX_LINES);
    let input: Vec<u8> = lines.flatten().copied().collect();
    let heard = Kept::default();
    let settings = Settings { overrides: hasty(), ..Settings::default() };
    let (inbox, output) = (Inbox::read(Cursor::new(input)), Output::new(Box::new(heard.clone())));
    Session::new(settings, inbox, output, Chatter::silent()).run();
    let text = heard.text();
    assert!(!text.contains("internal error"), "a command panicked:\n{text}");
}

/// A game record.
pub fn sgf(bytes: &[u8]) {
    if let Ok(record) = Record::parse(bytes) {
        // What was read can be written, and read again.
        let text = record.to_sgf();
        assert!(Record::parse(&text).is_ok(), "cannot read what was written:\n{text}");
    }
}

/// Lines of the JSON analysis, which is told to stop at their end.
pub fn json(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    analysis::serve(bytes, io::sink(), hasty(), 1, true);
}

/// A model, the gammas of playouts, a network.
pub fn model(bytes: &[u8]) {
    let _ = Model::parse(bytes);
    let _ = Gammas::parse(bytes);
    let _ = Network::parse(bytes);
}

/// An engine that thinks next to nothing.
fn hasty() -> Overrides {
    let mut overrides = Overrides::default();
    let settings = [
        ("search.playouts", "2"),
        ("search.memory", "1"),
        ("search.seed", "1"),
        ("search.threads", "1"),
        ("status.playouts", "2"),
        ("status.nodes", "20"),
        ("status.total_nodes", "100"),
    ];
    for (name, value) in settings {
        overrides.insert(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    overrides
}
