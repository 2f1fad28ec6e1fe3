//! `tengen match` with programs that die, hang, cheat and babble: every game is accounted for.

use crate::helpers;

use helpers::{figures, mover, mover_with, number};
use std::collections::BTreeMap;

const KINDS: [&str; 5] = ["illegal move", "crash", "hang", "time", "protocol"];

/// A match against a program with a fault; the fault is counted in every game, for B and nobody
/// else.
fn faults(arguments: &str, games: &str, kind: &str, more: &[&str]) -> BTreeMap<String, String> {
    let faulty = mover_with(arguments);
    let base = ["match", "--a", mover(), "--b", &faulty, "--games", games, "--jobs", "2"];
    let found = figures(&[&base[..], more].concat());
    assert_eq!(found["games"], games, "{arguments}");
    assert_eq!(found["wins A"], games, "{arguments}");
    assert_eq!(found[&format!("forfeits B {kind}")], games, "{arguments}: {found:?}");
    assert_eq!(found["by forfeit"], games);
    for other in KINDS {
        assert_eq!(found[&format!("forfeits A {other}")], "0");
    }
    found
}

#[test]
fn each_fault_is_counted_as_what_it_is() {
    faults("--fault die --at-move 5", "10", "crash", &[]);
    faults("--fault die --at-move 1", "10", "crash", &[]);
    faults("--fault illegal --at-move 3", "10", "illegal move", &[]);
    faults("--fault illegal --at-move 1", "10", "illegal move", &[]);
    faults("--fault huge --at-move 2", "10", "protocol", &[]);
    faults("--fault garbage --at-move 2", "10", "protocol", &[]);
    faults("--fault refuse --at-move 2", "10", "protocol", &[]);
    faults("--fault dies-in-score", "4", "crash", &[]);
}

#[test]
fn a_program_that_hangs_is_ended() {
    let found = faults("--fault hang --at-move 3", "4", "hang", &["--timeout", "3"]);
    // Two games at once, two hangs each.
    assert!(number(&found, "elapsed") < 60.0);
}

#[test]
fn the_clock_is_enforced() {
    faults("--fault late --at-move 2", "2", "time", &["--time", "1"]);
    faults("--fault late --at-move 2", "2", "time", &["--time", "0+1/5"]);
    faults("--fault late --at-move 2", "2", "time", &["--time", "1+0.1"]);
    // Three seconds are enough for it.
    let late = mover_with("--fault late --at-move 2");
    let found =
        figures(&["match", "--a", mover(), "--b", &late, "--games", "2", "--time", "3+10/1"]);
    assert_eq!((found["by agreement"].as_str(), found["by forfeit"].as_str()), ("2", "0"));
}

#[test]
fn talk_that_is_no_answer_is_skipped() {
    let chatter = mover_with("--fault chatter --chance 50");
    let found = figures(&["match", "--a", mover(), "--b", &chatter, "--games", "6"]);
    assert_eq!((found["by agreement"].as_str(), found["by forfeit"].as_str()), ("6", "0"));
}

#[test]
fn a_program_that_dies_at_random_moments_loses_those_games() {
    let dying = mover_with("--fault die --chance 2");
    let found = figures(&["match", "--a", mover(), "--b", &dying, "--games", "100", "--jobs", "2"]);
    let crashes = number(&found, "forfeits B crash");
    assert_eq!(found["games"], "100");
    // It survives 55 moves with probability 0.98^55 = 33 %.
    assert!((45.0..90.0).contains(&crashes), "{crashes} crashes");
    assert_eq!(number(&found, "by agreement") + crashes, 100.0);
    assert_eq!(number(&found, "wins A") + number(&found, "wins B"), 100.0);
}

#[test]
fn both_programs_may_fail_and_every_game_has_a_loser() {
    let (a, b) = (mover_with("--fault die --chance 1"), mover_with("--fault illegal --chance 1"));
    let found = figures(&["match", "--a", &a, "--b", &b, "--games", "60", "--jobs", "3"]);
    let (crashes, illegal) =
        (number(&found, "forfeits A crash"), number(&found, "forfeits B illegal move"));
    assert!(crashes > 0.0 && illegal > 0.0);
    assert_eq!(crashes + illegal, number(&found, "by forfeit"));
    assert_eq!(number(&found, "by agreement") + number(&found, "by forfeit"), 60.0);
}

#[cfg(target_os = "linux")]
#[test]
fn programs_killed_from_outside_at_random_moments() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    use tengen::types::Rng;

    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("m");
    // The moves wait, so that on the fastest machine the match outlives many kills.
    let slow = mover_with("--fault slow --chance 50");
    let mut running = Command::new(helpers::TENGEN)
        .args(["match", "--a", &slow, "--games", "100", "--jobs", "2", "--out"])
        .arg(&prefix)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that dies before the match begins ends the match, and rightly so.
    while !helpers::dat(&prefix).exists() && running.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let parent = format!("\nPPid:\t{}\n", running.id());
    let mut rng = Rng::new(9);
    let mut kills = 0;
    while running.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(u64::from(rng.below(40))));
        let children: Vec<String> = std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
            .filter(|id| {
                std::fs::read_to_string(format!("/proc/{id}/status"))
                    .is_ok_and(|status| status.contains(&parent))
            })
            .collect();
        if !children.is_empty() {
            let victim = &children[rng.below(children.len() as u32) as usize];
            let killed = Command::new("sh").args(["-c", &format!("kill -9 {victim}")]).output();
            kills += usize::from(killed.unwrap().status.success());
        }
    }
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let figure = |name: &str| -> usize {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap().parse().unwrap()
    };
    let crashes = figure("forfeits A crash") + figure("forfeits B crash");
    assert_eq!(figure("games"), 100);
    assert_eq!(figure("by agreement") + crashes, 100, "{text}");
    assert!(kills > 5 && crashes > 0 && crashes <= kills, "{crashes} crashes of {kills} kills");
}

#[test]
fn a_program_that_does_not_start_again_loses_the_rest() {
    // It works until a file appears, which it makes itself before it dies in its first game.
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("dead");
    let script = format!(
        "[ -e {0} ] && exit 1; '{1}' --fault die --at-move 4; touch {0}",
        mark.display(),
        mover()
    );
    let faulty = format!("sh -c \"{script}\"");
    let found = figures(&["match", "--a", mover(), "--b", &faulty, "--games", "6"]);
    assert_eq!(found["games"], "6");
    assert_eq!(found["forfeits B crash"], "6");
}
