//! The gradient of the weights, in values: it has as many, and is turned back once at the end of a step.

#![expect(
    clippy::needless_range_loop,
    reason = "vectors in arrays stay in registers when indices are constants"
)]

use super::values::{Exact, values_of};
use super::{IN, OUT, Tiles, VALUES, count, each_group, factor, places, product, turned};
use crate::knowledge::net::grid::Grid;
use crate::knowledge::net::kernel;
use crate::knowledge::net::shape::Layer;
use fearless_simd::{Simd, f32x8, f32x16, prelude::*};

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
            let stride = count * layer.inputs;
            values_of(simd, input, &mut Exact { values, stride, channels: layer.inputs });
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
            for row in 0..IN {
                let place = (row * IN + column) * stride + tile * out.channels + first;
                line[row].store_slice(&mut gradients[place..place + F::LEN]);
            }
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
