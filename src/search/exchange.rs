//! What a search tells others of its tree near the root, and what it takes in from them.
//!
//! Several searches of one position, each with a tree of its own, become one when they tell each other what they have
//! counted where it matters: at the nodes near the root that many playouts went through. A [`Digest`] lists those
//! nodes by the moves that lead there. The numbers are cumulative: all that the sender has counted by itself, not
//! what is new since the last time. The receiver remembers the last numbers of every sender and adds the difference
//! to its tree, so a digest that is lost or comes twice does no harm, the next one says everything again. What a tree
//! holds is always its own counts plus the last that each of the others has told, and a move is chosen by the sum.
//!
//! Children are told all or none: the moves that a rank visits are those that its playouts have favoured by luck, and
//! whoever tells of these alone makes them look better to all than they are.
//!
//! Digests are given and taken by the first thread between two of its playouts. The other threads go on: the
//! counters are atomic, and what is added looks to them like results of one more thread.

use super::digest::{Bounds, Counts, Digest, Entry, HEAD_BYTES, MAX_DEPTH};
use super::dynkomi::ExtraKomi;
use super::node::FULL;
use super::storage::Storage;
use super::tree::Tree;
use super::worker::Shared;
use super::{Interrupt, Request};
use crate::game::Game;
use crate::params::Params;
use crate::types::Point;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The moves from the root to a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Path {
    length: u8,
    points: [Point; MAX_DEPTH],
}

impl Path {
    fn points(&self) -> &[Point] {
        &self.points[..usize::from(self.length)]
    }

    /// The path to a child; the same path at the greatest depth.
    fn then(mut self, point: Point) -> Path {
        if let Some(next) = self.points.get_mut(usize::from(self.length)) {
            *next = point;
            self.length += 1;
        }
        self
    }

    /// The path seen from a node on it.
    fn after(&self, moves: &[Point]) -> Option<Path> {
        let rest = self.points().strip_prefix(moves)?;
        Some(rest.iter().fold(Path::default(), |path, &point| path.then(point)))
    }
}

/// What others have told of a node: the sum, and the last from each.
#[derive(Clone, Default)]
struct Told {
    sum: Counts,
    by_sender: Vec<Counts>,
}

/// What in a tree was told by others.
#[derive(Default)]
pub(super) struct Ledger {
    told: HashMap<Path, Told>,
}

impl Ledger {
    fn sum(&self, path: &Path) -> Counts {
        self.told.get(path).map_or(Counts::default(), |told| told.sum)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.told.clear();
    }

    /// Goes with the root along some moves.
    pub(super) fn advance(&mut self, moves: &[Point]) {
        if !moves.is_empty() {
            let told = std::mem::take(&mut self.told);
            let moved =
                told.into_iter().filter_map(|(path, told)| Some((path.after(moves)?, told)));
            self.told = moved.collect();
        }
    }

    /// Forgets the nodes that are no longer in the tree.
    pub(super) fn prune(&mut self, tree: &Tree) {
        let root = tree.root_index();
        self.told.retain(|path, _| find(&tree.storage, root, path.points()).is_some());
    }
}

/// The child of a node at a point. It is looked for from `hint` on: children mostly come in the same order everywhere.
fn child(storage: &Storage, index: u32, point: Point, hint: &mut usize) -> Option<u32> {
    let (first, count) = storage.node(index).children()?;
    let children = storage.block(first, count);
    let places = (*hint..count).chain(0..(*hint).min(count));
    let place = places.into_iter().find(|&place| children[place].point() == point)?;
    *hint = place + 1;
    Some(first + place as u32)
}

/// The node at the end of some moves.
fn find(storage: &Storage, root: u32, moves: &[Point]) -> Option<u32> {
    moves.iter().try_fold(root, |index, &point| child(storage, index, point, &mut 0))
}

/// What a partner sees of a search: the tree near the root.
pub struct Window<'a> {
    storage: &'a Storage,
    root: u32,
    ledger: &'a mut Ledger,
    position: u64,
    extra: Option<(&'a mut ExtraKomi, &'a Shared<'a>)>,
    begin: Instant,
    interrupt: Option<&'a Interrupt>,
}

impl Window<'_> {
    /// Was the search told to end?
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::is_raised)
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// What this search has counted by itself near the root: the root, its children, and the children of those that
    /// were visited most, as far as they fit.
    pub fn give(&self, bounds: &Bounds) -> Digest {
        let root =
            Entry { depth: 0, point: Point::PASS, counts: self.own(self.root, &Path::default()) };
        let least = ((f64::from(root.counts.visits) * bounds.share) as u32).max(2);
        let mut bytes = Vec::new();
        root.write(&mut bytes);
        let mut left = bounds.bytes.saturating_sub(HEAD_BYTES + bytes.len());
        let mut told: HashMap<Path, Vec<Entry>> = HashMap::new();
        // Nodes whose children may be told, by their visits; the root whatever it has.
        let mut open = vec![(u32::MAX, self.root, Path::default())];
        while let Some(place) = (0..open.len()).max_by_key(|&place| open[place].0) {
            let (_, index, path) = open.swap_remove(place);
            let Some((children, inner)) = self.family(index, &path, &mut bytes) else { continue };
            if bytes.len() > left {
                continue;
            }
            left -= bytes.len();
            let is_open = |own: &Counts| own.visits >= least && own.visits < u32::MAX / 2;
            if path.points().len() + 1 < bounds.depth.min(MAX_DEPTH) {
                let busy = children.iter().zip(inner).filter(|(child, _)| is_open(&child.counts));
                open.extend(
                    busy.map(|(child, i)| (child.counts.visits, i, path.then(child.point))),
                );
            }
            told.insert(path, children);
        }
        let mut entries = vec![root];
        add_families(&Path::default(), &told, &mut entries);
        Digest {
            position: self.position,
            extra_komi: self.extra.as_ref().map_or(0, |(extra, _)| half_points(extra)),
            entries,
        }
    }

    /// The children of a node about which there is anything to tell, their indices, and how they are written.
    fn family(
        &self,
        index: u32,
        path: &Path,
        bytes: &mut Vec<u8>,
    ) -> Option<(Vec<Entry>, Vec<u32>)> {
        let (first, count) = self.storage.node(index).children()?;
        let depth = path.length + 1;
        bytes.clear();
        let (mut entries, mut indices) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (i, node) in self.storage.block(first, count).iter().enumerate() {
            let (index, point) = (first + i as u32, node.point());
            let counts = self.own(index, &path.then(point));
            if counts != Counts::default() {
                let entry = Entry { depth, point, counts };
                entry.write(bytes);
                entries.push(entry);
                indices.push(index);
            }
        }
        Some((entries, indices))
    }

    fn own(&self, index: u32, path: &Path) -> Counts {
        self.storage.node(index).counts().minus(self.ledger.sum(path))
    }

    /// Takes in what another search told; false if it was about another position. Nodes that this tree does not have
    /// yet are left out: the next digest names them again.
    pub fn take(&mut self, sender: usize, digest: &Digest) -> bool {
        if digest.position != self.position {
            return false;
        }
        // The nodes from the root to the last entry, and where the next child of each may be.
        let mut line: Vec<(u32, Path, usize)> = Vec::with_capacity(MAX_DEPTH + 1);
        for entry in &digest.entries {
            let depth = usize::from(entry.depth);
            line.truncate(depth);
            let known = line.len();
            let at = match line.last_mut() {
                _ if known < depth || depth > MAX_DEPTH => None,
                None => Some((self.root, Path::default())),
                Some((above, path, hint)) => {
                    let found = child(self.storage, *above, entry.point, hint);
                    found.map(|index| (index, path.then(entry.point)))
                }
            };
            let Some((index, path)) = at else { continue };
            line.push((index, path, 0));
            self.enter(index, path, sender, entry.counts);
        }
        true
    }

    fn enter(&mut self, index: u32, path: Path, sender: usize, counts: Counts) {
        let node = self.storage.node(index);
        let told = self.ledger.told.entry(path).or_default();
        if told.by_sender.len() <= sender {
            told.by_sender.resize(sender + 1, Counts::default());
        }
        let new = counts.minus(told.by_sender[sender]);
        let grows = new.visits < u32::MAX / 2;
        if grows && node.visits().saturating_add(new.visits) > FULL {
            return;
        }
        told.by_sender[sender] = counts;
        told.sum = told.sum.plus(new);
        node.add_counts(&new);
    }

    /// Ends the search.
    pub fn stop(&self) {
        if let Some((_, shared)) = &self.extra {
            shared.stop.store(true, Relaxed);
        }
    }

    /// Takes over the dynamic komi of another search.
    pub fn adopt_komi(&mut self, half_points: i32) {
        if let Some((extra, shared)) = &mut self.extra {
            extra.adopt(half_points as f32 / 2.0);
            shared.extra_komi.store(half_points, Relaxed);
        }
    }
}

fn half_points(extra: &ExtraKomi) -> i32 {
    (2.0 * extra.value()).round() as i32
}

/// Every child with its own children after it.
fn add_families(path: &Path, told: &HashMap<Path, Vec<Entry>>, entries: &mut Vec<Entry>) {
    for child in told.get(path).into_iter().flatten() {
        entries.push(*child);
        add_families(&path.then(child.point), told, entries);
    }
}

/// Who takes part in a search from outside: it is told of its begin and end, and looks in between playouts.
pub trait Partner: Send {
    /// What was found so far is forgotten: a new game, other parameters.
    fn forget(&mut self);

    /// A search begins. The answer is the time that its end may take, by which it is shortened.
    fn begin(&mut self, game: &Game, params: &Params, request: &Request) -> Duration;

    /// Between two playouts of the first thread.
    fn between(&mut self, window: &mut Window);

    /// The playouts are over; what is taken in now still counts for the choice of the move.
    fn end(&mut self, window: &mut Window);

    /// Is the dynamic komi adjusted here, and not taken over from another?
    fn leads(&self) -> bool;
}

/// The part of a search that deals with others.
#[derive(Default)]
pub(super) struct Exchange {
    pub(super) partner: Option<Box<dyn Partner>>,
    pub(super) ledger: Ledger,
    /// The position at the root.
    pub(super) position: u64,
}

impl Exchange {
    /// Announces a search and leaves time for its end.
    pub(super) fn begin(&mut self, game: &Game, params: &Params, request: &Request) -> Request {
        let mut request = request.clone();
        if let Some(partner) = &mut self.partner {
            let time = partner.begin(game, params, &request);
            let shorter = |limit: Duration| limit.saturating_sub(time);
            request.limit.planned = request.limit.planned.map(shorter);
            request.limit.maximum = request.limit.maximum.map(shorter);
        }
        request
    }

    /// Is there anybody?
    pub(super) fn is_alone(&self) -> bool {
        self.partner.is_none()
    }

    /// Is the dynamic komi adjusted here?
    pub(super) fn leads(&self) -> bool {
        self.partner.as_ref().is_none_or(|partner| partner.leads())
    }

    /// Visits of the root that others have told.
    pub(super) fn told_visits(&self) -> u32 {
        self.ledger.sum(&Path::default()).visits
    }

    /// Lets the partner look.
    pub(super) fn between(&mut self, shared: &Shared, extra: &mut ExtraKomi, begin: Instant) {
        if let Some(partner) = &mut self.partner {
            partner.between(&mut Window {
                storage: shared.storage,
                root: shared.root,
                ledger: &mut self.ledger,
                position: self.position,
                extra: Some((extra, shared)),
                begin,
                interrupt: None,
            });
        }
    }

    /// The same after the last playout.
    pub(super) fn end(&mut self, tree: &Tree, begin: Instant, interrupt: &Interrupt) {
        if let Some(mut partner) = self.partner.take() {
            let window = self.window(tree, begin);
            partner.end(&mut Window { interrupt: Some(interrupt), ..window });
            self.partner = Some(partner);
        }
    }

    /// A view of a tree that nobody searches now.
    pub(super) fn window<'a>(&'a mut self, tree: &'a Tree, begin: Instant) -> Window<'a> {
        Window {
            storage: &tree.storage,
            root: tree.root_index(),
            ledger: &mut self.ledger,
            position: self.position,
            extra: None,
            begin,
            interrupt: None,
        }
    }
}
