//! `tengen bench`: how fast this build runs on this machine.
//!
//! A workload is a name and a function that makes one worker; `WORKLOADS` lists them, so a new
//! one is one line there. Machines are noisy and clocks drift, so one thread and many threads are
//! measured in turns of a quarter of a second: what is compared was measured in the same seconds.
//!
//! Rates are per second on the wall clock, which is what a player gets. The time of a move is CPU
//! time of the threads, which other programs on the machine disturb less.

mod exchange;
mod measure;
mod playouts;
mod predict;
mod search;
mod signature;
mod threads;

pub(crate) use search::search_speed;
pub(crate) use signature::visits_of_a_search;

use crate::frontend::EngineArgs;
use crate::knowledge::Gammas;
use crate::params::{Overrides, Params, Threads};
use crate::playout::{GammaPolicy, Light, RulePolicy};
use crate::types::{MAX_SIZE, MIN_SIZE};
use crate::workshop::tools::figures::{Figure, Printer};
use anyhow::{Context, bail};
use measure::{Amount, Done, Totals, Worker, measure};
use playouts::playouts;
use std::io::Write;
use std::time::Duration;

/// Something to measure.
struct Workload {
    name: &'static str,
    /// What is counted, in the plural: `playouts`.
    unit: &'static str,
    work: Work,
}

/// How the threads of a workload go together.
enum Work {
    /// Each on its own: makes the worker of one thread.
    Each(fn(&Setup, thread: usize) -> Worker),
    /// All together, as the threads of one search.
    Together(fn(&Setup, thread_counts: &[usize], amount: Amount) -> Vec<Totals>),
}

/// Every workload by name.
const WORKLOADS: &[Workload] = &[
    Workload { name: "light", unit: "playouts", work: Work::Each(|s, t| playouts(Light, s, t)) },
    Workload { name: "rules", unit: "playouts", work: Work::Each(|s, t| playouts(rules(s), s, t)) },
    Workload { name: "gamma", unit: "playouts", work: Work::Each(|s, t| playouts(gamma(), s, t)) },
    Workload { name: "predict", unit: "positions", work: Work::Each(predict::predictions) },
    SEARCH,
    Workload {
        name: "exchange",
        unit: "exchanges",
        work: Work::Together(exchange::measure_exchange),
    },
];

const SEARCH: Workload =
    Workload { name: "search", unit: "playouts", work: Work::Together(search::measure_search) };

/// The rule-based policy.
fn rules(setup: &Setup) -> RulePolicy {
    RulePolicy::new(&setup.params().playout)
}

/// The policy of the embedded gammas.
fn gamma() -> GammaPolicy {
    GammaPolicy::new(Gammas::embedded())
}

/// What a worker needs to know.
struct Setup {
    size: usize,
    overrides: Overrides,
}

impl Setup {
    /// The parameters of this board size.
    fn params(&self) -> Params {
        self.overrides.resolve(self.size)
    }
}

/// `tengen bench`: measure how fast this build runs on this machine.
#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// What to measure: light (uniform playouts), rules (rule-based playouts), gamma
    /// (playouts from learned gammas), predict (the learned model on all moves of middle-game
    /// positions), search (the whole engine), exchange (what a rank of four tells and takes in), threads (the whole engine on each number of
    /// threads, and which to set) or signature (numbers
    /// that change when play changes, one a configuration and their sum)
    #[arg(long, value_name = "NAME", default_value = "search")]
    what: String,
    /// Board sizes
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "9,13,19")]
    size: Vec<usize>,
    /// Seconds for each size and number of threads
    #[arg(long, value_name = "S", default_value_t = 3.0)]
    seconds: f64,
    /// Do this many playouts in every thread or search, however long it takes, as profilers need it
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// The engine; `--threads N` measures N threads beside one, and with `--what threads` it is the most to try.
    #[command(flatten)]
    engine: EngineArgs,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `tengen bench`.
pub fn run(args: BenchArgs) -> anyhow::Result<()> {
    let mut overrides = args.engine.overrides()?;
    if overrides.get("search.seed").is_none() {
        overrides.insert("search.seed", SEED)?;
    }
    if args.what == "signature" {
        let mut printer = Printer::new(std::io::stdout().lock(), args.json);
        let mut parts = Vec::new();
        for part in signature::parts(&overrides) {
            printer.print(Figure::new(part.name, f64::from(part.value), ""))?;
            parts.push(part);
        }
        printer.print(Figure::new("sum", f64::from(signature::sum(&parts)), ""))?;
        return Ok(printer.finish()?);
    }
    let name = if args.what == "threads" { SEARCH.name } else { args.what.as_str() };
    let Some(workload) = WORKLOADS.iter().find(|workload| workload.name == name) else {
        let names: Vec<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
        bail!(
            "'{}' cannot be measured: name threads, signature or one of {}",
            args.what,
            names.join(", ")
        );
    };
    if let Some(size) = args.size.iter().find(|size| !(MIN_SIZE..=MAX_SIZE).contains(*size)) {
        bail!("board size {size} is not possible: choose sizes from 2 to 19");
    }
    let seconds = Duration::try_from_secs_f64(args.seconds)
        .ok()
        .filter(|time| !time.is_zero() && *time <= MAX_TIME)
        .with_context(|| {
            format!(
                "--seconds {} is not possible: give a number above 0, at most 86400",
                args.seconds
            )
        })?;
    let amount = args.playouts.map_or(Amount::Time(seconds), Amount::Units);
    let asked = args.engine.threads().map(Threads::count);
    let threads = asked.unwrap_or(1);
    let mut printer = Printer::new(std::io::stdout().lock(), args.json);
    if args.what == "threads" {
        threads::run(&mut printer, &args.size, &overrides, asked, amount)?;
        return Ok(printer.finish()?);
    }
    for &size in &args.size {
        let setup = Setup { size, overrides: overrides.clone() };
        let counts = if threads == 1 { vec![1] } else { vec![1, threads] };
        let totals = match workload.work {
            Work::Each(worker) => measure(|thread| worker(&setup, thread), &counts, amount),
            Work::Together(run) => run(&setup, &counts, amount),
        };
        print_totals(&mut printer, workload, size, &totals)?;
    }
    Ok(printer.finish()?)
}

const MAX_TIME: Duration = Duration::from_secs(86_400);
/// The seed of the random numbers, unless one is given: what is measured repeats.
const SEED: &str = "1";

fn print_totals(
    printer: &mut Printer<impl Write>,
    workload: &Workload,
    size: usize,
    totals: &[Totals],
) -> std::io::Result<()> {
    let rate = |totals: &Totals, count: u64| count as f64 / totals.wall.as_secs_f64();
    let per_unit = format!("moves/{}", workload.unit.trim_end_matches('s'));
    for total in totals {
        let threads = if total.threads == 1 { "thread" } else { "threads" };
        let name = format!("{} {size}x{size} {} {threads}", workload.name, total.threads);
        let Done { units, moves } = total.done;
        let per_second = format!("{}/s", workload.unit);
        printer.print(Figure::new(&name, rate(total, units), per_second))?;
        if moves > 0 {
            let name_moves = format!("{name} moves");
            printer.print(Figure::new(name_moves, rate(total, moves), "moves/s"))?;
            let nanoseconds = total.cpu.as_secs_f64() * 1e9 / moves as f64;
            printer.print(Figure::new(format!("{name} time"), nanoseconds, "ns/move"))?;
            let length = moves as f64 / units as f64;
            printer.print(Figure::new(format!("{name} length"), length, per_unit.clone()))?;
        }
        if total.threads > 1 {
            let one = &totals[0];
            let speedup = rate(total, units) / rate(one, one.done.units);
            printer.print(Figure::new(format!("{name} speedup"), speedup, "times"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_works_on_every_size() {
        for workload in WORKLOADS {
            let Work::Each(worker) = workload.work else { continue };
            for size in [MIN_SIZE, 9, MAX_SIZE] {
                let setup = Setup { size, overrides: Overrides::default() };
                let done = worker(&setup, 0)();
                assert!(done.units > 0 && done.moves >= done.units, "{}", workload.name);
            }
            let setup = Setup { size: MAX_SIZE, overrides: Overrides::default() };
            let [one, two] = [0, 1].map(|thread| worker(&setup, thread)());
            assert_ne!(one.moves, two.moves, "{}: own streams", workload.name);
        }
    }

    #[test]
    fn figures_are_rates() {
        let total = |threads, units| Totals {
            threads,
            done: Done { units, moves: 100 * units },
            wall: Duration::from_secs(2),
            cpu: Duration::from_secs(2 * threads as u64),
        };
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, false);
        let totals = [total(1, 40_000), total(2, 76_000)];
        print_totals(&mut printer, &WORKLOADS[0], 9, &totals).unwrap();
        let expected = "light 9x9 1 thread: 20000 playouts/s\n\
                        light 9x9 1 thread moves: 2000000 moves/s\n\
                        light 9x9 1 thread time: 500 ns/move\n\
                        light 9x9 1 thread length: 100 moves/playout\n\
                        light 9x9 2 threads: 38000 playouts/s\n\
                        light 9x9 2 threads moves: 3800000 moves/s\n\
                        light 9x9 2 threads time: 526.3 ns/move\n\
                        light 9x9 2 threads length: 100 moves/playout\n\
                        light 9x9 2 threads speedup: 1.900 times\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
