//! A chain in one 64-bit word: liberties, their sum and sum of squares, and stones.
//!
//! | bits  | what | largest value on 19x19 |
//! |---|---|---|
//! | 0-8   | number of distinct liberties | below 256 |
//! | 9-25  | sum of their indices | below 2^17 |
//! | 26-51 | sum of the squares of their indices | below 2^26 |
//! | 52-63 | stones | 361 |
//!
//! Gaining or losing a liberty is one addition or subtraction of a number that depends on the
//! point alone. The one liberty of a chain in atari is the sum; the two of a two-liberty chain
//! are the solution of a quadratic equation. So exact liberties cost as little as a plain count,
//! and the questions of heavy playouts need no walk. `docs/adr/0001-board.md` has the figures.

use crate::types::Point;
use std::ops::{AddAssign, SubAssign};

const SUM: u32 = 9;
const SQUARES: u32 = 26;
const STONES: u32 = 52;

/// What the board knows of a chain, stored at its head.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(super) struct Chain(u64);

impl Chain {
    /// One stone without liberties; added for every stone.
    pub(super) const STONE: Chain = Chain(1 << STONES);

    /// What one liberty contributes.
    #[inline(always)]
    pub(super) fn liberty(point: Point) -> Chain {
        let index = point.index() as u64;
        Chain(1 | index << SUM | (index * index) << SQUARES)
    }

    /// This value if `keep`, else nothing, without a branch.
    #[inline(always)]
    pub(super) fn only_if(self, keep: bool) -> Chain {
        Chain(if keep { self.0 } else { 0 })
    }

    #[inline(always)]
    pub(super) fn liberties(self) -> u32 {
        (self.0 & ((1 << SUM) - 1)) as u32
    }

    #[inline(always)]
    pub(super) fn stones(self) -> u32 {
        (self.0 >> STONES) as u32
    }

    /// The liberty of a chain that has one.
    #[inline(always)]
    pub(super) fn only_liberty(self) -> Point {
        Point::from_index(self.sum() as usize)
    }

    /// The liberties of a chain that has two, the larger index first: a + b and a^2 + b^2 are
    /// known, so (a - b)^2 is too.
    #[inline(always)]
    pub(super) fn two_liberties(self) -> [Point; 2] {
        let sum = self.sum();
        let squares = ((self.0 >> SQUARES) & ((1 << (STONES - SQUARES)) - 1)) as u32;
        // Exact: perfect squares below 2^24 are represented and rooted without rounding in f32.
        let difference = ((2 * squares - sum * sum) as f32).sqrt() as u32;
        [(sum + difference) / 2, (sum - difference) / 2].map(|i| Point::from_index(i as usize))
    }

    /// The other liberty of a chain of two.
    #[inline(always)]
    pub(super) fn other_liberty(self, one: Point) -> Point {
        Point::from_index(self.sum() as usize - one.index())
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        ((self.0 >> SUM) & ((1 << (SQUARES - SUM)) - 1)) as u32
    }
}

// The sentinel chain of empty and border cells collects garbage, so additions wrap.
impl AddAssign for Chain {
    #[inline(always)]
    fn add_assign(&mut self, other: Chain) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl SubAssign for Chain {
    #[inline(always)]
    fn sub_assign(&mut self, other: Chain) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::points;

    #[test]
    fn liberties_are_recovered_for_every_pair_of_points() {
        for a in points(19) {
            let mut one = Chain::STONE;
            one += Chain::liberty(a);
            assert_eq!((one.liberties(), one.stones(), one.only_liberty()), (1, 1, a));
            for b in points(19).filter(|&b| b < a) {
                let mut two = one;
                two += Chain::liberty(b);
                assert_eq!(two.two_liberties(), [a, b]);
            }
        }
    }

    #[test]
    fn the_fields_never_overflow_into_each_other() {
        let mut all = Chain::default();
        for point in points(19) {
            all += Chain::STONE;
            if point.row() > 7 {
                all += Chain::liberty(point); // 228 liberties, the most a chain can have
            }
        }
        assert_eq!((all.liberties(), all.stones()), (228, 361));
    }
}
