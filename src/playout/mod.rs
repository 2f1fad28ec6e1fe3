//! Playouts: from a position to the end of the game, with one policy for both players.
//!
//! A policy chooses and plays one move at a time; the loop here ends the game and counts it. To
//! add a policy, implement [`Policy`] and name it in `kind.rs`.

mod adaptive;
mod gamma;
mod kind;
mod light;
mod mogo;
mod ownership;
mod rules;

pub use adaptive::AdaptivePolicy;
pub use gamma::GammaPolicy;
pub use kind::{DynPolicy, by_params};
pub use light::Light;
pub use mogo::MogoPatterns;
pub use ownership::Ownership;
pub use rules::RulePolicy;

use crate::board::Board;
use crate::types::{Color, Point, Rng};

/// How moves are chosen in a playout.
pub trait Policy {
    /// Called once before the first move of every playout.
    fn begin(&mut self, board: &Board);

    /// Chooses a move for the player to move and plays it; returns it. A pass means that the
    /// policy sees no move worth playing.
    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point;

    /// Called once after the last move of every playout, for policies that learn from results.
    #[inline(always)]
    fn end(&mut self, _board: &Board, _outcome: Outcome) {}
}

/// When a playout ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Ends the playout after this many moves, whatever the position.
    pub max_moves: usize,
    /// Ends the playout when one colour has this many stones more than the other (mercy rule).
    pub mercy: usize,
}

impl Limits {
    /// Three times the board plus slack, more than practically any playout needs, and no mercy.
    pub fn for_size(size: usize) -> Limits {
        Limits { max_moves: 3 * size * size + 30, mercy: usize::MAX }
    }
}

/// How a playout ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Area score from Black's side, without komi.
    pub score: i32,
    /// Moves played, passes included.
    pub moves: usize,
}

/// Plays until two passes in a row or a limit, and counts the board. `record` sees every move.
#[inline]
pub fn play_out<P: Policy>(
    policy: &mut P,
    board: &mut Board,
    rng: &mut Rng,
    limits: Limits,
    mut record: impl FnMut(Color, Point),
) -> Outcome {
    policy.begin(board);
    let mut passes = 0;
    let mut moves = 0;
    while passes < 2 && moves < limits.max_moves {
        let color = board.to_play();
        let point = policy.play_move(board, rng);
        record(color, point);
        moves += 1;
        passes = if point.is_pass() { passes + 1 } else { 0 };
        let stones = board.stone_count(Color::Black).abs_diff(board.stone_count(Color::White));
        if stones > limits.mercy {
            break;
        }
    }
    let outcome = Outcome { score: board.playout_score(), moves };
    policy.end(board, outcome);
    outcome
}
