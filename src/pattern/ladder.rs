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
    use crate::tactics;
    use crate::types::Rng;

    fn white_to_play(text: &str) -> Board {
        let mut board = Diagram::parse(text).unwrap().board;
        board.set_to_play(Color::White);
        board
    }

    #[test]
    fn a_ladder_works_unless_a_stone_breaks_it() {
        let open = "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . X X . . .
            . X O . . . .
            . . X . . . .
            . . . . . . .";
        let stone = Point::new(3, 3);
        assert!(!Ladder::default().escapes(&white_to_play(open), stone));
        let broken = open.replace(". . X . . . .", ". . X . O . .");
        assert!(Ladder::default().escapes(&white_to_play(&broken), stone));
    }

    #[test]
    fn one_atari_catches_and_the_other_does_not() {
        let board = white_to_play(
            ". . . . . . .
             . . . . . . .
             . . . . . . .
             . . X X . . .
             . X O . . . .
             . . . . . . .
             . . . . . . .",
        );
        let mut ladder = Ladder::default();
        let stone = Point::new(3, 3);
        assert!(ladder.catches(&board, stone, Point::new(3, 2)));
        assert!(!ladder.catches(&board, stone, Point::new(4, 3)));
    }

    /// The other reader plays every question out; both must say the same.
    #[test]
    fn agrees_with_the_reader_of_the_playouts() {
        let (mut asked, mut agreed) = (0, 0);
        let mut ladder = Ladder::default();
        let mut reader = tactics::Reader::new();
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let mut board = Board::new(9);
            for _ in 0..60 {
                let empty = board.empty_points();
                let point = empty[rng.below(empty.len() as u32) as usize];
                let color = board.to_play();
                if !board.is_legal(color, point) || board.is_eye(color, point) {
                    continue;
                }
                board.play_legal(point);
                for stone in board.points().filter(|&p| board.is_in_atari(p)) {
                    let mut owned = board.clone();
                    owned.set_to_play(board.cell(stone).color().unwrap());
                    asked += 1;
                    let lost = reader.is_lost(&owned, stone);
                    agreed += u32::from(lost != ladder.escapes(&owned, stone));
                }
            }
        }
        assert!(asked > 5000, "{asked}");
        assert!(agreed as f64 / asked as f64 > 0.995, "{agreed} of {asked}");
    }
}
