//! What a search tells about a position.

use crate::types::{Color, Point, PointMap};
use std::time::Duration;

/// The state of a search, finished or running. Values are from the side of `to_play`.
#[derive(Clone, Debug)]
pub struct Report {
    /// The player to move at the root.
    pub to_play: Color,
    /// Playouts that passed through the root, those kept from earlier searches included.
    pub visits: u64,
    /// Playouts of this search.
    pub playouts: u64,
    /// Time of this search.
    pub elapsed: Duration,
    /// Winning probability at the true komi.
    pub winrate: f64,
    /// Mean score of the playouts at the true komi.
    pub score: f64,
    /// Standard deviation of the score of one playout.
    pub score_deviation: f64,
    /// Komi that the search used beyond the true one (dynamic komi), from Black's side.
    pub extra_komi: f64,
    /// The moves at the root, best first.
    pub candidates: Vec<Candidate>,
    /// Who owns each point at the end of the playouts, -1 to 1 from Black's side.
    pub ownership: PointMap<f32>,
    /// How much owning a point goes with winning, -1 to 1.
    pub criticality: PointMap<f32>,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move.
    pub point: Point,
    /// Visits.
    pub visits: u64,
    /// Winning probability.
    pub winrate: f64,
    /// Lower confidence bound of the winning probability.
    pub lower_bound: f64,
    /// Mean score.
    pub score: f64,
    /// Prior probability of the move, by the learned model or the playout knowledge.
    pub prior: f64,
    /// RAVE visits.
    pub rave_visits: f64,
    /// RAVE value.
    pub rave_winrate: f64,
    /// The expected continuation, this move first.
    pub variation: Vec<Point>,
}

impl Report {
    /// The best move with its continuation, empty before the first playout.
    pub fn variation(&self) -> &[Point] {
        self.candidates.first().map_or(&[], |best| &best.variation)
    }
}
