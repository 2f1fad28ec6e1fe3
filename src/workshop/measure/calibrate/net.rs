//! The network in the place of playouts: one judgement a position.

use super::super::labels::Labels;
use super::Sample;
use crate::knowledge::net::shape::MIN_SIZE;
use crate::knowledge::net::{Evaluator, Network};
use crate::workshop::tools::work::in_parallel;
use anyhow::{Result, ensure};
use cpu_time::ThreadTime;

/// Judges every position; the samples are in the order of the positions. Each counts as one
/// playout, so that playouts a second are judgements a second.
pub fn judge(labels: &Labels, network: &Network, threads: usize) -> Result<Vec<Sample>> {
    let small = labels.positions.iter().find(|position| position.size < MIN_SIZE);
    ensure!(
        small.is_none(),
        "a network judges boards from {MIN_SIZE}x{MIN_SIZE} on; '{}' has smaller ones",
        labels.name
    );
    let start = || Evaluator::new(network.shape(), 9);
    let samples = in_parallel(labels.positions.len(), threads, start, |evaluator, index| {
        let position = &labels.positions[index];
        let board = position.board();
        let started = ThreadTime::now();
        let judgement = evaluator.judge(network, &board)?;
        let seconds = started.elapsed().as_secs_f64();
        let winrate = f64::from(judgement.black_winrate(position.komi));
        let owner = |point| f64::from(judgement.black_owner(point));
        Some(Sample::new(position, 1, winrate, owner, seconds))
    });
    Ok(samples.into_iter().flatten().collect())
}
