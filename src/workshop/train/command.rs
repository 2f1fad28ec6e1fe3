//! `tengen train`: the command line of the trainers.

use super::balance;
use super::checkpoint::file_fingerprint;
use super::curve::{draw, peak_memory, print_point};
use super::dataset::{Part, Source};
use super::evaluate::{Accuracy, evaluate};
use super::fbt::{Fbt, Gradient, Loss, Settings, Steps};
use super::harvest::{Thresholds, harvest};
use super::learner::{Learner, Plan, train};
use super::lfr::fit_scale;
use super::lmp::{Belief, ShapeLmp};
use super::lmp_teams::TeamLmp;
use super::load_model;
use super::manifest::{self, Manifest, Measured};
use super::mm::Mm;
use super::net::{self, NetArgs};
use super::playout;
use super::subset::Features;
use crate::knowledge::gammas::{Gammas, Local};
use crate::knowledge::{Dictionary, Kind, MAX_FACTORS, Model};
use crate::types::Rank;
use crate::workshop::tools::date::today;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Features whose beliefs are printed.
const BELIEFS: usize = 20;

/// The trainers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Method {
    /// Minorization-maximization on positions in memory.
    Mm,
    /// Laplace marginal propagation, Lew's Algorithm 1: one feature a move, its 3x3 shape.
    Lmp,
    /// Laplace marginal propagation in a form for moves of many features, online.
    LmpTeams,
    /// Latent factor ranking.
    Lfr,
    /// Factorization Bradley-Terry; with --factors 0 plain softmax regression.
    Fbt,
    /// The gammas of the playouts.
    Playout,
    /// The gammas of the playouts by simulation balancing; the files are labels (JSON lines).
    Balance,
    /// Only harvest patterns: a model without weights, for --start.
    Harvest,
    /// The network that judges positions; the files are labels (JSON lines).
    Net,
}

/// How the gradient is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GradientArg {
    /// Over all moves.
    Exact,
    /// Over moves drawn by their probabilities.
    Sampled,
    /// Exact for likely moves, drawn for unlikely ones.
    Pruned,
}

/// Learn a model of good players' moves from games.
#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    /// The trainer.
    method: Method,
    /// Files of one SGF game per line (for `net` and `balance`: of one judged position), plain or .zst.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Where to write the model.
    #[arg(long)]
    out: PathBuf,
    /// Games to validate on; training stops early when they say so.
    #[arg(long)]
    valid: Option<PathBuf>,
    /// Keep every N-th game out of the training and validate on these games.
    #[arg(long, value_name = "N", conflicts_with = "valid")]
    hold_out: Option<usize>,
    /// Take patterns and first weights from this model instead of harvesting (for `net`: begin with this
    /// network).
    #[arg(long)]
    start: Option<PathBuf>,
    /// Harvest patterns, and begin with the weights of this model where it knows them.
    #[arg(long, value_name = "MODEL", conflicts_with = "start")]
    weights_from: Option<PathBuf>,
    /// Use so many games only.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Use games on boards of this size only.
    #[arg(long)]
    size: Option<usize>,
    /// Learn from the moves of players of these ranks only (`BR` and `WR` of the games), as 18k..16k.
    #[arg(long, value_name = "FROM..TO", value_parser = Rank::parse_range)]
    rank: Option<RangeInclusive<Rank>>,
    /// 3x3 shapes only, no large patterns.
    #[arg(long)]
    small: bool,
    /// Which features: all, or those of Xiao's F_small or F_large (lfr, fbt).
    #[arg(long, value_enum, default_value_t = Features::All)]
    features: Features,
    /// Playouts for the feature `owner`; 0 leaves it out.
    #[arg(long, value_name = "N", default_value_t = 0)]
    owner: u32,
    /// Large patterns have vectors too; they are measured, but not kept in the model (fbt).
    #[arg(long)]
    pattern_vectors: bool,
    /// How far a step goes (fbt, lfr). Xiao's constants are --steps sgd --rate 0.001 --vector-rate 0.001 --decay
    /// 0.001 --vector-decay 0.002.
    #[arg(long, value_enum, default_value_t = Steps::Adagrad)]
    steps: Steps,
    /// Keep patterns played at least so often.
    #[arg(long, default_value_t = 20)]
    min_played: usize,
    /// Keep patterns seen at least so often in the sampled positions.
    #[arg(long, default_value_t = 60)]
    min_seen: usize,
    /// One position in so many is sampled for patterns that were not played; 0 for none.
    #[arg(long, default_value_t = 400)]
    seen_every: usize,
    /// No patterns that know both the last move and liberties.
    #[arg(long)]
    no_both: bool,
    /// Passes over the games at most.
    #[arg(long, default_value_t = 1)]
    passes: usize,
    /// Stop after so many passes without a better model.
    #[arg(long, default_value_t = 3)]
    patience: usize,
    /// Part of the positions used in each pass, above 0 and up to 1.
    #[arg(long, default_value_t = 1.0)]
    sample: f64,
    /// Numbers in the vector of a feature (fbt, lfr).
    #[arg(long, default_value_t = 8)]
    factors: usize,
    /// Learn the weights of features only; vectors and patterns stay those of --start, and the file has
    /// the weights alone (fbt).
    #[arg(long, requires = "start")]
    features_only: bool,
    /// How the gradient is computed (fbt, lfr).
    #[arg(long, value_enum, default_value_t = GradientArg::Pruned)]
    gradient: GradientArg,
    /// Playouts from each position (balance).
    #[arg(long, value_name = "N", default_value_t = 100)]
    playouts: usize,
    /// Moves drawn per position by --gradient sampled.
    #[arg(long, default_value_t = 20)]
    draws: usize,
    /// Step size [default: 0.1; net: 0.002; balance: 1].
    #[arg(long)]
    rate: Option<f32>,
    /// Step size of the vectors.
    #[arg(long, default_value_t = 0.05)]
    vector_rate: f32,
    /// L2 regularization of the weights.
    #[arg(long, default_value_t = 1e-5)]
    decay: f32,
    /// L2 regularization of the vectors.
    #[arg(long, default_value_t = 1e-5)]
    vector_decay: f32,
    /// Pseudo-counts of the prior (mm, lmp, lmp-teams).
    #[arg(long, default_value_t = 10.0)]
    prior: f32,
    /// Sweeps over all groups of features (mm).
    #[arg(long, default_value_t = 20)]
    sweeps: usize,
    /// Megabytes of positions to hold (mm).
    #[arg(long, default_value_t = 4096)]
    memory: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads: one learns, the others compute features.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Validate on 200 games after so many games.
    #[arg(long, default_value_t = 5000)]
    validate_every: usize,
    /// Keep the state of the training here, and go on from it if it is there (mm, lmp, lmp-teams, lfr, fbt).
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Write the state after so many games.
    #[arg(long, default_value_t = 1000)]
    checkpoint_every: usize,
    /// Write alpha and beta of every feature that was met to this file (lmp, lmp-teams).
    #[arg(long, value_name = "FILE")]
    beliefs: Option<PathBuf>,
    /// Draw the learning curve into this SVG file.
    #[arg(long)]
    svg: Option<PathBuf>,
    #[command(flatten)]
    net: NetArgs,
}

impl TrainArgs {
    /// What decides the result beside the games: a checkpoint written with other words is refused.
    fn options(&self) -> Result<String> {
        // Models count by their content. The rest is only where things are written, how often,
        // and how fast; games and validation are looked at by the checkpoint itself.
        let content = |path: &Option<PathBuf>| path.as_deref().map(file_fingerprint).transpose();
        let models = [content(&self.start)?, content(&self.weights_from)?];
        let bare = TrainArgs {
            games: Vec::new(),
            out: PathBuf::new(),
            valid: None,
            start: None,
            weights_from: None,
            threads: 0,
            validate_every: 0,
            checkpoint: None,
            checkpoint_every: 0,
            beliefs: None,
            svg: None,
            ..self.clone()
        };
        Ok(format!("{bare:?} {models:?}"))
    }

    /// Refuses options that the trainer would not heed.
    fn check(&self) -> Result<()> {
        ensure!(self.sample > 0.0 && self.sample <= 1.0, "--sample must be above 0 and at most 1");
        ensure!(self.factors <= MAX_FACTORS, "--factors must be at most {MAX_FACTORS}");
        ensure!(self.passes > 0, "--passes must be at least 1");
        ensure!(self.prior > 0.0, "--prior must be above 0");
        ensure!(self.hold_out.is_none_or(|n| n > 1), "--hold-out must be at least 2");
        let method = self.method.to_possible_value();
        let name = method.as_ref().map_or("", |value| value.get_name());
        let without = matches!(self.method, Method::Playout | Method::Balance | Method::Harvest);
        ensure!(
            !(without && self.checkpoint.is_some()),
            "'train {name}' keeps no checkpoint: leave --checkpoint out"
        );
        ensure!(
            self.beliefs.is_none() || matches!(self.method, Method::Lmp | Method::LmpTeams),
            "'train {name}' has no alpha and beta: leave --beliefs out"
        );
        ensure!(
            self.method != Method::Lmp || (self.start.is_none() && self.weights_from.is_none()),
            "'train lmp' learns 3x3 shapes from nothing: leave --start and --weights-from out"
        );
        ensure!(
            !self.features_only || self.method == Method::Fbt,
            "'train {name}' learns all that it has: leave --features-only out"
        );
        let factored = matches!(self.method, Method::Fbt | Method::Lfr);
        ensure!(
            factored || (self.features == Features::All && self.steps == Steps::Adagrad),
            "'train {name}' knows neither --features nor --steps: leave them out"
        );
        ensure!(
            !self.pattern_vectors || (self.method == Method::Fbt && self.factors > 0),
            "--pattern-vectors is for 'train fbt' with factors"
        );
        ensure!(self.playouts >= 2, "--playouts must be at least 2");
        Ok(())
    }
}

/// Runs `tengen train`.
pub fn run(args: &TrainArgs) -> Result<()> {
    args.check()?;
    if args.method == Method::Net {
        return run_net(args);
    }
    if args.method == Method::Balance {
        return run_balance(args);
    }
    let ranks = args.rank.clone();
    let (allowed, owner) = (args.features.allowed(), args.owner);
    let common = Source { size: args.size, ranks, allowed, owner, ..Source::new(&args.games) };
    let all = Source { seed: args.seed, ..common.clone() };
    let part = args.hold_out.map_or(Part::All, Part::Rest);
    let source = Source { limit: args.limit, part, ..all.clone() };
    let validation = match (&args.valid, args.hold_out) {
        (Some(path), _) => Some(Source { files: vec![path.clone()], ..common }),
        (None, Some(n)) => Some(Source { part: Part::HeldOut(n), ..all }),
        (None, None) => None,
    };
    if args.method == Method::Playout {
        return run_playout(args, &source, validation.as_ref());
    }
    let start = Instant::now();
    let first = first_model(args, &source)?;
    println!("patterns: {}", first.patterns().len());
    println!("harvest: {:.0} s", start.elapsed().as_secs_f64());
    if args.method == Method::Harvest {
        return Ok(first.save(&args.out)?);
    }
    let games = source.for_each(|_| Ok(true))?;
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
    let mut accuracy = None;
    if let Some(validation) = &plan.validation {
        // What the file holds is rounded, so the file is what is measured.
        let measured = match learner.measure(validation, usize::MAX) {
            Some(accuracy) => accuracy?,
            None => evaluate(&Model::load(&args.out)?, validation, usize::MAX)?,
        };
        println!("top-1: {:.2} %", 100.0 * measured.top(1));
        println!("mean log-probability: {:.4}", measured.mean_log_probability());
        println!("evaluation: {:.1} us/position", measured.microseconds());
        accuracy = Some(measured);
    }
    if args.features_only {
        model.weights_alone().save(&args.out)?;
    }
    let patterns = (!args.features_only).then(|| model.patterns().len());
    describe(args, games, patterns, start, accuracy.as_ref())?;
    if let Some(path) = &args.svg {
        std::fs::write(path, draw(&curve))
            .with_context(|| format!("cannot write '{}'", path.display()))?;
    }
    Ok(())
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
        model: manifest::file_name(&args.out),
        command: manifest::command(std::env::args()),
        program: format!("tengen {}", crate::version::BUILD),
        date: today(),
        data: manifest::file_names(&args.games),
        games,
        hold_out: args.hold_out,
        passes: args.passes,
        sample: args.sample,
        seed: args.seed,
        patterns,
        seconds: start.elapsed().as_secs(),
        accuracy: accuracy.map(|accuracy| Measured::new(on, accuracy)),
    };
    manifest.write(&args.out)
}

fn learner(args: &TrainArgs, first: &Model) -> Box<dyn Learner> {
    let loss = if args.method == Method::Lfr { Loss::Squared } else { Loss::Softmax };
    let threshold = if loss == Loss::Squared { 0.02 } else { 0.002 };
    let settings = Settings {
        factors: args.factors,
        rate: args.rate.unwrap_or(0.1),
        vector_rate: args.vector_rate,
        decay: args.decay,
        vector_decay: args.vector_decay,
        gradient: match args.gradient {
            GradientArg::Exact => Gradient::Exact,
            GradientArg::Sampled => Gradient::Sampled(args.draws.max(1)),
            GradientArg::Pruned => Gradient::Pruned(threshold),
        },
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

fn first_model(args: &TrainArgs, source: &Source) -> Result<Model> {
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

fn run_net(args: &TrainArgs) -> Result<()> {
    ensure!(args.hold_out.is_none(), "labels are split by game already; give --valid FILE");
    let common = net::Common {
        labels: &args.games,
        valid: args.valid.as_deref(),
        out: &args.out,
        start: args.start.as_deref(),
        limit: args.limit,
        passes: args.passes,
        rate: args.rate.unwrap_or(0.002),
        decay: args.decay,
        seed: args.seed,
        checkpoint: args.checkpoint.as_deref(),
        svg: args.svg.as_deref(),
    };
    net::run(&args.net, &common)
}

/// Balances the gammas of --start, or those that come with the program.
fn run_balance(args: &TrainArgs) -> Result<()> {
    let start = Instant::now();
    ensure!(args.hold_out.is_none(), "labels are split by game already; give --valid FILE");
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

fn run_playout(args: &TrainArgs, source: &Source, validation: Option<&Source>) -> Result<()> {
    let settings = playout::Settings {
        passes: args.passes,
        sample: args.sample,
        rate: args.rate.unwrap_or(0.1),
        decay: args.decay,
        seed: args.seed,
    };
    let start = Instant::now();
    let gammas = playout::learn(source, settings, |pass, loss| {
        println!("pass {}: loss {loss:.4}", pass + 1);
    })?;
    for local in Local::ALL {
        println!("{}: {:.3}", local.name(), gammas.locals[local as usize]);
    }
    gammas.save(&args.out)?;
    let mut accuracy = None;
    if let Some(validation) = validation {
        let measured = playout::evaluate(&Gammas::load(&args.out)?, validation, usize::MAX)?;
        println!("top-1: {:.2} %", 100.0 * measured.top(1));
        println!("mean log-probability: {:.4}", measured.mean_log_probability());
        accuracy = Some(measured);
    }
    let games = source.for_each(|_| Ok(true))?;
    describe(args, games, None, start, accuracy.as_ref())
}
