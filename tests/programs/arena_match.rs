//! `tengen match` with well-behaved programs: games, colours, openings, tables, statistics.

use crate::helpers;

use helpers::{assert_refused, figures, mover, mover_with, number, sgf, table, tengen};
use std::collections::HashSet;
use tengen::game::sgf::Record;
use tengen::game::{Game, Rules};
use tengen::types::{Color, Move};

fn moves(record: &Record) -> Vec<Move> {
    record.moves().collect()
}

#[test]
fn a_match_is_played_counted_and_written() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("m");
    let out = prefix.to_str().unwrap();
    let base = ["match", "--a", mover(), "--games", "12", "--jobs", "3", "--out", out];
    let found = figures(&[&base[..], &["--komi", "5.5"]].concat());
    assert_eq!(found["games"], "12");
    assert_eq!(number(&found, "wins A") + number(&found, "wins B"), 12.0);
    assert_eq!(found["by agreement"], "12");
    assert_eq!(found["by forfeit"], "0");
    assert_eq!(found["A"], "random mover 1 (A)");
    // Uniform games that spare eyes take 111 moves on 9x9, with a spread of 15.
    assert!((90.0..130.0).contains(&number(&found, "average length")));
    assert!(number(&found, "time A") > 0.0 && number(&found, "cpu B") > 0.0);
    for name in ["score A", "score A 95 %", "elo A - B", "elo A - B 95 %", "los A", "speed"] {
        assert!(found.contains_key(name), "{name}");
    }

    let table = table(&prefix);
    let games: HashSet<u32> = table.rows.iter().map(|row| row.game).collect();
    assert_eq!(games, (0..12).collect());
    assert_eq!(table.property("Komi"), Some("5.5"));
    let wins = table.rows.iter().filter(|row| row.score() == Some(1.0)).count();
    assert_eq!(wins as f64, number(&found, "wins A"));
    for row in &table.rows {
        assert_eq!(row.swapped, row.game % 2 == 1);
        let record = Record::open(&sgf(&prefix, row.game)).unwrap();
        assert_eq!((record.size, record.komi), (9, Some(5.5)));
        assert_eq!(record.steps.len(), row.length as usize);
        // The table names the first program Black, the record says who was.
        let result = row.result().unwrap();
        let colours = if row.swapped { result.swapped() } else { result };
        assert_eq!(record.result, Some(colours.to_string()));
        let first = if row.swapped { "random mover 1 (B)" } else { "random mover 1 (A)" };
        assert_eq!(record.black_name.as_deref(), Some(first));
        assert!(record.steps.iter().any(|step| step.comment.contains("move 1 of black")));
        let mut game = Game::new(9, Rules::default());
        assert!(record.moves().all(|play| game.play(play).is_ok()) && game.is_over());
    }

    // Asked again, nothing is played; asked for more, only those are.
    let again = figures(&[&base[..], &["--komi", "5.5"]].concat());
    assert_eq!(again["played now"], "0 games");
    assert_eq!(again["wins A"], found["wins A"]);
    let more = ["match", "--a", mover(), "--games", "14", "--out", out, "--komi", "5.5"];
    assert_eq!(figures(&more)["played now"], "2 games");
    // Another match does not mix with it, unless it may overwrite.
    assert_refused(&base, "Komi is '5.5' there, '7.5' here");
    let forced = figures(&[&base[..], &["--force"]].concat());
    assert_eq!(forced["played now"], "12 games");
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_runs_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let play = |name: &str, more: &[&str]| {
        let prefix = directory.path().join(name);
        let out = prefix.to_str().unwrap();
        let seeded = mover_with("--seed %SEED");
        let base = ["match", "--a", &seeded, "--b", mover(), "--games", "8", "--out", out];
        figures(&[&base[..], more].concat());
        (0..8).map(|game| moves(&Record::open(&sgf(&prefix, game)).unwrap())).collect::<Vec<_>>()
    };
    let one = play("one", &["--jobs", "1"]);
    let four = play("four", &["--jobs", "4"]);
    let fresh = play("fresh", &["--jobs", "2", "--fresh"]);
    let other = play("other", &["--seed", "2"]);
    assert_eq!(one, four);
    assert_eq!(one, fresh);
    assert_ne!(one, other);
    let distinct: HashSet<_> = one.iter().collect();
    assert_eq!(distinct.len(), 8);
    let record = std::fs::read_to_string(directory.path().join("one-0.sgf")).unwrap();
    assert!(record.contains("--seed ") && !record.contains("%SEED"));
}

#[test]
fn openings_are_played_in_pairs() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("openings.sgf");
    std::fs::write(&file, "(;SZ[9];B[ee];W[cc];B[gg])(;SZ[9];B[dd];W[ff];B[fd])").unwrap();
    let prefix = directory.path().join("m");
    let out = prefix.to_str().unwrap();
    let openings = ["--openings", file.to_str().unwrap(), "--opening-moves", "2"];
    let base = ["match", "--a", mover(), "--games", "6", "--random-plies", "3", "--out", out];
    figures(&[&base[..], &openings].concat());
    let games: Vec<Vec<Move>> =
        (0..6).map(|game| moves(&Record::open(&sgf(&prefix, game)).unwrap())).collect();
    let gtp = |moves: &[Move]| moves.iter().map(|play| play.to_gtp()).collect::<Vec<_>>().join(" ");
    assert_eq!(gtp(&games[0][..2]), "B E5 W C7");
    assert_eq!(gtp(&games[2][..2]), "B D6 W F4");
    for pair in 0..3 {
        assert_eq!(games[2 * pair][..5], games[2 * pair + 1][..5]);
        assert_ne!(games[2 * pair], games[2 * pair + 1]);
    }
    assert_eq!(games[0][..2], games[4][..2]);
    assert_ne!(games[0][2..5], games[4][2..5]);
    let comment = Record::open(&sgf(&prefix, 0)).unwrap().comment;
    assert!(comment.contains("openings.sgf, game 1"), "{comment}");
}

#[test]
fn handicap_colours_and_move_limit_hold() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("m");
    let out = prefix.to_str().unwrap();
    let found = figures(&[
        "match",
        "--a",
        mover(),
        "--games",
        "4",
        "--size",
        "13",
        "--handicap",
        "3",
        "--komi",
        "0.5",
        "--colors",
        "b-black",
        "--max-moves",
        "20",
        "--out",
        out,
    ]);
    assert_eq!(found["move limit"], "4");
    assert_eq!(found["average length"], "20.0 moves");
    for row in &table(&prefix).rows {
        assert!(row.swapped && row.length == 20 && row.score().is_some());
        let record = Record::open(&sgf(&prefix, row.game)).unwrap();
        assert_eq!((record.handicap, record.setup.len()), (3, 3));
        assert_eq!(record.moves().next().unwrap().color, Color::White);
        assert_eq!(record.black_name.as_deref(), Some("random mover 1 (B)"));
    }
}

#[test]
fn disagreement_goes_to_the_referee() {
    let liar = mover_with("--fault wrong-score");
    let base = ["match", "--a", mover(), "--b", &liar, "--games", "6", "--jobs", "2"];
    let found = figures(&base);
    assert_eq!((found["no result"].as_str(), found["by agreement"].as_str()), ("6", "0"));
    let area = figures(&[&base[..], &["--referee", "area"]].concat());
    assert_eq!(area["by referee"], "6");
    let program = figures(&[&base[..], &["--referee", mover()]].concat());
    assert_eq!(program["by referee"], "6");
    assert_eq!(program["wins A"], area["wins A"]);
    // A referee that cannot be asked leaves the game open and the match alive.
    let dead = mover_with("--fault dies-in-score");
    let found = figures(&[&base[..], &["--referee", &dead]].concat());
    assert_eq!((found["games"].as_str(), found["no result"].as_str()), ("6", "6"));
}

#[test]
fn resignation_and_sprt_end_early() {
    let quitter = mover_with("--fault resign --at-move 4");
    let found = figures(&[
        "match",
        "--a",
        mover(),
        "--b",
        &quitter,
        "--games",
        "400",
        "--jobs",
        "2",
        "--sprt",
        "0,60",
    ]);
    let games = number(&found, "games");
    // Each win adds ln(0.5855 / 0.5) = 0.158 to the ratio, and 3.0 decide: 19 games.
    assert!((19.0..=21.0).contains(&games), "{games} games");
    assert_eq!(number(&found, "by resignation"), games);
    assert_eq!(found["sprt"], "A is +60 rather than +0 Elo stronger");
    assert_eq!(found["elo A - B"], "+inf");
}

#[test]
fn json_says_the_same() {
    let output = tengen(&["match", "--a", mover(), "--games", "4", "--json", "--sprt", "-50,50"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["games"], 4);
    assert_eq!(json["by_agreement"], 4);
    assert_eq!(json["a"]["forfeits"]["crash"], 0);
    assert_eq!(json["sprt"]["accepted"], "undecided");
    assert_eq!(json["a"]["wins"].as_u64().unwrap() + json["b"]["wins"].as_u64().unwrap(), 4);
}

#[test]
fn repeated_games_do_not_count_twice() {
    // Without seeds of its own, `resign` at the first move gives the same two games again and again.
    let quitter = mover_with("--fault resign --at-move 1");
    let found = figures(&["match", "--a", &quitter, "--b", &quitter, "--games", "10"]);
    assert_eq!(found["games"], "10");
    assert_eq!((found["wins A"].as_str(), found["wins B"].as_str()), ("5", "5"));
    assert_eq!(found["duplicates"], "8");
    assert_eq!(found["score A 95 %"], "9.45 .. 90.55 %"); // of two games
}

#[test]
fn parameters_are_handed_to_each_side() {
    // `echo` shows its arguments instead of playing, in the sentence that refuses it.
    let output =
        tengen(&["match", "--a", "echo gtp", "--set", "x=1", "--set-a", "y=2", "--set-b", "z=3"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("'echo gtp --set x=1 --set y=2'"), "{errors}");
}

#[test]
fn bad_arguments_are_refused_in_one_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let bad = directory.path().join("bad.txt");
    std::fs::write(&bad, "D4 D4\n").unwrap();
    let refuse = |arguments: &[&str], expected: &str| {
        assert_refused(&[&["match", "--a", mover()], arguments].concat(), expected);
    };
    assert_refused(&["match", "--a", "/no/such/program"], "there is no such program");
    assert_refused(&["match", "--a", ""], "empty");
    assert_refused(&["match", "--a", "x 'y"], "quote");
    assert_refused(&["match", "--a", "sh -c 'exit 3'"], "does not answer GTP commands");
    refuse(&["--b", "/no/such/program"], "/no/such/program");
    refuse(&["--referee", "/no/such/program"], "/no/such/program");
    refuse(&["--games", "0"], "--games");
    refuse(&["--games", "many"], "many");
    refuse(&["--jobs", "0"], "--jobs");
    refuse(&["--size", "25"], "--size");
    refuse(&["--komi", "inf"], "--komi");
    refuse(&["--handicap", "99"], "--handicap");
    refuse(&["--rules", "chess"], "--rules");
    refuse(&["--time", "soon"], "is no time setting");
    refuse(&["--time", "10+3x5"], "kgs-time_settings");
    refuse(&["--timeout", "-1"], "--timeout");
    refuse(&["--sprt", "5"], "--sprt");
    refuse(&["--sprt", "30,0"], "--sprt");
    refuse(&["--openings", "/no/such/file"], "/no/such/file");
    refuse(&["--openings", bad.to_str().unwrap()], "illegal");
    refuse(&["--out", "/proc/nowhere/x"], "/proc/nowhere");
    refuse(&["--nonsense"], "--nonsense");
}
