//! What the trainers have in common, and the loop that drives them.

use super::checkpoint::{self, Best, Fingerprint, Place};
use super::dataset::Source;
use super::evaluate::{Accuracy, evaluate};
use super::lmp::Belief;
use super::position::Position;
use super::stream::{Event, Sampling, stream};
use crate::knowledge::Model;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Games of the validation within a pass: a glance, for the curve.
const GLANCE: usize = 200;

/// Where a training run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Passes over the games before this one.
    pub pass: usize,
    /// Part of the whole training that is done, 0 to 1.
    pub done: f32,
}

/// A trainer: learns from positions one by one.
pub trait Learner {
    /// Learns from a position; gives the loss before learning (minus the logarithm of the
    /// probability of the played move, or what the trainer has in its place).
    fn learn(&mut self, position: &Position, progress: Progress) -> f32;

    /// A pass over the games has ended.
    fn end_pass(&mut self) {}

    /// How well it predicts up to `limit` games, if it knows more than its model can hold.
    fn measure(&mut self, _source: &Source, _limit: usize) -> Option<Result<Accuracy>> {
        None
    }

    /// Does the state hold all that was learned from the games of an unfinished pass? If not, an
    /// interrupted pass is begun again.
    fn resumes_within_a_pass(&self) -> bool {
        true
    }

    /// Must every pass bring the same positions in the same order? Otherwise each pass draws and
    /// shuffles its own.
    fn repeats_positions(&self) -> bool {
        false
    }

    /// The model as learned so far.
    fn model(&self) -> Model;

    /// What is believed of the features that were met, by name, where the trainer has beliefs.
    fn beliefs(&self) -> Vec<(String, Belief)> {
        Vec::new()
    }

    /// Everything that training needs to go on from here.
    fn state(&self) -> Vec<u8>;

    /// Takes up such a state; false if it is not one of this trainer with these patterns.
    fn restore(&mut self, state: &[u8]) -> bool;
}

/// How a training run goes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The games to learn from.
    pub source: Source,
    /// Number of games in a pass.
    pub games: usize,
    /// Passes at most.
    pub passes: usize,
    /// Part of the positions that is used in each pass.
    pub rate: f64,
    /// Threads.
    pub threads: usize,
    /// Seed of sampling.
    pub seed: u64,
    /// Games for validation, if any.
    pub validation: Option<Source>,
    /// Validate after so many games (and after every pass).
    pub validate_every: usize,
    /// Stop when the accuracy has not risen for so many passes.
    pub patience: usize,
    /// What else decides the result: the trainer and its options, in any words. A checkpoint that
    /// was written with others is refused.
    pub options: String,
    /// Where to keep the state, and after how many games to write it.
    pub checkpoint: Option<(PathBuf, usize)>,
}

/// One point of the learning curve.
#[derive(Clone, Debug)]
pub struct CurvePoint {
    /// Games learned from.
    pub games: usize,
    /// Seconds since the start (of the part after the last restart).
    pub seconds: f64,
    /// Mean training loss since the point before.
    pub loss: f64,
    /// Validation accuracy.
    pub accuracy: Option<Accuracy>,
}

/// Runs a training to its end; gives the best model on the validation games (or the last one).
pub fn train(
    learner: &mut dyn Learner,
    plan: &Plan,
    mut report: impl FnMut(&CurvePoint),
) -> Result<Model> {
    let mut training = Training::begin(learner, plan)?;
    while training.at.pass < plan.passes && training.best.passes_since < plan.patience.max(1) {
        let sampling = Sampling { rate: plan.rate, seed: plan.seed, skip: training.at.games };
        let patterns = training.learner.model().patterns().clone();
        let order = if training.learner.repeats_positions() { 0 } else { training.at.pass };
        stream(&plan.source, order, sampling, &patterns, plan.threads, |event| {
            match event {
                Event::Position(position) => training.learn(position),
                Event::GameEnd => training.end_game(&mut report)?,
            }
            Ok(true)
        })?;
        training.end_pass(&mut report)?;
    }
    training.bar.finish_and_clear();
    Ok(Model::parse(&training.best.model)?)
}

/// A training under way.
struct Training<'a> {
    learner: &'a mut dyn Learner,
    plan: &'a Plan,
    /// Where the state is kept, after how many games it is written, and which training it belongs to.
    checkpoint: Option<(&'a Path, usize, Fingerprint)>,
    at: Place,
    best: Best,
    start: Instant,
    /// Sum of the losses since the last point of the curve, and of how many positions.
    loss: (f64, usize),
    bar: ProgressBar,
    /// The last accuracy, as the bar shows it.
    validated: String,
}

impl<'a> Training<'a> {
    /// A training from its beginning, or from where its checkpoint is.
    fn begin(learner: &'a mut dyn Learner, plan: &'a Plan) -> Result<Training<'a>> {
        let checkpoint = match &plan.checkpoint {
            Some((path, every)) => Some((path.as_path(), *every, Fingerprint::of(plan)?)),
            None => None,
        };
        let (mut at, best) = match checkpoint {
            Some((path, _, owner)) if path.exists() => checkpoint::read(path, owner, learner)?,
            _ => Default::default(),
        };
        if !learner.resumes_within_a_pass() {
            at.games = 0;
        }
        let bar = ProgressBar::new((plan.games * plan.passes) as u64);
        bar.set_style(ProgressStyle::with_template(
            "{bar:24} {pos}/{len} games {per_sec} {msg} eta {eta}",
        )?);
        bar.set_position((at.pass * plan.games + at.games) as u64);
        let (start, loss, validated) = (Instant::now(), (0.0, 0), String::new());
        Ok(Training { learner, plan, checkpoint, at, best, start, loss, bar, validated })
    }

    /// Games learned from, over all passes.
    fn games(&self) -> usize {
        self.at.pass * self.plan.games + self.at.games
    }

    fn mean_loss(&self) -> f64 {
        self.loss.0 / self.loss.1.max(1) as f64
    }

    fn learn(&mut self, position: &Position) {
        let done = self.games() as f32 / (self.plan.games * self.plan.passes) as f32;
        let progress = Progress { pass: self.at.pass, done };
        self.loss.0 += f64::from(self.learner.learn(position, progress));
        self.loss.1 += 1;
    }

    fn end_game(&mut self, report: &mut impl FnMut(&CurvePoint)) -> Result<()> {
        self.at.games += 1;
        self.bar.inc(1);
        if self.at.games.is_multiple_of(50) {
            self.bar.set_message(format!("loss {:.4} {}", self.mean_loss(), self.validated));
        }
        let is_due = self.at.games.is_multiple_of(self.plan.validate_every.max(1));
        if is_due && self.at.games < self.plan.games {
            report(&self.measure(GLANCE)?);
        }
        match self.checkpoint {
            Some((_, every, _)) if self.at.games.is_multiple_of(every.max(1)) => self.keep(),
            _ => Ok(()),
        }
    }

    fn end_pass(&mut self, report: &mut impl FnMut(&CurvePoint)) -> Result<()> {
        self.learner.end_pass();
        self.at = Place { pass: self.at.pass + 1, games: 0 };
        let point = self.measure(usize::MAX)?;
        // Without validation the last model is the best.
        let top = point.accuracy.as_ref().map_or(self.at.pass as f64, |a| a.top(1));
        report(&point);
        if self.best.model.is_empty() || top > self.best.top {
            self.best = Best { top, passes_since: 0, model: self.learner.model().to_bytes() };
        } else {
            self.best.passes_since += 1;
        }
        self.keep()
    }

    /// The next point of the curve, by up to `limit` of the validation games.
    fn measure(&mut self, limit: usize) -> Result<CurvePoint> {
        let accuracy = match &self.plan.validation {
            Some(source) => Some(measured(self.learner, source, limit)?),
            None => None,
        };
        if let Some(accuracy) = &accuracy {
            self.validated = format!("top-1 {:.2} %", 100.0 * accuracy.top(1));
        }
        let loss = self.mean_loss();
        self.loss = (0.0, 0);
        let seconds = self.start.elapsed().as_secs_f64();
        Ok(CurvePoint { games: self.games(), seconds, loss, accuracy })
    }

    /// Writes the checkpoint, if one is wanted.
    fn keep(&self) -> Result<()> {
        match self.checkpoint {
            Some((path, _, owner)) => {
                checkpoint::write(path, owner, self.learner, self.at, &self.best)
            }
            None => Ok(()),
        }
    }
}

/// What the learner says of itself, or else what its model can do.
pub(super) fn measured(
    learner: &mut dyn Learner,
    source: &Source,
    limit: usize,
) -> Result<Accuracy> {
    match learner.measure(source, limit) {
        Some(accuracy) => accuracy,
        None => evaluate(&learner.model(), source, limit),
    }
}

/// Numbers as the bytes of a state.
pub(super) fn float_bytes(values: impl Iterator<Item = f32>) -> Vec<u8> {
    values.flat_map(f32::to_le_bytes).collect()
}

/// The numbers in a state; none if there are bytes left over.
pub(super) fn floats(state: &[u8]) -> Vec<f32> {
    match state.as_chunks::<4>() {
        (fours, []) => fours.iter().map(|&four| f32::from_le_bytes(four)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::{Dictionary, Kind, features};

    /// Counts what it is given; its model says nothing.
    #[derive(Default)]
    struct Counter {
        positions: usize,
        passes: usize,
        last: f32,
    }

    impl Learner for Counter {
        fn learn(&mut self, _: &Position, progress: Progress) -> f32 {
            assert_eq!(progress.pass, self.passes);
            assert!((0.0..1.0).contains(&progress.done) && progress.done >= self.last);
            self.last = progress.done;
            self.positions += 1;
            1.0
        }

        fn end_pass(&mut self) {
            self.passes += 1;
        }

        fn model(&self) -> Model {
            let none = Dictionary::from_sorted(std::iter::empty());
            Model::new(Kind::Mm, vec![0.0; features::COUNT], 0, Vec::new(), none)
        }

        fn state(&self) -> Vec<u8> {
            Vec::new()
        }

        fn restore(&mut self, _: &[u8]) -> bool {
            true
        }
    }

    #[test]
    fn passes_end_when_nothing_gets_better() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sgfs");
        std::fs::write(&file, "(;SZ[9]RE[B+R];B[ee];W[ec];B[ge];W[gc])\n".repeat(2)).unwrap();
        let source = Source::new(&[file]);
        let plan = Plan {
            source: source.clone(),
            games: 2,
            passes: 10,
            rate: 1.0,
            threads: 1,
            seed: 1,
            validation: None,
            validate_every: 1,
            patience: 3,
            options: String::new(),
            checkpoint: None,
        };
        let mut all = Counter::default();
        let mut curve = Vec::new();
        train(&mut all, &plan, |point| curve.push((point.games, point.loss))).unwrap();
        assert_eq!((all.passes, all.positions), (10, 80), "without validation every pass counts");
        assert_eq!(curve.len(), 20, "after every game and every pass");
        assert_eq!((curve[0], curve[1]), ((1, 1.0), (2, 1.0)));
        // The first pass is the best of equals, then patience runs out.
        let mut some = Counter::default();
        train(&mut some, &Plan { validation: Some(source), ..plan }, |_| ()).unwrap();
        assert_eq!(some.passes, 1 + 3);
    }

    #[test]
    fn states_are_numbers_or_nothing() {
        let bytes = float_bytes([1.5, -2.0].into_iter());
        assert_eq!(floats(&bytes), [1.5, -2.0]);
        assert!(floats(&bytes[1..]).is_empty());
    }
}
