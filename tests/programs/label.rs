//! `tengen label` with our own analysis as the referee.

use crate::helpers;

use helpers::{assert_refused, figures, number};
use std::path::Path;

/// Games of random legal moves on 7x7, one a line.
fn games(folder: &Path) -> String {
    let letters = ["aa", "gg", "cc", "ee", "ce", "ec", "dd", "bb", "ff", "bf", "fb", "dc"];
    let lines: Vec<String> = (0..4)
        .map(|game| {
            let mut line = "(;SZ[7]KM[5.5]RE[B+3.5]".to_owned();
            for ply in 0..10 {
                let color = if ply % 2 == 0 { 'B' } else { 'W' };
                line += &format!(";{color}[{}]", letters[(5 * ply + game) % letters.len()]);
            }
            line + ")"
        })
        .collect();
    let path = folder.join("games.sgf");
    std::fs::write(&path, lines.join("\n")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn labels_are_written_continued_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let out = folder.path().join("labels.jsonl");
    let out = out.to_str().unwrap();
    let referee = "tengen analysis --threads 1 --seed 1 --memory 8";
    let run = |limit: &str| {
        let shares = ["--unexpected", "0.5", "--search", "0.5", "--playouts", "20"];
        let common = ["label", &games, "--referee", referee, "--out", out, "--visits", "8"];
        figures(
            &[&common[..], &shares[..], &["--limit", limit, "--threads", "1", "--per-game", "3"]]
                .concat(),
        )
    };
    let first = run("2");
    let written = number(&first, "labels written");
    assert!(written >= 2.0, "{first:?}");
    // The file is cut in the middle of its last line; the run goes on with what is missing.
    let text = std::fs::read_to_string(out).unwrap();
    std::fs::write(out, &text[..text.len() - 40]).unwrap();
    let all = run("4");
    assert!(number(&all, "labels written") >= 1.0, "{all:?}");
    let lines = std::fs::read_to_string(out).unwrap();
    let count = lines.lines().count();
    let unique: std::collections::HashSet<&str> = lines.lines().collect();
    assert_eq!(unique.len(), count, "a position stands there twice");
    assert!(text.lines().all(|line| lines.contains(line)), "the second run finds what was cut off");
    let again = run("4");
    assert!(number(&again, "labels written") <= 3.0, "only the last game is looked at again");
    // What was written is what the measures read.
    let measured = figures(&["calibrate", out, "--judge", "light", "--playouts", "5"]);
    assert_eq!(number(&measured, "labels all positions, all policies"), count as f64);
}

#[test]
fn bad_referees_get_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path());
    let out = folder.path().join("labels.jsonl");
    let out = out.to_str().unwrap();
    let label = |more: &[&'static str], word: &str| {
        assert_refused(&[&["label", &games, "--out", out][..], more].concat(), word);
    };
    label(&["--referee", "no-such-program"], "cannot start the referee");
    label(&["--referee", "true"], "the referee");
    label(&["--referee", "tengen analysis", "--per-game", "0"], "--per-game");
    label(&["--referee", "tengen analysis", "--search", "2"], "--search");
}
