//! What `tengen train` can be told, and which of it goes together.

use super::checkpoint::file_fingerprint;
use super::dataset::Source;
use super::fbt::{Gradient, Steps};
use super::net::NetArgs;
use super::subset::Features;
use crate::knowledge::MAX_FACTORS;
use crate::types::Rank;
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;
use std::path::PathBuf;

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

/// Which games and whose moves: the same for learning and for predicting.
#[derive(Args, Clone, Debug)]
pub(super) struct GameArgs {
    /// Use games on boards of this size only.
    #[arg(long)]
    size: Option<usize>,
    /// Use the moves of players of these ranks only (`BR` and `WR` of the games), as 18k..16k.
    #[arg(long, value_name = "FROM..TO", value_parser = Rank::parse_range)]
    rank: Option<RangeInclusive<Rank>>,
    /// Playouts for the feature `owner`, the same for learning and predicting; 0 leaves it out.
    #[arg(long, value_name = "N", default_value_t = 0)]
    owner: u32,
}

impl GameArgs {
    /// These games of some files.
    pub fn source(&self, files: &[PathBuf]) -> Source {
        let (size, ranks, owner) = (self.size, self.rank.clone(), self.owner);
        Source { size, ranks, owner, ..Source::new(files) }
    }
}

/// Learn a model of good players' moves from games.
#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    /// The trainer.
    pub(super) method: Method,
    /// Files of one SGF game per line (for `net` and `balance`: of one judged position), plain or .zst.
    #[arg(required = true)]
    pub(super) games: Vec<PathBuf>,
    /// Where to write the model.
    #[arg(long)]
    pub(super) out: PathBuf,
    /// Games to validate on; training stops early when they say so.
    #[arg(long)]
    pub(super) valid: Option<PathBuf>,
    /// Keep every N-th game out of the training and validate on these games.
    #[arg(long, value_name = "N", conflicts_with = "valid")]
    pub(super) hold_out: Option<usize>,
    /// Take patterns and first weights from this model instead of harvesting (for `net`: begin with this
    /// network).
    #[arg(long)]
    pub(super) start: Option<PathBuf>,
    /// Harvest patterns, and begin with the weights of this model where it knows them.
    #[arg(long, value_name = "MODEL", conflicts_with = "start")]
    pub(super) weights_from: Option<PathBuf>,
    /// Use so many games only.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    pub(super) limit: usize,
    #[command(flatten)]
    pub(super) which: GameArgs,
    /// 3x3 shapes only, no large patterns.
    #[arg(long)]
    pub(super) small: bool,
    /// Which features: all, or those of Xiao's F_small or F_large (lfr, fbt).
    #[arg(long, value_enum, default_value_t = Features::All)]
    pub(super) features: Features,
    /// Large patterns have vectors too; they are measured, but not kept in the model (fbt).
    #[arg(long)]
    pub(super) pattern_vectors: bool,
    /// How far a step goes (fbt, lfr). Xiao's constants are --steps sgd --rate 0.001 --vector-rate 0.001 --decay
    /// 0.001 --vector-decay 0.002.
    #[arg(long, value_enum, default_value_t = Steps::Adagrad)]
    pub(super) steps: Steps,
    /// Keep patterns played at least so often.
    #[arg(long, default_value_t = 20)]
    pub(super) min_played: usize,
    /// Keep patterns seen at least so often in the sampled positions.
    #[arg(long, default_value_t = 60)]
    pub(super) min_seen: usize,
    /// One position in so many is sampled for patterns that were not played; 0 for none.
    #[arg(long, default_value_t = 400)]
    pub(super) seen_every: usize,
    /// No patterns that know both the last move and liberties.
    #[arg(long)]
    pub(super) no_both: bool,
    /// Passes over the games at most.
    #[arg(long, default_value_t = 1)]
    pub(super) passes: usize,
    /// Stop after so many passes without a better model.
    #[arg(long, default_value_t = 3)]
    pub(super) patience: usize,
    /// Part of the positions used in each pass, above 0 and up to 1.
    #[arg(long, default_value_t = 1.0)]
    pub(super) sample: f64,
    /// Numbers in the vector of a feature (fbt, lfr).
    #[arg(long, default_value_t = 8)]
    pub(super) factors: usize,
    /// Learn the weights of features only; vectors and patterns stay those of --start, and the file has
    /// the weights alone (fbt).
    #[arg(long, requires = "start")]
    pub(super) features_only: bool,
    /// How the gradient is computed (fbt, lfr).
    #[arg(long, value_enum, default_value_t = Gradient::Pruned)]
    pub(super) gradient: Gradient,
    /// Playouts from each position (balance).
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) playouts: usize,
    /// Moves drawn per position by --gradient sampled.
    #[arg(long, default_value_t = 20)]
    pub(super) draws: usize,
    /// Step size [default: 0.1; net: 0.002; balance: 1].
    #[arg(long)]
    pub(super) rate: Option<f32>,
    /// Step size of the vectors.
    #[arg(long, default_value_t = 0.05)]
    pub(super) vector_rate: f32,
    /// L2 regularization of the weights.
    #[arg(long, default_value_t = 1e-5)]
    pub(super) decay: f32,
    /// L2 regularization of the vectors.
    #[arg(long, default_value_t = 1e-5)]
    pub(super) vector_decay: f32,
    /// Pseudo-counts of the prior (mm, lmp, lmp-teams).
    #[arg(long, default_value_t = 10.0)]
    pub(super) prior: f32,
    /// Sweeps over all groups of features (mm).
    #[arg(long, default_value_t = 20)]
    pub(super) sweeps: usize,
    /// Megabytes of positions to hold (mm).
    #[arg(long, default_value_t = 4096)]
    pub(super) memory: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads: one learns, the others compute features; of `net` all learn, and their number changes nothing.
    #[arg(long, default_value_t = 2)]
    pub(super) threads: usize,
    /// Validate on 200 games after so many games.
    #[arg(long, default_value_t = 5000)]
    pub(super) validate_every: usize,
    /// Keep the state of the training here, and go on from it if it is there (mm, lmp, lmp-teams, lfr, fbt).
    #[arg(long)]
    pub(super) checkpoint: Option<PathBuf>,
    /// Write the state after so many games.
    #[arg(long, default_value_t = 1000)]
    pub(super) checkpoint_every: usize,
    /// Write alpha and beta of every feature that was met to this file (lmp, lmp-teams).
    #[arg(long, value_name = "FILE")]
    pub(super) beliefs: Option<PathBuf>,
    /// Draw the learning curve into this SVG file.
    #[arg(long)]
    pub(super) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(super) net: NetArgs,
}

impl TrainArgs {
    /// What decides the result beside the games: a checkpoint written with other words is refused.
    pub(super) fn options(&self) -> Result<String> {
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
    pub(super) fn check(&self) -> Result<()> {
        ensure!(self.sample > 0.0 && self.sample <= 1.0, "--sample must be above 0 and at most 1");
        ensure!(self.factors <= MAX_FACTORS, "--factors must be at most {MAX_FACTORS}");
        ensure!(self.passes > 0, "--passes must be at least 1");
        ensure!(self.prior > 0.0 && self.prior.is_finite(), "--prior must be above 0");
        ensure!(
            self.rate.is_none_or(|rate| rate > 0.0 && rate.is_finite()),
            "--rate must be above 0"
        );
        for (name, value) in [
            ("--vector-rate", self.vector_rate),
            ("--decay", self.decay),
            ("--vector-decay", self.vector_decay),
        ] {
            ensure!(value >= 0.0 && value.is_finite(), "{name} must be 0 or more");
        }
        ensure!(self.hold_out.is_none_or(|n| n > 1), "--hold-out must be at least 2");
        ensure!(
            self.hold_out.is_none() || !matches!(self.method, Method::Net | Method::Balance),
            "labels are split by game already; give --valid FILE"
        );
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: TrainArgs,
    }

    #[test]
    fn steps_that_lead_nowhere_are_refused_before_the_training() {
        let check = |option: &str, value: &str| {
            let words = ["train", "fbt", "games", "--out", "model", option, value];
            Line::try_parse_from(words).unwrap().args.check().map_err(|error| error.to_string())
        };
        for option in ["--rate", "--vector-rate", "--decay", "--vector-decay", "--prior"] {
            assert!(check(option, "nan").is_err_and(|error| error.starts_with(option)), "{option}");
            assert_eq!(check(option, "0.25"), Ok(()));
        }
        assert!(check("--rate", "0").is_err() && check("--decay", "0").is_ok());
    }
}
