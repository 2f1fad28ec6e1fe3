//! Ladders, read out on a scratch board: the one reader of playouts, features and endings.
//!
//! The attacker gives atari to a chain of two liberties from one side or the other; the defender
//! extends or captures an attacking chain that is itself in atari. The defender is out as soon as
//! the chain has three liberties. Most steps leave the attacker one sensible side, so the reading
//! walks on without a copy; it branches only where both sides work. Stones in the ladder's way
//! (breakers, either colour) need no special care: they are on the board. The features ask about
//! every weak chain of a position, so what can be told without a move is told without a copy.

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
        let Some(defender) = board.cell(stone).color() else {
            return false;
        };
        let extension = board.atari_liberty(stone);
        if board.is_legal(defender, extension)
            && board.liberties_after::<3>(defender, extension).is_full()
        {
            return false;
        }
        self.start(board);
        self.defender_is_lost(0, stone)
    }

    /// Is a chain of two liberties caught if the attacker plays at `side`, one of the two?
    pub fn is_caught(&mut self, board: &Board, stone: Point, side: Point) -> bool {
        debug_assert!(board.liberty_count(stone) == 2);
        let Some(defender) = board.cell(stone).color() else {
            return false;
        };
        let [a, b] = board.two_liberties(stone);
        let escape = if side == a { b } else { a };
        if !holds(board, defender, side, escape) {
            return false;
        }
        self.start(board);
        self.give_atari(0, stone, defender.opponent(), side)
    }

    /// Does the attacker, to move, capture a chain of two liberties in a ladder? Gives the first
    /// move.
    pub fn capture_by_ladder(&mut self, board: &Board, stone: Point) -> Option<Point> {
        debug_assert!(board.liberty_count(stone) == 2);
        let attacker = board.cell(stone).color()?.opponent();
        let mut sides = board.two_liberties(stone).into_iter();
        sides.find(|&side| {
            board.is_legal(attacker, side)
                && !board.is_self_atari(attacker, side)
                && self.is_caught(board, stone, side)
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
        self.start(board);
        self.scratch[0].set_to_play(defender);
        self.scratch[0].play_legal(extension);
        match self.scratch[0].liberty_count(stone) {
            1 => true,
            2 => self.attacker_wins(0, stone),
            _ => false,
        }
    }

    fn start(&mut self, board: &Board) {
        self.moves_left = self.limit;
        match self.scratch.first_mut() {
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
        match (holds(board, defender, a, b), holds(board, defender, b, a)) {
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

/// May the attacker play at `side`, and does the defender then get at most two liberties by
/// extending at `escape`? An atari that lets the chain run to three is no ladder.
fn holds(board: &Board, defender: Color, side: Point, escape: Point) -> bool {
    board.is_legal(defender.opponent(), side) && {
        let liberties = board.liberties_after::<4>(defender, escape);
        liberties.iter().filter(|&&liberty| liberty != side).count() <= 2
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::types::Rng;

    fn lost(diagram: &str) -> bool {
        let diagram = Diagram::parse(diagram).unwrap();
        let mut beside = diagram.mark('a').neighbors().into_iter();
        let stone = beside
            .find(|&p| diagram.board.is_stone(p, Color::White) && diagram.board.is_in_atari(p));
        Reader::new().is_lost(&diagram.board, stone.unwrap())
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
        let caught = |mark| Reader::new().is_caught(&diagram.board, stone, diagram.mark(mark));
        assert!(caught('a') && !caught('b'));
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

    /// The same by plain recursion, with a new board for every move and no limit.
    fn escapes(board: &Board, stone: Point) -> bool {
        let Some(defender) = board.cell(stone).color() else { return false };
        let mut moves = attackers_in_atari(board, stone, defender).to_vec();
        moves.push(board.atari_liberty(stone));
        moves.retain(|&point| board.is_legal(defender, point));
        moves.into_iter().any(|point| {
            let mut next = board.clone();
            next.play_observed(defender, point, &mut ());
            match next.liberty_count(stone) {
                1 => false,
                2 => next.two_liberties(stone).iter().all(|&side| !catches(&next, stone, side)),
                _ => true,
            }
        })
    }

    fn catches(board: &Board, stone: Point, side: Point) -> bool {
        let Some(defender) = board.cell(stone).color() else { return false };
        let attacker = defender.opponent();
        board.is_legal(attacker, side) && {
            let mut next = board.clone();
            next.play_observed(attacker, side, &mut ());
            !escapes(&next, stone)
        }
    }

    #[test]
    fn agrees_with_plain_recursion_in_random_games() {
        let (mut asked, mut bad) = (0, 0);
        let mut reader = Reader::new();
        for seed in 0..100 {
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
                for stone in board.points().filter(|&point| board.head(point) == point) {
                    match board.liberty_count(stone) {
                        1 => {
                            asked += 1;
                            let lost = reader.is_lost(&board, stone);
                            assert_eq!(lost, !escapes(&board, stone), "{stone}\n{board}");
                            bad += u32::from(lost);
                        }
                        2 => {
                            for side in board.two_liberties(stone) {
                                asked += 1;
                                let caught = reader.is_caught(&board, stone, side);
                                assert_eq!(
                                    caught,
                                    catches(&board, stone, side),
                                    "{stone} {side}\n{board}"
                                );
                                bad += u32::from(caught);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        assert!(asked > 10_000 && bad > 1_000, "{bad} of {asked}");
    }
}
