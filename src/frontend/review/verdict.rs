//! What a move cost, and what it is called.
//!
//! The search before the move knows the best move, the search after it knows what the played one led
//! to. The first is the mean of many answers and the second of many others, so small differences mean
//! nothing: the thresholds were chosen on one half of the positions of the labelled suites and checked on
//! the other (`tengen verdicts`, see docs/play.md).
//!
//! Tried beside the difference of the two searches, in logistic fits on the same halves: the move model's
//! probability of the move, its visits before it was played, and a search after the best move that is compared with
//! the one after the played move, at twice the cost. With two thirds of the costly moves marked, between 85 and 87 %
//! of the moves called mistakes were mistakes on the first half of 9x9 whatever was added, and between 35 and 56 %
//! on 19x19. There the playouts do not know enough, and no threshold mends that.

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

/// Winning probability from which on a move is an inaccuracy, a mistake, a blunder.
const SMALL_BOARD: [f64; 3] = [0.04, 0.08, 0.25];
/// The same in points.
const LARGE_BOARD: [f64; 3] = [3.0, 6.0, 12.0];

impl Loss {
    /// What a move that cost this is called on a board of this size. On small boards games are decided
    /// by single moves and winning counts; on large ones points tell more.
    pub fn verdict(&self, size: usize) -> Verdict {
        let (weight, thresholds) =
            if size <= 11 { (self.winrate, SMALL_BOARD) } else { (self.points, LARGE_BOARD) };
        let reached = thresholds.iter().filter(|&&threshold| weight >= threshold).count();
        [Verdict::Good, Verdict::Inaccuracy, Verdict::Mistake, Verdict::Blunder][reached]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;

    fn report(to_play: Color, candidates: &[(usize, u64, f64, f64)]) -> Report {
        let mut report = Report::empty(to_play);
        for &(column, visits, winrate, score) in candidates {
            let point = Point::new(column, 1);
            report.candidates.push(Candidate {
                point,
                visits,
                winrate,
                score,
                ..Candidate::default()
            });
        }
        (report.winrate, report.score) = (candidates[0].2, candidates[0].3);
        report
    }

    #[test]
    fn the_loss_is_from_the_side_of_who_moved() {
        let before = report(Color::White, &[(1, 90, 0.6, 3.0), (2, 10, 0.5, 1.0)]);
        let after = report(Color::Black, &[(3, 50, 0.7, 9.0)]);
        let loss = |played: usize, after: &Report| {
            Evidence::of(&before, Point::new(played, 1), after).loss()
        };
        let cost = loss(2, &after);
        assert!((cost.winrate - 0.3).abs() < 1e-9 && (cost.points - 12.0).abs() < 1e-9, "{cost:?}");
        assert_eq!((cost.verdict(9), cost.verdict(19)), (Verdict::Blunder, Verdict::Blunder));
        assert_eq!(loss(1, &after), Loss::default(), "the search's own choice");
        // The same player once more: the value is already its own.
        let again = report(Color::White, &[(3, 50, 0.7, 9.0)]);
        assert_eq!(loss(2, &again), Loss::default(), "better than expected");
        assert_eq!(Loss::default().verdict(9), Verdict::Good);
    }
}
