//! What a training remembers of positions on their way through the layers.
//!
//! A [`Tape`] keeps what went through the layers for one position, for the way back; a [`Scratch`] is memory
//! for one layer at a time. The positions of a part of a batch go through a block one after the other before
//! any of them goes on to the next: so the weights and the gradient of a block, a megabyte and a half, are
//! read from the memory of the machine once for all of them, and two threads do not wait for it.

use crate::knowledge::net::Shape;
use crate::knowledge::net::grid::Grid;
use crate::knowledge::net::planes::{self, Marks};
use crate::knowledge::net::shape::{HEAD, HIDDEN, LANES};
use crate::knowledge::net::winograd::Tiles;
use crate::types::MAX_SIZE;

/// What a block remembers.
#[derive(Debug)]
pub(super) struct Saved {
    /// What came in, without negative numbers.
    pub(super) active: Grid,
    /// The first convolution's output, before pooling.
    pub(super) before: Grid,
    /// The same after pooling, without negative numbers.
    pub(super) inner: Grid,
    pub(super) pooled: Vec<f32>,
}

/// What one position leaves behind.
#[derive(Debug)]
pub(super) struct Tape {
    /// What is seen at every cell, with a border of nothing, and the same as numbers.
    pub(super) marks: Vec<Marks>,
    pub(super) planes: Grid,
    pub(super) trunk: Grid,
    pub(super) blocks: Vec<Saved>,
    pub(super) active: Grid,
    pub(super) heads: Grid,
    pub(super) outputs: Grid,
    pub(super) pooled: Vec<f32>,
    pub(super) hidden: [f32; HIDDEN],
    pub(super) last: [f32; LANES],
    /// The gradient of the trunk, on the way back.
    pub(super) to_trunk: Grid,
}

impl Tape {
    fn new(shape: &Shape, size: usize) -> Tape {
        let grid = |channels| Grid::new(size, channels);
        let saved = || Saved {
            active: grid(shape.channels),
            before: grid(shape.channels),
            inner: grid(shape.channels),
            pooled: vec![0.0; 2 * shape.channels],
        };
        Tape {
            marks: vec![0; (size + 2) * (size + 2)],
            planes: grid(planes::COUNT),
            trunk: grid(shape.channels),
            blocks: shape.blocks.iter().map(|_| saved()).collect(),
            active: grid(shape.channels),
            heads: grid(HEAD),
            outputs: grid(LANES),
            pooled: vec![0.0; 2 * HEAD],
            hidden: [0.0; HIDDEN],
            last: [0.0; LANES],
            to_trunk: grid(shape.channels),
        }
    }
}

/// Memory for sums and gradients of one layer.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) tiles: Tiles,
    pub(super) change: Grid,
    pub(super) to_inner: Grid,
    pub(super) to_heads: Grid,
    pub(super) bias: Vec<f32>,
    pub(super) to_pooled: Vec<f32>,
    pub(super) logits: Vec<f32>,
}

impl Scratch {
    fn new(shape: &Shape, size: usize) -> Scratch {
        let widest = 2 * shape.channels.max(HEAD);
        Scratch {
            tiles: Tiles::new(size, shape.channels.max(planes::COUNT)),
            change: Grid::new(size, shape.channels),
            to_inner: Grid::new(size, shape.channels),
            to_heads: Grid::new(size, HEAD),
            bias: vec![0.0; widest],
            to_pooled: vec![0.0; widest],
            logits: vec![],
        }
    }
}

/// Memory for boards of one size.
#[derive(Debug)]
struct OfSize {
    scratch: Scratch,
    tapes: Vec<Tape>,
}

/// Memory for positions on boards of every size that occurs.
#[derive(Debug)]
pub(super) struct Memory {
    shape: Shape,
    by_size: Vec<Option<OfSize>>,
}

/// Which tape: the size of its board and its number.
pub(super) type Place = (usize, usize);

impl Memory {
    pub(super) fn new(shape: &Shape) -> Memory {
        Memory { shape: shape.clone(), by_size: (0..=MAX_SIZE).map(|_| None).collect() }
    }

    /// A tape for each of these boards.
    pub(super) fn places(&mut self, sizes: impl Iterator<Item = usize>) -> Vec<Place> {
        let mut used = [0; MAX_SIZE + 1];
        let place = |size: usize| {
            let number = used[size];
            used[size] += 1;
            let of_size = self.by_size[size].get_or_insert_with(|| OfSize {
                scratch: Scratch::new(&self.shape, size),
                tapes: vec![],
            });
            if number == of_size.tapes.len() {
                of_size.tapes.push(Tape::new(&self.shape, size));
            }
            (size, number)
        };
        sizes.map(place).collect()
    }

    /// A tape that was given, and memory to work with.
    pub(super) fn at(&mut self, (size, number): Place) -> (&mut Tape, &mut Scratch) {
        let of_size = self.by_size[size].as_mut().unwrap_or_else(|| unreachable!("it was made"));
        (&mut of_size.tapes[number], &mut of_size.scratch)
    }
}
