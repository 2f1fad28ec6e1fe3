//! The board: stones, chains and liberties in arrays indexed by point.
//!
//! A mailbox with a border. Every stone knows the head of its chain; the head's cell of `chains`
//! holds the chain's exact liberties (see `chain.rs`); stones of a chain form a ring through
//! `next`. Empty and border cells have the sentinel head [`Point::PASS`], so that code which
//! touches "the chains of the four neighbours" needs no branch for cells without a stone.
//!
//! What always holds (checked by [`Board::check`]):
//! - every chain has a liberty; `chains[head]` counts and sums exactly the distinct ones;
//! - `shapes[p]` encodes the eight neighbours of every point p of the board;
//! - `empty[..empty_count]` lists the empty points in no particular order, `empty_index` inverts it;
//! - `hash` is the XOR of the keys of all stones;
//! - `ko` is the only point forbidden to `to_play` beyond occupation and suicide, or PASS.
//!
//! The board knows simple ko and forbids suicide. Superko, history and rule sets live in
//! [`crate::game`]. There is no undo: `copy_from` is a copy of about 9 KB.

mod chain;
mod check;
mod diagram;
mod legal;
mod liberties;
pub mod naive;
mod play;
mod score;
mod shape;

pub use check::Violation;
pub use diagram::{Diagram, DiagramError, is_star};
pub use liberties::PointList;
pub use play::Observer;
pub use shape::Shape;

use crate::types::{
    Cell, Color, ColorMap, DIAGONALS, Hash, MAX_SIZE, MIN_SIZE, ORTHOGONALS, Point, PointMap,
    STRIDE, points,
};
use chain::Chain;

/// A position: stones, who is to play, and a possible ko.
///
/// ```
/// use tengen::board::Board;
/// use tengen::types::{Color, Point};
///
/// let mut board = Board::new(9);
/// let (a1, a2) = (Point::new(1, 1), Point::new(1, 2));
/// board.play_legal(a1); // Black in the corner
/// board.play_legal(a2); // White beside it
/// assert_eq!(board.liberty_count(a1), 1);
/// assert!(board.is_stone(a2, Color::White) && board.to_play() == Color::Black);
/// ```
#[derive(Clone)]
pub struct Board {
    cells: PointMap<Cell>,
    shapes: PointMap<Shape>,
    heads: PointMap<Point>,
    next: PointMap<Point>,
    chains: PointMap<Chain>,
    empty_index: PointMap<u16>,
    empty: [Point; MAX_SIZE * MAX_SIZE],
    empty_count: u16,
    size: u8,
    to_play: Color,
    ko: Point,
    last: [Point; 4],
    stones: ColorMap<u16>,
    prisoners: ColorMap<u32>,
    moves: u32,
    hash: Hash,
}

// A copy starts every playout, so its size is part of the design.
const _: () = assert!(size_of::<Board>() <= 12 * 1024);

impl Board {
    /// An empty board, Black to play.
    ///
    /// # Panics
    /// If the size is not in 2..=19: sizes from outside are checked where they are read.
    pub fn new(size: usize) -> Board {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "board size {size} is not in 2..=19");
        let mut board = Board {
            cells: PointMap::filled(Cell::Border),
            shapes: PointMap::default(),
            heads: PointMap::filled(Point::PASS),
            next: PointMap::filled(Point::PASS),
            chains: PointMap::default(),
            empty_index: PointMap::default(),
            empty: [Point::PASS; MAX_SIZE * MAX_SIZE],
            empty_count: 0,
            size: size as u8,
            to_play: Color::Black,
            ko: Point::PASS,
            last: [Point::PASS; 4],
            stones: ColorMap::default(),
            prisoners: ColorMap::default(),
            moves: 0,
            hash: 0,
        };
        for point in points(size) {
            board.cells[point] = Cell::Empty;
            board.push_empty(point);
        }
        for point in points(size) {
            board.shapes[point] = board.compute_shape(point);
        }
        board
    }

    /// Makes this board equal to another one. Copies only the rows in use: 4 KB on 9x9, 9 KB on
    /// 19x19.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        if self.size != other.size {
            *self = other.clone();
            return;
        }
        let rows = (other.size() + 2) * STRIDE;
        let empty = other.empty_count as usize;
        self.cells.copy_first(&other.cells, rows);
        self.shapes.copy_first(&other.shapes, rows);
        self.heads.copy_first(&other.heads, rows);
        self.next.copy_first(&other.next, rows);
        self.chains.copy_first(&other.chains, rows);
        self.empty_index.copy_first(&other.empty_index, rows);
        self.empty[..empty].copy_from_slice(&other.empty[..empty]);
        self.empty_count = other.empty_count;
        self.to_play = other.to_play;
        self.ko = other.ko;
        self.last = other.last;
        self.stones = other.stones;
        self.prisoners = other.prisoners;
        self.moves = other.moves;
        self.hash = other.hash;
    }

    /// Points per side.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// All points, row by row from the bottom left.
    pub fn points(&self) -> impl Iterator<Item = Point> + Clone + use<> {
        points(self.size())
    }

    /// What a cell holds.
    #[inline(always)]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point]
    }

    /// Is this an empty point of the board?
    #[inline(always)]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point] == Cell::Empty
    }

    /// Does the cell hold a stone of this colour?
    #[inline(always)]
    pub fn is_stone(&self, point: Point, color: Color) -> bool {
        self.cells[point] as u8 == color as u8
    }

    /// The player whose turn it is.
    #[inline(always)]
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// Gives the turn to a player; if that changes it, the ko is open, as after a pass.
    pub fn set_to_play(&mut self, color: Color) {
        if self.to_play != color {
            self.to_play = color;
            self.ko = Point::PASS;
        }
    }

    /// The point where `to_play` may not retake a ko, or PASS.
    #[inline(always)]
    pub fn ko(&self) -> Point {
        self.ko
    }

    /// The last move, PASS if there is none.
    #[inline(always)]
    pub fn last_move(&self) -> Point {
        self.last[0]
    }

    /// The move before the last one, PASS if there is none.
    #[inline(always)]
    pub fn second_last_move(&self) -> Point {
        self.last[1]
    }

    /// The last four moves, the latest first; PASS where there is none.
    #[inline(always)]
    pub fn last_moves(&self) -> [Point; 4] {
        self.last
    }

    /// Moves played on this board, passes included.
    #[inline(always)]
    pub fn move_count(&self) -> usize {
        self.moves as usize
    }

    /// Stones of a colour on the board.
    #[inline(always)]
    pub fn stone_count(&self, color: Color) -> usize {
        self.stones[color] as usize
    }

    /// Stones that this colour has captured.
    #[inline(always)]
    pub fn prisoners(&self, by: Color) -> usize {
        self.prisoners[by] as usize
    }

    /// Hash of the stones (not of the player to move nor of the ko).
    #[inline(always)]
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The eight neighbours of a point.
    #[inline(always)]
    pub fn shape(&self, point: Point) -> Shape {
        self.shapes[point]
    }

    /// The empty points, in no particular order.
    #[inline(always)]
    pub fn empty_points(&self) -> &[Point] {
        &self.empty[..self.empty_count as usize]
    }

    /// Exchanges two entries of the list of empty points, for drawing without replacement.
    #[inline(always)]
    pub fn swap_empty(&mut self, i: usize, j: usize) {
        let (a, b) = (self.empty[i], self.empty[j]);
        self.empty[i] = b;
        self.empty[j] = a;
        self.empty_index[a] = j as u16;
        self.empty_index[b] = i as u16;
    }

    #[inline(always)]
    fn push_empty(&mut self, point: Point) {
        self.empty[self.empty_count as usize] = point;
        self.empty_index[point] = self.empty_count;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn remove_empty(&mut self, point: Point) {
        self.empty_count -= 1;
        let last = self.empty[self.empty_count as usize];
        let hole = self.empty_index[point];
        self.empty[hole as usize] = last;
        self.empty_index[last] = hole;
    }

    /// The shape code of a point, computed from its eight neighbours.
    fn compute_shape(&self, point: Point) -> Shape {
        let offsets = ORTHOGONALS.iter().chain(&DIAGONALS);
        let cells = offsets.map(|&by| self.cells[point.offset(by)] as u16);
        Shape(cells.enumerate().fold(0, |code, (i, cell)| code | cell << (2 * i)))
    }
}
