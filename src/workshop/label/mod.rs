//! `tengen label`: lets a referee judge positions, for training and measuring.
//!
//! The referee is any program that speaks KataGo's JSON analysis protocol, KataGo or `tengen
//! analysis`. `positions` chooses what is asked: positions of games, with unexpected moves after
//! them, and positions that our own search looks at where it is unsure. `referee` asks. A line of the
//! output is what `train net`, `calibrate` and `quality` read.
//!
//! A killed run goes on where it stopped: the file is read again, its games are not asked about a
//! second time, and no position stands in it twice.

mod positions;
mod referee;

use crate::frontend::EngineArgs;
use crate::game::collection::{Games, MainLine};
use crate::input::{Found, read_line};
use crate::types::Point;
use crate::workshop::tools::figures::rounded;
use crate::workshop::tools::words::split_words;
use anyhow::{Context, ensure};
use clap::Args;
use indicatif::ProgressBar;
use positions::{Asked, Chooser};
use referee::{Judged, Referee};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of the command.
#[derive(Args, Debug)]
pub struct LabelArgs {
    /// Files of one SGF game per line, plain or .zst
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The referee: a program that speaks KataGo's JSON analysis protocol
    #[arg(long, value_name = "CMD")]
    referee: String,
    /// Where to write the labels; a file that is there is continued
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions of each game
    #[arg(long, value_name = "N", default_value_t = 4)]
    per_game: usize,
    /// Share of the positions that are followed by one to four unexpected moves
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    unexpected: f64,
    /// Share of the positions that are taken from our own search, where it is unsure
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    search: f64,
    /// Playouts of that search
    #[arg(long, value_name = "N", default_value_t = 400)]
    playouts: u64,
    /// Visits of the referee
    #[arg(long, value_name = "N", default_value_t = 1)]
    visits: u64,
    /// Use games on boards of this size only
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Use so many games only
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Questions that the referee has at the same time
    #[arg(long, value_name = "N", default_value_t = 8)]
    at_once: usize,
    /// Seconds without an answer after which the referee is given up
    #[arg(long, value_name = "S", default_value_t = 120.0)]
    timeout: f64,
    #[command(flatten)]
    engine: EngineArgs,
}

/// A line of the output.
#[derive(Serialize, Deserialize)]
struct Label {
    size: usize,
    komi: f32,
    moves: String,
    first: String,
    to_play: String,
    winrate: f64,
    lead: f64,
    policy: BTreeMap<String, f64>,
    ownership: String,
    /// Which game of which file it is from, and the ply that was chosen.
    game: String,
}

/// How every line begins.
const BEGIN: &str = r#"{"size":"#;
/// Moves of a policy that are written down.
const LISTED_MOVES: usize = 10;
/// Less likely moves are not written down.
const LEAST_PROBABILITY: f64 = 0.005;

/// Runs the command.
pub fn run(args: &LabelArgs) -> anyhow::Result<()> {
    check(args)?;
    let mut known = Known::read(&args.out)?;
    let mut referee = Referee::start(
        &split_words(&args.referee)?,
        args.visits,
        Duration::from_secs_f64(args.timeout),
    )?;
    let seed = args.engine.seed().unwrap_or(1);
    let mut chooser =
        Chooser::new(&args.engine.overrides()?, args.playouts, args.search, args.unexpected);
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.out)
        .with_context(|| format!("cannot write '{}'", args.out.display()))?;
    let bar = ProgressBar::new_spinner();
    let (mut games, mut written) = (0, 0);
    for path in &args.games {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut source =
            Games::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        let mut game = MainLine::default();
        while source.read_good_into(&mut game)? && args.limit.is_none_or(|limit| games < limit) {
            if args.size.is_some_and(|size| size != usize::from(game.size)) {
                continue;
            }
            games += 1;
            let origin = format!("{name}:{}", source.line_number());
            if !known.games.insert(origin.clone()) {
                continue;
            }
            let asked = chooser.choose(&game, args.per_game, seed, source.line_number());
            let asked: Vec<Asked> =
                asked.into_iter().filter(|asked| known.positions.insert(asked.key())).collect();
            for batch in asked.chunks(args.at_once) {
                for (asked, judged) in batch.iter().zip(referee.judge(batch)?) {
                    // One write a line: a run that is killed leaves whole lines but for the last.
                    let line = serde_json::to_string(&label(asked, &judged, &origin))? + "\n";
                    file.write_all(line.as_bytes()).context("cannot write the labels")?;
                    written += 1;
                }
            }
            bar.set_message(format!("{games} games, {written} labels"));
            bar.tick();
        }
    }
    file.sync_all().context("cannot write the labels")?;
    bar.finish_and_clear();
    println!("games: {games}");
    println!("labels written: {written}");
    println!("labels in '{}': {}", args.out.display(), known.labels + written);
    Ok(())
}

fn check(args: &LabelArgs) -> anyhow::Result<()> {
    ensure!(args.per_game >= 1, "--per-game must be at least 1");
    ensure!(args.at_once >= 1, "--at-once must be at least 1");
    ensure!(args.playouts >= 1 && args.visits >= 1, "--playouts and --visits must be at least 1");
    for (name, share) in [("--unexpected", args.unexpected), ("--search", args.search)] {
        ensure!((0.0..=1.0).contains(&share), "{name} must be a share from 0 to 1");
    }
    ensure!(
        args.timeout > 0.0 && args.timeout < 1e6,
        "--timeout must be a positive number of seconds"
    );
    Ok(())
}

/// What a file of labels already holds.
#[derive(Default)]
struct Known {
    labels: usize,
    games: HashSet<String>,
    positions: HashSet<u64>,
}

impl Known {
    /// Reads the labels of an earlier run. A last line that was cut short is taken away.
    fn read(path: &Path) -> anyhow::Result<Known> {
        let mut known = Known::default();
        if !path.exists() {
            return Ok(known);
        }
        ensure!(
            path.extension().is_none_or(|extension| extension != "zst"),
            "--out cannot be continued when it is compressed; give a plain file"
        );
        let name = || format!("cannot read '{}'", path.display());
        let mut reader = BufReader::new(File::open(path).with_context(name)?);
        let (mut line, mut whole, mut last) = (Vec::new(), 0, None);
        loop {
            let found = read_line(&mut reader, &mut line).with_context(name)?;
            let text = String::from_utf8_lossy(&line);
            let label = match found {
                Found::End => break,
                Found::Line if line.ends_with(b"\n") => serde_json::from_str::<Label>(&text).ok(),
                // A last line that was cut short begins as all do; another file is left alone.
                Found::Line if text.starts_with(BEGIN) || BEGIN.starts_with(&*text) => break,
                _ => None,
            };
            let label = label.with_context(|| {
                let number = known.labels + 1;
                format!("'{}', line {number}, is no label of this command", path.display())
            })?;
            known.labels += 1;
            whole += line.len() as u64;
            known.positions.extend(Asked::of_line(&text).map(|asked| asked.key()));
            if let Some(before) =
                last.replace(label.game.clone()).filter(|game| *game != label.game)
            {
                known.games.insert(before);
            }
        }
        // The last game may be half done: it is asked about again, but for the positions that are there.
        let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole));
        cut.with_context(|| format!("cannot write '{}'", path.display()))?;
        Ok(known)
    }
}

fn label(asked: &Asked, judged: &Judged, origin: &str) -> Label {
    let vertices: Vec<String> = asked.moves.iter().map(|play| play.point.to_string()).collect();
    let first = asked.moves.first().map_or(asked.to_play, |play| play.color);
    let mut likely: Vec<(Point, f64)> = judged.policy.clone();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    likely.truncate(LISTED_MOVES);
    let listed = likely.into_iter().filter(|(_, probability)| *probability >= LEAST_PROBABILITY);
    Label {
        size: asked.size,
        komi: asked.komi,
        moves: vertices.join(" "),
        first: first.letter().to_string(),
        to_play: asked.to_play.letter().to_string(),
        winrate: rounded(judged.winrate, 4),
        lead: rounded(judged.lead, 2),
        policy: listed.map(|(point, p)| (point.to_string(), rounded(p, 3))).collect(),
        ownership: judged.owners.iter().map(|&owner| owner_letter(owner)).collect(),
        game: origin.to_owned(),
    }
}

/// `M` is nobody's, `Y` surely Black's, `A` surely White's.
fn owner_letter(owner: f64) -> char {
    let step = (12.0 * owner.clamp(-1.0, 1.0)).round() as i8;
    char::from((b'M' as i8 + step) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_letters() {
        let letters: String =
            [-1.0, -0.5, 0.0, 0.04, 0.5, 1.0, 7.0].map(owner_letter).iter().collect();
        assert_eq!(letters, "AGMMSYY");
    }

    #[test]
    fn a_file_that_was_cut_is_continued_at_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.jsonl");
        let line = |moves: &str, game: &str| {
            format!(
                r#"{{"size":9,"komi":7.0,"moves":"{moves}","first":"B","to_play":"W","winrate":0.5,"lead":0.0,"policy":{{}},"ownership":"","game":"{game}"}}"#
            ) + "\n"
        };
        let whole = line("E5", "a:1") + &line("C3", "a:2");
        std::fs::write(&path, whole.clone() + r#"{"size":9,"ko"#).unwrap();
        let known = Known::read(&path).unwrap();
        assert_eq!((known.labels, known.positions.len()), (2, 2));
        assert!(known.games.contains("a:1") && !known.games.contains("a:2"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        for other in ["something else\n", "without an end"] {
            std::fs::write(&path, other).unwrap();
            assert!(Known::read(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other, "it is left alone");
        }
    }
}
