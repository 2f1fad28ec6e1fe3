//! What is around a point: the words in which `hand` describes a move.

use crate::board::Board;
use crate::types::{Cell, Color, Point, PointMap};

/// Distance from which on a move is not near another.
pub(super) const FAR: usize = 17;
/// Distance of two points that touch; diagonal ones are one farther.
pub(super) const TOUCHING: usize = 2;
/// How many lines a stone's influence reaches.
const REACH: usize = 4;

/// The share of the board's points with a stone.
pub(super) fn fullness(board: &Board) -> f64 {
    let stones = board.stone_count(Color::Black) + board.stone_count(Color::White);
    stones as f64 / (board.size() * board.size()) as f64
}

/// |dx| + |dy| + max, at most [`FAR`]; that is also the distance to a pass.
pub(super) fn distance(a: Point, b: Point) -> usize {
    if b.is_pass() {
        return FAR;
    }
    let (dx, dy) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
    (dx + dy + dx.max(dy)).min(FAR)
}

/// Whose stones are near, positive for Black: each counts 1, and half as much with every line that it is
/// farther away.
pub(super) fn influence(board: &Board) -> PointMap<f32> {
    let mut influence = PointMap::filled(0.0);
    for stone in board.points() {
        if let Some(color) = board.cell(stone).color() {
            for (point, lines) in within(board, stone, REACH) {
                influence[point] += color.sign() as f32 * 0.5f32.powi(lines as i32);
            }
        }
    }
    influence
}

/// The points of the board within so many lines of a point, each with how many: steps along lines.
pub(super) fn within(
    board: &Board,
    center: Point,
    reach: usize,
) -> impl Iterator<Item = (Point, usize)> {
    let size = board.size();
    let range = move |n: usize, by: usize| n.saturating_sub(by).max(1)..=(n + by).min(size);
    range(center.row(), reach).flat_map(move |row| {
        let rows = row.abs_diff(center.row());
        range(center.column(), reach - rows)
            .map(move |column| (Point::new(column, row), rows + column.abs_diff(center.column())))
    })
}

/// The points of the board within so many lines of a point, diagonals counted as one.
pub(super) fn square(board: &Board, center: Point, reach: usize) -> impl Iterator<Item = Point> {
    let size = board.size();
    let range = move |n: usize| n.saturating_sub(reach).max(1)..=(n + reach).min(size);
    range(center.row())
        .flat_map(move |row| range(center.column()).map(move |column| Point::new(column, row)))
}

/// Lines to the nearest stone, diagonals counted as one; three means three or more.
pub(super) fn nearest_stone(board: &Board, point: Point) -> usize {
    let is_free = |by: usize| square(board, point, by).all(|p| board.is_empty(p));
    (1..=2).find(|&by| !is_free(by)).unwrap_or(3)
}

/// Stones of one colour beside a point.
#[derive(Default)]
pub(super) struct Side {
    pub(super) stones: u32,
    pub(super) chains: u32,
    /// Stones on the diagonals.
    pub(super) diagonal: u32,
    /// Liberties of the chain that has fewest.
    pub(super) liberties: u32,
}

impl Side {
    fn new(board: &Board, point: Point, color: Color) -> Side {
        let mut side = Side { liberties: u32::MAX, ..Side::default() };
        let neighbors = point.neighbors();
        for (i, &neighbor) in neighbors.iter().enumerate() {
            if board.is_stone(neighbor, color) {
                let head = board.head(neighbor);
                let known = |&&p: &&Point| board.is_stone(p, color) && board.head(p) == head;
                side.stones += 1;
                side.chains += u32::from(neighbors[..i].iter().find(known).is_none());
                side.liberties = side.liberties.min(board.liberty_count(neighbor));
            }
        }
        let diagonals = point.diagonals().into_iter();
        side.diagonal = diagonals.filter(|&p| board.is_stone(p, color)).count() as u32;
        side
    }
}

/// A point and the stones beside it.
pub(super) struct Around {
    pub(super) point: Point,
    pub(super) own: Side,
    pub(super) enemy: Side,
}

impl Around {
    pub(super) fn new(board: &Board, point: Point) -> Around {
        let [own, enemy] = [board.to_play(), board.to_play().opponent()]
            .map(|color| Side::new(board, point, color));
        Around { point, own, enemy }
    }

    /// Is one of the opponent's stones among the eight points around?
    pub(super) fn is_watched(&self) -> bool {
        self.enemy.stones + self.enemy.diagonal > 0
    }

    pub(super) fn is_touching(&self) -> bool {
        self.own.stones + self.enemy.stones > 0
    }
}

/// What is seen from an empty point over empty ones.
pub(super) struct Seen {
    /// Two points away.
    pub(super) jump: [Cell; 4],
    /// Three points away.
    pub(super) long_jump: [Cell; 4],
    /// A knight's move away.
    pub(super) keima: [Cell; 8],
    /// A large knight's move away.
    pub(super) large_keima: [Cell; 8],
    /// Two points away in both directions.
    pub(super) diagonal_jump: [Cell; 4],
}

impl Seen {
    pub(super) fn from(board: &Board, point: Point) -> Seen {
        let size = board.size() as isize;
        let (column, row) = (point.column() as isize, point.row() as isize);
        let at = |dx: isize, dy: isize| {
            let (column, row) = (column + dx, row + dy);
            let inside = (1..=size).contains(&column) && (1..=size).contains(&row);
            if inside {
                board.cell(Point::new(column as usize, row as usize))
            } else {
                Cell::Border
            }
        };
        let is_free = |dx, dy| at(dx, dy) == Cell::Empty;
        let mut seen = Seen {
            jump: [Cell::Empty; 4],
            long_jump: [Cell::Empty; 4],
            keima: [Cell::Empty; 8],
            large_keima: [Cell::Empty; 8],
            diagonal_jump: [Cell::Empty; 4],
        };
        for (i, (dx, dy)) in [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().enumerate() {
            if is_free(dx, dy) && (is_free(2 * dx, dy) || is_free(dx, 2 * dy)) {
                seen.diagonal_jump[i] = at(2 * dx, 2 * dy);
            }
        }
        for (i, (dx, dy)) in [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().enumerate() {
            if !is_free(dx, dy) {
                continue;
            }
            seen.jump[i] = at(2 * dx, 2 * dy);
            if seen.jump[i] == Cell::Empty {
                seen.long_jump[i] = at(3 * dx, 3 * dy);
            }
            for (side, (sx, sy)) in [(dy, dx), (-dy, -dx)].into_iter().enumerate() {
                if is_free(sx, sy) && is_free(dx + sx, dy + sy) {
                    seen.keima[2 * i + side] = at(2 * dx + sx, 2 * dy + sy);
                    if seen.keima[2 * i + side] == Cell::Empty && is_free(2 * dx, 2 * dy) {
                        seen.large_keima[2 * i + side] = at(3 * dx + sx, 3 * dy + sy);
                    }
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    fn diagram() -> Diagram {
        Diagram::parse(
            ". . . . . . .
             . . X . . O .
             . . . a . . .
             . X . . O . .
             . X b O . . .
             . . c X . . .
             . . . . . . .",
        )
        .unwrap()
    }

    #[test]
    fn distances_grow_with_both_coordinates() {
        let from = Point::new(3, 3);
        let to = |column, row| distance(from, Point::new(column, row));
        assert_eq!((to(3, 4), to(4, 4), to(5, 3), to(5, 4)), (TOUCHING, TOUCHING + 1, 4, 5));
        assert_eq!((to(19, 19), distance(from, Point::PASS)), (FAR, FAR));
    }

    #[test]
    fn the_stones_beside_a_point_are_counted() {
        let diagram = diagram();
        let b = Around::new(&diagram.board, diagram.mark('b'));
        assert_eq!((b.own.stones, b.own.chains, b.own.diagonal), (1, 1, 2));
        assert_eq!((b.enemy.stones, b.enemy.liberties, b.enemy.diagonal), (1, 3, 0));
        let c = Around::new(&diagram.board, diagram.mark('c'));
        assert_eq!((c.own.stones, c.own.chains, c.enemy.stones), (1, 1, 0));
        assert!(b.is_touching() && b.is_watched() && c.is_watched());
    }

    #[test]
    fn jumps_and_knights_moves_are_seen_over_empty_points() {
        let diagram = diagram();
        let seen = Seen::from(&diagram.board, diagram.mark('a'));
        let count = |cells: &[Cell], cell| cells.iter().filter(|&&c| c == cell).count();
        assert_eq!((count(&seen.jump, Cell::White), count(&seen.jump, Cell::Black)), (1, 0));
        // F6 directly; B4 only by the way over C5, as its other way is over C4 as well.
        assert_eq!((count(&seen.keima, Cell::White), count(&seen.keima, Cell::Black)), (1, 1));
        assert_eq!(count(&seen.long_jump, Cell::Empty) + count(&seen.long_jump, Cell::Border), 4);
    }

    #[test]
    fn influence_halves_with_distance_and_cancels_out() {
        let mut board = Board::new(9);
        board.play_legal(Point::new(3, 3));
        assert_eq!(influence(&board)[Point::new(4, 4)], 0.25);
        board.play_legal(Point::new(5, 5));
        let both = influence(&board);
        assert_eq!((both[Point::new(4, 4)], both[Point::new(1, 3)]), (0.0, 0.25));
        assert_eq!(nearest_stone(&board, Point::new(4, 4)), 1);
        assert_eq!(nearest_stone(&board, Point::new(1, 1)), 2);
        assert_eq!(nearest_stone(&board, Point::new(9, 9)), 3);
        assert!((fullness(&board) - 2.0 / 81.0).abs() < 1e-9);
    }
}
