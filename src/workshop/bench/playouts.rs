//! Playouts from the empty board with a policy.

use super::Setup;
use super::measure::{Done, Worker};
use crate::board::Board;
use crate::playout::{Limits, Policy, play_out};
use crate::types::Rng;

/// Playouts per batch: a few milliseconds of work at any board size.
const BATCH: u64 = 64;

/// A worker that plays with its own copy of a policy and its own stream of random numbers.
pub(super) fn playouts<P: Policy + Send + 'static>(
    mut policy: P,
    setup: &Setup,
    thread: usize,
) -> Worker {
    let empty = Board::new(setup.size);
    let mut board = empty.clone();
    let mut rng = Rng::stream(setup.params().search.seed, thread);
    let limits = Limits::for_size(setup.size);
    Box::new(move || {
        let mut done = Done::default();
        for _ in 0..BATCH {
            board.copy_from(&empty);
            let outcome = play_out(&mut policy, &mut board, &mut rng, limits, |_, _| ());
            done += Done { units: 1, moves: outcome.moves as u64 };
        }
        done
    })
}
