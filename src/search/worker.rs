//! One thread of the search: descend, expand, play out, update.

use super::Task;
use super::backup::{Line, Rave, Reward};
use super::dynkomi::ExtraKomi;
use super::expand::{Expander, Strengths};
use super::judge::{Judge, Outlook};
use super::node::{Asked, Node, WIN};
use super::select::Selector;
use super::stats::{LocalStats, Played, SharedStats};
use super::storage::Storage;
use super::tree::Tree;
use crate::board::Board;
use crate::game::Scoring;
use crate::params::Params;
use crate::playout::{self, DynPolicy, Limits};
use crate::types::{Color, Point, PointMap, Rng};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) storage: &'a Storage,
    pub(super) root: u32,
    pub(super) board: &'a Board,
    /// Points that may not be played at the root.
    pub(super) banned: &'a PointMap<bool>,
    pub(super) komi: f32,
    /// Is territory counted, not area?
    pub(super) territory: bool,
    /// Are the owners of the points wanted for every move at the root?
    pub(super) moves_ownership: bool,
    /// Weight of the network's judgement against the result of a playout, if it is asked.
    pub(super) value_weight: Option<f32>,
    /// Dynamic komi in half points, from Black's side.
    pub(super) extra_komi: AtomicI32,
    /// Playouts begun, and how many may be.
    pub(super) begun: AtomicU64,
    pub(super) playout_limit: u64,
    /// When the search must be over. Every thread looks at it: with more threads than cores the first
    /// one, which does the rest of the watching, may have to wait for its turn.
    pub(super) deadline: Option<Instant>,
    pub(super) stop: AtomicBool,
    pub(super) full: AtomicBool,
    pub(super) stats: &'a SharedStats,
}

impl<'a> Shared<'a> {
    /// The state before the first playout of a search that ends after `playout_limit` of them.
    pub(super) fn new(
        tree: &'a Tree,
        task: &'a Task,
        extra: &ExtraKomi,
        stats: &'a SharedStats,
        value_weight: Option<f32>,
        playout_limit: u64,
    ) -> Shared<'a> {
        Shared {
            storage: &tree.storage,
            root: tree.root_index(),
            board: task.game.board(),
            banned: &task.banned,
            komi: task.game.total_komi(),
            territory: task.game.rules().scoring == Scoring::Territory,
            moves_ownership: task.request.moves_ownership,
            value_weight,
            extra_komi: AtomicI32::new((2.0 * extra.value()).round() as i32),
            begun: AtomicU64::new(0),
            playout_limit,
            deadline: task
                .request
                .limit
                .maximum
                .and_then(|maximum| task.begin.checked_add(maximum)),
            stop: AtomicBool::new(false),
            full: AtomicBool::new(false),
            stats,
        }
    }
}

/// The state of one thread.
pub(super) struct Worker {
    rng: Rng,
    board: Board,
    line: Line,
    policy: Box<dyn DynPolicy>,
    expander: Expander,
    /// How a search chooses and believes without the network, and with it.
    classic: (Selector, Strengths),
    judged: (Selector, Strengths),
    /// That of this search.
    selector: Selector,
    /// Asks the network, if there is one.
    judge: Option<Judge>,
    /// What the network says of the deepest position on the way that it was asked about.
    outlook: Option<Outlook>,
    rave: Rave,
    limits: Limits,
    score_weight: f32,
    virtual_loss: u32,
    /// `search.expand_visits`, and the visits at which this search expands a leaf: at the latest when
    /// the network is asked about it.
    leaf_visits: u32,
    expand_visits: u32,
    /// Visits from which the model is asked; none without a model.
    guide_visits: Option<u32>,
    criticality: f32,
    critical: PointMap<f32>,
    stats: LocalStats,
}

impl Worker {
    /// The worker of a thread. Worker 0 of a single-threaded search counts no virtual loss.
    pub(super) fn new(params: &Params, size: usize, index: usize) -> Worker {
        let search = &params.search;
        Worker {
            rng: Rng::stream(search.seed, index),
            board: Board::new(size),
            line: Line::default(),
            policy: playout::by_params(&params.playout),
            expander: Expander::new(
                &params.prior,
                || params.tree_model.for_size(size),
                search.widen_start > 0,
            ),
            classic: (Selector::new(search), Strengths::classic(&params.prior)),
            judged: (Selector::judged(search, &params.value), Strengths::judged(&params.value)),
            selector: Selector::new(search),
            judge: Judge::new(params, size),
            outlook: None,
            rave: Rave::new(search.rave_discount as f32),
            limits: Limits::by_params(&params.playout, size),
            score_weight: search.score_weight as f32,
            virtual_loss: if search.threads.count() > 1 { search.virtual_loss as u32 } else { 0 },
            leaf_visits: search.expand_visits as u32,
            expand_visits: search.expand_visits as u32,
            // Widening needs the children sorted by the model when they are made.
            guide_visits: params.prior.model.then_some(match search.widen_start {
                0 => params.prior.model_after as u32,
                _ => 0,
            }),
            criticality: search.criticality as f32,
            critical: PointMap::filled(0.0),
            stats: LocalStats::default(),
        }
    }

    /// The weight of the network's judgement in the search of a position: nothing if it is not asked.
    pub(super) fn judge_weight(&self, board: &Board) -> Option<f32> {
        self.judge.as_ref()?.weight(board)
    }

    /// A search is judged or classic as a whole.
    fn prepare(&mut self, shared: &Shared) {
        let judged = shared.value_weight.is_some();
        let (selector, strengths) = if judged { &self.judged } else { &self.classic };
        self.selector = selector.clone();
        self.expander.strengths = *strengths;
        self.expand_visits = match &self.judge {
            Some(judge) if judged => self.leaf_visits.min(judge.visits()),
            _ => self.leaf_visits,
        };
    }

    /// Makes the root's children before the threads start, so that no playout finds them half made.
    pub(super) fn grow_root(&mut self, shared: &Shared) {
        self.prepare(shared);
        let root = shared.storage.node(shared.root);
        self.board.copy_from(shared.board);
        self.line.moves.clear();
        self.outlook = None;
        if root.children().is_none() {
            self.expand(shared, root, u32::MAX);
        }
        if let Some((first, count)) = root.children() {
            let children = shared.storage.block(first, count);
            self.ask(shared, root, children, u32::MAX);
            self.view_owners(shared, root);
        }
    }

    /// Runs playouts until told to stop, or the limit or the storage's end is reached. `between` is
    /// called after each.
    pub(super) fn run(&mut self, shared: &Shared, mut between: impl FnMut(&Shared)) {
        self.prepare(shared);
        while !shared.stop.load(Relaxed) && !shared.full.load(Relaxed) {
            if shared.begun.fetch_add(1, Relaxed) >= shared.playout_limit {
                break;
            }
            self.simulate(shared);
            if self.stats.is_due() {
                self.flush(shared);
            }
            if shared.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                shared.stop.store(true, Relaxed);
            }
            between(shared);
        }
        self.flush(shared);
    }

    fn flush(&mut self, shared: &Shared) {
        shared.stats.take(&mut self.stats);
        if self.criticality > 0.0 {
            self.critical = shared.stats.criticality(shared.board.size());
        }
    }

    /// One playout through the tree.
    fn simulate(&mut self, shared: &Shared) {
        self.board.copy_from(shared.board);
        self.line.nodes.clear();
        self.line.moves.clear();
        self.outlook = None;
        self.descend(shared);
        let reward = self.play_out(shared);
        let to_play = shared.board.to_play();
        self.rave.update(shared.storage, &self.line, to_play, reward, self.virtual_loss);
    }

    /// From the position on the board to the end.
    fn play_out(&mut self, shared: &Shared) -> Reward {
        let (stones, parity) = self.territory_correction(shared);
        let komi = shared.komi + parity;
        let in_tree = self.line.moves.first().map(|&(_, point)| point);
        let first = in_tree.filter(|_| shared.moves_ownership);
        let Worker { policy, board, rng, limits, line, .. } = self;
        let score = policy.play_recorded(board, rng, *limits, &mut line.moves).score - stones;
        let extra = shared.extra_komi.load(Relaxed) as f32 / 2.0;
        let points = (self.board.size() * self.board.size()) as f32;
        let result = |extra: f32, score_weight: f32| {
            let mut reward = Reward::new(score, komi + extra, points, score_weight);
            if let (Some(outlook), Some(weight)) = (self.outlook, shared.value_weight) {
                // It holds what the rules add at its node, so komi is the game's own.
                let judged = outlook.black_winrate(shared.komi + extra);
                reward.mix(judged, outlook.black_score(), weight);
            }
            reward
        };
        let reward = result(extra, self.score_weight);
        // Without extra komi and score term all three are the same to the last bit.
        let shifted = if self.score_weight > 0.0 { result(extra, 0.0) } else { reward };
        let won = if extra == 0.0 { shifted } else { result(0.0, 0.0) };
        let share = |reward: Reward| f64::from(reward.tree) / f64::from(WIN);
        let (won, shifted, counted) = (share(won), share(shifted), share(reward));
        self.stats.add(&self.board, &Played { score, komi, won, shifted, counted, first });
        reward
    }

    /// What turns a playout's area score into one of territory and prisoners: the black stones
    /// placed beyond the white ones at the leaf, and half a point for the player who moves next.
    /// Derived in `docs/endings.md`.
    fn territory_correction(&self, shared: &Shared) -> (i32, f32) {
        if !shared.territory {
            return (0, 0.0);
        }
        let next = if self.is_over() { 0.0 } else { 0.5 * self.board.to_play().sign() as f32 };
        (self.board.placed_difference(), next)
    }

    /// From the root to a leaf, expanding it when it is due.
    fn descend(&mut self, shared: &Shared) {
        let mut index = shared.root;
        loop {
            let node = shared.storage.node(index);
            self.line.nodes.push(index);
            let visits_before = node.visits();
            node.add_virtual_loss(self.virtual_loss);
            let at_root = index == shared.root;
            if shared.value_weight.is_some() {
                self.outlook = node.outlook().or(self.outlook);
            }
            let (first, count) = match node.children() {
                Some(children) => children,
                None if self.is_over() => {
                    // The playout counts it; what was judged on the way no longer matters.
                    self.outlook = None;
                    return;
                }
                None if at_root || visits_before >= self.expand_visits => {
                    match self.expand(shared, node, visits_before) {
                        // Where it was judged at once, this playout brings that home.
                        Some(_) if node.asked().network && !at_root => return,
                        Some(children) => children,
                        None => return,
                    }
                }
                None => return,
            };
            let children = shared.storage.block(first, count);
            self.ask(shared, node, children, visits_before);
            let (weight, critical) = (self.criticality, &self.critical);
            let criticality = |child: &Node| weight * critical[child.point()].max(0.0);
            let best = if at_root {
                let allowed = |child: &Node| !shared.banned[child.point()];
                self.selector.best(visits_before, children, criticality, allowed)
            } else {
                self.selector.best(visits_before, children, criticality, |_| true)
            };
            let Some(best) = best else { return };
            let point = children[best].point();
            self.line.moves.push((self.board.to_play(), point));
            self.board.play_legal(point);
            index = first + best as u32;
        }
    }

    /// Asks the model and the network about a node with children, each once, when it is due.
    #[inline]
    fn ask(&mut self, shared: &Shared, node: &Node, children: &[Node], visits: u32) {
        let asked = node.asked();
        if self.asks_model(visits) && !asked.model && node.claim_guidance() {
            self.expander.guide(&self.board, children);
        }
        if self.asks_network(shared, visits) && !asked.network && node.claim_judgement() {
            let stones = self.stones(shared);
            let Worker { judge: Some(judge), expander, board, .. } = self else { return };
            let guided = node.asked().model;
            expander.recall(children);
            let moves = children.iter().map(Node::point);
            let expected = guided.then_some(expander.expected().1);
            if let Some(outlook) = judge.judge(board, expected, moves, stones) {
                node.set_outlook(outlook);
                self.outlook = Some(outlook);
                if guided {
                    self.expander.correct(children);
                }
            }
        }
    }

    /// Keeps the owners that the network expects at the root for the report.
    fn view_owners(&mut self, shared: &Shared, root: &Node) {
        let Worker { judge: Some(judge), expander, board, .. } = self else { return };
        let Some(weight) = shared.value_weight else { return };
        // The network wants what the model says; the children may hold what it has made of it already.
        let expected = root.asked().model.then(|| {
            expander.ask_model(board);
            &*expander.expected().1
        });
        if let Some(owners) = judge.owners(board, expected) {
            shared.stats.set_judged_owners(owners, weight);
        }
    }

    /// What turns an area score at this node into one by the rules.
    fn stones(&self, shared: &Shared) -> f32 {
        let (stones, parity) = self.territory_correction(shared);
        stones as f32 + parity
    }

    /// Have both players passed inside the tree?
    fn is_over(&self) -> bool {
        matches!(self.line.moves[..], [.., (_, a), (_, b)] if a.is_pass() && b.is_pass())
    }

    /// Is the model asked about the children of a node with so many visits?
    #[inline(always)]
    fn asks_model(&self, visits: u32) -> bool {
        self.guide_visits.is_some_and(|least| visits >= least)
    }

    /// Is the network asked about a node with so many visits?
    #[inline(always)]
    fn asks_network(&self, shared: &Shared, visits: u32) -> bool {
        shared.value_weight.is_some()
            && self.judge.as_ref().is_some_and(|judge| judge.is_due(visits))
    }

    /// Makes the children of a node, unless another thread does it or there is no room. Model and network
    /// are asked at once if the node has enough visits.
    fn expand(&mut self, shared: &Shared, node: &Node, visits: u32) -> Option<(u32, usize)> {
        if !node.claim() {
            return None;
        }
        let asked =
            Asked { model: self.asks_model(visits), network: self.asks_network(shared, visits) };
        self.expander.find_moves(&self.board);
        if asked.model {
            self.expander.ask_model(&self.board);
        }
        if asked.network {
            let stones = self.stones(shared);
            let Worker { judge, expander, board, .. } = self;
            let (moves, expected) = expander.expected();
            let moves = moves.iter().copied().chain([Point::PASS]);
            let expected = asked.model.then_some(expected);
            let judged =
                judge.as_mut().and_then(|judge| judge.judge(board, expected, moves, stones));
            if let Some(outlook) = judged {
                node.set_outlook(outlook);
                self.outlook = Some(outlook);
            }
        }
        let extra = shared.extra_komi.load(Relaxed) as f32 / 2.0;
        let black = self.outlook.map_or(0.5, |outlook| outlook.black_winrate(shared.komi + extra));
        let even = match self.board.to_play() {
            Color::Black => black,
            Color::White => 1.0 - black,
        };
        let new_children = self.expander.children(&self.board, asked.model, even);
        let Some(first) = shared.storage.allocate(new_children.len()) else {
            node.release();
            shared.full.store(true, Relaxed);
            return None;
        };
        let children = shared.storage.block(first, new_children.len());
        children.iter().zip(new_children).for_each(|(child, new)| child.plant(new));
        node.publish(first, new_children.len(), asked);
        Some((first, new_children.len()))
    }
}
