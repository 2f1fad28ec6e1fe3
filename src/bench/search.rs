//! The whole search: its speed, and the signature of what it does.

use super::Setup;
use super::measure::{Amount, Done, Totals};
use crate::game::{Game, Rules};
use crate::params::{Params, TreeModel};
use crate::search::{Interrupt, Limit, Request, Search};
use crate::types::{Move, Point, points};
use cpu_time::ProcessTime;
use std::time::{Duration, Instant};

/// Playouts of one search; each begins with an empty tree.
pub(super) const PLAYOUTS: u64 = 1000;

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
        .map(|&threads| {
            let totals = Totals {
                threads,
                done: Done::default(),
                wall: Duration::ZERO,
                cpu: Duration::ZERO,
            };
            (searcher(setup.size, setup.seed, threads, &setup.model), totals)
        })
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
    let setup = Setup { size, seed: 1, model: TreeModel::default() };
    let [totals] = measure_search(&setup, &[1], Amount::Time(time))[..] else { return 0.0 };
    totals.done.units as f64 / totals.wall.as_secs_f64()
}

fn searcher(size: usize, seed: u64, threads: usize, model: &TreeModel) -> Search {
    let mut params = Params::for_size(size);
    params.tree_model = model.clone();
    params.search.threads = threads as u64;
    params.search.seed = seed;
    params.search.memory = 256;
    params.search.early_stop = false;
    Search::new(params, size)
}

fn run(search: &mut Search, game: &Game, playouts: u64) {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    let request = Request { limit, ..Request::default() };
    search.run(game, &request, &Interrupt::default(), &mut |_| ());
}

/// Positions whose searches make up the signature: board size and moves, Black first.
const POSITIONS: [(usize, &str); 5] = [
    (9, ""),
    (9, "E5 E3 C4 G6 F4 F3 G4 G3 H4"),
    (9, "C3 G7 G3 C7 D7 D8 E8 C8 E7 E2 F2 F3 G2 E3 C5 B5 B4 B6"),
    (13, "D4 K10 K4 D10 F11 C8"),
    (19, "Q16 D4 Q4 D16 F17 C14 R10 K3"),
];

/// A number that changes when the search changes: it is made of all visit counts at the root after
/// a fixed number of playouts with a fixed seed on one thread. A clean-up leaves it alone.
pub(crate) fn signature(model: &TreeModel, playouts: u64) -> u32 {
    let mut hash = 0x811C_9DC5u32; // FNV-1a
    let mut mix = |value: u32| {
        for byte in value.to_le_bytes() {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    };
    for (size, moves) in POSITIONS {
        let game = position(size, moves);
        let mut search = searcher(size, 1, 1, model);
        run(&mut search, &game, playouts);
        let visits = search.root_visits();
        points(size).chain([Point::PASS]).for_each(|point| mix(visits[point]));
    }
    hash
}

/// A position of the list. Its moves are legal: a test plays them.
fn position(size: usize, moves: &str) -> Game {
    let mut game = Game::new(size, Rules::default());
    for vertex in moves.split_whitespace() {
        let point = Point::parse_gtp(vertex, size).unwrap_or(Point::PASS);
        let _ = game.play(Move::new(game.board().to_play(), point));
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_repeats_and_its_positions_are_legal() {
        for (size, moves) in POSITIONS {
            let played = position(size, moves);
            let count = moves.split_whitespace().count();
            let stones = played.moves().iter().filter(|play| !play.point.is_pass()).count();
            assert_eq!(stones, count, "{moves}");
        }
        let model = TreeModel::default();
        assert_eq!(signature(&model, PLAYOUTS), signature(&model, PLAYOUTS));
    }

    #[test]
    fn every_thread_count_is_measured() {
        let setup = Setup { size: 5, seed: 1, model: TreeModel::default() };
        let totals = measure_search(&setup, &[1, 2], Amount::Units(1));
        assert_eq!([totals[0].threads, totals[1].threads], [1, 2]);
        assert!(totals.iter().all(|total| total.done.units >= PLAYOUTS));
    }
}
