//! A cluster of any size inside one process, in time that is counted in playouts.
//!
//! Every rank has a search of its own. They play in turn on one thread, a few playouts each, and exchange digests as
//! they would over a network: at a fixed rhythm, each message delayed by a fixed time, some of them lost. A second is
//! the number of playouts that a rank makes in it, so the outcome does not depend on the machine and repeats under a
//! seed: sixty-four machines can be tried on one.

use super::rank_seed;
use crate::game::Game;
use crate::params::{Params, Threads};
use crate::search::{Bounds, Digest, Interrupt, Limit, Report, Request, Search};
use crate::types::Rng;
use std::collections::VecDeque;

/// A cluster to simulate. Times are playouts of one rank.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setting {
    /// Searches.
    pub ranks: usize,
    /// Playouts of each.
    pub playouts: u64,
    /// From one exchange to the next.
    pub every: u64,
    /// How long a digest is under way.
    pub delay: u64,
    /// How long the rank that moves waits for the last digests.
    pub patience: u64,
    /// Share of the digests that are lost.
    pub loss: f64,
    /// What is told.
    pub bounds: Bounds,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// What every rank knows at the end; the first one moves.
    pub reports: Vec<Report>,
    /// Digests sent, each to all other ranks.
    pub digests: u64,
    /// Their bytes, each counted once.
    pub bytes: u64,
    /// The longest.
    pub longest: usize,
}

/// A digest under way.
struct Letter {
    due: u64,
    sender: usize,
    receiver: usize,
    digest: Digest,
}

/// A cluster at work.
struct Cluster<'a> {
    game: &'a Game,
    setting: &'a Setting,
    searches: Vec<Search>,
    /// In the order in which they are due.
    letters: VecDeque<Letter>,
    luck: Rng,
    outcome: Outcome,
}

/// Searches a position on a simulated cluster, one thread a rank.
pub fn simulate(game: &Game, params: &Params, setting: &Setting) -> Outcome {
    let search = |rank| {
        let mut params = params.clone();
        params.search.threads = Threads::Fixed(1);
        params.search.seed = rank_seed(params.search.seed, rank);
        Search::new(params, game.size())
    };
    let mut cluster = Cluster {
        game,
        setting,
        searches: (0..setting.ranks.max(1)).map(search).collect(),
        letters: VecDeque::new(),
        luck: Rng::new(params.search.seed ^ 0x10_55),
        outcome: Outcome { reports: Vec::new(), digests: 0, bytes: 0, longest: 0 },
    };
    cluster.run();
    cluster.outcome
}

impl Cluster<'_> {
    fn run(&mut self) {
        let Setting { playouts, every, delay, patience, .. } = *self.setting;
        let (mut now, mut next) = (0, every.max(1));
        while now < playouts {
            let due = self.letters.front().map_or(u64::MAX, |letter| letter.due);
            let until = next.min(due).min(playouts);
            self.play(until - now);
            now = until;
            self.deliver(now);
            if now == next && now < playouts {
                self.tell(now + delay);
                next += every.max(1);
            }
        }
        self.tell(now + delay);
        self.deliver(now + patience);
        let still = |search: &mut Search| run(search, self.game, 0);
        self.outcome.reports = self.searches.iter_mut().map(still).collect();
    }

    fn play(&mut self, playouts: u64) {
        for search in self.searches.iter_mut().filter(|_| playouts > 0) {
            run(search, self.game, playouts);
        }
    }

    /// Every rank sends a digest to all others.
    fn tell(&mut self, due: u64) {
        let ranks = self.searches.len();
        for sender in (0..ranks).filter(|_| ranks > 1) {
            let digest = self.searches[sender].give(&self.setting.bounds);
            let bytes = digest.to_bytes().len();
            self.outcome.digests += 1;
            self.outcome.bytes += bytes as u64;
            self.outcome.longest = self.outcome.longest.max(bytes);
            for receiver in (0..ranks).filter(|&receiver| receiver != sender) {
                if self.luck.unit() >= self.setting.loss {
                    let digest = digest.clone();
                    self.letters.push_back(Letter { due, sender, receiver, digest });
                }
            }
        }
    }

    fn deliver(&mut self, now: u64) {
        while self.letters.front().is_some_and(|letter| letter.due <= now) {
            let Some(letter) = self.letters.pop_front() else { break };
            self.searches[letter.receiver].take(letter.sender, &letter.digest);
        }
    }
}

fn run(search: &mut Search, game: &Game, playouts: u64) -> Report {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    let request = Request { limit, ..Request::default() };
    search.run(game, &request, &Interrupt::default(), &mut |_| ())
}
