//! Who owns the points after each move at the root, for those who show it.
//!
//! One search tells it for all moves at once: a playout is counted for the move that it began with.
//! A sum for every move is 3.5 KB, and to add to it takes as long as to add to that of all moves,
//! so they are kept only when a request asks for them. A move with few playouts says little, and a
//! single playout says 1 or -1 everywhere: what is missing comes from the position before the move.

use crate::board::Board;
use crate::playout::Ownership;
use crate::types::{CELLS, Color, Point, PointMap};
use std::collections::BTreeMap;

/// Who owns the points at the end of playouts: the mean, 1 for Black and -1 for White, and how far
/// single playouts spread around it.
#[derive(Clone, Debug, Default)]
pub struct PointOwners {
    /// Mean owner.
    pub mean: PointMap<f32>,
    /// Standard deviation of the owner in one playout.
    pub deviation: PointMap<f32>,
}

/// Sums over playouts.
#[derive(Clone, Default)]
pub(super) struct OwnerSums {
    ownership: Ownership,
    nobodys: PointMap<u32>,
}

/// Adds up the points that nobody owns at the end of a playout: the liberties of sekis.
pub(super) fn add_nobodys(board: &Board, sums: &mut PointMap<u32>) {
    for &point in board.empty_points() {
        let shape = board.shape(point);
        let owned = Color::BOTH.iter().any(|&color| shape.is_surrounded_by(color));
        sums[point] += u32::from(!owned);
    }
}

/// Adds one map of counts to another.
pub(super) fn merge_counts(mine: &mut PointMap<u32>, theirs: &PointMap<u32>) {
    for point in (0..CELLS).map(Point::from_index) {
        mine[point] += theirs[point];
    }
}

impl OwnerSums {
    fn add(&mut self, board: &Board) {
        self.ownership.add(board);
        add_nobodys(board, &mut self.nobodys);
    }

    fn merge(&mut self, other: &OwnerSums) {
        self.ownership.merge(&other.ownership);
        merge_counts(&mut self.nobodys, &other.nobodys);
    }

    fn reset(&mut self) {
        self.ownership.reset();
        self.nobodys.fill(0);
    }
}

/// Standard deviation of a point's owner, of which the mean and the share of playouts in which
/// nobody owned it are known.
pub(super) fn spread(mean: f32, nobodys: f32) -> f32 {
    (1.0 - nobodys - mean * mean).max(0.0).sqrt()
}

/// Sums for every move at the root that was tried.
#[derive(Clone, Default)]
pub(super) struct OwnersByMove(BTreeMap<Point, OwnerSums>);

impl OwnersByMove {
    /// Adds the end of a playout that began with a move.
    pub(super) fn add(&mut self, first: Point, board: &Board) {
        self.0.entry(first).or_default().add(board);
    }

    pub(super) fn merge(&mut self, other: &OwnersByMove) {
        for (&point, sums) in other.0.iter().filter(|(_, sums)| sums.ownership.playouts() > 0) {
            self.0.entry(point).or_default().merge(sums);
        }
    }

    pub(super) fn reset(&mut self) {
        self.0.values_mut().for_each(OwnerSums::reset);
    }

    /// Owners after a move, as if `belief` more playouts had ended as those before it.
    pub(super) fn after(
        &self,
        first: Point,
        before: &PointOwners,
        belief: f32,
        points: impl Iterator<Item = Point>,
    ) -> PointOwners {
        let Some(sums) = self.0.get(&first) else { return before.clone() };
        let playouts = sums.ownership.playouts() as f32;
        let own = playouts / (playouts + belief);
        let mix = |mine: f32, theirs: f32| own * mine + (1.0 - own) * theirs;
        let mut owners = PointOwners::default();
        for point in points {
            let (mean, deviation) = (before.mean[point], before.deviation[point]);
            let nobodys_before = 1.0 - mean * mean - deviation * deviation;
            let nobodys = sums.nobodys[point] as f32 / playouts.max(1.0);
            let mean = mix(sums.ownership.value(point), mean);
            owners.mean[point] = mean;
            owners.deviation[point] = spread(mean, mix(nobodys, nobodys_before));
        }
        owners
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn owners_are_kept_by_move_and_lean_on_the_position_before() {
        // Black has the left, and in one of two playouts the right; the middle is nobody's.
        let alive = Diagram::parse("X . O\nX . O\nX . O").unwrap().board;
        let taken = Diagram::parse("X . X\nX . X\nX . X").unwrap().board;
        let [tried, other] = [Point::new(1, 1), Point::new(2, 1)];
        let (mut all, mut more) = (OwnersByMove::default(), OwnersByMove::default());
        all.add(tried, &alive);
        more.add(tried, &taken);
        all.merge(&more);
        more.reset();
        all.merge(&more);
        let mut before = PointOwners::default();
        before.mean.fill(-1.0);
        let after = |first, belief| all.after(first, &before, belief, alive.points());
        let [left, middle, right] = [1, 2, 3].map(|column| Point::new(column, 2));
        let sure = after(tried, 0.0);
        assert_eq!([left, right].map(|point| sure.mean[point]), [1.0, 0.0]);
        assert_eq!([left, right].map(|point| sure.deviation[point]), [0.0, 1.0]);
        // Always nobody's, and so there is nothing that spreads.
        assert_eq!((sure.mean[middle], sure.deviation[middle]), (0.0, 0.0));
        let doubtful = after(tried, 2.0);
        assert_eq!([left, right].map(|point| doubtful.mean[point]), [0.0, -0.5]);
        assert_eq!(after(other, 2.0).mean[left], -1.0, "nothing is known of this move");
    }
}
