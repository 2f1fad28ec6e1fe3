//! `tengen quality`: what an engine's moves lose on positions that a referee has judged.
//!
//! Every program is asked over GTP, tengen too, so all are measured the same way. The mean loss
//! needs some hundred positions to tell two settings apart; asked on the same positions with the
//! same seeds (`--against`), some of the spread between positions cancels. How much depends on how
//! often both choose the same move: over the 348 positions of a 9x9 suite, 400 against 800
//! playouts (70 % same moves) had an interval of +-0.36 points where the unpaired one is +-0.72, two
//! ways to mix RAVE in (39 % same moves) one of +-0.61 instead of +-0.71.

mod flags;
mod judge;
mod loss;

pub use flags::{EngineFlags, Side};
pub use judge::NetworkJudge;
pub use loss::{
    Answered, BEST_BELOW_POINTS, BLUNDER_POINTS, BLUNDER_WINRATE, Difference, Loss, Summary,
};

use super::labels::{Labels, Needs, Position};
use super::player::Respondent;
use crate::engine::Choice;
use crate::knowledge::net::shape::MIN_SIZE;
use crate::workshop::tools::process::lock;
use crate::workshop::tools::work::{in_parallel, position_seed, progress_bar};
use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The options of the measurement.
#[derive(Args, Debug)]
pub struct QualityArgs {
    /// Files of positions with the referee's value of every move (JSON lines, plain or .zst)
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,
    /// Another GTP program to measure instead of tengen
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Measure what the network alone would play, by its policy or by its winrate after every move
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["engine", "against", "engine2"])]
    judge: Option<NetworkJudge>,
    #[command(flatten)]
    flags: EngineFlags,
    /// Compare with the same engine under other flags, as in --against '--set a=b --playouts 500'
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, conflicts_with = "engine2")]
    against: Option<String>,
    /// Compare with another GTP program
    #[arg(long, value_name = "CMD")]
    engine2: Option<String>,
    /// Engines at work at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// At most so many positions of each suite, spread evenly over it
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Seconds without an answer after which an engine is ended and its position has failed
    /// [default: 300, or ten times --time if that is more]
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Print a line for every position: its line, the move and what it loses
    #[arg(long, conflicts_with = "json")]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is printed: one entry per suite.
#[derive(Serialize)]
struct QualityReport {
    engines: Vec<String>,
    suites: Vec<SuiteReport>,
}

#[derive(Serialize)]
struct SuiteReport {
    suite: String,
    /// One per engine.
    summaries: Vec<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// Runs the command.
pub fn run(args: &QualityArgs) -> anyhow::Result<()> {
    ensure!((1..=1000).contains(&args.jobs), "--jobs must be 1 to 1000");
    ensure!(args.limit != Some(0), "--limit must be at least 1");
    if let Some(judge) = args.judge {
        return run_judge(args, judge);
    }
    let sides = Side::all(
        &args.flags,
        args.engine.as_deref(),
        args.against.as_deref(),
        args.engine2.as_deref(),
    )?;
    let timeouts = sides.iter().map(|side| timeout(side, args.timeout));
    let timeouts: Vec<Duration> = timeouts.collect::<anyhow::Result<_>>()?;
    let respondent = |(side, &timeout): (&Side, &Duration)| {
        Respondent::new(side.program.clone(), side.seconds, timeout)
    };
    let seeds: Vec<u64> = sides.iter().map(|side| side.seed).collect();
    let suites = args.suites.iter().map(|path| Labels::read(path, Needs::Moves, args.limit));
    let suites: Vec<Labels> = suites.collect::<Result<_, _>>()?;

    // Started once before the work begins: a wrong command is an error, not a failed suite.
    let mut teams: Vec<Team> = Vec::new();
    teams.resize_with(args.jobs, || {
        Mutex::new(sides.iter().zip(&timeouts).map(respondent).collect())
    });
    lock(&teams[0]).iter_mut().try_for_each(|player| player.start().map(drop))?;

    let mut report = QualityReport { engines: vec![], suites: vec![] };
    report.engines.extend(sides.iter().map(|side| side.program.command()));
    for suite in &suites {
        let answers = ask(suite, &seeds, &teams);
        report_failures(suite, &answers);
        if args.list {
            list(suite, &answers);
        }
        let answers: Vec<Vec<Option<Answered>>> = answers
            .into_iter()
            .map(|answers| answers.into_iter().map(Result::ok).collect())
            .collect();
        report.add(suite, &answers);
    }
    report.print(args.json)?;
    let answered = |suite: &SuiteReport| suite.summaries.iter().all(|s| s.positions > 0);
    if let Some(suite) = report.suites.iter().find(|suite| !answered(suite)) {
        bail!("an engine answered no position of '{}'; the reasons are above", suite.suite);
    }
    Ok(())
}

/// The same for the network alone.
fn run_judge(args: &QualityArgs, judge: NetworkJudge) -> anyhow::Result<()> {
    let overrides = args.flags.engine.overrides()?;
    let mut report =
        QualityReport { engines: vec![format!("{judge:?} of the network")], suites: vec![] };
    for path in &args.suites {
        let suite = Labels::read(path, Needs::Moves, args.limit)?;
        let size = suite.positions.first().map_or(9, |position| position.size);
        let network = overrides.resolve(size).tree_network.for_size(size);
        let Some(network) = network.filter(|_| suite.positions.iter().all(|p| p.size >= MIN_SIZE))
        else {
            bail!("there is no network for the boards of '{}'; give --net FILE", suite.name);
        };
        let answers = judge.answer(&network, &suite, args.jobs);
        if args.list {
            list(&suite, &[answers.iter().map(|&answer| Ok(answer)).collect()]);
        }
        report.add(&suite, &[answers.into_iter().map(Some).collect()]);
    }
    report.print(args.json)
}

/// How long a program may stay silent.
fn timeout(side: &Side, asked: Option<f64>) -> anyhow::Result<Duration> {
    let timeout = asked.unwrap_or(f64::max(300.0, 10.0 * side.time.unwrap_or(0.0)));
    let duration = Duration::try_from_secs_f64(timeout).ok().filter(|time| !time.is_zero());
    duration.with_context(|| format!("--timeout {timeout} must be a number of seconds above 0"))
}

type AnswerOrError = anyhow::Result<Answered>;
/// The engines of a job, which answer for all suites.
type Team = Mutex<Vec<Respondent>>;

/// The answers of every engine to every position of a suite.
fn ask(suite: &Labels, seeds: &[u64], teams: &[Team]) -> Vec<Vec<AnswerOrError>> {
    let next = AtomicUsize::new(0);
    let take = || lock(&teams[next.fetch_add(1, Ordering::Relaxed)]);
    let bar = progress_bar(suite.positions.len(), &suite.name);
    let rows = in_parallel(suite.positions.len(), teams.len(), take, |team, index| {
        let position = &suite.positions[index];
        let answers = team.iter_mut().zip(seeds).map(|(player, &seed)| {
            // 31 bits: the type of GNU Go's seed is int.
            let seed = (position_seed(seed, position.line) & 0x7FFF_FFFF) as u32;
            let reply = player.choose(position, seed)?;
            Ok(Answered { reply, loss: Loss::of(position, reply.choice) })
        });
        let answers: Vec<AnswerOrError> = answers.collect();
        bar.inc(1);
        answers
    });
    bar.finish_and_clear();
    let mut by_engine: Vec<Vec<AnswerOrError>> = seeds.iter().map(|_| vec![]).collect();
    for row in rows {
        for (answers, answer) in by_engine.iter_mut().zip(row) {
            answers.push(answer);
        }
    }
    by_engine
}

/// The name of an engine in the report, where there are two.
fn side_name(engines: usize, index: usize) -> &'static str {
    match (engines, index) {
        (1, _) => "",
        (_, 0) => " first",
        _ => " against",
    }
}

fn report_failures(suite: &Labels, answers: &[Vec<AnswerOrError>]) {
    const SHOWN: usize = 5;
    for (engine, answers_of) in answers.iter().enumerate() {
        let name = side_name(answers.len(), engine);
        let positions = suite.positions.iter().zip(answers_of);
        let failures: Vec<(usize, &anyhow::Error)> = positions
            .filter_map(|(position, answer)| Some((position.line, answer.as_ref().err()?)))
            .collect();
        for (line, error) in failures.iter().take(SHOWN) {
            eprintln!("tengen: {}{name} line {line} failed: {error:#}", suite.name);
        }
        if let Some(more) = failures.len().checked_sub(SHOWN + 1) {
            eprintln!("tengen: {}{name}: {} more failed positions", suite.name, more + 1);
        }
    }
}

/// One line per position and engine.
fn list(suite: &Labels, answers: &[Vec<AnswerOrError>]) {
    for (index, position) in suite.positions.iter().enumerate() {
        for (engine, answers_of) in answers.iter().enumerate() {
            let name = side_name(answers.len(), engine);
            let Ok(Answered { reply, loss }) = &answers_of[index] else { continue };
            let choice = match reply.choice {
                Choice::Play(point) => point.to_string(),
                Choice::Resign => "resign".to_owned(),
            };
            println!(
                "{}{name} line {}: {choice} loses {:.2} points, {:.1} %; best is {}",
                suite.name,
                position.line,
                loss.points,
                100.0 * loss.winrate,
                best_move(position)
            );
        }
    }
}

/// The move with the best lead.
fn best_move(position: &Position) -> String {
    let sign = f64::from(position.to_play.sign());
    let best =
        position.after.iter().max_by(|(_, a), (_, b)| (sign * a.lead).total_cmp(&(sign * b.lead)));
    best.map_or_else(String::new, |(point, _)| point.to_string())
}

impl QualityReport {
    /// Adds the answers of every engine to a suite.
    fn add(&mut self, suite: &Labels, answers: &[Vec<Option<Answered>>]) {
        self.suites.push(SuiteReport {
            suite: suite.name.clone(),
            summaries: answers.iter().map(|answers| Summary::of(answers)).collect(),
            difference: match answers {
                [first, second] => Difference::of(first, second),
                _ => None,
            },
        });
    }

    fn print(&self, json: bool) -> anyhow::Result<()> {
        match json {
            true => println!("{}", serde_json::to_string_pretty(self)?),
            false => print!("{}", self.to_text()),
        }
        Ok(())
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        let engines = self.engines.len();
        for (index, engine) in self.engines.iter().enumerate() {
            let _ = writeln!(text, "engine{}: {engine}", side_name(engines, index));
        }
        for suite in &self.suites {
            for (index, summary) in suite.summaries.iter().enumerate() {
                summary.write(&mut text, &format!("{}{}", suite.suite, side_name(engines, index)));
            }
            if let Some(difference) = &suite.difference {
                difference.write(&mut text, &format!("{} difference", suite.suite));
            }
        }
        text
    }
}
