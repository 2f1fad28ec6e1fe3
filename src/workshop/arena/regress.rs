//! `tengen regress`: runs regression suites against a GTP program.
//!
//! As in gogui-regress, every suite gets a fresh program that runs in the suite's directory, so that
//! `loadsgf` finds its games. A program that dies or hangs fails the test at hand; it is started
//! again, given the position back, and the suite goes on.

use super::suite::{Step, parse_suite};
use crate::input;
use crate::params::Threads;
use crate::workshop::measure::quality::EngineFlags;
use crate::workshop::tools::answer::Answer;
use crate::workshop::tools::fault::{Fault, FaultKind};
use crate::workshop::tools::player::{Player, Program};
use crate::workshop::tools::words::short;
use crate::workshop::tools::work::in_parallel;
use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most bytes of a suite or a list of suites.
const MAX_FILE: u64 = 64 << 20;

/// Run regression suites (GTP commands with expected answers) against a program.
#[derive(Args, Clone, Debug)]
pub struct RegressArgs {
    /// The suites; @FILE names a file that lists one suite per line
    #[arg(required = true, value_name = "FILE.tst")]
    suites: Vec<String>,
    /// The GTP program; tengen itself, on one thread, if not given
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    #[command(flatten)]
    flags: EngineFlags,
    /// GTP commands to run before each suite
    #[arg(long, value_name = "FILE")]
    gtp_file: Option<PathBuf>,
    /// Suites to run at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Seconds that a command may take
    #[arg(long, value_name = "S", default_value_t = 600.0, allow_negative_numbers = true)]
    timeout: f64,
    /// Print a line for every test, not only for surprises
    #[arg(long)]
    long: bool,
    /// Exit with code 1 if a test fails that is not known to fail
    #[arg(long)]
    strict: bool,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// One test and how it went.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TestResult {
    /// Line of the suite.
    pub line: usize,
    /// Id of the command, empty if it has none.
    pub id: String,
    /// The command.
    pub command: String,
    /// The last `loadsgf` before it.
    pub position: String,
    /// The pattern; empty if the command only has to succeed.
    pub expected: String,
    /// The answer, or what went wrong.
    pub got: String,
    /// Was it right?
    pub passed: bool,
    /// Is it marked as known to fail?
    pub known_to_fail: bool,
}

/// How often what happened.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Counts {
    /// Tests.
    pub tests: usize,
    /// Tests passed, the unexpected ones included.
    pub passes: usize,
    /// Tests failed, the expected ones included.
    pub fails: usize,
    /// Passed although known to fail.
    pub unexpected_passes: usize,
    /// Failed as expected.
    pub expected_fails: usize,
    /// Other commands that failed.
    pub errors: usize,
    /// Times the program died or hung.
    pub crashes: usize,
    /// Seconds.
    pub seconds: f64,
    /// Processor seconds of the program.
    pub cpu_seconds: f64,
}

impl Counts {
    fn add_test(&mut self, test: &TestResult) {
        self.tests += 1;
        if test.passed {
            self.passes += 1;
            self.unexpected_passes += usize::from(test.known_to_fail);
        } else {
            self.fails += 1;
            self.expected_fails += usize::from(test.known_to_fail);
        }
    }

    fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.passes += other.passes;
        self.fails += other.fails;
        self.unexpected_passes += other.unexpected_passes;
        self.expected_fails += other.expected_fails;
        self.errors += other.errors;
        self.crashes += other.crashes;
        self.seconds += other.seconds;
        self.cpu_seconds += other.cpu_seconds;
    }

    /// Fails that nobody expects.
    pub fn unexpected_fails(&self) -> usize {
        self.fails - self.expected_fails
    }

    fn to_line(self, name: &str) -> String {
        format!(
            "{name}: {} tests, {} passes ({} unexpected), {} fails ({} expected), {} errors, \
             {:.1} s",
            self.tests,
            self.passes,
            self.unexpected_passes,
            self.fails,
            self.expected_fails,
            self.errors,
            self.seconds
        )
    }
}

/// A suite and how it went.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SuiteResult {
    /// The file.
    pub file: String,
    /// The sums.
    pub counts: Counts,
    /// The tests.
    pub tests: Vec<TestResult>,
    /// Other commands that failed, with their answers.
    pub errors: Vec<String>,
}

/// Runs the suites and prints how they went.
pub fn run(args: &RegressArgs) -> anyhow::Result<()> {
    ensure!(args.jobs > 0, "--jobs must be at least 1");
    ensure!(args.timeout > 0.0 && args.timeout < 1e9, "--timeout must be a positive number");
    let mut files = Vec::new();
    for suite in &args.suites {
        collect_suites(suite, &mut files, &mut HashSet::new())?;
    }
    let mut suites = Vec::new();
    for file in &files {
        let text = input::read_bytes(file, MAX_FILE)
            .with_context(|| format!("cannot read the suite '{}'", file.display()))?;
        let steps = parse_suite(&String::from_utf8_lossy(&text))
            .with_context(|| format!("the suite '{}'", file.display()))?;
        suites.push((file.as_path(), steps));
    }
    let runner = Runner {
        program: program(args)?,
        before: read_gtp_file(args.gtp_file.as_deref())?,
        timeout: Duration::from_secs_f64(args.timeout),
        bar: ProgressBar::hidden(),
    };
    let results = runner.run_all(&suites, args.jobs)?;
    let failed = results.iter().any(|result| result.counts.unexpected_fails() > 0);
    print(args, &results)?;
    if args.strict && failed {
        std::process::exit(1);
    }
    Ok(())
}

/// The program to test, with a path that holds in every directory.
fn program(args: &RegressArgs) -> anyhow::Result<Program> {
    let Some(command) = &args.engine else {
        // A program that refuses its options only fails to answer.
        args.flags.check()?;
        let engine = args.flags.engine.clone().or(Threads::of(1), None);
        let flags = EngineFlags { engine, ..args.flags.clone() };
        return Ok(super::options::tengen_itself()?.with_arguments(flags.words()));
    };
    if let Some(option) = args.flags.words().first() {
        bail!("{option} is an option of tengen; write the program's own into --engine");
    }
    let mut words = Program::parse(command)?.with_one_thread().words().to_vec();
    if let Some(first) = words.first_mut() {
        let path = Path::new(first.as_str());
        if path.components().count() > 1 && path.is_relative() {
            let absolute = std::path::absolute(path)
                .with_context(|| format!("cannot start the program '{first}'"))?;
            *first = absolute.to_string_lossy().into_owned();
        }
    }
    Ok(Program::from_words(words))
}

/// Expands `@FILE`; each file is listed once.
fn collect_suites(
    name: &str,
    files: &mut Vec<PathBuf>,
    open: &mut HashSet<PathBuf>,
) -> anyhow::Result<()> {
    let Some(list) = name.strip_prefix('@') else {
        files.push(PathBuf::from(name));
        return Ok(());
    };
    let path = PathBuf::from(list);
    let text = input::read_text(&path, MAX_FILE)
        .with_context(|| format!("cannot read the list of suites '{list}'"))?;
    ensure!(open.insert(path.clone()), "the list of suites '{list}' contains itself");
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // Names in a list are relative to the list.
        let directory = path.parent().unwrap_or(Path::new(""));
        let name = match line.strip_prefix('@') {
            Some(list) => format!("@{}", directory.join(list).display()),
            None => directory.join(line).display().to_string(),
        };
        collect_suites(&name, files, open)?;
    }
    open.remove(&path);
    Ok(())
}

fn read_gtp_file(path: Option<&Path>) -> anyhow::Result<Vec<String>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let text = input::read_text(path, MAX_FILE)
        .with_context(|| format!("cannot read the GTP file '{}'", path.display()))?;
    let commands = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    Ok(commands.filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

struct Runner {
    program: Program,
    before: Vec<String>,
    timeout: Duration,
    bar: ProgressBar,
}

impl Runner {
    fn run_all(
        mut self,
        suites: &[(&Path, Vec<Step>)],
        jobs: usize,
    ) -> anyhow::Result<Vec<SuiteResult>> {
        if std::io::stderr().is_terminal() {
            let tests = suites.iter().flat_map(|(_, steps)| steps).filter(|step| step.is_test);
            self.bar = ProgressBar::new(tests.count() as u64);
            let style = "{bar:30} {pos}/{len} tests, {eta} left";
            self.bar.set_style(ProgressStyle::with_template(style)?);
        }
        let failed = AtomicBool::new(false);
        let results = in_parallel(
            suites.len(),
            jobs,
            || (),
            |(), index| {
                if failed.load(Ordering::Relaxed) {
                    return None; // what keeps the program from starting keeps it every time
                }
                let (file, steps) = &suites[index];
                let result = self.run_suite(file, steps);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                Some(result)
            },
        );
        self.bar.finish_and_clear();
        results.into_iter().flatten().collect()
    }

    /// A fresh program in the suite's directory.
    fn start(&self, directory: &Path) -> anyhow::Result<Player> {
        let mut player = Player::start(&self.program, 0, Some(directory), self.timeout)?;
        for command in &self.before {
            player.demand(command)?;
        }
        Ok(player)
    }

    fn run_suite(&self, file: &Path, steps: &[Step]) -> anyhow::Result<SuiteResult> {
        let directory = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut player = Some(self.start(directory)?);
        let mut result = SuiteResult {
            file: file.display().to_string(),
            counts: Counts::default(),
            tests: Vec::new(),
            errors: Vec::new(),
        };
        let cpu = |player: &mut Option<Player>| {
            player.as_mut().and_then(|player| player.cpu_seconds().ok()?).unwrap_or(0.0)
        };
        let mut cpu_before = cpu(&mut player);
        let started = Instant::now();
        let mut position: Vec<String> = Vec::new();
        for step in steps {
            if !step.is_test {
                if ["loadsgf", "clear_board", "boardsize"]
                    .iter()
                    .any(|c| step.command.starts_with(c))
                {
                    position.clear();
                }
                position.push(step.command.clone());
            }
            let answer = match &mut player {
                Some(player) => player.ask(&step.to_gtp()),
                None => Err(Fault::new(FaultKind::Crash, "the program could not be started again")),
            };
            if answer.is_err() && player.is_some() {
                result.counts.crashes += 1;
                player = self.start(directory).ok();
                cpu_before = cpu(&mut player);
                // The test at hand is lost, but the position is not.
                let before_this = position.len() - usize::from(!step.is_test);
                for command in &position[..before_this] {
                    if player.as_mut().is_some_and(|player| player.ask(command).is_err()) {
                        player = None;
                    }
                }
            }
            let loaded = position.first().filter(|command| command.starts_with("loadsgf"));
            judge(step, answer, loaded, &mut result);
            if step.is_test {
                self.bar.inc(1);
            }
        }
        result.counts.seconds = started.elapsed().as_secs_f64();
        result.counts.cpu_seconds = (cpu(&mut player) - cpu_before).max(0.0);
        if let Some(player) = player {
            let _ = player.retire().join();
        }
        Ok(result)
    }
}

/// Enters the answer to a step.
fn judge(
    step: &Step,
    answer: Result<Answer, Fault>,
    loaded: Option<&String>,
    result: &mut SuiteResult,
) {
    let (success, got) = match answer {
        Ok(answer) if answer.success => (true, answer.text),
        Ok(answer) => (false, format!("? {}", answer.text)),
        Err(fault) => (false, fault.to_string()),
    };
    if !step.is_test {
        if !success {
            let error = format!("line {}: {}: {}", step.line, step.command, excerpt(&got));
            result.counts.errors += 1;
            result.errors.push(error);
        }
        return;
    }
    let expectation = step.expectation.as_ref();
    let test = TestResult {
        line: step.line,
        id: step.id.clone().unwrap_or_default(),
        command: step.command.clone(),
        position: loaded.cloned().unwrap_or_default(),
        expected: expectation.map_or(String::new(), |expected| expected.text.clone()),
        passed: success && expectation.is_none_or(|expected| expected.is_met_by(&got)),
        known_to_fail: expectation.is_some_and(|expected| expected.known_to_fail),
        got,
    };
    result.counts.add_test(&test);
    result.tests.push(test);
}

/// The beginning of an answer, on one line.
fn excerpt(text: &str) -> String {
    short(&text.split_whitespace().collect::<Vec<_>>().join(" "), 100)
}

fn print(args: &RegressArgs, results: &[SuiteResult]) -> anyhow::Result<()> {
    let mut total = Counts::default();
    for result in results {
        total.add(&result.counts);
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let json = serde_json::json!({ "suites": results, "total": total });
        writeln!(out, "{}", serde_json::to_string_pretty(&json)?)?;
        return Ok(());
    }
    for result in results {
        for error in &result.errors {
            writeln!(out, "{} error in {error}", result.file)?;
        }
        for test in &result.tests {
            let name =
                if test.id.is_empty() { format!("line {}", test.line) } else { test.id.clone() };
            let verdict = match (test.passed, test.known_to_fail) {
                (false, false) => "unexpected FAIL",
                (true, true) => "unexpected PASS",
                (false, true) if args.long => "expected fail",
                (true, false) if args.long => "pass",
                _ => continue,
            };
            write!(out, "{} {name} {verdict}", result.file)?;
            if !test.passed && !test.expected.is_empty() {
                write!(out, ": correct '{}'", test.expected)?;
            }
            writeln!(out, "{} got '{}'", if test.passed { ":" } else { "," }, excerpt(&test.got))?;
        }
    }
    for result in results {
        writeln!(out, "{}", result.counts.to_line(&result.file))?;
    }
    for (name, count) in [
        ("suites", results.len()),
        ("tests", total.tests),
        ("passes", total.passes),
        ("unexpected passes", total.unexpected_passes),
        ("fails", total.fails),
        ("expected fails", total.expected_fails),
        ("unexpected fails", total.unexpected_fails()),
        ("errors", total.errors),
        ("crashes", total.crashes),
    ] {
        writeln!(out, "{name}: {count}")?;
    }
    writeln!(out, "time: {:.1} s", total.seconds)?;
    writeln!(out, "cpu time: {:.1} s", total.cpu_seconds)?;
    Ok(())
}
