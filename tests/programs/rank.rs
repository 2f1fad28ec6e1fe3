//! `--rank` and what goes with it, as people and programs start it.

use crate::harness::Program;
use crate::helpers::{assert_refused, figures, number};

/// Games of two players, one strong and one weak, who always open their own way.
fn ranked_games(folder: &std::path::Path) -> String {
    let path = folder.join("ranked.sgfs");
    let dan = "(;SZ[9]BR[3d]WR[20k];B[ee];W[aa];B[ec];W[ba])\n";
    let kyu = "(;SZ[9]BR[19k?]WR[4d];B[aa];W[ee];B[ba];W[ec])\n";
    std::fs::write(&path, format!("{dan}{kyu}").repeat(30)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_model_learns_the_moves_of_a_range_of_ranks_only() {
    let folder = tempfile::tempdir().unwrap();
    let games = ranked_games(folder.path());
    let model = folder.path().join("kyu.tgm").to_str().unwrap().to_owned();
    let train = ["train", "fbt", &games, "--rank", "18k..25k", "--factors", "0", "--small"];
    figures(&[&train[..], &["--passes", "20", "--threads", "1", "--out", &model]].concat());
    let predict = |ranks: &str| {
        let found = figures(&["predict", &games, "--rank", ranks, "--model", &model]);
        assert_eq!(number(&found, "positions"), 120.0);
        (number(&found, "mean log-probability"), number(&found, "among the worst third"))
    };
    let (kyu, dan) = (predict("25k..18k"), predict("1d..9d"));
    assert!(kyu.0 > dan.0 + 1.0, "{kyu:?} {dan:?}");
    assert_eq!(kyu.1, 0.0);
    assert_refused(&["predict", &games, "--rank", "1d..x"], "'x' is no rank");
    let none = ["train", "fbt", &games, "--rank", "9k", "--out", &model];
    assert_refused_after_figures(&none, "there is no game to learn from");
}

/// `train` tells of the harvest before it knows that there is no game.
fn assert_refused_after_figures(arguments: &[&str], expected: &str) {
    let output = crate::helpers::tengen(arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains(expected));
}

#[test]
fn a_rank_plays_a_game_over_gtp_and_can_be_changed() {
    let mut program = Program::new(&["gtp", "--rank", "23k", "--seed", "3", "--no-resign"]);
    assert_eq!(program.expect_success("tengen-rank"), "23k");
    program.expect_success("boardsize 9");
    let mut passes = 0;
    for turn in 0..243 {
        let answer = program.expect_success(["genmove b", "genmove w"][turn % 2]);
        passes = if answer == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
    }
    assert_eq!(passes, 2, "the game has an end");
    assert!(program.expect_success("final_score").contains('+'));
    program.expect_success("clear_board");
    program.expect_success("level 6");
    assert_eq!(program.expect_success("tengen-rank"), "10k");
    program.expect_success("genmove b");
    program.expect_success("kgs-genmove_cleanup w");
    program.expect_success("set_random_seed 9");
    assert_eq!(program.expect_success("tengen-rank"), "10k", "other settings leave it alone");
    program.expect_success("tengen-rank full");
    assert_eq!(program.expect_success("tengen-rank"), "full");
}

#[test]
fn a_rank_repeats_its_game_by_the_seed() {
    let moves = |seed: &str| {
        let mut program = Program::new(&["gtp", "--rank", "15k", "--seed", seed]);
        program.expect_success("boardsize 9");
        (0..14)
            .map(|turn| program.expect_success(["genmove b", "genmove w"][turn % 2]))
            .collect::<Vec<_>>()
    };
    assert_eq!(moves("5"), moves("5"));
    assert_ne!(moves("5"), moves("6"));
}

#[test]
fn bad_ranks_are_refused_in_a_sentence() {
    assert_refused(&["--rank", "30k"], "give 25k to 1k, 1d to 9d, or full");
    assert_refused(&["--rank", "strong"], "there is no level for the rank 'strong'");
    assert_refused(&["--level", "0"], "give 1 to 10, or --rank 25k to 9d");
    assert_refused(&["--rank", "9k", "--playouts", "100"], "cannot be used with");
}
