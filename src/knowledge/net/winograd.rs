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

#![expect(
    clippy::needless_range_loop,
    reason = "vectors in arrays stay in registers when indices are constants"
)]

use super::grid::Grid;
use super::kernel::{self, is_wide};
use super::shape::{Kind, Layer, MAX_CHANNELS};
use fearless_simd::{Simd, f32x8, f32x16, prelude::*};

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
    outputs: Vec<f32>,
}

impl Tiles {
    /// For boards of this size and layers of at most so many channels.
    pub fn new(size: usize, channels: usize) -> Tiles {
        let numbers = VALUES * count(size) * channels;
        Tiles { inputs: vec![0.0; numbers], outputs: vec![0.0; numbers] }
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

/// The values of a layer's weights (by tap, input and output), each in the order of its product.
pub fn prepare(layer: &Layer, weights: &[f32], prepared: &mut Vec<f32>) {
    let of_tap = layer.inputs * layer.outputs;
    prepared.resize(VALUES * of_tap, 0.0);
    let product = product(layer);
    let mut sums = vec![0.0; of_tap];
    for (value, prepared) in prepared.chunks_exact_mut(of_tap).enumerate() {
        sums.fill(0.0);
        for (tap, weights) in weights.chunks_exact(of_tap).enumerate() {
            let factor = factor(value, tap);
            if factor != 0.0 {
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += factor * weight);
            }
        }
        kernel::pack(&product, &sums, prepared);
    }
}

/// A 3x3 convolution over a whole board. The border of `out` stays as it is.
pub fn convolve<S: Simd>(
    simd: S,
    layer: &Layer,
    prepared: &[f32],
    bias: &[f32],
    input: &Grid,
    tiles: &mut Tiles,
    out: &mut Grid,
) {
    let count = count(input.size);
    let values = &mut tiles.inputs[..VALUES * count * layer.inputs];
    simd.vectorize(
        #[inline(always)]
        || {
            each_group::<S>(layer.inputs, |first, wide| match wide {
                true => values_of::<S, f32x16<S>>(simd, first, input, values),
                false => values_of::<S, f32x8<S>>(simd, first, input, values),
            })
        },
    );
    let sums = &mut tiles.outputs[..VALUES * count * layer.outputs];
    let product = product(layer);
    let inputs = values.chunks_exact(count * layer.inputs);
    let outputs = sums.chunks_exact_mut(count * layer.outputs);
    let weights = prepared.chunks_exact(layer.inputs * layer.outputs);
    let zeros = &[0.0; MAX_CHANNELS][..layer.outputs];
    for ((inputs, outputs), weights) in inputs.zip(outputs).zip(weights) {
        kernel::multiply(simd, &product, weights, zeros, inputs, outputs);
    }
    simd.vectorize(
        #[inline(always)]
        || {
            each_group::<S>(layer.outputs, |first, wide| match wide {
                true => outputs_of::<S, f32x16<S>>(simd, first, sums, bias, out),
                false => outputs_of::<S, f32x8<S>>(simd, first, sums, bias, out),
            })
        },
    );
}

/// Numbers of the values of a layer's weights: as many its gradient has until [`finish_gradient`].
pub fn gradient_len(layer: &Layer) -> usize {
    VALUES * layer.inputs * layer.outputs
}

/// Adds to the gradient of the values of a layer's weights: for each value the products of the values
/// that came in and those of the gradient of what went out, over all tiles.
pub fn add_gradient<S: Simd>(
    simd: S,
    layer: &Layer,
    input: &Grid,
    out: &Grid,
    tiles: &mut Tiles,
    sums: &mut [f32],
) {
    let count = count(input.size);
    let values = &mut tiles.inputs[..VALUES * count * layer.inputs];
    let gradients = &mut tiles.outputs[..VALUES * count * layer.outputs];
    simd.vectorize(
        #[inline(always)]
        || {
            each_group::<S>(layer.inputs, |first, wide| match wide {
                true => values_of::<S, f32x16<S>>(simd, first, input, values),
                false => values_of::<S, f32x8<S>>(simd, first, input, values),
            });
            each_group::<S>(layer.outputs, |first, wide| match wide {
                true => gradients_of::<S, f32x16<S>>(simd, first, out, gradients),
                false => gradients_of::<S, f32x8<S>>(simd, first, out, gradients),
            });
        },
    );
    let product = product(layer);
    let inputs = values.chunks_exact(count * layer.inputs);
    let outputs = gradients.chunks_exact(count * layer.outputs);
    let sums = sums.chunks_exact_mut(layer.inputs * layer.outputs);
    for ((inputs, outputs), sums) in inputs.zip(outputs).zip(sums) {
        kernel::add_products(simd, &product, inputs, outputs, sums);
    }
}

/// Adds to the gradient of a layer's weights (by tap, input and output) what that of their values means.
pub fn finish_gradient(layer: &Layer, values: &[f32], weights: &mut [f32]) {
    let of_tap = layer.inputs * layer.outputs;
    for (tap, weights) in weights.chunks_exact_mut(of_tap).enumerate() {
        for (value, values) in values.chunks_exact(of_tap).enumerate() {
            let factor = factor(value, tap);
            if factor != 0.0 {
                weights.iter_mut().zip(values).for_each(|(to, value)| *to += factor * value);
            }
        }
    }
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

/// The values of the inputs of all tiles, for the channels of one vector.
#[inline(always)]
fn values_of<S: Simd, F: SimdFloat<S, Element = f32>>(
    simd: S,
    first: usize,
    input: &Grid,
    values: &mut [f32],
) {
    let along = input.size.div_ceil(OUT);
    let stride = along * along * input.channels;
    for (tile, (down, right)) in places(along).enumerate() {
        let mut lines = [[F::simd_from(simd, 0.0); IN]; IN];
        for row in 0..IN {
            let mut line = [F::simd_from(simd, 0.0); IN];
            // A tile at the edge may reach beyond the border.
            if OUT * down + row <= input.size + 1 {
                let start = input.at(OUT * right, OUT * down + row);
                for column in 0..IN.min(input.size + 2 - OUT * right) {
                    let place = start + column * input.channels + first;
                    line[column] = F::from_slice(simd, &input.cells[place..place + F::LEN]);
                }
            }
            lines[row] = values_of_line(simd, line);
        }
        let columns = turned(simd, &lines);
        for column in 0..IN {
            let line = values_of_line(simd, columns[column]);
            store_column(&line, column, stride, &mut values[tile * input.channels + first..]);
        }
    }
}

/// `B' d`.
#[inline(always)]
fn values_of_line<S: Simd, F: SimdFloat<S, Element = f32>>(simd: S, d: [F; IN]) -> [F; IN] {
    let (two, three) = (F::simd_from(simd, 2.0), F::simd_from(simd, 3.0));
    let last = d[3] - d[1];
    [
        last + two * (d[0] - d[2]),
        last - (d[1] + d[2]),
        last + three * (d[1] - d[2]),
        last,
        (d[4] - d[2]) - two * last,
    ]
}

/// The outputs of all tiles from their values, for the channels of one vector.
#[inline(always)]
fn outputs_of<S: Simd, F: SimdFloat<S, Element = f32>>(
    simd: S,
    first: usize,
    values: &[f32],
    bias: &[f32],
    out: &mut Grid,
) {
    let along = out.size.div_ceil(OUT);
    let stride = along * along * out.channels;
    let bias = F::from_slice(simd, &bias[first..first + F::LEN]);
    for (tile, (down, right)) in places(along).enumerate() {
        let mut columns = [[bias; OUT]; IN];
        for (column, outputs) in columns.iter_mut().enumerate() {
            let mut line = [bias; IN];
            for (row, value) in line.iter_mut().enumerate() {
                let place = (row * IN + column) * stride + tile * out.channels + first;
                *value = F::from_slice(simd, &values[place..place + F::LEN]);
            }
            *outputs = outputs_of_line(simd, line);
        }
        for (row, line) in turned(simd, &columns).into_iter().enumerate() {
            let row = OUT * down + row + 1;
            for (column, value) in outputs_of_line(simd, line).iter().enumerate() {
                let column = OUT * right + column + 1;
                if row <= out.size && column <= out.size {
                    let place = out.at(column, row) + first;
                    (*value + bias).store_slice(&mut out.cells[place..place + F::LEN]);
                }
            }
        }
    }
}

/// `A' m`.
#[inline(always)]
fn outputs_of_line<S: Simd, F: SimdFloat<S, Element = f32>>(simd: S, m: [F; IN]) -> [F; OUT] {
    let (two, four) = (F::simd_from(simd, 2.0), F::simd_from(simd, 4.0));
    let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
    [(m[0] + m[3]) + sum, difference + two * m[3], (sum + m[4]) + four * m[3]]
}

/// The values of the gradient of the outputs of all tiles, for the channels of one vector.
#[inline(always)]
fn gradients_of<S: Simd, F: SimdFloat<S, Element = f32>>(
    simd: S,
    first: usize,
    out: &Grid,
    gradients: &mut [f32],
) {
    let along = out.size.div_ceil(OUT);
    let stride = along * along * out.channels;
    for (tile, (down, right)) in places(along).enumerate() {
        let mut lines = [[F::simd_from(simd, 0.0); IN]; OUT];
        for row in 0..OUT.min(out.size - OUT * down) {
            let start = out.at(OUT * right + 1, OUT * down + row + 1);
            let mut line = [F::simd_from(simd, 0.0); OUT];
            for column in 0..OUT.min(out.size - OUT * right) {
                let place = start + column * out.channels + first;
                line[column] = F::from_slice(simd, &out.cells[place..place + F::LEN]);
            }
            lines[row] = gradients_of_line(simd, line);
        }
        let columns = turned(simd, &lines);
        for column in 0..IN {
            let line = gradients_of_line(simd, columns[column]);
            store_column(&line, column, stride, &mut gradients[tile * out.channels + first..]);
        }
    }
}

/// `A y`.
#[inline(always)]
fn gradients_of_line<S: Simd, F: SimdFloat<S, Element = f32>>(simd: S, y: [F; OUT]) -> [F; IN] {
    let (two, four) = (F::simd_from(simd, 2.0), F::simd_from(simd, 4.0));
    let ends = y[0] + y[2];
    [y[0], ends + y[1], ends - y[1], y[0] + two * y[1] + four * y[2], y[2]]
}

/// Puts a column of a tile's values where they belong, `stride` numbers from one value to the next.
#[inline(always)]
fn store_column<S: Simd, F: SimdFloat<S, Element = f32>>(
    line: &[F; IN],
    column: usize,
    stride: usize,
    values: &mut [f32],
) {
    for row in 0..IN {
        let place = (row * IN + column) * stride;
        line[row].store_slice(&mut values[place..place + F::LEN]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::random_network;
    use crate::knowledge::net::runner::Numbers;
    use crate::types::Rng;
    use fearless_simd::Level;

    #[test]
    fn tiles_give_what_the_plain_sum_gives() {
        let mut rng = Rng::new(2);
        for (size, channels) in [(7, 8), (8, 16), (9, 24), (10, 32), (13, 40), (19, 64)] {
            let network = random_network(channels, 1, 3);
            let layer = &network.shape().blocks[0].first;
            let mut input = Grid::new(size, channels);
            for row in 1..=size {
                let cells = input.row_mut(row).iter_mut();
                cells.for_each(|cell| *cell = (2.0 * rng.unit() - 1.0) as f32);
            }
            let mut out = Grid::new(size, channels);
            let mut tiles = Tiles::new(size, channels);
            let (weights, bias) = (network.weights(layer), network.biases(layer));
            kernel::with_vectors!(Level::new(), simd => {
                convolve(simd, layer, weights, bias, &input, &mut tiles, &mut out);
            });
            let plain = &network.parameters()[layer.weights()];
            for (row, column) in (1..=size).flat_map(|row| (1..=size).map(move |c| (row, c))) {
                for output in 0..channels {
                    let mut sum = f64::from(bias[output]);
                    for tap in 0..9 {
                        let place = input.at(column + tap % 3 - 1, row + tap / 3 - 1);
                        for (i, value) in input.cells[place..place + channels].iter().enumerate() {
                            let weight = plain[(tap * channels + i) * channels + output];
                            sum += f64::from(weight) * f64::from(*value);
                        }
                    }
                    let found = f64::from(out.cells[out.at(column, row) + output]);
                    assert!((found - sum).abs() < 1e-5, "{size} {channels}: {found} {sum}");
                }
            }
            assert!(out.cells[..(size + 2) * channels].iter().all(|cell| *cell == 0.0));
        }
    }
}
