//! Conversations of every client, replayed; and no command without one.

use crate::harness;

use harness::transcript::replay;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tengen::frontend::gtp::command::{self, Listing};

fn transcripts() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let mut list = Vec::new();
    for entry in std::fs::read_dir(folder).expect("tests/clients") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "gtp") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            list.push((name, std::fs::read_to_string(&path).expect("a transcript")));
        }
    }
    list.sort();
    list
}

#[test]
fn every_client_gets_what_it_expects_and_every_command_is_tried() {
    let mut succeeded = BTreeSet::new();
    let all = transcripts();
    assert!(all.len() >= 14, "where are the transcripts?");
    for (name, text) in all {
        println!("{name}");
        succeeded.extend(replay(&text, &name));
    }
    for command in command::all() {
        assert!(succeeded.contains(command.name), "{} is in no transcript", command.name);
        let hidden = command.listing == Listing::Hidden;
        assert!(hidden || !command.doc.is_empty() && command.doc.ends_with(['.', '?']));
    }
}
