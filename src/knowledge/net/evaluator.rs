//! The network for play: one position at a time, without allocation.
//!
//! An [`Evaluator`] holds the memory for one thread and the knowledge of what the processor can do.

use super::grid::{self, Grid};
use super::kernel::{self, with_vectors};
use super::math::{exp, ln, tanh};
use super::network::{Judgement, Network};
use super::planes::{Expected, Marks, Viewer};
use super::runner::Runner;
use super::shape::{
    HEAD, HIDDEN, LANES, LEAD, MAX_LOG_SPREAD, MIN_SIZE, OFFSET, OWNER, PASS, POINTS_PER_UNIT,
    POLICY, SPREAD, Shape, USUAL_SPREAD,
};
use super::winograd::Tiles;
use crate::board::Board;
use crate::types::Point;
use fearless_simd::{Level, Simd};

/// A model of moves counts every move as at least so likely.
const LEAST_EXPECTED: f32 = 1e-6;

/// Memory for judging positions on one thread.
#[derive(Debug)]
pub struct Evaluator {
    level: Level,
    shape: Shape,
    size: usize,
    viewer: Viewer,
    /// What the network sees at every cell, with a border of nothing.
    marks: Vec<Marks>,
    trunk: Grid,
    active: Grid,
    inner: Grid,
    tiles: Tiles,
    heads: Grid,
    outputs: Grid,
    pooled: Vec<f32>,
    bias: Vec<f32>,
    hidden: [f32; HIDDEN],
    last: [f32; LANES],
    judgement: Judgement,
}

impl Evaluator {
    /// Memory for networks of this shape and boards of this size. Other sizes and shapes may come
    /// later; the memory is then made again.
    pub fn new(shape: &Shape, size: usize) -> Evaluator {
        Evaluator::with_level(shape, size, Level::new())
    }

    /// The same for a processor that can do no more than `level`, to test what other machines do.
    pub fn with_level(shape: &Shape, size: usize, level: Level) -> Evaluator {
        let grid = |channels| Grid::new(size, channels);
        Evaluator {
            level,
            shape: shape.clone(),
            size,
            viewer: Viewer::default(),
            marks: vec![0; (size + 2) * (size + 2)],
            trunk: grid(shape.channels),
            active: grid(shape.channels),
            inner: grid(shape.channels),
            tiles: Tiles::new(size, shape.channels),
            heads: grid(HEAD),
            outputs: grid(LANES),
            pooled: vec![0.0; 2 * shape.channels.max(HEAD)],
            bias: vec![0.0; shape.channels],
            hidden: [0.0; HIDDEN],
            last: [0.0; LANES],
            judgement: Judgement::default(),
        }
    }

    /// Has this machine the vectors that make a network worth its time?
    pub fn is_fast(&self) -> bool {
        kernel::is_fast(self.level)
    }

    /// Judges a position, where the model of moves expects this; nothing on boards that are too small
    /// for a network.
    pub fn judge(
        &mut self,
        network: &Network,
        board: &Board,
        expected: Option<&Expected>,
    ) -> Option<&Judgement> {
        if board.size() < MIN_SIZE {
            return None;
        }
        if self.size != board.size() || self.shape != *network.shape() {
            *self = Evaluator::with_level(network.shape(), board.size(), self.level);
        }
        let (marks, side) = (&mut self.marks, self.size + 2);
        self.viewer.look(board, expected, |point, seen| {
            marks[point.row() * side + point.column()] = seen;
        });
        let level = self.level;
        with_vectors!(level, simd => self.forward(simd, network));
        self.read(board, expected);
        Some(&self.judgement)
    }

    /// From the planes to the outputs of the last layers.
    fn forward<S: Simd>(&mut self, simd: S, network: &Network) {
        let run = Runner { simd, numbers: network };
        let shape = network.shape();
        run.marks(&shape.input, &self.marks, &mut self.trunk);
        for block in &shape.blocks {
            grid::relu(simd, &self.trunk, &mut self.active);
            run.rounded(&block.first, &self.active, &mut self.tiles, &mut self.inner);
            if let Some(pool) = &block.pool {
                grid::relu(simd, &self.inner, &mut self.active);
                grid::pool(simd, &self.active, &mut self.pooled);
                run.whole(pool, &self.pooled[..2 * shape.channels], &mut self.bias);
                grid::add_everywhere(simd, &mut self.inner, &self.bias);
            }
            grid::relu(simd, &self.inner, &mut self.active);
            run.rounded(&block.second, &self.active, &mut self.tiles, &mut self.inner);
            grid::add(simd, &mut self.trunk, &self.inner);
        }
        grid::relu(simd, &self.trunk, &mut self.active);
        run.points(&shape.head, &self.active, &mut self.heads);
        grid::relu_in_place(simd, &mut self.heads.cells);
        run.points(&shape.point, &self.heads, &mut self.outputs);
        grid::pool(simd, &self.heads, &mut self.pooled);
        run.whole(&shape.hidden, &self.pooled[..2 * HEAD], &mut self.hidden);
        grid::relu_in_place(simd, &mut self.hidden);
        run.whole(&shape.last, &self.hidden, &mut self.last);
    }

    fn read(&mut self, board: &Board, expected: Option<&Expected>) {
        let judgement = &mut self.judgement;
        judgement.to_play = board.to_play();
        let mut sum = 0.0;
        for point in board.points() {
            let place = self.outputs.at(point.column(), point.row());
            let owner = tanh(self.outputs.cells[place + OWNER]);
            judgement.owners[point] = owner;
            judgement.policy[point] =
                self.outputs.cells[place + POLICY] + strength(expected, point);
            sum += owner;
        }
        judgement.lead = sum + POINTS_PER_UNIT * self.last[LEAD];
        judgement.median = judgement.lead + POINTS_PER_UNIT * self.last[OFFSET];
        let spread = self.last[SPREAD].clamp(-MAX_LOG_SPREAD, MAX_LOG_SPREAD);
        judgement.spread = USUAL_SPREAD * exp(spread);
        judgement.policy[Point::PASS] = self.last[PASS] + strength(expected, Point::PASS);
    }
}

/// What the model of moves adds to the logit of a move: the network's policy is a correction of it.
pub fn strength(expected: Option<&Expected>, point: Point) -> f32 {
    expected.map_or(0.0, |expected| ln(expected[point].max(LEAST_EXPECTED)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::{random_network, reference};
    use crate::types::Rng;

    fn random_board(size: usize, moves: usize, rng: &mut Rng) -> Board {
        let mut board = Board::new(size);
        for _ in 0..moves {
            let empty = board.empty_points();
            let point = empty[rng.below(empty.len() as u32) as usize];
            let own_eye = board.is_eye(board.to_play(), point);
            let legal = board.is_legal(board.to_play(), point) && !own_eye;
            board.play_legal(if legal { point } else { Point::PASS });
        }
        board
    }

    #[test]
    fn the_fast_network_says_what_the_plain_one_says() {
        let mut rng = Rng::new(3);
        for (channels, blocks) in [(8, 1), (16, 2), (24, 4), (32, 2), (40, 3)] {
            let network = random_network(channels, blocks, 7);
            let mut evaluator = Evaluator::new(network.shape(), 9);
            for size in [9, 7, 8, 10, 11, 13, 19] {
                let board = random_board(size, size * size / 2, &mut rng);
                let mut expected = Expected::filled(0.001);
                board.points().for_each(|point| expected[point] = rng.unit() as f32);
                let plain = reference::judge(&network, &board, Some(&expected));
                let fast = evaluator.judge(&network, &board, Some(&expected)).unwrap();
                let close =
                    |a: f32, b: f32| assert!((a - b).abs() < 1e-3 * (1.0 + b.abs()), "{a} {b}");
                close(fast.lead, plain.lead);
                close(fast.median, plain.median);
                close(fast.spread, plain.spread);
                for point in board.points().chain([Point::PASS]) {
                    close(fast.owners[point], plain.owners[point]);
                    close(fast.policy[point], plain.policy[point]);
                }
                assert!(plain.policy[Point::new(1, 1)] != plain.policy[Point::new(3, 3)]);
            }
        }
    }

    #[test]
    fn every_machine_says_the_same_to_the_last_bit() {
        let mut rng = Rng::new(4);
        for channels in [24, 32] {
            let network = random_network(channels, 2, 5);
            let mut best = Evaluator::new(network.shape(), 9);
            let lesser = lesser_levels().into_iter();
            let mut others: Vec<Evaluator> =
                lesser.map(|level| Evaluator::with_level(network.shape(), 9, level)).collect();
            for moves in [0, 20, 40, 60] {
                let board = random_board(9, moves, &mut rng);
                let one = best.judge(&network, &board, None).unwrap().clone();
                for other in &mut others {
                    let other = other.judge(&network, &board, None).unwrap();
                    assert_eq!(one.lead.to_bits(), other.lead.to_bits());
                    assert_eq!(one.median.to_bits(), other.median.to_bits());
                    assert_eq!(one.spread.to_bits(), other.spread.to_bits());
                    assert!(one.owners == other.owners && one.policy == other.policy);
                }
            }
        }
    }

    /// Levels below that of this machine.
    fn lesser_levels() -> Vec<Level> {
        #[cfg(target_arch = "x86_64")]
        {
            let best = Level::new();
            let levels = [best.as_avx2().map(Level::Avx2), best.as_sse2().map(Level::Sse2)];
            levels.into_iter().flatten().collect()
        }
        #[cfg(not(target_arch = "x86_64"))]
        return vec![];
    }

    #[test]
    fn small_boards_are_left_to_others() {
        let network = random_network(8, 1, 1);
        let mut evaluator = Evaluator::new(network.shape(), 9);
        assert!(evaluator.judge(&network, &Board::new(6), None).is_none());
        assert!(evaluator.judge(&network, &Board::new(7), None).is_some());
    }

    /// `cargo test --release --lib net::evaluator::tests::speed -- --ignored --nocapture`
    #[test]
    #[ignore = "prints how fast this machine is"]
    fn speed() {
        let shapes =
            [(9, 24, 4), (9, 32, 4), (9, 48, 6), (9, 64, 6), (9, 96, 6), (13, 64, 6), (19, 64, 6)];
        let levels = std::iter::once(Level::new()).chain(lesser_levels());
        for (level, (size, channels, blocks)) in
            levels.flat_map(|level| shapes.map(|shape| (level, shape)))
        {
            let network = random_network(channels, blocks, 1);
            let mut evaluator = Evaluator::with_level(network.shape(), size, level);
            if !evaluator.is_fast() {
                continue;
            }
            let board = random_board(size, size * size / 2, &mut Rng::new(1));
            let mut best = f64::MAX;
            for _ in 0..2000 {
                let start = std::time::Instant::now();
                std::hint::black_box(evaluator.judge(&network, &board, None));
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!(
                "{level:?}, {size}x{size}, {channels} channels, {blocks} blocks: {} parameters, \
                 {:.1} us, {:.1} G multiply-adds/s",
                network.shape().parameters,
                1e6 * best,
                network.shape().work(size) as f64 / best / 1e9
            );
        }
    }
}
