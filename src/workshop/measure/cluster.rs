//! `tengen cluster`: what is lost when a search is spread over machines, on positions that a referee has judged.
//!
//! Clusters are simulated in one process ([`crate::cluster::simulate`]): so many ranks with so many playouts each,
//! which exchange ten times in a second of simulated time. Beside every cluster stands one tree with all the playouts
//! together: the difference is what the distance costs. Positions and seeds are the same for all, so the differences
//! are paired.

use super::labels::{Labels, Needs, Position};
use super::quality::Loss;
use crate::cluster::simulate::{Outcome, Setting, simulate};
use crate::engine::Choice;
use crate::frontend::EngineArgs;
use crate::game::{Game, Rules};
use crate::params::Overrides;
use crate::search::Bounds;
use crate::types::Point;
use crate::workshop::tools::figures::{Figure, Printer};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use crate::workshop::tools::statistics::{Mean, Z95};
use crate::workshop::tools::work::{in_parallel, position_seed, progress_bar};
use anyhow::ensure;
use clap::Args;
use std::path::PathBuf;

/// The options of the measurement.
#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// File of positions with the referee's value of every move (JSON lines, plain or .zst)
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// Numbers of ranks to try
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,4,8,16,32,64")]
    ranks: Vec<usize>,
    /// Playouts of every rank
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    playouts: u64,
    /// Playouts that a rank makes in a second of simulated time
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    rate: u64,
    /// Exchanges a second
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    rhythm: f64,
    /// Milliseconds that a message is under way
    #[arg(long, value_name = "MS", default_value_t = 1.0)]
    delay: f64,
    /// Share of the messages that are lost
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    loss: f64,
    /// Share of the root's visits from which a node is told
    #[arg(long, value_name = "P")]
    share: Option<f64>,
    /// Moves from the root to which nodes are told
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Leave out the comparison with all playouts in one tree
    #[arg(long)]
    alone: bool,
    /// At most so many positions, spread evenly over the suite
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Positions at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    engine: EngineArgs,
    /// Draw the losses by ranks into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How long the rank that moves waits for the last messages, as [`crate::cluster::leader`] does.
const PATIENCE_MS: f64 = 20.0;

/// What one arrangement of the playouts lost, position by position, in winning probability.
struct Losses {
    losses: Vec<f64>,
    moves: Vec<Point>,
    digests: u64,
    bytes: u64,
    longest: usize,
}

/// Runs the command.
pub fn run(args: &ClusterArgs) -> anyhow::Result<()> {
    ensure!(args.ranks.iter().all(|ranks| (1..=1024).contains(ranks)), "--ranks go from 1 to 1024");
    ensure!((0.0..=1.0).contains(&args.loss), "--loss {} must be from 0 to 1", args.loss);
    ensure!(
        args.delay >= 0.0 && args.delay <= 1e6,
        "--delay {} must be from 0 to 1000000",
        args.delay
    );
    ensure!(
        args.rhythm > 0.0 && args.rhythm <= 1000.0,
        "--rhythm {} must be above 0, at most 1000",
        args.rhythm
    );
    ensure!(args.jobs >= 1 && args.limit != Some(0), "--jobs and --limit must be at least 1");
    let mut overrides = args.engine.overrides()?;
    if overrides.get("search.seed").is_none() {
        overrides.insert("search.seed", "1")?;
    }
    let suite = Labels::read(&args.suite, Needs::Moves, args.limit)?;
    let mut printer = Printer::new(std::io::stdout().lock(), args.json);
    let name = &suite.name;
    printer.print(Figure::new(format!("{name} positions"), suite.positions.len() as f64, ""))?;
    let mut spread = Series::line("ranks that exchange");
    let mut together = Series::line("all playouts in one tree");
    for &ranks in &args.ranks {
        let of_cluster = measure(&suite, &overrides, &setting(args, ranks), args.jobs);
        let lost = Mean::of(of_cluster.losses.iter().copied()).times(100.0);
        spread = spread.point_with_error(ranks as f64, lost.mean, Z95 * lost.standard_error);
        let mut print = |what: &str, value: f64, unit: &str| {
            printer.print(Figure::new(format!("{name} ranks {ranks} {what}"), value, unit))
        };
        print("winrate lost", lost.mean, "%")?;
        print("standard error", lost.standard_error, "%")?;
        if of_cluster.digests > 0 {
            let mean = of_cluster.bytes as f64 / of_cluster.digests as f64;
            print("bytes a digest", mean, "bytes")?;
            print("longest digest", of_cluster.longest as f64, "bytes")?;
        }
        if args.alone || ranks == 1 {
            continue;
        }
        let one = Setting { playouts: args.playouts * ranks as u64, ..setting(args, 1) };
        let of_one = measure(&suite, &overrides, &one, args.jobs);
        let lost = Mean::of(of_one.losses.iter().copied()).times(100.0);
        together = together.point_with_error(ranks as f64, lost.mean, Z95 * lost.standard_error);
        let pairs = of_cluster.losses.iter().zip(&of_one.losses);
        let more = Mean::of(pairs.map(|(spread, one)| spread - one)).times(100.0);
        let same = of_cluster.moves.iter().zip(&of_one.moves).filter(|(a, b)| a == b).count();
        print("one tree winrate lost", lost.mean, "%")?;
        print("one tree standard error", lost.standard_error, "%")?;
        print("more than one tree", more.mean, "%")?;
        print("more standard error", more.standard_error, "%")?;
        print("same moves", 100.0 * same as f64 / of_one.moves.len().max(1) as f64, "%")?;
    }
    if let Some(path) = &args.plot {
        Plot::new(&format!("{name}: {} playouts a rank", args.playouts))
            .x(Axis::new("ranks").log())
            .y(Axis::new("winrate lost a move, %"))
            .series(spread)
            .series(together)
            .save(path)?;
    }
    Ok(printer.finish()?)
}

fn setting(args: &ClusterArgs, ranks: usize) -> Setting {
    let usual = Bounds::default();
    let playouts = |milliseconds: f64| (milliseconds / 1000.0 * args.rate as f64).round() as u64;
    Setting {
        ranks,
        playouts: args.playouts,
        every: playouts(1000.0 / args.rhythm).max(1),
        delay: playouts(args.delay),
        patience: playouts(PATIENCE_MS),
        loss: args.loss,
        bounds: Bounds {
            share: args.share.unwrap_or(usual.share),
            depth: args.depth.unwrap_or(usual.depth),
            ..usual
        },
    }
}

fn measure(suite: &Labels, overrides: &Overrides, setting: &Setting, jobs: usize) -> Losses {
    let bar = progress_bar(suite.positions.len(), &format!("{} ranks", setting.ranks));
    let rows = in_parallel(
        suite.positions.len(),
        jobs,
        || (),
        |(), index| {
            let row = answer(&suite.positions[index], overrides, setting);
            bar.inc(1);
            row
        },
    );
    bar.finish_and_clear();
    let mut result = Losses { losses: vec![], moves: vec![], digests: 0, bytes: 0, longest: 0 };
    for (loss, point, outcome) in rows {
        result.losses.push(loss);
        result.moves.push(point);
        result.digests += outcome.digests;
        result.bytes += outcome.bytes;
        result.longest = result.longest.max(outcome.longest);
    }
    result
}

fn answer(position: &Position, overrides: &Overrides, setting: &Setting) -> (f64, Point, Outcome) {
    let mut game = Game::new(position.size, Rules::default());
    game.set_komi(position.komi);
    for &play in &position.moves {
        // The file was checked when it was read; a repetition that the rules forbid leaves the move out.
        let _ = game.play(play);
    }
    game.set_to_play(position.to_play);
    let mut params = overrides.resolve(position.size);
    params.search.seed = position_seed(params.search.seed, position.line);
    let outcome = simulate(&game, &params, setting);
    let best = outcome.reports.first().and_then(|report| report.candidates.first());
    let point = best.map_or(Point::PASS, |best| best.point);
    (Loss::of(position, Choice::Play(point)).winrate, point, outcome)
}
