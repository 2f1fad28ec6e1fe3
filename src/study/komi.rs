//! Black with handicap (Baudis): komi that keeps the win rate in a band, and artificial passes.
//!
//! With a handicap nearly every playout is won, so that good and bad moves look alike. The adaptive komi asks for
//! more points until the win rate is between 0.80 and 0.85; artificial passes take some of Black's moves in playouts
//! away. The engine has the first as `komi.dynamic=situational` with its own band, kept from move to move; here it
//! begins anew in every search.

use crate::board::Board;
use crate::playout::{Outcome, Policy};
use crate::types::{Color, Point, Rng};

/// Visits between two looks at the win rate.
const LOOK: u32 = 100;
/// Points of a step.
const STEP: f32 = 1.0;

/// Points that the player to move must win by in addition, so that the win rate stays in a band.
#[derive(Clone, Debug)]
pub struct Band {
    low: f64,
    high: f64,
    /// The points.
    pub burden: f32,
    visits: u32,
    wins: u32,
}

impl Band {
    /// The band; one from 0 to 1 never asks for anything.
    pub fn new(low: f64, high: f64) -> Band {
        Band { low, high, burden: 0.0, visits: 0, wins: 0 }
    }

    /// Takes a result of the player to move in; looks at the rate now and then.
    pub fn add(&mut self, won: bool) {
        self.visits += 1;
        self.wins += u32::from(won);
        if self.visits < LOOK {
            return;
        }
        let rate = f64::from(self.wins) / f64::from(self.visits);
        if rate > self.high {
            self.burden += STEP;
        } else if rate < self.low {
            // Nothing is given away: the true komi is the least.
            self.burden = (self.burden - STEP).max(0.0);
        }
        (self.visits, self.wins) = (0, 0);
    }
}

/// A policy in which one colour passes now and then.
#[derive(Clone)]
pub struct Passing<P> {
    /// How moves are chosen otherwise.
    pub inner: P,
    /// Who passes.
    pub color: Color,
    /// With what probability, at every move.
    pub chance: f64,
}

impl<P: Policy> Policy for Passing<P> {
    fn begin(&mut self, board: &Board) {
        self.inner.begin(board);
    }

    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        // After a pass it would end the game.
        let may = board.to_play() == self.color && !board.last_move().is_pass();
        if may && rng.unit() < self.chance {
            board.play_legal(Point::PASS);
            return Point::PASS;
        }
        self.inner.play_move(board, rng)
    }

    fn end(&mut self, board: &Board, outcome: Outcome) {
        self.inner.end(board, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{Light, Limits, play_out};

    #[test]
    fn the_band_by_hand() {
        let mut band = Band::new(0.8, 0.85);
        let mut hundred = |wins: u32| {
            (0..100).for_each(|i| band.add(i < wins));
            band.burden
        };
        assert_eq!([hundred(90), hundred(86), hundred(85), hundred(80)], [1.0, 2.0, 2.0, 2.0]);
        assert_eq!([hundred(79), hundred(10), hundred(10)], [1.0, 0.0, 0.0]);
        let mut off = Band::new(0.0, 1.0);
        (0..1000).for_each(|_| off.add(true));
        assert_eq!(off.burden, 0.0);
    }

    #[test]
    fn passes_are_as_often_as_asked_and_cost_points() {
        let play = |chance| {
            let mut policy = Passing { inner: Light, color: Color::Black, chance };
            let mut rng = Rng::new(4);
            let (mut passes, mut moves, mut score) = (0, 0, 0);
            for _ in 0..400 {
                let mut board = Board::new(9);
                let mut early = 0;
                let outcome = play_out(
                    &mut policy,
                    &mut board,
                    &mut rng,
                    Limits::for_size(9),
                    |color, point| {
                        early += 1;
                        if color == Color::Black && early < 40 {
                            moves += 1;
                            passes += u32::from(point.is_pass());
                        }
                    },
                );
                score += outcome.score;
            }
            (f64::from(passes) / f64::from(moves), score / 400)
        };
        let ((none, even), (some, behind)) = (play(0.0), play(0.2));
        assert_eq!(none, 0.0);
        assert!((some - 0.2).abs() < 0.03, "{some}");
        assert!(behind < even - 10, "{behind} after {even}");
    }
}
