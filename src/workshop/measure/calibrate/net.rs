//! The network in the place of playouts: one judgement a position.

use super::super::labels::Labels;
use super::Opinion;
use crate::knowledge::net::Network;
use crate::knowledge::net::shape::MIN_SIZE;
use crate::types::points;
use crate::workshop::tools::critics::Critics;
use crate::workshop::tools::work::in_parallel;
use anyhow::{Context, Result, ensure};
use cpu_time::ThreadTime;
use std::path::Path;
use std::sync::Arc;

/// The network of a file, or the built-in one for these positions.
pub fn find(path: Option<&Path>, labels: &Labels) -> Result<Arc<Network>> {
    let size = labels.positions.first().map_or(9, |position| position.size);
    match path {
        Some(path) => Ok(Arc::new(Network::load(path)?)),
        None => Network::embedded(size).with_context(|| {
            format!("there is no built-in network for {size}x{size}; give --net FILE")
        }),
    }
}

/// Judges every position; the opinions are in the order of the positions.
pub fn judge(labels: &Labels, network: &Arc<Network>, threads: usize) -> Result<Vec<Opinion>> {
    let small = labels.positions.iter().find(|position| position.size < MIN_SIZE);
    ensure!(
        small.is_none(),
        "a network judges boards from {MIN_SIZE}x{MIN_SIZE} on; '{}' has smaller ones",
        labels.name
    );
    let start = || Critics::new(network);
    let opinions = in_parallel(labels.positions.len(), threads, start, |critics, index| {
        let position = &labels.positions[index];
        let board = position.board();
        let started = ThreadTime::now();
        let judgement = critics.judge(&board)?;
        let seconds = started.elapsed().as_secs_f64();
        let winrate = f64::from(judgement.black_winrate(position.komi));
        let owners = points(position.size).map(|point| judgement.black_owner(point)).collect();
        Some(Opinion { winrate, owners, seconds })
    });
    Ok(opinions.into_iter().flatten().collect())
}
