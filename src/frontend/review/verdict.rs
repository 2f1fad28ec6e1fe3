//! What a move cost, and what it is called.
//!
//! The search before the move knows the best move, the search after it knows what the played one led
//! to. The first is the mean of many answers and the second of many others, so small differences mean
//! nothing: the thresholds were chosen on one half of the positions of the labelled suites and checked on
//! the other (`tengen verdicts`, see docs/play.md).

use super::judgement::Verdict;
use crate::search::{Candidate, Report};
use crate::types::Point;

/// What a move cost its player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Loss {
    /// Points, 0 or more.
    pub points: f64,
    /// Winning probability, 0 or more.
    pub winrate: f64,
}

/// What two searches say of a move, from the side of its player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    /// Winning probability and lead of the best other move before it.
    pub best: (f64, f64),
    /// The same of the position after it.
    pub after: (f64, f64),
    /// Was it the search's own choice?
    pub own_choice: bool,
}

/// A move that was played is compared with others that had at least this share of the best one's visits.
const COMPARED: f64 = 0.1;

impl Evidence {
    /// Of a move by the search before it and the one after it.
    pub fn of(before: &Report, played: Point, after: &Report) -> Evidence {
        let after = if after.to_play == before.to_play {
            (after.winrate, after.score) // the same player goes on, as with handicap stones
        } else {
            (1.0 - after.winrate, -after.score)
        };
        let most = before.candidates.first().map_or(0, |best| best.visits) as f64;
        let own_choice = before.candidates.first().is_some_and(|best| best.point == played);
        let other = |candidate: &&Candidate| {
            candidate.point != played && candidate.visits as f64 >= COMPARED * most
        };
        let best = before.candidates.iter().find(other);
        let best = best.map_or(after, |best| (best.winrate, best.score));
        Evidence { best, after, own_choice }
    }

    /// What the move cost.
    pub fn loss(&self) -> Loss {
        if self.own_choice {
            // The other moves seemed worse, and by how much the search cannot tell.
            return Loss::default();
        }
        Loss {
            points: (self.best.1 - self.after.1).max(0.0),
            winrate: (self.best.0 - self.after.0).max(0.0),
        }
    }
}

/// From how much weight on a move is called so.
struct Threshold {
    verdict: Verdict,
    weight: f64,
}

const SMALL_BOARD: [Threshold; 3] = [
    Threshold { verdict: Verdict::Blunder, weight: 0.35 },
    Threshold { verdict: Verdict::Mistake, weight: 0.15 },
    Threshold { verdict: Verdict::Inaccuracy, weight: 0.07 },
];

const LARGE_BOARD: [Threshold; 3] = [
    Threshold { verdict: Verdict::Blunder, weight: 10.0 },
    Threshold { verdict: Verdict::Mistake, weight: 3.0 },
    Threshold { verdict: Verdict::Inaccuracy, weight: 1.5 },
];

impl Loss {
    /// What a move that cost this is called on a board of this size. On small boards games are decided
    /// by single moves and winning counts; on large ones the playouts know points better.
    pub fn verdict(&self, size: usize) -> Verdict {
        let (weight, thresholds) =
            if size <= 11 { (self.winrate, SMALL_BOARD) } else { (self.points, LARGE_BOARD) };
        let reached = thresholds.iter().find(|threshold| weight >= threshold.weight);
        reached.map_or(Verdict::Good, |threshold| threshold.verdict)
    }
}
