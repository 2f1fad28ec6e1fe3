//! `tengen study` and the players of the papers, as their users start them.

use crate::helpers;

use helpers::{assert_refused, figures, table, tengen};

fn printed(args: &[&str]) -> String {
    let output = tengen(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_list_names_experiments_players_and_settings() {
    let text = printed(&["study", "--list"]);
    for name in [
        "you-mixes",
        "subgames",
        "sweep",
        "adaptive",
        "zero",
        "goyui",
        "amaf",
        "random",
        "exploration",
    ] {
        assert!(text.contains(&format!("\n  {name} ")), "{name} is missing in\n{text}");
    }
}

#[test]
fn what_cannot_be_gets_a_sentence() {
    for (args, sentence) in [
        (&["study"][..], "name an experiment, or see `tengen study --list`"),
        (&["study", "you-mixs"], "did you mean 'you-mixes'?"),
        (&["study", "subgames", "--method", "soup"], "--method soup is not known"),
        (&["study", "sweep"], "give --param NAME=V1,V2,..."),
        (&["study", "sweep", "--param", "search.mixx=1"], "search.mixx"),
        (&["study", "you-mixes", "--cell", "soup"], "there is no cell 'soup' here"),
        (&["study", "you-mixes", "--games", "0"], "--games must be at least 1"),
        (&["study", "you-policy"], "give --data, positions with a referee's winrate"),
        (&["study", "adaptive", "--data", "no-such-file"], "no-such-file"),
        (&["study", "xiao-tables", "--method", "soup"], "--method soup is not known"),
        (&["study", "xiao-tables", "--runs", "0"], "--runs must be 1 to 100"),
        (&["study", "xiao-phases"], "give --data, games to harvest patterns from"),
        (&["study", "zero", "--games", "0"], "--games must be 1 to 10000"),
        (
            &["gtp", "--player", "uct", "--set", "gammas=no-such-file"],
            "gammas=no-such-file is not possible",
        ),
        (
            &["gtp", "--player", "uct", "--set", "prior=soup"],
            "give one of none, even, hints, fuego",
        ),
        (&["gtp", "--player", "goyi"], "did you mean 'goyui'?"),
        (&["gtp", "--player", "flat", "--set", "mixx=1"], "did you mean 'mix'?"),
        (&["gtp", "--player", "flat", "--set", "playouts=0"], "playouts=0 is not possible"),
    ] {
        assert_refused(args, sentence);
    }
}

/// A program that is not there is a sentence too.
#[test]
fn without_gnugo_there_is_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["study", "together", "--games", "1", "--out"])
        .arg(directory.path())
        .env("PATH", directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("gnugo"), "{said}");
}

#[test]
fn the_subgames_are_solved_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("figure.svg");
    let text = printed(&["study", "subgames", "--svg", file.to_str().unwrap()]);
    assert!(text.contains("| result of optimal play, Left first | 2 | 2 points |"), "{text}");
    assert!(std::fs::read_to_string(file).unwrap().starts_with("<svg"));
    let json = printed(&["study", "subgames", "--method", "cg-td", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["lines"].as_array().unwrap().len(), 4);
}

#[test]
fn an_experiment_is_played_and_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let base = ["study", "players", "--cell", "baudis-playout-5x5", "--size", "5", "--out", out];
    let before = printed(&base);
    assert!(before.contains("| baudis-playout-5x5 | none | not yet run |"), "{before}");
    let text = printed(&[&base[..], &["--games", "3"]].concat());
    assert!(text.contains("| 3 |"), "{text}");
    let first = table(&directory.path().join("baudis-playout-5x5"));
    let text = printed(&[&base[..], &["--games", "5"]].concat());
    assert!(text.contains("| 5 |"), "{text}");
    let all = table(&directory.path().join("baudis-playout-5x5"));
    assert_eq!((first.rows.len(), all.rows.len()), (3, 5));
    assert_eq!(all.rows[..3], first.rows[..], "what was played stays");
    assert!(all.rows.iter().all(|row| !row.error), "{:?}", all.rows);
}

#[test]
fn every_player_can_be_used_by_a_match() {
    let players = ["goyui", "uct", "coulom", "egreedy", "montecarlo", "flat", "amaf", "annealing"];
    for name in players.into_iter().chain(["pruning", "depth", "playout"]) {
        let a = format!("tengen gtp --player {name} --set playouts=40 --set least=2 --seed %SEED");
        let found = figures(&[
            "match",
            "--a",
            &a,
            "--b",
            "tengen gtp --player random --seed %SEED",
            "--games",
            "2",
            "--size",
            "5",
            "--komi",
            "0",
            "--referee",
            "area",
        ]);
        assert_eq!((found["games"].as_str(), found["by forfeit"].as_str()), ("2", "0"), "{name}");
        assert!(found.contains_key("margin A"), "{name}: {found:?}");
    }
}

#[test]
#[ignore = "needs GNU Go"]
fn goyui_plays_gnugo() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let args = [
        "study",
        "you-mixes",
        "--cell",
        "you-hand",
        "--playouts",
        "100",
        "--games",
        "2",
        "--out",
        out,
    ];
    let text = printed(&args);
    assert!(text.contains("| you-hand | 14.1 % of 1806 |") && text.contains("| 2 |"), "{text}");
}
