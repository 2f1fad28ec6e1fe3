//! Ladders: does a chain with one or two liberties get caught by atari after atari?
//!
//! A reader for the features of moves: it looks at every weak chain of a position, so most
//! questions must be answered without playing a move. Only when the chain would have exactly two
//! liberties after running does it play on, on its own boards, up to a fixed number of moves.

use crate::board::{Board, PointList};
use crate::types::{Color, Point};

/// Moves played per question at most; a ladder across the board takes about 60.
const MOVE_LIMIT: u32 = 120;
/// Boards on the stack.
const DEPTH_LIMIT: usize = 90;

/// Reads ladders; owns the boards it plays on.
#[derive(Clone)]
pub struct Ladder {
    boards: Vec<Board>,
}

impl Default for Ladder {
    fn default() -> Self {
        Ladder { boards: vec![Board::new(2); DEPTH_LIMIT] }
    }
}

impl Ladder {
    /// Can the chain of this stone, in atari, escape if its owner plays now?
    pub fn escapes(&mut self, board: &Board, stone: Point) -> bool {
        Reading { moves: 0 }.runs(board, stone, &mut self.boards)
    }

    /// Is the chain of this stone, which has two liberties, caught if the enemy plays at `at`,
    /// one of the two?
    pub fn catches(&mut self, board: &Board, stone: Point, at: Point) -> bool {
        Reading { moves: 0 }.chases(board, stone, at, &mut self.boards)
    }
}

struct Reading {
    moves: u32,
}

impl Reading {
    /// The owner of a chain in atari plays: by running, or by capturing a neighbour in atari.
    fn runs(&mut self, board: &Board, stone: Point, boards: &mut [Board]) -> bool {
        let Some(owner) = board.cell(stone).color() else { return true };
        let liberty = board.atari_liberty(stone);
        let after = board.liberties_after::<3>(owner, liberty).len();
        let legal = board.is_legal(owner, liberty);
        if after >= 3 && legal {
            return true;
        }
        captures(board, stone, owner).iter().any(|&at| self.saves(board, stone, at, owner, boards))
            || after == 2 && legal && self.saves(board, stone, liberty, owner, boards)
    }

    /// After the owner's move at a point: does the chain get away?
    fn saves(
        &mut self,
        board: &Board,
        stone: Point,
        at: Point,
        owner: Color,
        boards: &mut [Board],
    ) -> bool {
        if !board.is_legal(owner, at) {
            return false;
        }
        let Some((next, rest)) = self.play(board, at, owner, boards) else { return true };
        match next.liberty_count(stone) {
            0 | 1 => false,
            2 => {
                let [first, second] = next.two_liberties(stone);
                !self.chases(next, stone, first, rest) && !self.chases(next, stone, second, rest)
            }
            _ => true,
        }
    }

    /// The enemy plays at one of the two liberties of a chain: is it caught?
    fn chases(&mut self, board: &Board, stone: Point, at: Point, boards: &mut [Board]) -> bool {
        let Some(owner) = board.cell(stone).color() else { return false };
        let enemy = owner.opponent();
        if !board.is_legal(enemy, at) {
            return false;
        }
        let [first, second] = board.two_liberties(stone);
        let run = if at == first { second } else { first };
        // What running would give, seen without playing: the liberties after it except `at`.
        let after = board.liberties_after::<4>(owner, run);
        if after.iter().filter(|&&liberty| liberty != at).count() >= 3 {
            return false;
        }
        let Some((next, rest)) = self.play(board, at, enemy, boards) else { return false };
        next.liberty_count(stone) == 1 && !self.runs(next, stone, rest)
    }

    /// The position after a move, and the boards left; nothing when the limits are reached.
    fn play<'a>(
        &mut self,
        board: &Board,
        at: Point,
        color: Color,
        boards: &'a mut [Board],
    ) -> Option<(&'a Board, &'a mut [Board])> {
        if self.moves >= MOVE_LIMIT {
            return None;
        }
        self.moves += 1;
        let (next, rest) = boards.split_first_mut()?;
        next.copy_from(board);
        next.play_observed(color, at, &mut ());
        Some((next, rest))
    }
}

/// The liberties of enemy chains in atari next to the chain of a stone.
fn captures(board: &Board, stone: Point, owner: Color) -> PointList<4> {
    let mut list = PointList::default();
    for stone in board.chain(stone) {
        for neighbor in stone.neighbors() {
            if board.is_stone(neighbor, owner.opponent()) && board.is_in_atari(neighbor) {
                list.insert(board.atari_liberty(neighbor));
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    fn marked(text: &str) -> (Board, Point) {
        let diagram = Diagram::parse(text).unwrap();
        let point = diagram.marks[0].1;
        (diagram.board, point)
    }

    #[test]
    fn a_ladder_works_unless_a_stone_breaks_it() {
        let open = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . X X . . . . .
            . X O a . . . . .
            . . X . . . . . .
            . . . . . . . . .";
        let (mut board, liberty) = marked(open);
        board.set_to_play(Color::White);
        let stone = Point::new(3, 3);
        assert!(board.is_in_atari(stone) && board.atari_liberty(stone) == liberty);
        assert!(!Ladder::default().escapes(&board, stone));
        let broken = open.replacen(". . . . . . . . .", ". . . . . . O . .", 1);
        let (mut board, _) = marked(&broken);
        board.set_to_play(Color::White);
        assert!(!Ladder::default().escapes(&board, stone), "this stone is off the path");
        let broken = open.replace(". X O a . . . . .", ". X O a . . O . .");
        let (mut board, _) = marked(&broken);
        board.set_to_play(Color::White);
        assert!(Ladder::default().escapes(&board, stone));
    }

    #[test]
    fn capturing_the_chaser_is_an_escape() {
        let (mut board, _) = marked(
            ". . . . .
             . O X O .
             . X O X .
             . . X . .
             . . . . a",
        );
        board.set_to_play(Color::White);
        // The white stone in the middle is gone only if the stone above it cannot be taken.
        let stone = Point::new(3, 3);
        if board.is_in_atari(stone) {
            assert!(Ladder::default().escapes(&board, stone));
        }
    }

    #[test]
    fn the_right_atari_catches_and_the_wrong_one_does_not() {
        let (board, right) = marked(
            ". . . . . . .
             . . . . . . .
             . . . . . . .
             . . X . . . .
             . X O a . . .
             . . . . . . .
             . . . . . . .",
        );
        let stone = Point::new(3, 3);
        assert_eq!(board.liberty_count(stone), 2);
        let below = Point::new(3, 2);
        let mut ladder = Ladder::default();
        // Both ataris drive the stone against an edge on an empty small board.
        assert!(ladder.catches(&board, stone, right) || ladder.catches(&board, stone, below));
        let (board, at) = marked(
            ". . . . . . .
             . . . . . . .
             . . . . . O .
             . . X . O . .
             . X O a . . .
             . . . O . . .
             . . . . . . .",
        );
        assert!(!ladder.catches(&board, stone, Point::new(3, 2)));
        let _ = at;
    }
}
