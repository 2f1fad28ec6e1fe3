//! What the network sees: one number per plane and point, from the side of the player to move.
//!
//! Komi is not among them: the network judges the margin on the board, and the winrate follows for
//! any komi. Planes have names, and a network's file says which ones it was trained with, so that
//! the table may grow without making old files useless.

use crate::board::Board;
use crate::types::{Cell, Point};

/// The planes, by the names that stand in files.
pub const NAMES: [&str; COUNT] = [
    "own stone, 1 liberty",
    "own stone, 2 liberties",
    "own stone, 3 liberties",
    "own stone, 4 or more liberties",
    "other stone, 1 liberty",
    "other stone, 2 liberties",
    "other stone, 3 liberties",
    "other stone, 4 or more liberties",
    "last move",
    "second last move",
    "third last move",
    "ko",
    "board",
    "own self-atari or suicide",
    "other self-atari or suicide",
    "legal",
];
/// How many there are: a multiple of the lanes.
pub const COUNT: usize = 16;

/// Bits of the planes that are set at a point.
pub type Marks = u16;

const LAST_MOVE: usize = 8;
const KO: usize = 11;
const BOARD: usize = 12;
const OWN_SELF_ATARI: usize = 13;
const OTHER_SELF_ATARI: usize = 14;
const LEGAL: usize = 15;

/// Calls `see` with every point of the board and the planes that are set there, row by row from
/// the bottom left.
pub fn look(board: &Board, mut see: impl FnMut(Point, Marks)) {
    let own = board.to_play();
    let [last, second, third, _] = board.last_moves();
    for point in board.points() {
        let mut marks: Marks = 1 << BOARD;
        match board.cell(point) {
            Cell::Empty => {
                let legal = board.is_legal(own, point);
                marks |= Marks::from(legal) << LEGAL;
                marks |= Marks::from(board.is_self_atari(own, point)) << OWN_SELF_ATARI;
                let other = board.is_self_atari(own.opponent(), point);
                marks |= Marks::from(other) << OTHER_SELF_ATARI;
                marks |= Marks::from(point == board.ko()) << KO;
            }
            _ => {
                let side = if board.is_stone(point, own) { 0 } else { 4 };
                let liberties = board.liberty_count(point).clamp(1, 4) as usize;
                marks |= 1 << (side + liberties - 1);
            }
        }
        for (age, played) in [last, second, third].into_iter().enumerate() {
            marks |= Marks::from(played == point) << (LAST_MOVE + age);
        }
        see(point, marks);
    }
}

/// Are these the marks of a point where the player to move may play?
pub fn is_legal(marks: Marks) -> bool {
    marks >> LEGAL & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::types::Color;

    fn marks_at(board: &Board, at: Point) -> Vec<&'static str> {
        let mut found = vec![];
        look(board, |point, marks| {
            if point == at {
                let set = NAMES.iter().enumerate().filter(|(plane, _)| marks >> plane & 1 == 1);
                found = set.map(|(_, &name)| name).collect();
            }
        });
        found
    }

    #[test]
    fn stones_moves_and_dangers_are_seen() {
        let mut board = Board::new(7);
        for (column, row) in [(1, 1), (1, 2), (4, 4), (7, 7)] {
            board.play_legal(Point::new(column, row));
        }
        assert_eq!(board.to_play(), Color::Black);
        let at = |column, row| marks_at(&board, Point::new(column, row));
        assert_eq!(at(1, 1), ["own stone, 1 liberty", "board"]);
        assert_eq!(at(1, 2), ["other stone, 2 liberties", "third last move", "board"]);
        assert_eq!(at(4, 4), ["own stone, 4 or more liberties", "second last move", "board"]);
        assert_eq!(at(7, 7), ["other stone, 2 liberties", "last move", "board"]);
        assert_eq!(at(5, 6), ["board", "legal"]);
        assert_eq!(at(2, 1), ["board", "legal"]);
        board.play_legal(Point::new(5, 5));
        board.play_legal(Point::new(2, 2));
        let at = |column, row| marks_at(&board, Point::new(column, row));
        assert_eq!(at(2, 1), ["board", "own self-atari or suicide", "legal"]);
    }

    #[test]
    fn a_ko_is_seen_and_not_legal() {
        let diagram = "
            . . . . . . .
            . . . . . . .
            . . . X O . .
            . . X . X O .
            . . . X O . .
            . . . . . . .
            . . . . . . .";
        let mut board = Diagram::parse(diagram).unwrap().board;
        board.set_to_play(Color::White);
        let ko = Point::new(4, 4);
        board.play_legal(ko);
        assert_eq!(board.ko(), Point::new(5, 4));
        let seen = marks_at(&board, board.ko());
        assert!(seen.contains(&"ko") && !seen.contains(&"legal"), "{seen:?}");
    }
}
