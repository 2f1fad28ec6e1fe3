//! The command line: one subcommand per tool.
//!
//! Each subcommand is a clap struct and a `run` function that live with the tool they start; this
//! file only lists them, so that adding a tool is two lines here.

use crate::frontend::analysis::{self, AnalysisArgs};
use crate::frontend::gtp::{self, GtpArgs};
use crate::frontend::params::{self as params, ListArgs as ParamsArgs};
use crate::workshop::arena;
use crate::workshop::bench::{self, BenchArgs};
use crate::workshop::measure::calibrate::{self, CalibrateArgs};
use crate::workshop::measure::quality::{self, QualityArgs};
use crate::workshop::perft::{self, PerftArgs};
use crate::workshop::selfcheck::{self, SelfcheckArgs};
use crate::workshop::train::command::{self as train, TrainArgs};
use crate::workshop::train::predict::{self, PredictArgs};
use crate::workshop::train::show::{self as features, FeaturesArgs};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A Go engine that speaks GTP.
#[derive(Parser, Debug)]
#[command(name = "tengen", version = crate::version::long(), about, long_about = None)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gtp: GtpArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Answer the JSON queries of KaTrain and Ogatak on standard input
    Analysis(AnalysisArgs),
    /// Measure how fast this build runs on this machine
    Bench(BenchArgs),
    /// Compare playouts with a referee's winrate and ownership
    Calibrate(CalibrateArgs),
    /// Rate the players of one or more matches together
    Elo(arena::elo_list::EloArgs),
    /// Show the features and the probability of every move of a position
    Features(FeaturesArgs),
    /// Speak GTP on standard input and output (also the default)
    Gtp(Box<GtpArgs>),
    /// Play many games between two GTP programs and say which one is stronger
    Match(Box<arena::options::MatchArgs>),
    /// Print every parameter with its default, range and meaning
    Params(ParamsArgs),
    /// Count the legal sequences of stones from the empty board
    Perft(PerftArgs),
    /// Measure how well a model predicts the moves of games
    Predict(PredictArgs),
    /// Measure what an engine's moves lose on positions that a referee has judged
    Quality(QualityArgs),
    /// Run regression suites (GTP commands with expected answers) against a program
    Regress(arena::regress::RegressArgs),
    /// Check quickly that this build works on this machine
    Selfcheck(SelfcheckArgs),
    /// Learn a model of good players' moves from games
    Train(Box<TrainArgs>),
}

/// Runs the command line; bad arguments and failures are one sentence on stderr and exit code 2.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(analysis::katago_options(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            eprintln!("tengen: {}", one_sentence(&error.to_string()));
            return ExitCode::from(2);
        }
        Err(help_or_version) => help_or_version.exit(),
    };
    let result: anyhow::Result<()> = match cli.command {
        None => gtp::run(&cli.gtp),
        Some(Command::Analysis(args)) => analysis::run(&args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Calibrate(args)) => calibrate::run(&args),
        Some(Command::Elo(args)) => arena::elo_list::run(&args),
        Some(Command::Features(args)) => features::run(&args),
        Some(Command::Gtp(args)) => gtp::run(&args),
        Some(Command::Match(args)) => arena::contest::run(&args),
        Some(Command::Params(args)) => params::run(&args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Predict(args)) => predict::run(&args),
        Some(Command::Quality(args)) => quality::run(&args),
        Some(Command::Regress(args)) => arena::regress::run(&args),
        Some(Command::Selfcheck(args)) => selfcheck::run(&args),
        Some(Command::Train(args)) => train::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen: {}", with_causes(&error));
            ExitCode::from(2)
        }
    }
}

/// An error and its causes, each said once: the library's errors tell their cause themselves.
fn with_causes(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// The first paragraph of clap's message, which says what is wrong, on one line.
fn one_sentence(message: &str) -> String {
    let paragraph = message.trim_start_matches("error: ").split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    format!("{}; see --help", words.join(" "))
}
