//! Laplace marginal propagation for teams, streaming: what is left of Lew's chapter 4 when a move has
//! some forty features and nothing may be kept per position.
//!
//! The belief about the gamma of a feature is a Gamma distribution `x^alpha exp(-beta x)`, with its mode
//! at alpha / beta. A position in which the feature is on the played move adds 1 to alpha; every
//! position adds to beta what minorization of the likelihood gives: the sum, over the moves that
//! have the feature, of the product of their *other* gammas, divided by the sum over all moves.
//!
//! It is not Algorithm 1, which is [`lmp`](super::lmp), in three ways. All features of a move are updated
//! at once, where Algorithm 1 has one feature a move. The contribution to beta is computed with the belief
//! before the position, where Algorithm 1 first adds 1 to alpha and beta. And Algorithm 1 takes
//! back exactly what a position contributed in the pass before, which for teams would need one
//! number per position *and feature*; here beta and alpha forget one average contribution for
//! each new one once a feature has been seen as often as in the first pass. So the memory is
//! three numbers a feature, whatever the number of games and passes, and the mode need not
//! converge to that of the likelihood. A prior of some pseudo-counts keeps a new feature from
//! taking the whole credit.

use super::fbt::{softmax, weighted};
use super::learner::{Learner, Progress, float_bytes, floats};
use super::lmp::Belief;
use super::position::Position;
use crate::knowledge::{Dictionary, Kind, Model, features};

#[derive(Clone, Copy, Debug)]
struct Count {
    alpha: f32,
    beta: f32,
    /// Positions in which the feature took part.
    seen: f32,
    log_gamma: f32,
}

/// The trainer.
pub struct TeamLmp {
    beliefs: Vec<Count>,
    patterns: Dictionary,
    prior: f32,
    strengths: Vec<f32>,
    /// Probability that the played move has the feature, in this position.
    expected: Vec<f32>,
    touched: Vec<u32>,
}

impl TeamLmp {
    /// Starts with patterns and a prior of so many pseudo-counts at gamma 1.
    pub fn new(patterns: &Dictionary, prior: f32) -> TeamLmp {
        let count = features::COUNT + patterns.slots();
        let belief = Count { alpha: prior, beta: prior, seen: 0.0, log_gamma: 0.0 };
        TeamLmp {
            beliefs: vec![belief; count],
            patterns: patterns.clone(),
            prior,
            strengths: Vec::new(),
            expected: vec![0.0; count],
            touched: Vec::new(),
        }
    }
}

impl Learner for TeamLmp {
    fn learn(&mut self, position: &Position, progress: Progress) -> f32 {
        self.strengths.clear();
        for index in 0..position.len() {
            let features = position.features(index);
            let strength = features.iter().map(|&id| self.beliefs[id as usize].log_gamma).sum();
            self.strengths.push(strength);
        }
        softmax(&mut self.strengths);
        for (index, &probability) in self.strengths.iter().enumerate() {
            if probability < 1e-5 && index != position.played {
                continue; // adds nothing that a float would notice
            }
            for &id in position.features(index) {
                let expected = &mut self.expected[id as usize];
                if *expected == 0.0 {
                    self.touched.push(id);
                }
                *expected += probability.max(1e-9);
            }
        }
        for &id in position.features(position.played) {
            self.beliefs[id as usize].alpha += 1.0;
        }
        for id in self.touched.drain(..) {
            let belief = &mut self.beliefs[id as usize];
            let expected = std::mem::take(&mut self.expected[id as usize]);
            let contribution = expected / belief.log_gamma.exp();
            if progress.pass == 0 {
                belief.seen += 1.0;
            } else {
                // One average contribution of each kind makes room for the new one.
                belief.beta -= (belief.beta - self.prior).max(0.0) / belief.seen.max(1.0);
                belief.alpha -= (belief.alpha - self.prior).max(0.0) / belief.seen.max(1.0);
            }
            belief.beta += contribution;
            belief.log_gamma = (belief.alpha / belief.beta).ln().clamp(-12.0, 12.0);
        }
        -self.strengths[position.played].max(1e-30).ln()
    }

    fn model(&self) -> Model {
        let weights = self.beliefs[..features::COUNT].iter().map(|b| b.log_gamma).collect();
        let patterns =
            weighted(&self.patterns, |slot| self.beliefs[features::COUNT + slot].log_gamma);
        Model::new(Kind::Lmp, weights, 0, Vec::new(), patterns)
    }

    fn beliefs(&self) -> Vec<(String, Belief)> {
        let seen = self.beliefs[..features::COUNT].iter().enumerate().filter(|(_, b)| b.seen > 0.0);
        let named = |(id, b): (usize, &Count)| {
            let belief = Belief { alpha: f64::from(b.alpha), beta: f64::from(b.beta) };
            (features::describe(id as u16), belief)
        };
        seen.map(named).collect()
    }

    fn state(&self) -> Vec<u8> {
        let four = |b: &Count| [b.alpha, b.beta, b.seen, b.log_gamma];
        float_bytes(self.beliefs.iter().flat_map(four))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let state = floats(state);
        if state.len() != 4 * self.beliefs.len() {
            return false;
        }
        for (belief, four) in self.beliefs.iter_mut().zip(state.chunks_exact(4)) {
            *belief = Count { alpha: four[0], beta: four[1], seen: four[2], log_gamma: four[3] };
        }
        true
    }
}
