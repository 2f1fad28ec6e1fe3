//! `tengen analysis`: KataGo's analysis protocol, as far as KaTrain and Ogatak use it.
//!
//! Queries come as lines of JSON, answers go out as lines of JSON, in the order in which they are
//! ready. A query names positions of one game; several positions are searched at once, by worker
//! threads that take the most urgent one first ([`pool`]).

pub mod answer;
pub mod pool;
pub mod query;

use crate::frontend::ParamArgs;
use crate::input::{Found, read_line};
use crate::logging::{self, Chatter};
use crate::params::Overrides;
use clap::Args;
use pool::Pool;
use std::ffi::OsString;
use std::io::{BufReader, Read, Write};
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
    #[command(flatten)]
    params: ParamArgs,
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

/// Answers queries on standard input until it ends.
pub fn run(args: &AnalysisArgs) -> anyhow::Result<()> {
    let mut overrides = Overrides::default();
    let playouts = args.playouts.map(|playouts| playouts.to_string());
    args.params.apply(&mut overrides, &[("search.playouts", playouts)])?;
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
        match read_line(&mut input, &mut line) {
            Ok(Found::End) | Err(_) => break,
            Ok(Found::TooLong) => pool.refuse_long_line(),
            Ok(Found::Line) => pool.handle(line.trim_ascii()),
        }
    }
    pool.finish(quit_without_waiting);
}
