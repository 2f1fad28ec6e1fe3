//! The program as people and shells start it: threads and seeds, parameter files, completions,
//! manual pages, and `tengen` as a word in the commands of its own tools.

use crate::harness;

use harness::Program;
use std::path::Path;
use std::process::{Command, Output};

/// Runs tengen in a folder that has no tengen, without one on the path.
fn tengen(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .current_dir(folder)
        .env("PATH", "/usr/bin:/bin")
        .output()
        .expect("tengen starts")
}

fn succeeds(arguments: &[&str], folder: &Path) -> String {
    let output = tengen(arguments, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The seed of a process, and the first moves of a game that it plays with itself. By playouts alone:
/// with the network few playouts often choose the same moves, whatever the seed.
fn opening(arguments: &[&str]) -> (String, String) {
    let fixed = ["--classic", "--threads", "1", "--playouts", "20", "--memory", "16"];
    let mut program = Program::new(&[&fixed[..], arguments].concat());
    program.expect_success("boardsize 9");
    let moves: Vec<String> =
        (0..10).map(|turn| program.expect_success(["genmove b", "genmove w"][turn % 2])).collect();
    (program.expect_success("get_random_seed"), moves.join(" "))
}

#[test]
fn seed_zero_is_a_new_one_for_every_process_and_repeats_the_game() {
    let games = [opening(&[]), opening(&["--seed", "0"]), opening(&["--set", "search.seed=0"])];
    let seeds: Vec<&String> = games.iter().map(|(seed, _)| seed).collect();
    assert!(!seeds.iter().any(|seed| *seed == "0"), "{seeds:?}");
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2], "{seeds:?}");
    assert!(games[0].1 != games[1].1 || games[1].1 != games[2].1, "{games:?}");
    for (seed, moves) in games {
        assert_eq!(opening(&["--seed", &seed]), (seed, moves), "the same game again");
    }
}

#[test]
fn the_seed_is_logged_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("tengen.log");
    let log = log.to_str().expect("a name");
    let mut program = Program::new(&["--threads", "1", "--memory", "16", "--log", log]);
    let first = program.expect_success("get_random_seed");
    let told = program.expect_success("gomill-describe_engine");
    assert!(told.ends_with(&format!("1 thread, seed {first}")), "{told}");
    program.expect_success("kata-set-param search.seed 0");
    let second = program.expect_success("get_random_seed");
    assert!(second != "0", "drawn anew");
    program.ask("quit");
    program.wait();
    let text = std::fs::read_to_string(log).expect("a log");
    for seed in [first, second] {
        assert!(text.contains(&format!("seed {seed}")), "{seed} is not in the log:\n{text}");
    }
}

#[test]
fn all_cores_are_used_unless_told() {
    let cores = tengen::params::cores().to_string();
    let threads = |arguments: &[&str]| {
        let mut program = harness::Program::start_as_told(arguments, &std::env::temp_dir());
        let set = program.expect_success("kata-get-param search.threads");
        (set, program.expect_success("kata-get-param numSearchThreads"))
    };
    assert_eq!(threads(&["--memory", "16"]), ("auto".to_owned(), cores.clone()));
    assert_eq!(threads(&["--memory", "16", "--threads", "auto"]).1, cores);
    assert_eq!(threads(&["--memory", "16", "--threads", "3"]), ("3".to_owned(), "3".to_owned()));
}

#[test]
fn the_list_of_parameters_is_a_file_that_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p");
    std::fs::write(&file, succeeds(&["params"], folder.path())).expect("a file");
    let file = file.to_str().expect("a name");
    for size in [9, 13, 19] {
        let values = |arguments: &[&str]| {
            let fixed = ["--threads", "1", "--playouts", "50", "--memory", "16", "--seed", "2"];
            let mut program = Program::new(&[&fixed[..], arguments].concat());
            program.expect_success(&format!("boardsize {size}"));
            let names = program.expect_success("kata-list-params");
            let value = |name: &str| program.expect_success(&format!("kata-get-param {name}"));
            let values: Vec<String> = names.split(' ').map(value).collect();
            (values, program.expect_success("genmove b"))
        };
        assert_eq!(values(&["--params", file]), values(&[]), "{size}x{size}");
    }
}

#[test]
fn tengen_in_a_command_is_this_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let a = "tengen gtp --playouts 5 --memory 16 --seed %SEED";
    let arguments = ["match", "--a", a, "--size", "5", "--games", "2", "--out", "run"];
    succeeds(&arguments, folder.path());
    let results = std::fs::read_to_string(folder.path().join("run.dat")).expect("results");
    assert!(results.contains("--threads 1"), "one thread:\n{results}");
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/quality9.jsonl");
    let engine = "tengen --playouts 5 --memory 16";
    let text = succeeds(&["quality", suite, "--engine", engine, "--limit", "2"], folder.path());
    assert!(text.contains("quality9 positions: 2"), "{text}");
}

#[test]
fn the_suites_are_what_the_tools_read() {
    let data = |name: &str| format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let here = std::env::temp_dir();
    let quick = ["--playouts", "10", "--limit", "5"];
    let quality = data("quality9.jsonl");
    let text = succeeds(&[&["quality", &quality][..], &quick].concat(), &here);
    assert!(text.contains("quality9 positions: 5"), "{text}");
    let labels = data("labels9.jsonl");
    let policies = ["calibrate", &labels, "--playout", "light,rules,gamma"];
    let text = succeeds(&[&policies[..], &quick].concat(), &here);
    assert!(text.contains("labels9"), "{text}");
}

#[test]
fn completions_manual_pages_and_licenses_are_printed() {
    let here = std::env::temp_dir();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeeds(&["completions", shell], &here);
        assert!(script.contains("tengen") && script.contains("playouts"), "{shell}");
    }
    assert!(succeeds(&["man"], &here).contains(".TH tengen 1"));
    let page = succeeds(&["man", "match"], &here);
    assert!(page.contains(".TH tengen-match 1") && page.contains("openings"), "{page}");
    assert!(succeeds(&["licenses"], &here).contains("Permission is hereby granted"));
    let refused = tengen(&["man", "mach"], &here);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(text.contains("did you mean 'match'?"), "{text}");
}

#[test]
fn a_parameter_that_is_nearly_right_gets_its_name() {
    let here = std::env::temp_dir();
    for arguments in [&["--set", "search.playout=5"][..], &["params", "search.playoust"]] {
        let refused = tengen(arguments, &here);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(text.contains("did you mean search.playouts?"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

/// `tengen features ... | head -1`.
#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_ends_the_program_quietly() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.sgf");
    std::fs::write(&game, "(;GM[1]FF[4]SZ[19]KM[7.5];B[pd];W[dp])").expect("a game");
    let mut program = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("features")
        .args([&game, Path::new("3")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    let mut line = String::new();
    BufReader::new(program.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert!(line.contains("A B C"), "{line}");
    let output = program.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
