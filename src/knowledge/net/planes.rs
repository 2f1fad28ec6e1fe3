//! What the network sees: planes of points that are marked or not, from the side of the player to move.
//!
//! Komi is not among them: the network judges the margin on the board, and the winrate follows for
//! any komi. Two things are told that a small network cannot see for itself: which chains a ladder
//! catches, and which moves the model of moves expects. Planes have names, and a network's file says
//! which ones it was trained with, so that the table may grow without making old files useless.

use crate::board::Board;
use crate::tactics::Reader;
use crate::types::{Cell, Point, PointMap};

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
    "own stone, in atari and lost",
    "own stone, caught by a ladder",
    "other stone, in atari and lost",
    "other stone, caught by a ladder",
    "expected, 30 %",
    "expected, 10 %",
    "expected, 3 %",
    "expected, 1 %",
];
/// How many there are: a multiple of the lanes.
pub const COUNT: usize = 24;

/// Bits of the planes that are set at a point.
pub type Marks = u32;

/// The probabilities that the model of moves gives to the moves of a position, the pass included.
pub type Expected = PointMap<f32>;

const LAST_MOVE: usize = 8;
const KO: usize = 11;
const BOARD: usize = 12;
const OWN_SELF_ATARI: usize = 13;
const OTHER_SELF_ATARI: usize = 14;
const LEGAL: usize = 15;
const LADDERS: usize = 16;
const EXPECTED: usize = 20;
/// From which probability on the planes of expected moves are set.
const LEAST: [f32; 4] = [0.3, 0.1, 0.03, 0.01];

/// Looks at positions. Has room to read ladders in; one for each thread.
#[derive(Clone, Default, Debug)]
pub struct Viewer {
    reader: Reader,
    ladders: PointMap<Marks>,
}

impl Viewer {
    /// Calls `see` with every point of the board and the planes that are set there, row by row from
    /// the bottom left. Without a model of moves nothing is expected.
    pub fn look(
        &mut self,
        board: &Board,
        expected: Option<&Expected>,
        mut see: impl FnMut(Point, Marks),
    ) {
        self.read_ladders(board);
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
                    let probability = expected.map_or(0.0, |expected| expected[point]);
                    for (plane, least) in LEAST.iter().enumerate() {
                        let set = legal && probability >= *least;
                        marks |= Marks::from(set) << (EXPECTED + plane);
                    }
                }
                _ => {
                    let side = if board.is_stone(point, own) { 0 } else { 4 };
                    let liberties = board.liberty_count(point).clamp(1, 4) as usize;
                    marks |= 1 << (side + liberties - 1);
                    marks |= self.ladders[board.head(point)];
                }
            }
            for (age, played) in [last, second, third].into_iter().enumerate() {
                marks |= Marks::from(played == point) << (LAST_MOVE + age);
            }
            see(point, marks);
        }
    }

    /// Which chains are lost, or would be caught by a ladder; kept at their heads.
    fn read_ladders(&mut self, board: &Board) {
        for head in board.points().filter(|&point| board.head(point) == point) {
            let plane = LADDERS + if board.is_stone(head, board.to_play()) { 0 } else { 2 };
            self.ladders[head] = match board.liberty_count(head) {
                1 => Marks::from(self.reader.is_lost(board, head)) << plane,
                2 => {
                    let caught = self.reader.capture_by_ladder(board, head).is_some();
                    Marks::from(caught) << (plane + 1)
                }
                _ => 0,
            };
        }
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
        Viewer::default().look(board, None, |point, marks| {
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
        assert_eq!(at(1, 1), ["own stone, 1 liberty", "board", "own stone, in atari and lost"]);
        let caught = "other stone, caught by a ladder"; // along the border
        assert_eq!(at(1, 2), ["other stone, 2 liberties", "third last move", "board", caught]);
        assert_eq!(at(4, 4), ["own stone, 4 or more liberties", "second last move", "board"]);
        assert_eq!(at(7, 7)[..3], ["other stone, 2 liberties", "last move", "board"]);
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

    #[test]
    fn ladders_and_expected_moves_are_told() {
        let diagram = "
            . . . . . . .
            . . . . . . .
            . . . X . . .
            . . X O . . .
            . . . X . . .
            . . . . . . .
            . . . . . . .";
        let mut board = Diagram::parse(diagram).unwrap().board;
        let stone = Point::new(4, 4);
        board.set_to_play(Color::White);
        let seen = marks_at(&board, stone);
        assert_eq!(seen, ["own stone, 1 liberty", "board"], "it can extend to three liberties");
        board.set_to_play(Color::Black);
        board.play_legal(Point::new(5, 3));
        let seen = marks_at(&board, stone);
        assert!(seen.contains(&"own stone, in atari and lost"), "{seen:?}");

        let mut expected = Expected::filled(0.0);
        expected[Point::new(1, 1)] = 0.05;
        expected[stone] = 0.9; // not empty: never expected
        let mut found = vec![];
        Viewer::default().look(&board, Some(&expected), |point, marks| {
            if marks >> EXPECTED != 0 {
                found.push((point, marks >> EXPECTED));
            }
        });
        assert_eq!(found, [(Point::new(1, 1), 0b1100)]);
    }
}
