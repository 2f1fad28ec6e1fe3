//! Laplace marginal propagation for the Bradley-Terry model: Lew's Algorithm 1.
//!
//! Somebody chooses one of several alternatives, many times. The belief about the strength of an
//! alternative is a Gamma distribution `x^alpha exp(-beta x)`, whose mode is alpha / beta. A preference that is
//! met for the first time adds 1 to the alpha of what was chosen and to the beta of all its
//! alternatives; from then on its contribution to beta is its delta, one over the sum of the modes,
//! and whenever it comes by again exactly the delta of the time before is taken back. So the order
//! does not matter, memory is one number a preference, and the modes converge to those of the
//! likelihood (theorem 1): there is no step size.
//!
//! A preference may have a weight: it counts as so many equal preferences with one delta in common. That is what half
//! a win for a draw needs, and with a weight of 1 it is the algorithm as printed. An alternative that is
//! there twice (two moves with one shape) gets the delta twice.
//!
//! [`ShapeLmp`] learns from games in the way of Lew's section 3.4.1: an alternative is the 3x3 shape
//! of a move, or the pass. Teams of features are not covered by the theorem; what stands in for the
//! algorithm there is [`lmp_teams`](super::lmp_teams).

use super::learner::{Learner, Progress};
use super::position::Position;
use crate::knowledge::features::{self, FIRST_SHAPE, PASS, SHAPES};
use crate::knowledge::{Dictionary, Kind, Model};
use serde::Serialize;

/// What is believed of a strength.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
pub struct Belief {
    /// How often it was chosen, with the prior.
    pub alpha: f64,
    /// The sum of the deltas of its preferences, with the prior.
    pub beta: f64,
}

impl Belief {
    /// The most probable strength; 0 for what was never chosen and has no prior.
    pub fn mode(self) -> f64 {
        if self.alpha > 0.0 { self.alpha / self.beta } else { 0.0 }
    }
}

/// One data point: `chosen` was preferred to the others of `alternatives`, `weight` times.
#[derive(Clone, Copy, Debug)]
pub struct Preference<'a> {
    /// What could be chosen, the chosen one included.
    pub alternatives: &'a [usize],
    /// What was chosen.
    pub chosen: usize,
    /// How many preferences this stands for; 1 in Algorithm 1.
    pub weight: f64,
}

/// The state of Algorithm 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Lmp {
    beliefs: Vec<Belief>,
    /// By preference; 0 until it is met for the first time.
    deltas: Vec<f64>,
}

impl Lmp {
    /// No preference seen yet. A prior of zero is the uniform one of theorem 1.
    pub fn new(alternatives: usize, prior: Belief) -> Lmp {
        Lmp { beliefs: vec![prior; alternatives], deltas: Vec::new() }
    }

    /// Visits the preference with this number, for the first time or again; numbers are dense. Gives the
    /// change of its delta as a part of it, which tends to 0.
    pub fn visit(&mut self, number: usize, preference: Preference) -> f64 {
        if self.deltas.len() <= number {
            self.deltas.resize(number + 1, 0.0);
        }
        if self.deltas[number] == 0.0 {
            self.beliefs[preference.chosen].alpha += preference.weight;
            self.deltas[number] = 1.0;
            self.add(preference, 1.0);
        }
        let before = self.deltas[number];
        let delta = 1.0 / self.sum(preference.alternatives);
        self.add(preference, delta - before);
        self.deltas[number] = delta;
        (delta - before).abs() / before
    }

    /// Adds to the beta of all alternatives of a preference.
    fn add(&mut self, preference: Preference, delta: f64) {
        for &alternative in preference.alternatives {
            self.beliefs[alternative].beta += preference.weight * delta;
        }
    }

    /// The sum of the modes of some alternatives.
    fn sum(&self, alternatives: &[usize]) -> f64 {
        alternatives.iter().map(|&alternative| self.beliefs[alternative].mode()).sum()
    }

    /// Visits all preferences again and again, until no delta changes by more than a part of
    /// `precision`, or so many passes have been made. Gives the number of passes.
    pub fn run(&mut self, preferences: &[Preference], precision: f64, passes: usize) -> usize {
        for pass in 0..passes {
            let mut largest: f64 = 0.0;
            for (number, &preference) in preferences.iter().enumerate() {
                largest = largest.max(self.visit(number, preference));
            }
            if largest <= precision {
                return pass + 1;
            }
        }
        passes
    }

    /// What is believed of the alternatives.
    pub fn beliefs(&self) -> &[Belief] {
        &self.beliefs
    }
}

/// The alternative after all shapes: the pass.
const PASSES: usize = SHAPES as usize;

/// Algorithm 1 on the moves of games, one feature a move: its 3x3 shape, or the pass.
pub struct ShapeLmp {
    lmp: Lmp,
    prior: Belief,
    /// Positions of this pass so far: the number of the next preference.
    next: usize,
    alternatives: Vec<usize>,
}

impl ShapeLmp {
    /// Starts with a prior of so many pseudo-counts at strength 1.
    pub fn new(prior: f64) -> ShapeLmp {
        let prior = Belief { alpha: prior, beta: prior };
        ShapeLmp { lmp: Lmp::new(PASSES + 1, prior), prior, next: 0, alternatives: Vec::new() }
    }
}

/// The alternative that a move is: the number of its shape.
fn alternative(features: &[u32]) -> usize {
    let shapes = u32::from(FIRST_SHAPE)..u32::from(FIRST_SHAPE + SHAPES);
    let shape = features.iter().find(|&id| shapes.contains(id));
    shape.map_or(PASSES, |&id| (id - shapes.start) as usize)
}

impl Learner for ShapeLmp {
    fn learn(&mut self, position: &Position, _: Progress) -> f32 {
        let moves = (0..position.len()).map(|index| alternative(position.features(index)));
        self.alternatives.clear();
        self.alternatives.extend(moves);
        let chosen = self.alternatives[position.played];
        let preference = Preference { alternatives: &self.alternatives, chosen, weight: 1.0 };
        let strength = self.lmp.beliefs[chosen].mode();
        let loss = (self.lmp.sum(&self.alternatives) / strength).ln();
        self.lmp.visit(self.next, preference);
        self.next += 1;
        loss as f32
    }

    fn end_pass(&mut self) {
        self.next = 0;
    }

    fn repeats_positions(&self) -> bool {
        true
    }

    fn model(&self) -> Model {
        let mut weights = vec![0.0; features::COUNT];
        let log = |alternative: usize| self.lmp.beliefs[alternative].mode().ln() as f32;
        for shape in 0..PASSES {
            weights[usize::from(FIRST_SHAPE) + shape] = log(shape);
        }
        let passes = usize::from(PASS.first)..usize::from(PASS.first + PASS.values);
        weights[passes].fill(log(PASSES));
        Model::new(Kind::Lmp, weights, 0, Vec::new(), Dictionary::default())
    }

    fn beliefs(&self) -> Vec<(String, Belief)> {
        let name = |alternative: usize| match alternative {
            PASSES => "pass".to_owned(),
            shape => features::describe(FIRST_SHAPE + shape as u16),
        };
        let seen = self.lmp.beliefs.iter().enumerate().filter(|(_, b)| **b != self.prior);
        seen.map(|(alternative, &belief)| (name(alternative), belief)).collect()
    }

    fn state(&self) -> Vec<u8> {
        let beliefs = self.lmp.beliefs.iter().flat_map(|belief| [belief.alpha, belief.beta]);
        let values = beliefs.chain(self.lmp.deltas.iter().copied());
        let mut bytes = (self.next as u64).to_le_bytes().to_vec();
        bytes.extend(values.flat_map(f64::to_le_bytes));
        bytes
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let (eights, rest) = state.as_chunks::<8>();
        let Some((next, values)) = eights.split_first() else { return false };
        let values: Vec<f64> = values.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let next = usize::try_from(u64::from_le_bytes(*next)).unwrap_or(usize::MAX);
        let Some((beliefs, deltas)) = values.split_at_checked(2 * (PASSES + 1)) else {
            return false;
        };
        if !rest.is_empty() || next > deltas.len() {
            return false;
        }
        for (belief, pair) in self.lmp.beliefs.iter_mut().zip(beliefs.chunks_exact(2)) {
            *belief = Belief { alpha: pair[0], beta: pair[1] };
        }
        self.lmp.deltas = deltas.to_vec();
        self.next = next;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rng;

    /// The modes, scaled to a sum of 1.
    fn probabilities(lmp: &Lmp) -> Vec<f64> {
        let sum: f64 = lmp.beliefs.iter().map(|belief| belief.mode()).sum();
        lmp.beliefs.iter().map(|belief| belief.mode() / sum).collect()
    }

    fn assert_near(lmp: &Lmp, expected: [f64; 3]) {
        let found = probabilities(lmp);
        let near = found.iter().zip(expected).all(|(found, value)| (found - value).abs() < 6e-4);
        assert!(near, "{found:?} instead of {expected:?}");
    }

    /// Six preferences among three alternatives; every one is chosen at least once.
    const SIX: [(&[usize], usize); 6] =
        [(&[0, 1], 0), (&[0, 1], 1), (&[0, 1, 2], 0), (&[1, 2], 2), (&[0, 2], 0), (&[1, 2], 1)];

    fn six() -> Vec<Preference<'static>> {
        let preference = |&(alternatives, chosen)| Preference { alternatives, chosen, weight: 1.0 };
        SIX.iter().map(preference).collect()
    }

    #[test]
    fn six_choices_give_the_numbers_of_algorithm_1() {
        let mut lmp = Lmp::new(3, Belief { alpha: 0.001, beta: 0.001 });
        assert_eq!(lmp.run(&six(), 0.0, 1), 1);
        assert_near(&lmp, [0.585, 0.258, 0.157]);
        assert_eq!(lmp.run(&six(), 0.0, 199), 199);
        assert_near(&lmp, [0.657, 0.219, 0.123]);
        let alphas: Vec<f64> = lmp.beliefs().iter().map(|belief| belief.alpha).collect();
        assert_eq!(
            alphas,
            [3.001, 2.001, 1.001],
            "a preference counts once, however often it is met"
        );
        let mut lmp = Lmp::new(3, Belief::default());
        lmp.run(&six(), 1e-12, 10_000);
        assert_near(&lmp, [0.658, 0.219, 0.123]);
    }

    #[test]
    fn the_first_visit_is_the_algorithm_by_hand() {
        let mut lmp = Lmp::new(2, Belief { alpha: 1.0, beta: 1.0 });
        let preference = Preference { alternatives: &[0, 1], chosen: 0, weight: 1.0 };
        // alpha (2, 1), beta (2, 2), then delta = 1 / (2/2 + 1/2) = 2/3 instead of 1.
        lmp.visit(0, preference);
        let beta = 1.0 + 2.0 / 3.0;
        assert_eq!(lmp.beliefs()[0].alpha, 2.0);
        assert!(lmp.beliefs().iter().all(|belief| (belief.beta - beta).abs() < 1e-12));
        // Again: the 2/3 are taken back and 1 / (3 / beta) comes in their place.
        lmp.visit(0, preference);
        assert!((lmp.beliefs()[1].beta - (1.0 + beta / 3.0)).abs() < 1e-12);
    }

    /// Random preferences, as those of somebody with random strengths, each alternative chosen at
    /// least once.
    fn random_choices(rng: &mut Rng, alternatives: usize) -> Vec<(Vec<usize>, usize)> {
        let strengths: Vec<f64> = (0..alternatives).map(|_| 0.1 + rng.unit()).collect();
        let mut preferences = Vec::new();
        for first in 0..alternatives {
            preferences.push((vec![first, (first + 1) % alternatives], first));
        }
        for _ in 0..10 * alternatives {
            let mut set: Vec<usize> = (0..alternatives).collect();
            rng.shuffle(&mut set);
            set.truncate(2 + rng.below(alternatives as u32 - 1) as usize);
            let sum: f64 = set.iter().map(|&a| strengths[a]).sum();
            let mut left = rng.unit() * sum;
            let drawn = set.iter().copied().find(|&a| {
                left -= strengths[a];
                left <= 0.0
            });
            let chosen = drawn.unwrap_or(set[0]);
            preferences.push((set, chosen));
        }
        preferences
    }

    fn log_likelihood(preferences: &[(Vec<usize>, usize)], strengths: &[f64]) -> f64 {
        let log = |(set, chosen): &(Vec<usize>, usize)| {
            (strengths[*chosen] / set.iter().map(|&a| strengths[a]).sum::<f64>()).ln()
        };
        preferences.iter().map(log).sum()
    }

    #[test]
    fn theorem_1_the_mode_converges_to_that_of_the_likelihood() {
        let mut rng = Rng::new(7);
        for alternatives in [2, 3, 5, 9] {
            let data = random_choices(&mut rng, alternatives);
            let mut lmp = Lmp::new(alternatives, Belief::default());
            // Any order will do: each pass has its own.
            let mut order: Vec<usize> = (0..data.len()).collect();
            for _ in 0..2000 {
                rng.shuffle(&mut order);
                for &number in &order {
                    let (set, chosen) = &data[number];
                    let preference = Preference { alternatives: set, chosen: *chosen, weight: 1.0 };
                    lmp.visit(number, preference);
                }
            }
            let found = probabilities(&lmp);
            // The slope of the log-likelihood is zero there ...
            for (a, &strength) in found.iter().enumerate() {
                let wins = data.iter().filter(|(_, chosen)| *chosen == a).count() as f64;
                let of = |set: &Vec<usize>| 1.0 / set.iter().map(|&b| found[b]).sum::<f64>();
                let with = data.iter().filter(|(set, _)| set.contains(&a));
                let expected: f64 = strength * with.map(|(set, _)| of(set)).sum::<f64>();
                assert!((wins - expected).abs() < 1e-6 * wins, "{a}: {wins} and {expected}");
            }
            // ... and it is a maximum.
            let best = log_likelihood(&data, &found);
            for _ in 0..50 {
                let moved = |&strength: &f64| strength * (0.2 * rng.unit() - 0.1).exp();
                let other: Vec<f64> = found.iter().map(moved).collect();
                assert!(log_likelihood(&data, &other) < best + 1e-9);
            }
        }
    }

    #[test]
    fn a_weight_is_so_many_choices() {
        let prior = Belief { alpha: 0.5, beta: 0.5 };
        let (mut one, mut many) = (Lmp::new(2, prior), Lmp::new(2, prior));
        let preference = |chosen, weight| Preference { alternatives: &[0, 1], chosen, weight };
        one.run(&[preference(0, 3.0), preference(1, 1.0)], 1e-14, 10_000);
        let single =
            [preference(0, 1.0), preference(0, 1.0), preference(0, 1.0), preference(1, 1.0)];
        many.run(&single, 1e-14, 10_000);
        for (one, many) in one.beliefs().iter().zip(many.beliefs()) {
            assert!((one.alpha - many.alpha).abs() < 1e-12 && (one.beta - many.beta).abs() < 1e-9);
        }
    }
}
