//! Statistics of a whole search: results at the true komi, ownership, criticality.
//!
//! Threads count for themselves and hand over every few playouts, so the lock is never contended.

use super::owners::{self, OwnersByMove, PointOwners};
use crate::board::Board;
use crate::playout::Ownership;
use crate::types::{Point, PointMap, points};
use std::sync::{Mutex, PoisonError};

/// Playouts after which a thread hands its counts over.
const BATCH: u32 = 64;

/// What a playout came to.
pub(super) struct Played {
    /// Area score from Black's side.
    pub(super) score: i32,
    /// The true komi.
    pub(super) komi: f32,
    /// Black's result at the true komi, and at the shifted one; a draw is half a win. The network's
    /// judgement is mixed in, as it is in the tree.
    pub(super) won: f64,
    pub(super) shifted: f64,
    /// Black's result as the tree counts it: at the shifted komi, with the score term.
    pub(super) counted: f64,
    /// The move at the root, if owners are wanted by move.
    pub(super) first: Option<Point>,
}

/// Sums over playouts.
#[derive(Clone, Default)]
pub(super) struct Totals {
    pub(super) playouts: u64,
    /// Black's results at the true komi.
    pub(super) black_wins: f64,
    /// Black's results at the shifted komi.
    pub(super) black_wins_shifted: f64,
    /// Black's results as the tree counts them.
    pub(super) black_counted: f64,
    /// Score from Black's side at the true komi, and its square.
    pub(super) score: f64,
    pub(super) score_squared: f64,
    /// Ownership in playouts that Black won, and in those that White won.
    by_winner: [Ownership; 2],
    /// Playouts in which nobody owned a point.
    nobodys: PointMap<u32>,
    /// Ownership by the move at the root, if it is wanted.
    pub(super) by_move: OwnersByMove,
    /// The owners that the network expects at the root, and how much that counts.
    judged: Option<(PointMap<f32>, f32)>,
}

impl Totals {
    fn merge(&mut self, other: &Totals) {
        self.playouts += other.playouts;
        self.black_wins += other.black_wins;
        self.black_wins_shifted += other.black_wins_shifted;
        self.black_counted += other.black_counted;
        self.score += other.score;
        self.score_squared += other.score_squared;
        for (mine, theirs) in self.by_winner.iter_mut().zip(&other.by_winner) {
            mine.merge(theirs);
        }
        owners::merge_counts(&mut self.nobodys, &other.nobodys);
        self.by_move.merge(&other.by_move);
    }

    fn reset(&mut self) {
        self.by_winner.iter_mut().for_each(Ownership::reset);
        self.by_move.reset();
        let by_winner = std::mem::take(&mut self.by_winner);
        let by_move = std::mem::take(&mut self.by_move);
        *self = Totals { by_winner, by_move, ..Totals::default() };
    }

    /// Mean owners of all points and their spread.
    pub(super) fn owners(&self, points: impl Iterator<Item = Point>) -> PointOwners {
        let playouts = self.playouts.max(1) as f32;
        let mut owners = PointOwners::default();
        for point in points {
            let mean = self.ownership(point);
            let judged = self.judged.as_ref().map_or(0.0, |(owners, w)| w * (owners[point] - mean));
            owners.mean[point] = mean + judged;
            let nobodys = self.nobodys[point] as f32 / playouts;
            owners.deviation[point] = owners::spread(mean, nobodys);
        }
        owners
    }

    /// Mean owner of a point in the playouts, from Black's side.
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
    /// Adds a playout that ended on this board.
    pub(super) fn add(&mut self, board: &Board, played: &Played) {
        let &Played { score, komi, won, shifted, counted, first } = played;
        let margin = score as f32 - komi;
        let totals = &mut self.0;
        totals.playouts += 1;
        totals.black_wins += won;
        totals.black_wins_shifted += shifted;
        totals.black_counted += counted;
        totals.score += f64::from(margin);
        totals.score_squared += f64::from(margin * margin);
        totals.by_winner[usize::from(margin < 0.0)].add(board);
        owners::add_nobodys(board, &mut totals.nobodys);
        if let Some(first) = first {
            totals.by_move.add(first, board);
        }
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

    /// Keeps the owners that the network expects at the root.
    pub(super) fn set_judged_owners(&self, owners: PointMap<f32>, weight: f32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).judged = Some((owners, weight));
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
        let played =
            |score, won| Played { score, komi: 0.5, won, shifted: won, counted: won, first: None };
        for _ in 0..10 {
            local.add(&black_wins, &played(4, 1.0));
            local.add(&white_wins, &played(0, 0.0));
        }
        let shared = SharedStats::default();
        assert!(!local.is_due());
        shared.take(&mut local);
        shared.take(&mut local);
        let totals = shared.totals();
        assert_eq!((totals.playouts, totals.black_wins, totals.black_counted), (20, 10.0, 10.0));
        let critical = shared.criticality(2);
        assert_eq!(critical[Point::new(1, 1)], 0.5, "owned by whoever won");
        assert_eq!(critical[Point::new(1, 2)], 0.0, "always Black's");
        assert_eq!(totals.ownership(Point::new(1, 1)), 0.0);
        assert_eq!(totals.ownership(Point::new(1, 2)), 1.0);
        assert!((totals.score_deviation() - 2.0).abs() < 1e-9);
    }
}
