//! The command line: one subcommand per tool.
//!
//! Each subcommand is a clap struct and a `run` function that live with the tool they start; this
//! file only lists them, so that adding a tool is two lines here.

use crate::analysis::{self, AnalysisArgs};
use crate::gtp::{self, GtpArgs};
use crate::params::list::{self as params, ListArgs as ParamsArgs};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A Go engine that speaks GTP.
#[derive(Parser, Debug)]
#[command(name = "tengen", version, about, long_about = None)]
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
    /// Speak GTP on standard input and output (also the default)
    Gtp(Box<GtpArgs>),
    /// Print every parameter with its default, range and meaning
    Params(ParamsArgs),
}

/// Runs the command line; bad arguments and failures are one sentence on stderr and exit code 2.
pub fn main() -> ExitCode {
    let cli = Cli::parse_from(analysis::katago_options(std::env::args_os()));
    let result: anyhow::Result<()> = match cli.command {
        None => gtp::run(&cli.gtp),
        Some(Command::Analysis(args)) => analysis::run(&args),
        Some(Command::Gtp(args)) => gtp::run(&args),
        Some(Command::Params(args)) => params::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen: {error:#}");
            ExitCode::from(2)
        }
    }
}
