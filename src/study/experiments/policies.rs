//! Playout policies against a referee's judgement: why GoYui's rules weigh what they weigh (You 3.3.1), and why adaptive
//! patterns fail (Lew 5.2).

use crate::board::Board;
use crate::playout::{AdaptivePolicy, DynPolicy, Limits, Policy, play_out};
use crate::study::command::StudyArgs;
use crate::study::policy::{policy, sensible};
use crate::study::report::{Line, Report, Value};
use crate::study::settings::{PolicyKind, Settings};
use crate::types::{Color, Point, Rng};
use crate::workshop::measure::labels::{Labels, Needs, Position};
use crate::workshop::tools::statistics::Mean;
use crate::workshop::tools::work::position_seed;
use anyhow::Context;

/// Positions that are judged.
const POSITIONS: usize = 300;

fn positions(args: &StudyArgs) -> anyhow::Result<Labels> {
    let data = args.data.as_ref().context("give --data, positions with a referee's winrate")?;
    Labels::read(data, Needs::Judgement, Some(POSITIONS))
}

/// The share of playouts that Black wins.
fn winrate(policy: &mut dyn DynPolicy, position: &Position, playouts: u32, rng: &mut Rng) -> f64 {
    let (start, limits) = (position.board(), Limits::for_size(position.size));
    let mut board = start.clone();
    let mut wins = 0;
    for _ in 0..playouts {
        board.copy_from(&start);
        let outcome = policy.play_out(&mut board, rng, limits);
        wins += u32::from(outcome.score as f32 > position.komi);
    }
    f64::from(wins) / f64::from(playouts)
}

/// Squared errors of one policy's winrates, the same positions and seeds for all.
fn errors(
    labels: &Labels,
    playouts: u32,
    seed: u64,
    mut make: impl FnMut() -> Box<dyn DynPolicy>,
) -> Vec<f64> {
    let error = |position: &Position| {
        let mut rng = Rng::new(position_seed(seed, position.line));
        (winrate(&mut *make(), position, playouts, &mut rng) - position.winrate).powi(2)
    };
    labels.positions.iter().map(error).collect()
}

/// You 3.3.1: the rules of the default policy, one by one.
pub fn rules(args: &StudyArgs) -> anyhow::Result<Report> {
    let labels = positions(args)?;
    let playouts = args.one_playouts()?.unwrap_or(500);
    let mut report = Report::new("You 3.3.1: squared error of the playouts' winrate by policy");
    let mut light = Vec::new();
    for &(name, kind) in PolicyKind::ALL {
        let settings = Settings { policy: kind, ..Settings::default() };
        let found = errors(&labels, playouts, args.seed, || policy(&settings, None));
        let mut line = Line::new(name, "");
        line.ours.extend(fine(&found));
        match kind {
            PolicyKind::Light => light = found,
            _ => {
                let change: Vec<f64> = found.iter().zip(&light).map(|(a, b)| a - b).collect();
                let Some(value) = fine(&change) else { continue };
                let (low, high) = value.interval.unwrap_or_default();
                line.note = format!("{:+.1} ({low:+.1} .. {high:+.1}) to light", value.value);
            }
        }
        report.lines.push(line);
    }
    let count = labels.positions.len();
    report.notes.push(format!("{count} positions of {}, {playouts} playouts each.", labels.name));
    Ok(report)
}

/// A mean of small numbers.
fn fine(values: &[f64]) -> Option<Value> {
    let mean = Mean::of(values.iter().copied());
    let (low, high) = mean.interval();
    (mean.count > 1).then_some(Value {
        value: 1000.0 * mean.mean,
        interval: Some((1000.0 * low, 1000.0 * high)),
        unit: "thousandths",
    })
}

/// Results of playouts in which a pattern was on the board, and of those in which it was played.
struct Watched {
    inner: AdaptivePolicy,
    /// By pattern: how often it could be played, the sum of results, how often it was, the sum.
    seen: Vec<[f64; 4]>,
    now: Vec<(Color, u16, bool)>,
}

impl Policy for Watched {
    fn begin(&mut self, board: &Board) {
        self.now.clear();
        self.inner.begin(board);
    }

    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        let color = board.to_play();
        let first = self.now.len();
        for point in sensible(board) {
            self.now.push((color, self.inner.pattern(board, color, point), false));
        }
        let before = board.clone();
        let played = self.inner.play_move(board, rng);
        if !played.is_pass() {
            let pattern = self.inner.pattern(&before, color, played);
            if let Some(entry) = self.now[first..].iter_mut().find(|entry| entry.1 == pattern) {
                entry.2 = true;
            }
        }
        played
    }

    fn end(&mut self, board: &Board, outcome: crate::playout::Outcome) {
        let points = (board.size() * board.size()) as f64;
        for &(color, pattern, played) in &self.now {
            let result = f64::from(outcome.score * color.sign()) / points;
            let sums = &mut self.seen[usize::from(pattern)];
            sums[0] += 1.0;
            sums[1] += result;
            if played {
                sums[2] += 1.0;
                sums[3] += result;
            }
        }
        self.inner.end(board, outcome);
    }
}

/// The correlation of two columns.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        pairs.iter().map(|pair| of(pair.0 - a, pair.1 - b)).sum::<f64>()
    };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

/// Lew 5.2: what the weight of a pattern says.
pub fn adaptive(args: &StudyArgs) -> anyhow::Result<Report> {
    let labels = positions(args)?;
    let playouts = args.one_playouts()?.unwrap_or(300);
    let mut report = Report::new("Lew 5.2: what the weights of adaptive patterns say");
    let (mut pairs, mut spread) = (Vec::new(), [Vec::new(), Vec::new()]);
    for position in labels.positions.iter().step_by(10) {
        let mut rng = Rng::new(position_seed(args.seed, position.line));
        let inner = AdaptivePolicy::default();
        let mut policy = Watched { inner, seen: vec![[0.0; 4]; 1 << 16], now: Vec::new() };
        let (start, limits) = (position.board(), Limits::for_size(position.size));
        let mut board = start.clone();
        for _ in 0..playouts {
            board.copy_from(&start);
            play_out(&mut policy, &mut board, &mut rng, limits, |_, _| ());
        }
        for [seen, around, made, result] in policy.seen {
            if made >= 30.0 {
                let (there, played) = (around / seen, result / made);
                pairs.push((there, played));
                spread[0].push(there * there);
                spread[1].push((played - there).powi(2));
            }
        }
    }
    let root = |values: &[f64]| (values.iter().sum::<f64>() / values.len().max(1) as f64).sqrt();
    let name = "correlation of the mean result when a pattern is played and when it is there";
    report.exact(name, "", correlation(&pairs), "");
    let name = "spread of the results when a pattern is there: the circumstances";
    report.exact(name, "", 100.0 * root(&spread[0]), "% of the board");
    let name = "spread of what playing it adds: the move";
    report.exact(name, "", 100.0 * root(&spread[1]), "% of the board");
    report.notes.push(format!(
        "{} patterns played at least 30 times in {playouts} playouts from each of {} positions of {}.",
        pairs.len(),
        labels.positions.len().div_ceil(10),
        labels.name
    ));
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_by_hand() {
        assert!((correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]) - 1.0).abs() < 1e-12);
        assert!((correlation(&[(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)])).abs() < 1e-12);
    }

    #[test]
    fn without_positions_there_is_a_sentence() {
        let error = rules(&StudyArgs::default()).unwrap_err().to_string();
        assert_eq!(error, "give --data, positions with a referee's winrate");
    }
}
