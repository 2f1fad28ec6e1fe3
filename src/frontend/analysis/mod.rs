//! `tengen analysis`: KataGo's analysis protocol, as far as KaTrain and Ogatak use it.
//!
//! Queries come as lines of JSON, answers go out as lines of JSON, in the order in which they are
//! ready. A query names positions of one game; several positions are searched at once, by worker
//! threads that take the most urgent one first ([`pool`]).

pub mod answer;
pub mod fields;
pub mod models;
pub mod pool;
pub mod query;

use crate::frontend::{EngineArgs, read_playouts, without_byte_order_mark};
use crate::input::{Found, read_line};
use crate::logging;
use crate::params::{Overrides, Threads, Value, cores};
use clap::Args;
use pool::Pool;
use std::ffi::OsString;
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;

/// The options of `tengen analysis`.
#[derive(Args, Debug, Default)]
pub struct AnalysisArgs {
    /// Visits of a position when the query does not say
    #[arg(long, value_name = "N", value_parser = read_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Positions that are analyzed at the same time; they share the cores [default: 1, or as many
    /// as there are cores for the --threads of each]
    #[arg(long, value_name = "N")]
    analysis_threads: Option<usize>,
    #[command(flatten)]
    params: EngineArgs,
    /// Append a log to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Stop at the end of the input without finishing the queries
    #[arg(long)]
    quit_without_waiting: bool,
}

/// Translates the options that clients of KataGo write after `analysis`, such as `-model`, so that
/// tengen can stand in its place.
pub fn katago_options(mut args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut own: Vec<OsString> = args.by_ref().take(2).collect();
    let stands_in = own.get(1).is_some_and(|command| command == "analysis");
    while let Some(arg) = args.next() {
        match arg.to_str().filter(|_| stands_in) {
            // Its network and its settings, which clients always name, mean nothing here.
            Some("-model" | "-config" | "-override-config") => drop(args.next()),
            Some(option @ ("-analysis-threads" | "-quit-without-waiting")) => {
                own.push(format!("-{option}").into());
            }
            _ => own.push(arg),
        }
    }
    own
}

/// Answers queries on standard input until it ends.
pub fn run(args: &AnalysisArgs) -> anyhow::Result<()> {
    let mut overrides = Overrides::default();
    let playouts = args.playouts.map(|playouts| playouts.to_string());
    args.params.apply(&mut overrides, &[("search.playouts", playouts)])?;
    let chatter = logging::begin(args.log.as_deref())?;
    let workers = share_cores(&mut overrides, args.analysis_threads);
    let seed = overrides.settle_seed();
    log::info!("tengen {}, {workers} positions at a time, seed {seed}", crate::version::BUILD);
    chatter.say("ready to analyze"); // clients wait for a sign of life on stderr
    serve(std::io::stdin(), std::io::stdout(), overrides, workers, args.quit_without_waiting);
    Ok(())
}

/// Says how many positions are analyzed at a time, and on how many threads each if that is not
/// set: together as many as there are cores. One position gets them all, so that the client that
/// waits for it waits least.
fn share_cores(overrides: &mut Overrides, positions: Option<usize>) -> usize {
    let threads = overrides.get("search.threads").and_then(|text| text.parse().ok());
    let positions = match (positions, threads) {
        (Some(positions), _) => positions,
        (None, None | Some(Threads::Auto)) => 1,
        (None, Some(Threads::Fixed(threads))) => cores() / threads as usize,
    };
    let positions = positions.clamp(1, 256);
    if !matches!(threads, Some(Threads::Fixed(_))) {
        // A number of threads that is in range is always taken.
        let _ = overrides.insert("search.threads", &Threads::of(cores() / positions).show());
    }
    positions
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
    let mut is_first = true;
    loop {
        match read_line(&mut input, &mut line) {
            Ok(Found::End) | Err(_) => break,
            Ok(Found::TooLong) => pool.refuse_long_line(),
            Ok(Found::Line) if is_first => {
                pool.handle(without_byte_order_mark(&line).trim_ascii());
            }
            Ok(Found::Line) => pool.handle(line.trim_ascii()),
        }
        is_first = false;
    }
    pool.finish(quit_without_waiting);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_threads_share_the_cores() {
        let share = |setting: &str, positions| {
            let mut overrides = Overrides::default();
            overrides.add_file(setting).unwrap();
            let positions = share_cores(&mut overrides, positions);
            (positions, overrides.resolve(9).search.threads.count())
        };
        assert_eq!(share("", None), (1, cores()));
        assert_eq!(share("search.threads=auto", None), (1, cores()));
        assert_eq!(share("", Some(cores())), (cores(), 1));
        assert_eq!(share("", Some(10_000)), (256, 1));
        assert_eq!(share("search.threads=1", None), (cores().min(256), 1));
        assert_eq!(share("search.threads=256", None).1, 256);
        assert_eq!(share("search.threads=3", Some(2)), (2, 3));
    }
}
