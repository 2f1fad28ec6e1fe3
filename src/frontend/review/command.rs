//! The command line of `tengen review`.

use super::judge::{ReviewSettings, judge, main_stretch};
use super::judgement::{JudgedMove, Review, Verdict};
use super::{DEFAULT_TIME, sgf};
use crate::frontend::page::review_html;
use crate::frontend::{EngineArgs, print, read_komi, read_playouts, read_seconds};
use crate::game::Rules;
use crate::game::sgf::Record;
use crate::input;
use crate::params::Threads;
use crate::search::Interrupt;
use anyhow::{anyhow, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Moves that are told on standard output.
const TOLD: usize = 5;

/// The options of a review.
#[derive(Args, Debug)]
pub struct ReviewArgs {
    /// Game records (SGF); beside each GAME.sgf come GAME-review.sgf and GAME-review.html
    #[arg(required = true, value_name = "GAME.sgf")]
    games: Vec<PathBuf>,
    /// Seconds for a position, of one thread; each thread has a position of its own [default: 1.2]
    #[arg(long, value_name = "S", value_parser = read_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// Playouts for a position instead
    #[arg(long, value_name = "N", conflicts_with = "time")]
    #[arg(value_parser = read_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Rules if the record names none: chinese, japanese, tromp-taylor, aga, new-zealand, ...
    #[arg(long, value_name = "R")]
    rules: Option<Rules>,
    /// Komi instead of the record's
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = read_komi::<f32>)]
    komi: Option<f32>,
    #[command(flatten)]
    params: EngineArgs,
}

impl ReviewArgs {
    fn settings(&self) -> anyhow::Result<ReviewSettings> {
        Ok(ReviewSettings {
            rules: self.rules.unwrap_or_default(),
            komi: self.komi,
            time: self.time.unwrap_or(DEFAULT_TIME),
            playouts: self.playouts,
            threads: self.params.threads().unwrap_or(Threads::Auto),
            overrides: self.params.overrides()?,
        })
    }
}

/// Reviews games. One that cannot be reviewed does not keep the others from it. Errors tell their cause themselves.
pub fn run(args: &ReviewArgs) -> anyhow::Result<()> {
    let settings = args.settings()?;
    refuse_same_files(&args.games)?;
    let (mut failed, several) = (0, args.games.len() > 1);
    for game in &args.games {
        match review_file(game, &settings) {
            Ok(()) => {}
            Err(error) if several => {
                eprintln!("tengen: {error}");
                failed += 1;
            }
            Err(error) => return Err(error),
        }
    }
    ensure!(failed == 0, "{failed} of {} games could not be reviewed", args.games.len());
    Ok(())
}

/// No two games may be written to the same files: one review would be lost.
fn refuse_same_files(games: &[PathBuf]) -> anyhow::Result<()> {
    let mut known: HashMap<PathBuf, &Path> = HashMap::new();
    for game in games {
        // What is no name of a file is told when its turn comes.
        let Ok(file) = beside(game, "sgf") else { continue };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        let place = match (folder, file.file_name()) {
            (Ok(folder), Some(name)) => folder.join(name),
            _ => file.clone(),
        };
        if let Some(other) = known.insert(place, game) {
            bail!(
                "'{}' and '{}' would both be written to '{}'; review one of them at a time",
                other.display(),
                game.display(),
                file.display()
            );
        }
    }
    Ok(())
}

/// Reviews the game of a file and writes what was found beside it.
fn review_file(path: &Path, settings: &ReviewSettings) -> anyhow::Result<()> {
    let name = path.display();
    ensure!(!input::is_standard_input(path), "'{name}' is standard input; give a file");
    let record = Record::open(path)?;
    let (sgf_file, html_file) = (beside(path, "sgf")?, beside(path, "html")?);
    for file in [&sgf_file, &html_file] {
        input::check_writable(file)?;
    }
    let bar = progress_bar(&name.to_string());
    let mut progress = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let judged = judge(&record, settings, &Interrupt::default(), &mut progress);
    bar.finish_and_clear();
    let review = judged.map_err(|error| anyhow!("{name}: {error}"))?;
    let record = main_stretch(&record);
    write(&sgf_file, &sgf::to_sgf(&review, &record))?;
    write(&html_file, &review_html(&review))?;
    print(&told(path, &review, &[&sgf_file, &html_file]))
}

/// A progress bar on stderr, drawn only if that is a terminal.
fn progress_bar(name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style).with_message(name.to_owned())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let name = path.display();
    std::fs::write(path, text).map_err(|error| anyhow!("cannot write '{name}': {error}"))
}

/// `GAME-review.ENDING` for `GAME.sgf`, `GAME.sgf.zst` and the like.
fn beside(path: &Path, ending: &str) -> anyhow::Result<PathBuf> {
    let unpacked = if path.extension() == Some("zst".as_ref()) { path.file_stem() } else { None };
    let Some(stem) = unpacked.map_or(path, Path::new).file_stem() else {
        bail!("'{}' is no name of a file; give a game record", path.display());
    };
    let mut name = stem.to_owned();
    name.push(format!("-review.{ending}"));
    Ok(path.with_file_name(name))
}

/// What was found, in a few lines.
fn told(path: &Path, review: &Review, files: &[&Path]) -> String {
    let count = review.moves.len();
    let moves = if count == 1 { "move" } else { "moves" };
    let mut text = format!("{}: {count} {moves}\n", path.display());
    for line in sgf::summary(review).lines().skip(1) {
        text += &format!("  {line}\n");
    }
    let is_bad =
        |judged: &JudgedMove| matches!(judged.verdict, Verdict::Mistake | Verdict::Blunder);
    let mut worst: Vec<(usize, &JudgedMove)> =
        review.moves.iter().enumerate().filter(|(_, judged)| is_bad(judged)).collect();
    worst.sort_by(|(_, a), (_, b)| b.points_lost.total_cmp(&a.points_lost));
    for (index, judged) in worst.iter().take(TOLD) {
        let color = if judged.color == "b" { "Black" } else { "White" };
        text += &format!("  move {}, {color} {}: {}\n", index + 1, judged.vertex, judged.reason);
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    text + &format!("  written: {}\n", names.join(", "))
}
