//! Real games against the clock at absurd settings: the limit is never overstepped, as a controller
//! measures it, from sending the command to reading the answer.
//!
//! With `TENGEN_CLOCK_LOAD=2` two busy threads load the machine meanwhile.

use crate::harness;

use harness::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn start(settings: &str) -> Program {
    let mut program = Program::new(&["--memory", "64", "--no-resign"]);
    program.expect_success("boardsize 9");
    program.expect_success(settings);
    program.expect_success("clear_board");
    program
}

/// How long a move takes; None when both have passed.
fn moves(program: &mut Program, count: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut passes = 0;
    for number in 0..count {
        let color = ["b", "w"][number % 2];
        let begin = Instant::now();
        let answer = program.expect_success(&format!("genmove {color}"));
        times.push(begin.elapsed());
        passes = if answer == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
    }
    times
}

/// The times of one colour.
fn of_color(times: &[Duration], color: usize) -> impl Iterator<Item = Duration> + '_ {
    times.iter().skip(color).step_by(2).copied()
}

fn under_load(test: impl FnOnce()) {
    let load = std::env::var("TENGEN_CLOCK_LOAD").ok().and_then(|text| text.parse().ok());
    let over = Arc::new(AtomicBool::new(false));
    for _ in 0..load.unwrap_or(0) {
        let over = Arc::clone(&over);
        std::thread::spawn(move || while !over.load(Ordering::Relaxed) {});
    }
    test();
    over.store(true, Ordering::Relaxed);
}

#[test]
fn absurd_clocks_are_kept() {
    under_load(|| {
        half_a_second_a_game();
        a_second_a_move();
        five_moves_in_a_second();
        fischer();
    });
}

fn half_a_second_a_game() {
    let mut program = start("kata-time_settings absolute 0.5");
    let times = moves(&mut program, 200);
    // What the moves cost when nothing is thought about them.
    let mut thoughtless = Program::new(&["--playouts", "1", "--memory", "64", "--no-resign"]);
    thoughtless.expect_success("boardsize 9");
    let idle: Duration = moves(&mut thoughtless, times.len()).iter().sum();
    for color in 0..2 {
        let total: Duration = of_color(&times, color).sum();
        println!("half a second a game: {total:?} for {} moves", times.len() / 2);
        if idle > Duration::from_millis(200) {
            println!("not judged: waiting for a processor alone takes {idle:?} a game here");
        } else {
            assert!(total < Duration::from_millis(500), "{total:?}");
        }
    }
}

fn a_second_a_move() {
    let mut program = start("kgs-time_settings byoyomi 0 1 1");
    let longest = moves(&mut program, 8).into_iter().max().unwrap_or_default();
    println!("a second a move: the longest took {longest:?}");
    assert!(longest < Duration::from_secs(1), "{longest:?}");
}

fn five_moves_in_a_second() {
    let mut program = start("time_settings 0 1 5");
    let times = moves(&mut program, 30);
    for color in 0..2 {
        let of_color: Vec<Duration> = of_color(&times, color).collect();
        for period in of_color.chunks(5) {
            let total: Duration = period.iter().sum();
            println!("five moves in a second: {total:?}");
            assert!(total < Duration::from_secs(1), "{period:?}");
        }
    }
}

fn fischer() {
    let mut program = start("kata-time_settings fischer 0.2 0.2");
    let times = moves(&mut program, 30);
    for color in 0..2 {
        let mut bank = Duration::from_millis(200);
        let mut least = bank;
        for time in of_color(&times, color) {
            assert!(time < bank, "{time:?} of {bank:?}");
            least = least.min(bank - time);
            bank = bank - time + Duration::from_millis(200);
        }
        println!("Fischer 0.2 + 0.2: never less than {least:?} left");
    }
}

#[test]
fn counting_in_a_game_keeps_to_the_clock() {
    // So many playouts take a minute at least.
    let mut program = Program::new(&["--memory", "64", "--set", "status.playouts=1000000"]);
    program.expect_success("kata-time_settings absolute 2");
    for command in ["final_score", "final_status_list dead", "final_status D4"] {
        program.expect_success("clear_board");
        program.expect_success("play b D4");
        let begin = Instant::now();
        program.expect_success(command);
        let taken = begin.elapsed();
        println!("{command}: {taken:?}");
        assert!(taken < Duration::from_secs(2), "{command}: {taken:?}");
    }
}
