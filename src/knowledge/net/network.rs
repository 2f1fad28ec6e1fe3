//! A network with its numbers, and what it says of a position.

use super::integer::Integers;
use super::kernel;
use super::math::{exp, logistic};
use super::runner::Numbers;
use super::shape::{Kind, Layer, Shape};
use super::winograd;
use crate::types::{Color, Point, PointMap};
use std::sync::OnceLock;

/// A network: its layers and their parameters.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    parameters: Vec<f32>,
    /// The weights of every layer in the form that its kernel wants.
    weights: Vec<Vec<f32>>,
    /// Those of convolutions rounded, for play; made when somebody asks.
    rounded: OnceLock<Vec<Vec<Integers>>>,
}

impl Network {
    /// A network of these parameters; nothing if there are too few or too many of them.
    pub fn new(shape: Shape, parameters: Vec<f32>) -> Option<Network> {
        if parameters.len() != shape.parameters {
            return None;
        }
        let mut network = Network { shape, parameters, weights: vec![], rounded: OnceLock::new() };
        network.prepare();
        Some(network)
    }

    /// The layers.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All parameters, in the order of the layers.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    /// Changes the parameters.
    pub fn update(&mut self, change: impl FnOnce(&mut [f32])) {
        change(&mut self.parameters);
        self.prepare();
    }

    /// The rounded weights of a convolution.
    pub(super) fn rounded(&self, layer: &Layer) -> &[Integers] {
        let prepare = |layer: &Layer| match layer.kind {
            Kind::Board => winograd::prepare_rounded(layer, &self.parameters[layer.weights()]),
            _ => vec![],
        };
        &self.rounded.get_or_init(|| self.shape.layers().map(prepare).collect())[layer.number]
    }

    fn prepare(&mut self) {
        self.rounded.take();
        self.weights.resize(self.shape.layers().count(), vec![]);
        for layer in self.shape.layers() {
            let weights = &self.parameters[layer.weights()];
            kernel::prepare(layer, weights, &mut self.weights[layer.number]);
        }
    }
}

impl Numbers for Network {
    fn weights(&self, layer: &Layer) -> &[f32] {
        &self.weights[layer.number]
    }

    fn biases(&self, layer: &Layer) -> &[f32] {
        &self.parameters[layer.biases()]
    }
}

/// What a network says of a position, from the side of the player to move.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Whose side it is.
    pub to_play: Color,
    /// Expected margin on the board, in points of area, without komi.
    pub lead: f32,
    /// The margin that is exceeded half of the time: with bad luck ahead it is not the mean.
    pub median: f32,
    /// Scale of the margin's (logistic) distribution, in points.
    pub spread: f32,
    /// Expected owner of every point of the board: 1 the player to move, -1 the other; 0 elsewhere.
    pub owners: PointMap<f32>,
    /// Logits of the moves, the pass included; only differences mean something, and only between legal
    /// moves.
    pub policy: PointMap<f32>,
}

impl Default for Judgement {
    fn default() -> Judgement {
        Judgement {
            to_play: Color::Black,
            lead: 0.0,
            median: 0.0,
            spread: 1.0,
            owners: PointMap::default(),
            policy: PointMap::default(),
        }
    }
}

impl Judgement {
    /// The probability that the player to move wins, where White gets this komi.
    pub fn winrate(&self, komi: f32) -> f32 {
        logistic((self.median - komi * self.to_play.sign() as f32) / self.spread)
    }

    /// The same for Black.
    pub fn black_winrate(&self, komi: f32) -> f32 {
        match self.to_play {
            Color::Black => self.winrate(komi),
            Color::White => 1.0 - self.winrate(komi),
        }
    }

    /// The probabilities of these moves among themselves.
    pub fn probabilities(&self, moves: impl Iterator<Item = Point>) -> Vec<(Point, f32)> {
        let mut found: Vec<(Point, f32)> = moves.map(|point| (point, self.policy[point])).collect();
        let largest = found.iter().fold(f32::MIN, |largest, m| largest.max(m.1));
        found.iter_mut().for_each(|m| m.1 = exp(m.1 - largest));
        let sum: f32 = found.iter().map(|m| m.1).sum();
        found.iter_mut().for_each(|m| m.1 /= sum);
        found
    }

    /// Black's expected lead in points after komi.
    pub fn black_lead(&self, komi: f32) -> f32 {
        self.lead * self.to_play.sign() as f32 - komi
    }

    /// Expected owner of a point: 1 is Black's, -1 White's.
    pub fn black_owner(&self, point: Point) -> f32 {
        self.owners[point] * self.to_play.sign() as f32
    }
}
