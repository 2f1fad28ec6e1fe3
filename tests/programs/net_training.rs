//! `tengen train net` and `tengen calibrate --judge net` as they are used: as programs.

use crate::helpers;

use helpers::{assert_refused, figures, number, tengen};
use std::path::{Path, PathBuf};

/// Positions on 7x7: the stones of one side, and a referee who gives it the board.
fn labels(folder: &Path, name: &str, count: usize) -> PathBuf {
    let path = folder.join(name);
    let lines: Vec<String> = (0..count)
        .map(|number| {
            let black = number % 2 == 0;
            let stones = [["D4", "pass"], ["C3", "pass"], ["E5", "pass"], ["C5", "pass"]];
            let moves = &stones.concat()[..2 * (1 + number % 4)];
            let (first, letter) = if black { ("B", "Y") } else { ("W", "A") };
            let (winrate, lead) = if black { (0.99, 40.0) } else { (0.01, -58.0) };
            format!(
                "{{\"size\": 7, \"komi\": 9.0, \"moves\": \"{}\", \"first\": \"{first}\", \
                 \"to_play\": \"{}\", \"winrate\": {winrate}, \"lead\": {lead}, \"policy\": \
                 {{\"D2\": 0.75, \"pass\": 0.125}}, \"ownership\": \"{}\", \"game\": {number}}}",
                moves.join(" "),
                if number % 3 == 0 { "B" } else { "W" },
                letter.repeat(49)
            )
        })
        .collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

#[test]
fn a_network_is_trained_measured_and_trained_again_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let train_file = labels(folder.path(), "train.jsonl", 40);
    let valid_file = labels(folder.path(), "valid.jsonl", 12);
    let (train_file, valid_file) = (train_file.to_str().unwrap(), valid_file.to_str().unwrap());
    let (out, svg, again, state) = (at("a.tgn"), at("a.svg"), at("b.tgn"), at("b.tgc"));
    let common = ["--valid", valid_file, "--channels", "8", "--blocks", "2", "--batch", "8"];
    let train = |rest: &[&str]| {
        let command = ["train", "net", train_file, "--passes", "60", "--rate", "0.01"];
        figures(&[&command[..], &common, rest].concat())
    };
    let trained = train(&["--out", &out, "--svg", &svg]);
    let error = number(&trained, "winrate squared error");
    assert!(error < 0.05, "{trained:?}"); // without learning it is 0.24

    let manifest = std::fs::read_to_string(at("a.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!((manifest["positions"].as_u64(), manifest["blocks"].as_u64()), (Some(40), Some(2)));
    assert_eq!(manifest["valid"]["winrate_squared_error"].as_f64(), Some(error));
    assert!(std::fs::read_to_string(&svg).unwrap().contains("<svg"));

    // The same, with an interruption.
    train(&["--out", &again, "--checkpoint", &state, "--stop-after", "7"]);
    assert!(!Path::new(&again).exists());
    train(&["--out", &again, "--checkpoint", &state]);
    assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&again).unwrap());

    // The mean of a network and itself is the network.
    train(&["--out", &again, "--checkpoint", &state, "--average", &out]);
    assert_eq!(std::fs::read(&out).unwrap(), std::fs::read(&again).unwrap());

    let other =
        ["train", "net", train_file, "--channels", "16", "--average", &out, "--out", &again];
    assert_refused(&other, "--average has another shape");

    // The measurement of another tool agrees.
    let command = ["calibrate", valid_file, "--judge", "light,net", "--net", &out];
    let output = tengen(&[&command[..], &["--playouts", "10", "--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let judged = &report["files"][0]["policies"][1];
    assert_eq!(judged["policy"], "net");
    let mean = judged["phases"][0]["winrate_squared_error"]["mean"].as_f64().unwrap();
    assert!((mean - error).abs() < 1e-4, "{mean} {error}");
}

#[test]
fn bad_arguments_and_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = labels(folder.path(), "train.jsonl", 4);
    let file = path.to_str().unwrap();
    let out = folder.path().join("x.tgn");
    let out = out.to_str().unwrap();
    let train = |rest: &[&str], expected: &str| {
        assert_refused(&[&["train", "net", file, "--out", out], rest].concat(), expected);
    };
    train(&["--channels", "20"], "--channels must be 8, 16, 24");
    train(&["--batch", "0"], "--batch must be at least 1");
    train(&["--hold-out", "5"], "give --valid FILE");
    train(&["--valid", "no/such/file"], "cannot open");
    train(&["--stop-after", "1"], "--checkpoint");
    assert_refused(
        &["calibrate", file, "--judge", "net", "--net", file],
        "not a tengen model file",
    );
    std::fs::write(&path, "{}").unwrap();
    train(&[], "line 1: not a position");
}
