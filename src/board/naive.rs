//! A slow board of flood fills: the fast one is compared with it, and it counts perft tables for
//! rule variants that play never needs (rectangles, suicide).

use crate::types::Color;
use std::collections::BTreeSet;

/// A rectangular board that recomputes everything at every move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NaiveBoard {
    width: usize,
    height: usize,
    suicide: bool,
    cells: Vec<Option<Color>>,
    /// The position before the last move: simple ko forbids to go back to it.
    before: Option<Vec<Option<Color>>>,
}

impl NaiveBoard {
    /// An empty board; `suicide` allows moves that remove the player's own chain.
    pub fn new(width: usize, height: usize, suicide: bool) -> NaiveBoard {
        NaiveBoard { width, height, suicide, cells: vec![None; width * height], before: None }
    }

    /// Number of points. Points are numbered row by row from the bottom left.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Has the board no points? (It always has.)
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The stone at a point.
    pub fn stone(&self, at: usize) -> Option<Color> {
        self.cells[at]
    }

    /// All stones.
    pub fn cells(&self) -> &[Option<Color>] {
        &self.cells
    }

    /// The orthogonal neighbours of a point.
    pub fn neighbors(&self, at: usize) -> Vec<usize> {
        let (x, y) = (at % self.width, at / self.width);
        let mut list = Vec::with_capacity(4);
        if x > 0 {
            list.push(at - 1);
        }
        if x + 1 < self.width {
            list.push(at + 1);
        }
        if y > 0 {
            list.push(at - self.width);
        }
        if y + 1 < self.height {
            list.push(at + self.width);
        }
        list
    }

    /// The stones and the liberties of the chain at a point.
    pub fn chain(&self, at: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let color = self.cells[at];
        let (mut stones, mut liberties) = (BTreeSet::from([at]), BTreeSet::new());
        let mut open = vec![at];
        while let Some(stone) = open.pop() {
            for neighbor in self.neighbors(stone) {
                if self.cells[neighbor].is_none() {
                    liberties.insert(neighbor);
                } else if self.cells[neighbor] == color && stones.insert(neighbor) {
                    open.push(neighbor);
                }
            }
        }
        (stones, liberties)
    }

    /// Sets a stone or empties a point, without any rule.
    pub fn set(&mut self, at: usize, stone: Option<Color>) {
        self.cells[at] = stone;
    }

    /// Has every chain a liberty?
    pub fn is_position_legal(&self) -> bool {
        (0..self.len()).all(|at| self.cells[at].is_none() || !self.chain(at).1.is_empty())
    }

    /// The board after a move, or None if it is illegal under simple ko.
    pub fn play(&self, color: Color, at: usize) -> Option<NaiveBoard> {
        if self.cells[at].is_some() {
            return None;
        }
        let mut after = self.clone();
        after.cells[at] = Some(color);
        for neighbor in self.neighbors(at) {
            if after.cells[neighbor] == Some(color.opponent()) {
                after.remove_if_dead(neighbor);
            }
        }
        if after.remove_if_dead(at) && !self.suicide {
            return None;
        }
        if self.before.as_ref() == Some(&after.cells) {
            return None;
        }
        after.before = Some(self.cells.clone());
        Some(after)
    }

    /// The board after a pass: the ko is open.
    pub fn pass(&self) -> NaiveBoard {
        NaiveBoard { before: None, ..self.clone() }
    }

    fn remove_if_dead(&mut self, at: usize) -> bool {
        let (stones, liberties) = self.chain(at);
        if liberties.is_empty() {
            stones.iter().for_each(|&stone| self.cells[stone] = None);
        }
        liberties.is_empty()
    }
}
