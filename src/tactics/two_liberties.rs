//! Chains with two liberties: one move from atari, and where many fights are decided.

use super::Candidates;
use super::atari::add_counter_captures;
use super::self_atari::is_bad_self_atari;
use crate::board::Board;
use crate::types::Point;

/// Adds the moves that attack an opponent's chain of two liberties: an atari that leaves it no
/// good escape, so that it is not just driven to safety.
pub fn attacks(board: &Board, stone: Point, moves: &mut Candidates) {
    let Some(defender) = board.cell(stone).color() else {
        return;
    };
    let attacker = defender.opponent();
    let [a, b] = board.two_liberties(stone);
    for (side, escape) in [(a, b), (b, a)] {
        if !board.is_legal(attacker, side) || board.is_self_atari(attacker, side) {
            continue;
        }
        let after = board.liberties_after::<4>(defender, escape);
        let room = after.iter().filter(|&&liberty| liberty != side).count();
        if room <= 2 {
            moves.insert(side);
        }
    }
}

/// Adds the moves that get an own chain of two liberties out of danger: extensions that gain
/// liberties, and captures of neighbours in atari.
pub fn defenses(board: &Board, stone: Point, moves: &mut Candidates) {
    let Some(color) = board.cell(stone).color() else {
        return;
    };
    add_counter_captures(board, stone, color, moves);
    for liberty in board.two_liberties(stone) {
        if board.is_legal(color, liberty)
            && board.liberties_after::<3>(color, liberty).is_full()
            && !is_bad_self_atari(board, color, liberty)
        {
            moves.insert(liberty);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn an_atari_drives_towards_the_edge() {
        let diagram = Diagram::parse(
            ". . . . . .
             . . . . . .
             . . X . . .
             . . X . . .
             . X O a . .
             . . . . . .",
        )
        .unwrap();
        // From above, the chain would run along the second line; from the side it is caught.
        let mut moves = Candidates::default();
        attacks(&diagram.board, Point::new(3, 2), &mut moves);
        assert!(moves.contains(&diagram.mark('a')), "{:?}", moves.to_vec());
    }

    fn found_defenses(diagram: &Diagram, stone: Point) -> Vec<Point> {
        let mut moves = Candidates::default();
        assert_eq!(diagram.board.liberty_count(stone), 2, "{}", diagram.board);
        defenses(&diagram.board, stone, &mut moves);
        let mut found = moves.to_vec();
        found.sort_unstable();
        found
    }

    #[test]
    fn an_extension_must_gain_liberties() {
        let diagram = Diagram::parse(
            ". . . . . .
             . . a . . .
             . O X O . .
             . O X O . .
             . O X O . .
             . O . O . .",
        )
        .unwrap();
        assert_eq!(found_defenses(&diagram, Point::new(3, 3)), [diagram.mark('a')]);
    }

    #[test]
    fn a_neighbour_in_atari_is_captured() {
        let diagram = Diagram::parse(
            ". . . . . .
             . . . . . .
             O O O O . .
             . X X O . .
             a O X O . .
             X X . O . .",
        )
        .unwrap();
        let stone = Point::new(2, 3);
        assert_eq!(found_defenses(&diagram, stone), [diagram.mark('a')]);
    }
}
