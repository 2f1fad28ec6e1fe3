//! What an exchange with three other ranks costs a rank: to say what it has counted, and to take in what three others
//! say.
//!
//! At ten exchanges a second, the share of one thread is ten over the rate that is printed.

use super::Setup;
use super::measure::{Amount, Done, Totals};
use super::search::run;
use crate::cluster::rank_seed;
use crate::game::{Game, Rules};
use crate::params::Threads;
use crate::search::{Bounds, Digest, Search};
use cpu_time::ProcessTime;
use std::time::Instant;

/// The rank that is measured and three others.
const RANKS: usize = 4;
/// Nodes of the tree with which the exchange is measured.
const NODES: usize = 1_000_000;
/// Playouts between two looks at the number of nodes.
const PLAYOUTS: u64 = 500;
/// Exchanges between two looks at the clock.
const ROUNDS: u64 = 10;

/// Measures one rank; the number of its other threads does not matter, since the first one exchanges.
pub(super) fn measure_exchange(setup: &Setup, _: &[usize], amount: Amount) -> Vec<Totals> {
    let bounds = Bounds::default();
    let game = Game::new(setup.size, Rules::default());
    let mut own = rank(setup, 0);
    let mut playouts = 0;
    // A tree that is full is made smaller, so there is an end to growing.
    while own.nodes() < NODES && playouts < 100 * PLAYOUTS {
        run(&mut own, &game, PLAYOUTS);
        playouts += PLAYOUTS;
    }
    let mut ranks: Vec<Search> = (1..RANKS).map(|number| rank(setup, number)).collect();
    ranks.iter_mut().for_each(|rank| run(rank, &game, playouts));
    log::info!("{} nodes after {playouts} playouts", own.nodes());
    // Numbers that change, as they do during a search.
    let told: Vec<[Vec<u8>; 2]> = ranks
        .iter_mut()
        .map(|rank| {
            let digest = rank.give(&bounds);
            let mut later = digest.clone();
            later.entries.iter_mut().for_each(|entry| entry.counts.visits += 1);
            [digest.to_bytes(), later.to_bytes()]
        })
        .collect();
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let mut totals = Totals { threads: 1, ..Totals::default() };
    while !amount.is_done(totals.done, totals.wall) {
        for round in 0..ROUNDS {
            let bytes = own.give(&bounds).to_bytes();
            std::hint::black_box(bytes);
            for (sender, digests) in told.iter().enumerate() {
                if let Some(digest) = Digest::from_bytes(&digests[round as usize % 2]) {
                    own.take(sender + 1, &digest);
                }
            }
        }
        totals.done += Done { units: ROUNDS, moves: 0 };
        totals.wall = wall.elapsed();
        totals.cpu = cpu.elapsed();
    }
    vec![totals]
}

fn rank(setup: &Setup, number: usize) -> Search {
    let mut params = setup.params();
    params.search.threads = Threads::of(1);
    params.search.seed = rank_seed(params.search.seed, number);
    Search::new(params, setup.size)
}
