//! The network in plain loops: what the fast one is tested against, and the place to read first.

use super::evaluator::strength;
use super::math::{exp, tanh};
use super::network::{Judgement, Network};
use super::planes::{self, Expected, Viewer};
use super::shape::{
    LEAD, Layer, MAX_LOG_SPREAD, OFFSET, OWNER, PASS, POINTS_PER_UNIT, POLICY, SPREAD, USUAL_SPREAD,
};
use crate::board::Board;
use crate::types::Point;

/// Channels of all points, row by row: `values[point][channel]`.
type Values = Vec<Vec<f32>>;

/// Judges a position, where the model of moves expects this.
pub fn judge(network: &Network, board: &Board, expected: Option<&Expected>) -> Judgement {
    let (shape, size) = (network.shape(), board.size());
    let mut values = Values::new();
    Viewer::default().look(board, expected, |_, marks| {
        values.push((0..planes::COUNT).map(|plane| (marks >> plane & 1) as f32).collect());
    });
    let mut trunk = convolution(network, &shape.input, &values, size);
    for block in &shape.blocks {
        let mut inner = convolution(network, &block.first, &relu(&trunk), size);
        if let Some(pool) = &block.pool {
            let bias = linear(network, pool, &pooled(&relu(&inner)));
            for point in &mut inner {
                for (value, bias) in point.iter_mut().zip(&bias) {
                    *value += bias;
                }
            }
        }
        let change = convolution(network, &block.second, &relu(&inner), size);
        for (value, change) in trunk.iter_mut().flatten().zip(change.iter().flatten()) {
            *value += change;
        }
    }
    let trunk = relu(&trunk);
    let heads: Values = trunk.iter().map(|point| linear(network, &shape.head, point)).collect();
    let heads = relu(&heads);

    let mut judgement = Judgement { to_play: board.to_play(), ..Judgement::default() };
    let mut sum = 0.0;
    for (point, head) in board.points().zip(&heads) {
        let outputs = linear(network, &shape.point, head);
        judgement.owners[point] = tanh(outputs[OWNER]);
        judgement.policy[point] = outputs[POLICY] + strength(expected, point);
        sum += judgement.owners[point];
    }
    let hidden = relu(&[linear(network, &shape.hidden, &pooled(&heads))]);
    let last = linear(network, &shape.last, &hidden[0]);
    judgement.lead = sum + POINTS_PER_UNIT * last[LEAD];
    judgement.median = judgement.lead + POINTS_PER_UNIT * last[OFFSET];
    judgement.spread = USUAL_SPREAD * exp(last[SPREAD].clamp(-MAX_LOG_SPREAD, MAX_LOG_SPREAD));
    judgement.policy[Point::PASS] = last[PASS] + strength(expected, Point::PASS);
    judgement
}

/// A 3x3 convolution; outside the board everything is zero.
fn convolution(network: &Network, layer: &Layer, input: &Values, size: usize) -> Values {
    let weights = &network.parameters()[layer.weights()];
    let bias = &network.parameters()[layer.biases()];
    let mut out = vec![bias.to_vec(); size * size];
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        for tap in 0..layer.taps() {
            let (above, right) = (row + tap / 3, column + tap % 3);
            if above == 0 || right == 0 || above > size || right > size {
                continue;
            }
            let near = &input[(above - 1) * size + right - 1];
            for (channel, value) in near.iter().enumerate() {
                for (output, sum) in out[row * size + column].iter_mut().enumerate() {
                    let place = (tap * layer.inputs + channel) * layer.outputs + output;
                    *sum += value * weights[place];
                }
            }
        }
    }
    out
}

/// A linear map of one vector.
fn linear(network: &Network, layer: &Layer, input: &[f32]) -> Vec<f32> {
    let weights = &network.parameters()[layer.weights()];
    let mut out = network.parameters()[layer.biases()].to_vec();
    for (value, weights) in input.iter().zip(weights.chunks_exact(layer.outputs)) {
        for (sum, weight) in out.iter_mut().zip(weights) {
            *sum += value * weight;
        }
    }
    out
}

fn relu(values: &[Vec<f32>]) -> Values {
    values.iter().map(|point| point.iter().map(|value| value.max(0.0)).collect()).collect()
}

/// The mean of every channel over the board, then the maximum of every channel.
fn pooled(values: &Values) -> Vec<f32> {
    let channels = 0..values[0].len();
    let column = |channel: usize| values.iter().map(move |point| point[channel]);
    let means = channels.clone().map(|channel| column(channel).sum::<f32>() / values.len() as f32);
    means.chain(channels.map(|channel| column(channel).fold(0.0, f32::max))).collect()
}
