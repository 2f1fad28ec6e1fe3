//! Convolutions with channels as lanes, in safe Rust, for the processor that is there.
//!
//! One tile computes some neighbouring points of a row for up to three vectors of eight output
//! channels, all in registers, over all taps and inputs. Every output channel of every point is a
//! sum of its own, begun with the bias and taken in the order of taps and inputs, each step a fused
//! multiply-add with one rounding: so the result is the same to the last bit on every machine,
//! whatever its vectors (those without the instruction compute what it would give, slowly).
//!
//! Measured on one core of a 2.5 GHz Xeon with AVX2, 9x9, billions of multiply-adds a second for
//! points x vectors of a tile: 24 channels 3x3: 36, 4x3: 20, 9x1: 24; 32 channels 5x2: 29, 3x4: 26,
//! 6x2: 26, 9x1: 24 (tiles that did not fill a row of nine lost some). So tiles have three vectors
//! and up to four points, or two and up to five, and fill rows.

use super::grid::Grid;
use super::planes::Marks;
use super::shape::{LANES, Layer};
use fearless_simd::{Level, Simd, f32x8, prelude::*};

/// Runs an expression with the best vectors of this machine: AVX2 with fused multiply-add, NEON, or
/// what every machine of its kind has. AVX-512 machines use their AVX2, which is as fast here.
macro_rules! with_vectors {
    ($level:expr, $simd:ident => $run:expr) => {{
        #[cfg(target_arch = "x86_64")]
        match ($level.as_avx2(), $level.as_sse2()) {
            (Some($simd), _) => $run,
            (None, Some($simd)) => $run,
            (None, None) => unreachable!("every x86-64 has SSE2"),
        }
        #[cfg(not(target_arch = "x86_64"))]
        fearless_simd::dispatch!($level, $simd => $run)
    }};
}
pub(crate) use with_vectors;

/// Has this machine the vectors that make a network worth its time?
pub fn is_fast(level: Level) -> bool {
    #[cfg(target_arch = "x86_64")]
    return level.as_avx2().is_some();
    #[cfg(target_arch = "aarch64")]
    return level.as_neon().is_some();
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = level;
        false
    }
}

/// How many vectors of outputs the tiles of a layer have, one after the other.
fn strips(outputs: usize) -> impl Iterator<Item = usize> {
    let mut left = outputs / LANES;
    std::iter::from_fn(move || {
        let strip = match left {
            0 => return None,
            1..=3 => left,
            4 => 2, // rather two and two than three and one
            _ => 3,
        };
        left -= strip;
        Some(strip)
    })
}

/// Puts the weights of a layer (by tap, input, output) into the order in which tiles read them:
/// strip by strip.
pub fn pack(layer: &Layer, weights: &[f32], packed: &mut [f32]) {
    let mut first = 0;
    let mut place = 0;
    for strip in strips(layer.outputs) {
        let width = strip * LANES;
        for row in weights.chunks_exact(layer.outputs) {
            packed[place..place + width].copy_from_slice(&row[first..first + width]);
            place += width;
        }
        first += width;
    }
}

/// The inverse of [`pack`], added: for gradients.
pub fn unpack_add(layer: &Layer, packed: &[f32], weights: &mut [f32]) {
    let mut first = 0;
    let mut place = 0;
    for strip in strips(layer.outputs) {
        let width = strip * LANES;
        for row in weights.chunks_exact_mut(layer.outputs) {
            for (to, from) in row[first..first + width].iter_mut().zip(&packed[place..]) {
                *to += from;
            }
            place += width;
        }
        first += width;
    }
}

/// A linear layer over a whole board. The border of `out` stays as it is.
pub fn convolve<S: Simd>(
    simd: S,
    layer: &Layer,
    packed: &[f32],
    bias: &[f32],
    input: &Grid,
    out: &mut Grid,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (mut place, mut first) = (0, 0);
            for strip in strips(layer.outputs) {
                let width = strip * LANES;
                let weights = &packed[place..place + layer.taps * layer.inputs * width];
                let job = Job { layer, weights, bias: &bias[first..first + width], first };
                match strip {
                    1 => job.board::<S, 1>(simd, input, out),
                    2 => job.board::<S, 2>(simd, input, out),
                    _ => job.board::<S, 3>(simd, input, out),
                }
                place += weights.len();
                first += width;
            }
        },
    );
}

/// A linear layer with one tap for a single vector.
pub fn apply<S: Simd>(
    simd: S,
    layer: &Layer,
    packed: &[f32],
    bias: &[f32],
    input: &[f32],
    out: &mut [f32],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (mut place, mut first) = (0, 0);
            for strip in strips(layer.outputs) {
                let width = strip * LANES;
                let weights = &packed[place..place + layer.inputs * width];
                let job = Job { layer, weights, bias: &bias[first..first + width], first };
                match strip {
                    1 => job.tile::<S, 1, 1>(simd, input, &[0], out),
                    2 => job.tile::<S, 1, 2>(simd, input, &[0], out),
                    _ => job.tile::<S, 1, 3>(simd, input, &[0], out),
                }
                place += weights.len();
                first += width;
            }
        },
    );
}

/// The work on one strip of a layer.
#[derive(Clone, Copy)]
struct Job<'a> {
    layer: &'a Layer,
    weights: &'a [f32],
    bias: &'a [f32],
    /// The first output channel of the strip.
    first: usize,
}

impl Job<'_> {
    /// All points, in tiles of three to five of a row.
    #[inline(always)]
    fn board<S: Simd, const V: usize>(self, simd: S, input: &Grid, out: &mut Grid) {
        let size = input.size;
        let longest = if V == 3 { 4 } else { 5 };
        let tiles = size.div_ceil(longest);
        for row in 1..=size {
            // Where the inputs of the first point begin in each row of taps.
            let rows = match self.layer.taps {
                9 => [row - 1, row, row + 1].map(|row| input.at(0, row)),
                _ => [input.at(1, row); 3],
            };
            for tile in 0..tiles {
                let (start, end) = (size * tile / tiles, size * (tile + 1) / tiles);
                let rows = rows.map(|row| row + start * input.channels);
                let rows = if self.layer.taps == 9 { &rows[..] } else { &rows[..1] };
                let place = out.at(1 + start, row);
                let out = &mut out.cells[place..];
                match end - start {
                    5 if V < 3 => self.tile::<S, 5, V>(simd, &input.cells, rows, out),
                    4 => self.tile::<S, 4, V>(simd, &input.cells, rows, out),
                    _ => self.tile::<S, 3, V>(simd, &input.cells, rows, out),
                }
            }
        }
    }

    /// `P` neighbouring points, `V` vectors of outputs. `rows` says where the inputs of the first
    /// point begin in each row of taps; there are as many taps in a row as rows.
    #[inline(always)]
    fn tile<S: Simd, const P: usize, const V: usize>(
        self,
        simd: S,
        input: &[f32],
        rows: &[usize],
        out: &mut [f32],
    ) {
        let bias: [f32x8<S>; V] = std::array::from_fn(|v| vector(simd, self.bias, v));
        let mut sums = [bias; P];
        let inputs = self.layer.inputs;
        let mut weights = self.weights.chunks_exact(V * LANES);
        for row in rows {
            for tap in 0..rows.len() {
                let start = row + tap * inputs;
                let cells = &input[start..start + P * inputs];
                let points: [&[f32]; P] =
                    std::array::from_fn(|p| &cells[p * inputs..(p + 1) * inputs]);
                for (channel, weight) in (0..inputs).zip(weights.by_ref()) {
                    let weight: [f32x8<S>; V] = std::array::from_fn(|v| vector(simd, weight, v));
                    for p in 0..P {
                        let value = f32x8::splat(simd, points[p][channel]);
                        for v in 0..V {
                            sums[p][v] = value.mul_add_precise(weight[v], sums[p][v]);
                        }
                    }
                }
            }
        }
        for (p, sums) in sums.iter().enumerate() {
            let place = p * self.layer.outputs + self.first;
            let out = &mut out[place..place + V * LANES];
            for (v, sum) in sums.iter().enumerate() {
                sum.store_slice(&mut out[v * LANES..(v + 1) * LANES]);
            }
        }
    }
}

/// The v-th vector of a slice.
#[inline(always)]
fn vector<S: Simd>(simd: S, slice: &[f32], v: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &slice[v * LANES..(v + 1) * LANES])
}

/// The input layer, from the marks of all cells with a border of zeros. A plane is 0 or 1 and mostly
/// 0, so adding the weights of those that are set gives what [`convolve`] gives, to the last bit, in
/// a fraction of the time.
pub fn convolve_marks<S: Simd>(
    simd: S,
    layer: &Layer,
    packed: &[f32],
    bias: &[f32],
    marks: &[Marks],
    out: &mut Grid,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (mut place, mut first) = (0, 0);
            for strip in strips(layer.outputs) {
                let width = strip * LANES;
                let weights = &packed[place..place + layer.taps * layer.inputs * width];
                let job = Job { layer, weights, bias: &bias[first..first + width], first };
                match strip {
                    1 => job.marks::<S, 1>(simd, marks, out),
                    2 => job.marks::<S, 2>(simd, marks, out),
                    _ => job.marks::<S, 3>(simd, marks, out),
                }
                place += weights.len();
                first += width;
            }
        },
    );
}

impl Job<'_> {
    #[inline(always)]
    fn marks<S: Simd, const V: usize>(self, simd: S, marks: &[Marks], out: &mut Grid) {
        let side = out.size + 2;
        for (row, column) in (0..out.size).flat_map(|row| (0..out.size).map(move |c| (row, c))) {
            let mut sums: [f32x8<S>; V] = std::array::from_fn(|v| vector(simd, self.bias, v));
            for tap in 0..9 {
                let mut left = marks[(row + tap / 3) * side + column + tap % 3];
                while left != 0 {
                    let plane = left.trailing_zeros() as usize;
                    let weights = &self.weights[(tap * self.layer.inputs + plane) * V * LANES..];
                    for (v, sum) in sums.iter_mut().enumerate() {
                        *sum += vector(simd, weights, v);
                    }
                    left &= left - 1;
                }
            }
            let place = out.at(column + 1, row + 1) + self.first;
            let cells = out.cells[place..place + V * LANES].chunks_exact_mut(LANES);
            for (sum, cells) in sums.iter().zip(cells) {
                sum.store_slice(cells);
            }
        }
    }
}

/// Adds to the gradient of a layer's weights, in the order of [`pack`]: for every tap, input and
/// output the products of what came in and the gradient of what went out, over all points.
pub fn weight_gradient<S: Simd>(
    simd: S,
    layer: &Layer,
    input: &Grid,
    out: &Grid,
    packed: &mut [f32],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (mut place, mut first) = (0, 0);
            for strip in strips(layer.outputs) {
                let length = layer.taps * layer.inputs * strip * LANES;
                let sums = &mut packed[place..place + length];
                match strip {
                    1 => strip_gradient::<S, 1>(simd, layer, input, out, first, sums),
                    2 => strip_gradient::<S, 2>(simd, layer, input, out, first, sums),
                    _ => strip_gradient::<S, 3>(simd, layer, input, out, first, sums),
                }
                place += length;
                first += strip * LANES;
            }
        },
    );
}

/// Inputs that are held in registers at once.
const INPUTS: usize = 4;

#[inline(always)]
fn strip_gradient<S: Simd, const V: usize>(
    simd: S,
    layer: &Layer,
    input: &Grid,
    out: &Grid,
    first: usize,
    packed: &mut [f32],
) {
    let mut places = packed.chunks_exact_mut(INPUTS * V * LANES);
    for tap in 0..layer.taps {
        let (up, right) = if layer.taps == 9 { (tap / 3, tap % 3) } else { (1, 1) };
        for channel in (0..layer.inputs).step_by(INPUTS) {
            let Some(place) = places.next() else { return };
            let mut sums = [[f32x8::splat(simd, 0.0); V]; INPUTS];
            for row in 1..=out.size {
                let start = input.at(right, row + up - 1);
                let cells = &input.cells[start..start + input.size * input.channels];
                let points = cells.chunks_exact(input.channels);
                for (values, gradient) in points.zip(out.row(row).chunks_exact(out.channels)) {
                    let gradient = &gradient[first..first + V * LANES];
                    let values = &values[channel..channel + INPUTS];
                    let gradient: [f32x8<S>; V] =
                        std::array::from_fn(|v| vector(simd, gradient, v));
                    for (sums, &value) in sums.iter_mut().zip(values) {
                        let value = f32x8::splat(simd, value);
                        for (sum, gradient) in sums.iter_mut().zip(gradient) {
                            *sum = value.mul_add_precise(gradient, *sum);
                        }
                    }
                }
            }
            for (sum, place) in sums.iter().flatten().zip(place.chunks_exact_mut(LANES)) {
                (f32x8::from_slice(simd, place) + *sum).store_slice(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::{planes, random_network};
    use crate::types::Rng;

    #[test]
    fn marks_give_what_their_planes_give() {
        let mut rng = Rng::new(2);
        for channels in [8, 16, 24, 32, 40] {
            let network = random_network(channels, 1, 3);
            let layer = &network.shape().input;
            let (weights, bias) =
                (&network.packed()[layer.weights()], &network.packed()[layer.biases()]);
            let mut seen = Grid::new(9, planes::COUNT);
            let mut marks = vec![0; 11 * 11];
            for (row, column) in (1..=9).flat_map(|row| (1..=9).map(move |column| (row, column))) {
                let mark = (rng.bits() & rng.bits()) as Marks & ((1 << planes::COUNT) - 1);
                marks[row * 11 + column] = mark;
                let place = seen.at(column, row);
                for plane in 0..planes::COUNT {
                    seen.cells[place + plane] = (mark >> plane & 1) as f32;
                }
            }
            let (mut dense, mut sparse) = (Grid::new(9, channels), Grid::new(9, channels));
            let level = Level::new();
            with_vectors!(level, simd => convolve(simd, layer, weights, bias, &seen, &mut dense));
            with_vectors!(level, simd => {
                convolve_marks(simd, layer, weights, bias, &marks, &mut sparse);
            });
            assert_eq!(dense.cells, sparse.cells);
        }
    }
}
