//! 3x3 shape codes: the eight neighbours of a point in sixteen bits.
//!
//! Each neighbour takes two bits, valued as [`Cell`]: empty 0, black 1, white 2, border 3. The four
//! orthogonal neighbours are the low byte (north, west, east, south), the diagonals the high byte
//! (north-west, north-east, south-west, south-east). The border has the bits of both colours, so
//! the questions that a playout asks at every move are mask tests, without a table.

use crate::types::{Cell, Color};

const ORTHOGONAL_BLACK: u16 = 0x0055;

/// The eight neighbours of a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Shape(pub(super) u16);

impl Shape {
    /// The code itself, for tables indexed by shape.
    #[inline(always)]
    pub fn code(self) -> u16 {
        self.0
    }

    /// The shape with this code.
    #[inline(always)]
    pub fn from_code(code: u16) -> Shape {
        Shape(code)
    }

    /// The cell in a direction: 0 to 3 as in `ORTHOGONALS`, 4 to 7 as in `DIAGONALS`.
    #[inline(always)]
    pub fn cell(self, direction: usize) -> Cell {
        match self.bits(direction) {
            0 => Cell::Empty,
            1 => Cell::Black,
            2 => Cell::White,
            _ => Cell::Border,
        }
    }

    /// The two bits of a direction: a [`Cell`] as a number.
    #[inline(always)]
    pub(super) fn bits(self, direction: usize) -> u16 {
        (self.0 >> (2 * direction)) & 3
    }

    /// Is the orthogonal neighbour in this direction a stone of this colour?
    #[inline(always)]
    pub(super) fn is_stone(self, direction: usize, color: Color) -> bool {
        self.bits(direction) == color as u16
    }

    /// One bit (at 0, 2, 4, 6) per orthogonal neighbour that is empty.
    #[inline(always)]
    pub(super) fn empty_neighbors(self) -> u16 {
        !(self.0 | (self.0 >> 1)) & ORTHOGONAL_BLACK
    }

    /// Are all orthogonal neighbours empty, and at least two diagonal ones?
    #[inline(always)]
    pub fn is_open(self) -> bool {
        let empty = !(self.0 | (self.0 >> 1)) & 0x5555;
        empty & ORTHOGONAL_BLACK == ORTHOGONAL_BLACK && (empty >> 8).count_ones() >= 2
    }

    /// Is at least one orthogonal neighbour empty?
    #[inline(always)]
    pub fn has_empty_neighbor(self) -> bool {
        self.empty_neighbors() != 0
    }

    /// One bit at every even position whose neighbour is a stone of this colour.
    #[inline(always)]
    fn stones_of(self, color: Color) -> u16 {
        let (black, white) = (self.0 & 0x5555, (self.0 >> 1) & 0x5555);
        match color {
            Color::Black => black & !white,
            Color::White => white & !black,
        }
    }

    /// Are all orthogonal neighbours stones of this colour or border?
    #[inline(always)]
    pub fn is_surrounded_by(self, color: Color) -> bool {
        let mask = ORTHOGONAL_BLACK << (color as u16 - 1);
        self.0 & mask == mask
    }

    /// Is the point, if empty, a one-point eye: surrounded, and with too few hostile diagonals to
    /// become false (none on the edge, at most one elsewhere)?
    #[inline(always)]
    pub fn is_eye(self, color: Color) -> bool {
        self.is_surrounded_by(color) && {
            let hostile = (self.stones_of(color.opponent()) >> 8).count_ones();
            let diagonals = self.0 >> 8;
            let edge = diagonals & (diagonals >> 1) & 0x55 != 0;
            hostile + u32::from(edge) < 2
        }
    }

    /// The code of an empty point's surroundings with the colours exchanged.
    pub fn swap_colors(self) -> Shape {
        let (low, high) = (self.0 & 0x5555, (self.0 >> 1) & 0x5555);
        Shape((low << 1) | high)
    }

    /// Where a direction in code order (north, west, east, south; north-west, north-east, south-west, south-east)
    /// points after a symmetry of the board; see [`Shape::transform`].
    pub fn turn(direction: usize, symmetry: usize) -> usize {
        const OFFSETS: [(i32, i32); 8] =
            [(0, 1), (-1, 0), (1, 0), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];
        let (dx, dy) = OFFSETS[direction];
        let (mut x, mut y) = if symmetry & 1 == 1 { (-dx, dy) } else { (dx, dy) };
        for _ in 0..symmetry >> 1 {
            (x, y) = (-y, x);
        }
        OFFSETS.iter().position(|&offset| offset == (x, y)).unwrap_or(direction)
    }

    /// The shape as seen after a rotation (bits 1 and 2) and a reflection (bit 0) of the board,
    /// numbered 0 to 7.
    pub fn transform(self, symmetry: usize) -> Shape {
        let turned = |code, direction| {
            code | ((self.0 >> (2 * direction)) & 3) << (2 * Shape::turn(direction, symmetry))
        };
        Shape((0..8).fold(0, turned))
    }

    /// The smallest code among the eight symmetries: equal for shapes that are equal on the board.
    pub fn canonical(self) -> Shape {
        let code = (0..8).map(|symmetry| self.transform(symmetry).0).min();
        Shape(code.unwrap_or(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_eight_distinct_views() {
        let shape = Shape(0b00_01_00_10_00_00_00_01);
        let mut views: Vec<u16> = (0..8).map(|s| shape.transform(s).0).collect();
        views.sort_unstable();
        views.dedup();
        assert_eq!(views.len(), 8);
        assert!((0..8).all(|s| shape.transform(s).canonical() == shape.canonical()));
    }

    #[test]
    fn colour_swap_keeps_the_border() {
        let shape = Shape(0b11_11_11_10_01_00_11_01);
        assert_eq!(shape.swap_colors(), Shape(0b11_11_11_01_10_00_11_10));
        assert_eq!(shape.swap_colors().swap_colors(), shape);
    }

    #[test]
    fn there_are_954_shapes_away_from_the_edge() {
        // 3^8 codes without border under the 8 symmetries: Burnside gives 954.
        let mut seen = std::collections::HashSet::new();
        for code in 0..=u16::MAX {
            let shape = Shape(code);
            if (0..8).all(|d| shape.cell(d) != Cell::Border) {
                seen.insert(shape.canonical());
            }
        }
        assert_eq!(seen.len(), 954);
    }
}
