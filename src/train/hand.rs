//! Fitting the strengths of the hand-written knowledge (`hand.*`) to the moves of games.
//!
//! A move's strength is a product of the strengths of its features ([`Hand`]), so its logarithm is a sum,
//! and the games' moves are likeliest at the one maximum that Newton's method climbs to in a few steps.
//! How often a strength counts in a move need not be written down a second time: the knowledge is asked
//! once as it is and once with that strength multiplied by e.

use super::dataset::{Source, replay};
use crate::board::Board;
use crate::params::{Overrides, Parameter, Params};
use crate::playout::{self, Limits, Ownership};
use crate::search::{Hand, children};
use crate::types::{Point, PointMap, Rng, points};
use anyhow::{Result, ensure};
use std::f64::consts::E;

/// Parts of a strength below this are rounding errors.
const NOTHING: f64 = 1e-3;
/// Newton's method ends when no logarithm of a strength changes by more than this.
const SETTLED: f64 = 1e-4;
/// Steps of Newton's method at most.
const STEPS: usize = 50;
/// The largest change of a logarithm in one step.
const STRIDE: f64 = 2.0;

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Part of the positions used.
    pub sample: f64,
    /// How firmly a strength stays what it is: as if it had been seen in so many positions.
    pub prior: f64,
    /// Seed of the sampling and of the playouts.
    pub seed: u64,
}

/// A fitted strength.
#[derive(Clone, Debug)]
pub struct Strength {
    /// The parameter.
    pub name: &'static str,
    /// Its fitted value, rounded to two digits.
    pub value: f64,
    /// Standard error of its logarithm.
    pub error: f64,
}

/// One position: what is known of each move, and which was played.
struct Case {
    /// Which strengths count in the moves, and how often, move after move.
    parts: Vec<(u8, f32)>,
    ends: Vec<u32>,
    /// The rest of each move's logarithm.
    rest: Vec<f32>,
    played: usize,
}

impl Case {
    fn parts(&self, index: usize) -> &[(u8, f32)] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.parts[start..self.ends[index] as usize]
    }

    /// The logarithm of each move's probability, given those of the strengths.
    fn log_probabilities(&self, logs: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = self.rest.iter().map(|&rest| f64::from(rest)).collect();
        for (i, value) in values.iter_mut().enumerate() {
            let parts = self.parts(i).iter();
            *value += parts.map(|&(j, part)| logs[usize::from(j)] * f64::from(part)).sum::<f64>();
        }
        let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = values.iter().map(|value| (value - top).exp()).sum();
        values.iter_mut().for_each(|value| *value -= top + sum.ln());
        values
    }
}

/// How likely the played moves are.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Positions.
    pub positions: usize,
    /// Mean log-probability of the played moves with the strengths as they were.
    pub before: f64,
    /// The same with the fitted ones, rounded.
    pub after: f64,
}

impl Fit {
    fn new(cases: &[Case], before: &[f64], after: &[f64]) -> Fit {
        let mean = |logs: &[f64]| {
            let sum: f64 = cases.iter().map(|case| case.log_probabilities(logs)[case.played]).sum();
            sum / cases.len().max(1) as f64
        };
        Fit { positions: cases.len(), before: mean(before), after: mean(after) }
    }
}

/// Fits the strengths that apply on boards of the games' size, which must all be of one. Says how likely they make the
/// moves of these games, and of others if some are given.
pub fn fit(
    source: &Source,
    others: Option<&Source>,
    settings: Settings,
) -> Result<(Vec<Strength>, Fit, Option<Fit>)> {
    let mut reader = None;
    let cases = read(source, settings, &mut reader)?;
    ensure!(reader.is_some(), "there is no game to learn from in the files given");
    ensure!(!cases.is_empty(), "no position was drawn: give more games or a larger --sample");
    let others = others.map(|others| read(others, settings, &mut reader)).transpose()?;
    let strengths = reader.map(|reader| reader.strengths).unwrap_or_default();
    let start: Vec<f64> = strengths.iter().map(|strength| strength.1.ln()).collect();
    let (logs, errors) = newton(&cases, &start, settings.prior);
    let strengths: Vec<Strength> = strengths
        .iter()
        .zip(logs.iter().zip(errors))
        .map(|(&(parameter, _), (log, error))| Strength {
            name: parameter.name,
            value: round(log.exp()),
            error,
        })
        .collect();
    let rounded: Vec<f64> = strengths.iter().map(|strength| strength.value.ln()).collect();
    let fit = |cases: &Vec<Case>| Fit::new(cases, &start, &rounded);
    Ok((strengths, fit(&cases), others.as_ref().map(fit)))
}

/// The positions drawn from some games.
fn read(source: &Source, settings: Settings, reader: &mut Option<Reader>) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let mut number = 0;
    source.for_each(|game| {
        number += 1;
        let size = usize::from(game.size);
        let reader = reader.get_or_insert_with(|| Reader::new(size, settings.seed));
        ensure!(
            reader.size == size,
            "the games are of several board sizes: choose one with --size"
        );
        let mut rng = Rng::new(settings.seed ^ number << 1);
        replay(game, |board, played| {
            if settings.sample >= 1.0 || rng.unit() < settings.sample {
                cases.extend(reader.read(board, played));
            }
        });
        Ok(true)
    })?;
    Ok(cases)
}

/// Turns positions into cases.
struct Reader {
    size: usize,
    /// The strengths and their values.
    strengths: Vec<(&'static Parameter, f64)>,
    /// The knowledge as it is, then with each strength multiplied by e.
    hands: Vec<Hand>,
    params: Params,
    rng: Rng,
}

impl Reader {
    fn new(size: usize, seed: u64) -> Reader {
        let params = Params::for_size(size);
        let strengths: Vec<_> = Params::TABLE
            .iter()
            .filter(|parameter| parameter.name.starts_with("hand."))
            .filter_map(|parameter| Some((parameter, (parameter.get)(&params).parse().ok()?)))
            .collect();
        let mut hands = vec![Hand::new(&params.hand)];
        for &(parameter, value) in &strengths {
            let mut changed = Overrides::default();
            // Ranges are far wider than a factor of e.
            let _ = changed.insert(parameter.name, &f64::to_string(&(E * value)));
            hands.push(Hand::new(&changed.resolve(size).hand));
        }
        Reader { size, strengths, hands, params, rng: Rng::new(seed) }
    }

    /// A position as a case, if the played move is one that the knowledge weighs.
    fn read(&mut self, board: &Board, played: Point) -> Option<Case> {
        let mut moves = Vec::new();
        children(board, &mut moves);
        let index = moves.iter().position(|&point| point == played)?;
        let owner = self.owner(board);
        let mut out = PointMap::filled(0.0);
        // Against the pass, so that the sum over all moves does not matter.
        let mut logs = |hand: &mut Hand| -> Vec<f64> {
            hand.weigh(board, &moves, &owner, &mut out);
            let log = |point: Point| f64::from(out[point]).ln();
            moves.iter().map(|&point| log(point) - log(Point::PASS)).collect()
        };
        let base = logs(&mut self.hands[0]);
        let changed: Vec<Vec<f64>> = self.hands[1..].iter_mut().map(&mut logs).collect();
        let mut case =
            Case { parts: Vec::new(), ends: Vec::new(), rest: Vec::new(), played: index };
        for (i, &log) in base.iter().enumerate() {
            let mut rest = log;
            for (strength, changed) in changed.iter().enumerate() {
                let part = changed[i] - log;
                if part.abs() > NOTHING {
                    case.parts.push((strength as u8, part as f32));
                    rest -= part * self.strengths[strength].1.ln();
                }
            }
            case.ends.push(case.parts.len() as u32);
            case.rest.push(rest as f32);
        }
        Some(case)
    }

    /// Whose the points are at the end of as many playouts as the search would play.
    fn owner(&mut self, board: &Board) -> PointMap<f32> {
        let mut policy = playout::by_params(&self.params.playout);
        let limits = Limits::by_params(&self.params.playout, self.size);
        let mut ownership = Ownership::new();
        let mut scratch = Board::new(self.size);
        let mut moves = Vec::new();
        for _ in 0..self.params.prior.owner_playouts {
            scratch.copy_from(board);
            moves.clear();
            policy.play_recorded(&mut scratch, &mut self.rng, limits, &mut moves);
            ownership.add(&scratch);
        }
        let mut owner = PointMap::filled(0.0);
        if self.params.prior.owner_playouts > 0 {
            points(self.size).for_each(|point| owner[point] = ownership.value(point));
        }
        owner
    }
}

/// Climbs to the likeliest logarithms of strengths; returns them with their standard errors.
fn newton(cases: &[Case], start: &[f64], prior: f64) -> (Vec<f64>, Vec<f64>) {
    let mut logs = start.to_vec();
    for step in 0.. {
        let (gradient, curvature) = slopes(cases, &logs, start, prior);
        let factor = Cholesky::new(curvature);
        let change = factor.solve(&gradient);
        let largest = change.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let scale = (STRIDE / largest).min(1.0);
        logs.iter_mut().zip(&change).for_each(|(log, c)| *log += scale * c);
        if largest < SETTLED || step == STEPS {
            let errors = (0..logs.len()).map(|i| factor.inverse_diagonal(i).sqrt()).collect();
            return (logs, errors);
        }
    }
    unreachable!("the loop ends after STEPS");
}

/// Slope and curvature of the played moves' log-likelihood, with the prior's.
fn slopes(cases: &[Case], logs: &[f64], start: &[f64], prior: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = logs.len();
    let mut gradient: Vec<f64> = logs.iter().zip(start).map(|(l, s)| prior * (s - l)).collect();
    let mut curvature = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| curvature[i][i] = prior);
    let mut mean = vec![0.0; n];
    for case in cases {
        mean.fill(0.0);
        for (i, log) in case.log_probabilities(logs).into_iter().enumerate() {
            let (probability, parts) = (log.exp(), case.parts(i));
            for &(j, a) in parts {
                let weighted = probability * f64::from(a);
                mean[usize::from(j)] += weighted;
                for &(k, b) in parts {
                    curvature[usize::from(j)][usize::from(k)] += weighted * f64::from(b);
                }
            }
        }
        for &(j, part) in case.parts(case.played) {
            gradient[usize::from(j)] += f64::from(part);
        }
        for j in (0..n).filter(|&j| mean[j] != 0.0) {
            gradient[j] -= mean[j];
            for k in 0..n {
                curvature[j][k] -= mean[j] * mean[k];
            }
        }
    }
    (gradient, curvature)
}

/// A positive definite matrix as the product of a lower triangle and its transpose.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn new(mut matrix: Vec<Vec<f64>>) -> Cholesky {
        for i in 0..matrix.len() {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
                let rest = matrix[i][j] - dot;
                matrix[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / matrix[j][j] };
            }
        }
        Cholesky(matrix)
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let lower = &self.0;
        let mut x = right.to_vec();
        for i in 0..x.len() {
            let dot: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i][i];
        }
        for i in (0..x.len()).rev() {
            let dot: f64 = (i + 1..x.len()).map(|k| lower[k][i] * x[k]).sum();
            x[i] = (x[i] - dot) / lower[i][i];
        }
        x
    }

    fn inverse_diagonal(&self, i: usize) -> f64 {
        let mut unit = vec![0.0; self.0.len()];
        unit[i] = 1.0;
        self.solve(&unit)[i]
    }
}

/// A number with two digits that count.
fn round(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_strength_of_one_feature_is_its_odds() {
        // Two moves, the first with the feature; played three times of four, so three to one.
        let case =
            |played| Case { parts: vec![(0, 1.0)], ends: vec![1, 1], rest: vec![0.0; 2], played };
        let cases: Vec<Case> = [0, 0, 0, 1].into_iter().cycle().take(4000).map(case).collect();
        let (logs, errors) = newton(&cases, &[0.0], 1e-6);
        assert!((logs[0].exp() - 3.0).abs() < 1e-3, "{logs:?}");
        // The information of 4,000 positions is 4,000 x 3/4 x 1/4.
        assert!((errors[0] - 750f64.sqrt().recip()).abs() < 1e-4, "{errors:?}");
        let fit = Fit::new(&cases, &[0.0], &logs);
        assert!((fit.before - 0.5f64.ln()).abs() < 1e-9);
        assert!((fit.after - (0.75 * 0.75f64.ln() + 0.25 * 0.25f64.ln())).abs() < 1e-6);
        // A firm prior keeps it where it was.
        assert!(newton(&cases, &[0.0], 1e6).0[0].abs() < 0.01);
    }

    #[test]
    fn equations_are_solved() {
        let matrix = vec![vec![4.0, 2.0, 0.0], vec![2.0, 5.0, 1.0], vec![0.0, 1.0, 3.0]];
        let factor = Cholesky::new(matrix);
        let solution = factor.solve(&[8.0, 15.0, 11.0]);
        for (x, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - expected).abs() < 1e-12);
        }
        assert!((factor.inverse_diagonal(0) - 14.0 / 44.0).abs() < 1e-12);
    }

    #[test]
    fn two_digits_are_kept() {
        assert_eq!([0.01234, 0.987, 9.96, 356.0].map(round), [0.012, 0.99, 10.0, 360.0]);
    }
}
