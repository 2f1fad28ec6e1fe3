//! Makes the two small suites of this folder: games of tengen with itself from fixed seeds, judged by
//! tengen with many more playouts. `tests/data/README.md` says what they are good for.
//!
//! ```text
//! cargo run --release --example make_suites -- tests/data
//! ```

use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;
use tengen::engine::{Choice, Engine};
use tengen::game::{Game, Rules};
use tengen::params::Overrides;
use tengen::search::{Interrupt, Limit, Report, Request};
use tengen::types::{Color, Move, Point, points};

const SIZE: usize = 9;
const GAMES: u64 = 10;
/// Playouts a move of the games: few, so that positions differ and mistakes are made.
const GAME_PLAYOUTS: u64 = 150;
/// Playouts of the judgement of a position.
const POSITION_PLAYOUTS: u64 = 20_000;
/// Playouts of the judgement after a move that the search of the position liked, and their number.
const LIKED_PLAYOUTS: u64 = 5_000;
const LIKED: usize = 10;
/// Playouts of the judgement after any other move.
const OTHER_PLAYOUTS: u64 = 500;

fn engine(seed: u64) -> Engine {
    let mut overrides = Overrides::default();
    let settings = "search.threads=1\nsearch.memory=256\nresign.enabled=false\n";
    overrides.add_file(&format!("{settings}search.seed={seed}")).expect("parameters");
    Engine::new(overrides)
}

fn request(playouts: u64) -> Request {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    Request { limit, exhaustive: true, ..Request::default() }
}

fn game_of(moves: &[Move]) -> Game {
    let mut game = Game::new(SIZE, Rules::default());
    moves.iter().for_each(|&play| game.play(play).expect("a legal move"));
    game
}

/// A game of tengen with itself, up to the first pass.
fn play(seed: u64) -> Vec<Move> {
    let mut engine = engine(seed);
    engine.set_game(game_of(&[]));
    loop {
        let color = engine.game().board().to_play();
        let request = request(GAME_PLAYOUTS);
        let decision = engine.generate(color, &request, &Interrupt::default(), &mut |_| ());
        match decision.choice {
            Choice::Play(point) if !point.is_pass() => {
                engine.play(Move::new(color, point)).expect("a legal move");
            }
            _ => return engine.game().moves().to_vec(),
        }
    }
}

/// What a search thinks of a position.
fn judge(moves: &[Move], playouts: u64) -> Report {
    let mut engine = engine(1);
    engine.set_game(game_of(moves));
    let color = engine.game().board().to_play();
    engine.analyze(color, &request(playouts), &Interrupt::default(), &mut |_| ())
}

/// Winrate and lead of Black.
fn for_black(report: &Report) -> (f64, f64) {
    match report.to_play {
        Color::Black => (report.winrate, report.score),
        Color::White => (1.0 - report.winrate, -report.score),
    }
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// The fields of a position, without a judgement.
fn position(moves: &[Move]) -> Map<String, Value> {
    let game = game_of(moves);
    let vertices: Vec<String> = moves.iter().map(|play| play.point.to_string()).collect();
    let to_play = game.board().to_play().letter().to_string();
    let fields = json!({
        "size": SIZE, "komi": game.komi(), "moves": vertices.join(" "), "first": "B", "to_play": to_play,
    });
    fields.as_object().cloned().unwrap_or_default()
}

/// A position for `tengen calibrate`: winrate and ownership.
fn label(moves: &[Move]) -> Value {
    let report = judge(moves, POSITION_PLAYOUTS);
    let letter = |row: usize, column: usize| {
        let owner = f64::from(report.ownership[Point::new(column, row)]);
        char::from((f64::from(b'M') + 12.0 * owner).round().clamp(65.0, 89.0) as u8)
    };
    let rows = (1..=SIZE).rev();
    let ownership: String = rows
        .flat_map(|row| (1..=SIZE).map(move |column| (row, column)))
        .map(|(row, column)| letter(row, column))
        .collect();
    let mut fields = position(moves);
    fields.insert("winrate".to_owned(), json!(rounded(for_black(&report).0, 4)));
    fields.insert("ownership".to_owned(), json!(ownership));
    Value::Object(fields)
}

/// A position for `tengen quality`: lead and winrate after every move.
fn choices(moves: &[Move]) -> Value {
    let liked: Vec<Point> = judge(moves, POSITION_PLAYOUTS)
        .candidates
        .iter()
        .take(LIKED)
        .map(|candidate| candidate.point)
        .collect();
    let game = game_of(moves);
    let color = game.board().to_play();
    let mut after = Map::new();
    for point in points(SIZE).chain([Point::PASS]) {
        let play = Move::new(color, point);
        if game.clone().play(play).is_err() {
            continue;
        }
        let playouts = if liked.contains(&point) { LIKED_PLAYOUTS } else { OTHER_PLAYOUTS };
        let (winrate, lead) = for_black(&judge(&[moves, &[play]].concat(), playouts));
        after.insert(point.to_string(), json!([rounded(lead, 2), rounded(winrate, 4)]));
    }
    let mut fields = position(moves);
    fields.insert("after".to_owned(), Value::Object(after));
    Value::Object(fields)
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "tests/data".to_owned());
    let create = |name: &str| std::fs::File::create(Path::new(&folder).join(name));
    let (mut labels, mut quality) = (create("labels9.jsonl")?, create("quality9.jsonl")?);
    for seed in 1..=GAMES {
        let moves = play(seed);
        // Three positions a game to choose a move in, eight to judge, at other moves in every game.
        let shift = seed as usize % 5;
        for at in [5, 16, 27].map(|at| at + shift).into_iter().filter(|&at| at < moves.len()) {
            writeln!(quality, "{}", choices(&moves[..at]))?;
        }
        for at in (0..8).map(|step| 3 + shift + 5 * step).filter(|&at| at < moves.len()) {
            writeln!(labels, "{}", label(&moves[..at]))?;
        }
        eprintln!("game {seed} of {GAMES}: {} moves", moves.len());
    }
    Ok(())
}
