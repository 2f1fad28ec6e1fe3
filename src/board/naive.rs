//! A slow board of flood fills: the fast one is compared with it, and it counts perft tables for
//! rule variants that play never needs (rectangles, suicide).

use crate::types::Color;

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
    /// An empty board; `suicide` allows moves that remove the player's own chain of two or more.
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
    pub fn neighbors(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, x, y) = (self.width, at % self.width, at / self.width);
        let sides = [
            (y > 0).then(|| at - width),
            (x > 0).then(|| at - 1),
            (x + 1 < width).then_some(at + 1),
            (y + 1 < self.height).then_some(at + width),
        ];
        sides.into_iter().flatten()
    }

    /// The stones and the liberties of the chain at a point, each in rising order.
    pub fn chain(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        let color = self.cells[at];
        let mut seen = vec![false; self.len()];
        seen[at] = true;
        let (mut stones, mut liberties) = (vec![at], Vec::new());
        let mut next = 0;
        while next < stones.len() {
            for neighbor in self.neighbors(stones[next]) {
                let stone = self.cells[neighbor];
                if seen[neighbor] || stone.is_some() && stone != color {
                    continue;
                }
                seen[neighbor] = true;
                if stone.is_some() { &mut stones } else { &mut liberties }.push(neighbor);
            }
            next += 1;
        }
        stones.sort_unstable();
        liberties.sort_unstable();
        (stones, liberties)
    }

    /// Sets a stone or empties a point, without any rule.
    pub fn set(&mut self, at: usize, stone: Option<Color>) {
        self.cells[at] = stone;
    }

    /// Has every chain a liberty?
    pub fn is_position_legal(&self) -> bool {
        (0..self.len()).all(|at| self.cells[at].is_none() || self.has_liberty(at))
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
        // The suicide of a single stone changes nothing: it is a pass, not a move.
        if after.remove_if_dead(at) && (!self.suicide || after.cells == self.cells) {
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
        let dead = !self.has_liberty(at);
        if dead {
            for stone in self.chain(at).0 {
                self.cells[stone] = None;
            }
        }
        dead
    }

    /// Has the chain at a point a liberty? The search ends with the first one.
    fn has_liberty(&self, at: usize) -> bool {
        let mut seen = vec![false; self.len()];
        seen[at] = true;
        let mut open = vec![at];
        while let Some(stone) = open.pop() {
            for neighbor in self.neighbors(stone) {
                if self.cells[neighbor].is_none() {
                    return true;
                }
                if self.cells[neighbor] == self.cells[at] && !seen[neighbor] {
                    seen[neighbor] = true;
                    open.push(neighbor);
                }
            }
        }
        false
    }
}
