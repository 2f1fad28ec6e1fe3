//! 3x3 convolutions in a third of the multiplications, by Winograd's minimal filtering.
//!
//! A tile of 3x3 outputs depends on 5x5 inputs. A convolution of polynomials is a multiplication of
//! their values at five places (here 0, 1, -1, 2 and infinity): so inputs and weights are turned into
//! such values, along the columns and along the rows; then each of the 25 values of an output is one
//! product a channel, where the plain sum needs 9 a point and 81 a tile; and the 25 are turned back
//! into 3x3 outputs. With `d`, `g` and `y` for five inputs, three weights and three outputs of a line:
//!
//! ```text
//! y = A' [(G g) * (B' d)]
//! B' = | 2 -1 -2  1  0 |   G = |  1/2    0    0 |   A' = | 1  1  1  1  0 |
//!      | 0 -2 -1  1  0 |       | -1/2 -1/2 -1/2 |        | 0  1 -1  2  0 |
//!      | 0  2 -3  1  0 |       | -1/6  1/6 -1/6 |        | 0  1  1  4  1 |
//!      | 0 -1  0  1  0 |       |  1/6  2/6  4/6 |
//!      | 0  2 -1 -2  1 |       |    0    0    1 |
//! ```
//!
//! (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015.) Three outputs a tile fit
//! 9x9 without a rest; two or four would need 16 values for 4 outputs and 36 for 16. Every step has
//! its order and its roundings, so that all machines say the same to the last bit.
//!
//! [`forward`] convolves, as the numbers are or rounded to 16 bits; [`values`] turns inputs into values;
//! [`gradient`] leads back, for the training.

mod forward;
mod gradient;
mod values;

pub use forward::{convolve, convolve_rounded};
pub use gradient::{add_gradient, finish_gradient, gradient_len};

use super::integer::{Integers, Pairs};
use super::kernel::{self, is_wide};
use super::shape::{Kind, Layer, MAX_CHANNELS};
use fearless_simd::{Simd, prelude::*};

/// Outputs of a tile along a line.
const OUT: usize = 3;
/// Inputs of a tile along a line, and values.
const IN: usize = 5;
/// Values of a tile.
const VALUES: usize = IN * IN;

/// `G` of the module's head.
const WEIGHTS: [[f32; 3]; IN] = [
    [0.5, 0.0, 0.0],
    [-0.5, -0.5, -0.5],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 6.0, 2.0 / 6.0, 4.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// Memory for the values of all tiles of a board: by value, tile and channel.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    inputs: Vec<f32>,
    /// The inputs rounded.
    rounded: Vec<Pairs>,
    outputs: Vec<f32>,
}

impl Tiles {
    /// For boards of this size and layers of at most so many channels.
    pub fn new(size: usize, channels: usize) -> Tiles {
        let values = VALUES * count(size);
        Tiles {
            inputs: vec![0.0; values * channels],
            rounded: vec![[0; MAX_CHANNELS / 2]; values],
            outputs: vec![0.0; values * channels],
        }
    }
}

/// Tiles of a board.
fn count(size: usize) -> usize {
    size.div_ceil(OUT) * size.div_ceil(OUT)
}

/// One of the 25 products as a layer of its own.
fn product(layer: &Layer) -> Layer {
    Layer { kind: Kind::Point, start: 0, ..layer.clone() }
}

/// One value of a layer's weights (by tap, input and output), by input and output.
fn value_of_weights(layer: &Layer, weights: &[f32], value: usize) -> Vec<f32> {
    let of_tap = layer.inputs * layer.outputs;
    let mut sums = vec![0.0; of_tap];
    for (tap, weights) in weights.chunks_exact(of_tap).enumerate() {
        let factor = factor(value, tap);
        if factor != 0.0 {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += factor * weight);
        }
    }
    sums
}

/// The values of a layer's weights, each in the order of its product.
pub fn prepare(layer: &Layer, weights: &[f32], prepared: &mut Vec<f32>) {
    let of_tap = layer.inputs * layer.outputs;
    prepared.resize(VALUES * of_tap, 0.0);
    let product = product(layer);
    for (value, prepared) in prepared.chunks_exact_mut(of_tap).enumerate() {
        kernel::pack(&product, &value_of_weights(layer, weights, value), prepared);
    }
}

/// The same, rounded.
pub fn prepare_rounded(layer: &Layer, weights: &[f32]) -> Vec<Integers> {
    let rounded = |value| {
        Integers::new(layer.inputs, layer.outputs, &value_of_weights(layer, weights, value))
    };
    (0..VALUES).map(rounded).collect()
}

/// How much of a tap's weight is in a value.
fn factor(value: usize, tap: usize) -> f32 {
    WEIGHTS[value / IN][tap / 3] * WEIGHTS[value % IN][tap % 3]
}

/// Calls for the channels that a vector takes at once: the first of them, and whether it takes 16.
#[inline(always)]
fn each_group<S: Simd>(channels: usize, mut run: impl FnMut(usize, bool)) {
    let mut first = 0;
    while first < channels {
        let wide = is_wide::<S>() && first + 16 <= channels;
        run(first, wide);
        first += if wide { 16 } else { 8 };
    }
}

/// Rows as columns. (Loops: what closures return goes through memory.)
#[inline(always)]
fn turned<S: Simd, F: SimdFloat<S, Element = f32>, const R: usize, const C: usize>(
    simd: S,
    lines: &[[F; C]; R],
) -> [[F; R]; C] {
    let mut turned = [[F::simd_from(simd, 0.0); R]; C];
    for (column, to) in turned.iter_mut().enumerate() {
        for (to, line) in to.iter_mut().zip(lines) {
            *to = line[column];
        }
    }
    turned
}

/// Row and column of every tile.
#[inline(always)]
fn places(along: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..along).flat_map(move |down| (0..along).map(move |right| (down, right)))
}
