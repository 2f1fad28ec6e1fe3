//! What the features of all moves of one position share, computed once per position.

use super::diamond::{MAX_DIAMOND, PADDED_CELLS, PADDED_STRIDE, REACH, cell};
use super::spread::{self, MAX_NEAREST};
use crate::board::Board;
use crate::tactics::{self, FAR, Reader};
use crate::types::{CELLS, Color, MAX_SIZE, Point, PointMap, is_small};

/// Common-fate distances are counted up to here.
pub const MAX_PATH: u8 = 10;

/// What a weak chain's tactics are, stored at its head.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tactics {
    /// In atari, but its owner could still save it by playing first.
    pub escapes: bool,
    /// In atari, and its capture would rescue a chain of the player to move.
    pub rescues: bool,
    /// With two liberties: points where the enemy's atari catches it in a ladder.
    pub caught_at: [Point; 2],
    /// The last move is next to it.
    pub touched: bool,
    /// With four liberties or less: those of the weakest chain of the other colour next to it, up to
    /// five; 0 for none.
    pub rival: u8,
}

/// The nearest stones along one edge, seen from a place on it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Side {
    /// Bucket of the nearest stone towards lower and towards higher coordinates (see `SIDE`).
    pub nearest: [u8; 2],
}

/// Value of [`Side::nearest`] when the edge is free as far as one looks.
pub const SIDE_NONE: u8 = 10;

/// Everything about a position that several moves ask for.
#[derive(Clone)]
pub struct Scan {
    /// Who moves.
    pub color: Color,
    /// Points per side.
    pub size: usize,
    /// Twelfth of the usual length of a game.
    pub phase: usize,
    /// Opening, middle game or endgame.
    pub stage: usize,
    /// The last move, if it still stands on the board.
    pub last: Option<Point>,
    /// The move before it.
    pub second_last: Option<Point>,
    /// The move before that.
    pub third_last: Option<Point>,
    /// Cells for the diamond patterns.
    pub cells: Box<[u8; PADDED_CELLS]>,
    /// Common-fate distance to the last move.
    pub last_path: PointMap<u8>,
    /// Common-fate distance to the move before the last one.
    pub second_path: PointMap<u8>,
    /// Steps to the nearest own stone.
    pub own_steps: [u8; CELLS],
    /// Steps to the nearest enemy stone.
    pub enemy_steps: [u8; CELLS],
    /// Influence, positive for the player to move.
    pub influence: [i16; CELLS],
    /// Tactics of weak chains, at their heads.
    pub tactics: PointMap<Tactics>,
    /// For each edge (left, right, bottom, top) and place along it.
    pub sides: [[Side; MAX_SIZE + 1]; 4],
    /// For each corner (bottom left, bottom right, top left, top right): has it no stone?
    pub empty_corners: [bool; 4],
    /// Liberties of the last move's chain and of the weakest own chain it touches (0: none).
    pub last_liberties: u32,
    /// Liberties of the weakest own chain the last move touches; 0 if it touches none.
    pub touched_liberties: u32,
    padded_size: usize,
    ladders: Reader,
}

impl Default for Scan {
    fn default() -> Self {
        Scan {
            color: Color::Black,
            size: 0,
            phase: 0,
            stage: 0,
            last: None,
            second_last: None,
            third_last: None,
            cells: Box::new([cell::BORDER; PADDED_CELLS]),
            last_path: PointMap::filled(FAR),
            second_path: PointMap::filled(FAR),
            own_steps: [MAX_NEAREST; CELLS],
            enemy_steps: [MAX_NEAREST; CELLS],
            influence: [0; CELLS],
            tactics: PointMap::filled(Tactics::default()),
            sides: [[Side::default(); MAX_SIZE + 1]; 4],
            empty_corners: [false; 4],
            last_liberties: 0,
            touched_liberties: 0,
            padded_size: 0,
            ladders: Reader::new(),
        }
    }
}

/// The place of a point on the padded board.
#[inline(always)]
pub fn padded(point: Point) -> usize {
    (point.row() + REACH) * PADDED_STRIDE + point.column() + REACH
}

impl Scan {
    /// Looks at a position from the side of the player to move.
    pub fn look(&mut self, board: &Board) {
        self.look_at_shapes(board);
        let path = |from| tactics::common_fate_distance(board, from, MAX_PATH - 1);
        self.last_path = path(board.last_move());
        self.second_path = path(board.second_last_move());
        self.own_steps = spread::steps(board, self.color);
        self.enemy_steps = spread::steps(board, self.color.opponent());
        self.influence = spread::influence(board, self.color);
        self.read_tactics(board);
        self.look_along_sides(board);
        self.look_into_corners(board);
    }

    /// The largest pattern worth growing: on a small board one of size 10, five points far, sees
    /// nearly all there is, and larger ones cost as much as the rest of the model.
    pub fn largest_diamond(&self) -> usize {
        if is_small(self.size) { 10 } else { MAX_DIAMOND }
    }

    /// Looks at the stones only: enough for patterns.
    pub fn look_at_shapes(&mut self, board: &Board) {
        self.color = board.to_play();
        self.size = board.size();
        let area = self.size * self.size;
        let stones = area - board.empty_points().len();
        self.phase = (stones * 361 / area / 25).min(11);
        self.stage = match self.phase {
            0..2 => 0,
            2..6 => 1,
            _ => 2,
        };
        let standing = |point: Point| (!point.is_pass() && !board.is_empty(point)).then_some(point);
        self.last = standing(board.last_move());
        self.second_last = standing(board.second_last_move());
        self.third_last = standing(board.last_moves()[2]);
        self.fill_cells(board);
    }

    fn fill_cells(&mut self, board: &Board) {
        if self.padded_size != self.size {
            self.cells.fill(cell::BORDER);
            self.padded_size = self.size;
        }
        for point in board.points() {
            let state = match board.cell(point).color() {
                None => cell::EMPTY,
                Some(color) => {
                    let own = if color == self.color { cell::OWN } else { cell::ENEMY };
                    own | match board.liberty_count(point) {
                        1 => cell::ONE_LIBERTY,
                        2 => cell::TWO_LIBERTIES,
                        _ => 0,
                    }
                }
            };
            self.cells[padded(point)] = state;
        }
    }

    fn read_tactics(&mut self, board: &Board) {
        let last = board.last_move();
        let touched = if last.is_pass() { [Point::PASS; 4] } else { last.neighbors() };
        self.last_liberties = self.last.map_or(0, |last| board.liberty_count(last));
        self.touched_liberties = 0;
        // Heads of chains move when chains merge, so every head is reset before it is judged.
        for point in board.points() {
            let head = board.head(point);
            if head == point {
                self.tactics[head] = Tactics::default();
            }
        }
        for point in board.points() {
            if board.head(point) != point {
                continue;
            }
            let own = board.is_stone(point, self.color);
            if board.liberty_count(point) < 5 {
                self.tactics[point].rival = weakest_rival(board, point);
            }
            match board.liberty_count(point) {
                1 => {
                    self.tactics[point].escapes = !self.ladders.is_lost(board, point);
                    if own {
                        self.mark_rescues(board, point);
                    }
                }
                2 => {
                    let liberties = board.two_liberties(point);
                    let ladders = &mut self.ladders;
                    self.tactics[point].caught_at = liberties.map(|at| {
                        if ladders.is_caught(board, point, at) { at } else { Point::PASS }
                    });
                }
                _ => {}
            }
        }
        for neighbor in touched {
            if !last.is_pass() && board.is_stone(neighbor, self.color) {
                self.tactics[board.head(neighbor)].touched = true;
                let liberties = board.liberty_count(neighbor);
                if self.touched_liberties == 0 || liberties < self.touched_liberties {
                    self.touched_liberties = liberties;
                }
            }
        }
    }

    /// The enemy chains in atari around an own chain in atari: capturing one rescues it.
    fn mark_rescues(&mut self, board: &Board, chain: Point) {
        let enemy = self.color.opponent();
        for stone in board.chain(chain) {
            for neighbor in stone.neighbors() {
                if board.is_stone(neighbor, enemy) && board.is_in_atari(neighbor) {
                    self.tactics[board.head(neighbor)].rescues = true;
                }
            }
        }
    }

    fn look_along_sides(&mut self, board: &Board) {
        let size = self.size;
        for edge in 0..4 {
            // The stone that a look along the edge meets at each place: on line 3 or 4, or else on
            // line 2 or 5.
            let mut stones = [None; MAX_SIZE + 1];
            for (place, stone) in stones.iter_mut().enumerate().take(size + 1).skip(1) {
                *stone = [3, 4, 2, 5]
                    .into_iter()
                    .filter(|&line| line <= size)
                    .find_map(|line| board.cell(edge_point(edge, place, line, size)).color());
            }
            for direction in 0..2 {
                let mut distance = 0;
                let mut nearest = None;
                for step in 1..=size {
                    let place = if direction == 0 { step } else { size + 1 - step };
                    self.sides[edge][place].nearest[direction] =
                        self.side_bucket(nearest, distance);
                    distance += 1;
                    if stones[place].is_some() {
                        (nearest, distance) = (stones[place], 1);
                    }
                }
            }
        }
    }

    fn side_bucket(&self, nearest: Option<Color>, distance: usize) -> u8 {
        let Some(color) = nearest else { return SIDE_NONE };
        let bucket = match distance {
            0..=2 => 0,
            3 => 1,
            4 => 2,
            5..=6 => 3,
            7..=10 => 4,
            _ => return SIDE_NONE,
        };
        if color == self.color { bucket } else { bucket + 5 }
    }

    fn look_into_corners(&mut self, board: &Board) {
        let reach = self.corner_reach();
        for corner in 0..4 {
            let (right, top) = (corner & 1 == 1, corner & 2 == 2);
            let place = |near: usize, far: bool| if far { self.size + 1 - near } else { near };
            self.empty_corners[corner] = (1..=reach).all(|row| {
                (1..=reach)
                    .all(|column| board.is_empty(Point::new(place(column, right), place(row, top))))
            });
        }
    }

    /// How far a corner reaches: seven lines on the large boards.
    pub fn corner_reach(&self) -> usize {
        if self.size >= 13 { 7 } else { (self.size / 2).max(1) }
    }
}

/// Liberties of the weakest chain of the other colour that touches a chain, up to five; 0 for none.
fn weakest_rival(board: &Board, chain: Point) -> u8 {
    let Some(color) = board.cell(chain).color() else { return 0 };
    let mut weakest = u32::MAX;
    for stone in board.chain(chain) {
        for neighbor in stone.neighbors() {
            if board.is_stone(neighbor, color.opponent()) {
                weakest = weakest.min(board.liberty_count(neighbor));
            }
        }
    }
    if weakest == u32::MAX { 0 } else { weakest.min(5) as u8 }
}

/// The point on a line above an edge (left, right, bottom, top) at a place along it.
fn edge_point(edge: usize, place: usize, line: usize, size: usize) -> Point {
    match edge {
        0 => Point::new(line, place),
        1 => Point::new(size + 1 - line, place),
        2 => Point::new(place, line),
        _ => Point::new(place, size + 1 - line),
    }
}
