//! From a record to a [`Review`].

use super::judgement::{JudgedMove, JudgedPosition, Review, Verdict, letter};
use super::positions::{DEFAULT_TIME, Plan, judging_params};
use super::reason::{changed_hands, reason};
use super::verdict::Evidence;
use crate::frontend::gtp::info::rounded;
use crate::game::sgf::{Action, Record};
use crate::game::{Game, ReplayError, Rules};
use crate::params::{Overrides, Params, Threads};
use crate::search::{Interrupt, Report};
use crate::types::{Color, Point};
use thiserror::Error;

/// The longest game that is reviewed.
pub const MAX_MOVES: usize = 2000;
/// Moves of a position that are told.
const CANDIDATES: usize = 5;

/// How a game is judged.
#[derive(Clone, Debug)]
pub struct ReviewSettings {
    /// The rules if the record names none that are known.
    pub rules: Rules,
    /// Komi instead of the record's.
    pub komi: Option<f32>,
    /// Seconds of one thread for a position.
    pub time: f64,
    /// Playouts for a position, instead of time.
    pub playouts: Option<u64>,
    /// Threads, each with a position of its own.
    pub threads: Threads,
    /// Parameters of the search.
    pub overrides: Overrides,
}

impl Default for ReviewSettings {
    fn default() -> ReviewSettings {
        ReviewSettings {
            rules: Rules::default(),
            komi: None,
            time: DEFAULT_TIME,
            playouts: None,
            threads: Threads::Auto,
            overrides: Overrides::default(),
        }
    }
}

impl ReviewSettings {
    /// The parameters of one of so many threads: a search of its own with its share of the memory.
    fn params_of_one(&self, threads: usize, size: usize) -> Params {
        let mut overrides = self.overrides.clone();
        overrides.settle_seed();
        let mut params = judging_params(&overrides, size);
        params.search.memory = (params.search.memory / threads.max(1) as u64).max(1);
        params
    }
}

/// Why a game cannot be judged. Each message is one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReviewError {
    /// The record cannot be replayed.
    #[error("the game cannot be played: {0}")]
    Replay(#[from] ReplayError),
    /// There is nothing to judge.
    #[error("the game has no moves; give a record with moves")]
    NoMoves,
    /// There is too much to judge.
    #[error("the game has {0} moves, a review takes at most {MAX_MOVES}")]
    TooLong(usize),
    /// Whoever asked for it does not want it any more.
    #[error("interrupted")]
    Interrupted,
}

/// Judges every move of a game. `progress` hears how many of how many positions are done.
pub fn judge(
    record: &Record,
    settings: &ReviewSettings,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, ReviewError> {
    let count = record.moves().count();
    if count > MAX_MOVES {
        return Err(ReviewError::TooLong(count));
    }
    let record = main_stretch(record);
    let rules = record.rule_set().unwrap_or(settings.rules);
    let mut game = Game::from_record(&record, rules, None)?;
    if let Some(komi) = settings.komi {
        game.set_komi(komi);
    }
    if game.moves().is_empty() {
        return Err(ReviewError::NoMoves);
    }
    let threads = settings.threads.count();
    let params = settings.params_of_one(threads, game.size());
    let limit = Plan::limit(settings.time, settings.playouts);
    let plan = Plan { game: &game, params: &params, limit, threads };
    let reports = plan.search(interrupt, progress).ok_or(ReviewError::Interrupted)?;
    Ok(put_together(&record, &game, &reports))
}

/// The record with its longest stretch of moves without setup stones in between: a review is of one
/// game, and what was set up after its end or before its begin is not played.
pub fn main_stretch(record: &Record) -> Record {
    let (mut best, mut plays, mut end) = (0, 0, 0);
    for (index, step) in record.steps.iter().enumerate() {
        match step.action {
            Action::Play(_) => plays += 1,
            Action::Setup { .. } => plays = 0,
        }
        if plays > best {
            (best, end) = (plays, index + 1);
        }
    }
    let mut record = record.clone();
    record.steps.truncate(end);
    record
}

fn put_together(record: &Record, game: &Game, reports: &[Report]) -> Review {
    let start = game.start();
    let setup = |color: Color| {
        let stones = start.points().filter(|&point| start.is_stone(point, color));
        stones.map(|point| point.to_string()).collect()
    };
    let name = |name: &Option<String>, color: &str| match name.as_deref().map(str::trim) {
        None | Some("") => color.to_owned(),
        Some(name) => name.to_owned(),
    };
    let mut board = Game::from_board(start.clone(), Rules::JAPANESE); // repetitions are history
    let mut moves = Vec::with_capacity(game.moves().len());
    let played_out = game.moves().iter().rposition(|play| !play.point.is_pass());
    for (index, (&play, pair)) in game.moves().iter().zip(reports.windows(2)).enumerate() {
        let [before, after] = pair else { continue };
        let loss = Evidence::of(before, play.point, after).loss();
        let mut verdict = loss.verdict(game.size());
        // The passes that end a game: what they seem to cost is noise, unless it is very much.
        if played_out.is_some_and(|last| index > last) && verdict != Verdict::Blunder {
            verdict = Verdict::Good;
        }
        let changed = match verdict {
            Verdict::Good => Vec::new(),
            _ => changed_hands(before, after, game.size()),
        };
        let reason = match verdict {
            Verdict::Good => String::new(),
            _ => reason(board.board(), before, play, loss, &changed),
        };
        moves.push(JudgedMove {
            color: letter(play.color),
            vertex: play.point.to_string(),
            points_lost: rounded(loss.points, 10.0),
            winrate_lost: rounded(loss.winrate, 1000.0),
            verdict,
            reason,
            changed_hands: changed.iter().map(Point::to_string).collect(),
        });
        // It was legal when the record was replayed.
        let _ = board.play(play);
    }
    let position = |report: &Report| JudgedPosition::of(report, game.size(), CANDIDATES);
    Review {
        size: game.size(),
        komi: game.total_komi(),
        rules: game.rules().name().to_owned(),
        black: name(&record.black_name, "Black"),
        white: name(&record.white_name, "White"),
        result: record.result.clone().unwrap_or_default(),
        black_setup: setup(Color::Black),
        white_setup: setup(Color::White),
        positions: reports.iter().map(position).collect(),
        moves,
    }
}
