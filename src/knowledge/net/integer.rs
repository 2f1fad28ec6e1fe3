//! Products of 16-bit integers: twice as many in a vector as products of floats.
//!
//! For play the values of a convolution ([`super::winograd`]) are rounded to 16 bits, and so are its
//! weights. One instruction then multiplies two neighbours with two weights and adds both products:
//! twice the work of a fused multiply-add of floats with AVX-512, one and a half times with AVX2, and it is
//! the same on every x86-64 and ARM. Sums of integers are exact in any order, so all machines agree to
//! the last bit.
//!
//! Nothing overflows: an input has at most 15 bits and a sign, and the weights of an output are scaled so
//! that their magnitudes add up to [`WEIGHT_SUM`] at most, some ten bits each.
//!
//! Two channels stand in one number of 32 bits, a *pair*: a channel in the lower half and the one eight
//! further on in the upper half, so that rounded vectors need only be shifted and put together.

#![expect(
    clippy::needless_range_loop,
    reason = "vectors in arrays stay in registers when indices are constants"
)]

use super::kernel::{is_wide, strips};
use super::shape::{LANES, MAX_CHANNELS};
use fearless_simd::{Simd, f32x8, f32x16, i16x16, i16x32, i32x8, i32x16, prelude::*};

/// The largest magnitude of an input; one less than 16 bits hold, for the roundings on the way.
pub const MOST: f32 = 32_766.0;
/// What the magnitudes of an output's weights may add up to: 2^31 / 2^15, less the rounding of each.
const WEIGHT_SUM: f64 = 65_535.0;

/// The channels of a point. All layers have room for as many, so that the points of a tile lie at
/// distances that the compiler knows.
pub type Pairs = [i32; MAX_CHANNELS / 2];

/// Pairs of so many channels, a multiple of eight; the last ones may lack their upper half.
fn pairs(channels: usize) -> usize {
    channels.div_ceil(2 * LANES) * LANES
}

/// The channels of a pair; the second may lie beyond the last.
fn channels_of(pair: usize) -> (usize, usize) {
    let lower = pair / LANES * 2 * LANES + pair % LANES;
    (lower, lower + LANES)
}

/// The weights of a linear map as integers.
#[derive(Clone, Debug)]
pub struct Integers {
    inputs: usize,
    outputs: usize,
    /// By strip of outputs, pair of inputs, output and half of the pair.
    weights: Vec<i16>,
    /// What one unit of each output's sum is worth when a unit of the inputs is worth 1.
    units: Vec<f32>,
}

impl Integers {
    /// Rounds weights by input and output.
    pub fn new(inputs: usize, outputs: usize, weights: &[f32]) -> Integers {
        let scales: Vec<f64> = (0..outputs).map(|output| scale(weights, output, outputs)).collect();
        let rounded = |channel: usize, output: usize| match channel < inputs {
            true => {
                (f64::from(weights[channel * outputs + output]) * scales[output]).round() as i16
            }
            false => 0,
        };
        let mut packed = Vec::with_capacity(2 * pairs(inputs) * outputs);
        for strip in strips(outputs) {
            for pair in 0..pairs(inputs) {
                let (lower, upper) = channels_of(pair);
                for output in strip.first..strip.first + strip.width {
                    packed.extend([rounded(lower, output), rounded(upper, output)]);
                }
            }
        }
        let units = scales.iter().map(|scale| (1.0 / scale) as f32).collect();
        Integers { inputs, outputs, weights: packed, units }
    }

    /// The map of some points; a unit of the inputs is worth `unit`.
    #[inline(always)]
    pub fn multiply<S: Simd>(&self, simd: S, unit: f32, input: &[Pairs], out: &mut [f32]) {
        let pairs = pairs(self.inputs);
        for strip in strips(self.outputs) {
            let weights = &self.weights[2 * pairs * strip.first..][..2 * pairs * strip.width];
            let units = &self.units[strip.first..strip.first + strip.width];
            let (width, first, outputs) = (strip.width, strip.first, self.outputs);
            let job = Job { weights, width, skipped: 0, units, unit, first, outputs };
            match width {
                32 if is_wide::<S>() => job.points::<S, i32x16<S>, 2>(simd, input, out),
                32 => {
                    let (left, right) = units.split_at(16);
                    let job = Job { units: left, ..job };
                    job.points::<S, i32x16<S>, 1>(simd, input, out);
                    let job = Job { units: right, skipped: 16, first: first + 16, ..job };
                    job.points::<S, i32x16<S>, 1>(simd, input, out);
                }
                16 => job.points::<S, i32x16<S>, 1>(simd, input, out),
                _ => job.points::<S, i32x8<S>, 1>(simd, input, out),
            }
        }
    }
}

/// How many units a weight of 1 has in an output: as many as fit.
fn scale(weights: &[f32], output: usize, outputs: usize) -> f64 {
    let own = weights[output..].iter().step_by(outputs).map(|weight| f64::from(weight.abs()));
    let (mut sum, mut largest, mut count) = (0.0, 0.0, 0.0);
    for weight in own {
        sum += weight;
        largest = weight.max(largest);
        count += 1.0;
    }
    if largest == 0.0 { 1.0 } else { ((WEIGHT_SUM - count) / sum).min(f64::from(MOST) / largest) }
}

/// The work on some outputs of one strip.
#[derive(Clone, Copy)]
struct Job<'a> {
    /// The weights of the whole strip.
    weights: &'a [i16],
    /// Outputs of the strip, and how many of them come before those of this job.
    width: usize,
    skipped: usize,
    /// What a unit of this job's sums is worth, but for the inputs'.
    units: &'a [f32],
    unit: f32,
    /// The first of its outputs.
    first: usize,
    outputs: usize,
}

impl Job<'_> {
    /// All points, in tiles that are about equally long.
    #[inline(always)]
    fn points<S: Simd, L: Lanes<S>, const V: usize>(
        self,
        simd: S,
        input: &[Pairs],
        out: &mut [f32],
    ) {
        let count = input.len();
        let longest = if is_wide::<S>() { 10 } else { 6 };
        let tiles = count.div_ceil(longest);
        for tile in 0..tiles {
            let (start, end) = (count * tile / tiles, count * (tile + 1) / tiles);
            let input = &input[start..end];
            let out = &mut out[start * self.outputs..end * self.outputs];
            match end - start {
                1 => self.tile::<S, L, 1, V>(simd, input, out),
                2 => self.tile::<S, L, 2, V>(simd, input, out),
                3 => self.tile::<S, L, 3, V>(simd, input, out),
                4 => self.tile::<S, L, 4, V>(simd, input, out),
                5 => self.tile::<S, L, 5, V>(simd, input, out),
                6 => self.tile::<S, L, 6, V>(simd, input, out),
                7 if is_wide::<S>() => self.tile::<S, L, 7, V>(simd, input, out),
                8 if is_wide::<S>() => self.tile::<S, L, 8, V>(simd, input, out),
                9 if is_wide::<S>() => self.tile::<S, L, 9, V>(simd, input, out),
                10 if is_wide::<S>() => self.tile::<S, L, 10, V>(simd, input, out),
                _ => unreachable!("there is no tile of {} points", end - start),
            }
        }
    }

    /// `P` points, `V` vectors of outputs. The loop takes one pair a round: of two in a row the compiler
    /// makes products and sums apart, at half the speed, where AVX-512 has both in one.
    #[inline(always)]
    fn tile<S: Simd, L: Lanes<S>, const P: usize, const V: usize>(
        self,
        simd: S,
        input: &[Pairs],
        out: &mut [f32],
    ) {
        let mut sums = [[L::zero(simd); V]; P];
        let Some(points) = input.first_chunk::<P>() else { return };
        for (pair, weights) in self.weights.chunks_exact(2 * self.width).enumerate() {
            let weights = &weights[2 * self.skipped..][..2 * V * L::LANES];
            for p in 0..P {
                for v in 0..V {
                    let weights = &weights[2 * v * L::LANES..2 * (v + 1) * L::LANES];
                    sums[p][v] = sums[p][v].add_products(simd, points[p][pair], weights);
                }
            }
        }
        for p in 0..P {
            for v in 0..V {
                let units = &self.units[v * L::LANES..(v + 1) * L::LANES];
                let place = p * self.outputs + self.first + v * L::LANES;
                let out = &mut out[place..place + L::LANES];
                sums[p][v].store(simd, units, self.unit, out);
            }
        }
    }
}

/// Sums of products, one for each output of a vector.
trait Lanes<S: Simd>: Copy {
    const LANES: usize;

    fn zero(simd: S) -> Self;

    /// Adds the products of a pair and the weights of each output.
    fn add_products(self, simd: S, pair: i32, weights: &[i16]) -> Self;

    /// As floats, times what a unit is worth.
    fn store(self, simd: S, units: &[f32], unit: f32, out: &mut [f32]);
}

/// Vectors of one length: sums, weights and floats, and how pairs of products are added up.
macro_rules! lanes {
    ($sums:ident, $weights:ident, $floats:ident, $dot:ident, $lanes:expr) => {
        impl<S: Simd> Lanes<S> for $sums<S> {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn zero(simd: S) -> Self {
                $sums::simd_from(simd, 0)
            }

            #[inline(always)]
            fn add_products(self, simd: S, pair: i32, weights: &[i16]) -> Self {
                let pair: $weights<S> = $sums::simd_from(simd, pair).bitcast();
                self + simd.$dot(pair, $weights::from_slice(simd, weights))
            }

            #[inline(always)]
            fn store(self, simd: S, units: &[f32], unit: f32, out: &mut [f32]) {
                let units = $floats::from_slice(simd, units) * $floats::simd_from(simd, unit);
                ($floats::float_from(self) * units).store_slice(out);
            }
        }
    };
}

lanes!(i32x16, i16x32, f32x16, pairwise_dot_product_i16x32, 16);
lanes!(i32x8, i16x16, f32x8, pairwise_dot_product_i16x16, 8);

/// Vectors that can be rounded into pairs.
pub trait Round<S: Simd>: SimdFloat<S, Element = f32> {
    /// Rounds the values of channels from `first` on, times `scale`, into the pairs of a point.
    fn round_to_pairs(self, simd: S, scale: f32, first: usize, pairs: &mut Pairs);
}

/// The lower 16 bits of a float of this size are those of the integer that was added to it.
const SHIFT: f32 = 12_582_912.0;
/// The lower half of a pair.
const LOWER: i32 = 0xFFFF;

impl<S: Simd> Round<S> for f32x16<S> {
    #[inline(always)]
    fn round_to_pairs(self, simd: S, scale: f32, first: usize, pairs: &mut Pairs) {
        let scaled = self * f32x16::simd_from(simd, scale) + f32x16::simd_from(simd, SHIFT);
        let bits: i32x16<S> = scaled.bitcast();
        let (lower, upper) = bits.split();
        let both = (lower & i32x8::simd_from(simd, LOWER)) | (upper << 16);
        both.store_slice(&mut pairs[first / 2..first / 2 + LANES]);
    }
}

impl<S: Simd> Round<S> for f32x8<S> {
    /// The lower halves come first, and clear the upper ones.
    #[inline(always)]
    fn round_to_pairs(self, simd: S, scale: f32, first: usize, pairs: &mut Pairs) {
        let scaled = self * f32x8::simd_from(simd, scale) + f32x8::simd_from(simd, SHIFT);
        let bits: i32x8<S> = scaled.bitcast();
        let place = first / (2 * LANES) * LANES;
        let pairs = &mut pairs[place..place + LANES];
        let both = match first % (2 * LANES) {
            0 => bits & i32x8::simd_from(simd, LOWER),
            _ => i32x8::from_slice(simd, pairs) | (bits << 16),
        };
        both.store_slice(pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::super::kernel::with_vectors;
    use super::*;
    use crate::types::Rng;
    use fearless_simd::Level;

    #[test]
    fn sums_are_exact_and_cannot_overflow() {
        let mut rng = Rng::new(5);
        for (inputs, outputs) in [(8, 8), (16, 16), (24, 40), (64, 64), (96, 32)] {
            let weights: Vec<f32> =
                (0..inputs * outputs).map(|_| (2.0 * rng.unit() - 1.0) as f32).collect();
            let map = Integers::new(inputs, outputs, &weights);
            // What is hardest: every product as large as it can be, with the same sign.
            let extreme = |output: usize| {
                let own = weights[output..].iter().step_by(outputs);
                own.map(|weight| weight.signum() * MOST).collect::<Vec<f32>>()
            };
            let mut points = vec![extreme(0), extreme(outputs - 1)];
            points.extend((0..11).map(|_| {
                (0..inputs).map(|_| ((2.0 * rng.unit() - 1.0) as f32 * MOST).round()).collect()
            }));
            let mut input = vec![[0; MAX_CHANNELS / 2]; points.len()];
            let mut out = vec![0.0; points.len() * outputs];
            with_vectors!(Level::new(), simd => {
                for (point, pairs) in points.iter().zip(&mut input) {
                    for (eight, values) in point.chunks_exact(LANES).enumerate() {
                        f32x8::from_slice(simd, values).round_to_pairs(simd, 1.0, eight * LANES, pairs);
                    }
                }
                map.multiply(simd, 1.0, &input, &mut out);
            });
            for (point, out) in points.iter().zip(out.chunks_exact(outputs)) {
                for (output, found) in out.iter().enumerate() {
                    let scale = scale(&weights, output, outputs);
                    let rounded = |weight: &f32| (f64::from(*weight) * scale).round();
                    let own = weights[output..].iter().step_by(outputs);
                    let sum: f64 = own.zip(point).map(|(w, x)| rounded(w) * f64::from(*x)).sum();
                    assert!(sum.abs() <= f64::from(i32::MAX));
                    let expected = sum / scale;
                    let error = (f64::from(*found) - expected).abs();
                    assert!(error <= 1e-6 * expected.abs() + 1e-3, "{found} {expected}");
                }
            }
        }
    }

    #[test]
    fn wide_and_narrow_vectors_round_alike() {
        let values: Vec<f32> = (0..16).map(|i| 1.37 * (i as f32 - 7.5)).collect();
        let (mut wide, mut narrow) = ([0; MAX_CHANNELS / 2], [-1; MAX_CHANNELS / 2]);
        with_vectors!(Level::new(), simd => {
            f32x16::from_slice(simd, &values).round_to_pairs(simd, 100.0, 0, &mut wide);
            f32x8::from_slice(simd, &values[..8]).round_to_pairs(simd, 100.0, 0, &mut narrow);
            f32x8::from_slice(simd, &values[8..]).round_to_pairs(simd, 100.0, 8, &mut narrow);
        });
        assert_eq!(wide[..LANES], narrow[..LANES]);
        let halves = wide.map(|pair| (pair as i16, (pair >> 16) as i16));
        for (i, (lower, upper)) in halves.into_iter().take(LANES).enumerate() {
            assert_eq!(f32::from(lower), (100.0 * values[i]).round_ties_even());
            assert_eq!(f32::from(upper), (100.0 * values[i + 8]).round_ties_even());
        }
    }
}
