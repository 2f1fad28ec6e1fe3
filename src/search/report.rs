//! What a search tells about a position.

use super::Task;
use super::stats::Totals;
use super::tree::Tree;
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

/// Moves shown of an expected continuation.
const VARIATION_LENGTH: usize = 16;

/// Describes a tree and the results so far.
pub(super) fn make(tree: &Tree, task: &Task, totals: &Totals, playouts: u64) -> Report {
    let (game, banned) = (task.game, &task.banned);
    let to_play = game.board().to_play();
    let sign = f64::from(to_play.sign());
    let komi = f64::from(game.total_komi());
    let root = tree.root();
    // The tree counts at the shifted komi and with the score term; the playouts of this search are
    // known at the true komi. The difference between the two corrects every move's value.
    let shift = match totals.playouts {
        0 => 0.0,
        _ => totals.result(to_play).0 - (1.0 - root.value()),
    };
    let children = tree.arena.children(root).iter().filter(|child| !banned[child.point()]);
    let mut candidates: Vec<Candidate> = children
        .map(|child| {
            let visits = u64::from(child.visits());
            let winrate = (child.value() + shift).clamp(0.0, 1.0);
            let spread = (winrate * (1.0 - winrate) / visits.max(1) as f64).sqrt();
            let (rave_visits, rave_wins) = child.rave();
            let mut variation = vec![child.point()];
            variation.extend(tree.variation(child, VARIATION_LENGTH));
            Candidate {
                point: child.point(),
                visits,
                winrate,
                lower_bound: if visits == 0 { 0.0 } else { (winrate - 1.96 * spread).max(0.0) },
                score: if visits == 0 { 0.0 } else { (child.mean_score() - komi) * sign },
                prior: f64::from(child.probability()),
                rave_visits: f64::from(rave_visits),
                rave_winrate: f64::from(rave_wins / rave_visits.max(1e-6)),
                variation,
            }
        })
        .collect();
    candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| b.prior.total_cmp(&a.prior)));
    let mut ownership = PointMap::filled(0.0);
    let mut criticality = PointMap::filled(0.0);
    for point in game.board().points() {
        ownership[point] = totals.ownership(point);
        criticality[point] = totals.criticality(point);
    }
    let best = candidates.first().filter(|best| best.visits > 0);
    let (winrate, score) = best.map_or((0.5, 0.0), |best| (best.winrate, best.score));
    Report {
        to_play,
        visits: u64::from(root.visits()),
        playouts,
        elapsed: task.begin.elapsed(),
        winrate,
        score,
        score_deviation: totals.score_deviation(),
        extra_komi: 0.0,
        candidates,
        ownership,
        criticality,
    }
}
