//! How wrong an answer of the network is, and in which direction.

use super::data::{Sample, turn};
use crate::knowledge::net::grid::Grid;
use crate::knowledge::net::math::{exp, logistic, tanh};
use crate::knowledge::net::planes;
use crate::knowledge::net::shape::{
    LANES, LEAD, MAX_LOG_SPREAD, OFFSET, OWNER, PASS, POINTS_PER_UNIT, POLICY, SPREAD, USUAL_SPREAD,
};

/// How much each part counts.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Cross-entropy of the winrate, in nats.
    pub winrate: f32,
    /// Mean squared error of the owners.
    pub owners: f32,
    /// Error of the lead: squared up to ten points, linear beyond.
    pub lead: f32,
    /// Cross-entropy of the moves, in nats.
    pub policy: f32,
    /// Cross-entropy of the winrate where only the result of a game is known.
    pub result: f32,
}

impl Weights {
    /// What counts in a position: of one that nobody judged, only its move and its result.
    fn of(&self, sample: &Sample) -> Weights {
        match sample.is_judged() {
            true => *self,
            false => Weights { winrate: self.result, owners: 0.0, lead: 0.0, ..*self },
        }
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights { winrate: 1.5, owners: 1.5, lead: 0.3, policy: 0.5, result: 0.15 }
    }
}

/// What was wrong in one or more answers: sums to be divided by `positions`.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Errors {
    /// Answers.
    pub positions: f64,
    /// The weighted loss.
    pub loss: f64,
    /// Squared error of the winrate.
    pub winrate: f64,
    /// Mean squared error of the owners of a board.
    pub owners: f64,
    /// Absolute error of the lead in points.
    pub lead: f64,
    /// Cross-entropy of the moves.
    pub policy: f64,
    /// The likeliest move was the referee's.
    pub top: f64,
}

impl Errors {
    /// Adds those of other positions.
    pub fn add(&mut self, other: &Errors) {
        self.positions += other.positions;
        let mut other = *other;
        self.sums().into_iter().zip(other.sums()).for_each(|(sum, part)| *sum += *part);
    }

    /// Means over the positions.
    pub fn means(&self) -> Errors {
        let mut means = *self;
        means.sums().into_iter().for_each(|sum| *sum /= self.positions.max(1.0));
        means
    }

    fn sums(&mut self) -> [&mut f64; 6] {
        let Errors { loss, winrate, owners, lead, policy, top, .. } = self;
        [loss, winrate, owners, lead, policy, top]
    }
}

/// Compares the outputs of the last layers with what a position's referee said; the outputs are
/// replaced by the gradient of the loss. `logits` is memory for the moves of a board.
pub fn compare(
    sample: &Sample,
    symmetry: usize,
    weights: &Weights,
    outputs: &mut Grid,
    last: &mut [f32; LANES],
    logits: &mut Vec<f32>,
) -> Errors {
    let points = sample.seen.marks.len();
    let weights = &weights.of(sample);
    let mut errors = Errors { positions: 1.0, ..Errors::default() };
    let place = |index: usize, outputs: &Grid| {
        let (column, row) = turn(sample.size, symmetry, index);
        outputs.at(column + 1, row + 1)
    };

    logits.clear();
    let strengths = &sample.seen.strengths;
    for (index, &marks) in sample.seen.marks.iter().enumerate() {
        let logit = outputs.cells[place(index, outputs) + POLICY] + strengths[index];
        logits.push(if planes::is_legal(marks) { logit } else { f32::NEG_INFINITY });
    }
    logits.push(last[PASS] + strengths[points]);
    let policy = compare_moves(sample, logits, &mut errors);

    let owner = |index, outputs: &Grid| tanh(outputs.cells[place(index, outputs) + OWNER]);
    let sum: f32 = (0..points).map(|index| owner(index, outputs)).sum();
    let whole = compare_whole(sample, sum, weights, last, &mut errors);

    for (index, &to_move) in logits[..points].iter().enumerate() {
        let owner = owner(index, outputs);
        let truth = sample.owners.get(index).map_or(owner, |&truth| f32::from(truth) / 12.0);
        let error = owner - truth;
        errors.owners += f64::from(error * error) / points as f64;
        let slope = weights.owners * 2.0 * error / points as f32 + whole;
        let at = place(index, outputs);
        outputs.cells[at..at + LANES].fill(0.0); // outputs without a meaning have no gradient
        outputs.cells[at + OWNER] = slope * (1.0 - owner * owner);
        outputs.cells[at + POLICY] = weights.policy * to_move;
    }
    last[PASS] = weights.policy * logits[points];
    errors.policy = f64::from(policy);
    errors.loss += f64::from(weights.policy * policy) + f64::from(weights.owners) * errors.owners;
    errors
}

/// Winrate and lead. Gives the gradient with respect to the sum of the owners.
fn compare_whole(
    sample: &Sample,
    sum: f32,
    weights: &Weights,
    last: &mut [f32; LANES],
    errors: &mut Errors,
) -> f32 {
    let lead = sum + POINTS_PER_UNIT * last[LEAD];
    let median = lead + POINTS_PER_UNIT * last[OFFSET];
    let log_spread = last[SPREAD].clamp(-MAX_LOG_SPREAD, MAX_LOG_SPREAD);
    let spread = USUAL_SPREAD * exp(log_spread);
    let by = (median - sample.komi) / spread;
    let winrate = logistic(by);
    let wrong = winrate - sample.winrate;
    let likely = |p: f32| p.max(1e-9).ln();
    let entropy =
        -sample.winrate * likely(winrate) - (1.0 - sample.winrate) * likely(1.0 - winrate);
    let off = (lead - sample.margin) / POINTS_PER_UNIT;
    let huber = if off.abs() < 1.0 { 0.5 * off * off } else { off.abs() - 0.5 };
    errors.winrate = f64::from(wrong * wrong);
    errors.lead = f64::from((lead - sample.margin).abs());
    errors.loss += f64::from(weights.winrate * entropy + weights.lead * huber);

    let to_median = weights.winrate * wrong / spread;
    let to_lead = to_median + weights.lead * off.clamp(-1.0, 1.0) / POINTS_PER_UNIT;
    let limited = log_spread != last[SPREAD];
    last.fill(0.0);
    last[LEAD] = POINTS_PER_UNIT * to_lead;
    last[OFFSET] = POINTS_PER_UNIT * to_median;
    last[SPREAD] = if limited { 0.0 } else { -weights.winrate * wrong * by };
    to_lead
}

/// The moves: the logits become the gradient; gives the cross-entropy. The referee's list holds the
/// likeliest moves; what is left of the probability belongs to all others together.
fn compare_moves(sample: &Sample, logits: &mut [f32], errors: &mut Errors) -> f32 {
    let largest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let best = logits.iter().position(|&logit| logit == largest).unwrap_or(0);
    let listed = |&&(index, _): &&(u16, f32)| logits[index as usize] > f32::NEG_INFINITY;
    let moves: Vec<(usize, f32)> =
        sample.moves.iter().filter(listed).map(|&(index, p)| (index as usize, p)).collect();
    errors.top = f64::from(moves.first().is_some_and(|&(index, _)| index == best));
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = if *logit > f32::NEG_INFINITY { exp(*logit - largest) } else { 0.0 };
        sum += *logit;
    }
    logits.iter_mut().for_each(|probability| *probability /= sum);

    let known: f32 = moves.iter().map(|&(_, p)| p).sum();
    let other: f32 = 1.0 - moves.iter().map(|&(index, _)| logits[index]).sum::<f32>();
    let rest = if other > 1e-6 { (1.0 - known).max(0.0) } else { 0.0 };
    let total = known + rest;
    let mut entropy = if rest > 0.0 { -rest * other.ln() } else { 0.0 };
    // A move of the rest is wanted as much as the network wants it among them.
    let wanted = if rest > 0.0 { rest / other } else { 0.0 };
    let gradient = |probability: f32, wanted: f32| total * probability - wanted;
    let listed: Vec<f32> = moves.iter().map(|&(index, p)| gradient(logits[index], p)).collect();
    for &(index, p) in &moves {
        entropy -= p * logits[index].max(1e-12).ln();
    }
    logits
        .iter_mut()
        .for_each(|probability| *probability = gradient(*probability, wanted * *probability));
    for (&(index, _), gradient) in moves.iter().zip(listed) {
        logits[index] = gradient;
    }
    entropy
}
