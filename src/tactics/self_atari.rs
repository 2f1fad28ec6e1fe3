//! Self-atari, and when it is right.
//!
//! A stone that leaves its own chain with one liberty is usually thrown away. The good kinds:
//! - it captures;
//! - the chain fills the opponent's eyespace with a shape that, once captured, leaves one eye;
//! - a single stone is thrown in, and the chain that captures it is itself in atari (snapback) or
//!   loses an eye between two of its chains.

use super::nakade::is_killing_shape;
use crate::board::{Board, PointList};
use crate::types::{Color, Point};

/// Is this move a self-atari of none of the good kinds?
#[inline]
pub fn is_bad_self_atari(board: &Board, color: Color, point: Point) -> bool {
    match board.only_liberty_after(color, point) {
        Some(liberty) => !is_good(board, color, point, liberty),
        None => false,
    }
}

/// `liberty` is the one that the chain has after the move.
fn is_good(board: &Board, color: Color, point: Point, liberty: Point) -> bool {
    let enemy = color.opponent();
    let mut chain = PointList::<8>::default();
    chain.insert(point);
    for neighbor in point.neighbors() {
        if board.is_stone(neighbor, enemy) && board.is_in_atari(neighbor) {
            return true; // it captures
        }
        if board.is_stone(neighbor, color) && !chain.contains(&neighbor) {
            if board.chain_size(neighbor) > 5 {
                return false;
            }
            for stone in board.chain(neighbor) {
                chain.insert(stone);
            }
        }
    }
    match chain.len() {
        1 => !liberty.is_pass() && is_good_throw_in(board, color, point, liberty),
        2..=6 => is_enclosed(board, color, &chain) && is_killing_shape(&chain),
        _ => false,
    }
}

/// Do only chains of the opponent with few outside liberties touch the chain? A killing shape in
/// the open kills nothing.
fn is_enclosed(board: &Board, color: Color, chain: &[Point]) -> bool {
    let around = chain.iter().flat_map(|stone| stone.neighbors());
    let empty = around.filter(|&p| board.is_empty(p) && !chain.contains(&p));
    let mut liberties = PointList::<4>::default();
    empty.for_each(|p| {
        liberties.insert(p);
    });
    // The last liberty must be an inside point: surrounded by the opponent and the chain.
    liberties.iter().all(|&liberty| {
        liberty.neighbors().into_iter().all(|p| !board.is_empty(p) || chain.contains(&p))
            && liberty
                .neighbors()
                .into_iter()
                .all(|p| !board.is_stone(p, color) || chain.contains(&p))
    })
}

fn is_good_throw_in(board: &Board, color: Color, point: Point, liberty: Point) -> bool {
    let enemy = color.opponent();
    // What the capturing stone at the liberty joins: has it a liberty but the thrown-in point?
    let breathes = |neighbor: Point| {
        if board.is_stone(neighbor, enemy) {
            match board.liberty_count(neighbor) {
                1 => false,
                2 => !board.two_liberties(neighbor).contains(&point),
                _ => true,
            }
        } else {
            neighbor != point && board.is_empty(neighbor)
        }
    };
    if !liberty.neighbors().into_iter().any(breathes) {
        return true; // snapback: the capturing chain has just the thrown-in point
    }
    // Between two chains, or on the edge beside one with few liberties: it takes an eye.
    let mut chains = PointList::<4>::default();
    let mut short = false;
    for neighbor in point.neighbors() {
        if board.is_stone(neighbor, enemy) {
            chains.insert(board.head(neighbor));
            short |= board.liberty_count(neighbor) <= 2;
        }
    }
    chains.len() >= 2 && short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    fn bad(color: Color, diagram: &str) -> bool {
        let diagram = Diagram::parse(diagram).unwrap();
        is_bad_self_atari(&diagram.board, color, diagram.mark('a'))
    }

    #[test]
    fn a_stone_thrown_away_is_bad() {
        assert!(bad(
            Color::Black,
            ". . . . .
             . . . . .
             . O . . .
             . O . . .
             a O . . ."
        ));
    }

    #[test]
    fn filling_ones_own_liberty_is_bad() {
        assert!(bad(
            Color::Black,
            ". . . . . .
             O O O O O .
             X X X X O .
             O O O X O .
             . . O X O .
             . . O a . O"
        ));
    }

    #[test]
    fn capturing_is_good() {
        assert!(!bad(
            Color::Black,
            ". . . . .
             X O . . .
             O . O . .
             a O . . .
             X O . . ."
        ));
    }

    #[test]
    fn a_snapback_is_good() {
        // White takes the thrown-in stone and stands in atari with four stones.
        assert!(!bad(
            Color::Black,
            ". . . . . .
             . X X X X .
             . X O O O X
             . X O a . X
             . . X X O X
             . . . . X ."
        ));
    }

    #[test]
    fn a_throw_in_between_two_short_chains_is_good() {
        assert!(!bad(
            Color::Black,
            ". . . . . . .
             . . . . . . .
             . . . . . . .
             X X X X X X .
             X O O X O X .
             X O a O O X .
             X O . O . X ."
        ));
    }

    #[test]
    fn a_killing_shape_inside_an_eye_is_good() {
        // Black fills White's four-point eyespace to leave three in a row: nakade.
        assert!(!bad(
            Color::Black,
            "O O O O O .
             X X a . O .
             O O O O O .
             . . . . . .
             . . . . . .
             . . . . . ."
        ));
    }

    #[test]
    fn a_straight_four_inside_an_eye_kills_nothing() {
        assert!(bad(
            Color::Black,
            "O O O O O O .
             X X X a . O .
             O O O O O O .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . ."
        ));
    }
}
