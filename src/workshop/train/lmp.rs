//! Laplace marginal propagation (Lew chapter 4): Bayesian, online, one pass, little memory.
//!
//! The belief about the gamma of a feature is a Gamma distribution `x^alpha exp(-beta x)`, with its mode
//! at alpha / beta. A position in which the feature is on the played move adds 1 to alpha; every
//! position adds to beta what minorization of the likelihood gives: the sum, over the moves that
//! have the feature, of the product of their *other* gammas, divided by the sum over all moves.
//! With one feature per move that is Lew's Algorithm 1 exactly (the delta of a position).
//!
//! Two things are ours. Moves are teams of some forty features, all of which are updated at once;
//! a prior of some pseudo-counts keeps a new feature from taking the whole credit, and after that
//! the steps are small. And Algorithm 1 takes back a position's old contribution when it comes by
//! again, which for teams would need one number per position *and feature*; instead, beta forgets
//! one average contribution for each new one once a feature has been seen as often as in the
//! first pass. So the memory is three numbers a feature, whatever the number of games and passes.

use super::dataset::Position;
use super::fbt::{softmax, weighted};
use super::learner::{Learner, Progress};
use crate::knowledge::{Dictionary, Kind, Model, features};

#[derive(Clone, Copy, Debug)]
struct Belief {
    alpha: f32,
    beta: f32,
    /// Positions in which the feature took part.
    seen: f32,
    log_gamma: f32,
}

/// The trainer.
pub struct Lmp {
    beliefs: Vec<Belief>,
    patterns: Dictionary,
    prior: f32,
    strengths: Vec<f32>,
    /// Probability that the played move has the feature, in this position.
    expected: Vec<f32>,
    touched: Vec<u32>,
}

impl Lmp {
    /// Starts with patterns and a prior of so many pseudo-counts at gamma 1.
    pub fn new(patterns: &Dictionary, prior: f32) -> Lmp {
        let count = features::COUNT + patterns.slots();
        let belief = Belief { alpha: prior, beta: prior, seen: 0.0, log_gamma: 0.0 };
        Lmp {
            beliefs: vec![belief; count],
            patterns: patterns.clone(),
            prior,
            strengths: Vec::new(),
            expected: vec![0.0; count],
            touched: Vec::new(),
        }
    }

    /// The mode and the variance of the belief about a feature's gamma.
    pub fn belief(&self, id: usize) -> (f32, f32) {
        let Belief { alpha, beta, .. } = self.beliefs[id];
        (alpha / beta, (alpha + 1.0) / (beta * beta))
    }
}

impl Learner for Lmp {
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

    fn state(&self, out: &mut Vec<f32>) {
        out.extend(self.beliefs.iter().flat_map(|b| [b.alpha, b.beta, b.seen, b.log_gamma]));
    }

    fn restore(&mut self, state: &[f32]) -> bool {
        if state.len() != 4 * self.beliefs.len() {
            return false;
        }
        for (belief, four) in self.beliefs.iter_mut().zip(state.chunks_exact(4)) {
            *belief = Belief { alpha: four[0], beta: four[1], seen: four[2], log_gamma: four[3] };
        }
        true
    }
}
