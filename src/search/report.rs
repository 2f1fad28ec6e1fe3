//! What a search tells about a position.
//!
//! There are two readings. What the search counted is what the engine decides by. What people and
//! their programs get to see is [`Report::shown`]: a move that was tried once has a win rate of 0 or
//! 100 %, which is no judgement, so values lean on those of the position by the visits behind them.

use super::Task;
use super::owners::PointOwners;
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
    /// Mean score of the playouts at the true komi, leaning on the network's lead where there is one.
    pub score: f64,
    /// Standard deviation of the score of one playout.
    pub score_deviation: f64,
    /// Komi that the search used beyond the true one (dynamic komi), from Black's side.
    pub extra_komi: f64,
    /// The moves at the root, best first.
    pub candidates: Vec<Candidate>,
    /// Who owns each point at the end of the playouts, -1 to 1 from Black's side, leaning on the network
    /// where there is one.
    pub ownership: PointMap<f32>,
    /// Standard deviation of the owner of each point in one playout.
    pub ownership_deviation: PointMap<f32>,
    /// How much owning a point goes with winning, -1 to 1.
    pub criticality: PointMap<f32>,
}

/// A move at the root.
#[derive(Clone, Debug, Default)]
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
    /// The visits of every move of it.
    pub variation_visits: Vec<u64>,
    /// Who owns the points after this move, if the request asked for it. With few playouts it
    /// leans on the owners before the move.
    pub owners: Option<Box<PointOwners>>,
}

/// Visits of a move at which its own value and the position's weigh the same in what is shown.
/// Against searches of 600 playouts for one move alone, the values after 400 playouts for all of
/// them are off by 0.235 (9x9, 243 moves) and 0.218 (19x19, 52 moves) as counted, by 0.146 and
/// 0.072 with 5 here, 0.155 and 0.048 with 15, 0.166 and 0.037 with 50.
const BELIEF: f64 = 15.0;
/// Visits of an even game that the position's own value begins with in what is shown.
const EVEN: f64 = 2.0;

/// An estimate from so many visits, leaning on another.
fn lean(own: f64, visits: f64, other: f64) -> f64 {
    other + (own - other) * visits / (visits + BELIEF)
}

impl Report {
    /// The best move with its continuation, empty before the first playout.
    pub fn variation(&self) -> &[Point] {
        self.candidates.first().map_or(&[], |best| &best.variation)
    }

    /// A report before any playout.
    pub fn empty(to_play: Color) -> Report {
        Report {
            to_play,
            visits: 0,
            playouts: 0,
            elapsed: Duration::ZERO,
            winrate: 0.5,
            score: 0.0,
            score_deviation: 0.0,
            extra_komi: 0.0,
            candidates: Vec::new(),
            ownership: PointMap::filled(0.0),
            ownership_deviation: PointMap::filled(0.0),
            criticality: PointMap::filled(0.0),
        }
    }

    /// The report as it is shown: values of moves with few visits lean on the position's, which
    /// itself begins as an even game. The order of the moves stays the search's own. Nothing that
    /// the engine decides may rest on these values: they say less than was counted.
    pub fn shown(mut self) -> Report {
        let visits: f64 = self.candidates.iter().map(|candidate| candidate.visits as f64).sum();
        let mean = |even: f64, value: fn(&Candidate) -> f64| {
            let sum: f64 = self.candidates.iter().map(|c| c.visits as f64 * value(c)).sum();
            (sum + EVEN * even) / (visits + EVEN)
        };
        let (winrate, score) = (mean(0.5, |c| c.winrate), mean(0.0, |c| c.score));
        for candidate in &mut self.candidates {
            let visits = candidate.visits as f64;
            candidate.winrate = lean(candidate.winrate, visits, winrate);
            candidate.score = lean(candidate.score, visits, score);
            candidate.lower_bound = lower_bound(candidate.winrate, candidate.visits);
            candidate.rave_winrate = lean(candidate.rave_winrate, candidate.rave_visits, winrate);
        }
        if let Some(best) = self.candidates.first().filter(|best| best.visits > 0) {
            (self.winrate, self.score) = (best.winrate, best.score);
        }
        self
    }
}

/// The lower end of the 95 % interval of a win rate.
fn lower_bound(winrate: f64, visits: u64) -> f64 {
    match visits {
        0 => 0.0,
        _ => (winrate - 1.96 * (winrate * (1.0 - winrate) / visits as f64).sqrt()).max(0.0),
    }
}

/// How far the results in a tree stand from those at the true komi: it counts at the shifted komi
/// and with the score term. Every playout is known both ways, and the mean difference corrects every
/// move's value. It rests on all the playouts that the tree rests on, those of earlier searches
/// included, and is nothing without dynamic komi and score term. (The mean of a search's playouts
/// minus the mean of its tree was taken at first: noise of 9 % after a search of 32 playouts.)
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Shift {
    playouts: f64,
    /// Black's mean result at the true komi minus that in the tree.
    black: f64,
}

impl Shift {
    /// The shift of a part of the tree with so many visits.
    pub(super) fn of_a_part(self, visits: u32) -> Shift {
        Shift { playouts: self.playouts.min(f64::from(visits)), ..self }
    }

    /// With the playouts of another search.
    pub(super) fn and(self, totals: &Totals) -> Shift {
        let playouts = self.playouts + totals.playouts as f64;
        let sum = self.black * self.playouts + (totals.black_wins - totals.black_counted);
        Shift { playouts, black: sum / playouts.max(1.0) }
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
    let shift = task.shift.and(totals).black * sign;
    let owners = totals.owners(game.board().points());
    let children = tree.storage.children(root).iter().filter(|child| !banned[child.point()]);
    let mut candidates: Vec<Candidate> = children
        .map(|child| {
            let visits = u64::from(child.visits());
            let winrate = (child.value() + shift).clamp(0.0, 1.0);
            let (rave_visits, rave_wins) = child.rave();
            let mut variation = vec![child];
            variation.extend(tree.variation(child, VARIATION_LENGTH));
            let owners = task.request.moves_ownership.then(|| {
                let points = game.board().points();
                Box::new(totals.by_move.after(child.point(), &owners, BELIEF as f32, points))
            });
            Candidate {
                point: child.point(),
                visits,
                winrate,
                lower_bound: lower_bound(winrate, visits),
                score: if visits == 0 { 0.0 } else { (child.mean_score() - komi) * sign },
                prior: f64::from(child.probability()),
                rave_visits: f64::from(rave_visits),
                rave_winrate: f64::from(rave_wins / rave_visits.max(1e-6)),
                variation: variation.iter().map(|node| node.point()).collect(),
                variation_visits: variation.iter().map(|node| u64::from(node.visits())).collect(),
                owners,
            }
        })
        .collect();
    candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| b.prior.total_cmp(&a.prior)));
    let mut criticality = PointMap::filled(0.0);
    for point in game.board().points() {
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
        ownership: owners.mean,
        ownership_deviation: owners.deviation,
        criticality,
    }
}
