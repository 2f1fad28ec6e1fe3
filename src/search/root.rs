//! What is special at the root: forbidden moves, and searches that share nothing but it.

use super::control::Control;
use super::dynkomi::ExtraKomi;
use super::stats::SharedStats;
use super::tree::Tree;
use super::worker::{Shared, Worker};
use super::{Request, Task};
use crate::game::Game;
use crate::params::Params;
use crate::types::{Move, Point, PointMap};

/// Points that may not be played at the root: superko, and what the request forbids.
pub(super) fn banned(game: &Game, request: &Request) -> PointMap<bool> {
    let mut banned = PointMap::filled(false);
    let color = game.board().to_play();
    for point in game.board().points().chain([Point::PASS]) {
        let forbidden = request.avoid.contains(&point)
            || !request.allow.is_empty() && !request.allow.contains(&point);
        let is_legal = point.is_pass()
            || game.board().is_legal(color, point) && game.is_legal(Move::new(color, point));
        banned[point] = forbidden || !is_legal;
    }
    banned
}

/// Root-parallel search: every thread grows a tree of its own, and the counts at the root are
/// added up in the first. For comparison with the shared tree.
pub(super) fn search_separately(
    tree: &mut Tree,
    workers: &mut [Worker],
    params: &Params,
    task: &Task,
) -> (SharedStats, u64) {
    let threads = workers.len() as u64;
    let stats = SharedStats::default();
    let limit = task.request.limit;
    let share = limit.playouts.or(limit.visits).map(|all| all.div_ceil(threads));
    let others: Vec<Tree> =
        workers.iter().skip(1).map(|_| Tree::new(params.search.memory / threads)).collect();
    std::thread::scope(|scope| {
        let trees = std::iter::once(&*tree).chain(&others);
        for (tree, worker) in trees.zip(workers) {
            let stats = &stats;
            scope.spawn(move || {
                let mut extra = ExtraKomi::new(&params.komi, task.game);
                let limit = share.unwrap_or(u64::MAX);
                let shared = Shared::new(tree, task, &extra, stats, limit);
                let mut control = Control::new(params, task);
                worker.run(&shared, |shared| {
                    control.between_playouts(shared, &mut extra, |_, _| ());
                });
            });
        }
    });
    for other in &others {
        tree.add_root(other);
    }
    let playouts = stats.totals().playouts;
    (stats, playouts)
}
