//! Simulation balancing (Silver and Tesauro; Huang, Coulom and Lin; Hsu's and Baudis' slides): gammas whose playouts end
//! right on average, not gammas that play good moves.
//!
//! For each position with a referee's value V* half of the playouts estimate V, the other half the slope of V:
//!
//! ```text
//! V = mean of z            g = mean of (z - V) sum over its moves of psi(s, a)
//! psi(s, a) = phi(s, a) - sum over all moves b of pi(s, b) phi(s, b)
//! theta <- theta + rate (V* - V) g
//! ```
//!
//! z is 1 if Black wins and 0 if not, phi the features of a move (surroundings and local ones, as the playouts have
//! them), pi the softmax of their weights theta. Taking V off changes nothing on average and calms g: both halves are
//! independent. Weights that never get a gradient keep what they began with.

use super::fbt::softmax;
use super::playout::{Moves, classes, ids, rate_moves};
use crate::board::Board;
use crate::knowledge::gammas::{Gammas, LOCALS, Local, SURROUNDINGS};
use crate::playout::Limits;
use crate::types::{Point, Rng};
use crate::workshop::measure::labels::{Labels, Needs, Position};
use crate::workshop::tools::work::{drawn, position_seed};
use anyhow::{Result, ensure};
use std::path::Path;

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the positions.
    pub passes: usize,
    /// Playouts from each position, half for the value and half for its slope.
    pub playouts: usize,
    /// Step size.
    pub rate: f32,
    /// Seed of the playouts.
    pub seed: u64,
}

/// Weights, and a sum of gradients of some of them.
struct Balancer {
    classes: Vec<u32>,
    weights: Vec<f32>,
    slope: Vec<f32>,
    touched: Vec<u32>,
    moves: Moves,
}

/// What one playout did.
struct Played {
    black_won: bool,
    /// The sum of psi over its moves, by feature.
    psi: Vec<(u32, f32)>,
}

impl Balancer {
    fn new(gammas: &Gammas) -> Balancer {
        let shapes = gammas.shape.iter().map(|gamma| gamma.ln());
        Balancer {
            classes: classes(),
            weights: shapes.chain(gammas.locals.iter().map(|gamma| gamma.ln())).collect(),
            slope: vec![0.0; SURROUNDINGS + LOCALS],
            touched: Vec::new(),
            moves: Moves::default(),
        }
    }

    /// Plays to the end by the weights; adds up psi if that is wanted.
    fn play(&mut self, start: &Board, komi: f32, rng: &mut Rng, with_psi: bool) -> Played {
        let mut board = start.clone();
        let (mut passes, mut left) = (0, Limits::for_size(start.size()).max_moves);
        while passes < 2 && left > 0 {
            left -= 1;
            self.moves.fill(&board, &self.classes);
            let chosen = self.draw(rng);
            let point = chosen.map_or(Point::PASS, |index| self.moves.points[index]);
            if let (true, Some(index)) = (with_psi, chosen) {
                self.add_psi(index);
            }
            board.play_legal(point);
            passes = if point.is_pass() { passes + 1 } else { 0 };
        }
        let slope = &mut self.slope;
        let psi = self.touched.drain(..).map(|id| (id, std::mem::take(&mut slope[id as usize])));
        let psi = psi.filter(|&(_, value)| value != 0.0).collect();
        Played { black_won: board.playout_score() as f32 > komi, psi }
    }

    /// A move by its probability; the probabilities stay in place of the strengths.
    fn draw(&mut self, rng: &mut Rng) -> Option<usize> {
        let weights = &self.weights;
        rate_moves(&mut self.moves, |id| weights[id]);
        softmax(&mut self.moves.strengths);
        let drawn = drawn(rng.unit() as f32, self.moves.strengths.iter().copied());
        drawn.or(self.moves.strengths.len().checked_sub(1))
    }

    /// Adds psi of a move: its own features, less those of all moves by their probabilities.
    fn add_psi(&mut self, chosen: usize) {
        let Balancer { moves, slope, touched, .. } = self;
        for (index, &(shape, bits)) in moves.features.iter().enumerate() {
            let share = f32::from(u8::from(index == chosen)) - moves.strengths[index];
            for id in ids(shape, bits) {
                touched.push(id as u32);
                slope[id] += share;
            }
        }
    }

    /// Black's share of wins in some playouts.
    fn value(&mut self, board: &Board, komi: f32, playouts: usize, rng: &mut Rng) -> f32 {
        let wins = (0..playouts).filter(|_| self.play(board, komi, rng, false).black_won).count();
        wins as f32 / playouts as f32
    }

    /// Learns from one position; gives the value before.
    fn learn(&mut self, position: &Position, half: usize, rate: f32, rng: &mut Rng) -> f32 {
        let (board, komi) = (position.board(), position.komi);
        let value = self.value(&board, komi, half, rng);
        let slopes: Vec<Played> = (0..half).map(|_| self.play(&board, komi, rng, true)).collect();
        let error = position.winrate as f32 - value;
        for Played { black_won, psi } in slopes {
            let result = f32::from(u8::from(black_won)) - value;
            for (id, psi) in psi {
                self.weights[id as usize] += rate * error * result * psi / half as f32;
            }
        }
        value
    }

    fn gammas(&self) -> Gammas {
        let mut gammas = Gammas::default();
        for (index, &class) in self.classes.iter().enumerate() {
            gammas.shape[index] = self.weights[class as usize].exp();
        }
        for local in Local::ALL {
            gammas.locals[local as usize] = self.weights[SURROUNDINGS + local as usize].exp();
        }
        gammas
    }
}

/// The judged positions of a file.
pub fn read(path: &Path, limit: Option<usize>) -> Result<Vec<Position>> {
    Ok(Labels::read(path, Needs::Judgement, limit)?.positions)
}

/// Balances gammas and prints how it goes and what came of it.
pub fn run(
    start: &Gammas,
    positions: &[Position],
    valid: Option<&[Position]>,
    settings: Settings,
) -> Result<Gammas> {
    println!("positions: {}", positions.len());
    let gammas = learn(start, positions, settings, |pass, error| {
        println!("pass {}: squared error {error:.4}", pass + 1);
    });
    for local in Local::ALL {
        let (old, new) = (start.locals[local as usize], gammas.locals[local as usize]);
        println!("{}: {old:.3} -> {new:.3}", local.name());
    }
    let bad = gammas.shape.iter().chain(&gammas.locals).any(|gamma| !gamma.is_finite());
    ensure!(!bad, "the training ran away; give a smaller --rate");
    if let Some(valid) = valid {
        let Settings { playouts, seed, .. } = settings;
        println!("validation positions: {}", valid.len());
        println!("squared error before: {:.4}", error(start, valid, playouts, seed));
        println!("squared error after: {:.4}", error(&gammas, valid, playouts, seed));
    }
    Ok(gammas)
}

/// Balances gammas on positions; reports the mean squared error of the values after every pass.
pub fn learn(
    start: &Gammas,
    positions: &[Position],
    settings: Settings,
    mut report: impl FnMut(usize, f64),
) -> Gammas {
    let mut balancer = Balancer::new(start);
    let half = (settings.playouts / 2).max(1);
    for pass in 0..settings.passes {
        let mut order: Vec<usize> = (0..positions.len()).collect();
        Rng::new(settings.seed ^ pass as u64).shuffle(&mut order);
        let mut sum = 0.0;
        for index in order {
            let position = &positions[index];
            let mut rng =
                Rng::new(position_seed(settings.seed ^ (pass as u64) << 32, position.line));
            let value = balancer.learn(position, half, settings.rate, &mut rng);
            sum += (f64::from(value) - position.winrate).powi(2);
        }
        report(pass, sum / positions.len().max(1) as f64);
    }
    balancer.gammas()
}

/// The mean squared error of playouts by these gammas against the referee.
pub fn error(gammas: &Gammas, positions: &[Position], playouts: usize, seed: u64) -> f64 {
    let mut balancer = Balancer::new(gammas);
    let square = |position: &Position| {
        let mut rng = Rng::new(position_seed(seed, position.line));
        let value = balancer.value(&position.board(), position.komi, playouts, &mut rng);
        (f64::from(value) - position.winrate).powi(2)
    };
    positions.iter().map(square).sum::<f64>() / positions.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balancer() -> Balancer {
        Balancer::new(&Gammas::default())
    }

    #[test]
    fn psi_by_hand() {
        let mut balancer = balancer();
        // Two moves with probabilities 3/4 and 1/4; the first has a local feature too.
        balancer.moves.features = vec![(5, Local::Atari.bit()), (6, 0)];
        balancer.moves.strengths = vec![0.75, 0.25];
        balancer.add_psi(0);
        let local = SURROUNDINGS + Local::Atari as usize;
        assert_eq!([5, 6, local].map(|id| balancer.slope[id]), [0.25, -0.25, 0.25]);
        balancer.add_psi(1);
        assert_eq!([5, 6, local].map(|id| balancer.slope[id]), [-0.5, 0.5, -0.5]);
    }

    /// A position whose winner the next move decides: balancing moves V towards what it is told.
    #[test]
    fn values_move_towards_the_referee() {
        for (told, sign) in [(0.95, 1.0), (0.05, -1.0)] {
            let line = format!(
                r#"{{"size":5,"komi":0.5,"moves":"C3 C2 D2 B3","first":"b","winrate":{told}}}"#
            );
            let position = Position::parse(&line, Needs::Nothing).unwrap();
            let settings = Settings { passes: 12, playouts: 100, rate: 5.0, seed: 7 };
            let positions = [position];
            let before = error(&Gammas::default(), &positions, 400, 3);
            let gammas = learn(&Gammas::default(), &positions, settings, |_, _| ());
            let after = error(&gammas, &positions, 400, 3);
            assert!(after < before, "{after} after {before} towards {sign}");
        }
    }
}
