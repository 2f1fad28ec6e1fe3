//! Convolutions: inputs to values, 25 products, values to outputs.

use super::values::{Exact, Rounded, values_of};
use super::{IN, OUT, Tiles, VALUES, count, each_group, places, product, turned};
use crate::knowledge::net::grid::{self, Grid};
use crate::knowledge::net::integer::{self, Integers};
use crate::knowledge::net::kernel;
use crate::knowledge::net::shape::{Layer, MAX_CHANNELS};
use fearless_simd::{Simd, f32x8, f32x16, prelude::*};

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
    let stride = count * layer.inputs;
    simd.vectorize(
        #[inline(always)]
        || values_of(simd, input, &mut Exact { values, stride, channels: layer.inputs }),
    );
    let sums = &mut tiles.outputs[..VALUES * count * layer.outputs];
    let product = product(layer);
    let inputs = values.chunks_exact(stride);
    let outputs = sums.chunks_exact_mut(count * layer.outputs);
    let weights = prepared.chunks_exact(layer.inputs * layer.outputs);
    let zeros = &[0.0; MAX_CHANNELS][..layer.outputs];
    for ((inputs, outputs), weights) in inputs.zip(outputs).zip(weights) {
        kernel::multiply(simd, &product, weights, zeros, inputs, outputs);
    }
    finish(simd, sums, bias, out);
}

/// The same with values rounded to 16 bits, for inputs that are not negative.
pub fn convolve_rounded<S: Simd>(
    simd: S,
    layer: &Layer,
    prepared: &[Integers],
    bias: &[f32],
    input: &Grid,
    tiles: &mut Tiles,
    out: &mut Grid,
) {
    let count = count(input.size);
    let values = &mut tiles.rounded[..VALUES * count];
    let sums = &mut tiles.outputs[..VALUES * count * layer.outputs];
    let largest = grid::largest(simd, input);
    let scales = scales(largest);
    simd.vectorize(
        #[inline(always)]
        || {
            values_of(simd, input, &mut Rounded { values, count, scales });
            let outputs = sums.chunks_exact_mut(count * layer.outputs);
            for (value, outputs) in outputs.enumerate() {
                let inputs = &values[value * count..(value + 1) * count];
                prepared[value].multiply(simd, 1.0 / scales[value], inputs, outputs);
            }
        },
    );
    finish(simd, sums, bias, out);
}

/// Units in each value of inputs between 0 and `largest`, so that no value is too large: the positive
/// and the negative numbers of a line of `B'` say how far its values may go.
fn scales(largest: f32) -> [f32; VALUES] {
    const LINES: [(f32, f32); IN] = [(3.0, 3.0), (1.0, 3.0), (3.0, 3.0), (1.0, 1.0), (3.0, 3.0)];
    let largest = largest.max(f32::MIN_POSITIVE / f32::EPSILON);
    let mut scales = [0.0; VALUES];
    for (value, scale) in scales.iter_mut().enumerate() {
        let ((up, down), (right, left)) = (LINES[value / IN], LINES[value % IN]);
        let reach = (up * right + down * left).max(up * left + down * right);
        *scale = integer::MOST / (reach * largest);
    }
    scales
}

/// Turns the outputs' values back.
fn finish<S: Simd>(simd: S, sums: &[f32], bias: &[f32], out: &mut Grid) {
    simd.vectorize(
        #[inline(always)]
        || {
            each_group::<S>(out.channels, |first, wide| match wide {
                true => outputs_of::<S, f32x16<S>>(simd, first, sums, bias, out),
                false => outputs_of::<S, f32x8<S>>(simd, first, sums, bias, out),
            })
        },
    );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::random_network;
    use crate::knowledge::net::runner::Numbers;
    use crate::types::Rng;
    use fearless_simd::Level;

    /// What rounding may change of an output here, where inputs go up to one and outputs are of that size.
    const ROUNDING: f64 = 5e-3;

    #[test]
    fn tiles_give_what_the_plain_sum_gives() {
        let mut rng = Rng::new(2);
        for (size, channels) in [(7, 8), (8, 16), (9, 24), (10, 32), (13, 40), (19, 64)] {
            let network = random_network(channels, 1, 3);
            let layer = &network.shape().blocks[0].first;
            let mut input = Grid::new(size, channels);
            for row in 1..=size {
                let cells = input.row_mut(row).iter_mut();
                cells.for_each(|cell| *cell = (rng.unit() * rng.unit()) as f32);
            }
            let (mut out, mut rounded) = (Grid::new(size, channels), Grid::new(size, channels));
            let mut tiles = Tiles::new(size, channels);
            let (weights, bias) = (network.weights(layer), network.biases(layer));
            kernel::with_vectors!(Level::new(), simd => {
                convolve(simd, layer, weights, bias, &input, &mut tiles, &mut out);
                let weights = network.rounded(layer);
                convolve_rounded(simd, layer, weights, bias, &input, &mut tiles, &mut rounded);
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
                    let place = out.at(column, row) + output;
                    for (found, most) in [(&out, 1e-5), (&rounded, ROUNDING)] {
                        let found = f64::from(found.cells[place]);
                        assert!((found - sum).abs() < most, "{size} {channels}: {found} {sum}");
                    }
                }
            }
            for grid in [&out, &rounded] {
                assert!(grid.cells[..(size + 2) * channels].iter().all(|cell| *cell == 0.0));
            }
        }
    }
}
