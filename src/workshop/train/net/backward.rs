//! Backpropagation for exactly this network.
//!
//! A `Tape` remembers what went through the layers for one position; going back, every
//! convolution turns into another convolution (with its weights turned round) and into a sum of
//! products over the points. Both are the kernels of the forward pass or like them, so a step of
//! training costs three times what an evaluation costs, and little else.

use super::data::Sample;
use super::loss::{Errors, Weights, compare};
use super::tape::{Memory, Place, Scratch, Tape};
use crate::knowledge::net::Network;
use crate::knowledge::net::grid::{self, Grid};
use crate::knowledge::net::kernel::{self, with_vectors};
use crate::knowledge::net::runner::{Numbers, Runner};
use crate::knowledge::net::shape::{HEAD, HIDDEN, Kind, Layer, Shape};
use crate::knowledge::net::winograd::{self, Tiles};
use fearless_simd::{Level, Simd};

/// The gradient of all parameters.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// In the order of the parameters; weights of 3x3 convolutions are added at the end.
    plain: Vec<f32>,
    /// Of each 3x3 convolution, by the number of its layer: of the values of its weights.
    values: Vec<Vec<f32>>,
}

impl Gradient {
    /// Zero.
    pub fn new(shape: &Shape) -> Gradient {
        let values = shape.layers().map(|layer| match layer.kind {
            Kind::Point => vec![],
            Kind::Planes | Kind::Board => vec![0.0; winograd::gradient_len(layer)],
        });
        Gradient { plain: vec![0.0; shape.parameters], values: values.collect() }
    }

    /// Back to zero.
    pub fn clear(&mut self) {
        self.plain.fill(0.0);
        self.values.iter_mut().for_each(|values| values.fill(0.0));
    }

    /// Adds another one.
    pub fn add(&mut self, other: &Gradient) {
        let add = |to: &mut [f32], from: &[f32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.plain, &other.plain);
        self.values.iter_mut().zip(&other.values).for_each(|(to, from)| add(to, from));
    }

    /// The gradient in the order of the parameters.
    pub fn finish(&mut self, shape: &Shape) -> &mut [f32] {
        for (layer, values) in shape.layers().zip(&mut self.values) {
            winograd::finish_gradient(layer, values, &mut self.plain[layer.weights()]);
            values.fill(0.0);
        }
        &mut self.plain
    }
}

/// The weights of all layers turned round, for going back; nobody goes back beyond the planes.
#[derive(Clone, Debug)]
pub struct Turned {
    weights: Vec<Vec<f32>>,
    zeros: Vec<f32>,
}

impl Turned {
    /// Turns the weights of a network.
    pub fn new(network: &Network) -> Turned {
        let shape = network.shape();
        let mut turned = vec![];
        let prepared = shape.layers().map(|layer| {
            let mut prepared = vec![];
            if layer.kind != Kind::Planes {
                turn_round(layer, &network.parameters()[layer.weights()], &mut turned);
                kernel::prepare(&back(layer), &turned, &mut prepared);
            }
            prepared
        });
        let weights = prepared.collect();
        Turned { weights, zeros: vec![0.0; 2 * shape.channels.max(HEAD)] }
    }
}

impl Numbers for Turned {
    fn weights(&self, layer: &Layer) -> &[f32] {
        &self.weights[layer.number]
    }

    fn biases(&self, layer: &Layer) -> &[f32] {
        &self.zeros[..layer.outputs]
    }
}

/// Inputs become outputs, and every tap the opposite one.
fn turn_round(layer: &Layer, weights: &[f32], turned: &mut Vec<f32>) {
    turned.clear();
    turned.resize(weights.len(), 0.0);
    for tap in 0..layer.taps() {
        for input in 0..layer.inputs {
            for output in 0..layer.outputs {
                let from = (tap * layer.inputs + input) * layer.outputs + output;
                let opposite = layer.taps() - 1 - tap;
                let to = (opposite * layer.outputs + output) * layer.inputs + input;
                turned[to] = weights[from];
            }
        }
    }
}

/// The layer that leads back.
fn back(layer: &Layer) -> Layer {
    Layer { inputs: layer.outputs, outputs: layer.inputs, ..layer.clone() }
}

/// A position to learn from, under one of the eight symmetries.
pub type Turn<'a> = (&'a Sample, usize);

/// Takes positions through the layers and back.
#[derive(Debug)]
pub struct Pupil {
    level: Level,
    shape: Shape,
    memory: Memory,
}

impl Pupil {
    /// For networks of a shape.
    pub fn new(shape: &Shape, level: Level) -> Pupil {
        Pupil { level, shape: shape.clone(), memory: Memory::new(shape) }
    }

    /// Judges a position and says how wrong that was.
    pub fn measure(&mut self, network: &Network, turn: Turn, weights: &Weights) -> Errors {
        let places = self.forward(network, &[turn]);
        self.compare(places[0], turn, weights)
    }

    /// Judges positions and adds to the gradient; gives the errors of those that a referee judged.
    pub fn learn(
        &mut self,
        network: &Network,
        turned: &Turned,
        turns: &[Turn],
        weights: &Weights,
        gradient: &mut Gradient,
    ) -> Errors {
        let places = self.forward(network, turns);
        let mut errors = Errors::default();
        for (&place, &turn) in places.iter().zip(turns) {
            let wrong = self.compare(place, turn, weights);
            if turn.0.is_judged() {
                errors.add(&wrong);
            }
        }
        let (level, shape, memory) = (self.level, &self.shape, &mut self.memory);
        with_vectors!(level, simd => {
            let mut back = Backward { run: Runner { simd, numbers: turned }, shape, gradient };
            for &place in &places {
                back.heads(memory.at(place));
            }
            for number in (0..shape.blocks.len()).rev() {
                for &place in &places {
                    back.block(number, memory.at(place));
                }
            }
            for &place in &places {
                back.input(memory.at(place));
            }
        });
        errors
    }

    /// Through all layers; the answers are on the tapes.
    fn forward(&mut self, network: &Network, turns: &[Turn]) -> Vec<Place> {
        let (level, shape, memory) = (self.level, &self.shape, &mut self.memory);
        let places = memory.places(turns.iter().map(|(sample, _)| sample.size));
        for (&place, &(sample, symmetry)) in places.iter().zip(turns) {
            let tape = memory.at(place).0;
            sample.set_planes(symmetry, &mut tape.marks, &mut tape.planes);
        }
        with_vectors!(level, simd => {
            let forward = Forward { run: Runner { simd, numbers: network }, shape };
            for &place in &places {
                forward.input(memory.at(place));
            }
            for number in 0..shape.blocks.len() {
                for &place in &places {
                    forward.block(number, memory.at(place));
                }
            }
            for &place in &places {
                forward.heads(memory.at(place));
            }
        });
        places
    }

    /// The answers become the gradient of the loss.
    fn compare(&mut self, place: Place, (sample, symmetry): Turn, weights: &Weights) -> Errors {
        let (tape, scratch) = self.memory.at(place);
        let (outputs, last) = (&mut tape.outputs, &mut tape.last);
        compare(sample, symmetry, weights, outputs, last, &mut scratch.logits)
    }
}

/// The way through the layers, remembering.
struct Forward<'a, S> {
    run: Runner<'a, S, Network>,
    shape: &'a Shape,
}

impl<S: Simd> Forward<'_, S> {
    fn input(&self, (tape, _): (&mut Tape, &mut Scratch)) {
        self.run.marks(&self.shape.input, &tape.marks, &mut tape.trunk);
    }

    fn block(&self, number: usize, (tape, scratch): (&mut Tape, &mut Scratch)) {
        let (run, simd) = (&self.run, self.run.simd);
        let (block, saved) = (&self.shape.blocks[number], &mut tape.blocks[number]);
        grid::relu(simd, &tape.trunk, &mut saved.active);
        run.board(&block.first, &saved.active, &mut scratch.tiles, &mut saved.before);
        grid::relu(simd, &saved.before, &mut saved.inner);
        if let Some(pool) = &block.pool {
            grid::pool(simd, &saved.inner, &mut saved.pooled);
            run.whole(pool, &saved.pooled, &mut scratch.bias);
            saved.inner.cells.copy_from_slice(&saved.before.cells);
            grid::add_everywhere(simd, &mut saved.inner, &scratch.bias);
            grid::relu_in_place(simd, &mut saved.inner.cells);
        }
        run.board(&block.second, &saved.inner, &mut scratch.tiles, &mut scratch.change);
        grid::add(simd, &mut tape.trunk, &scratch.change);
    }

    fn heads(&self, (tape, _): (&mut Tape, &mut Scratch)) {
        let (run, shape, simd) = (&self.run, self.shape, self.run.simd);
        grid::relu(simd, &tape.trunk, &mut tape.active);
        run.points(&shape.head, &tape.active, &mut tape.heads);
        grid::relu_in_place(simd, &mut tape.heads.cells);
        run.points(&shape.point, &tape.heads, &mut tape.outputs);
        grid::pool(simd, &tape.heads, &mut tape.pooled);
        run.whole(&shape.hidden, &tape.pooled, &mut tape.hidden);
        grid::relu_in_place(simd, &mut tape.hidden);
        run.whole(&shape.last, &tape.hidden, &mut tape.last);
    }
}

/// The way back: from the gradient of the outputs to that of all parameters.
struct Backward<'a, S> {
    run: Runner<'a, S, Turned>,
    shape: &'a Shape,
    gradient: &'a mut Gradient,
}

impl<S: Simd> Backward<'_, S> {
    fn heads(&mut self, (tape, scratch): (&mut Tape, &mut Scratch)) {
        let (run, shape, simd) = (&self.run, self.shape, self.run.simd);
        let gradient = &mut *self.gradient;
        // The judgement of the whole board.
        let mut to_hidden = [0.0; HIDDEN];
        outer(simd, &shape.last, &tape.hidden, &tape.last, gradient);
        run.whole(&back(&shape.last), &tape.last, &mut to_hidden);
        grid::mask(simd, &mut to_hidden, &tape.hidden);
        outer(simd, &shape.hidden, &tape.pooled, &to_hidden, gradient);
        run.whole(&back(&shape.hidden), &to_hidden, &mut scratch.to_pooled);
        // The judgement of the points.
        let Scratch { tiles, bias, to_heads, to_pooled, .. } = scratch;
        both(simd, &shape.point, &tape.heads, &tape.outputs, gradient, tiles, bias);
        run.points(&back(&shape.point), &tape.outputs, to_heads);
        grid::pool_back(simd, to_pooled, &tape.pooled, &tape.heads, to_heads);
        grid::mask(simd, &mut to_heads.cells, &tape.heads.cells);
        both(simd, &shape.head, &tape.active, to_heads, gradient, tiles, bias);
        run.points(&back(&shape.head), to_heads, &mut tape.to_trunk);
        grid::mask(simd, &mut tape.to_trunk.cells, &tape.active.cells);
    }

    /// From the gradient of what leaves a block to that of what enters it.
    fn block(&mut self, number: usize, (tape, scratch): (&mut Tape, &mut Scratch)) {
        let (run, shape, simd) = (&self.run, self.shape, self.run.simd);
        let gradient = &mut *self.gradient;
        let (block, saved) = (&shape.blocks[number], &mut tape.blocks[number]);
        let Scratch { tiles, bias, change, to_inner, to_pooled, .. } = scratch;
        let to_trunk = &mut tape.to_trunk;
        both(simd, &block.second, &saved.inner, to_trunk, gradient, tiles, bias);
        run.board(&back(&block.second), to_trunk, tiles, to_inner);
        grid::mask(simd, &mut to_inner.cells, &saved.inner.cells);
        if let Some(pool) = &block.pool {
            let bias = &mut bias[..shape.channels];
            grid::sum(simd, to_inner, bias);
            outer(simd, pool, &saved.pooled, bias, gradient);
            run.whole(&back(pool), bias, to_pooled);
            change.cells.fill(0.0);
            grid::pool_back(simd, to_pooled, &saved.pooled, &saved.before, change);
            grid::mask(simd, &mut change.cells, &saved.before.cells);
            grid::add(simd, to_inner, change);
        }
        both(simd, &block.first, &saved.active, to_inner, gradient, tiles, bias);
        run.board(&back(&block.first), to_inner, tiles, change);
        grid::mask(simd, &mut change.cells, &saved.active.cells);
        grid::add(simd, to_trunk, change);
    }

    fn input(&mut self, (tape, scratch): (&mut Tape, &mut Scratch)) {
        let (simd, layer) = (self.run.simd, &self.shape.input);
        let Scratch { tiles, bias, .. } = scratch;
        both(simd, layer, &tape.planes, &tape.to_trunk, self.gradient, tiles, bias);
    }
}

/// The gradient of a layer over the board: weights and biases. `tiles` and `bias` are memory.
fn both<S: Simd>(
    simd: S,
    layer: &Layer,
    input: &Grid,
    out: &Grid,
    gradient: &mut Gradient,
    tiles: &mut Tiles,
    bias: &mut [f32],
) {
    match layer.kind {
        Kind::Point => {
            let sums = &mut gradient.plain[layer.weights()];
            for row in 1..=out.size {
                kernel::add_products(simd, layer, input.row(row), out.row(row), sums);
            }
        }
        Kind::Planes | Kind::Board => {
            let sums = &mut gradient.values[layer.number];
            winograd::add_gradient(simd, layer, input, out, tiles, sums);
        }
    }
    grid::sum(simd, out, &mut bias[..layer.outputs]);
    for (to, sum) in gradient.plain[layer.biases()].iter_mut().zip(bias) {
        *to += *sum;
    }
}

/// The gradient of a layer that sees the whole board at once.
fn outer<S: Simd>(simd: S, layer: &Layer, input: &[f32], out: &[f32], gradient: &mut Gradient) {
    simd.vectorize(
        #[inline(always)]
        || {
            let rows = gradient.plain[layer.weights()].chunks_exact_mut(layer.outputs);
            for (row, value) in rows.zip(input) {
                for (to, out) in row.iter_mut().zip(out) {
                    *to += value * out;
                }
            }
            for (to, out) in gradient.plain[layer.biases()].iter_mut().zip(out) {
                *to += out;
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::super::data::made_up;
    use super::*;
    use crate::knowledge::net::random_network;
    use crate::types::Rng;

    /// Smaller weights than the kernels' tests have, so that nothing is saturated.
    fn soft_network(seed: u64) -> Network {
        let mut network = random_network(8, 2, seed);
        network.update(|parameters| parameters.iter_mut().for_each(|p| *p *= 0.7));
        network
    }

    #[test]
    fn gradients_are_what_finite_differences_say() {
        let weights = Weights { winrate: 1.0, owners: 1.0, lead: 0.5, policy: 1.0, result: 1.0 };
        let network = soft_network(3);
        let shape = network.shape().clone();
        let samples = made_up(6, 7, 5);
        let mut pupil = Pupil::new(&shape, Level::new());
        let mut gradient = Gradient::new(&shape);
        let turned = Turned::new(&network);
        let turns: Vec<Turn> = samples.iter().enumerate().map(|(s, sample)| (sample, s)).collect();
        pupil.learn(&network, &turned, &turns, &weights, &mut gradient);
        let gradient = gradient.finish(&shape).to_vec();
        let mut loss = |parameters: Vec<f32>| -> f64 {
            let network = Network::new(shape.clone(), parameters).unwrap();
            let each = samples.iter().enumerate();
            each.map(|(s, sample)| pupil.measure(&network, (sample, s), &weights).loss).sum()
        };
        let mut rng = Rng::new(9);
        let mut checked = 0;
        for layer in shape.layers() {
            // Along a random direction in the parameters of the layer, so that kinks average out.
            for range in [layer.weights(), layer.biases()] {
                for _ in 0..3 {
                    let step = 2e-3 / (range.len() as f32).sqrt();
                    let direction: Vec<f32> = range
                        .clone()
                        .map(|_| if rng.chance(32768) { step } else { -step })
                        .collect();
                    let moved = |sign: f32| {
                        let mut parameters = network.parameters().to_vec();
                        for (p, d) in parameters[range.clone()].iter_mut().zip(&direction) {
                            *p += sign * d;
                        }
                        parameters
                    };
                    let difference = (loss(moved(1.0)) - loss(moved(-1.0))) / 2.0;
                    let expected: f64 = gradient[range.clone()]
                        .iter()
                        .zip(&direction)
                        .map(|(g, d)| f64::from(g * d))
                        .sum();
                    let size: f64 = gradient[range.clone()]
                        .iter()
                        .map(|g| f64::from(g * step).powi(2))
                        .sum::<f64>()
                        .sqrt();
                    assert!(
                        (difference - expected).abs() < 0.03 * size + 3e-6,
                        "{layer:?} {difference} {expected} {size}"
                    );
                    checked += usize::from(size > 1e-5);
                }
            }
        }
        assert!(checked > 40, "{checked}");
    }

    #[test]
    fn training_sees_what_play_sees() {
        use crate::board::Board;
        use crate::knowledge::Critic;
        use crate::workshop::train::net::data::Looker;
        let network = random_network(24, 2, 3);
        let line = r#"{"size": 9, "komi": 7.5, "moves": "D4 E5 F6 C3 D3", "winrate": 0.75,
            "lead": 1.5, "policy": {"C1": 0.5}, "ownership": "M"}"#;
        let line = line.replace("\"M\"", &format!("\"{}\"", "M".repeat(81)));
        let sample = Sample::parse(&line, &mut Looker::default()).unwrap();
        let mut board = Board::new(9);
        for vertex in ["D4", "E5", "F6", "C3", "D3"] {
            board.play_legal(crate::types::Point::parse_gtp(vertex, 9).unwrap());
        }
        let mut critic = Critic::new(std::sync::Arc::new(network.clone()), 9);
        let judgement = critic.judge(&board).unwrap();
        let mut pupil = Pupil::new(network.shape(), Level::new());
        let errors = pupil.measure(&network, (&sample, 0), &Weights::default());
        let wrong = f64::from(judgement.black_winrate(7.5) - 0.75);
        assert!((errors.winrate - wrong * wrong).abs() < 1e-4);
        assert!((errors.lead - f64::from(judgement.black_lead(7.5) - 1.5).abs()).abs() < 1e-2);
    }
}
