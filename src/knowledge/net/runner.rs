//! Runs layers with the vectors of a machine: those of a network, or in training those that lead back.

use super::grid::Grid;
use super::kernel;
use super::network::Network;
use super::planes::Marks;
use super::shape::Layer;
use super::winograd::{self, Tiles};
use fearless_simd::Simd;

/// The numbers of layers, each in the form that its kernel wants.
pub trait Numbers {
    /// The weights of a layer.
    fn weights(&self, layer: &Layer) -> &[f32];
    /// The biases of a layer.
    fn biases(&self, layer: &Layer) -> &[f32];
}

/// Runs layers with these numbers.
#[derive(Clone, Copy)]
pub struct Runner<'a, S, N> {
    /// The vectors of this machine.
    pub simd: S,
    /// The numbers of the layers.
    pub numbers: &'a N,
}

impl<S: Simd, N: Numbers> Runner<'_, S, N> {
    /// The input layer, from the marks of all cells with a border of zeros.
    pub fn marks(&self, layer: &Layer, marks: &[Marks], out: &mut Grid) {
        let (weights, bias) = (self.numbers.weights(layer), self.numbers.biases(layer));
        kernel::convolve_marks(self.simd, layer, weights, bias, marks, out);
    }

    /// A 3x3 convolution.
    pub fn board(&self, layer: &Layer, input: &Grid, tiles: &mut Tiles, out: &mut Grid) {
        let (weights, bias) = (self.numbers.weights(layer), self.numbers.biases(layer));
        winograd::convolve(self.simd, layer, weights, bias, input, tiles, out);
    }

    /// A map of every point.
    pub fn points(&self, layer: &Layer, input: &Grid, out: &mut Grid) {
        let (weights, bias) = (self.numbers.weights(layer), self.numbers.biases(layer));
        for row in 1..=input.size {
            kernel::multiply(self.simd, layer, weights, bias, input.row(row), out.row_mut(row));
        }
    }

    /// A map of the whole board at once.
    pub fn whole(&self, layer: &Layer, input: &[f32], out: &mut [f32]) {
        let (weights, bias) = (self.numbers.weights(layer), self.numbers.biases(layer));
        kernel::multiply(self.simd, layer, weights, bias, input, out);
    }
}

impl<S: Simd> Runner<'_, S, Network> {
    /// A 3x3 convolution of what is not negative, rounded as it is for play.
    pub fn rounded(&self, layer: &Layer, input: &Grid, tiles: &mut Tiles, out: &mut Grid) {
        let (weights, bias) = (self.numbers.rounded(layer), self.numbers.biases(layer));
        winograd::convolve_rounded(self.simd, layer, weights, bias, input, tiles, out);
    }
}
