//! `tengen train`: the command line of the trainers.

use super::curve::{draw, peak_memory, print_point};
use super::dataset::{Part, Source};
use super::evaluate::{Accuracy, evaluate};
use super::fbt::{Fbt, Loss, Settings};
use super::harvest::{Thresholds, harvest};
use super::learner::{Learner, Plan, train};
use super::lfr::fit_scale;
use super::lmp::{Belief, ShapeLmp};
use super::lmp_teams::TeamLmp;
use super::manifest::{self, Manifest, Measured, Origin};
use super::mm::Mm;
use super::options::{Method, TrainArgs};
use super::{balance, load_model, net, playout};
use crate::knowledge::gammas::{Gammas, Local};
use crate::knowledge::{Dictionary, Kind, Model};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Features whose beliefs are printed.
const BELIEFS: usize = 20;

/// Runs `tengen train`.
pub fn run(args: &TrainArgs) -> Result<()> {
    args.check()?;
    match args.method {
        Method::Net => net::run(args),
        Method::Balance => run_balance(args),
        Method::Playout => run_playout(args),
        Method::Harvest => {
            let (source, _) = sources(args);
            Ok(first_model(args, &source)?.save(&args.out)?)
        }
        _ => run_learner(args),
    }
}

/// The games to learn from, and those to validate on.
fn sources(args: &TrainArgs) -> (Source, Option<Source>) {
    let allowed = args.features.allowed();
    let common = Source { allowed, ..args.which.source(&args.games) };
    let all = Source { seed: args.seed, ..common.clone() };
    let part = args.hold_out.map_or(Part::All, Part::Rest);
    let source = Source { limit: args.limit, part, ..all.clone() };
    let validation = match (&args.valid, args.hold_out) {
        (Some(path), _) => Some(Source { files: vec![path.clone()], ..common }),
        (None, Some(n)) => Some(Source { part: Part::HeldOut(n), ..all }),
        (None, None) => None,
    };
    (source, validation)
}

/// A move model by one of the trainers.
fn run_learner(args: &TrainArgs) -> Result<()> {
    let start = Instant::now();
    let (source, validation) = sources(args);
    let first = first_model(args, &source)?;
    let games = source.count()?;
    ensure!(games > 0, "there is no game to learn from in the files given");
    println!("games: {games}");
    let plan = Plan {
        source,
        games,
        passes: args.passes,
        rate: args.sample,
        threads: args.threads,
        seed: args.seed,
        validation,
        validate_every: args.validate_every,
        patience: args.patience,
        options: args.options()?,
        checkpoint: args.checkpoint.clone().map(|path| (path, args.checkpoint_every)),
    };
    let mut curve = Vec::new();
    println!("games\tseconds\tloss\ttop-1 %\ttop-5 %\ttop-20 %\tmean log-probability");
    let mut learner = learner(args, &first);
    let mut model = train(&mut *learner, &plan, |point| {
        print_point(point);
        curve.push(point.clone());
    })?;
    report_beliefs(learner.beliefs(), args.beliefs.as_deref())?;
    if let (Method::Lfr, Some(validation)) = (args.method, &plan.validation) {
        model.scale = fit_scale(&model, validation)?;
    }
    model.save(&args.out)?;
    println!("training: {:.0} s", start.elapsed().as_secs_f64());
    if let Some(peak) = peak_memory() {
        println!("peak memory: {peak} MB");
    }
    // What the file holds is rounded, so the file is what is measured.
    let measure = |validation| match learner.measure(validation, usize::MAX) {
        Some(accuracy) => accuracy,
        None => evaluate(&Model::load(&args.out)?, validation, usize::MAX),
    };
    let accuracy = plan.validation.as_ref().map(measure).transpose()?;
    if let Some(accuracy) = &accuracy {
        print_accuracy(accuracy);
        println!("evaluation: {:.1} us/position", accuracy.microseconds());
    }
    if args.features_only {
        model.weights_alone().save(&args.out)?;
    }
    let patterns = (!args.features_only).then(|| model.patterns().len());
    describe(args, games, patterns, start, accuracy.as_ref())?;
    args.svg.as_deref().map_or(Ok(()), |path| draw(&curve).save(path))
}

fn print_accuracy(accuracy: &Accuracy) {
    println!("top-1: {:.2} %", 100.0 * accuracy.top(1));
    println!("mean log-probability: {:.4}", accuracy.mean_log_probability());
}

/// Writes the manifest beside the model.
fn describe(
    args: &TrainArgs,
    games: usize,
    patterns: Option<usize>,
    start: Instant,
    accuracy: Option<&Accuracy>,
) -> Result<()> {
    let on = match (&args.valid, args.hold_out) {
        (Some(path), _) => manifest::file_name(path),
        (None, Some(n)) => format!("every {n}th game of the data, held out"),
        (None, None) => String::new(),
    };
    let manifest = Manifest {
        origin: Origin::new(&args.out, &args.games),
        games,
        hold_out: args.hold_out,
        passes: args.passes,
        sample: args.sample,
        seed: args.seed,
        patterns,
        seconds: start.elapsed().as_secs(),
        accuracy: accuracy.map(|accuracy| Measured::new(on, accuracy)),
    };
    manifest::write(&manifest, &args.out)
}

fn learner(args: &TrainArgs, first: &Model) -> Box<dyn Learner> {
    let loss = if args.method == Method::Lfr { Loss::Squared } else { Loss::Softmax };
    let settings = Settings {
        factors: args.factors,
        rate: args.rate.unwrap_or(0.1),
        vector_rate: args.vector_rate,
        decay: args.decay,
        vector_decay: args.vector_decay,
        gradient: args.gradient,
        draws: args.draws.max(1),
        loss,
        features_only: args.features_only,
        pattern_vectors: args.pattern_vectors,
        steps: args.steps,
    };
    let allowed = args.features.allowed();
    match (args.method, args.factors) {
        (Method::Mm, _) => {
            let prior = f64::from(args.prior);
            Box::new(Mm::new(first.patterns(), prior, args.sweeps, args.memory))
        }
        (Method::Lmp, _) => Box::new(ShapeLmp::new(f64::from(args.prior))),
        (Method::LmpTeams, _) => Box::new(TeamLmp::new(first.patterns(), args.prior)),
        (_, 0) => Box::new(Fbt::<0>::new(settings, first, args.seed)),
        (_, 1..=8) => Box::new(Fbt::<8>::new(settings, first, args.seed).only(allowed.as_deref())),
        _ => Box::new(Fbt::<16>::new(settings, first, args.seed).only(allowed.as_deref())),
    }
}

/// The patterns to learn with, and the first weights.
fn first_model(args: &TrainArgs, source: &Source) -> Result<Model> {
    let start = Instant::now();
    let first = start_or_harvest(args, source)?;
    println!("patterns: {}", first.patterns().len());
    println!("harvest: {:.0} s", start.elapsed().as_secs_f64());
    Ok(first)
}

fn start_or_harvest(args: &TrainArgs, source: &Source) -> Result<Model> {
    if let Some(path) = &args.start {
        return Ok(load_model(path)?);
    }
    let small = args.small || !args.features.has_patterns();
    let patterns = if small || args.method == Method::Lmp {
        Dictionary::default()
    } else {
        let thresholds = Thresholds {
            played: args.min_played,
            seen: args.min_seen,
            every: args.seen_every,
            both: !args.no_both,
        };
        harvest(source, thresholds)?
    };
    match &args.weights_from {
        Some(path) => Ok(load_model(path)?.with_patterns(&patterns)),
        None => Ok(Model::blank(Kind::Fbt, 0, patterns)),
    }
}

/// Prints what is believed of the features chosen most often, and writes it of all to a file.
fn report_beliefs(mut beliefs: Vec<(String, Belief)>, path: Option<&Path>) -> Result<()> {
    beliefs.sort_by(|(_, one), (_, other)| other.alpha.total_cmp(&one.alpha));
    let line = |(name, belief): &(String, Belief)| {
        let Belief { alpha, beta } = belief;
        format!("{alpha:.3}\t{beta:.3}\t{:.4}\t{}\n", belief.mode(), name)
    };
    const HEAD: &str = "alpha\tbeta\tgamma\tfeature\n";
    if !beliefs.is_empty() {
        let first: String = beliefs.iter().take(BELIEFS).map(line).collect();
        print!("{HEAD}{first}");
    }
    if let Some(path) = path {
        let all: String = beliefs.iter().map(line).collect();
        std::fs::write(path, format!("{HEAD}{all}"))
            .with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    Ok(())
}

/// Balances the gammas of --start, or those that come with the program.
fn run_balance(args: &TrainArgs) -> Result<()> {
    let start = Instant::now();
    let settings = balance::Settings {
        passes: args.passes,
        playouts: args.playouts,
        rate: args.rate.unwrap_or(1.0),
        seed: args.seed,
    };
    let first = match &args.start {
        Some(path) => Gammas::load(path)?.into(),
        None => Gammas::embedded(),
    };
    let limit = (args.limit < usize::MAX).then_some(args.limit);
    let read = |path: &PathBuf| balance::read(path, limit);
    let labels = args.games.iter().map(read).collect::<Result<Vec<_>>>()?.concat();
    let valid = args.valid.as_ref().map(read).transpose()?;
    balance::run(&first, &labels, valid.as_deref(), settings)?.save(&args.out)?;
    describe(args, labels.len(), None, start, None)
}

fn run_playout(args: &TrainArgs) -> Result<()> {
    let start = Instant::now();
    let (source, validation) = sources(args);
    let settings = playout::Settings {
        passes: args.passes,
        sample: args.sample,
        rate: args.rate.unwrap_or(0.1),
        decay: args.decay,
        seed: args.seed,
    };
    let gammas = playout::learn(&source, settings, |pass, loss| {
        println!("pass {}: loss {loss:.4}", pass + 1);
    })?;
    for local in Local::ALL {
        println!("{}: {:.3}", local.name(), gammas.locals[local as usize]);
    }
    gammas.save(&args.out)?;
    let saved = Gammas::load(&args.out)?;
    let measure = |source| playout::evaluate(&saved, source);
    let accuracy = validation.as_ref().map(measure).transpose()?;
    accuracy.iter().for_each(print_accuracy);
    let games = source.count()?;
    describe(args, games, None, start, accuracy.as_ref())
}
