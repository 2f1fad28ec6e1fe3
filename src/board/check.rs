//! The invariant checker: recomputes everything the board keeps and compares.

use super::{Board, Chain};
use crate::types::{Cell, Color, Hash, Point, zobrist_stone};
use std::collections::{BTreeSet, HashSet};
use thiserror::Error;

/// What is wrong with a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what} at {point}")]
pub struct Violation {
    /// The invariant that is broken.
    pub what: &'static str,
    /// Where.
    pub point: Point,
}

impl Board {
    /// Checks every invariant named in the module head. Slow: for tests.
    pub fn check(&self) -> Result<(), Violation> {
        let fail = |what, point| Err(Violation { what, point });
        let mut hash: Hash = 0;
        let mut stones = [0; 2];
        let mut seen = HashSet::new();
        for point in self.points() {
            if self.shapes[point] != self.compute_shape(point) {
                return fail("shape code", point);
            }
            let listed = self.empty_points().get(self.empty_index[point] as usize) == Some(&point);
            if listed != self.is_empty(point) {
                return fail("list of empty points", point);
            }
            match self.cells[point].color() {
                None => {
                    if self.cells[point] == Cell::Border {
                        return fail("border inside the board", point);
                    }
                    if !self.heads[point].is_pass() {
                        return fail("head of an empty point", point);
                    }
                }
                Some(color) => {
                    hash ^= zobrist_stone(color, point);
                    stones[color.index()] += 1;
                    if seen.insert(self.heads[point]) {
                        self.check_chain(point, color)?;
                    }
                }
            }
        }
        let empties = self.size() * self.size() - stones[0] - stones[1];
        if empties != self.empty_count as usize {
            return fail("number of empty points", Point::PASS);
        }
        if Color::BOTH.iter().any(|&c| self.stone_count(c) != stones[c.index()]) {
            return fail("number of stones", Point::PASS);
        }
        if hash != self.hash {
            return fail("hash", Point::PASS);
        }
        if !self.ko.is_pass() && !self.is_empty(self.ko) {
            return fail("ko", self.ko);
        }
        Ok(())
    }

    fn check_chain(&self, start: Point, color: Color) -> Result<(), Violation> {
        let head = self.heads[start];
        let mut stones = BTreeSet::from([start]);
        let mut liberties = BTreeSet::new();
        let mut open = vec![start];
        while let Some(stone) = open.pop() {
            if self.heads[stone] != head {
                return Err(Violation { what: "head of a stone", point: stone });
            }
            for neighbor in stone.neighbors() {
                if self.is_stone(neighbor, color) && stones.insert(neighbor) {
                    open.push(neighbor);
                } else if self.is_empty(neighbor) {
                    liberties.insert(neighbor);
                }
            }
        }
        let ring: BTreeSet<Point> = self.chain(start).take(1 + stones.len()).collect();
        if ring != stones {
            return Err(Violation { what: "ring of stones", point: start });
        }
        if liberties.is_empty() {
            return Err(Violation { what: "chain without liberties", point: start });
        }
        let mut chain = Chain::default();
        stones.iter().for_each(|_| chain += Chain::STONE);
        liberties.iter().for_each(|&liberty| chain += Chain::liberty(liberty));
        if self.chains[head] != chain {
            return Err(Violation { what: "liberties of a chain", point: start });
        }
        Ok(())
    }
}
