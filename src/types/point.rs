//! Points of the board as indices into one array with a border.
//!
//! The stride is a compile-time constant whatever the board size, so that the neighbours of a
//! point are constant offsets: a run-time stride costs up to 7 % of a playout.

use std::ops::{Index, IndexMut};

/// Smallest board.
pub const MIN_SIZE: usize = 2;
/// Largest board.
pub const MAX_SIZE: usize = 19;

/// Is this a small board? What is tuned and learned for 9x9 serves boards up to 11x11; larger ones
/// play like 19x19.
pub const fn is_small(size: usize) -> bool {
    size <= 11
}

/// Cells per row of the array: the largest board and a border on both sides.
pub const STRIDE: usize = MAX_SIZE + 2;
/// Cells of the array.
pub const CELLS: usize = STRIDE * STRIDE;

/// The four neighbours as offsets: north, west, east, south on a diagram.
pub const ORTHOGONALS: [isize; 4] = [STRIDE as isize, -1, 1, -(STRIDE as isize)];
/// The four diagonal neighbours as offsets.
pub const DIAGONALS: [isize; 4] =
    [STRIDE as isize - 1, STRIDE as isize + 1, -(STRIDE as isize) - 1, -(STRIDE as isize) + 1];

/// A cell of the board array: a point of the board, a cell of its border, or [`Point::PASS`].
///
/// Columns count from the left and rows from the bottom, both from 1, as in GTP.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Point(u16);

impl Point {
    /// The pass move; also "no point". It is a corner of the border, so indexing with it is safe.
    pub const PASS: Point = Point(0);

    /// The point at a column and row, both from 1. Values up to `STRIDE - 1` (the border) are allowed.
    #[inline(always)]
    pub const fn new(column: usize, row: usize) -> Point {
        debug_assert!(column < STRIDE && row < STRIDE);
        Point((row * STRIDE + column) as u16)
    }

    /// The point with this array index.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Point {
        debug_assert!(index < CELLS);
        Point(index as u16)
    }

    /// The array index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column from the left, from 1.
    #[inline]
    pub const fn column(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Row from the bottom, from 1.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// Is this the pass move?
    #[inline(always)]
    pub const fn is_pass(self) -> bool {
        self.0 == 0
    }

    /// Is this a point of a board of this size (not pass, not border)?
    #[inline]
    pub const fn is_on_board(self, size: usize) -> bool {
        let (column, row) = (self.column(), self.row());
        column >= 1 && column <= size && row >= 1 && row <= size
    }

    /// The cell at an offset, for points of the board and offsets to one of its eight neighbours.
    #[inline(always)]
    pub const fn offset(self, by: isize) -> Point {
        Point((self.0 as isize + by) as u16)
    }

    /// The four orthogonal neighbours of a point of the board (border cells included).
    #[inline(always)]
    pub fn neighbors(self) -> [Point; 4] {
        ORTHOGONALS.map(|by| self.offset(by))
    }

    /// The four diagonal neighbours of a point of the board (border cells included).
    #[inline(always)]
    pub fn diagonals(self) -> [Point; 4] {
        DIAGONALS.map(|by| self.offset(by))
    }

    /// Distance to the nearest edge, 1 on the first line.
    #[inline]
    pub fn line(self, size: usize) -> usize {
        let (column, row) = (self.column(), self.row());
        column.min(row).min(size + 1 - column).min(size + 1 - row)
    }
}

/// All points of a board of this size, row by row from the bottom left.
pub fn points(size: usize) -> impl Iterator<Item = Point> + Clone {
    (1..=size).flat_map(move |row| (1..=size).map(move |column| Point::new(column, row)))
}

/// One value per cell of the board array, indexed by [`Point`] and by nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointMap<T>([T; CELLS]);

impl<T: Copy> PointMap<T> {
    /// A map that holds the same value everywhere.
    pub const fn filled(value: T) -> Self {
        PointMap([value; CELLS])
    }

    /// Copies the first cells of another map: the rows that a small board uses.
    #[inline(always)]
    pub fn copy_first(&mut self, other: &Self, cells: usize) {
        self.0[..cells].copy_from_slice(&other.0[..cells]);
    }

    /// Sets every cell to the same value.
    pub fn fill(&mut self, value: T) {
        self.0.fill(value);
    }
}

impl<T: Copy + Default> Default for PointMap<T> {
    fn default() -> Self {
        PointMap::filled(T::default())
    }
}

impl<T> Index<Point> for PointMap<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        &self.0[point.index()]
    }
}

impl<T> IndexMut<Point> for PointMap<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_rows_and_lines() {
        let point = Point::new(4, 16);
        assert_eq!((point.column(), point.row(), point.line(19)), (4, 16, 4));
        assert_eq!(point.offset(ORTHOGONALS[0]), Point::new(4, 17));
        assert_eq!(point.offset(DIAGONALS[3]), Point::new(5, 15));
        assert_eq!(points(9).count(), 81);
        assert!(points(13).all(|p| p.is_on_board(13) && p.line(13) <= 7));
        assert!(!Point::PASS.is_on_board(19) && !Point::new(10, 3).is_on_board(9));
    }
}
