//! Opening moves in the corners that every player knows: joseki, as sequences.
//!
//! A corner whose stones are exactly those after some moves of a sequence suggests the next move of it, in
//! whatever order the stones came and whichever way the corner lies.

use crate::board::Board;
use crate::types::Point;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Points along each side of a corner that must be as in the sequence; moves beyond are only suggested.
const REACH: usize = 8;
/// Smaller boards have no room for corners of their own.
const SMALLEST: usize = 13;

/// Moves as column and row from the corner, in one digit each with 0 for 10; the players take turns, and
/// `--` is a move elsewhere.
const SEQUENCES: [&str; 35] = [
    // The star point: knight's approach; answers by a knight's move or a jump, the slide, the extension.
    "44 63 36 42 33 93",
    "44 63 46 42 33 93",
    "44 63 36 93",
    "44 63 46 93",
    "44 63 46 04",
    "44 63 36 -- 53",
    "44 63 46 -- 53",
    // The kick.
    "44 63 53 64 36",
    "44 63 53 64 46",
    // Pincers and the invasion below.
    "44 63 93 33 43 34 45",
    "44 63 83 33 43 34 45",
    "44 63 94 33 43 34 45",
    "44 63 84",
    // Both sides approached, and the attachment to one.
    "44 63 -- 36 46 47 56",
    "44 63 64 74 65 53",
    // The invasion at 3-3.
    "44 33 43 34 35 25 26",
    // Enclosures of the star point.
    "44 -- 63",
    "44 -- 64",
    "44 -- 73",
    // The 3-4 point: the high approach, attachment inside and outside, jump and pincer.
    "43 45 35 36 34 46 63 30",
    "43 45 35 36 34 47 63 30",
    "43 45 55 56 65",
    "43 45 64",
    "43 45 48",
    // The low approach: the diagonal move and pincers.
    "43 35 54 39",
    "43 35 38 54 53 64",
    "43 35 39",
    "43 35 48",
    "43 35 49",
    // Distant approaches.
    "43 36",
    "43 46",
    // Enclosures of the 3-4 point.
    "43 -- 35",
    "43 -- 36",
    "43 -- 45",
    // The 3-3 point: the shoulder hit.
    "33 44 34",
];

/// The stones of a corner: two bits a point, 1 for the player to move.
type Corner = u128;

static BOOK: LazyLock<HashMap<Corner, Vec<(usize, usize)>>> = LazyLock::new(|| {
    let mut book: HashMap<Corner, Vec<(usize, usize)>> = HashMap::new();
    for sequence in SEQUENCES {
        let mut stones: Vec<(usize, usize, usize)> = Vec::new();
        for (number, text) in sequence.split(' ').enumerate() {
            let Some((column, row)) = read(text) else { continue };
            let player = number % 2;
            if !stones.is_empty() {
                let inside = stones.iter().filter(|s| s.0 <= REACH && s.1 <= REACH);
                let corner = inside.fold(0, |corner, &(column, row, owner)| {
                    corner | bits(column, row, owner == player)
                });
                let moves = book.entry(corner).or_default();
                if !moves.contains(&(column, row)) {
                    moves.push((column, row));
                }
            }
            stones.push((column, row, player));
        }
    }
    book
});

fn read(text: &str) -> Option<(usize, usize)> {
    let digit = |c: char| c.to_digit(10).map(|d| if d == 0 { 10 } else { d as usize });
    let mut digits = text.chars();
    Some((digit(digits.next()?)?, digit(digits.next()?)?))
}

fn bits(column: usize, row: usize, own: bool) -> Corner {
    (if own { 1 } else { 2 }) << (2 * ((row - 1) * REACH + column - 1))
}

/// Calls a function with the moves that the sequences suggest to the player to move, and whether each is
/// the first of its corner, and whether the last move was played there; those of a symmetric corner come twice.
pub(super) fn suggest(board: &Board, mut suggest: impl FnMut(Point, bool, bool)) {
    let size = board.size();
    if size < SMALLEST {
        return;
    }
    for symmetry in 0..8 {
        let at = |column: usize, row: usize| {
            let (x, y) = if symmetry & 4 == 0 { (column, row) } else { (row, column) };
            let turn = |n: usize, flip: bool| if flip { size + 1 - n } else { n };
            Point::new(turn(x, symmetry & 1 != 0), turn(y, symmetry & 2 != 0))
        };
        let mut corner: Corner = 0;
        let mut answers = false;
        for row in 1..=REACH {
            for column in 1..=REACH {
                answers |= at(column, row) == board.last_move();
                if let Some(color) = board.cell(at(column, row)).color() {
                    corner |= bits(column, row, color == board.to_play());
                }
            }
        }
        if corner != 0
            && let Some(moves) = BOOK.get(&corner)
        {
            for (i, &(column, row)) in moves.iter().enumerate() {
                suggest(at(column, row), i == 0, answers);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;

    /// The moves suggested after these stones, first ones first, each once.
    fn after(size: usize, stones: &[(Color, usize, usize)], to_play: Color) -> Vec<Point> {
        let mut board = Board::new(size);
        for &(color, column, row) in stones {
            board.put_setup_stone(color, Point::new(column, row));
        }
        board.set_to_play(to_play);
        let mut moves = Vec::new();
        suggest(&board, |point, first, _| moves.push((!first, point)));
        moves.sort();
        moves.dedup();
        moves.into_iter().map(|(_, point)| point).collect()
    }

    #[test]
    fn every_sequence_is_read_to_its_end_and_stays_on_the_board() {
        for sequence in SEQUENCES {
            let mut seen = Vec::new();
            for text in sequence.split(' ').filter(|text| *text != "--") {
                let point = read(text).expect(sequence);
                assert!(point.0 <= 10 && point.1 <= 10 && !seen.contains(&point), "{sequence}");
                seen.push(point);
            }
        }
    }

    #[test]
    fn the_slide_is_answered_in_any_corner_and_order() {
        let (b, w) = (Color::Black, Color::White);
        let corner = [(b, 4, 4), (w, 6, 3), (b, 3, 6), (w, 4, 2)];
        assert_eq!(after(19, &corner, b), [Point::new(3, 3)]);
        let turned = corner.map(|(color, column, row)| (!color, 20 - row, 20 - column));
        assert_eq!(after(19, &turned, w), [Point::new(17, 17)]);
        let elsewhere = [&corner[..], &[(b, 16, 16)]].concat();
        assert!(after(19, &elsewhere, b).contains(&Point::new(3, 3)));
    }

    #[test]
    fn a_disturbed_corner_and_a_small_board_suggest_nothing() {
        let (b, w) = (Color::Black, Color::White);
        assert!(after(19, &[], b).is_empty());
        assert!(after(19, &[(b, 4, 4), (w, 6, 3), (w, 2, 2)], b).is_empty());
        assert!(after(9, &[(b, 4, 4)], w).is_empty());
        assert!(!after(13, &[(b, 4, 4)], w).is_empty());
    }
}
