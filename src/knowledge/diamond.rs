//! Nested diamond patterns: the stones around a move up to a size, as one 32-bit key per size.
//!
//! The distance is `|dx| + |dy| + max(|dx|, |dy|)`; size 2 holds the four orthogonal neighbours, size 3
//! the 3x3 square, size 14 reaches seven points far (140 cells). A pattern is equal to its seven
//! rotations and reflections, and colours count as own and enemy.
//!
//! Eight XOR hashes, one for each symmetry, grow ring by ring in one array of lanes, which the
//! compiler turns into vector code. The key of a size is the *sum* of the lanes: it does not
//! depend on their order, so equal patterns get equal keys without looking for a canonical form
//! (a minimum would do too, but is slower and crowds the keys into the lowest eighth).
//!
//! Two refinements cost almost nothing because they are XORs onto the same lanes: where the last
//! move was (if it lies inside), and which stones belong to chains with one or two liberties.

use crate::types::STRIDE;

/// Smallest pattern size: the four neighbours.
pub const MIN_DIAMOND: usize = 2;
/// Largest pattern size.
pub const MAX_DIAMOND: usize = 14;
/// Cells of the largest pattern.
pub const DIAMOND_CELLS: usize = 140;
/// How far the largest pattern reaches along a line.
pub const REACH: usize = 7;
/// Cells per row of the padded board that patterns are read from.
pub const PADDED_STRIDE: usize = STRIDE + 2 * REACH;
/// Cells of the padded board: a power of two, so that a masked index needs no check.
pub const PADDED_CELLS: usize = (PADDED_STRIDE * PADDED_STRIDE).next_power_of_two();

/// One hash for each symmetry.
pub type Lanes = [u32; 8];

/// Number of cells up to each size: those of size `s` are `RING_END[s - 1]..RING_END[s]`.
pub const RING_END: [usize; MAX_DIAMOND + 1] = CELLS.1;

const _: () = assert!(RING_END[MAX_DIAMOND] == DIAMOND_CELLS);

/// The pattern distance of an offset.
pub const fn distance(dx: i32, dy: i32) -> usize {
    let (x, y) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    x + y + if x > y { x } else { y }
}

/// Offsets of the cells, nearest first, and where the ring of each size ends among them.
const CELLS: ([(i32, i32); DIAMOND_CELLS], [usize; MAX_DIAMOND + 1]) = {
    let (mut offsets, mut ends) = ([(0, 0); DIAMOND_CELLS], [0; MAX_DIAMOND + 1]);
    let reach = REACH as i32;
    let mut next = 0;
    let mut size = MIN_DIAMOND;
    while size <= MAX_DIAMOND {
        let mut dy = -reach;
        while dy <= reach {
            let mut dx = -reach;
            while dx <= reach {
                if distance(dx, dy) == size {
                    offsets[next] = (dx, dy);
                    next += 1;
                }
                dx += 1;
            }
            dy += 1;
        }
        ends[size] = next;
        size += 1;
    }
    (offsets, ends)
};
const OFFSETS: [(i32, i32); DIAMOND_CELLS] = CELLS.0;

/// What a padded cell holds: bits 0-1 empty, own, enemy or border; bits 2-3 the weakness of the
/// stone's chain, 1 for one liberty and 2 for two.
pub mod cell {
    /// No stone.
    pub const EMPTY: u8 = 0;
    /// A stone of the player to move.
    pub const OWN: u8 = 1;
    /// A stone of the opponent.
    pub const ENEMY: u8 = 2;
    /// Off the board.
    pub const BORDER: u8 = 3;
    /// Added to a stone whose chain has one liberty.
    pub const ONE_LIBERTY: u8 = 4;
    /// Added to a stone whose chain has two liberties.
    pub const TWO_LIBERTIES: u8 = 8;
}

const fn mix(mut z: u64) -> u64 {
    z = z.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn transform((dx, dy): (i32, i32), symmetry: usize) -> (i32, i32) {
    let (mut x, mut y) = if symmetry & 1 == 1 { (-dx, dy) } else { (dx, dy) };
    let mut turns = symmetry >> 1;
    while turns > 0 {
        (x, y) = (-y, x);
        turns -= 1;
    }
    (x, y)
}

/// The random number of a state at an offset, in each of the eight views.
const fn lanes_of(offset: (i32, i32), state: u64) -> Lanes {
    let mut lanes = [0; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let (x, y) = transform(offset, symmetry);
        let place = ((y + 16) * 32 + x + 16) as u64;
        lanes[symmetry] = (mix(state << 32 | place) >> 32) as u32;
        symmetry += 1;
    }
    lanes
}

/// One cell of the diamond: where it is on the padded board, and what its contents add.
struct CellHash {
    offset: isize,
    stones: [Lanes; 4],
    weak: [Lanes; 4],
}

/// States 1 to 3 are the cells' contents, 4 and 5 weak chains, 6 is the last move.
static CELL_HASHES: [CellHash; DIAMOND_CELLS] = {
    const NONE: CellHash = CellHash { offset: 0, stones: [[0; 8]; 4], weak: [[0; 8]; 4] };
    let mut hashes = [NONE; DIAMOND_CELLS];
    let mut i = 0;
    while i < DIAMOND_CELLS {
        let (dx, dy) = OFFSETS[i];
        hashes[i] = CellHash {
            offset: dy as isize * PADDED_STRIDE as isize + dx as isize,
            stones: [
                [0; 8],
                lanes_of(OFFSETS[i], 1),
                lanes_of(OFFSETS[i], 2),
                lanes_of(OFFSETS[i], 3),
            ],
            weak: [[0; 8], lanes_of(OFFSETS[i], 4), lanes_of(OFFSETS[i], 5), [0; 8]],
        };
        i += 1;
    }
    hashes
};
const LAST: u64 = 6;

static MARKS: [Lanes; (2 * REACH + 1) * (2 * REACH + 1)] = {
    let mut marks = [[0; 8]; (2 * REACH + 1) * (2 * REACH + 1)];
    let mut place = 0;
    while place < marks.len() {
        let width = 2 * REACH + 1;
        let (dx, dy) = ((place % width) as i32, (place / width) as i32);
        marks[place] = lanes_of((dx - REACH as i32, dy - REACH as i32), LAST);
        place += 1;
    }
    marks
};

/// XORs lanes onto lanes.
#[inline(always)]
pub fn toggle(lanes: &mut Lanes, by: &Lanes) {
    // An index loop on purpose: without link-time optimisation, zipped iterators stay calls.
    let mut i = 0;
    while i < 8 {
        lanes[i] ^= by[i];
        i += 1;
    }
}

/// Lanes that mark the place of the last move relative to the pattern's centre. For offsets inside
/// the largest pattern; others have no mark.
#[inline]
pub fn mark(dx: i32, dy: i32) -> Lanes {
    let reach = REACH as i32;
    let place = (dy + reach) * (2 * reach + 1) + dx + reach;
    usize::try_from(place).ok().and_then(|place| MARKS.get(place)).copied().unwrap_or_default()
}

/// The hashes of a pattern that grows ring by ring.
#[derive(Clone, Copy, Default, Debug)]
pub struct Growing {
    /// Contents of the cells.
    pub stones: Lanes,
    /// Weak chains among them.
    pub weak: Lanes,
}

impl Growing {
    /// Adds the ring of a size, read from a padded board around a centre.
    #[inline(always)]
    pub fn add_ring(&mut self, size: usize, cells: &[u8; PADDED_CELLS], center: usize) {
        let ring = &CELL_HASHES[RING_END[size - 1]..RING_END[size]];
        let (mut stones, mut weak) = (self.stones, self.weak);
        for cell in ring {
            let at = center.wrapping_add_signed(cell.offset) % PADDED_CELLS;
            let state = usize::from(cells[at]);
            toggle(&mut stones, &cell.stones[state & 3]);
            if state > usize::from(cell::BORDER) {
                toggle(&mut weak, &cell.weak[state >> 2 & 3]);
            }
        }
        (self.stones, self.weak) = (stones, weak);
    }
}

/// Groups of mutually exclusive patterns.
pub const PATTERN_GROUPS: usize = 4 * (MAX_DIAMOND + 1);

/// Families of patterns: what besides the stones a pattern knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Family {
    /// The stones only.
    Plain = 0,
    /// The stones and where the last move was, if it lies inside.
    Last = 1,
    /// The stones, told apart by one, two or more liberties.
    Liberties = 2,
    /// Liberties and the last move.
    Both = 3,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 4] = [Family::Plain, Family::Last, Family::Liberties, Family::Both];

    /// The name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Family::Plain => "shape",
            Family::Last => "shape+last",
            Family::Liberties => "shape+liberties",
            Family::Both => "shape+liberties+last",
        }
    }

    /// A number for a family and a size, below [`PATTERN_GROUPS`]: a move has at most one pattern of
    /// each.
    #[inline(always)]
    pub const fn group(self, size: usize) -> u8 {
        self as u8 * (MAX_DIAMOND as u8 + 1) + size as u8
    }

    /// The family as a bit of a set.
    #[inline(always)]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The set of this family and those whose patterns tell all that this one's tell, and more.
    #[inline(always)]
    pub const fn and_refined(self) -> u8 {
        match self {
            Family::Plain => 0b1111,
            Family::Last | Family::Liberties => self.bit() | Family::Both.bit(),
            Family::Both => self.bit(),
        }
    }

    /// Are patterns of this size looked up?
    #[inline(always)]
    pub const fn has_size(self, size: usize) -> bool {
        let (first, last) = self.sizes();
        first <= size && size <= last
    }

    /// Does it know where the last move was?
    #[inline(always)]
    pub const fn has_last(self) -> bool {
        matches!(self, Family::Last | Family::Both)
    }

    /// Does it know which chains are weak?
    #[inline(always)]
    pub const fn has_liberties(self) -> bool {
        matches!(self, Family::Liberties | Family::Both)
    }

    /// Sizes of this family that are looked up. The 3x3 shape without anything is a feature of its
    /// own, so plain patterns begin beyond it; liberties far away say nothing.
    #[inline(always)]
    pub const fn sizes(self) -> (usize, usize) {
        match self {
            Family::Plain => (4, MAX_DIAMOND),
            Family::Last => (3, MAX_DIAMOND),
            Family::Liberties | Family::Both => (3, 10),
        }
    }
}

/// The key of a pattern: the symmetric sum of its lanes, mixed with family and size. Never 0.
#[inline(always)]
pub fn key(lanes: &Lanes, family: Family, size: usize) -> u32 {
    let [a, b, c, d, e, f, g, h] = *lanes;
    let one = a.wrapping_add(b).wrapping_add(c.wrapping_add(d));
    let other = e.wrapping_add(f).wrapping_add(g.wrapping_add(h));
    let sum = one.wrapping_add(other);
    let tag = ((family as u32) << 8 | size as u32).wrapping_mul(0x9E37_79B1);
    let mixed = (sum ^ tag).wrapping_mul(0x85EB_CA6B);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0xC2B2_AE35);
    (mixed ^ mixed >> 16).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rng;

    fn random_cells(rng: &mut Rng) -> Vec<((i32, i32), u8)> {
        let mut cells = Vec::new();
        for offset in OFFSETS {
            let state = match rng.below(8) {
                0 => cell::OWN,
                1 => cell::ENEMY,
                2 => cell::OWN | cell::ONE_LIBERTY,
                3 => cell::ENEMY | cell::TWO_LIBERTIES,
                _ => cell::EMPTY,
            };
            cells.push((offset, state));
        }
        cells
    }

    fn keys(cells: &[((i32, i32), u8)], symmetry: usize) -> Vec<u32> {
        let mut padded = [cell::EMPTY; PADDED_CELLS];
        let center = 17 * PADDED_STRIDE + 17;
        for &(offset, state) in cells {
            let (x, y) = transform(offset, symmetry);
            padded[(center as i32 + y * PADDED_STRIDE as i32 + x) as usize] = state;
        }
        let mut growing = Growing::default();
        let mut keys = Vec::new();
        for size in MIN_DIAMOND..=MAX_DIAMOND {
            growing.add_ring(size, &padded, center);
            let mut both = growing.stones;
            toggle(&mut both, &growing.weak);
            keys.push(key(&growing.stones, Family::Plain, size));
            keys.push(key(&both, Family::Liberties, size));
        }
        keys
    }

    #[test]
    fn rings_are_those_of_the_metric() {
        assert_eq!(RING_END[2..=6], [4, 8, 12, 20, 28]);
        assert!(OFFSETS[..8].iter().all(|&(x, y)| x.abs() <= 1 && y.abs() <= 1));
        assert_eq!((distance(7, 0), distance(-6, 2), distance(5, -4)), (14, 14, 14));
    }

    #[test]
    fn equal_under_all_symmetries_and_different_otherwise() {
        let mut rng = Rng::new(3);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..500 {
            let cells = random_cells(&mut rng);
            let expected = keys(&cells, 0);
            for symmetry in 1..8 {
                assert_eq!(keys(&cells, symmetry), expected);
            }
            seen.insert(expected[expected.len() - 1]);
            let mut changed = cells.clone();
            changed[139].1 ^= 3;
            assert_ne!(keys(&changed, 0).last(), expected.last());
            assert_eq!(keys(&changed, 0)[..24], expected[..24], "smaller sizes do not see it");
        }
        assert_eq!(seen.len(), 500);
    }

    #[test]
    fn marks_rotate_with_the_pattern() {
        let offset = (2, -5);
        let sum = |lanes: Lanes| lanes.iter().fold(0u32, |a, &b| a.wrapping_add(b));
        let marked = sum(mark(2, -5));
        for symmetry in 0..8 {
            let (x, y) = transform(offset, symmetry);
            assert_eq!(sum(mark(x, y)), marked);
        }
        assert_ne!(sum(mark(2, -4)), marked);
    }
}
