//! A node of the tree: 40 bytes of atomic counters.
//!
//! # The concurrency contract
//!
//! Any number of threads search one tree without locks.
//! - A node's children are made by the one thread that wins the exchange of `children` from `NONE`
//!   to `BUSY`. It fills the block, then stores its index with release order; readers load with
//!   acquire order, so whoever sees the index sees complete children. Until then the node is a
//!   leaf to everyone else.
//! - `point` is written before that store and never after. `prior` and `probability` of the children
//!   are written again by the one thread that wins `claim_guidance` or `claim_judgement`, when the
//!   model or the network is asked later than the children are made. Each is one word, so a reader sees the old or the new
//!   belief of a child, and either is fit to select by.
//! - The sums (`visits`, `wins`, `rave_*`, `score`) are added to with relaxed order. A reader may
//!   see a visit before its win: the value is off by one playout for a moment, which selection
//!   tolerates. Nothing is lost: additions are atomic, so after the threads have joined the sums
//!   are exact.
//! - Nodes are never freed or moved while a search runs. Compaction happens between searches, or
//!   with all threads stopped.
//!
//! Wins are counted in 1/256 so that they stay integers. 32 bits hold those of 16 million visits, and scores of
//! 361 points in 5.9 million: no node gets more than [`FULL`].

use super::digest::Counts;
use super::judge::Outlook;
use crate::types::Point;
use std::sync::atomic::{
    AtomicI32, AtomicU16, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// One visit's worth of wins.
pub(super) const WIN: u32 = 256;
/// A node takes so many visits; then its sums are as large as they may get.
pub(super) const FULL: u32 = 5 << 20;
/// One full RAVE update; partial ones are fractions of it.
pub(super) const RAVE_UNIT: u32 = 16;

const NONE: u32 = u32::MAX;
const BUSY: u32 = u32::MAX - 1;
/// In `child_count`: the learned model has been asked about the children.
const GUIDED: u16 = 1 << 15;
/// In `child_count`: the network has been asked about the node.
const JUDGED: u16 = 1 << 14;

/// A position reached by `point`. Wins are those of the player who moved there.
#[derive(Debug)]
pub(super) struct Node {
    children: AtomicU32,
    child_count: AtomicU16,
    point: AtomicU16,
    visits: AtomicU32,
    wins: AtomicU32,
    rave_visits: AtomicU32,
    rave_wins: AtomicU32,
    /// Prior visits in 1/64 (high half) and prior value in 1/65535 (low half).
    prior: AtomicU32,
    probability: AtomicU32,
    /// Sum of the expected scores from Black's side, without komi.
    score: AtomicI32,
    /// What the network says of the position.
    outlook: AtomicU32,
}

const _: () = assert!(size_of::<Node>() == 40);

impl Default for Node {
    fn default() -> Self {
        Node {
            children: AtomicU32::new(NONE),
            child_count: AtomicU16::new(0),
            point: AtomicU16::new(0),
            visits: AtomicU32::new(0),
            wins: AtomicU32::new(0),
            rave_visits: AtomicU32::new(0),
            rave_wins: AtomicU32::new(0),
            prior: AtomicU32::new(0),
            probability: AtomicU32::new(0),
            score: AtomicI32::new(0),
            outlook: AtomicU32::new(0),
        }
    }
}

/// Who has been asked about the children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Asked {
    /// The learned model.
    pub(super) model: bool,
    /// The network.
    pub(super) network: bool,
}

/// What a child starts with.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct NewChild {
    pub(super) point: Point,
    pub(super) prior_visits: f32,
    pub(super) prior_value: f32,
    pub(super) probability: f32,
}

impl NewChild {
    /// Takes in what the model says: its probability, and prior visits that are won.
    pub(super) fn learn(&mut self, probability: f32, visits: f32) {
        self.imagine(visits, 0.0);
        self.probability = probability;
    }

    /// Adds imagined playouts to the prior.
    pub(super) fn imagine(&mut self, won: f32, lost: f32) {
        let wins = self.prior_wins() + won;
        self.prior_visits += won + lost;
        self.prior_value = if self.prior_visits > 0.0 { wins / self.prior_visits } else { 0.0 };
    }

    /// Imagined playouts that are won.
    pub(super) fn prior_wins(&self) -> f32 {
        self.prior_visits * self.prior_value
    }
}

impl Node {
    /// Makes this a fresh child.
    pub(super) fn plant(&self, new: &NewChild) {
        self.children.store(NONE, Relaxed);
        self.child_count.store(0, Relaxed);
        self.point.store(new.point.index() as u16, Relaxed);
        self.visits.store(0, Relaxed);
        self.wins.store(0, Relaxed);
        self.rave_visits.store(0, Relaxed);
        self.rave_wins.store(0, Relaxed);
        self.score.store(0, Relaxed);
        self.outlook.store(0, Relaxed);
        self.believe(new);
    }

    /// Sets the prior and the probability.
    fn believe(&self, new: &NewChild) {
        let visits = (new.prior_visits * 64.0 + 0.5) as u16;
        let value = (new.prior_value * 65535.0 + 0.5) as u16;
        self.prior.store(u32::from(visits) << 16 | u32::from(value), Relaxed);
        self.probability.store(new.probability.to_bits(), Relaxed);
    }

    /// Takes in what the model says of this child.
    pub(super) fn learn(&self, probability: f32, visits: f32) {
        let (prior_visits, prior_value) = self.prior();
        let mut new = NewChild { point: self.point(), prior_visits, prior_value, probability };
        new.learn(probability, visits);
        self.believe(&new);
    }

    /// Copies another node's statistics, but not its children.
    pub(super) fn copy_from(&self, other: &Node) {
        self.children.store(NONE, Relaxed);
        self.child_count.store(0, Relaxed);
        self.point.store(other.point.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.wins.store(other.wins.load(Relaxed), Relaxed);
        self.rave_visits.store(other.rave_visits.load(Relaxed), Relaxed);
        self.rave_wins.store(other.rave_wins.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.probability.store(other.probability.load(Relaxed), Relaxed);
        self.score.store(other.score.load(Relaxed), Relaxed);
        self.outlook.store(other.outlook.load(Relaxed), Relaxed);
    }

    /// What the network says of the position, if it was asked.
    #[inline(always)]
    pub(super) fn outlook(&self) -> Option<Outlook> {
        Outlook::unpack(self.outlook.load(Relaxed))
    }

    /// Keeps what the network says.
    pub(super) fn set_outlook(&self, outlook: Outlook) {
        self.outlook.store(outlook.pack(), Relaxed);
    }

    #[inline(always)]
    pub(super) fn point(&self) -> Point {
        Point::from_index(self.point.load(Relaxed) as usize)
    }

    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn wins(&self) -> u32 {
        self.wins.load(Relaxed)
    }

    /// Mean result for the player who moved here; a half without visits.
    pub(super) fn value(&self) -> f64 {
        match self.visits() {
            0 => 0.5,
            visits => f64::from(self.wins()) / f64::from(WIN) / f64::from(visits),
        }
    }

    /// RAVE visits and wins.
    #[inline(always)]
    pub(super) fn rave(&self) -> (f32, f32) {
        let unit = 1.0 / RAVE_UNIT as f32;
        let visits = self.rave_visits.load(Relaxed) as f32 * unit;
        let wins = self.rave_wins.load(Relaxed) as f32 * (unit / (WIN / RAVE_UNIT) as f32);
        (visits, wins)
    }

    /// Prior visits and prior value.
    #[inline(always)]
    pub(super) fn prior(&self) -> (f32, f32) {
        let packed = self.prior.load(Relaxed);
        ((packed >> 16) as f32 * (1.0 / 64.0), (packed & 0xFFFF) as f32 * (1.0 / 65535.0))
    }

    #[inline(always)]
    pub(super) fn probability(&self) -> f32 {
        f32::from_bits(self.probability.load(Relaxed))
    }

    /// Mean expected score from Black's side, without komi.
    pub(super) fn mean_score(&self) -> f64 {
        f64::from(self.score.load(Relaxed)) / f64::from(self.visits().max(1))
    }

    /// Counts visits in progress as lost ones.
    #[inline]
    pub(super) fn add_virtual_loss(&self, visits: u32) {
        if visits > 0 {
            self.visits.fetch_add(visits, Relaxed);
        }
    }

    /// Adds a result and takes the virtual loss back.
    #[inline]
    pub(super) fn add_result(&self, wins: u32, score: i32, virtual_loss: u32) {
        // Wrapping, so that one addition does both.
        self.visits.fetch_add(1u32.wrapping_sub(virtual_loss), Relaxed);
        self.wins.fetch_add(wins, Relaxed);
        self.score.fetch_add(score, Relaxed);
    }

    /// Adds a RAVE result: `units` of [`RAVE_UNIT`], and wins in 1/[`WIN`].
    #[inline]
    pub(super) fn add_rave(&self, units: u32, wins: u32) {
        self.rave_visits.fetch_add(units, Relaxed);
        self.rave_wins.fetch_add(wins * units / RAVE_UNIT, Relaxed);
    }

    /// All that was counted here.
    pub(super) fn counts(&self) -> Counts {
        Counts {
            visits: self.visits(),
            wins: self.wins(),
            rave_visits: self.rave_visits.load(Relaxed),
            rave_wins: self.rave_wins.load(Relaxed),
            score: self.score.load(Relaxed),
        }
    }

    /// Adds what others counted, or takes it off: numbers wrap.
    pub(super) fn add_counts(&self, new: &Counts) {
        self.visits.fetch_add(new.visits, Relaxed);
        self.wins.fetch_add(new.wins, Relaxed);
        self.rave_visits.fetch_add(new.rave_visits, Relaxed);
        self.rave_wins.fetch_add(new.rave_wins, Relaxed);
        self.score.fetch_add(new.score, Relaxed);
    }

    /// Index and number of the children, if they are complete.
    #[inline]
    pub(super) fn children(&self) -> Option<(u32, usize)> {
        let first = self.children.load(Acquire);
        (first < BUSY)
            .then(|| (first, usize::from(self.child_count.load(Relaxed) & !(GUIDED | JUDGED))))
    }

    /// Claims the right to make the children.
    pub(super) fn claim(&self) -> bool {
        self.children.compare_exchange(NONE, BUSY, Acquire, Relaxed).is_ok()
    }

    /// Gives the right back, when there is no room.
    pub(super) fn release(&self) {
        self.children.store(NONE, Release);
    }

    /// Publishes complete children, and whether model and network were asked about them.
    pub(super) fn publish(&self, first: u32, count: usize, asked: Asked) {
        let flags = if asked.model { GUIDED } else { 0 } | if asked.network { JUDGED } else { 0 };
        self.child_count.store(count as u16 | flags, Relaxed);
        self.children.store(first, Release);
    }

    /// Who has been asked about the children?
    #[inline(always)]
    pub(super) fn asked(&self) -> Asked {
        let flags = self.child_count.load(Relaxed);
        Asked { model: flags & GUIDED != 0, network: flags & JUDGED != 0 }
    }

    /// Claims the right to ask the network about a node with published children.
    pub(super) fn claim_judgement(&self) -> bool {
        self.child_count.fetch_or(JUDGED, Relaxed) & JUDGED == 0
    }

    /// Claims the right to ask the model about published children.
    pub(super) fn claim_guidance(&self) -> bool {
        self.child_count.fetch_or(GUIDED, Relaxed) & GUIDED == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_add_up() {
        let node = Node::default();
        let point = Point::new(4, 4);
        node.plant(&NewChild { point, prior_visits: 12.5, prior_value: 0.75, probability: 0.25 });
        assert_eq!((node.point(), node.visits(), node.probability()), (point, 0, 0.25));
        let (visits, value) = node.prior();
        assert!((visits - 12.5).abs() < 1e-6 && (value - 0.75).abs() < 1e-4);
        node.add_virtual_loss(3);
        assert_eq!(node.visits(), 3);
        node.add_result(WIN, 7, 3);
        node.add_virtual_loss(0);
        node.add_result(0, -3, 0);
        assert_eq!((node.visits(), node.value(), node.mean_score()), (2, 0.5, 2.0));
        node.add_rave(RAVE_UNIT, WIN);
        node.add_rave(RAVE_UNIT / 2, 0);
        assert_eq!(node.rave(), (1.5, 1.0));
    }

    #[test]
    fn only_one_claim_succeeds_until_it_is_released() {
        let node = Node::default();
        assert!(node.claim() && !node.claim() && node.children().is_none());
        node.release();
        assert!(node.claim());
        node.publish(7, 3, Asked::default());
        assert_eq!(node.children(), Some((7, 3)));
        assert!(!node.claim());
    }

    #[test]
    fn the_model_is_asked_once_and_adds_to_the_prior() {
        let node = Node::default();
        node.publish(7, 3, Asked::default());
        assert!(node.claim_guidance() && !node.claim_guidance());
        assert_eq!(node.asked(), Asked { model: true, network: false });
        assert!(node.claim_judgement() && !node.claim_judgement());
        assert_eq!(node.asked(), Asked { model: true, network: true });
        assert_eq!(node.children(), Some((7, 3)));
        let child = Node::default();
        let point = Point::new(3, 3);
        child.plant(&NewChild { point, prior_visits: 10.0, prior_value: 0.5, probability: 0.1 });
        child.learn(0.25, 30.0);
        let (visits, value) = child.prior();
        assert_eq!((child.point(), child.probability(), visits), (point, 0.25, 40.0));
        assert!((value - 35.0 / 40.0).abs() < 1e-4);
    }
}
