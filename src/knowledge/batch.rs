//! Looking up the large patterns of all moves of a position together.
//!
//! A search in the dictionary is a cache miss, and a move's next search depends on the one before.
//! So the patterns grow ring by ring for all moves at once: the keys of one size are computed
//! first, then the slots they point to are read in a loop without branches, so that the misses
//! overlap. One move after the other took twice as long.

use super::diamond::{self, Family, Growing, Lanes, MAX_DIAMOND, MIN_DIAMOND, toggle};
use super::dictionary::Dictionary;
use super::scan::{Scan, padded};
use crate::types::Point;

/// Known patterns of one move at most: all sizes of all families.
const MAX_HITS: usize = 48;

/// What is known of the patterns of one move.
#[derive(Clone, Copy, Default, Debug)]
pub struct Known {
    /// The sum of the weights of the known patterns.
    pub weight: f32,
    /// The largest known size of each family, 0 if none.
    pub largest: [u8; 4],
}

/// The known patterns of one move by number and group. Only trainers want them: for the moves of a
/// position they fill more than the fastest cache.
#[derive(Clone, Copy, Debug)]
struct Hits {
    slots: [u32; MAX_HITS],
    groups: [u8; MAX_HITS],
    count: usize,
}

impl Hits {
    const NONE: Hits = Hits { slots: [0; MAX_HITS], groups: [0; MAX_HITS], count: 0 };
}

#[derive(Clone, Copy, Debug)]
struct Growth {
    center: u32,
    /// One bit for each family that may still be known, except plain: without it a move is done.
    alive: u8,
    last_distance: u8,
    growing: Growing,
    mark: Lanes,
}

#[derive(Clone, Copy, Debug)]
struct Query {
    key: u32,
    start: u32,
    index: u16,
    family: Family,
}

/// Working memory of the lookups.
#[derive(Clone, Default, Debug)]
pub struct Batch {
    growths: Vec<Growth>,
    active: Vec<u16>,
    queries: Vec<Query>,
    first_keys: Vec<u32>,
    known: Vec<Known>,
    hits: Vec<Hits>,
}

impl Batch {
    /// Finds the known patterns of all these moves, and lists them if asked to.
    pub fn look_up<const LIST: bool>(
        &mut self,
        scan: &Scan,
        moves: &[Point],
        patterns: &Dictionary,
    ) {
        self.growths.clear();
        self.active.clear();
        self.known.clear();
        self.known.resize(moves.len(), Known::default());
        if LIST {
            self.hits.resize(moves.len().max(self.hits.len()), Hits::NONE);
            self.hits.iter_mut().for_each(|hits| hits.count = 0);
        }
        for (index, &point) in moves.iter().enumerate() {
            let mut growth = Growth {
                center: padded(point) as u32,
                alive: Family::Liberties.bit(),
                last_distance: u8::MAX,
                growing: Growing::default(),
                mark: [0; 8],
            };
            if let Some((distance, mark)) = last_mark(scan, point) {
                growth.alive |= Family::Last.bit() | Family::Both.bit();
                growth.last_distance = distance as u8;
                growth.mark = mark;
            }
            self.growths.push(growth);
            self.active.push(index as u16);
        }
        for size in MIN_DIAMOND..=scan.largest_diamond() {
            self.grow(scan, size);
            if Family::Plain.has_size(size) {
                self.ask_plain(size, patterns);
                self.resolve::<LIST>(size, patterns);
                let known = &self.known;
                self.active.retain(|&index| {
                    let largest = known[usize::from(index)].largest[Family::Plain as usize];
                    usize::from(largest) == size
                });
            }
            self.ask_refined(size, patterns);
            self.resolve::<LIST>(size, patterns);
        }
    }

    /// What is known of the move with this index.
    #[inline(always)]
    pub fn known(&self, index: usize) -> Known {
        self.known[index]
    }

    /// Numbers and groups of the known patterns of the move with this index, if they were listed.
    #[inline(always)]
    pub fn hits(&self, index: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        let Hits { slots, groups, count } = &self.hits[index];
        slots[..*count].iter().zip(groups).map(|(&slot, &group)| (slot as usize, group))
    }

    /// Adds a ring to every pattern that may still be known.
    fn grow(&mut self, scan: &Scan, size: usize) {
        for &index in &self.active {
            let growth = &mut self.growths[usize::from(index)];
            growth.growing.add_ring(size, &scan.cells, growth.center as usize);
        }
    }

    fn ask_plain(&mut self, size: usize, patterns: &Dictionary) {
        for &index in &self.active {
            let growth = &self.growths[usize::from(index)];
            let key = diamond::key(&growth.growing.stones, Family::Plain, size);
            let start = patterns.start(key) as u32;
            self.queries.push(Query { key, start, index, family: Family::Plain });
        }
    }

    /// Asks for the families that tell more than the stones, where the stones are known.
    fn ask_refined(&mut self, size: usize, patterns: &Dictionary) {
        for &index in &self.active {
            let growth = &self.growths[usize::from(index)];
            let inside = usize::from(growth.last_distance) <= size;
            for family in [Family::Last, Family::Liberties, Family::Both] {
                if growth.alive & family.bit() != 0
                    && family.has_size(size)
                    && (inside || !family.has_last())
                {
                    let key = family_key(family, size, &growth.growing, &growth.mark);
                    let start = patterns.start(key) as u32;
                    self.queries.push(Query { key, start, index, family });
                }
            }
        }
    }

    /// Answers the queries.
    fn resolve<const LIST: bool>(&mut self, size: usize, patterns: &Dictionary) {
        self.first_keys.clear();
        self.first_keys.extend(self.queries.iter().map(|query| patterns.key_at(query.start)));
        for (query, &first) in self.queries.iter().zip(&self.first_keys) {
            let found = match first {
                key if key == query.key => Some(query.start as usize),
                0 => None,
                key if key > query.key => None,
                _ => patterns.find_from(query.start as usize + 1, query.key),
            };
            let index = usize::from(query.index);
            match found {
                Some(slot) => {
                    let known = &mut self.known[index];
                    known.weight += patterns.weight(slot);
                    known.largest[query.family as usize] = size as u8;
                    if LIST {
                        let hits = &mut self.hits[index];
                        hits.slots[hits.count] = slot as u32;
                        hits.groups[hits.count] = query.family.group(size);
                        hits.count += 1;
                    }
                }
                // Every pattern inside a known one is known, and so is every pattern that tells
                // less: a family ends here, and so do those that refine it.
                None => self.growths[index].alive &= !query.family.and_refined(),
            }
        }
        self.queries.clear();
    }
}

/// Distance and lanes of the last move's mark, if it is near enough to be in a pattern.
#[inline(always)]
pub fn last_mark(scan: &Scan, point: Point) -> Option<(usize, Lanes)> {
    let last = scan.last?;
    let dx = last.column() as i32 - point.column() as i32;
    let dy = last.row() as i32 - point.row() as i32;
    let distance = diamond::distance(dx, dy);
    (distance <= MAX_DIAMOND).then(|| (distance, diamond::mark(dx, dy)))
}

/// The key of a family at a size.
#[inline(always)]
pub fn family_key(family: Family, size: usize, growing: &Growing, mark: &Lanes) -> u32 {
    let mut lanes = growing.stones;
    if family.has_liberties() {
        toggle(&mut lanes, &growing.weak);
    }
    if family.has_last() {
        toggle(&mut lanes, mark);
    }
    diamond::key(&lanes, family, size)
}
