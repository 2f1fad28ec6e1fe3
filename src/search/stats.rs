//! Statistics of a whole search: results at the true komi, ownership, criticality.
//!
//! Threads count for themselves and hand over every few playouts, so the lock is never contended.

use crate::board::Board;
use crate::playout::Ownership;
use crate::types::{Color, Point, PointMap, points};
use std::sync::{Mutex, PoisonError};

/// Playouts after which a thread hands its counts over.
const BATCH: u32 = 64;

/// Sums over playouts.
#[derive(Clone, Default)]
pub(super) struct Totals {
    pub(super) playouts: u64,
    /// Black's wins at the true komi; a draw is half a win.
    pub(super) black_wins: f64,
    /// Black's wins at the shifted komi.
    pub(super) black_wins_shifted: f64,
    /// Score from Black's side at the true komi, and its square.
    pub(super) score: f64,
    pub(super) score_squared: f64,
    /// Ownership in playouts that Black won, and in those that White won.
    by_winner: [Ownership; 2],
}

impl Totals {
    fn merge(&mut self, other: &Totals) {
        self.playouts += other.playouts;
        self.black_wins += other.black_wins;
        self.black_wins_shifted += other.black_wins_shifted;
        self.score += other.score;
        self.score_squared += other.score_squared;
        for (mine, theirs) in self.by_winner.iter_mut().zip(&other.by_winner) {
            mine.merge(theirs);
        }
    }

    fn reset(&mut self) {
        self.by_winner.iter_mut().for_each(Ownership::reset);
        let by_winner = std::mem::take(&mut self.by_winner);
        *self = Totals { by_winner, ..Totals::default() };
    }

    /// Mean owner of a point, from Black's side.
    pub(super) fn ownership(&self, point: Point) -> f32 {
        let [black, white] = &self.by_winner;
        let (b, w) = (black.playouts() as f32, white.playouts() as f32);
        (black.value(point) * b + white.value(point) * w) / (b + w).max(1.0)
    }

    /// How much more often the winner owns a point than chance would have it (Coulom 2009).
    pub(super) fn criticality(&self, point: Point) -> f32 {
        let [black, white] = &self.by_winner;
        let (b, w) = (black.playouts() as f32, white.playouts() as f32);
        let all = (b + w).max(1.0);
        let black_owns = |value: f32| (1.0 + value) / 2.0;
        let in_black_wins = b / all * black_owns(black.value(point));
        let in_white_wins = w / all * black_owns(white.value(point));
        let owned_by_winner = in_black_wins + w / all - in_white_wins;
        let black_share = in_black_wins + in_white_wins;
        owned_by_winner - (black_share * b / all + (1.0 - black_share) * w / all)
    }

    /// Win rate at the true komi and mean score for a player.
    pub(super) fn result(&self, color: Color) -> (f64, f64) {
        let playouts = self.playouts.max(1) as f64;
        let winrate = self.black_wins / playouts;
        match color {
            Color::Black => (winrate, self.score / playouts),
            Color::White => (1.0 - winrate, -self.score / playouts),
        }
    }

    /// Standard deviation of the score of a playout.
    pub(super) fn score_deviation(&self) -> f64 {
        let playouts = self.playouts.max(1) as f64;
        let mean = self.score / playouts;
        (self.score_squared / playouts - mean * mean).max(0.0).sqrt()
    }
}

/// The counts of one thread since it handed over.
#[derive(Default)]
pub(super) struct LocalStats(Totals);

impl LocalStats {
    /// Adds a playout that ended on this board with this area score.
    pub(super) fn add(&mut self, board: &Board, score: i32, komi: f32, extra: f32) {
        let wins = |margin: f32| match margin {
            margin if margin > 0.0 => 1.0,
            0.0 => 0.5,
            _ => 0.0,
        };
        let margin = score as f32 - komi;
        let totals = &mut self.0;
        totals.playouts += 1;
        totals.black_wins += wins(margin);
        totals.black_wins_shifted += wins(margin - extra);
        totals.score += f64::from(margin);
        totals.score_squared += f64::from(margin * margin);
        totals.by_winner[usize::from(margin < 0.0)].add(board);
    }

    /// Is it time to hand over?
    pub(super) fn is_due(&self) -> bool {
        self.0.playouts >= u64::from(BATCH)
    }
}

/// The counts of all threads.
#[derive(Default)]
pub(super) struct SharedStats(Mutex<Totals>);

impl SharedStats {
    /// Takes over the counts of a thread.
    pub(super) fn take(&self, local: &mut LocalStats) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).merge(&local.0);
        local.0.reset();
    }

    /// A copy of the sums.
    pub(super) fn totals(&self) -> Totals {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The criticality of every point.
    pub(super) fn criticality(&self, size: usize) -> PointMap<f32> {
        let totals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut map = PointMap::filled(0.0);
        points(size).for_each(|point| map[point] = totals.criticality(point));
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn criticality_is_high_where_the_winner_always_is() {
        let black_wins = Diagram::parse("X X\nX .").unwrap().board;
        let white_wins = Diagram::parse("X X\nO .").unwrap().board;
        let mut local = LocalStats::default();
        for _ in 0..10 {
            local.add(&black_wins, 4, 0.5, 0.0);
            local.add(&white_wins, 0, 0.5, 0.0);
        }
        let shared = SharedStats::default();
        assert!(!local.is_due());
        shared.take(&mut local);
        shared.take(&mut local);
        let totals = shared.totals();
        assert_eq!((totals.playouts, totals.result(Color::Black).0), (20, 0.5));
        let critical = shared.criticality(2);
        assert_eq!(critical[Point::new(1, 1)], 0.5, "owned by whoever won");
        assert_eq!(critical[Point::new(1, 2)], 0.0, "always Black's");
        assert_eq!(totals.ownership(Point::new(1, 1)), 0.0);
        assert_eq!(totals.ownership(Point::new(1, 2)), 1.0);
        assert!((totals.score_deviation() - 2.0).abs() < 1e-9);
    }
}
