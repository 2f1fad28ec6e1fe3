//! Where nodes live: blocks of siblings in chunks that are allocated as they are needed.
//!
//! A bump allocator. Memory is bounded by the number of chunks; a full storage refuses, the search
//! stops expanding, and the tree is copied, least visited parts left out, into a new storage.

use super::node::Node;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const CHUNK_BITS: u32 = 14;
const CHUNK: u32 = 1 << CHUNK_BITS;

/// Nodes by index.
pub(super) struct Storage {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    used: AtomicU32,
}

impl Storage {
    /// A storage of at most this many bytes (at least one chunk of 655 kB).
    pub(super) fn new(bytes: usize) -> Storage {
        let chunk_bytes = size_of::<Node>() << CHUNK_BITS;
        let chunks = (bytes / chunk_bytes).clamp(1, (u32::MAX >> (CHUNK_BITS + 1)) as usize);
        Storage { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), used: AtomicU32::new(0) }
    }

    /// Nodes that fit.
    pub(super) fn capacity(&self) -> usize {
        self.chunks.len() << CHUNK_BITS
    }

    /// Nodes in use, the ends of chunks that were skipped included.
    pub(super) fn used(&self) -> usize {
        self.used.load(Relaxed) as usize
    }

    /// Reserves a block of adjacent nodes; None if the storage is full.
    pub(super) fn allocate(&self, count: usize) -> Option<u32> {
        let count = count as u32;
        let mut start = 0;
        let place = |used: u32| {
            // A block lies within one chunk.
            start = if used % CHUNK + count > CHUNK { (used / CHUNK + 1) * CHUNK } else { used };
            let end = start + count;
            (end as usize <= self.capacity()).then_some(end)
        };
        self.used.fetch_update(Relaxed, Relaxed, place).ok()?;
        self.chunks[(start >> CHUNK_BITS) as usize]
            .get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect());
        Some(start)
    }

    /// A block of nodes; empty if it was never allocated.
    #[inline(always)]
    pub(super) fn block(&self, first: u32, count: usize) -> &[Node] {
        let chunk = self.chunks[(first >> CHUNK_BITS) as usize].get();
        let start = (first & (CHUNK - 1)) as usize;
        chunk.map_or(&[], |nodes| &nodes[start..start + count])
    }

    /// One node.
    #[inline(always)]
    pub(super) fn node(&self, index: u32) -> &Node {
        &self.block(index, 1)[0]
    }

    /// The children of a node, empty if there are none yet.
    #[inline(always)]
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        node.children().map_or(&[], |(first, count)| self.block(first, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_do_not_overlap_and_the_limit_holds() {
        let storage = Storage::new(2 << 20);
        assert_eq!(storage.capacity(), 3 << CHUNK_BITS);
        let mut end = 0;
        let mut blocks = 0;
        while let Some(start) = storage.allocate(300) {
            assert!(start >= end, "block {blocks}");
            assert_eq!(storage.block(start, 300).len(), 300);
            end = start + 300;
            blocks += 1;
        }
        assert_eq!(blocks, 3 * (CHUNK as usize / 300));
        assert!(end as usize <= storage.capacity() && storage.used() <= storage.capacity());
        assert!(storage.allocate(300).is_none());
    }
}
