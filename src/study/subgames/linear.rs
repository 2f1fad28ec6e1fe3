//! A value that is a sum of one weight for each subgame's position: 11 weights for 45 states (Lew 5.3, 5.4).
//!
//! Algorithm 2 moves the weights of every visited state towards the result, Algorithm 3 towards the next state's value
//! with traces; after N playouts the policy, greedy in the weights, is replaced. Neither settles: learning from a good policy
//! makes moves look indifferent, and the next policy is bad.

use super::game::{Player, State, Sum};
use crate::types::Rng;

// The constants of figure 5.6.

/// Playouts with one policy.
const PLAYOUTS: u32 = 1000;
/// Probability of a random move.
const EPSILON: f64 = 0.2;
/// Learning rate.
const ALPHA: f64 = 0.001;
/// Decay of the traces.
const LAMBDA: f64 = 0.9;

/// Which algorithm updates the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Learner {
    /// Algorithm 2, Monte Carlo.
    MonteCarlo,
    /// Algorithm 3, TD(lambda).
    Temporal,
}

/// Weights of the 11 positions.
pub type Weights = [f64; 11];

/// The value of a state.
pub fn value(weights: &Weights, state: &State) -> f64 {
    state.iter().map(|&position| weights[position]).sum()
}

/// The greedy move: the subgame whose move leads to the largest value for Left, the smallest for Right.
pub fn greedy(sum: &Sum, weights: &Weights, state: &State, player: Player) -> Option<usize> {
    let sign = if player == Player::Left { 1.0 } else { -1.0 };
    let key = |game: &usize| sign * value(weights, &sum.after(state, *game, player));
    sum.open(state).into_iter().max_by(|a, b| key(a).total_cmp(&key(b)))
}

/// The learning of some epochs.
pub struct Learning<'a> {
    sum: &'a Sum,
    learner: Learner,
    /// The weights.
    pub weights: Weights,
    policy: Weights,
    rng: Rng,
}

impl<'a> Learning<'a> {
    /// Nothing learned yet.
    pub fn new(sum: &'a Sum, learner: Learner, seed: u64) -> Learning<'a> {
        let (weights, policy, rng) = ([0.0; 11], [0.0; 11], Rng::new(seed));
        Learning { sum, learner, weights, policy, rng }
    }

    /// N playouts with the policy of the last weights, then a new policy.
    pub fn epoch(&mut self) {
        for _ in 0..PLAYOUTS {
            match self.learner {
                Learner::MonteCarlo => self.monte_carlo(),
                Learner::Temporal => self.temporal(),
            }
        }
        self.policy = self.weights;
    }

    /// A move of the policy, and whether it was a random one; none when the game is over.
    fn choose(&mut self, state: &State, player: Player) -> Option<(usize, bool)> {
        let open = self.sum.open(state);
        if open.is_empty() {
            return None;
        }
        if self.rng.unit() < EPSILON {
            return Some((open[self.rng.below(open.len() as u32) as usize], true));
        }
        greedy(self.sum, &self.policy, state, player).map(|game| (game, false))
    }

    fn monte_carlo(&mut self) {
        let (mut state, mut player) = (self.sum.start, Player::Left);
        let mut visited = vec![state];
        while let Some((game, _)) = self.choose(&state, player) {
            state = self.sum.after(&state, game, player);
            player = player.other();
            visited.push(state);
        }
        let result = self.sum.result(&state);
        for state in visited {
            monte_carlo_step(&mut self.weights, &state, result, ALPHA);
        }
    }

    /// As printed, with the step that its text has and its listing lacks: from the final state to the result.
    fn temporal(&mut self) {
        let mut traces = [0.0; 11];
        let (mut state, mut player) = (self.sum.start, Player::Left);
        while let Some((game, random)) = self.choose(&state, player) {
            let next = self.sum.after(&state, game, player);
            if random {
                traces = [0.0; 11];
            } else {
                trace(&mut traces, &state);
            }
            let error = value(&self.weights, &next) - value(&self.weights, &state);
            step(&mut self.weights, &traces, ALPHA * error);
            (state, player) = (next, player.other());
        }
        trace(&mut traces, &state);
        let error = self.sum.result(&state) - value(&self.weights, &state);
        step(&mut self.weights, &traces, ALPHA * error);
    }

    /// Left's incentives in G, H, I and I^R: what a move there changes in the value.
    pub fn incentives(&self) -> [f64; 4] {
        [0, 3, 6, 8].map(|root| match self.sum.positions[root].options {
            Some([left, _]) => self.weights[left] - self.weights[root],
            None => 0.0,
        })
    }
}

/// w <- w - alpha (V - R) dV/dw.
fn monte_carlo_step(weights: &mut Weights, state: &State, result: f64, alpha: f64) {
    let error = value(weights, state) - result;
    for &position in state {
        weights[position] -= alpha * error;
    }
}

/// e <- lambda e + dV/dw.
fn trace(traces: &mut Weights, state: &State) {
    traces.iter_mut().for_each(|trace| *trace *= LAMBDA);
    for &position in state {
        traces[position] += 1.0;
    }
}

fn step(weights: &mut Weights, traces: &Weights, by: f64) {
    weights.iter_mut().zip(traces).for_each(|(weight, trace)| *weight += by * trace);
}

/// What is learned from optimal play alone: the five states of the principal variation, again and again (5.4).
pub fn from_optimal_play(sum: &Sum, alpha: f64, playouts: u32) -> Weights {
    let mut visited = vec![sum.start];
    let (mut state, mut player) = (sum.start, Player::Left);
    while let Some(&game) = sum.optimal_moves(&state, player).first() {
        state = sum.after(&state, game, player);
        player = player.other();
        visited.push(state);
    }
    let result = sum.result(&state);
    let mut weights = [0.0; 11];
    for _ in 0..playouts {
        for state in &visited {
            monte_carlo_step(&mut weights, state, result, alpha);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_of_each_algorithm_by_hand() {
        let sum = Sum::default();
        let mut weights = [0.0; 11];
        weights[0] = 1.0;
        monte_carlo_step(&mut weights, &sum.start, 4.0, 0.1); // V = 1, error -3
        for (position, expected) in [(0, 1.3), (3, 0.3), (6, 0.3), (1, 0.0)] {
            assert!((weights[position] - expected).abs() < 1e-12, "{weights:?}");
        }
        let mut traces = [0.0; 11];
        trace(&mut traces, &[0, 3, 6]);
        trace(&mut traces, &[0, 4, 6]);
        assert_eq!((traces[0], traces[3], traces[4]), (1.9, 0.9, 1.0));
        step(&mut weights, &traces, 0.1);
        assert!((weights[0] - 1.49).abs() < 1e-12 && (weights[4] - 0.1).abs() < 1e-12);
    }

    #[test]
    fn optimal_play_teaches_indifference() {
        let sum = Sum::default();
        let w = from_optimal_play(&sum, 0.01, 20_000);
        // w_a - w_c, w_k - w_l, w_p - w_r, w_r - w_s go to 0 and the value of the start to the result.
        for (a, b) in [(0, 2), (3, 4), (6, 8), (8, 9)] {
            assert!((w[a] - w[b]).abs() < 1e-3, "{a} {b}: {} {}", w[a], w[b]);
        }
        assert!((value(&w, &sum.start) - 2.0).abs() < 1e-3);
    }

    #[test]
    fn the_policy_does_not_settle() {
        let sum = Sum::default();
        for learner in [Learner::MonteCarlo, Learner::Temporal] {
            let mut learning = Learning::new(&sum, learner, 1);
            let mut firsts = Vec::new();
            for _ in 0..60 {
                learning.epoch();
                firsts.push(greedy(&sum, &learning.weights, &sum.start, Player::Left));
            }
            let changes = firsts.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(changes > 0, "{learner:?}: {firsts:?}");
        }
    }
}
