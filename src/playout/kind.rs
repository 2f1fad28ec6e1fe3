//! Policies chosen by parameters at run time.

use super::{AdaptivePolicy, GammaPolicy, Light, Limits, Outcome, Policy, RulePolicy, play_out};
use crate::board::Board;
use crate::knowledge::Gammas;
use crate::params::{PlayoutKind, PlayoutParams};
use crate::types::{Color, Point, Rng};

/// A policy whose type is known at run time only: the choice is made once per playout, the moves
/// inside are still chosen by static calls.
pub trait DynPolicy: Send {
    /// Plays from a position to the end; see [`play_out`].
    fn play_out(&mut self, board: &mut Board, rng: &mut Rng, limits: Limits) -> Outcome;

    /// The same, and appends the moves to a list.
    fn play_recorded(
        &mut self,
        board: &mut Board,
        rng: &mut Rng,
        limits: Limits,
        moves: &mut Vec<(Color, Point)>,
    ) -> Outcome;
}

impl<P: Policy + Send> DynPolicy for P {
    fn play_out(&mut self, board: &mut Board, rng: &mut Rng, limits: Limits) -> Outcome {
        play_out(self, board, rng, limits, |_, _| ())
    }

    fn play_recorded(
        &mut self,
        board: &mut Board,
        rng: &mut Rng,
        limits: Limits,
        moves: &mut Vec<(Color, Point)>,
    ) -> Outcome {
        play_out(self, board, rng, limits, |color, point| moves.push((color, point)))
    }
}

/// The policy that parameters ask for.
pub fn by_params(params: &PlayoutParams) -> Box<dyn DynPolicy> {
    match params.policy {
        PlayoutKind::Light => Box::new(Light),
        PlayoutKind::Rules => Box::new(RulePolicy::new(params)),
        PlayoutKind::Gamma => Box::new(GammaPolicy::new(Gammas::embedded())),
        PlayoutKind::Adaptive => Box::new(AdaptivePolicy::default()),
    }
}

impl Limits {
    /// The limits that parameters ask for.
    pub fn by_params(params: &PlayoutParams, size: usize) -> Limits {
        let points = (size * size) as f64;
        let mercy = if params.mercy < 1.0 { (params.mercy * points) as usize } else { usize::MAX };
        Limits { mercy, ..Limits::for_size(size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    #[test]
    fn every_policy_plays_and_repeats_itself() {
        for &(name, kind) in PlayoutKind::ALL {
            let mut params = Params::for_size(9).playout;
            params.policy = kind;
            let limits = Limits::by_params(&params, 9);
            let outcomes = [4, 4, 5].map(|seed| {
                let mut board = Board::new(9);
                let outcome = by_params(&params).play_out(&mut board, &mut Rng::new(seed), limits);
                (outcome, board.hash())
            });
            assert_eq!(outcomes[0], outcomes[1], "{name}: the same seed, the same playout");
            assert_ne!(outcomes[0], outcomes[2], "{name}: another seed, another playout");
        }
    }

    #[test]
    fn mercy_is_a_share_of_the_board() {
        let mut params = Params::for_size(19).playout;
        params.mercy = 0.5;
        assert_eq!(Limits::by_params(&params, 19).mercy, 180);
        params.mercy = 1.0;
        assert_eq!(Limits::by_params(&params, 19), Limits::for_size(19));
    }
}
