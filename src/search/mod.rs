//! The search: from a game to a report on its moves.
//!
//! Monte Carlo tree search with RAVE and prior knowledge. To read it, follow one playout:
//! `worker` descends by the formula in `select`, makes children with `expand`, plays to the end
//! with a policy of [`crate::playout`], and `backup` adds the result to the nodes on the way.
//! `node` holds the concurrency contract, `tree` what survives from move to move, `dynkomi` the
//! shifted komi, `report` what the world gets to see. This file runs the threads and the limits.

mod backup;
mod banned;
mod control;
mod digest;
mod dynkomi;
mod exchange;
mod expand;
mod judge;
mod node;
mod owners;
mod prior;
mod report;
mod select;
mod stats;
mod storage;
mod tree;
mod worker;

pub use digest::{Bounds, Counts, Digest, Entry, position_key};
pub use exchange::{Partner, Window};
pub use owners::PointOwners;
pub use report::{Candidate, Report};

use crate::game::{Game, Scoring};
use crate::params::Params;
use crate::types::{Color, ColorMap, Move, Point, PointMap};
use control::Control;
use dynkomi::ExtraKomi;
use exchange::Exchange;
use node::FULL;
use report::Shift;
use stats::SharedStats;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tree::Tree;
use worker::{Shared, Worker};

/// A flag that ends a search from another thread.
#[derive(Clone, Default, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the search that looks at this flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Makes the flag usable for the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// Was it raised?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// How long to search. Whatever is reached first ends it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limit {
    /// Playouts of this search.
    pub playouts: Option<u64>,
    /// Visits of the root, earlier searches included.
    pub visits: Option<u64>,
    /// Time that should be used; the search may stop earlier when it is decided.
    pub planned: Option<Duration>,
    /// Time that must not be exceeded; between the two only unsettled searches go on.
    pub maximum: Option<Duration>,
}

/// What to search.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// How long.
    pub limit: Limit,
    /// Moves that are not considered at the root.
    pub avoid: Vec<Point>,
    /// If not empty, the only moves considered at the root.
    pub allow: Vec<Point>,
    /// How often the watcher sees a report.
    pub report_every: Option<Duration>,
    /// Search to the limit even when the best move is decided, as analysis wants it.
    pub exhaustive: bool,
    /// Find out who owns the points after every single move.
    pub moves_ownership: bool,
}

/// One search from begin to end.
struct Task<'a> {
    game: &'a Game,
    request: &'a Request,
    /// Points that may not be played at the root.
    banned: PointMap<bool>,
    interrupt: &'a Interrupt,
    begin: Instant,
    /// The shift of what the tree knew before.
    shift: Shift,
}

/// A searcher, which keeps its tree from one search to the next.
///
/// ```
/// use tengen::game::{Game, Rules};
/// use tengen::params::Params;
/// use tengen::search::{Interrupt, Limit, Request, Search};
///
/// let mut search = Search::new(Params::for_size(9), 9);
/// let limit = Limit { playouts: Some(100), ..Limit::default() };
/// let request = Request { limit, ..Request::default() };
/// let game = Game::new(9, Rules::CHINESE);
/// let report = search.run(&game, &request, &Interrupt::default(), &mut |_| ());
/// assert_eq!(report.playouts, 100);
/// ```
pub struct Search {
    params: Params,
    size: usize,
    tree: Tree,
    workers: Vec<Worker>,
    /// The game that the tree's root belongs to.
    known: Option<Known>,
    /// Was the tree made by a search that asks the network?
    judged: bool,
    /// The dynamic komi with which each player's last search of this game ended.
    extra_komi: ColorMap<Option<ExtraKomi>>,
    /// How far the results in the tree stand from those at the true komi.
    shift: Shift,
    /// What is told to others and by them.
    exchange: Exchange,
}

/// What must be equal for a tree to stay valid.
#[derive(Clone, PartialEq)]
struct Known {
    start: u64,
    komi: f32,
    scoring: Scoring,
    moves: Vec<Move>,
    to_play: Color,
}

impl Known {
    fn of(game: &Game) -> Known {
        Known {
            start: game.start().hash(),
            komi: game.total_komi(),
            scoring: game.rules().scoring,
            moves: game.moves().to_vec(),
            to_play: game.board().to_play(),
        }
    }

    /// The moves from this position to another, if it follows by alternating play.
    fn moves_to(&self, later: &Known) -> Option<Vec<Point>> {
        let more = later.moves.strip_prefix(&self.moves[..])?;
        let mut color = self.to_play;
        for play in more {
            if play.color != color {
                return None;
            }
            color = !color;
        }
        let same = self.start == later.start
            && self.komi == later.komi
            && self.scoring == later.scoring
            && color == later.to_play;
        same.then(|| more.iter().map(|play| play.point).collect())
    }
}

impl Search {
    /// A searcher with an empty tree, for boards of one size.
    pub fn new(params: Params, size: usize) -> Search {
        let threads = params.search.threads.count();
        Search {
            tree: Tree::new(params.search.memory),
            workers: (0..threads).map(|i| Worker::new(&params, size, i)).collect(),
            params,
            size,
            known: None,
            judged: false,
            extra_komi: ColorMap::default(),
            shift: Shift::default(),
            exchange: Exchange::default(),
        }
    }

    /// Points per side of the boards that it serves.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Lets others take part, or nobody; gives who did so far.
    pub fn set_partner(&mut self, partner: Option<Box<dyn Partner>>) -> Option<Box<dyn Partner>> {
        std::mem::replace(&mut self.exchange.partner, partner)
    }

    /// What the last search and those before it counted near the root.
    pub fn give(&mut self, bounds: &Bounds) -> Digest {
        self.exchange.window(&self.tree, Instant::now()).give(bounds)
    }

    /// Takes in what another search told of the position that was searched last; false if it told of another.
    pub fn take(&mut self, sender: usize, digest: &Digest) -> bool {
        self.exchange.window(&self.tree, Instant::now()).take(sender, digest)
    }

    /// Forgets everything; the random numbers begin anew.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.known = None;
        self.extra_komi = ColorMap::default();
        self.exchange.ledger.clear();
        if let Some(partner) = &mut self.exchange.partner {
            partner.forget();
        }
        for (index, worker) in self.workers.iter_mut().enumerate() {
            *worker = Worker::new(&self.params, self.size, index);
        }
    }

    /// Searches the position of a game for the player to move. The watcher sees reports at the
    /// interval that the request asks for.
    ///
    /// # Panics
    /// If the game is not of the size that this searcher was made for.
    pub fn run(
        &mut self,
        game: &Game,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        assert_eq!(game.size(), self.size, "a searcher serves one board size");
        let begin = Instant::now();
        self.follow(game);
        let request = &self.exchange.begin(game, &self.params, request);
        let banned = banned::at_root(game, request);
        let shift = self.shift.of_a_part(self.tree.root().visits());
        let task = Task { game, request, banned, interrupt, begin, shift };
        let color = game.board().to_play();
        let mut extra = match self.extra_komi[color].take() {
            Some(mut kept) => {
                kept.follow(game);
                kept
            }
            None => ExtraKomi::new(&self.params.komi, game),
        };
        let (stats, playouts) = self.play_all(&task, &mut extra, watch);
        self.exchange.end(&self.tree, begin, interrupt);
        let totals = stats.totals();
        self.shift = task.shift.and(&totals);
        let mut report = report::make(&self.tree, &task, &totals, playouts);
        report.extra_komi = f64::from(extra.value());
        self.extra_komi[color] = Some(extra);
        report
    }

    /// Plays with all threads in one tree until a limit is reached.
    fn play_all(
        &mut self,
        task: &Task,
        extra: &mut ExtraKomi,
        watch: &mut dyn FnMut(&Report),
    ) -> (SharedStats, u64) {
        let limit = task.request.limit;
        let wanted = limit.visits.map(|v| v.saturating_sub(u64::from(self.tree.root().visits())));
        let room = u64::from(FULL.saturating_sub(self.tree.root().visits()));
        let playout_limit =
            limit.playouts.unwrap_or(u64::MAX).min(wanted.unwrap_or(u64::MAX)).min(room);
        let stats = SharedStats::default();
        let mut control = Control::new(&self.params, task);
        let told_before = self.exchange.told_visits();
        let mut begun = 0;
        loop {
            let tree = &self.tree;
            let weight = self.workers[0].judge_weight(task.game.board());
            let shared = Shared::new(tree, task, extra, &stats, weight, playout_limit);
            shared.begun.store(begun, Relaxed);
            let shared = &shared;
            let exchange = &mut self.exchange;
            let (first, others) = self.workers.split_at_mut(1);
            first[0].grow_root(shared);
            std::thread::scope(|scope| {
                for worker in others {
                    scope.spawn(move || worker.run(shared, |_| ()));
                }
                first[0].run(shared, |shared| {
                    if !exchange.is_alone() {
                        exchange.between(shared, extra, task.begin);
                        let told = exchange.told_visits().saturating_sub(told_before);
                        control.note_others(u64::from(told), shared);
                    }
                    // What some moves alone would win says nothing of the position.
                    let leads = exchange.leads() && task.request.allow.is_empty();
                    let extra = leads.then_some(&mut *extra);
                    control.between_playouts(shared, extra, |totals, playouts| {
                        watch(&report::make(tree, task, totals, playouts));
                    });
                });
            });
            begun = shared.begun.load(Relaxed).min(playout_limit);
            let over = shared.stop.load(Relaxed) || begun == playout_limit;
            if over || !shared.full.load(Relaxed) {
                return (stats, begun);
            }
            self.tree.compact();
            self.exchange.ledger.prune(&self.tree);
        }
    }

    /// Moves the tree to the position of a game, keeping what is known of it.
    fn follow(&mut self, game: &Game) {
        let now = Known::of(game);
        match self.known.as_ref().and_then(|known| known.moves_to(&now)) {
            Some(moves) if self.tree.advance(&moves) => self.exchange.ledger.advance(&moves),
            Some(_) => self.exchange.ledger.clear(),
            None => {
                self.tree.clear();
                self.exchange.ledger.clear();
                self.extra_komi = ColorMap::default();
            }
        }
        // What was believed with the network is not what is believed without it.
        let judged = self.workers[0].judge_weight(game.board()).is_some();
        if judged != self.judged {
            self.tree.clear();
            self.exchange.ledger.clear();
            self.judged = judged;
        }
        self.exchange.position = position_key(game);
        self.known = Some(now);
    }

    /// Nodes of the tree.
    pub fn nodes(&self) -> usize {
        self.tree.storage.used()
    }

    /// Visits of the moves at the root after the last search.
    pub fn root_visits(&self) -> PointMap<u32> {
        self.tree.root_visits()
    }
}

#[cfg(test)]
mod tests;
