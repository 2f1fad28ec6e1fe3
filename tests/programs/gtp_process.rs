//! The program as a process: how quickly it reacts, how it ends, what it costs while it waits.

use crate::harness;

use harness::{PATIENCE, Program, within};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A program that would think for an hour.
fn thinker() -> Program {
    let mut program = Program::new(&["--time", "3600", "--memory", "64", "--no-resign"]);
    program.expect_success("boardsize 19");
    program
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[test]
fn the_first_answer_comes_within_100_ms() {
    within(milliseconds(100), || {
        let begin = Instant::now();
        let mut program = Program::new(&[]);
        program.expect_success("name");
        begin.elapsed()
    });
}

#[test]
fn interrupt_and_stop_end_a_search_within_50_ms() {
    for word in ["# interrupt", "stop"] {
        let mut program = thinker();
        within(milliseconds(50), || {
            program.send("genmove b");
            std::thread::sleep(milliseconds(150));
            let begin = Instant::now();
            program.send(word);
            let response = program.response();
            let taken = begin.elapsed();
            assert!(response.starts_with("= "), "{response}");
            if word == "stop" {
                assert_eq!(program.response(), "=");
            }
            taken
        });
    }
}

#[test]
fn stop_ends_analysis_within_50_ms() {
    let mut program = thinker();
    within(milliseconds(50), || {
        program.send("1 kata-analyze b 1");
        assert_eq!(program.line().as_deref(), Some("=1"));
        std::thread::sleep(milliseconds(100));
        let begin = Instant::now();
        program.send("2 stop");
        while program.line().expect("an answer") != "=2" {}
        let taken = begin.elapsed();
        assert_eq!(program.line().as_deref(), Some(""));
        taken
    });
}

#[test]
fn quit_answers_and_ends_within_100_ms_whatever_runs() {
    for busy in ["genmove b", "kata-analyze b 10", "kata-genmove_analyze b 10", "estimate_score"] {
        within(milliseconds(100), || {
            let mut program = thinker();
            program.send(busy);
            std::thread::sleep(milliseconds(150));
            let begin = Instant::now();
            program.send("99 quit");
            while program.line().expect("an answer") != "=99" {}
            assert_eq!(program.line().as_deref(), Some(""), "{busy}");
            assert_eq!(program.line(), None, "{busy}");
            assert!(program.wait().success());
            begin.elapsed()
        });
    }
}

#[test]
fn quit_ends_pondering_within_100_ms() {
    within(milliseconds(100), || {
        let options = ["--playouts", "20", "--set", "search.ponder=true", "--memory", "64"];
        let mut program = Program::new(&options);
        program.expect_success("genmove b");
        let used = |program: &mut Program| -> f64 {
            program.expect_success("cputime").parse().expect("seconds")
        };
        let (before, begin) = (used(&mut program), Instant::now());
        while used(&mut program) < before + 0.02 {
            assert!(begin.elapsed() < PATIENCE, "it does not ponder");
            std::thread::sleep(milliseconds(100));
        }
        let begin = Instant::now();
        assert_eq!(program.ask("quit"), "=");
        assert!(program.wait().success());
        begin.elapsed()
    });
}

#[test]
fn pondering_ends_with_the_game() {
    for end in ["kgs-game_over", "cgos-gameover B+R", "stop", "clear_board", "undo"] {
        let options = ["--playouts", "20", "--set", "search.ponder=true", "--memory", "64"];
        let mut program = Program::new(&options);
        program.expect_success("genmove b");
        program.expect_success(end);
        rests(&mut program);
    }
}

/// Fails if the program uses the processor while nothing is asked of it.
fn rests(program: &mut Program) {
    within(milliseconds(15), || {
        let used = |program: &mut Program| {
            let time: f64 = program.expect_success("cputime").parse().expect("seconds");
            Duration::from_secs_f64(time)
        };
        let before = used(program);
        std::thread::sleep(milliseconds(400));
        used(program) - before
    });
}

#[test]
fn it_rests_when_there_is_nothing_to_do() {
    let mut program = Program::new(&["--playouts", "20", "--memory", "64"]);
    rests(&mut program);
    program.expect_success("genmove b");
    rests(&mut program);
}

#[test]
fn analysis_rests_when_it_knows_enough_and_the_answer_stays_open() {
    let options = ["--set", "analysis.max_visits=200", "--memory", "64"];
    let mut program = Program::new(&options);
    program.expect_success("boardsize 9");
    let cpu =
        |program: &mut Program| program.expect_success("cputime").parse::<f64>().expect("seconds");
    let before = cpu(&mut program);
    program.send("kata-analyze 10");
    assert_eq!(program.line().as_deref(), Some("="));
    let line = program.line().expect("an info line");
    assert!(line.starts_with("info move"), "{line}");
    std::thread::sleep(milliseconds(1000));
    program.send("name");
    loop {
        let line = program.line().expect("the end of the analysis");
        if line.is_empty() {
            break;
        }
        assert!(line.starts_with("info move"), "{line}");
    }
    assert_eq!(program.response(), "= tengen");
    let used = cpu(&mut program) - before;
    assert!(used < 0.5, "{used} s of processor time for 200 visits");
}

#[test]
fn the_end_of_the_input_ends_a_search_that_nobody_waits_for() {
    let mut program = thinker();
    program.send("genmove b");
    std::thread::sleep(milliseconds(200));
    let begin = Instant::now();
    program.close_input();
    let response = program.response();
    assert!(response.starts_with("= "), "{response}");
    assert_eq!(program.line(), None);
    assert!(program.wait().success());
    assert!(begin.elapsed() < PATIENCE / 2);
}

#[test]
fn a_quit_that_comes_with_the_command_does_not_cut_it_short() {
    let mut program = Program::new(&["--playouts", "3000", "--memory", "64", "--seed", "5"]);
    program.send_bytes(b"boardsize 9\ngenmove b\nquit\n");
    assert_eq!(program.response(), "=");
    program.response();
    assert_eq!(program.response(), "=");
    let line = program.error_line("playouts");
    let playouts: u64 =
        line.split("playouts ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(playouts > 500, "{line}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["--playouts", "10", "--memory", "16"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    for _ in 0..100 {
        if input.write_all(b"list_commands\n").is_err() {
            break;
        }
        std::thread::sleep(milliseconds(2));
    }
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_closed_pipe_ends_analysis() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["--memory", "16"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("tengen starts");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"kata-analyze 1\n").unwrap();
    let mut first = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut first).unwrap();
    drop(output);
    assert_eq!(first, "=\n");
    assert!(child.wait().expect("it ends by itself").success());
    drop(input);
}

#[test]
fn a_line_of_a_megabyte_gets_one_answer() {
    let mut program = Program::new(&["--playouts", "10", "--memory", "16"]);
    let long = "x".repeat(1 << 20);
    program.send(&format!("1 {long}"));
    assert_eq!(program.response(), "?1 unknown command");
    program.send(&format!("2 echo {long}"));
    assert_eq!(program.response().len(), "=2 ".len() + long.len());
    program.expect_success("boardsize 19");
    // A long game in one command.
    let moves = (0..1500).map(|i| if i % 2 == 0 { " B pass" } else { " W pass" });
    let sequence: String = moves.collect();
    program.expect_success(&format!("gogui-play_sequence{sequence}"));
    assert_eq!(program.expect_success("move_history").lines().count(), 1500);
}

#[test]
fn nothing_on_stderr_looks_like_a_response() {
    let mut program = Program::new(&["--playouts", "30", "--memory", "16", "--seed", "3"]);
    program.expect_success("boardsize 9");
    for _ in 0..10 {
        program.ask("genmove b");
        program.ask("genmove w");
    }
    program.ask("echo_err info play = ? A1 -> B2");
    program.ask("quit");
    let lines = program.error_lines();
    assert!(lines.len() > 10, "one line a move");
    for line in lines {
        assert!(!["=", "?", "info", "play"].iter().any(|word| line.starts_with(word)), "{line}");
        assert!(!line.contains(" -> "), "{line}");
        assert!(line.trim_end().len() < 300, "{line}");
    }
}

#[test]
fn bad_arguments_are_one_sentence_and_exit_code_2() {
    for (args, part) in [
        (&["--set", "search.threads=0"][..], "whole number from 1"),
        (&["--set", "nonsense=1"], "no parameter 'nonsense'"),
        (&["--set", "nonsense"], "name=value"),
        (&["--rules", "chess"], "chess"),
        (&["--params", "no-such-file"], "no-such-file"),
        (&["--level", "11"], "give 1 to 10"),
        (&["--rank", "26k"], "give 25k to 1k, 1d to 9d, or full"),
        (&["--playout", "magic"], "light"),
        (&["--log", "no/such/folder/log"], "no/such/folder/log"),
        (&["--model", "no-such-file"], "no-such-file"),
        (&["--model", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")], "not a tengen model"),
        (
            &["--model", concat!(env!("CARGO_MANIFEST_DIR"), "/patterns/playout.tgm")],
            "not a tengen",
        ),
        (&["analysis", "--model", "no-such-file"], "no-such-file"),
        (&["bench", "--model", "no-such-file"], "no-such-file"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(args)
            .stdin(Stdio::null())
            .output()
            .expect("tengen starts");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(part), "{args:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

/// The answer to a move with a fixed seed on 9x9, with its line on stderr.
fn a_move_with(args: &[&str]) -> (String, String) {
    let fixed = ["gtp", "--playouts", "200", "--memory", "16", "--seed", "4"];
    let mut program = Program::new(&[&fixed[..], args].concat());
    program.expect_success("boardsize 9");
    let answer = program.expect_success("genmove b");
    let line = program.error_line("winrate");
    (answer, line.split(" time ").next().unwrap().to_owned())
}

#[test]
fn a_model_file_replaces_the_built_in_one() {
    let file = |name: &str| format!("{}/patterns/{name}", env!("CARGO_MANIFEST_DIR"));
    let built_in = a_move_with(&[]);
    assert_eq!(a_move_with(&["--model", &file("tree9.tgm")]), built_in, "the same model");
    assert_ne!(a_move_with(&["--model", &file("tree19.tgm")]).1, built_in.1, "another model");
}

#[test]
fn the_log_holds_the_conversation() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("tengen.log");
    let log = log.to_str().unwrap();
    let mut program = Program::new(&["gtp", "--playouts", "10", "--memory", "16", "--log", log]);
    program.ask("7 boardsize 9");
    program.ask("genmove b");
    program.ask("quit");
    program.wait();
    let text = std::fs::read_to_string(log).expect("a log");
    for part in ["> 7 boardsize 9", "< =7", "> genmove b", "winrate", "> quit"] {
        assert!(text.contains(part), "'{part}' is not in the log:\n{text}");
    }
}
