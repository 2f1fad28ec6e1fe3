//! `tengen analysis`: KataGo's analysis protocol, as far as KaTrain and Ogatak use it.
//!
//! Queries come as lines of JSON, answers go out as lines of JSON, in the order in which they are
//! ready. A query names positions of one game; several positions are searched at once, by worker
//! threads that take the most urgent one first ([`pool`]).

pub mod answer;
pub mod pool;
pub mod query;

use crate::logging::{self, Chatter};
use crate::params::Overrides;
use anyhow::{Context, anyhow};
use clap::Args;
use pool::Pool;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;

/// The options of `tengen analysis`.
#[derive(Args, Debug, Default)]
pub struct AnalysisArgs {
    /// Visits of a position when the query does not say
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Positions that are analyzed at the same time [default: the processors there are]
    #[arg(long, value_name = "N")]
    analysis_threads: Option<usize>,
    /// Threads that search one position
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Memory for the tree of one position, in MB
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Model of good moves that the tree asks in place of the built-in ones, on boards of any size
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Set a parameter (see `tengen params`); may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Read parameters from a file of name = value lines
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// Append a log to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Stop at the end of the input without finishing the queries
    #[arg(long)]
    quit_without_waiting: bool,
    /// KataGo's network, which clients always name; not used
    #[arg(long, hide = true)]
    katago_model: Option<OsString>,
    /// KataGo's configuration, which clients always name; not used
    #[arg(long, hide = true)]
    katago_config: Option<OsString>,
    /// KataGo's settings; not used
    #[arg(long, hide = true)]
    katago_override_config: Option<OsString>,
}

/// Translates the options that clients of KataGo write after `analysis`, such as `-model`, so that
/// tengen can stand in its place.
pub fn katago_options(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    if args.get(1).is_some_and(|command| command == "analysis") {
        for arg in &mut args[2..] {
            let own = match arg.to_str() {
                Some("-model") => "--katago-model",
                Some("-config") => "--katago-config",
                Some("-override-config") => "--katago-override-config",
                Some("-analysis-threads") => "--analysis-threads",
                Some("-quit-without-waiting") => "--quit-without-waiting",
                _ => continue,
            };
            *arg = own.into();
        }
    }
    args
}

impl AnalysisArgs {
    fn overrides(&self) -> anyhow::Result<Overrides> {
        let mut overrides = Overrides::default();
        if let Some(file) = &self.params {
            let name = file.display();
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read the parameter file {name}"))?;
            overrides
                .add_file(&text)
                .map_err(|(line, error)| anyhow!("{name}, line {line}: {error}"))?;
        }
        for (name, value) in [
            ("search.playouts", self.playouts),
            ("search.threads", self.threads),
            ("search.memory", self.memory),
            ("search.seed", self.seed),
        ] {
            if let Some(value) = value {
                overrides.insert(name, &value.to_string())?;
            }
        }
        for assignment in &self.set {
            overrides.add(assignment)?;
        }
        if let Some(file) = &self.model {
            // The error's text names its cause already: as a context it would be said twice.
            overrides
                .load_model(file)
                .map_err(|error| anyhow!("--model {}: {error}", file.display()))?;
        }
        Ok(overrides)
    }
}

/// Answers queries on standard input until it ends.
pub fn run(args: &AnalysisArgs) -> anyhow::Result<()> {
    let overrides = args.overrides()?;
    if let Some(file) = &args.log {
        logging::log_to_file(file)?;
    }
    let chatter = Chatter::stderr();
    logging::report_panics(chatter.clone());
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.analysis_threads.unwrap_or(processors).clamp(1, 256);
    chatter.say("ready to analyze"); // clients wait for a sign of life on stderr
    serve(std::io::stdin(), std::io::stdout(), overrides, workers, args.quit_without_waiting);
    Ok(())
}

/// Answers queries from any source.
pub fn serve(
    input: impl Read,
    output: impl Write + Send + 'static,
    overrides: Overrides,
    workers: usize,
    quit_without_waiting: bool,
) {
    let pool = Pool::start(output, overrides, workers);
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => pool.handle(line.trim_ascii()),
        }
    }
    pool.finish(quit_without_waiting);
}
