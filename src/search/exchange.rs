//! What a search tells others of its tree near the root, and what it takes in from them.
//!
//! Several searches of one position, each with a tree of its own, become one when they tell each other what they have
//! counted where it matters: at the nodes near the root that many playouts went through. A [`Digest`] lists those nodes by
//! the moves that lead there. The numbers are cumulative: all that the sender has counted by itself, not what is new since the
//! last time. The receiver remembers the last numbers of every sender and adds the difference to its tree, so a digest
//! that is lost or comes twice does no harm, the next one says everything again. What a tree holds is always its own counts plus the
//! last that each of the others has told, and a move is chosen by the sum.
//!
//! Digests are given and taken by the first thread between two of its playouts. The other threads go on: the
//! counters are atomic, and what is added looks to them like results of one more thread.

use super::dynkomi::ExtraKomi;
use super::node::Node;
use super::storage::Storage;
use super::tree::Tree;
use super::worker::Shared;
use super::{Request, Scoring};
use crate::game::Game;
use crate::params::Params;
use crate::types::{CELLS, Color, Point};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The deepest node that a digest can name.
const MAX_DEPTH: usize = 6;
/// Bytes of a node in a digest, and of what stands before the nodes.
const ENTRY_BYTES: usize = 23;
const HEAD_BYTES: usize = 14;
/// A node with so many visits takes no more in: its sums of wins are 32 bits wide.
const FULL: u32 = 15 << 20;

/// What was counted at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Playouts through it.
    pub visits: u32,
    /// Their results, in the unit of the tree.
    pub wins: u32,
    /// RAVE updates, and their results.
    pub rave_visits: u32,
    /// Results of the RAVE updates.
    pub rave_wins: u32,
    /// Sum of the final scores.
    pub score: i32,
}

impl Counts {
    /// The sum; numbers wrap, as those in the tree do.
    fn plus(self, other: Counts) -> Counts {
        Counts {
            visits: self.visits.wrapping_add(other.visits),
            wins: self.wins.wrapping_add(other.wins),
            rave_visits: self.rave_visits.wrapping_add(other.rave_visits),
            rave_wins: self.rave_wins.wrapping_add(other.rave_wins),
            score: self.score.wrapping_add(other.score),
        }
    }

    /// The difference; it may be below zero, which wraps.
    fn minus(self, other: Counts) -> Counts {
        Counts {
            visits: self.visits.wrapping_sub(other.visits),
            wins: self.wins.wrapping_sub(other.wins),
            rave_visits: self.rave_visits.wrapping_sub(other.rave_visits),
            rave_wins: self.rave_wins.wrapping_sub(other.rave_wins),
            score: self.score.wrapping_sub(other.score),
        }
    }
}

/// Which nodes are told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Those with this share of the sender's own visits of the root.
    pub share: f64,
    /// Moves from the root, at most 6.
    pub depth: usize,
    /// The longest digest.
    pub bytes: usize,
}

impl Default for Bounds {
    /// 4,000 bytes: what MPI libraries send at once, without asking the receiver.
    fn default() -> Bounds {
        Bounds { share: 0.005, depth: 4, bytes: 4000 }
    }
}

/// A node in a digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Moves from the root.
    pub depth: u8,
    /// The last of them; the one before is that of the last entry before with a depth of one less.
    pub point: Point,
    /// What the sender counted there by itself.
    pub counts: Counts,
}

/// What one search tells the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Digest {
    /// The position, by [`position_key`].
    pub position: u64,
    /// The dynamic komi of the sender in half points.
    pub extra_komi: i32,
    /// The nodes: every one after the one it follows, the root first.
    pub entries: Vec<Entry>,
}

impl Digest {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD_BYTES + ENTRY_BYTES * self.entries.len());
        bytes.extend(self.position.to_le_bytes());
        bytes.extend(self.extra_komi.to_le_bytes());
        bytes.extend((self.entries.len() as u16).to_le_bytes());
        for Entry { depth, point, counts } in &self.entries {
            bytes.push(*depth);
            bytes.extend((point.index() as u16).to_le_bytes());
            for number in [counts.visits, counts.wins, counts.rave_visits, counts.rave_wins] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend(counts.score.to_le_bytes());
        }
        bytes
    }

    /// From bytes; None if they are not those of a digest.
    pub fn from_bytes(bytes: &[u8]) -> Option<Digest> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let short = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        let position = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
        let extra_komi = number(8)? as i32;
        let count = usize::from(short(12)?);
        if bytes.len() != HEAD_BYTES + ENTRY_BYTES * count {
            return None;
        }
        let mut entries = Vec::with_capacity(count);
        for at in (0..count).map(|i| HEAD_BYTES + ENTRY_BYTES * i) {
            let index = usize::from(short(at + 1)?);
            if index >= CELLS {
                return None;
            }
            let counts = Counts {
                visits: number(at + 3)?,
                wins: number(at + 7)?,
                rave_visits: number(at + 11)?,
                rave_wins: number(at + 15)?,
                score: number(at + 19)? as i32,
            };
            entries.push(Entry { depth: bytes[at], point: Point::from_index(index), counts });
        }
        Some(Digest { position, extra_komi, entries })
    }
}

/// A number that is equal for searches that may tell each other what they find: same start, moves, player, komi and
/// counting. It does not depend on the machine.
pub fn position_key(game: &Game) -> u64 {
    let mut key = 0xcbf2_9ce4_8422_2325u64;
    let mut mix = |number: u64| {
        for byte in number.to_le_bytes() {
            key = (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    mix(game.size() as u64);
    mix(game.start().hash());
    mix(game.situation());
    mix(u64::from(game.total_komi().to_bits()));
    mix(u64::from(game.rules().scoring == Scoring::Territory));
    for play in game.moves() {
        mix(play.point.index() as u64 * 2 + u64::from(play.color == Color::Black));
    }
    key
}

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

/// The child of a node at a point.
fn child(storage: &Storage, index: u32, point: Point) -> Option<u32> {
    let (first, count) = storage.node(index).children()?;
    let children = storage.block(first, count);
    children.iter().position(|child| child.point() == point).map(|i| first + i as u32)
}

/// The node at the end of some moves.
fn find(storage: &Storage, root: u32, moves: &[Point]) -> Option<u32> {
    moves.iter().try_fold(root, |index, &point| child(storage, index, point))
}

/// What a partner sees of a search: the tree near the root.
pub struct Window<'a> {
    storage: &'a Storage,
    root: u32,
    ledger: &'a mut Ledger,
    position: u64,
    extra: Option<(&'a mut ExtraKomi, &'a Shared<'a>)>,
    begin: Instant,
}

impl Window<'_> {
    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// What this search has counted by itself near the root.
    pub fn give(&self, bounds: &Bounds) -> Digest {
        let own_root = self.own(self.root, &Path::default());
        let least = ((f64::from(own_root.visits) * bounds.share) as u32).max(1);
        let mut found = vec![(Path::default(), own_root)];
        let mut open = vec![(self.root, Path::default())];
        while let Some((index, path)) = open.pop() {
            if path.points().len() >= bounds.depth.min(MAX_DEPTH) {
                continue;
            }
            let Some((first, count)) = self.storage.node(index).children() else { continue };
            let children = self.storage.block(first, count);
            // A node's own visits are at most all its visits, which are at hand.
            let enough = |node: &Node| node.visits() >= least;
            for (i, node) in children.iter().enumerate().filter(|(_, node)| enough(node)) {
                let (index, path) = (first + i as u32, path.then(node.point()));
                let own = self.own(index, &path);
                if own.visits >= least && own.visits < u32::MAX / 2 {
                    found.push((path, own));
                    open.push((index, path));
                }
            }
        }
        let room = bounds.bytes.saturating_sub(HEAD_BYTES) / ENTRY_BYTES;
        // The most visited stay; a node has no more visits than the one it follows, which is shorter.
        found.sort_by_key(|(path, own)| (std::cmp::Reverse(own.visits), path.length));
        found.truncate(room.clamp(1, usize::from(u16::MAX)));
        found.sort_by(|(a, _), (b, _)| a.points().cmp(b.points()));
        Digest {
            position: self.position,
            extra_komi: self.extra.as_ref().map_or(0, |(extra, _)| half_points(extra)),
            entries: follow_each_other(&found),
        }
    }

    fn own(&self, index: u32, path: &Path) -> Counts {
        self.storage.node(index).counts().minus(self.ledger.sum(path))
    }

    /// Takes in what another search told; false if it was about another position. Nodes that this tree does not have yet are
    /// left out: the next digest names them again.
    pub fn take(&mut self, sender: usize, digest: &Digest) -> bool {
        if digest.position != self.position {
            return false;
        }
        // The nodes from the root to the last entry.
        let mut line: Vec<(u32, Path)> = Vec::with_capacity(MAX_DEPTH + 1);
        for entry in &digest.entries {
            let depth = usize::from(entry.depth);
            let at = match depth.checked_sub(1) {
                None => Some((self.root, Path::default())),
                Some(above) if depth <= MAX_DEPTH => {
                    line.get(above).copied().and_then(|(above, path)| {
                        Some((child(self.storage, above, entry.point)?, path.then(entry.point)))
                    })
                }
                Some(_) => None,
            };
            line.truncate(depth);
            let Some((index, path)) = at else { continue };
            line.push((index, path));
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

/// Entries for sorted paths; those whose node before is missing are left out.
fn follow_each_other(found: &[(Path, Counts)]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(found.len());
    let mut line: Vec<Path> = Vec::new();
    for (path, counts) in found {
        let points = path.points();
        let depth = points.len();
        line.truncate(depth);
        let follows = line.len() == depth
            && line.last().is_none_or(|before| before.points() == &points[..depth - 1]);
        if follows {
            line.push(*path);
            let point = points.last().copied().unwrap_or(Point::PASS);
            entries.push(Entry { depth: depth as u8, point, counts: *counts });
        }
    }
    entries
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
            let shorter = |limit: Duration| limit.saturating_sub(time.min(limit / 10));
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
            });
        }
    }

    /// The same after the last playout.
    pub(super) fn end(&mut self, tree: &Tree, begin: Instant) {
        if let Some(mut partner) = self.partner.take() {
            partner.end(&mut self.window(tree, begin));
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
        }
    }
}
