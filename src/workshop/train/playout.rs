//! Learning the gammas of the playouts: 3x3 surroundings with liberty classes and local features.
//!
//! A Bradley-Terry model by stochastic gradient descent, as in [`fbt`](super::fbt) without factors, on the few
//! features that a playout can keep up to date after every move.

use super::dataset::Source;
use super::evaluate::{Accuracy, measure};
use super::fbt::softmax;
use crate::board::Board;
use crate::knowledge::gammas::{
    Gammas, LOCALS, LastMoves, Local, SURROUNDINGS, canonical_surroundings, look,
};
use crate::types::{Point, Rng};
use anyhow::Result;

/// Surroundings that moves had fewer times than this keep a gamma of 1.
const MIN_SEEN: u32 = 200;

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the games.
    pub passes: usize,
    /// Part of the positions used in each pass.
    pub sample: f64,
    /// Step size.
    pub rate: f32,
    /// L2 regularization.
    pub decay: f32,
    /// Seed of the sampling.
    pub seed: u64,
}

/// The moves of a position as features: surroundings and local bits.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) points: Vec<Point>,
    pub(super) features: Vec<(u32, u16)>,
    pub(super) strengths: Vec<f32>,
}

impl Moves {
    pub(super) fn fill(&mut self, board: &Board, classes: &[u32]) {
        let color = board.to_play();
        let last_moves = LastMoves::new(board);
        self.points.clear();
        self.features.clear();
        for &point in board.empty_points() {
            // Playouts do not fill eyes, so the model need not learn that.
            if board.is_legal(color, point) && !board.is_eye(color, point) {
                self.points.push(point);
                let (surroundings, locals) = look(board, color, point);
                let saves = || locals & Local::Save.bit() != 0;
                let locals = locals | last_moves.locals(point, saves);
                self.features.push((classes[surroundings], locals));
            }
        }
    }
}

/// The canonical form of all surroundings.
pub(super) fn classes() -> Vec<u32> {
    (0..SURROUNDINGS).map(|index| canonical_surroundings(index) as u32).collect()
}

/// Learns gammas from games; reports the mean loss after every pass.
pub fn learn(
    source: &Source,
    settings: Settings,
    mut report: impl FnMut(usize, f64),
) -> Result<Gammas> {
    let classes = classes();
    // Weight and sum of squared gradients, shapes first.
    let mut weights = vec![[0.0f32, 0.1]; SURROUNDINGS + LOCALS];
    let mut seen = vec![0u32; SURROUNDINGS];
    let mut moves = Moves::default();
    let games = source.count()?;
    for pass in 0..settings.passes {
        let (mut loss, mut positions, mut index) = (0.0f64, 0usize, 0usize);
        source.for_each_shuffled(pass, |game| {
            index += 1;
            let mut rng = Rng::new(settings.seed ^ (pass as u64) << 40 ^ index as u64);
            let done = (pass * games + index) as f32 / (settings.passes * games) as f32;
            let rate = settings.rate * (1.0 - done).max(0.02);
            source.replay(&game, |board, played| {
                if settings.sample < 1.0 && rng.unit() >= settings.sample {
                    return;
                }
                moves.fill(board, &classes);
                let Some(played) = moves.points.iter().position(|&p| p == played) else { return };
                rate_moves(&mut moves, |id| weights[id][0]);
                softmax(&mut moves.strengths);
                loss -= f64::from(moves.strengths[played].max(1e-30).ln());
                positions += 1;
                for (i, &(shape, bits)) in moves.features.iter().enumerate() {
                    let factor = moves.strengths[i] - if i == played { 1.0 } else { 0.0 };
                    seen[shape as usize] += 1;
                    for id in ids(shape, bits) {
                        let [weight, squares] = &mut weights[id];
                        let slope = factor + settings.decay * *weight;
                        *squares += slope * slope;
                        *weight -= rate * slope / squares.sqrt();
                    }
                }
            });
            Ok(true)
        })?;
        report(pass, loss / positions.max(1) as f64);
    }
    let mut gammas = Gammas::default();
    for (index, &class) in classes.iter().enumerate() {
        if seen[class as usize] >= MIN_SEEN {
            gammas.shape[index] = weights[class as usize][0].exp();
        }
    }
    for local in Local::ALL {
        gammas.locals[local as usize] = weights[SURROUNDINGS + local as usize][0].exp();
    }
    Ok(gammas)
}

pub(super) fn rate_moves(moves: &mut Moves, weight: impl Fn(usize) -> f32) {
    moves.strengths.clear();
    for &(shape, bits) in &moves.features {
        moves.strengths.push(ids(shape, bits).map(&weight).sum());
    }
}

/// The numbers of a move's features: its surroundings, then its local features.
pub(super) fn ids(shape: u32, bits: u16) -> impl Iterator<Item = usize> {
    let locals = (0..LOCALS).filter(move |local| bits >> local & 1 != 0);
    std::iter::once(shape as usize).chain(locals.map(|local| SURROUNDINGS + local))
}

/// How well gammas predict the moves of games. Moves that no playout makes (passes, filled eyes) count as
/// missed.
pub fn evaluate(gammas: &Gammas, source: &Source) -> Result<Accuracy> {
    let identity: Vec<u32> = (0..SURROUNDINGS as u32).collect();
    let mut moves = Moves::default();
    measure(source, usize::MAX, |board, found| {
        moves.fill(board, &identity);
        rate_moves(&mut moves, |id| match id.checked_sub(SURROUNDINGS) {
            None => gammas.shape[id].ln(),
            Some(local) => gammas.locals[local].ln(),
        });
        softmax(&mut moves.strengths);
        found.extend(moves.points.iter().copied().zip(moves.strengths.iter().copied()));
    })
}
