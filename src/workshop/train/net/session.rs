//! A training from first to last pass: the order of the positions, batches, steps, validation.
//!
//! Everything random follows from the seed and the number of the pass, and all sums have an order
//! of their own, so that the same command gives the same file on every machine; a training that was
//! interrupted goes on from its checkpoint as if nothing had happened.

use super::super::checkpoint::Hash;
use super::backward::Pupil;
use super::batch::{Draw, Lesson, PARTS, Part, learn_batch};
use super::checkpoint;
use super::data::Sample;
use super::games::Played;
use super::loss::{Errors, Weights};
use super::optimizer::{Adam, Schedule};
use crate::knowledge::net::{Network, Shape};
use crate::types::Rng;
use crate::workshop::tools::figures::rounded;
use crate::workshop::tools::work::progress_bar;
use anyhow::{Result, ensure};
use fearless_simd::Level;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Instant;

/// How a network is trained.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Channels of the trunk.
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Positions of a step.
    pub batch: usize,
    /// Passes over the positions.
    pub passes: usize,
    /// The largest step.
    pub rate: f32,
    /// Weight decay.
    pub decay: f32,
    /// What counts how much.
    pub weights: Weights,
    /// Seed of everything random.
    pub seed: u64,
    /// Positions of games for each judged position.
    pub games_share: f64,
    /// The network to begin with, in place of a random one.
    pub start: Option<Network>,
    /// Threads that learn; the result does not depend on them.
    pub threads: usize,
    /// Where the state is kept after every pass.
    pub checkpoint: Option<PathBuf>,
    /// Stop after so many passes of this run, to go on later.
    pub stop_after: Option<usize>,
}

/// Where a training stood after a pass.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Passes done.
    pub pass: usize,
    /// Seconds of this run.
    pub seconds: f64,
    /// Mean loss of the pass, on the positions before they were learned.
    pub loss: f64,
    /// Squared error of the winrate in the pass.
    pub winrate: f64,
    /// The same on the validation set, and its other errors.
    pub valid: Option<Valid>,
}

/// Errors on positions of games that were not learned from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Valid {
    /// Positions.
    pub positions: usize,
    /// Mean loss.
    pub loss: f64,
    /// Squared error of the winrate.
    pub winrate_squared_error: f64,
    /// Squared error of the owners.
    pub owners_squared_error: f64,
    /// Absolute error of the lead in points.
    pub lead_error: f64,
    /// Cross-entropy of the moves in nats.
    pub policy_cross_entropy: f64,
    /// Percent of the positions in which the likeliest move is the referee's.
    pub policy_top1: f64,
}

impl Valid {
    /// Means over the positions.
    pub fn new(errors: &Errors) -> Valid {
        let means = errors.means();
        Valid {
            positions: means.positions as usize,
            loss: digits(means.loss),
            winrate_squared_error: digits(means.winrate),
            owners_squared_error: digits(means.owners),
            lead_error: digits(means.lead),
            policy_cross_entropy: digits(means.policy),
            policy_top1: digits(100.0 * means.top),
        }
    }
}

/// Rounded to what can be known, and to what a checkpoint keeps without a change.
fn digits(value: f64) -> f64 {
    rounded(value, 4)
}

/// The errors of a network on positions.
pub fn measure(network: &Network, samples: &[Sample], weights: &Weights) -> Errors {
    let mut pupil = Pupil::new(network.shape(), Level::new());
    let mut errors = Errors::default();
    for sample in samples {
        errors.add(&pupil.measure(network, (sample, 0), weights));
    }
    errors
}

/// Random weights of the size that lets numbers pass through all layers without growing.
pub fn first_network(shape: &Shape, seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut parameters = vec![0.0; shape.parameters];
    let mut fill = |layer: &crate::knowledge::net::shape::Layer, part: f64| {
        let scale = part * (6.0 / (layer.taps() * layer.inputs) as f64).sqrt();
        for parameter in &mut parameters[layer.weights()] {
            *parameter = (scale * (2.0 * rng.unit() - 1.0)) as f32;
        }
    };
    fill(&shape.input, 1.0);
    for block in &shape.blocks {
        fill(&block.first, 1.0);
        fill(&block.second, 0.3); // what a block adds is small at first
        if let Some(pool) = &block.pool {
            fill(pool, 0.2);
        }
    }
    fill(&shape.head, 1.0);
    fill(&shape.hidden, 1.0);
    fill(&shape.point, 0.2);
    fill(&shape.last, 0.1);
    let network = Network::new(shape.clone(), parameters);
    network.unwrap_or_else(|| unreachable!("the vector was made for this shape"))
}

/// What there is to learn from.
#[derive(Clone, Copy)]
pub struct Material<'a> {
    /// Positions that a referee judged.
    pub samples: &'a [Sample],
    /// Games; one position of each that a pass comes to.
    pub games: &'a [Played],
    /// Judged positions to measure by.
    pub valid: &'a [Sample],
}

impl Material<'_> {
    /// How many positions of games a pass learns from.
    fn played(&self, settings: &Settings) -> usize {
        match self.games.len() {
            0 => 0,
            _ => (settings.games_share * self.samples.len() as f64).round() as usize,
        }
    }

    /// The positions of a pass in a random order: all judged ones, and one of each of the games that
    /// come next.
    fn lessons(&self, settings: &Settings, pass: usize, rng: &mut Rng) -> Vec<Lesson> {
        let mut lessons: Vec<Lesson> = (0..self.samples.len()).map(Lesson::Judged).collect();
        let count = self.played(settings);
        if count > 0 {
            let mut order: Vec<usize> = (0..self.games.len()).collect();
            Rng::new(settings.seed).shuffle(&mut order);
            let numbers = (pass * count..(pass + 1) * count).map(|n| order[n % order.len()]);
            lessons.extend(numbers.map(Lesson::Played));
        }
        rng.shuffle(&mut lessons);
        lessons
    }
}

/// What a training has come to.
pub(super) struct State {
    pub(super) network: Network,
    pub(super) adam: Adam,
    /// Passes.
    pub(super) done: usize,
    pub(super) curve: Vec<CurvePoint>,
}

impl State {
    /// The state in the checkpoint if there is one, else the first.
    fn begin(settings: &Settings, shape: &Shape, fingerprint: u64) -> Result<State> {
        let network = match &settings.start {
            Some(start) => start.clone(),
            None => first_network(shape, settings.seed),
        };
        ensure!(
            network.shape() == shape,
            "--start has another shape; give its channels and blocks"
        );
        let adam = Adam::new(shape.parameters);
        let mut state = State { network, adam, done: 0, curve: vec![] };
        if let Some(path) = settings.checkpoint.as_ref().filter(|path| path.exists()) {
            checkpoint::load(path, fingerprint, &mut state)?;
        }
        Ok(state)
    }
}

/// Trains a network. `report` hears of every pass; gives the network and the curve, or nothing if
/// it was stopped before the last pass.
pub fn train(
    settings: &Settings,
    material: Material,
    mut report: impl FnMut(&CurvePoint),
) -> Result<Option<(Network, Vec<CurvePoint>)>> {
    let Some(shape) = Shape::new(settings.channels, settings.blocks) else {
        anyhow::bail!("a network of this shape cannot be");
    };
    let Material { samples, valid, .. } = material;
    ensure!(settings.batch >= 1 && !samples.is_empty(), "there is nothing to learn from");
    let lessons = samples.len() + material.played(settings);
    let batches = lessons.div_ceil(settings.batch);
    let schedule = Schedule {
        rate: settings.rate,
        decay: settings.decay,
        steps: (batches * settings.passes) as u64,
    };
    let fingerprint = fingerprint(settings, &material);
    let mut state = State::begin(settings, &shape, fingerprint)?;
    let start = Instant::now();
    let mut parts: Vec<Part> = (0..PARTS).map(|_| Part::new(&shape)).collect();
    let threads = settings.threads.clamp(1, PARTS);
    let end = settings.stop_after.map_or(settings.passes, |n| settings.passes.min(state.done + n));
    while state.done < end {
        let mut errors = Errors::default();
        let mut rng = Rng::stream(settings.seed, state.done + 1);
        let order = material.lessons(settings, state.done, &mut rng);
        let bar = progress_bar(order.len(), &format!("pass {}", state.done + 1));
        for batch in order.chunks(settings.batch) {
            let draws: Vec<Draw> = batch
                .iter()
                .map(|&lesson| Draw { lesson, symmetry: rng.below(8) as usize, seed: rng.bits() })
                .collect();
            let State { network, adam, .. } = &mut state;
            learn_batch(&mut parts, threads, network, &material, &settings.weights, &draws);
            errors.add(&parts[0].errors);
            let gradient = parts[0].gradient.finish(&shape);
            network.update(|parameters| adam.step(parameters, gradient, batch.len(), &schedule));
            bar.inc(batch.len() as u64);
        }
        bar.finish_and_clear();
        state.done += 1;
        let means = errors.means();
        ensure!(means.loss.is_finite(), "the training ran away; give a smaller --rate");
        let point = CurvePoint {
            pass: state.done,
            seconds: start.elapsed().as_secs_f64(),
            loss: digits(means.loss),
            winrate: digits(means.winrate),
            valid: (!valid.is_empty())
                .then(|| Valid::new(&measure(&state.network, valid, &settings.weights))),
        };
        report(&point);
        state.curve.push(point);
        if let Some(path) = &settings.checkpoint {
            checkpoint::save(path, fingerprint, &state)?;
        }
    }
    Ok((state.done >= settings.passes).then_some((state.network, state.curve)))
}

/// A number that changes with whatever changes a training, but for its length.
fn fingerprint(settings: &Settings, material: &Material) -> u64 {
    let Settings { channels, blocks, batch, rate, decay, weights, seed, games_share, .. } =
        settings;
    let samples = material.samples;
    let text = format!(
        "{channels} {blocks} {batch} {rate} {decay} {weights:?} {seed} {games_share} {:?} {} {}",
        crate::knowledge::net::planes::NAMES,
        samples.len(),
        material.games.len()
    );
    let mut hash = Hash::default();
    hash.add(text.as_bytes());
    for parameter in settings.start.iter().flat_map(|start| start.parameters()) {
        hash.add(&parameter.to_le_bytes());
    }
    for sample in samples {
        let own = [sample.winrate.to_bits(), sample.margin.to_bits(), sample.seen.marks[0]];
        own.iter().for_each(|part| hash.add(&part.to_le_bytes()));
    }
    hash.0
}

#[cfg(test)]
mod tests {
    use super::super::data::made_up;
    use super::*;

    fn settings(passes: usize) -> Settings {
        Settings {
            channels: 8,
            blocks: 2,
            batch: 8,
            passes,
            rate: 0.005,
            decay: 0.0,
            weights: Weights::default(),
            seed: 4,
            checkpoint: None,
            stop_after: None,
            games_share: 0.0,
            start: None,
            threads: 1,
        }
    }

    fn judged<'a>(samples: &'a [Sample], valid: &'a [Sample]) -> Material<'a> {
        Material { samples, games: &[], valid }
    }

    #[test]
    fn training_learns_what_it_is_told_and_is_deterministic() {
        let samples = made_up(20, 7, 3);
        let mut losses = vec![];
        let trained = train(&settings(120), judged(&samples, &[]), |point| losses.push(point.loss));
        let first = trained.unwrap().unwrap().0;
        assert!(losses[119] < 0.75 * losses[0], "{} {}", losses[0], losses[119]);
        let on_three = Settings { threads: 3, ..settings(120) };
        let again = train(&on_three, judged(&samples, &[]), |_| ()).unwrap().unwrap().0;
        assert_eq!(first.parameters(), again.parameters());
    }

    #[test]
    fn an_interrupted_training_goes_on_exactly() {
        let samples = made_up(20, 7, 3);
        let whole = train(&settings(4), judged(&samples, &samples[..3]), |_| ()).unwrap().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = Some(folder.path().join("state.tgc"));
        let part = Settings { checkpoint: checkpoint.clone(), stop_after: Some(3), ..settings(4) };
        assert!(train(&part, judged(&samples, &samples[..3]), |_| ()).unwrap().is_none());
        let rest = Settings { checkpoint: checkpoint.clone(), ..settings(4) };
        let mut passes = 0;
        let resumed =
            train(&rest, judged(&samples, &samples[..3]), |_| passes += 1).unwrap().unwrap();
        assert_eq!(passes, 1);
        assert_eq!(whole.0.parameters(), resumed.0.parameters());
        let figures = |curve: &[CurvePoint]| {
            curve.iter().map(|point| (point.loss, point.valid.clone())).collect::<Vec<_>>()
        };
        assert_eq!(figures(&whole.1), figures(&resumed.1));

        let other = Settings { seed: 5, ..rest };
        let error = train(&other, judged(&samples, &[]), |_| ()).unwrap_err().to_string();
        assert!(error.contains("is the checkpoint of another training"), "{error}");
        std::fs::write(checkpoint.as_ref().unwrap(), b"rubbish").unwrap();
        assert!(train(&settings(1), judged(&samples, &[]), |_| ()).is_ok());
        let damaged = Settings { checkpoint, ..settings(4) };
        assert!(train(&damaged, judged(&samples, &[]), |_| ()).is_err());
    }
}
