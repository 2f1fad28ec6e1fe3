//! Xiao's tables of move prediction (4.1 to 4.3): the trainers of `tengen train`, cell by cell.
//!
//! Each cell is some runs of the trainer with the thesis' features and factors; what they found are the manifests that the
//! trainer writes beside the models. A run whose manifest is there is not made again. `--runs` asks for several with
//! seeds of their own, whose mean and spread are given; the thesis has five. `--method sgd` takes his plain steps and
//! constants instead of ours, `--method vectors` his vectors for large patterns as well. `--scale X` takes so many times
//! fewer games than his sets of 1,000, 10,000 and 20,000.

use crate::knowledge::Extractor;
use crate::knowledge::diamond::Family;
use crate::study::command::StudyArgs;
use crate::study::report::{Line, Report, Value};
use crate::study::versus::words;
use crate::workshop::tools::plot::{Axis, Plot, Series};
use crate::workshop::tools::statistics::Mean;
use crate::workshop::train::dataset::Source;
use crate::workshop::train::evaluate::{PHASE, PHASES};
use anyhow::{Context, bail, ensure};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One training.
#[derive(Clone)]
struct Cell {
    name: String,
    paper: &'static str,
    method: &'static str,
    games: u32,
    options: Vec<String>,
}

fn cell(table: &str, method: &'static str, factors: u32, set: usize, paper: &'static str) -> Cell {
    let games = [1000, 10_000, 20_000][set];
    let mut options = words(&format!("--factors {factors} --features {table}"));
    if table == "large" {
        options.extend(words("--min-played 10"));
    }
    Cell { name: format!("{table}-{method}{factors}-s{}", set + 1), paper, method, games, options }
}

/// Tables 4.1 and 4.2.
pub fn tables(args: &StudyArgs) -> anyhow::Result<Report> {
    const PAPER: [(&str, [[&str; 4]; 3]); 2] = [
        (
            "small",
            [
                ["32.56 %", "32.82 %", "30.01 %", "30.08 %"],
                ["33.18 %", "33.42 %", "30.95 %", "31.63 %"],
                ["33.46 %", "34.01 %", "31.13 %", "31.94 %"],
            ],
        ),
        (
            "large",
            [
                ["35.83 %", "35.96 %", "34.38 %", "34.47 %"],
                ["38.26 %", "38.31 %", "37.12 %", "37.34 %"],
                ["38.48 %", "38.75 %", "37.56 %", "37.69 %"],
            ],
        ),
    ];
    let mut cells = Vec::new();
    for (table, rows) in PAPER {
        for (set, row) in rows.into_iter().enumerate() {
            for (index, (method, factors)) in
                [("fbt", 5), ("fbt", 10), ("lfr", 5), ("lfr", 10)].into_iter().enumerate()
            {
                cells.push(cell(table, method, factors, set, row[index]));
            }
        }
    }
    run(args, "Xiao, tables 4.1 and 4.2: top-1 of FBT and LFR", &cells)
}

/// Table 4.3.
pub fn sampling(args: &StudyArgs) -> anyhow::Result<Report> {
    const PAPER: [[&str; 4]; 3] = [
        ["30.04 %", "30.81 %", "31.06 %", "31.78 %"],
        ["32.07 %", "32.90 %", "32.98 %", "33.03 %"],
        ["32.54 %", "33.01 %", "33.09 %", "33.12 %"],
    ];
    let mut cells = Vec::new();
    for (set, row) in PAPER.into_iter().enumerate() {
        for (draws, paper) in ["5", "10", "20", "30"].into_iter().zip(row) {
            let mut cell = cell("small", "fbt", 5, set, paper);
            cell.name = format!("sampled-{draws}-s{}", set + 1);
            cell.options.extend(words(&format!("--gradient sampled --draws {draws}")));
            cells.push(cell);
        }
    }
    run(args, "Xiao, table 4.3: top-1 of FBT with a sampled gradient, k = 5", &cells)
}

fn run(args: &StudyArgs, title: &str, cells: &[Cell]) -> anyhow::Result<Report> {
    let folder = args.out.with_file_name("trainings");
    let (suffix, more) = variant(args)?;
    let mut report = Report::new(title);
    for cell in &args.chosen(cells, |cell| &cell.name)? {
        let mut line = Line::new(&cell.name, cell.paper);
        line.games = Some(0);
        let mut found = Vec::new();
        for seed in 1..=args.runs {
            let name = format!("{}{suffix}-{seed}", cell.name);
            let manifest = folder.join(format!("{name}.json"));
            if let (Some(data), false) = (&args.data, manifest.exists()) {
                let valid = args.valid.as_ref().context("give --valid, games to measure on")?;
                train(cell, (data, valid), &folder.join(&name), (seed, args.scale), &more)?;
            }
            if let Ok(text) = std::fs::read_to_string(&manifest) {
                let run = read(&text).with_context(|| format!("'{}'", manifest.display()))?;
                line.games = Some(run.games);
                line.note = run.note.clone();
                found.push(run);
            }
        }
        line.ours.extend(summary(&found));
        if found.len() > 1 {
            line.note = format!("{} runs, {}", found.len(), line.note);
        }
        report.lines.push(line);
    }
    report.notes.push(
        "The thesis trains on masters' games of 1999 to 2013 and stops after three passes without gain; so do these, on the \
         games of --data. Its sets have 1,000, 10,000 and 20,000 games; the column says what these have."
            .to_owned(),
    );
    Ok(report)
}

/// What `--method` changes: the ending of the names, and options of the trainer.
fn variant(args: &StudyArgs) -> anyhow::Result<(&'static str, Vec<String>)> {
    const SGD: &str =
        "--steps sgd --rate 0.001 --vector-rate 0.001 --decay 0.001 --vector-decay 0.002";
    let (name, options) = match args.method.as_deref() {
        None => ("", ""),
        Some("sgd") => ("-sgd", SGD),
        Some("vectors") => ("-vectors", "--pattern-vectors"),
        Some(other) => bail!("--method {other} is not known: give sgd or vectors"),
    };
    ensure!(args.scale >= 1.0 && args.scale <= 1000.0, "--scale must be 1 to 1000");
    ensure!(args.runs >= 1 && args.runs <= 100, "--runs must be 1 to 100");
    Ok((name, words(options)))
}

fn train(
    cell: &Cell,
    (data, valid): (&Path, &Path),
    out: &Path,
    (seed, scale): (u32, f64),
    more: &[String],
) -> anyhow::Result<()> {
    let model: PathBuf = out.with_extension("tgm");
    let games = (f64::from(cell.games) / scale).ceil() as u32;
    let status = trainer(cell.method, (data, valid), &model, games, seed)?
        .args(&cell.options)
        .args(more)
        .stdout(std::process::Stdio::null())
        .status()
        .context("cannot start the training")?;
    ensure!(status.success(), "the training of '{}' failed ({status})", cell.name);
    // The manifest is what is asked for; the models are large.
    std::fs::remove_file(&model).with_context(|| format!("cannot remove {}", model.display()))?;
    Ok(())
}

/// The program's own trainer as the thesis trains: on so many games, until three passes have brought no gain.
pub(super) fn trainer(
    method: &str,
    (data, valid): (&Path, &Path),
    model: &Path,
    games: u32,
    seed: u32,
) -> anyhow::Result<Command> {
    let folder = model.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let own = std::env::current_exe().context("cannot find the tengen program itself")?;
    let mut command = Command::new(own);
    command.args(["train", method]).arg(data).arg("--valid").arg(valid).arg("--out").arg(model);
    command.args(["--limit", &games.to_string(), "--passes", "30", "--patience", "3"]);
    command.args(["--threads", "1", "--seed", &seed.to_string()]);
    Ok(command)
}

/// What one run found.
#[derive(Clone, PartialEq, Debug)]
struct Run {
    top: f64,
    positions: f64,
    games: u32,
    note: String,
}

/// One run with the interval of its positions, or the mean of several with its own.
fn summary(runs: &[Run]) -> Option<Value> {
    match runs {
        [] => None,
        [run] => {
            let half = 1.96 * (run.top * (100.0 - run.top) / run.positions.max(1.0)).sqrt();
            let interval = Some((run.top - half, run.top + half));
            Some(Value { value: run.top, interval, unit: "%" })
        }
        runs => Value::of_mean(&Mean::of(runs.iter().map(|run| run.top)), "%"),
    }
}

/// The accuracy in a manifest.
fn read(text: &str) -> anyhow::Result<Run> {
    let manifest: serde_json::Value = serde_json::from_str(text)?;
    let accuracy = &manifest["accuracy"];
    let (Some(top), Some(positions)) =
        (accuracy["top"]["1"].as_f64(), accuracy["positions"].as_f64())
    else {
        bail!("it has no accuracy");
    };
    let text = |key: &str| manifest[key].as_str().unwrap_or("?").to_owned();
    let data = manifest["data"][0].as_str().unwrap_or("?").to_owned();
    let note = format!("{data}, {} s, {}", manifest["seconds"], text("program"));
    let games = manifest["games"].as_u64().unwrap_or(0) as u32;
    Ok(Run { top, positions, games, note })
}

/// How often a pattern must have been played to be harvested.
const HARVESTED: u32 = 10;

/// Figure 4.1: the size of the largest harvested pattern around the played move, by phase of the game.
pub fn phases(args: &StudyArgs) -> anyhow::Result<Report> {
    let data = args.data.as_ref().context("give --data, games to harvest patterns from")?;
    ensure!(args.scale >= 1.0 && args.scale <= 1000.0, "--scale must be 1 to 1000");
    let limit = (1000.0 / args.scale).ceil() as usize;
    let source = Source { limit, ..Source::new(std::slice::from_ref(data)) };
    let mut extractor = Extractor::default();
    let mut counts: HashMap<(usize, u32), u32> = HashMap::new();
    let games = source.for_each(|game| {
        source.replay(game, |board, point| {
            if !point.is_pass() {
                extractor.look_at_shapes(board);
                extractor.pattern_keys(point, |family, size, key| {
                    if family == Family::Plain {
                        *counts.entry((size, key)).or_default() += 1;
                    }
                });
            }
        });
        Ok(true)
    })?;
    ensure!(games > 0, "there is no game in '{}'", data.display());
    let mut sizes = vec![[0u32; SIZES]; PHASES];
    source.for_each(|game| {
        source.replay(game, |board, point| {
            if !point.is_pass() {
                extractor.look_at_shapes(board);
                let mut largest = 1;
                extractor.pattern_keys(point, |family, size, key| {
                    let known = counts.get(&(size, key)).is_some_and(|&n| n >= HARVESTED);
                    if family == Family::Plain && known {
                        largest = largest.max(size);
                    }
                });
                sizes[(board.move_count() / PHASE).min(PHASES - 1)][largest.min(SIZES - 1)] += 1;
            }
        });
        Ok(true)
    })?;
    let harvested = counts.values().filter(|&&count| count >= HARVESTED).count();
    let mut report = Report::new("Xiao, figure 4.1: largest harvested pattern by phase");
    let name = "patterns played at least 10 times";
    report.exact(name, "9390 of 1,000 games", harvested as f64, "");
    let mut plot = Plot::new("Largest harvested pattern around the played move")
        .x(Axis::new("size"))
        .y(Axis::new("% of the moves of a phase").range(0.0, 100.0));
    for (phase, row) in sizes.iter().enumerate() {
        let all: u32 = row.iter().sum();
        if all == 0 {
            continue;
        }
        let share = |size: usize| 100.0 * f64::from(row[size]) / f64::from(all);
        let mean = (1..SIZES).map(|size| size as f64 * share(size) / 100.0).sum();
        let name = format!("moves {}-{}: mean size", phase * PHASE + 1, (phase + 1) * PHASE);
        let paper = match phase {
            0 => "large patterns dominate",
            3.. => "only small ones",
            _ => "",
        };
        report.exact(name, paper, mean, "");
        if phase < 6 {
            let line = Series::line(&format!("phase {}", phase + 1));
            plot = plot
                .series((1..SIZES).fold(line, |line, size| line.point(size as f64, share(size))));
        }
    }
    report.notes.push(format!("{games} games; a phase has {PHASE} moves."));
    Ok(report.with_plot(&plot))
}

/// Sizes of patterns, and one for none.
const SIZES: usize = 15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_trainings_and_manifests_are_read() {
        let (runs, scale) = (1, 1.0);
        let out = PathBuf::from("no/such/games");
        let args = StudyArgs { out, runs, scale, ..StudyArgs::default() };
        let other = StudyArgs { method: Some("soup".to_owned()), ..args.clone() };
        assert!(tables(&other).unwrap_err().to_string().contains("give sgd or vectors"));
        let report = tables(&args).unwrap();
        assert_eq!(report.lines.len(), 24);
        assert!(report.to_text().contains("| small-fbt5-s1 | 32.56 % | not yet run |"));
        assert_eq!(sampling(&args).unwrap().lines.len(), 12);
        let text = r#"{"data": ["pro.zst"], "games": 1000, "seconds": 60, "program": "tengen x",
                       "accuracy": {"positions": 10000, "top": {"1": 36.0}}}"#;
        let run = read(text).unwrap();
        assert_eq!((run.games, run.top), (1000, 36.0));
        let value = summary(std::slice::from_ref(&run)).unwrap();
        let (low, high) = value.interval.unwrap();
        assert!((low - 35.06).abs() < 0.01 && (high - 36.94).abs() < 0.01);
        let other = Run { top: 37.0, ..run.clone() };
        assert_eq!(summary(&[run, other]).unwrap().value, 36.5);
        assert!(read("{}").is_err() && summary(&[]).is_none());
    }
}
