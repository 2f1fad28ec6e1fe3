//! The whole search: its speed, as it thinks on the empty board.

use super::Setup;
use super::measure::{Amount, Done, Totals};
use crate::game::{Game, Rules};
use crate::params::{Overrides, Threads};
use crate::search::{Interrupt, Limit, Request, Search};
use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// Playouts of one search; each begins with an empty tree.
const PLAYOUTS: u64 = 1000;

/// Searches the empty board on each of the given numbers of threads, in turns. The
/// threads of one search share a tree, as they do in play.
pub(super) fn measure_search(
    setup: &Setup,
    thread_counts: &[usize],
    amount: Amount,
) -> Vec<Totals> {
    let game = Game::new(setup.size, Rules::default());
    let mut searches: Vec<(Search, Totals)> = thread_counts
        .iter()
        .map(|&threads| (searcher(setup, threads), Totals { threads, ..Totals::default() }))
        .collect();
    while searches.iter().any(|(_, totals)| !amount.is_done(totals.done, totals.wall)) {
        for (search, totals) in &mut searches {
            let (wall, cpu) = (Instant::now(), ProcessTime::now());
            run(search, &game, PLAYOUTS);
            totals.wall += wall.elapsed();
            totals.cpu += cpu.elapsed();
            totals.done += Done { units: PLAYOUTS, moves: 0 };
            search.clear();
        }
    }
    searches.into_iter().map(|(_, totals)| totals).collect()
}

/// Playouts a second of a search on one thread.
pub(crate) fn search_speed(size: usize, time: Duration) -> f64 {
    let setup = Setup { size, overrides: Overrides::default() };
    let [totals] = measure_search(&setup, &[1], Amount::Time(time))[..] else { return 0.0 };
    totals.done.units as f64 / totals.wall.as_secs_f64()
}

fn searcher(setup: &Setup, threads: usize) -> Search {
    let mut params = setup.params();
    params.search.threads = Threads::of(threads);
    Search::new(params, setup.size)
}

/// Searches with so many playouts.
pub(super) fn run(search: &mut Search, game: &Game, playouts: u64) {
    search.run(game, &of_playouts(playouts), &Interrupt::default(), &mut |_| ());
}

pub(super) fn of_playouts(playouts: u64) -> Request {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    Request { limit, ..Request::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_count_is_measured() {
        let setup = Setup { size: 5, overrides: Overrides::default() };
        let totals = measure_search(&setup, &[1, 2], Amount::Units(1));
        assert_eq!([totals[0].threads, totals[1].threads], [1, 2]);
        assert!(totals.iter().all(|total| total.done.units >= PLAYOUTS));
    }
}
