//! `tengen train net`: the network's own trainer.
//!
//! [`data`] reads judged positions, [`backward`] is backpropagation for exactly this network over its `tape`s,
//! `batch` divides a step among threads, [`loss`] says what is wrong with an answer, [`optimizer`] takes the
//! steps, [`session`] drives it all and `checkpoint` lets it be interrupted. No library: the network is
//! small, and its kernels are at hand (a step back costs twice a step forward).

pub mod backward;
mod batch;
mod checkpoint;
pub mod data;
pub mod games;
pub mod loss;
pub mod optimizer;
pub mod session;
mod tape;

use super::manifest::{self, Origin, file_name, file_names};
use super::options::TrainArgs;
use crate::knowledge::net::shape::{MAX_BLOCKS, MAX_CHANNELS};
use crate::knowledge::net::{Network, Shape};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use anyhow::{Result, ensure};
use clap::Args;
use loss::Weights;
use serde::Serialize;
use session::{CurvePoint, Material, Settings, Valid};
use std::path::PathBuf;
use std::time::Instant;

/// What only a network has.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of `train net`")]
pub struct NetArgs {
    /// Channels of the trunk, a multiple of 8.
    #[arg(long, default_value_t = 24)]
    channels: usize,
    /// Residual blocks.
    #[arg(long, default_value_t = 4)]
    blocks: usize,
    /// Positions of a step.
    #[arg(long, default_value_t = 64)]
    batch: usize,
    /// Weight of the winrate in the loss.
    #[arg(long, default_value_t = Weights::default().winrate)]
    winrate_weight: f32,
    /// Weight of the owners in the loss.
    #[arg(long, default_value_t = Weights::default().owners)]
    owners_weight: f32,
    /// Weight of the lead in the loss.
    #[arg(long, default_value_t = Weights::default().lead)]
    lead_weight: f32,
    /// Weight of the moves in the loss.
    #[arg(long, default_value_t = Weights::default().policy)]
    policy_weight: f32,
    /// Weight of the winner in the loss, for positions of --from-games.
    #[arg(long, default_value_t = Weights::default().result)]
    result_weight: f32,
    /// Learn moves and results of these games too (one SGF game per line, plain or .zst).
    #[arg(long = "from-games", value_name = "FILE")]
    from_games: Vec<PathBuf>,
    /// Positions of games for each judged position.
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    games_share: f64,
    /// Write the mean of the trained network and this one, from which it began or one like it: two networks that learned
    /// from different samples of the games err less together.
    #[arg(long, value_name = "FILE")]
    average: Option<PathBuf>,
    /// Stop after so many passes; the same command goes on from the checkpoint.
    #[arg(long, value_name = "N", requires = "checkpoint")]
    stop_after: Option<usize>,
}

/// Where a network comes from and how good it is, as `NAME.json` beside the file.
#[derive(Debug, Serialize)]
struct Manifest {
    #[serde(flatten)]
    origin: Origin,
    games: Vec<String>,
    positions: usize,
    channels: usize,
    blocks: usize,
    parameters: usize,
    passes: usize,
    seed: u64,
    seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid: Option<Valid>,
}

/// Runs `tengen train net`.
pub(super) fn run(common: &TrainArgs) -> Result<()> {
    let (start, args) = (Instant::now(), &common.net);
    let rate = common.rate.unwrap_or(0.002);
    ensure!(args.batch >= 1, "--batch must be at least 1");
    ensure!(rate > 0.0 && rate <= 1.0, "--rate must be above 0 and at most 1");
    let shape = Shape::new(args.channels, args.blocks);
    ensure!(
        shape.is_some(),
        "--channels must be 8, 16, 24 ... {MAX_CHANNELS} and --blocks 1 to {MAX_BLOCKS}"
    );
    let average = args.average.as_deref().map(Network::load).transpose()?;
    ensure!(
        average.as_ref().is_none_or(|other| Some(other.shape()) == shape.as_ref()),
        "--average has another shape; only networks of the same channels and blocks have a mean"
    );
    let samples = data::read(&common.games, common.limit)?;
    let valid = match &common.valid {
        Some(path) => data::read(&[path], usize::MAX)?,
        None => vec![],
    };
    ensure!((0.0..=1000.0).contains(&args.games_share), "--games-share must be 0 to 1000");
    let games = games::read(&args.from_games)?;
    println!("positions: {}, games: {}", samples.len(), games.len());
    let settings = Settings {
        channels: args.channels,
        blocks: args.blocks,
        batch: args.batch,
        passes: common.passes,
        rate,
        decay: common.decay,
        weights: Weights {
            winrate: args.winrate_weight,
            owners: args.owners_weight,
            lead: args.lead_weight,
            policy: args.policy_weight,
            result: args.result_weight,
        },
        seed: common.seed,
        games_share: args.games_share,
        start: common.start.as_deref().map(Network::load).transpose()?,
        checkpoint: common.checkpoint.clone(),
        threads: common.threads,
        stop_after: args.stop_after,
    };
    let material = Material { samples: &samples, games: &games, valid: &valid };
    println!(
        "pass\tseconds\tloss\twinrate error\tvalid: loss\twinrate error\towners error\t\
         lead error\tpolicy nats\ttop-1 %"
    );
    let trained = session::train(&settings, material, print_point)?;
    let Some((mut network, curve)) = trained else {
        println!("stopped; the same command goes on from the checkpoint");
        return Ok(());
    };
    if let Some(other) = &average {
        network.update(|parameters| become_mean(parameters, other.parameters()));
    }
    network.save(&common.out)?;
    // What the file holds is what is measured.
    let network = Network::load(&common.out)?;
    let measured = (!valid.is_empty())
        .then(|| Valid::new(&session::measure(&network, &valid, &settings.weights)));
    if let Some(valid) = &measured {
        println!("winrate squared error: {:.4}", valid.winrate_squared_error);
        println!("owners squared error: {:.4}", valid.owners_squared_error);
        println!("lead error: {:.2} points", valid.lead_error);
        println!("policy top-1: {:.2} %", valid.policy_top1);
    }
    let manifest = Manifest {
        origin: Origin::new(&common.out, &common.games),
        games: file_names(&args.from_games),
        positions: samples.len(),
        channels: args.channels,
        blocks: args.blocks,
        parameters: network.shape().parameters,
        passes: common.passes,
        seed: common.seed,
        seconds: start.elapsed().as_secs(),
        valid_file: common.valid.as_deref().map(file_name),
        valid: measured,
    };
    manifest::write(&manifest, &common.out)?;
    common.svg.as_deref().map_or(Ok(()), |path| draw(&curve).save(path))
}

fn become_mean(parameters: &mut [f32], others: &[f32]) {
    parameters.iter_mut().zip(others).for_each(|(own, other)| *own = 0.5 * (*own + other));
}

fn print_point(point: &CurvePoint) {
    let valid = match &point.valid {
        Some(valid) => format!(
            "{:.4}\t{:.4}\t{:.4}\t{:.3}\t{:.4}\t{:.2}",
            valid.loss,
            valid.winrate_squared_error,
            valid.owners_squared_error,
            valid.lead_error,
            valid.policy_cross_entropy,
            valid.policy_top1
        ),
        None => "-\t-\t-\t-\t-\t-".to_owned(),
    };
    let CurvePoint { pass, seconds, loss, winrate, .. } = point;
    println!("{pass}\t{seconds:.0}\t{loss:.4}\t{winrate:.4}\t{valid}");
}

fn draw(curve: &[CurvePoint]) -> Plot {
    let mut learned = Series::line("winrate, learned positions");
    let mut winrate = Series::line("winrate, validation");
    let mut owners = Series::line("owners, validation");
    for point in curve {
        let pass = point.pass as f64;
        learned = learned.point(pass, point.winrate);
        if let Some(valid) = &point.valid {
            winrate = winrate.point(pass, valid.winrate_squared_error);
            owners = owners.point(pass, valid.owners_squared_error);
        }
    }
    Plot::new("Learning curve")
        .x(Axis::new("passes"))
        .y(Axis::new("squared error"))
        .series(learned)
        .series(winrate)
        .series(owners)
}
