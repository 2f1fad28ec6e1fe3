//! Latent factor ranking (Wistuba and Schmidt-Thieme): the factorization machine without softmax.
//!
//! Each move on its own is judged by a factorization machine whose output should be 1 if the move
//! was played and 0 if not; the squared error is minimized. The model and the gradient steps are
//! those of [`fbt`](super::fbt), only the loss differs, and that is the point of the comparison:
//! what is learned does not know that the moves of a position compete. Its outputs are no
//! probabilities; [`fit_scale`] finds the factor that makes their softmax the best ones.

use super::dataset::Source;
use crate::knowledge::{Model, Scratch};
use anyhow::Result;

/// Games that the scale is fitted on.
const GAMES: usize = 50;

/// The scale of a model's strengths that gives the played moves of some games the largest
/// probability.
pub fn fit_scale(model: &Model, source: &Source) -> Result<f32> {
    let source = Source { limit: source.limit.min(GAMES), ..source.clone() };
    let mut scratch = Scratch::new();
    let mut positions: Vec<(Vec<f32>, usize)> = Vec::new();
    source.for_each(|game| {
        source.replay(game, |board, played| {
            let moves = model.strengths(board, &mut scratch);
            if let Some(index) = moves.iter().position(|&(point, _)| point == played) {
                positions.push((moves.iter().map(|m| m.1).collect(), index));
            }
        });
        Ok(true)
    })?;
    let loss = |scale: f32| -> f64 {
        let mut sum = 0.0;
        for (strengths, played) in &positions {
            let best = strengths.iter().fold(f32::MIN, |best, &s| best.max(s));
            let total: f32 = strengths.iter().map(|s| (scale * (s - best)).exp()).sum();
            sum += f64::from(total.ln() - scale * (strengths[*played] - best));
        }
        sum
    };
    // The loss is convex in the scale: golden-section search on its logarithm.
    let (mut low, mut high) = (0.01f32.ln(), 1000f32.ln());
    let golden = 0.618_034;
    while high - low > 0.01 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a.exp()) < loss(b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    Ok((0.5 * (low + high)).exp())
}
