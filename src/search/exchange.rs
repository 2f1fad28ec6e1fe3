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

use super::dynkomi::ExtraKomi;
use super::storage::Storage;
use super::tree::Tree;
use super::worker::Shared;
use super::{Interrupt, Request, Scoring};
use crate::game::Game;
use crate::params::Params;
use crate::types::{CELLS, Color, Point};
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The deepest node that a digest can name.
const MAX_DEPTH: usize = 6;
/// Bytes of a digest before its nodes.
const HEAD_BYTES: usize = 14;
/// In the first byte of a node: it was never visited, only its RAVE is told.
const UNVISITED: u8 = 0x80;
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
    /// The children of those with this share of the sender's own visits of the root.
    pub share: f64,
    /// Moves from the root to the deepest, at most 6.
    pub depth: usize,
    /// The longest digest.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { share: 0.02, depth: 4, bytes: 8000 }
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
    /// As bytes: numbers of seven bits a byte, so that small ones are short.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD_BYTES + 12 * self.entries.len());
        bytes.extend(self.position.to_le_bytes());
        bytes.extend(self.extra_komi.to_le_bytes());
        bytes.extend((self.entries.len() as u16).to_le_bytes());
        self.entries.iter().for_each(|entry| entry.write(&mut bytes));
        bytes
    }

    /// From bytes; None if they are not those of a digest.
    pub fn from_bytes(bytes: &[u8]) -> Option<Digest> {
        let (head, mut rest) = bytes.split_at_checked(HEAD_BYTES)?;
        let position = u64::from_le_bytes(head[..8].try_into().ok()?);
        let extra_komi = i32::from_le_bytes(head[8..12].try_into().ok()?);
        let count = u16::from_le_bytes(head[12..].try_into().ok()?);
        let entries: Option<Vec<Entry>> = (0..count).map(|_| Entry::read(&mut rest)).collect();
        rest.is_empty().then_some(Digest { position, extra_komi, entries: entries? })
    }
}

impl Entry {
    fn write(&self, bytes: &mut Vec<u8>) {
        let Entry { depth, point, counts } = self;
        let unvisited = counts.visits == 0 && counts.wins == 0 && counts.score == 0;
        bytes.push(depth | if unvisited { UNVISITED } else { 0 });
        bytes.extend((point.index() as u16).to_le_bytes());
        write_number(counts.rave_visits, bytes);
        write_number(counts.rave_wins, bytes);
        if !unvisited {
            write_number(counts.visits, bytes);
            write_number(counts.wins, bytes);
            // The sign goes into the last bit.
            write_number(((counts.score << 1) ^ (counts.score >> 31)) as u32, bytes);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Entry> {
        let (&[first, low, high], rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        let index = usize::from(u16::from_le_bytes([low, high]));
        let (rave_visits, rave_wins) = (read_number(bytes)?, read_number(bytes)?);
        let mut counts = Counts { rave_visits, rave_wins, ..Counts::default() };
        if first & UNVISITED == 0 {
            (counts.visits, counts.wins) = (read_number(bytes)?, read_number(bytes)?);
            let score = read_number(bytes)?;
            counts.score = (score >> 1) as i32 ^ -((score & 1) as i32);
        }
        let depth = first & !UNVISITED;
        (index < CELLS).then(|| Entry { depth, point: Point::from_index(index), counts })
    }
}

/// Seven bits a byte, the lowest first; the eighth says that there are more.
fn write_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return u32::try_from(number).ok();
        }
    }
    None
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
