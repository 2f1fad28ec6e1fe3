//! The searches of a review: every position of a game once, on all threads.
//!
//! One position to a thread is worth more than two threads in one tree, so each thread has a search of
//! its own. It takes runs of consecutive positions and keeps its tree within a run: what was found out
//! about the move that was played is not lost. A run begins with an empty tree and the same random
//! numbers, so that the result of a review by playouts does not depend on the number of threads.

use crate::game::Game;
use crate::params::{Overrides, Params, Threads};
use crate::search::{Interrupt, Limit, Report, Request, Search};
use crate::types::{Move, Point, is_small};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Seconds of one thread for a position, unless told otherwise: 250 moves take two and a half minutes on
/// two cores.
pub const DEFAULT_TIME: f64 = 1.2;
/// Consecutive positions that a thread takes.
const RUN: usize = 8;
/// Moves that are kept of what a search considered, the one that was played aside.
const KEPT: usize = 8;
/// Playouts below which a judgement says nothing: they are played even when the time is over.
const LEAST_PLAYOUTS: u64 = 20;

/// The parameters of a search that judges positions: one thread, and on large boards the network is asked
/// to the end, also where the engine would leave the fights to playouts. What was set by hand stays.
pub fn judging_params(overrides: &Overrides, size: usize) -> Params {
    let mut params = overrides.resolve(size);
    params.search.threads = Threads::of(1);
    if !is_small(size) && overrides.get("value.until").is_none() {
        params.value.until = 1.0;
    }
    params
}

/// Searches positions one after the other on one thread.
pub struct Searcher {
    search: Search,
    limit: Limit,
}

impl Searcher {
    /// With these parameters, which should ask for one thread.
    pub fn new(params: Params, size: usize, limit: Limit) -> Searcher {
        Searcher { search: Search::new(params, size), limit }
    }

    /// Forgets the tree; the random numbers begin anew.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// What the search finds in a position, as it is shown. Only the best moves are kept, and the one
    /// that was played.
    pub fn look(&mut self, game: &Game, played: Option<Point>, interrupt: &Interrupt) -> Report {
        let mut report = self.look_at_all(game, interrupt);
        let mut place = 0;
        report.candidates.retain(|candidate| {
            place += 1;
            candidate.visits > 0 && place <= KEPT || Some(candidate.point) == played
        });
        report
    }

    /// The same with all moves.
    pub fn look_at_all(&mut self, game: &Game, interrupt: &Interrupt) -> Report {
        let request = Request { limit: self.limit, exhaustive: true, ..Request::default() };
        let mut report = self.search.run(game, &request, interrupt, &mut |_| ());
        if report.visits < LEAST_PLAYOUTS {
            let limit = Limit { playouts: Some(LEAST_PLAYOUTS), ..Limit::default() };
            let request = Request { limit, exhaustive: true, ..Request::default() };
            report = self.search.run(game, &request, interrupt, &mut |_| ());
        }
        report.shown()
    }
}

/// How a review searches.
pub(super) struct Plan<'a> {
    /// The whole game.
    pub game: &'a Game,
    /// Parameters for one thread.
    pub params: &'a Params,
    /// How long to search one position.
    pub limit: Limit,
    /// Threads.
    pub threads: usize,
}

impl Plan<'_> {
    /// Time a position on each thread, or so many playouts.
    pub(super) fn limit(time: f64, playouts: Option<u64>) -> Limit {
        match playouts {
            Some(playouts) => Limit { playouts: Some(playouts), ..Limit::default() },
            None => {
                let time = Duration::from_secs_f64(time);
                Limit { planned: Some(time), maximum: Some(time), ..Limit::default() }
            }
        }
    }

    /// The position before a move (counted from 0), or after the last one.
    fn position(&self, index: usize) -> (Game, Option<Move>) {
        let next = self.game.moves().get(index).copied();
        let mut game = self.game.clone();
        // There are as many moves: the index is at most their number.
        let _ = game.undo(self.game.moves().len().saturating_sub(index));
        if let Some(next) = next {
            game.set_to_play(next.color);
        }
        (game, next)
    }

    /// A report for every position, or none if it was interrupted.
    pub(super) fn search(
        &self,
        interrupt: &Interrupt,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Option<Vec<Report>> {
        let count = self.game.moves().len() + 1;
        let runs = count.div_ceil(RUN);
        let next_run = AtomicUsize::new(0);
        let (sender, found) = channel();
        let work = || {
            let sender = sender.clone();
            let mut searcher = Searcher::new(self.params.clone(), self.game.size(), self.limit);
            loop {
                let run = next_run.fetch_add(1, Ordering::Relaxed);
                if run >= runs {
                    return;
                }
                searcher.clear();
                for index in run * RUN..count.min((run + 1) * RUN) {
                    let (game, next) = self.position(index);
                    let report = searcher.look(&game, next.map(|next| next.point), interrupt);
                    if interrupt.is_raised() || sender.send((index, report)).is_err() {
                        return;
                    }
                }
            }
        };
        let mut reports: Vec<Option<Report>> = vec![None; count];
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.threads.clamp(1, runs)).map(|_| scope.spawn(work)).collect();
            let mut done = 0;
            while workers.iter().any(|worker| !worker.is_finished()) || done < count {
                match found.recv_timeout(Duration::from_millis(100)) {
                    Ok((index, report)) => {
                        reports[index] = Some(report);
                        done += 1;
                        progress(done, count);
                    }
                    // All threads have ended and nothing is left: interrupted.
                    Err(_) if workers.iter().all(|worker| worker.is_finished()) => break,
                    Err(_) => {}
                }
            }
        });
        reports.into_iter().collect()
    }
}
