//! Ladders, read out on a scratch board.
//!
//! The attacker gives atari to a chain of two liberties from one side or the other; the defender
//! extends or captures an attacking chain that is itself in atari. The defender is out as soon as
//! the chain has three liberties. Most steps leave the attacker one sensible side, so the reading
//! walks on without a copy; it branches only where both sides work. Stones in the ladder's way
//! (breakers, either colour) need no special care: they are on the board.

use crate::board::{Board, PointList};
use crate::types::{Color, Point};

/// Moves after which the reader gives up and calls the chain safe. Ladders across a 19x19 board
/// take some 70 moves; the limit is for branching.
const MAX_MOVES: u32 = 200;

/// Reads ladders. Holds the scratch boards, so that reading allocates once.
#[derive(Clone, Debug)]
pub struct Reader {
    scratch: Vec<Board>,
    limit: u32,
    moves_left: u32,
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

impl Reader {
    /// A reader that reads as far as a ladder can run.
    pub fn new() -> Reader {
        Reader::with_limit(MAX_MOVES)
    }

    /// A reader that calls a chain safe after so many moves of its owner, in all variations.
    pub fn with_limit(moves: u32) -> Reader {
        Reader { scratch: Vec::new(), limit: moves, moves_left: 0 }
    }

    /// Can the owner of a chain in atari not save it by extending or by capturing an attacker,
    /// when it is the owner's turn?
    pub fn is_lost(&mut self, board: &Board, stone: Point) -> bool {
        debug_assert!(board.is_in_atari(stone));
        self.start(board, 0);
        self.defender_is_lost(0, stone)
    }

    /// Does the attacker, to move, capture a chain of two liberties in a ladder? Gives the first
    /// move.
    pub fn capture_by_ladder(&mut self, board: &Board, stone: Point) -> Option<Point> {
        debug_assert!(board.liberty_count(stone) == 2);
        let attacker = board.cell(stone).color()?.opponent();
        let sides = board.two_liberties(stone);
        sides.into_iter().find(|&side| {
            self.start(board, 0);
            let scratch = &mut self.scratch[0];
            scratch.set_to_play(attacker);
            if !scratch.is_legal(attacker, side) || scratch.is_self_atari(attacker, side) {
                return false;
            }
            scratch.play_legal(side);
            self.defender_is_lost(0, stone)
        })
    }

    /// Would a chain of one liberty be lost in a ladder after its owner extends at that liberty?
    pub fn is_extension_lost(&mut self, board: &Board, stone: Point) -> bool {
        let Some(defender) = board.cell(stone).color() else {
            return false;
        };
        let extension = board.atari_liberty(stone);
        if !board.is_legal(defender, extension) {
            return true;
        }
        self.start(board, 0);
        self.scratch[0].set_to_play(defender);
        self.scratch[0].play_legal(extension);
        match self.scratch[0].liberty_count(stone) {
            1 => true,
            2 => self.attacker_wins(0, stone),
            _ => false,
        }
    }

    fn start(&mut self, board: &Board, depth: usize) {
        self.moves_left = self.limit;
        self.copy_to(board, depth);
    }

    fn copy_to(&mut self, board: &Board, depth: usize) {
        match self.scratch.get_mut(depth) {
            Some(scratch) => scratch.copy_from(board),
            None => self.scratch.push(board.clone()),
        }
    }

    /// Copies the scratch board of a depth to the next.
    fn branch(&mut self, depth: usize) {
        match self.scratch.split_at_mut(depth + 1) {
            (from, [to, ..]) => to.copy_from(&from[depth]),
            (from, []) => {
                let copy = from[depth].clone();
                self.scratch.push(copy);
            }
        }
    }

    /// The defender is to move on the scratch board of this depth; the chain is in atari.
    fn defender_is_lost(&mut self, depth: usize, stone: Point) -> bool {
        if self.moves_left == 0 {
            return false;
        }
        self.moves_left -= 1;
        let board = &self.scratch[depth];
        let Some(defender) = board.cell(stone).color() else {
            return true;
        };
        let extension = board.atari_liberty(stone);
        let counters = attackers_in_atari(board, stone, defender);
        for &counter in counters.iter().filter(|&&counter| counter != extension) {
            self.branch(depth);
            let board = &mut self.scratch[depth + 1];
            board.set_to_play(defender);
            if !board.is_legal(defender, counter) {
                continue;
            }
            board.play_legal(counter);
            let safe = match board.liberty_count(stone) {
                1 => false,
                2 => !self.attacker_wins(depth + 1, stone),
                _ => true,
            };
            if safe {
                return false;
            }
        }
        let board = &mut self.scratch[depth];
        board.set_to_play(defender);
        if !board.is_legal(defender, extension) {
            return true;
        }
        board.play_legal(extension);
        match board.liberty_count(stone) {
            1 => true,
            2 => self.attacker_wins(depth, stone),
            _ => false,
        }
    }

    /// The attacker is to move on the scratch board of this depth; the chain has two liberties.
    fn attacker_wins(&mut self, depth: usize, stone: Point) -> bool {
        let board = &self.scratch[depth];
        let Some(defender) = board.cell(stone).color() else {
            return true;
        };
        let attacker = defender.opponent();
        let [a, b] = board.two_liberties(stone);
        // An atari that lets the chain run to three liberties is no ladder.
        let works = |side: Point, escape: Point| {
            board.is_legal(attacker, side)
                && !is_hopeless_atari(board, attacker, side)
                && room_after(board, defender, escape, side) <= 2
        };
        match (works(a, b), works(b, a)) {
            (false, false) => false,
            (true, false) => self.give_atari(depth, stone, attacker, a),
            (false, true) => self.give_atari(depth, stone, attacker, b),
            (true, true) => {
                self.branch(depth);
                self.give_atari(depth + 1, stone, attacker, a)
                    || self.give_atari(depth, stone, attacker, b)
            }
        }
    }

    fn give_atari(&mut self, depth: usize, stone: Point, attacker: Color, side: Point) -> bool {
        let board = &mut self.scratch[depth];
        board.set_to_play(attacker);
        board.play_legal(side);
        self.defender_is_lost(depth, stone)
    }
}

/// The attacker's stone would stand in atari and be captured by the extension itself.
fn is_hopeless_atari(board: &Board, attacker: Color, side: Point) -> bool {
    board.liberties_after::<1>(attacker, side).is_empty()
}

/// Liberties (up to three) that the defender gets by extending at `escape` once the attacker
/// stands on `side`; captures of the attacker's chains in atari count.
fn room_after(board: &Board, defender: Color, escape: Point, side: Point) -> usize {
    let liberties = board.liberties_after::<4>(defender, escape);
    liberties.iter().filter(|&&liberty| liberty != side).count()
}

/// Where the owner of a chain can capture attacking neighbours that are in atari.
fn attackers_in_atari(board: &Board, stone: Point, defender: Color) -> PointList<8> {
    let mut list = PointList::default();
    for stone in board.chain(stone) {
        for neighbor in stone.neighbors() {
            if board.is_stone(neighbor, defender.opponent()) && board.is_in_atari(neighbor) {
                list.insert(board.atari_liberty(neighbor));
            }
        }
    }
    list
}

/// As [`Reader::is_lost`], with a reader of its own: for callers outside hot loops.
pub fn is_ladder_lost(board: &Board, stone: Point) -> bool {
    Reader::new().is_lost(board, stone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    fn lost(diagram: &str) -> bool {
        let diagram = Diagram::parse(diagram).unwrap();
        let mut beside = diagram.mark('a').neighbors().into_iter();
        let stone = beside
            .find(|&p| diagram.board.is_stone(p, Color::White) && diagram.board.is_in_atari(p));
        is_ladder_lost(&diagram.board, stone.unwrap())
    }

    #[test]
    fn a_ladder_on_an_empty_board_works() {
        assert!(lost(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . X . . . .
             . . . X O a . . .
             . . . . X X . . .
             . . . . . . . . ."
        ));
    }

    #[test]
    fn a_stone_in_the_way_breaks_it() {
        assert!(!lost(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . O . .
             . . . . X . . . .
             . . . X O a . . .
             . . . . X X . . .
             . . . . . . . . ."
        ));
    }

    #[test]
    fn capturing_an_attacker_in_atari_breaks_it() {
        assert!(!lost(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . X . . . .
             . . O X O a . . .
             . . . O X X . . .
             . . . . . . . . ."
        ));
    }

    #[test]
    fn a_chain_without_room_is_lost() {
        assert!(lost(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . X X . . .
             . . . X O a X . .
             . . . . X X . . .
             . . . . . . . . ."
        ));
    }

    #[test]
    fn the_first_line_is_a_ladder_too() {
        assert!(lost(
            ". . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . X X . . .
             . X O a . . ."
        ));
    }

    #[test]
    fn the_attacker_finds_the_right_side() {
        let diagram = Diagram::parse(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . a . . . .
             . . . X O b . . .
             . . . . X X . . .
             . . . . . . . . .",
        )
        .unwrap();
        let stone = Point::new(5, 3);
        let first = Reader::new().capture_by_ladder(&diagram.board, stone);
        assert_eq!(first, Some(diagram.mark('a')));
    }

    #[test]
    fn extension_into_open_space_is_safe() {
        let diagram = Diagram::parse(
            ". . . . .
             . . X . .
             . X O . .
             . . X . .
             . . . . .",
        )
        .unwrap();
        let mut reader = Reader::new();
        assert!(!reader.is_extension_lost(&diagram.board, Point::new(3, 3)));
        assert!(!reader.is_lost(&diagram.board, Point::new(3, 3)));
    }
}
