//! The board of 2x2, where nothing lives by eyes: whoever may still capture owns the board.
//!
//! Reading and playouts forget the history of a game, and there the history is everything: stones
//! in atari stay for ever when the capture would repeat a position. They called all stones of both
//! sides dead, and every game a draw. So the rules themselves are asked: the player to move
//! captures what superko allows, else the opponent does, else the board stays as it is. A player
//! without a stone takes none off: nobody would own the board.

use crate::game::{Game, Standing};
use crate::types::{Color, Move, Point};

/// What stands at the end of a game on 2x2.
pub fn standing(game: &Game) -> Standing {
    let to_play = game.board().to_play();
    let captured = |by: Color| Some(captures(game, by)).filter(|stones| !stones.is_empty());
    let taken = captured(to_play).or_else(|| captured(to_play.opponent()));
    Standing::with_dead(taken.unwrap_or_default())
}

/// The stones that a player may capture with one move.
fn captures(game: &Game, by: Color) -> Vec<Point> {
    let board = game.board();
    let is_taken = |stone: &Point| {
        let liberties = board.liberties::<2>(*stone);
        board.is_stone(*stone, by.opponent())
            && liberties.len() == 1
            && game.is_legal(Move::new(by, liberties[0]))
    };
    match board.stone_count(by) {
        0 => Vec::new(),
        _ => board.points().filter(is_taken).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::endings::assess;
    use crate::game::{Game, Rules};
    use crate::params::Params;
    use crate::types::{Color, Move};

    fn result(moves: &str, to_play: Color) -> String {
        let mut game = Game::new(2, Rules::CHINESE);
        game.set_komi(0.0);
        for (number, vertex) in moves.split_whitespace().enumerate() {
            let color = ["b", "w"][number % 2];
            game.play(Move::parse_gtp(&format!("{color} {vertex}"), 2).unwrap()).unwrap();
        }
        game.set_to_play(to_play);
        game.score(&assess(&game, &Params::for_size(2), None).standing).to_string()
    }

    #[test]
    fn stones_that_superko_protects_are_alive() {
        // White has three stones in atari. The capture leaves a black stone alone at A1, which is
        // how the game began: nobody has a legal move.
        for to_play in Color::BOTH {
            assert_eq!(result("a1 b2 pass a2 pass b1", to_play), "W+4");
        }
        // A stone on each side of A2 in atari: Black's capture would repeat, White's would not.
        for to_play in Color::BOTH {
            assert_eq!(result("a1 pass a2 b1 pass b2 a1", to_play), "W+4");
        }
    }

    #[test]
    fn who_may_capture_owns_the_board() {
        for (to_play, wanted) in [(Color::Black, "B+4"), (Color::White, "W+4")] {
            assert_eq!(result("a1 a2", to_play), wanted);
        }
        assert_eq!(result("a1", Color::White), "B+4");
        assert_eq!(result("a1 pass b2", Color::White), "B+4");
    }
}
