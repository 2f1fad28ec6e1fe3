//! Backpropagation for exactly this network.
//!
//! A [`Tape`] remembers what went through the layers for one position; going back, every
//! convolution turns into another convolution (with its weights turned round) and into a sum of
//! products over the points. Both are the kernels of the forward pass or like them, so a step of
//! training costs three times what an evaluation costs, and little else.

use super::data::Sample;
use super::loss::{Errors, Weights, compare};
use crate::knowledge::net::Network;
use crate::knowledge::net::grid::{self, Grid};
use crate::knowledge::net::kernel::{self, with_vectors};
use crate::knowledge::net::planes::{self, Marks};
use crate::knowledge::net::runner::{Numbers, Runner};
use crate::knowledge::net::shape::{HEAD, HIDDEN, Kind, LANES, Layer, Shape};
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

/// What a block remembers.
#[derive(Debug)]
struct Saved {
    /// What came in, without negative numbers.
    active: Grid,
    /// The first convolution's output, before pooling.
    before: Grid,
    /// The same after pooling, without negative numbers.
    inner: Grid,
    pooled: Vec<f32>,
}

/// Memory for one position on its way through the layers and back.
#[derive(Debug)]
pub struct Tape {
    level: Level,
    /// What is seen at every cell, with a border of nothing, and the same as numbers.
    marks: Vec<Marks>,
    planes: Grid,
    tiles: Tiles,
    trunk: Grid,
    blocks: Vec<Saved>,
    active: Grid,
    heads: Grid,
    outputs: Grid,
    pooled: Vec<f32>,
    hidden: [f32; HIDDEN],
    last: [f32; LANES],
    /// Memory for sums and gradients of channels.
    change: Grid,
    to_inner: Grid,
    to_trunk: Grid,
    to_heads: Grid,
    bias: Vec<f32>,
    to_pooled: Vec<f32>,
    logits: Vec<f32>,
}

impl Tape {
    /// Memory for boards of one size.
    pub fn new(shape: &Shape, size: usize, level: Level) -> Tape {
        let grid = |channels| Grid::new(size, channels);
        let widest = 2 * shape.channels.max(HEAD);
        Tape {
            level,
            marks: vec![0; (size + 2) * (size + 2)],
            planes: grid(planes::COUNT),
            tiles: Tiles::new(size, shape.channels.max(planes::COUNT)),
            trunk: grid(shape.channels),
            blocks: (0..shape.blocks.len())
                .map(|_| Saved {
                    active: grid(shape.channels),
                    before: grid(shape.channels),
                    inner: grid(shape.channels),
                    pooled: vec![0.0; 2 * shape.channels],
                })
                .collect(),
            active: grid(shape.channels),
            heads: grid(HEAD),
            outputs: grid(LANES),
            pooled: vec![0.0; 2 * HEAD],
            hidden: [0.0; HIDDEN],
            last: [0.0; LANES],
            change: grid(shape.channels),
            to_inner: grid(shape.channels),
            to_trunk: grid(shape.channels),
            to_heads: grid(HEAD),
            bias: vec![0.0; widest],
            to_pooled: vec![0.0; widest],
            logits: vec![],
        }
    }

    /// Judges a position and says how wrong that was.
    pub fn measure(
        &mut self,
        network: &Network,
        sample: &Sample,
        symmetry: usize,
        weights: &Weights,
    ) -> Errors {
        sample.set_planes(symmetry, &mut self.marks, &mut self.planes);
        let level = self.level;
        with_vectors!(level, simd => self.forward(simd, network));
        let (outputs, last) = (&mut self.outputs, &mut self.last);
        compare(sample, symmetry, weights, outputs, last, &mut self.logits)
    }

    /// The same, and adds to the gradient.
    pub fn learn(
        &mut self,
        network: &Network,
        turned: &Turned,
        sample: &Sample,
        symmetry: usize,
        weights: &Weights,
        gradient: &mut Gradient,
    ) -> Errors {
        let errors = self.measure(network, sample, symmetry, weights);
        let level = self.level;
        with_vectors!(level, simd => self.backward(simd, network.shape(), turned, gradient));
        errors
    }

    fn forward<S: Simd>(&mut self, simd: S, network: &Network) {
        let run = Runner { simd, numbers: network };
        let shape = network.shape();
        run.marks(&shape.input, &self.marks, &mut self.trunk);
        for (block, saved) in shape.blocks.iter().zip(&mut self.blocks) {
            grid::relu(simd, &self.trunk, &mut saved.active);
            run.board(&block.first, &saved.active, &mut self.tiles, &mut saved.before);
            if let Some(pool) = &block.pool {
                grid::relu(simd, &saved.before, &mut saved.inner);
                grid::pool(simd, &saved.inner, &mut saved.pooled);
                run.whole(pool, &saved.pooled, &mut self.bias);
                saved.inner.cells.copy_from_slice(&saved.before.cells);
                grid::add_everywhere(simd, &mut saved.inner, &self.bias);
                grid::relu_in_place(simd, &mut saved.inner.cells);
            } else {
                grid::relu(simd, &saved.before, &mut saved.inner);
            }
            run.board(&block.second, &saved.inner, &mut self.tiles, &mut self.change);
            grid::add(simd, &mut self.trunk, &self.change);
        }
        grid::relu(simd, &self.trunk, &mut self.active);
        run.points(&shape.head, &self.active, &mut self.heads);
        grid::relu_in_place(simd, &mut self.heads.cells);
        run.points(&shape.point, &self.heads, &mut self.outputs);
        grid::pool(simd, &self.heads, &mut self.pooled);
        run.whole(&shape.hidden, &self.pooled, &mut self.hidden);
        grid::relu_in_place(simd, &mut self.hidden);
        run.whole(&shape.last, &self.hidden, &mut self.last);
    }

    /// From the gradient of the outputs to that of all parameters.
    fn backward<S: Simd>(
        &mut self,
        simd: S,
        shape: &Shape,
        turned: &Turned,
        gradient: &mut Gradient,
    ) {
        let run = Runner { simd, numbers: turned };
        // The judgement of the whole board.
        let mut to_hidden = [0.0; HIDDEN];
        outer(simd, &shape.last, &self.hidden, &self.last, gradient);
        run.whole(&back(&shape.last), &self.last, &mut to_hidden);
        grid::mask(simd, &mut to_hidden, &self.hidden);
        outer(simd, &shape.hidden, &self.pooled, &to_hidden, gradient);
        run.whole(&back(&shape.hidden), &to_hidden, &mut self.to_pooled);
        // The judgement of the points.
        both(
            simd,
            &shape.point,
            &self.heads,
            &self.outputs,
            gradient,
            &mut self.tiles,
            &mut self.bias,
        );
        run.points(&back(&shape.point), &self.outputs, &mut self.to_heads);
        grid::pool_back(simd, &self.to_pooled, &self.pooled, &self.heads, &mut self.to_heads);
        grid::mask(simd, &mut self.to_heads.cells, &self.heads.cells);
        both(
            simd,
            &shape.head,
            &self.active,
            &self.to_heads,
            gradient,
            &mut self.tiles,
            &mut self.bias,
        );
        run.points(&back(&shape.head), &self.to_heads, &mut self.to_trunk);
        grid::mask(simd, &mut self.to_trunk.cells, &self.active.cells);
        for number in (0..shape.blocks.len()).rev() {
            self.backward_block(simd, shape, turned, number, gradient);
        }
        both(
            simd,
            &shape.input,
            &self.planes,
            &self.to_trunk,
            gradient,
            &mut self.tiles,
            &mut self.bias,
        );
    }

    /// From the gradient of what leaves a block to that of what enters it.
    fn backward_block<S: Simd>(
        &mut self,
        simd: S,
        shape: &Shape,
        turned: &Turned,
        number: usize,
        gradient: &mut Gradient,
    ) {
        let run = Runner { simd, numbers: turned };
        let (block, saved) = (&shape.blocks[number], &mut self.blocks[number]);
        let (to_inner, to_trunk) = (&mut self.to_inner, &mut self.to_trunk);
        both(
            simd,
            &block.second,
            &saved.inner,
            to_trunk,
            gradient,
            &mut self.tiles,
            &mut self.bias,
        );
        run.board(&back(&block.second), to_trunk, &mut self.tiles, to_inner);
        grid::mask(simd, &mut to_inner.cells, &saved.inner.cells);
        if let Some(pool) = &block.pool {
            let bias = &mut self.bias[..shape.channels];
            grid::sum(simd, to_inner, bias);
            outer(simd, pool, &saved.pooled, bias, gradient);
            run.whole(&back(pool), bias, &mut self.to_pooled);
            let change = &mut self.change;
            change.cells.fill(0.0);
            grid::pool_back(simd, &self.to_pooled, &saved.pooled, &saved.before, change);
            grid::mask(simd, &mut change.cells, &saved.before.cells);
            grid::add(simd, to_inner, change);
        }
        both(
            simd,
            &block.first,
            &saved.active,
            to_inner,
            gradient,
            &mut self.tiles,
            &mut self.bias,
        );
        run.board(&back(&block.first), to_inner, &mut self.tiles, &mut self.change);
        grid::mask(simd, &mut self.change.cells, &saved.active.cells);
        grid::add(simd, to_trunk, &self.change);
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
        let mut tape = Tape::new(&shape, 7, Level::new());
        let mut gradient = Gradient::new(&shape);
        let turned = Turned::new(&network);
        for (symmetry, sample) in samples.iter().enumerate() {
            tape.learn(&network, &turned, sample, symmetry, &weights, &mut gradient);
        }
        let gradient = gradient.finish(&shape).to_vec();
        let mut loss = |parameters: Vec<f32>| -> f64 {
            let network = Network::new(shape.clone(), parameters).unwrap();
            let each = samples.iter().enumerate();
            each.map(|(s, sample)| tape.measure(&network, sample, s, &weights).loss).sum()
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
        let mut tape = Tape::new(network.shape(), 9, Level::new());
        let errors = tape.measure(&network, &sample, 0, &Weights::default());
        let wrong = f64::from(judgement.black_winrate(7.5) - 0.75);
        assert!((errors.winrate - wrong * wrong).abs() < 1e-4);
        assert!((errors.lead - f64::from(judgement.black_lead(7.5) - 1.5).abs()).abs() < 1e-2);
    }
}
