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

/// The known patterns of one move.
#[derive(Clone, Copy, Debug)]
pub struct Hits {
    slots: [(u32, f32); MAX_HITS],
    groups: [u8; MAX_HITS],
    count: usize,
    /// The largest known size of each family, 0 if none.
    pub largest: [u8; 4],
}

impl Hits {
    const NONE: Hits =
        Hits { slots: [(0, 0.0); MAX_HITS], groups: [0; MAX_HITS], count: 0, largest: [0; 4] };

    /// Numbers, weights and groups of the patterns.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32, u8)> + '_ {
        let hits = self.slots[..self.count].iter().zip(&self.groups);
        hits.map(|(&(slot, weight), &group)| (slot as usize, weight, group))
    }
}

#[derive(Clone, Copy, Debug)]
struct Growth {
    center: u32,
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
    family: u8,
}

/// Working memory of the lookups.
#[derive(Clone, Default, Debug)]
pub struct Batch {
    growths: Vec<Growth>,
    active: Vec<u16>,
    queries: Vec<Query>,
    first_keys: Vec<u32>,
    hits: Vec<Hits>,
}

impl Batch {
    /// Finds the known patterns of all these moves.
    pub fn look_up(&mut self, scan: &Scan, moves: &[Point], patterns: &Dictionary) {
        self.growths.clear();
        self.active.clear();
        if self.hits.len() < moves.len() {
            self.hits.resize(moves.len(), Hits::NONE);
        }
        for (index, &point) in moves.iter().enumerate() {
            self.hits[index].count = 0;
            self.hits[index].largest = [0; 4];
            let mut growth = Growth {
                center: padded(point) as u32,
                alive: 0b0101,
                last_distance: u8::MAX,
                growing: Growing::default(),
                mark: [0; 8],
            };
            if let Some((distance, mark)) = last_mark(scan, point) {
                growth.alive = 0b1111;
                growth.last_distance = distance as u8;
                growth.mark = mark;
            }
            self.growths.push(growth);
            self.active.push(index as u16);
        }
        for size in MIN_DIAMOND..=scan.largest_diamond() {
            self.grow(scan, size, patterns);
            self.resolve(size, patterns);
            let growths = &self.growths;
            self.active.retain(|&index| growths[usize::from(index)].alive != 0);
        }
    }

    /// The known patterns of the move with this index.
    #[inline(always)]
    pub fn hits(&self, index: usize) -> &Hits {
        &self.hits[index]
    }

    /// Adds a ring to every pattern that may still be known, and notes the keys to look up.
    fn grow(&mut self, scan: &Scan, size: usize, patterns: &Dictionary) {
        const WITH_LAST: u8 = 1 << Family::Last as u8 | 1 << Family::Both as u8;
        self.queries.clear();
        let here = Family::at_size(size);
        for &index in &self.active {
            let growth = &mut self.growths[usize::from(index)];
            growth.growing.add_ring(size, &scan.cells, growth.center as usize);
            let outside = if usize::from(growth.last_distance) > size { WITH_LAST } else { 0 };
            let asked = growth.alive & here & !outside;
            for family in Family::ALL {
                if asked >> family as u8 & 1 == 1 {
                    let key = family_key(family, size, &growth.growing, &growth.mark);
                    let start = patterns.start(key) as u32;
                    self.queries.push(Query { key, start, index, family: family as u8 });
                }
            }
            // Families whose largest size this was are done.
            growth.alive &= Family::at_size(size + 1) | !here;
        }
    }

    fn resolve(&mut self, size: usize, patterns: &Dictionary) {
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
                    let hits = &mut self.hits[index];
                    hits.slots[hits.count] = (slot as u32, patterns.weight(slot));
                    hits.groups[hits.count] =
                        Family::ALL[usize::from(query.family & 3)].group(size);
                    hits.count += 1;
                    hits.largest[usize::from(query.family)] = size as u8;
                }
                // Every pattern inside a known one is known, so a family ends here.
                None => self.growths[index].alive &= !(1 << query.family),
            }
        }
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
