//! The known large patterns: a sorted hash table from 32-bit keys to weights.
//!
//! Keys are stored in ascending order at or after the slot that their value points to, so a search
//! walks a few neighbouring slots and stops at the first larger key. A key and its weight share
//! eight bytes: a hit costs one cache line.

/// A key and the weight of its pattern; key 0 marks a free slot.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
#[repr(C, align(8))]
pub struct Slot {
    /// The pattern's key.
    pub key: u32,
    /// Its weight: the logarithm of its gamma.
    pub weight: f32,
}

/// The table. Slots double as the patterns' numbers.
#[derive(Clone, Default, Debug)]
pub struct Dictionary {
    slots: Vec<Slot>,
    range: u64,
    len: usize,
}

impl Dictionary {
    /// Builds the table from ascending keys without 0 and duplicates, with their weights.
    pub fn from_sorted(entries: impl ExactSizeIterator<Item = (u32, f32)>) -> Dictionary {
        let len = entries.len();
        let range = (len + len / 2 + 8) as u64;
        let mut slots = vec![Slot::default(); range as usize + 2];
        let mut next = 0;
        for (key, weight) in entries {
            let place = start(key, range).max(next);
            if place + 2 > slots.len() {
                slots.resize(place + 2, Slot::default());
            }
            slots[place] = Slot { key, weight };
            next = place + 1;
        }
        Dictionary { slots, range, len }
    }

    /// The number of the pattern with this key.
    #[inline(always)]
    pub fn find(&self, key: u32) -> Option<usize> {
        self.find_from(self.start(key), key)
    }

    /// The slot where the search for a key begins.
    #[inline(always)]
    pub fn start(&self, key: u32) -> usize {
        start(key, self.range)
    }

    /// The key in a slot, 0 for none.
    #[inline(always)]
    pub fn key_at(&self, slot: u32) -> u32 {
        self.slots.get(slot as usize).map_or(0, |slot| slot.key)
    }

    /// Continues a search for a key at a slot.
    #[inline(always)]
    pub fn find_from(&self, mut place: usize, key: u32) -> Option<usize> {
        // Ends at a free slot at the latest: the last slot is always free.
        while let Some(slot) = self.slots.get(place) {
            if slot.key >= key {
                return (slot.key == key).then_some(place);
            }
            if slot.key == 0 {
                return None;
            }
            place += 1;
        }
        None
    }

    /// The weight of the pattern with this number.
    #[inline(always)]
    pub fn weight(&self, slot: usize) -> f32 {
        self.slots[slot].weight
    }

    /// Patterns in the table.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is the table empty?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Slots in the table: the numbers of patterns are below it.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Numbers, keys and weights in ascending order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Slot)> + '_ {
        self.slots.iter().copied().enumerate().filter(|(_, slot)| slot.key != 0)
    }
}

#[inline(always)]
fn start(key: u32, range: u64) -> usize {
    ((u64::from(key) * range) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rng;

    #[test]
    fn finds_all_and_only_its_keys() {
        let mut rng = Rng::new(4);
        for len in [0, 1, 2, 10, 5000] {
            let mut keys: Vec<u32> = (0..len).map(|_| rng.bits() as u32 | 1).collect();
            keys.extend([1, 2, 3, u32::MAX, u32::MAX - 1]);
            keys.sort_unstable();
            keys.dedup();
            let table = Dictionary::from_sorted(
                keys.iter().map(|&k| (k, k as f32)).collect::<Vec<_>>().into_iter(),
            );
            assert_eq!(table.len(), keys.len());
            for &key in &keys {
                let slot = table.find(key).unwrap();
                assert_eq!(table.weight(slot), key as f32);
            }
            for _ in 0..10_000 {
                let key = (rng.bits() as u32).max(1);
                assert_eq!(table.find(key).is_some(), keys.binary_search(&key).is_ok());
            }
            assert_eq!(table.iter().map(|(_, slot)| slot.key).collect::<Vec<_>>(), keys);
        }
    }
}
