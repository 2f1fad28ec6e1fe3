//! `tengen elo` on tables of real matches.

use crate::helpers;

use helpers::{assert_refused, dat, figures, mover, mover_with, number, tengen};
use std::path::Path;

fn play(directory: &Path, name: &str, b: &str, name_b: &str) -> String {
    let prefix = directory.join(name);
    let out = prefix.to_str().unwrap();
    figures(&[
        "match",
        "--a",
        mover(),
        "--name-a",
        "mover",
        "--b",
        b,
        "--name-b",
        name_b,
        "--games",
        "20",
        "--jobs",
        "2",
        "--out",
        out,
    ]);
    dat(&prefix).to_str().unwrap().to_owned()
}

#[test]
fn several_matches_make_one_list() {
    let directory = tempfile::tempdir().unwrap();
    let weak = mover_with("--fault resign --chance 1");
    let weaker = mover_with("--fault die --chance 10");
    let first = play(directory.path(), "first", &weak, "weak");
    let second = play(directory.path(), "second", &weaker, "weaker");
    let svg = directory.path().join("elo.svg");
    let base = ["elo", &first, &second, "--anchor", "mover=1000"];
    let output = tengen(&[&base[..], &["--svg", svg.to_str().unwrap()]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("rank  player"));
    let row = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = lines.by_ref().take(3).map(row).collect();
    assert_eq!(rows[0][..5], ["1", "mover", "1000.0", "0.0", "40"]);
    assert_eq!((rows[1][1].as_str(), rows[2][1].as_str()), ("weak", "weaker"));
    let elo = |row: &[String]| row[2].parse::<f64>().unwrap();
    // `weaker` loses nearly all 20 games: with one virtual draw that is 400 to 700 Elo.
    assert!((300.0..650.0).contains(&elo(&rows[2])), "{text}");
    assert!(elo(&rows[1]) > elo(&rows[2]) + 50.0);
    let drawing = std::fs::read_to_string(svg).unwrap();
    assert!(drawing.starts_with("<svg") && drawing.contains(">weaker</text>"));

    let found = figures(&base);
    assert_eq!((found["files"].as_str(), found["games"].as_str()), ("2", "40"));
    assert!(number(&found, "black's advantage").abs() < 300.0);
    let output = tengen(&["elo", &first, &first, &second, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["files"], &json["games"]), (&2.into(), &40.into()));
    assert!(String::from_utf8(output.stderr).unwrap().contains("named twice"));
    let players = json["players"].as_array().unwrap();
    let mean: f64 = players.iter().map(|player| player["elo"].as_f64().unwrap()).sum();
    assert!(mean.abs() < 1e-6);

    assert_refused(&["elo", &first, "--anchor", "nobody"], "mover, weak");
    assert_refused(&["elo", "/no/such.dat"], "/no/such.dat");
    assert_refused(&["elo", mover()], "is no results table");
    assert_refused(&["elo"], "RESULTS");
    assert_refused(&["elo", &first, "--prior", "-1"], "--prior");
}
