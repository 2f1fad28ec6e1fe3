//! `tengen match` killed at random moments and started again: no game is lost, none counted twice.

use crate::helpers;

use helpers::{TENGEN, assert_refused, dat, figures, mover, sgf, table};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tengen::types::Rng;
use tengen::workshop::arena::store::Store;

const GAMES: u32 = 150;

fn arguments(prefix: &Path) -> Vec<String> {
    let out = prefix.to_str().unwrap();
    let words = ["match", "--a", mover(), "--games", "150", "--jobs", "2", "--out", out];
    words.map(str::to_owned).to_vec()
}

/// What is the same in two runs of a game.
fn essence(prefix: &Path) -> Vec<(u32, String, u32)> {
    let mut list: Vec<_> = table(prefix)
        .rows
        .iter()
        .map(|row| (row.game, row.result().unwrap().to_string(), row.length))
        .collect();
    list.sort();
    list
}

#[test]
fn a_killed_match_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("killed");
    let mut rng = Rng::new(4);
    let mut known = String::new();
    let mut kills: u32 = 0;
    loop {
        let mut running = Command::new(TENGEN)
            .args(arguments(&prefix))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Short at first, so that a fast machine is killed often; then longer and longer, so that a
        // busy one gets through too.
        std::thread::sleep(Duration::from_millis(20 + u64::from(rng.below(40 + 10 * kills))));
        let finished = running.try_wait().unwrap().is_some();
        running.kill().unwrap(); // SIGKILL
        running.wait().unwrap();
        if let Ok(now) = std::fs::read_to_string(dat(&prefix)) {
            // What was written stays: complete lines are never touched again.
            let complete = &now[..now.rfind('\n').map_or(0, |end| end + 1)];
            assert!(complete.starts_with(&known), "a written line changed or vanished");
            known = complete.to_owned();
        }
        if finished {
            break;
        }
        kills += 1;
        assert!(kills < 400, "the match never ends");
    }
    assert!(kills >= 3, "only {kills} kills: the match is too short for this test");

    let rows = table(&prefix).rows;
    let mut games: Vec<u32> = rows.iter().map(|row| row.game).collect();
    games.sort_unstable();
    assert_eq!(games, (0..GAMES).collect::<Vec<_>>());
    // `Table::parse` would hide a second row for a game: count the lines.
    assert_eq!(known.lines().filter(|line| !line.starts_with('#')).count(), GAMES as usize);
    assert!((0..GAMES).all(|game| sgf(&prefix, game).exists()));
    assert!(rows.iter().all(|row| !row.error), "a kill of the match is no program's fault");

    // The same games as in a match that nobody disturbed.
    let calm = directory.path().join("calm");
    let words = arguments(&calm);
    let found = figures(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(found["games"], GAMES.to_string());
    assert_eq!(essence(&prefix), essence(&calm));
}

#[test]
fn a_second_match_on_the_same_files_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("m");
    let running = Store::open(&prefix, &[], false).unwrap();
    let words = arguments(&prefix);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let owner = format!("another match (process {}) is writing to '", std::process::id());
    assert_refused(&words, if cfg!(unix) { &owner } else { "another match" });
    drop(running);
    assert_refused(&words, "belongs to another match"); // the properties differ, the lock is free
}
