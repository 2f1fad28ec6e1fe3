//! Counting the board.

use super::Board;
use crate::types::{Cell, Color, Marker, Point, PointMap};

impl Board {
    /// Area score from Black's side without komi: stones, and empty regions that touch one colour
    /// only (Tromp-Taylor). Every stone counts as alive.
    pub fn area_score(&self) -> i32 {
        let owner = self.area();
        self.points().map(|point| owner[point].map_or(0, Color::sign)).sum()
    }

    /// Who owns each point in an area count, by flood fill.
    pub fn area(&self) -> PointMap<Option<Color>> {
        self.area_without(&Marker::new())
    }

    /// As [`Board::area`], with the stones of a set taken off the board first.
    pub fn area_without(&self, dead: &Marker) -> PointMap<Option<Color>> {
        let cell = |point: Point| match self.cells[point] {
            Cell::Black | Cell::White if dead.contains(point) => Cell::Empty,
            cell => cell,
        };
        let mut owner = PointMap::filled(None);
        let mut seen = Marker::new();
        let mut region = Vec::new();
        for start in self.points() {
            if cell(start) != Cell::Empty {
                owner[start] = cell(start).color();
                continue;
            }
            if !seen.insert(start) {
                continue;
            }
            region.clear();
            region.push(start);
            let mut touched = 0;
            let mut next = 0;
            while next < region.len() {
                for neighbor in region[next].neighbors() {
                    match cell(neighbor) {
                        Cell::Empty if seen.insert(neighbor) => region.push(neighbor),
                        Cell::Empty | Cell::Border => {}
                        stone => touched |= stone as u8,
                    }
                }
                next += 1;
            }
            let region_owner = match touched {
                1 => Some(Color::Black),
                2 => Some(Color::White),
                _ => None,
            };
            for &point in &region {
                owner[point] = region_owner;
            }
        }
        owner
    }

    /// Stones that Black has placed so far beyond those of White, captured ones included: the
    /// difference between an area score and one of territory and prisoners.
    #[inline]
    pub fn placed_difference(&self) -> i32 {
        let placed =
            |color: Color| i32::from(self.stones[color]) + self.prisoners[color.opponent()] as i32;
        placed(Color::Black) - placed(Color::White)
    }

    /// Area score from Black's side of a board that a playout has filled: the stone counts are
    /// kept at every move, and what is left empty are single points.
    #[inline]
    pub fn playout_score(&self) -> i32 {
        let stones = i32::from(self.stones[Color::Black]) - i32::from(self.stones[Color::White]);
        let eyes: i32 = self
            .empty_points()
            .iter()
            .map(|&point| {
                let shape = self.shapes[point];
                i32::from(shape.is_surrounded_by(Color::Black))
                    - i32::from(shape.is_surrounded_by(Color::White))
            })
            .sum();
        stones + eyes
    }
}
