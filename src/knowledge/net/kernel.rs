//! Linear maps with channels as lanes, in safe Rust, for the processor that is there.
//!
//! One tile computes some points for up to 32 output channels, all in registers, over all inputs.
//! Every output channel of every point is a sum of its own, begun with the bias and taken in the
//! order of the inputs, each step a fused multiply-add with one rounding: so the result is the same to
//! the last bit on every machine, whatever its vectors (those without the instruction compute what it
//! would give, slowly). [`super::winograd`] makes 3x3 convolutions of such maps.
//!
//! Weights stand in strips of 32, 16 or 8 outputs. AVX-512 takes a strip of 32 as two vectors and
//! up to ten points; AVX2, with half the registers of half the size, takes 16 outputs and up to six
//! points. Inside them are loops and no closures, which the compiler does not always take in and then
//! compiles for the vectors of every machine.

use super::grid::Grid;
use super::planes::Marks;
use super::shape::{Kind, LANES, Layer};
use super::winograd;
use fearless_simd::{Level, Simd, f32x8, f32x16, prelude::*};

/// Runs an expression with the best vectors of this machine: AVX-512, AVX2 with fused multiply-add,
/// NEON, or what every machine of its kind has.
macro_rules! with_vectors {
    ($level:expr, $simd:ident => $run:expr) => {{
        #[cfg(target_arch = "x86_64")]
        match ($level.as_avx512(), $level.as_avx2(), $level.as_sse2()) {
            (Some($simd), ..) => $run,
            (_, Some($simd), _) => $run,
            (_, _, Some($simd)) => $run,
            (None, None, None) => unreachable!("every x86-64 has SSE2"),
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

/// Has a vector of this machine 16 lanes?
pub(super) const fn is_wide<S: Simd>() -> bool {
    <S::f32s as SimdBase<S>>::LEN >= 16
}

/// Some outputs of a layer whose weights stand together.
#[derive(Clone, Copy)]
pub(super) struct Strip {
    /// The first output.
    pub(super) first: usize,
    /// How many there are: 32, 16 or 8.
    pub(super) width: usize,
}

/// The strips of a layer, one after the other.
pub(super) fn strips(outputs: usize) -> impl Iterator<Item = Strip> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let width = match outputs - first {
            0 => return None,
            32.. => 32,
            16.. => 16,
            _ => LANES,
        };
        first += width;
        Some(Strip { first: first - width, width })
    })
}

impl Strip {
    /// Where its weights are among those of its layer.
    fn place(self, layer: &Layer) -> std::ops::Range<usize> {
        let rows = layer.taps() * layer.inputs;
        rows * self.first..rows * (self.first + self.width)
    }
}

/// Puts the weights of a layer (by tap, input, output) into the order in which tiles read them:
/// strip by strip.
pub fn pack(layer: &Layer, weights: &[f32], packed: &mut [f32]) {
    for strip in strips(layer.outputs) {
        let to = packed[strip.place(layer)].chunks_exact_mut(strip.width);
        for (to, from) in to.zip(weights.chunks_exact(layer.outputs)) {
            to.copy_from_slice(&from[strip.first..strip.first + strip.width]);
        }
    }
}

/// The weights of a layer in the form that its kernel wants.
pub fn prepare(layer: &Layer, weights: &[f32], prepared: &mut Vec<f32>) {
    if layer.kind == Kind::Board {
        return winograd::prepare(layer, weights, prepared);
    }
    prepared.resize(weights.len(), 0.0);
    pack(layer, weights, prepared);
}

/// A linear map of some points, the channels of each side by side.
pub fn multiply<S: Simd>(
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
            for strip in strips(layer.outputs) {
                let job = Job::new(layer, packed, bias, strip);
                match strip.width {
                    32 if is_wide::<S>() => job.points::<S, f32x16<S>, 2>(simd, input, out),
                    32 => {
                        let (left, right) = job.halves();
                        left.points::<S, f32x16<S>, 1>(simd, input, out);
                        right.points::<S, f32x16<S>, 1>(simd, input, out);
                    }
                    16 => job.points::<S, f32x16<S>, 1>(simd, input, out),
                    _ => job.points::<S, f32x8<S>, 1>(simd, input, out),
                }
            }
        },
    );
}

/// The work on some outputs of one strip.
#[derive(Clone, Copy)]
struct Job<'a> {
    layer: &'a Layer,
    /// The weights of the whole strip.
    weights: &'a [f32],
    /// Outputs of the strip, and how many of them come before those of this job.
    width: usize,
    skipped: usize,
    /// The biases of this job's outputs.
    bias: &'a [f32],
    /// The first of them.
    first: usize,
}

impl<'a> Job<'a> {
    fn new(layer: &'a Layer, packed: &'a [f32], bias: &'a [f32], strip: Strip) -> Job<'a> {
        let Strip { first, width } = strip;
        let weights = &packed[strip.place(layer)];
        Job { layer, weights, width, skipped: 0, bias: &bias[first..first + width], first }
    }

    /// The two halves of the outputs, as jobs of their own.
    fn halves(self) -> (Job<'a>, Job<'a>) {
        let half = self.width / 2;
        let (left, right) = self.bias.split_at(half);
        let first = self.first + half;
        (Job { bias: left, ..self }, Job { skipped: half, bias: right, first, ..self })
    }

    /// All points, in tiles that are about equally long.
    #[inline(always)]
    fn points<S: Simd, F: SimdFloat<S, Element = f32>, const V: usize>(
        self,
        simd: S,
        input: &[f32],
        out: &mut [f32],
    ) {
        let Layer { inputs, outputs, .. } = *self.layer;
        let count = input.len() / inputs;
        let longest = if is_wide::<S>() { 10 } else { 6 };
        let tiles = count.div_ceil(longest);
        for tile in 0..tiles {
            let (start, end) = (count * tile / tiles, count * (tile + 1) / tiles);
            let input = &input[start * inputs..end * inputs];
            let out = &mut out[start * outputs..end * outputs];
            match end - start {
                1 => self.tile::<S, F, 1, V>(simd, input, out),
                2 => self.tile::<S, F, 2, V>(simd, input, out),
                3 => self.tile::<S, F, 3, V>(simd, input, out),
                4 => self.tile::<S, F, 4, V>(simd, input, out),
                5 => self.tile::<S, F, 5, V>(simd, input, out),
                6 => self.tile::<S, F, 6, V>(simd, input, out),
                7 if is_wide::<S>() => self.tile::<S, F, 7, V>(simd, input, out),
                8 if is_wide::<S>() => self.tile::<S, F, 8, V>(simd, input, out),
                9 if is_wide::<S>() => self.tile::<S, F, 9, V>(simd, input, out),
                10 if is_wide::<S>() => self.tile::<S, F, 10, V>(simd, input, out),
                _ => unreachable!("there is no tile of {} points", end - start),
            }
        }
    }

    /// `P` points, `V` vectors of outputs.
    #[inline(always)]
    fn tile<S: Simd, F: SimdFloat<S, Element = f32>, const P: usize, const V: usize>(
        self,
        simd: S,
        input: &[f32],
        out: &mut [f32],
    ) {
        let mut sums = [vectors::<S, F, V>(simd, self.bias); P];
        // Eight inputs at a time, so that their places are known to be inside.
        let inputs = self.layer.inputs;
        let mut points: [&[[f32; LANES]]; P] = [&[]; P];
        for p in 0..P {
            points[p] = input[p * inputs..(p + 1) * inputs].as_chunks().0;
        }
        for (eight, weights) in self.weights.chunks_exact(LANES * self.width).enumerate() {
            let mut values = [&[0.0; LANES]; P];
            for p in 0..P {
                values[p] = &points[p][eight];
            }
            for channel in 0..LANES {
                let weight = &weights[channel * self.width + self.skipped..];
                let weight = vectors::<S, F, V>(simd, weight);
                for p in 0..P {
                    let value = F::simd_from(simd, values[p][channel]);
                    for v in 0..V {
                        sums[p][v] = value.mul_add_precise(weight[v], sums[p][v]);
                    }
                }
            }
        }
        for p in 0..P {
            store(&sums[p], &mut out[p * self.layer.outputs + self.first..]);
        }
    }
}

/// The first vectors of a slice.
#[inline(always)]
fn vectors<S: Simd, F: SimdFloat<S, Element = f32>, const V: usize>(
    simd: S,
    slice: &[f32],
) -> [F; V] {
    let mut vectors = [F::simd_from(simd, 0.0); V];
    for v in 0..V {
        vectors[v] = F::from_slice(simd, &slice[v * F::LEN..(v + 1) * F::LEN]);
    }
    vectors
}

/// Puts vectors at the beginning of a slice.
#[inline(always)]
fn store<S: Simd, F: SimdFloat<S, Element = f32>, const V: usize>(
    vectors: &[F; V],
    slice: &mut [f32],
) {
    for v in 0..V {
        vectors[v].store_slice(&mut slice[v * F::LEN..(v + 1) * F::LEN]);
    }
}

/// The input layer, from the marks of all cells with a border of zeros. A plane is 0 or 1 and mostly
/// 0, so the weights of those that are set are added.
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
            for strip in strips(layer.outputs) {
                let job = Job::new(layer, packed, bias, strip);
                match strip.width {
                    32 => job.marks::<S, f32x16<S>, 2>(simd, marks, out),
                    16 => job.marks::<S, f32x16<S>, 1>(simd, marks, out),
                    _ => job.marks::<S, f32x8<S>, 1>(simd, marks, out),
                }
            }
        },
    );
}

impl Job<'_> {
    #[inline(always)]
    fn marks<S: Simd, F: SimdFloat<S, Element = f32>, const V: usize>(
        self,
        simd: S,
        marks: &[Marks],
        out: &mut Grid,
    ) {
        let side = out.size + 2;
        for (row, column) in (0..out.size).flat_map(|row| (0..out.size).map(move |c| (row, c))) {
            let mut sums = vectors::<S, F, V>(simd, self.bias);
            for tap in 0..9 {
                let mut left = marks[(row + tap / 3) * side + column + tap % 3];
                while left != 0 {
                    let plane = left.trailing_zeros() as usize;
                    let weights = &self.weights[(tap * self.layer.inputs + plane) * self.width..];
                    let weights = vectors::<S, F, V>(simd, weights);
                    for v in 0..V {
                        sums[v] += weights[v];
                    }
                    left &= left - 1;
                }
            }
            let place = out.at(column + 1, row + 1) + self.first;
            store(&sums, &mut out.cells[place..]);
        }
    }
}

/// Adds to the gradient of a map's weights (by input and output) the products of what came in and the
/// gradient of what went out, over some points.
pub fn add_products<S: Simd>(simd: S, layer: &Layer, input: &[f32], out: &[f32], sums: &mut [f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            for Strip { first, width } in strips(layer.outputs) {
                let run = Products { layer, input, out };
                match width {
                    32 if is_wide::<S>() => run.add::<S, f32x16<S>, 8, 2>(simd, first, sums),
                    32 => {
                        run.add::<S, f32x16<S>, 4, 1>(simd, first, sums);
                        run.add::<S, f32x16<S>, 4, 1>(simd, first + 16, sums);
                    }
                    16 => run.add::<S, f32x16<S>, 4, 1>(simd, first, sums),
                    _ => run.add::<S, f32x8<S>, 4, 1>(simd, first, sums),
                }
            }
        },
    );
}

/// What came into a map, and the gradient of what went out.
#[derive(Clone, Copy)]
struct Products<'a> {
    layer: &'a Layer,
    input: &'a [f32],
    out: &'a [f32],
}

impl Products<'_> {
    /// For the `V` vectors of outputs that begin at `first`; `I` inputs are held in registers at once.
    #[inline(always)]
    fn add<S: Simd, F: SimdFloat<S, Element = f32>, const I: usize, const V: usize>(
        self,
        simd: S,
        first: usize,
        sums: &mut [f32],
    ) {
        let Layer { inputs, outputs, .. } = *self.layer;
        for channel in (0..inputs).step_by(I) {
            let mut products = [[F::simd_from(simd, 0.0); V]; I];
            let points = self.input.chunks_exact(inputs).zip(self.out.chunks_exact(outputs));
            for (values, gradient) in points {
                let gradient = vectors::<S, F, V>(simd, &gradient[first..]);
                let values = &values[channel..channel + I];
                for i in 0..I {
                    let value = F::simd_from(simd, values[i]);
                    for v in 0..V {
                        products[i][v] = value.mul_add_precise(gradient[v], products[i][v]);
                    }
                }
            }
            for i in 0..I {
                let place = &mut sums[(channel + i) * outputs + first..];
                let mut total = vectors::<S, F, V>(simd, place);
                for v in 0..V {
                    total[v] += products[i][v];
                }
                store(&total, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::runner::Numbers;
    use crate::knowledge::net::{planes, random_network};
    use crate::types::Rng;

    #[test]
    fn marks_give_what_their_planes_give() {
        let mut rng = Rng::new(2);
        for channels in [8, 16, 24, 32, 40] {
            let network = random_network(channels, 1, 3);
            let layer = &network.shape().input;
            let (weights, bias) = (network.weights(layer), network.biases(layer));
            let mut marks = vec![0; 11 * 11];
            for (row, column) in (1..=9).flat_map(|row| (1..=9).map(move |column| (row, column))) {
                let mark = (rng.bits() & rng.bits()) as Marks & ((1 << planes::COUNT) - 1);
                marks[row * 11 + column] = mark;
            }
            let mut out = Grid::new(9, channels);
            let level = Level::new();
            with_vectors!(level, simd => {
                convolve_marks(simd, layer, weights, bias, &marks, &mut out);
            });
            let plain = &network.parameters()[layer.weights()];
            for (row, column) in (1..=9).flat_map(|row| (1..=9).map(move |column| (row, column))) {
                let mut sums = bias.to_vec();
                for tap in 0..9 {
                    let seen = marks[(row + tap / 3 - 1) * 11 + column + tap % 3 - 1];
                    for plane in (0..planes::COUNT).filter(|plane| seen >> plane & 1 == 1) {
                        let place = (tap * planes::COUNT + plane) * channels;
                        let weights = &plain[place..place + channels];
                        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                    }
                }
                let place = out.at(column, row);
                assert_eq!(out.cells[place..place + channels], sums);
            }
        }
    }
}
