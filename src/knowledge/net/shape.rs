//! What a network is made of: its layers, and where each finds its numbers.
//!
//! All parameters stand in one vector, layer after layer, each with its weights (by tap, input and
//! output) and then its biases. A file is this vector, a gradient is such a vector, and an optimizer
//! needs to know nothing about layers.
//!
//! ```text
//! planes -> input (3x3) -> x
//! each block:   x += second(relu(first(relu(x)) [+ pool(mean, max)]))     3x3 both
//! heads:        k = relu(head(relu(x)))                                   1x1
//!               owner, policy of a point = point(k)                       1x1
//!               lead, offset, spread, pass = last(relu(hidden(mean, max of k)))
//! ```
//!
//! There is no normalization: it would be folded into the weights anyway, and so small a network
//! learns without.

use super::planes;
use std::ops::Range;

/// Lanes of a vector; every number of channels is a multiple.
pub const LANES: usize = 8;
/// Channels between trunk and heads.
pub const HEAD: usize = 32;
/// Units between the pooled head and the judgement of the whole board.
pub const HIDDEN: usize = 32;
/// Most channels of a trunk.
pub const MAX_CHANNELS: usize = 128;
/// Most blocks.
pub const MAX_BLOCKS: usize = 32;
/// Smallest board that a network judges.
pub const MIN_SIZE: usize = 7;

/// Output of the layer `point` that becomes the owner.
pub const OWNER: usize = 0;
/// Output of the layer `point` that is the move's logit.
pub const POLICY: usize = 1;
/// Output of the layer `last`: what the sum of the owners misses of the lead.
pub const LEAD: usize = 0;
/// Output of the layer `last`: how far the median margin is from the lead.
pub const OFFSET: usize = 1;
/// Output of the layer `last`: logarithm of the spread.
pub const SPREAD: usize = 2;
/// Output of the layer `last`: logit of a pass.
pub const PASS: usize = 3;

/// Points that one unit of the last layer stands for.
pub const POINTS_PER_UNIT: f32 = 10.0;
/// Spread in points when the last layer says 0.
pub const USUAL_SPREAD: f32 = 4.0;
/// The logarithm of the spread is limited to this, both ways.
pub const MAX_LOG_SPREAD: f32 = 4.0;

/// What a layer looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A 3x3 convolution of planes that are 0 or 1.
    Planes,
    /// A 3x3 convolution.
    Board,
    /// A map of each point alone, or of the whole board at once.
    Point,
}

/// One linear layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// What it looks at.
    pub kind: Kind,
    /// Its place among the layers.
    pub number: usize,
    /// Channels that come in.
    pub inputs: usize,
    /// Channels that go out.
    pub outputs: usize,
    /// Where its parameters begin.
    pub start: usize,
}

impl Layer {
    /// Points that an output is made of: 9 or 1.
    pub fn taps(&self) -> usize {
        if self.kind == Kind::Point { 1 } else { 9 }
    }

    /// Place of the weights in the vector of parameters.
    pub fn weights(&self) -> Range<usize> {
        self.start..self.start + self.taps() * self.inputs * self.outputs
    }

    /// Place of the biases.
    pub fn biases(&self) -> Range<usize> {
        let end = self.weights().end;
        end..end + self.outputs
    }

    /// Multiply-adds for so many points.
    pub fn work(&self, points: usize) -> usize {
        points * self.weights().len()
    }
}

/// The layers of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The convolution from the trunk.
    pub first: Layer,
    /// In every second block: from mean and maximum over the board to the first one's output.
    pub pool: Option<Layer>,
    /// The convolution back into the trunk.
    pub second: Layer,
}

/// All layers of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Channels of the trunk.
    pub channels: usize,
    /// From planes to trunk.
    pub input: Layer,
    /// The residual blocks.
    pub blocks: Vec<Block>,
    /// From trunk to heads.
    pub head: Layer,
    /// From heads to owner and move of each point.
    pub point: Layer,
    /// From the pooled heads.
    pub hidden: Layer,
    /// To lead, offset, spread and pass.
    pub last: Layer,
    /// How many there are in all.
    pub parameters: usize,
}

impl Shape {
    /// The layers for so many channels and blocks; nothing if that cannot be.
    pub fn new(channels: usize, blocks: usize) -> Option<Shape> {
        if !channels.is_multiple_of(LANES) || !(LANES..=MAX_CHANNELS).contains(&channels) {
            return None;
        }
        if !(1..=MAX_BLOCKS).contains(&blocks) {
            return None;
        }
        let (mut start, mut number) = (0, 0);
        let mut layer = |kind, inputs, outputs| {
            let layer = Layer { kind, number, inputs, outputs, start };
            start = layer.biases().end;
            number += 1;
            layer
        };
        let input = layer(Kind::Planes, planes::COUNT, channels);
        let blocks = (0..blocks).map(|number| Block {
            first: layer(Kind::Board, channels, channels),
            pool: (number % 2 == 1).then(|| layer(Kind::Point, 2 * channels, channels)),
            second: layer(Kind::Board, channels, channels),
        });
        let blocks = blocks.collect();
        let head = layer(Kind::Point, channels, HEAD);
        let point = layer(Kind::Point, HEAD, LANES);
        let hidden = layer(Kind::Point, 2 * HEAD, HIDDEN);
        let last = layer(Kind::Point, HIDDEN, LANES);
        Some(Shape { channels, input, blocks, head, point, hidden, last, parameters: start })
    }

    /// All layers in the order of their parameters.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        let blocks = self.blocks.iter().flat_map(|block| {
            [Some(&block.first), block.pool.as_ref(), Some(&block.second)].into_iter().flatten()
        });
        let heads = [&self.head, &self.point, &self.hidden, &self.last];
        std::iter::once(&self.input).chain(blocks).chain(heads)
    }

    /// Multiply-adds of one judgement on a board of this size as the layers are written, without the
    /// input layer, whose planes are mostly zero. The kernels get along with fewer.
    pub fn work(&self, size: usize) -> usize {
        let pools = self.blocks.iter().filter_map(|block| block.pool.as_ref());
        let whole: usize = pools.chain([&self.hidden, &self.last]).map(|layer| layer.work(1)).sum();
        let convolutions = self.blocks.iter().flat_map(|block| [&block.first, &block.second]);
        let points = convolutions.chain([&self.head, &self.point]);
        whole + points.map(|layer| layer.work(size * size)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_fill_the_parameters_without_a_gap() {
        let shape = Shape::new(24, 4).unwrap();
        let mut end = 0;
        for (number, layer) in shape.layers().enumerate() {
            assert_eq!((layer.start, layer.number), (end, number));
            end = layer.biases().end;
        }
        assert_eq!(end, shape.parameters);
        assert_eq!(shape.blocks.iter().filter(|block| block.pool.is_some()).count(), 2);
        assert!(shape.work(9) > 81 * 9 * 24 * 8 * 24);
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        for (channels, blocks) in [(0, 4), (4, 4), (20, 4), (136, 4), (24, 0), (24, 33)] {
            assert!(Shape::new(channels, blocks).is_none(), "{channels} {blocks}");
        }
    }
}
