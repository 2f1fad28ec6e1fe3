//! Chains in atari: capturing them and saving them.

use super::{Candidates, Reader};
use crate::board::Board;
use crate::types::{Color, Point};

/// Where an opponent's chain in atari is captured, if the capture is legal now.
#[inline]
pub fn capture_point(board: &Board, stone: Point) -> Option<Point> {
    let color = board.cell(stone).color()?.opponent();
    let point = board.atari_liberty(stone);
    board.is_legal(color, point).then_some(point)
}

/// Adds the moves that save the chain in atari at `stone`: captures of attackers that are in
/// atari, and the extension unless it stays in atari or runs into a ladder.
pub fn saves(board: &Board, stone: Point, reader: &mut Reader, moves: &mut Candidates) {
    let Some(color) = board.cell(stone).color() else {
        return;
    };
    let liberty = board.atari_liberty(stone);
    add_counter_captures(board, stone, color, moves);
    if !board.is_legal(color, liberty) {
        return;
    }
    let after = board.liberties_after::<3>(color, liberty).len();
    if after >= 3 || after == 2 && !reader.is_extension_lost(board, stone) {
        moves.insert(liberty);
    }
}

/// Adds the moves that capture a neighbour of a chain which is in atari itself.
pub(super) fn add_counter_captures(
    board: &Board,
    stone: Point,
    color: Color,
    moves: &mut Candidates,
) {
    for stone in board.chain(stone) {
        for neighbor in stone.neighbors() {
            if board.is_stone(neighbor, color.opponent()) && board.is_in_atari(neighbor) {
                let capture = board.atari_liberty(neighbor);
                if board.is_legal(color, capture) {
                    moves.insert(capture);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    /// The black chain at the mark `s` beside it is saved by just the points marked `a` (and `s`,
    /// if `extends`).
    fn check(diagram: &str, extends: bool) {
        let diagram = Diagram::parse(diagram).unwrap();
        let board = &diagram.board;
        let mut beside = diagram.mark('s').neighbors().into_iter();
        let stone = beside.find(|&p| board.is_stone(p, Color::Black) && board.is_in_atari(p));
        let mut moves = Candidates::default();
        saves(board, stone.unwrap(), &mut Reader::new(), &mut moves);
        let mut found = moves.to_vec();
        let mut expected = diagram.marked('a');
        expected.extend(extends.then_some(diagram.mark('s')));
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{board}");
    }

    #[test]
    fn an_open_extension_saves() {
        check(
            ". . . . .
             . . O . .
             . O X s .
             . . O . .
             . . . . .",
            true,
        );
    }

    #[test]
    fn running_into_a_ladder_does_not_save() {
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . O . . . .
             . . . O X s . . .
             . . . . O O . . .
             . . . . . . . . .",
            false,
        );
    }

    #[test]
    fn an_attacker_in_atari_can_be_captured_now_or_during_the_ladder() {
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . O . . . .
             . . . X O . . . .
             . . a O X s . . .
             . . . X O O . . .
             . . . . X . . . .",
            true,
        );
    }

    #[test]
    fn an_extension_on_the_first_line_stays_in_atari() {
        check(
            ". . . . .
             . . . . .
             . . . . .
             . O O O .
             . O X s O",
            false,
        );
    }

    #[test]
    fn capture_is_refused_by_ko() {
        let mut board = Diagram::parse(
            ". X O . .
             X O . O .
             . X O . .
             . . . . .
             . . . . .",
        )
        .unwrap()
        .board;
        board.play_legal(Point::new(3, 4));
        assert_eq!(capture_point(&board, Point::new(3, 4)), None);
        assert_eq!(board.ko(), Point::new(2, 4));
    }
}
