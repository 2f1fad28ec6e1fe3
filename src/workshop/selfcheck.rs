//! `tengen selfcheck`: does this build work on this machine?
//!
//! For users who built or downloaded the program, and for packagers: a few seconds, nothing to
//! install, one line for each part from the models to a conversation in GTP. The tests know much
//! more; this runs where they are not.

use crate::board::Board;
use crate::board::naive::NaiveBoard;
use crate::frontend::gtp::input::Inbox;
use crate::frontend::gtp::output::Output;
use crate::frontend::gtp::session::{Session, Settings};
use crate::game::KoRule;
use crate::knowledge::check_embedded;
use crate::knowledge::net::{Evaluator, Network, reference};
use crate::logging::{Chatter, Kept};
use crate::types::{Point, Rng, points};
use crate::workshop::bench::{search_speed, visits_of_a_search};
use crate::workshop::perft::{Dimensions, Variant};
use serde::Serialize;
use std::io::{self, Write};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// `tengen selfcheck`: a quick check that this build works on this machine.
#[derive(clap::Args, Debug)]
pub struct SelfcheckArgs {
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

/// What is right, or what is wrong, as a phrase.
type Outcome = Result<String, String>;
/// A check and its name.
type Check = (&'static str, fn() -> Outcome);

/// Every check by name, the parts that others build on first.
const CHECKS: [Check; 7] = [
    ("models", models),
    ("network", network),
    ("perft", perft),
    ("board", board),
    ("search", search),
    ("speed", speed),
    ("gtp", gtp),
];

/// One line of the report.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    ok: bool,
    detail: String,
    seconds: f64,
}

/// Runs `tengen selfcheck`; if something is wrong the exit code is 1.
pub fn run(args: &SelfcheckArgs) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for (name, check) in CHECKS {
        let line = make_line(name, check);
        if !args.json {
            let word = if line.ok { "ok" } else { "FAILED" };
            writeln!(io::stdout(), "{name}: {word}, {} ({:.1} s)", line.detail, line.seconds)?;
        }
        lines.push(line);
    }
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&lines)?)?;
    }
    if lines.iter().any(|line| !line.ok) {
        std::process::exit(1);
    }
    Ok(())
}

/// Runs a check. A panic is a failure like any other.
fn make_line(name: &'static str, check: fn() -> Outcome) -> Line {
    let begin = Instant::now();
    let outcome = catch_unwind(check).unwrap_or_else(|_| Err("it panicked".to_owned()));
    let ok = outcome.is_ok();
    let (Ok(detail) | Err(detail)) = outcome;
    Line { name, ok, detail, seconds: begin.elapsed().as_secs_f64() }
}

fn models() -> Outcome {
    let bytes = check_embedded().map_err(|error| error.to_string())?;
    Ok(format!("all built-in models are whole, {:.1} MB", bytes as f64 / 1e6))
}

/// Points that the rounding of products to 16 bits may cost on a random position: some hundredths, where a kernel that
/// this processor gets wrong is points away.
const MOST_ROUNDING: f32 = 0.25;

fn network() -> Outcome {
    let network = Network::embedded(9).ok_or("there is no network for 9x9")?;
    let mut evaluator = Evaluator::new(network.shape(), 9);
    let mut board = Board::new(9);
    let mut rng = Rng::new(1);
    for turn in 0..60 {
        let judged = evaluator.judge(&network, &board, None).ok_or("it does not judge 9x9")?;
        if turn % 20 == 0 {
            let plain = reference::judge(&network, &board, None);
            let difference =
                (judged.lead - plain.lead).abs().max((judged.spread - plain.spread).abs());
            if difference > MOST_ROUNDING {
                return Err(format!("it is {difference} points off the plain computation"));
            }
        }
        let empty = board.empty_points();
        let point = empty[rng.below(empty.len() as u32) as usize];
        let legal = board.is_legal(board.to_play(), point);
        board.play_legal(if legal { point } else { Point::PASS });
    }
    let begin = Instant::now();
    for _ in 0..100 {
        std::hint::black_box(evaluator.judge(&network, &board, None));
    }
    let each = begin.elapsed().as_secs_f64() * 1e4;
    Ok(match evaluator.is_fast() {
        true => format!("it judges as the plain computation does, in {each:.0} microseconds"),
        false => "this processor has no AVX2 or NEON, so the engine plays without it".to_owned(),
    })
}

/// Published numbers of sequences: size, ko rule, depth, count.
const PERFT: [(usize, KoRule, usize, u64); 3] = [
    (2, KoRule::Positional, 12, 32),
    (3, KoRule::Positional, 8, 342_528),
    (5, KoRule::Simple, 4, 303_424),
];

fn perft() -> Outcome {
    let mut sum = 0;
    for (size, ko, depth, expected) in PERFT {
        let dimensions = Dimensions { width: size, height: size };
        let count = Variant { dimensions, ko, suicide: false }.count(depth);
        if count != expected {
            return Err(format!(
                "{count} sequences of {depth} stones on {size}x{size}, {expected} expected"
            ));
        }
        sum += count;
    }
    Ok(format!("{sum} sequences of stones as published"))
}

fn board() -> Outcome {
    let (mut games, mut moves) = (0, 0);
    for size in [5, 9, 19] {
        for seed in 0..if size == 19 { 2 } else { 20 } {
            moves += compare(size, seed).map_err(|at| {
                format!("differs from the naive board on {size}x{size}, seed {seed}, move {at}")
            })?;
            games += 1;
        }
    }
    Ok(format!("{games} random games, {moves} moves as on the naive board"))
}

/// Plays a random game on both boards; gives the number of moves, or of the move after which the
/// boards differ.
fn compare(size: usize, seed: u64) -> Result<usize, usize> {
    let mut rng = Rng::stream(seed, size);
    let all: Vec<Point> = points(size).collect();
    let mut fast = Board::new(size);
    let mut naive = NaiveBoard::new(size, size, false);
    let length = 2 * size * size;
    for number in 1..=length {
        let color = fast.to_play();
        let legal: Vec<usize> =
            (0..all.len()).filter(|&at| fast.is_legal(color, all[at])).collect();
        let play = match legal.len() {
            0 => Point::PASS,
            count => {
                let at = legal[rng.below(count as u32) as usize];
                naive = naive.play(color, at).ok_or(number)?;
                all[at]
            }
        };
        if play.is_pass() {
            naive = naive.pass();
        }
        fast.play_legal(play);
        let next = fast.to_play();
        let same = |at: usize| {
            let (legal, stone) = (fast.is_legal(next, all[at]), naive.stone(at));
            // To play on the naive board is slow, so not every move is tried at every turn.
            let tried = (at + number).is_multiple_of(8);
            fast.cell(all[at]).color() == stone
                && (!tried || legal == naive.play(next, at).is_some())
        };
        if fast.check().is_err() || !(0..all.len()).all(same) {
            return Err(number);
        }
    }
    Ok(length)
}

/// Playouts of each search whose visits are compared.
const PLAYOUTS: u64 = 150;

fn search() -> Outcome {
    let [first, second] = [0, 1].map(|_| visits_of_a_search(PLAYOUTS));
    if first != second {
        return Err(format!("the same search twice gave {first} and {second}"));
    }
    Ok(format!("the same search twice gave the same visits, number {first}"))
}

fn speed() -> Outcome {
    let time = Duration::from_millis(600);
    let speeds = [9, 19].map(|size| (size, search_speed(size, time)));
    if let Some((size, _)) = speeds.iter().find(|(_, speed)| *speed < 1.0) {
        return Err(format!("less than one playout a second on {size}x{size}"));
    }
    let [nine, large] = speeds.map(|(size, speed)| format!("{speed:.0} on {size}x{size}"));
    Ok(format!("playouts/s on one thread: {nine}, {large}"))
}

/// A short game on 5x5 that Black owns by the middle row, and what must be answered.
const CONVERSATION: &str = "1 protocol_version\n\
    2 boardsize 5\n\
    3 komi 0.5\n\
    4 gogui-play_sequence b a3 w a2 b b3 w b2 b c3 w c2 b d3 w d2 b e3 w e2\n\
    5 final_score\n\
    6 play b a3\n\
    7 clear_board\n\
    8 genmove b\n\
    9 quit\n";
const ANSWERS: [&str; 9] =
    ["=1 2", "=2", "=3", "=4", "=5 B+4.5", "?6 illegal move", "=7", "=8 ", "=9"];

fn gtp() -> Outcome {
    let mut settings = Settings::default();
    settings
        .overrides
        .add_file("search.playouts=200\nsearch.memory=16\nsearch.threads=1\nsearch.seed=1")
        .map_err(|(_, error)| error.to_string())?;
    let sink = Kept::default();
    let output = Output::new(Box::new(sink.clone()));
    let inbox = Inbox::read(CONVERSATION.as_bytes());
    Session::new(settings, inbox, output, Chatter::silent()).run();
    let text = sink.text();
    let responses: Vec<&str> = text.split_terminator("\n\n").collect();
    if responses.len() != ANSWERS.len() {
        return Err(format!("{} commands got {} answers", ANSWERS.len(), responses.len()));
    }
    for (response, expected) in responses.iter().zip(ANSWERS) {
        let right = match expected.strip_suffix(' ') {
            Some(start) => response.strip_prefix(start).is_some_and(is_vertex),
            None => *response == expected,
        };
        if !right {
            return Err(format!("'{response}' is answered where '{expected}' belongs"));
        }
    }
    Ok(format!("{} commands answered as they should be", ANSWERS.len()))
}

/// Is this a point of the 5x5 board?
fn is_vertex(text: &str) -> bool {
    Point::parse_gtp(text.trim(), 5).is_ok_and(|point| point.is_on_board(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_passes_here() {
        for (name, check) in CHECKS {
            let line = make_line(name, check);
            assert!(line.ok, "{name}: {}", line.detail);
            assert!(!line.detail.is_empty() && !line.detail.contains('\n'));
        }
    }

    #[test]
    fn failures_and_panics_are_told() {
        let failed = make_line("x", || Err("broken".to_owned()));
        assert_eq!((failed.ok, failed.detail.as_str()), (false, "broken"));
        let panicked = make_line("x", || panic!("on purpose"));
        assert_eq!((panicked.ok, panicked.detail.as_str()), (false, "it panicked"));
    }
}
