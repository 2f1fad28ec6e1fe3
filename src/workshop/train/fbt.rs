//! Factorization Bradley-Terry: softmax over all moves, features that interact through factors.
//!
//! Stochastic gradient descent on the log-loss (Xiao section 3.3) with a step size of its own for
//! every parameter (Adagrad), because a feature of every position and a pattern that was seen
//! twenty times need different steps; the common factor falls linearly to zero over the training.
//! With no factors this is plain softmax regression, the maximum-likelihood Bradley-Terry model.
//! Xiao's plain steps (`--steps sgd`) and his vectors for large patterns (`--pattern-vectors`) are options, to be
//! compared: `docs/papers.md`.
//!
//! The gradient is `probability - (played or not)` times the derivative of the strength. Three ways:
//! - `exact`: over all moves;
//! - `sampled`: over M moves drawn by their probabilities, formula 3.13;
//! - `pruned` (default): exact over the moves with a probability above a threshold, while rarer ones
//!   are kept with a chance that makes up for their number. Unbiased like the sampled one, with
//!   far less noise, and as fast: of 250 moves some 20 matter.

use super::dataset::Source;
use super::evaluate::Accuracy;
use super::learner::{Learner, Progress, float_bytes, floats};
use super::position::Position;
use super::stream::{Event, Sampling, stream};
use crate::knowledge::{Dictionary, Kind, Model, features};
use crate::types::Rng;
use crate::workshop::tools::work::drawn;
use anyhow::Result;

/// How the gradient is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Gradient {
    /// Over all moves.
    Exact,
    /// Over moves drawn by their probabilities.
    Sampled,
    /// Exact for likely moves, drawn for unlikely ones.
    Pruned,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Numbers per feature vector.
    pub factors: usize,
    /// Step size of weights.
    pub rate: f32,
    /// Step size of vectors.
    pub vector_rate: f32,
    /// L2 regularization of weights and patterns.
    pub decay: f32,
    /// L2 regularization of vectors.
    pub vector_decay: f32,
    /// How the gradient is computed.
    pub gradient: Gradient,
    /// How many moves the sampled one draws.
    pub draws: usize,
    /// What is minimized.
    pub loss: Loss,
    /// Vectors and patterns stay as they are.
    pub features_only: bool,
    /// Large patterns have vectors too (Xiao 3.1); a model file has no room for them.
    pub pattern_vectors: bool,
    /// How far a step goes.
    pub steps: Steps,
}

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Steps {
    /// By the parameter's own past gradients, and less towards the end.
    Adagrad,
    /// In proportion to the gradient, always the same (Xiao 3.3.2).
    Sgd,
}

/// What is minimized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Minus the log-probability of the played move among all: `fbt`.
    Softmax,
    /// The squared error of each move's strength against 1 for played and 0 for not: `lfr`.
    Squared,
}

/// A parameter and the sum of its squared gradients, side by side in memory.
#[derive(Clone, Copy, Debug)]
struct Parameter {
    value: f32,
    squares: f32,
}

/// The step sizes at this point of the training.
#[derive(Clone, Copy, Debug)]
struct Rates {
    rate: f32,
    vector_rate: f32,
}

/// Sum of squared gradients before the first one: bounds the first steps.
const FIRST_SQUARES: f32 = 0.1;

/// The trainer, for vectors of up to K numbers.
pub struct Fbt<const K: usize> {
    settings: Settings,
    weights: Vec<Parameter>,
    vectors: Vec<[f32; K]>,
    vector_squares: Vec<[f32; K]>,
    patterns: Dictionary,
    seed: u64,
    /// Positions learned from: with the seed it makes the random numbers of the next one, so that
    /// an interrupted training goes on with the same ones.
    learned: u64,
    rng: Rng,
    strengths: Vec<f32>,
    sums: Vec<[f32; K]>,
    /// Gradients of features in this position; patterns are stepped move by move.
    gradient: Vec<f32>,
    vector_gradient: Vec<[f32; K]>,
    touched: Vec<u32>,
}

impl<const K: usize> Fbt<K> {
    /// Starts from a model (its patterns and, unless it is blank, its weights).
    pub fn new(settings: Settings, start: &Model, seed: u64) -> Fbt<K> {
        let parameter = |value| Parameter { value, squares: FIRST_SQUARES };
        let mut weights: Vec<Parameter> = start.weights().iter().map(|&w| parameter(w)).collect();
        weights.resize(features::COUNT + start.patterns().slots(), parameter(0.0));
        for (slot, pattern) in start.patterns().iter() {
            weights[features::COUNT + slot].value = pattern.weight;
        }
        let mut rng = Rng::new(seed);
        let with_vectors = match settings.pattern_vectors {
            true => weights.len(),
            false => features::COUNT,
        };
        let mut vectors = vec![[0.0; K]; with_vectors];
        for (id, vector) in vectors.iter_mut().enumerate() {
            for (q, v) in vector.iter_mut().enumerate().take(settings.factors) {
                *v = if q < start.factors() && id < features::COUNT {
                    start.vectors()[id * start.factors() + q]
                } else {
                    (rng.unit() as f32 - 0.5) * 0.1
                };
            }
        }
        Fbt {
            settings,
            weights,
            vectors,
            vector_squares: vec![[FIRST_SQUARES; K]; with_vectors],
            patterns: start.patterns().clone(),
            seed,
            learned: 0,
            rng,
            strengths: Vec::new(),
            sums: Vec::new(),
            gradient: vec![0.0; features::COUNT],
            vector_gradient: vec![[0.0; K]; features::COUNT],
            touched: Vec::new(),
        }
    }

    /// Leaves the features that are not allowed without a vector: the trainer never meets them.
    pub fn only(mut self, allowed: Option<&[bool]>) -> Fbt<K> {
        let never = allowed.unwrap_or_default().iter().map(|allowed| !allowed);
        for (vector, never) in self.vectors.iter_mut().zip(never) {
            if never {
                *vector = [0.0; K];
            }
        }
        self
    }

    /// Fills in the strengths of all moves and the sums of their vectors.
    fn rate(&mut self, position: &Position) {
        self.strengths.clear();
        self.sums.clear();
        for index in 0..position.len() {
            let mut strength = 0.0;
            let mut sum = [0.0; K];
            let mut squares = [0.0; K];
            for &id in position.features(index) {
                let id = id as usize;
                strength += self.weights[id].value;
                if K > 0 && id < self.vectors.len() {
                    let vector = &self.vectors[id];
                    for q in 0..K {
                        sum[q] += vector[q];
                        squares[q] += vector[q] * vector[q];
                    }
                }
            }
            for q in 0..K {
                strength += 0.5 * (sum[q] * sum[q] - squares[q]);
            }
            self.strengths.push(strength);
            self.sums.push(sum);
        }
    }

    /// Adds a move's share of the gradient, `factor` times the derivative of its strength.
    fn add_gradient(&mut self, position: &Position, index: usize, factor: f32, rates: Rates) {
        let Rates { rate, vector_rate } = rates;
        for &id in position.features(index) {
            let id = id as usize;
            if id >= features::COUNT {
                if !self.settings.features_only {
                    let Settings { decay, steps, .. } = self.settings;
                    step(&mut self.weights[id], factor, rate, decay, steps);
                    if self.settings.pattern_vectors {
                        self.step_vector(index, id, factor, vector_rate);
                    }
                }
                continue;
            }
            if self.gradient[id] == 0.0 {
                self.touched.push(id as u32);
            }
            self.gradient[id] += factor;
            if K > 0 && !self.settings.features_only {
                let (sum, own) = (&self.sums[index], &self.vectors[id]);
                let gradient = &mut self.vector_gradient[id];
                for q in 0..K {
                    gradient[q] += factor * (sum[q] - own[q]);
                }
            }
        }
    }

    /// The whole gradient; shares below the threshold are replaced, with a chance in proportion
    /// to their size, by shares as large as the threshold.
    fn pruned_gradient(&mut self, position: &Position, threshold: f32, rate: Rates) {
        for index in 0..position.len() {
            let mut factor = self.strengths[index];
            if index == position.played {
                factor -= 1.0;
            } else if factor.abs() < threshold {
                if self.rng.unit() as f32 * threshold >= factor.abs() {
                    continue;
                }
                factor = threshold.copysign(factor);
            }
            self.add_gradient(position, index, factor, rate);
        }
    }

    /// The played move against moves drawn by their probabilities (for `lfr`: evenly).
    fn sampled_gradient(&mut self, position: &Position, count: usize, rate: Rates) {
        let moves = position.len();
        match self.settings.loss {
            Loss::Softmax => {
                self.add_gradient(position, position.played, -1.0, rate);
                for _ in 0..count {
                    let ticket = self.rng.unit() as f32;
                    let drawn = drawn(ticket, self.strengths.iter().copied()).unwrap_or(moves - 1);
                    self.add_gradient(position, drawn, 1.0 / count as f32, rate);
                }
            }
            Loss::Squared => {
                let error = self.strengths[position.played] - 1.0;
                self.add_gradient(position, position.played, error, rate);
                for _ in 0..count {
                    let drawn = self.rng.below(moves as u32) as usize;
                    if drawn != position.played {
                        let share = self.strengths[drawn] * moves as f32 / count as f32;
                        self.add_gradient(position, drawn, share, rate);
                    }
                }
            }
        }
    }

    /// How well it predicts by what it has itself, vectors of patterns included.
    fn accuracy(&mut self, source: &Source) -> Result<Accuracy> {
        let mut accuracy = Accuracy::empty();
        let patterns = self.patterns.clone();
        let all = Sampling { rate: 1.0, seed: 0, skip: 0 };
        stream(source, 0, all, &patterns, 1, |event| {
            match event {
                Event::GameEnd => accuracy.games += 1,
                Event::Position(position) => {
                    self.rate(position);
                    softmax(&mut self.strengths);
                    let played = Some(position.played);
                    accuracy.add(position.number, played, self.strengths.iter().copied());
                }
            }
            Ok(true)
        })?;
        Ok(accuracy)
    }

    /// Steps the vector of a pattern of a move at once, as its weight.
    fn step_vector(&mut self, index: usize, id: usize, factor: f32, rate: f32) {
        let Settings { vector_decay, steps, .. } = self.settings;
        let (vector, squares) = (&mut self.vectors[id], &mut self.vector_squares[id]);
        for q in 0..K {
            let slope = factor * (self.sums[index][q] - vector[q]) + vector_decay * vector[q];
            squares[q] += slope * slope;
            vector[q] -= rate * slope / divisor(squares[q], steps);
        }
    }

    /// Steps the features touched by this position.
    fn apply(&mut self, Rates { rate, vector_rate }: Rates) {
        let Settings { decay, steps, .. } = self.settings;
        for &id in &self.touched {
            let id = id as usize;
            step(&mut self.weights[id], self.gradient[id], rate, decay, steps);
            self.gradient[id] = 0.0;
            if K > 0 && !self.settings.features_only {
                let gradient = std::mem::replace(&mut self.vector_gradient[id], [0.0; K]);
                let (vector, squares) = (&mut self.vectors[id], &mut self.vector_squares[id]);
                for q in 0..K {
                    let slope = gradient[q] + self.settings.vector_decay * vector[q];
                    squares[q] += slope * slope;
                    vector[q] -= vector_rate * slope / divisor(squares[q], steps);
                }
            }
        }
        self.touched.clear();
    }
}

/// Turns strengths into probabilities.
pub(super) fn softmax(strengths: &mut [f32]) {
    let best = strengths.iter().fold(f32::MIN, |best, &s| best.max(s));
    let mut sum = 0.0;
    for strength in strengths.iter_mut() {
        *strength = (*strength - best).exp();
        sum += *strength;
    }
    for probability in strengths.iter_mut() {
        *probability /= sum;
    }
}

#[inline(always)]
fn step(parameter: &mut Parameter, gradient: f32, rate: f32, decay: f32, steps: Steps) {
    let slope = gradient + decay * parameter.value;
    parameter.squares += slope * slope;
    parameter.value -= rate * slope / divisor(parameter.squares, steps);
}

#[inline(always)]
fn divisor(squares: f32, steps: Steps) -> f32 {
    match steps {
        Steps::Adagrad => squares.sqrt(),
        Steps::Sgd => 1.0,
    }
}

/// The same patterns with other weights.
pub(super) fn weighted(patterns: &Dictionary, weight: impl Fn(usize) -> f32) -> Dictionary {
    let entries: Vec<(u32, f32)> =
        patterns.iter().map(|(slot, pattern)| (pattern.key, weight(slot))).collect();
    Dictionary::from_sorted(entries.into_iter())
}

impl<const K: usize> Learner for Fbt<K> {
    fn learn(&mut self, position: &Position, progress: Progress) -> f32 {
        self.rate(position);
        self.learned += 1;
        self.rng = Rng::new(self.seed ^ self.learned << 16);
        let slowing = match self.settings.steps {
            Steps::Adagrad => (1.0 - progress.done).max(0.02),
            Steps::Sgd => 1.0,
        };
        let Settings { rate, vector_rate, .. } = self.settings;
        let rates = Rates { rate: rate * slowing, vector_rate: vector_rate * slowing };
        let loss = match self.settings.loss {
            Loss::Softmax => {
                softmax(&mut self.strengths);
                -self.strengths[position.played].max(1e-30).ln()
            }
            Loss::Squared => (1.0 - self.strengths[position.played]).powi(2),
        };
        match self.settings.gradient {
            Gradient::Sampled => self.sampled_gradient(position, self.settings.draws, rates),
            Gradient::Exact => self.pruned_gradient(position, 0.0, rates),
            Gradient::Pruned => {
                let threshold = if self.settings.loss == Loss::Squared { 0.02 } else { 0.002 };
                self.pruned_gradient(position, threshold, rates);
            }
        }
        self.apply(rates);
        loss
    }

    fn model(&self) -> Model {
        let weights = self.weights[..features::COUNT].iter().map(|p| p.value).collect();
        let factors = self.settings.factors;
        let own = &self.vectors[..features::COUNT];
        let vectors = own.iter().flat_map(|v| v[..factors].iter().copied()).collect();
        let patterns = weighted(&self.patterns, |slot| self.weights[features::COUNT + slot].value);
        let kind = match self.settings.loss {
            Loss::Softmax => Kind::Fbt,
            Loss::Squared => Kind::Lfr,
        };
        Model::new(kind, weights, factors, vectors, patterns)
    }

    fn measure(&mut self, source: &Source, limit: usize) -> Option<Result<Accuracy>> {
        let wanted = self.settings.pattern_vectors;
        wanted.then(|| self.accuracy(&Source { limit: source.limit.min(limit), ..source.clone() }))
    }

    fn state(&self) -> Vec<u8> {
        // Whole numbers below 2^24 are exact.
        let learned = [(self.learned >> 24) as f32, (self.learned & 0xFF_FFFF) as f32];
        let weights = self.weights.iter().flat_map(|p| [p.value, p.squares]);
        let vectors = self.vectors.iter().chain(&self.vector_squares).flatten().copied();
        float_bytes(learned.into_iter().chain(weights).chain(vectors))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let state = floats(state);
        let vectors = self.vectors.len() * K;
        if state.len() != 2 + 2 * self.weights.len() + 2 * vectors {
            return false;
        }
        let (learned, state) = state.split_at(2);
        self.learned = (learned[0] as u64) << 24 | learned[1] as u64;
        let (weights, rest) = state.split_at(2 * self.weights.len());
        for (parameter, pair) in self.weights.iter_mut().zip(weights.chunks_exact(2)) {
            *parameter = Parameter { value: pair[0], squares: pair[1] };
        }
        let (values, squares) = rest.split_at(vectors);
        if K > 0 {
            for (vector, values) in self.vectors.iter_mut().zip(values.chunks_exact(K)) {
                vector.copy_from_slice(values);
            }
            for (vector, values) in self.vector_squares.iter_mut().zip(squares.chunks_exact(K)) {
                vector.copy_from_slice(values);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
