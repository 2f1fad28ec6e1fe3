//! What a review says of a game: the one form from which the SGF, the page and `tengen web` are made.
//!
//! Values are from Black's side, so that a curve needs no turning. Points are written as GTP
//! vertices ("E5", "pass"), owners row by row from the top left.

use crate::frontend::gtp::info::{for_black, from_top_left, rounded, visited};
use crate::search::{Candidate, Report};
use crate::types::{Color, Point};
use serde::Serialize;

/// Moves of a variation that are told: further on, hardly anything was read.
const VARIATION: usize = 10;

/// A judged game.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// Board size.
    pub size: usize,
    /// Komi, handicap compensation included.
    pub komi: f32,
    /// The rules' name.
    pub rules: String,
    /// Black's name as the record has it, else "Black".
    pub black: String,
    /// White's name as the record has it, else "White".
    pub white: String,
    /// The result as the record has it, empty if it has none.
    pub result: String,
    /// Black's stones on the board before the first move, as vertices.
    pub black_setup: Vec<String>,
    /// White's stones on the board before the first move.
    pub white_setup: Vec<String>,
    /// The position before the first move, after it, ... after the last one: one more than moves.
    pub positions: Vec<JudgedPosition>,
    /// The moves of the main line.
    pub moves: Vec<JudgedMove>,
}

/// A judged position.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedPosition {
    /// "b" or "w".
    pub to_play: &'static str,
    /// Black's winning probability, 0 to 1.
    pub winrate: f64,
    /// Black's lead in points, komi included.
    pub lead: f64,
    /// Expected owner of every point, -1 (White) to 1 (Black), rounded to hundredths.
    pub owners: Vec<f32>,
    /// The best moves, best first.
    pub candidates: Vec<JudgedCandidate>,
}

impl JudgedPosition {
    /// What a search says of a position, with the best moves, so many at most.
    pub fn of(report: &Report, size: usize, most: usize) -> JudgedPosition {
        let (winrate, lead) = for_black(report);
        let sign = f64::from(report.to_play.sign());
        let candidate = |candidate: &Candidate| JudgedCandidate {
            vertex: candidate.point.to_string(),
            visits: candidate.visits,
            winrate: rounded(0.5 + sign * (candidate.winrate - 0.5), 1000.0),
            lead: rounded(sign * candidate.score, 10.0),
            variation: candidate.variation.iter().take(VARIATION).map(Point::to_string).collect(),
        };
        let owner = |point| rounded(f64::from(report.ownership[point]), 100.0) as f32;
        JudgedPosition {
            to_play: letter(report.to_play),
            winrate: rounded(winrate, 1000.0),
            lead: rounded(lead, 10.0),
            owners: from_top_left(size).map(owner).collect(),
            candidates: visited(report).take(most).map(candidate).collect(),
        }
    }
}

pub(super) fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

/// A move that was considered.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedCandidate {
    /// The move.
    pub vertex: String,
    /// Visits.
    pub visits: u64,
    /// Black's winning probability after it.
    pub winrate: f64,
    /// Black's lead after it.
    pub lead: f64,
    /// The expected continuation, this move first.
    pub variation: Vec<String>,
}

/// A judged move.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedMove {
    /// "b" or "w".
    pub color: &'static str,
    /// The move.
    pub vertex: String,
    /// Points that it cost its player, 0 or more.
    pub points_lost: f64,
    /// Winning probability that it cost its player, 0 or more.
    pub winrate_lost: f64,
    /// What it is called.
    pub verdict: Verdict,
    /// Why: a sentence for people (what was better, points lost, which stones or area changed hands); empty for good moves.
    pub reason: String,
    /// Points whose owner it changed by more than one half, as vertices.
    pub changed_hands: Vec<String>,
}

/// What a move is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The best move or about as good.
    Good,
    /// It cost something.
    Inaccuracy,
    /// It cost a lot.
    Mistake,
    /// It may have cost the game.
    Blunder,
}
