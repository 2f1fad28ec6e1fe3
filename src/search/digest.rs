//! What one search tells others: a list of nodes near the root with what was counted there, and its bytes.
//!
//! Numbers are written with seven bits a byte, since most of them are small, and a node that was never visited, of
//! which only RAVE is told, without the rest: a digest of all children of a 19x19 root is some 3,000 bytes.

use crate::game::{Game, Scoring};
use crate::types::{CELLS, Color, Point};

/// The deepest node that a digest can name.
pub(super) const MAX_DEPTH: usize = 6;
/// Bytes of a digest before its nodes.
pub(super) const HEAD_BYTES: usize = 14;
/// In the first byte of a node: it was never visited, only its RAVE is told.
const UNVISITED: u8 = 0x80;

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
    pub(super) fn plus(self, other: Counts) -> Counts {
        Counts {
            visits: self.visits.wrapping_add(other.visits),
            wins: self.wins.wrapping_add(other.wins),
            rave_visits: self.rave_visits.wrapping_add(other.rave_visits),
            rave_wins: self.rave_wins.wrapping_add(other.rave_wins),
            score: self.score.wrapping_add(other.score),
        }
    }

    /// The difference; it may be below zero, which wraps.
    pub(super) fn minus(self, other: Counts) -> Counts {
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
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
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
