//! Xiao's tables of move prediction (4.1 to 4.3): the trainers of `tengen train`, cell by cell.
//!
//! Each cell is one run of the trainer with the thesis' number of games, features and factors; what it found is the manifest
//! that the trainer writes beside the model. A cell whose manifest is there is not trained again. The thesis'
//! constants (SGD, rate 0.001) belong to his optimizer; ours takes AdaGrad steps and its own rates.

use crate::study::command::StudyArgs;
use crate::study::report::{Line, Report, Value};
use anyhow::{Context, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One training.
struct Cell {
    name: String,
    paper: &'static str,
    method: &'static str,
    games: u32,
    options: Vec<String>,
}

fn cell(table: &str, method: &'static str, factors: u32, set: usize, paper: &'static str) -> Cell {
    let games = [1000, 10_000, 20_000][set];
    let mut options = vec!["--factors".to_owned(), factors.to_string()];
    if table == "small" {
        options.push("--small".to_owned());
    } else {
        options.extend(["--min-played", "10"].map(str::to_owned));
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
    run(args, "Xiao, tables 4.1 and 4.2: top-1 of FBT and LFR", cells)
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
            cell.options.extend(["--gradient", "sampled", "--draws", draws].map(str::to_owned));
            cells.push(cell);
        }
    }
    run(args, "Xiao, table 4.3: top-1 of FBT with a sampled gradient, k = 5", cells)
}

fn run(args: &StudyArgs, title: &str, mut cells: Vec<Cell>) -> anyhow::Result<Report> {
    if let Some(names) = &args.cell {
        let names: Vec<&str> = names.split(',').collect();
        let known: Vec<String> = cells.iter().map(|cell| cell.name.clone()).collect();
        if let Some(name) = names.iter().find(|name| known.iter().all(|there| there != *name)) {
            bail!("there is no cell '{name}' here: give some of {}", known.join(","));
        }
        cells.retain(|cell| names.contains(&cell.name.as_str()));
    }
    let folder = args.out.with_file_name("trainings");
    let mut report = Report::new(title);
    for cell in &cells {
        let manifest = folder.join(format!("{}.json", cell.name));
        if let (Some(data), false) = (&args.data, manifest.exists()) {
            let valid = args.valid.as_ref().context("give --valid, games to measure on")?;
            train(cell, data, valid, &folder)?;
        }
        let mut line = Line::new(&cell.name, cell.paper);
        line.games = Some(0);
        if let Ok(text) = std::fs::read_to_string(&manifest) {
            line = read(line, &text).with_context(|| format!("'{}'", manifest.display()))?;
        }
        report.lines.push(line);
    }
    report.notes.push(
        "The thesis trains on masters' games of 1999 to 2013 and stops after three passes without gain; so do these, on the \
         games of --data."
            .to_owned(),
    );
    Ok(report)
}

fn train(cell: &Cell, data: &Path, valid: &Path, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let out: PathBuf = folder.join(format!("{}.tgm", cell.name));
    let own = std::env::current_exe().context("cannot find the tengen program itself")?;
    let status = Command::new(own)
        .args(["train", cell.method])
        .arg(data)
        .arg("--valid")
        .arg(valid)
        .arg("--out")
        .arg(&out)
        .args(["--limit", &cell.games.to_string(), "--passes", "30", "--patience", "3"])
        .args(["--threads", "1", "--seed", "1"])
        .args(&cell.options)
        .stdout(std::process::Stdio::null())
        .status()
        .context("cannot start the training")?;
    ensure!(status.success(), "the training of '{}' failed ({status})", cell.name);
    Ok(())
}

/// The accuracy in a manifest, with the interval of so many positions.
fn read(mut line: Line, text: &str) -> anyhow::Result<Line> {
    let manifest: serde_json::Value = serde_json::from_str(text)?;
    let accuracy = &manifest["accuracy"];
    let (Some(top), Some(positions)) =
        (accuracy["top"]["1"].as_f64(), accuracy["positions"].as_f64())
    else {
        bail!("it has no accuracy");
    };
    let half = 1.96 * (top * (100.0 - top) / positions.max(1.0)).sqrt();
    line.ours.push(Value { value: top, interval: Some((top - half, top + half)), unit: "%" });
    line.games = manifest["games"].as_u64().map(|games| games as u32);
    let text = |key: &str| manifest[key].as_str().unwrap_or("?").to_owned();
    let data = manifest["data"][0].as_str().unwrap_or("?").to_owned();
    line.note = format!("{data}, {} s, {}", manifest["seconds"], text("program"));
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_trainings_and_manifests_are_read() {
        let args = StudyArgs { out: PathBuf::from("no/such/games"), ..StudyArgs::default() };
        let report = tables(&args).unwrap();
        assert_eq!(report.lines.len(), 24);
        assert!(report.to_text().contains("| small-fbt5-s1 | 32.56 % | not yet run |"));
        assert_eq!(sampling(&args).unwrap().lines.len(), 12);
        let text = r#"{"data": ["pro.zst"], "games": 1000, "seconds": 60, "program": "tengen x",
                       "accuracy": {"positions": 10000, "top": {"1": 36.0}}}"#;
        let line = read(Line::new("x", "35 %"), text).unwrap();
        assert_eq!((line.games, line.ours[0].value), (Some(1000), 36.0));
        let (low, high) = line.ours[0].interval.unwrap();
        assert!((low - 35.06).abs() < 0.01 && (high - 36.94).abs() < 0.01);
        assert!(read(Line::new("x", ""), "{}").is_err());
    }
}
