//! `tengen study zero`: AlphaGo Zero from nothing on 7x7 (Hsu's slides), a round at a time.
//!
//! A round is games of the newest network against itself, a training on the games of the last rounds, and games of the new
//! network against players that never change. All of it is kept in a folder (`--out`, or `study/zero`): `round-N.jsonl`
//! the positions of round N as labels, `net-N.tgn` the network that played it, `net-N.json` its games against the others.
//! What is there is not made again, so a run may be stopped at any time. `--games` is the number of rounds; without it
//! what there is is reported.
//!
//! The training of a round begins with the network that played it and learns from the positions of the last [`WINDOW`]
//! rounds.

use crate::game::{Game, Rules, Standing};
use crate::input;
use crate::knowledge::net::planes::Viewer;
use crate::knowledge::net::{Network, Shape};
use crate::knowledge::write_file;
use crate::study::command::StudyArgs;
use crate::study::players::{PlayerKind, find};
use crate::study::report::{Line, Report, Value};
use crate::study::zero::{Edge, Searcher, pick};
use crate::types::{Color, Move, Point, Rng};
use crate::workshop::measure::labels::{Needs, Position};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use crate::workshop::tools::statistics::Tally;
use crate::workshop::train::net::data::{Sample, Seen, number};
use crate::workshop::train::net::loss::Weights;
use crate::workshop::train::net::session::{self, Material, Settings};
use anyhow::{Context, ensure};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Points per side.
const SIZE: usize = 7;
/// Black wins by nine with best play.
const KOMI: f32 = 8.5;
/// Visits of a move, in self-play and in games against others.
const VISITS: u32 = 48;
/// Games of a round.
const GAMES: usize = 40;
/// Moves that are drawn by their visits.
const DRAWN: usize = 8;
/// A game ends here at the latest and is counted as it stands.
const LONGEST: usize = 2 * SIZE * SIZE;
/// Rounds whose positions are learned from.
const WINDOW: usize = 6;
/// Games against each of the others.
const RATED: usize = 20;
/// Most bytes of a round's file.
const MAX_FILE: u64 = 1 << 28;

/// Who a network is measured by: a name, a study player and its settings.
const OTHERS: [(&str, &str, &str); 3] = [
    ("random", "random", ""),
    ("montecarlo, 200 playouts", "montecarlo", "playouts = 200"),
    // It does not agree to an early end: a board that is counted as it stands must be played out.
    ("uct, 400 playouts", "uct", "playouts = 400\npass_above = 1"),
];

/// A position of self-play in the words of the labels.
#[derive(Serialize, Deserialize)]
struct Lesson {
    size: usize,
    komi: f32,
    moves: String,
    first: String,
    to_play: String,
    winrate: f64,
    lead: f64,
    policy: BTreeMap<String, f32>,
    ownership: String,
}

/// Wins of a network against one of the others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Rated {
    against: String,
    wins: u32,
    games: u32,
}

fn file(folder: &Path, name: &str, round: usize, ending: &str) -> PathBuf {
    folder.join(format!("{name}-{round}.{ending}"))
}

fn shape() -> anyhow::Result<Shape> {
    Shape::new(16, 2).context("a network of this shape cannot be")
}

/// One game of a network against itself, a lesson for each move.
fn self_play(network: &Network, rng: &mut Rng) -> anyhow::Result<Vec<Lesson>> {
    let mut game = Game::new(SIZE, Rules::CHINESE);
    game.set_komi(KOMI);
    let mut searcher = Searcher::new(network, SIZE);
    let mut lessons: Vec<Lesson> = Vec::new();
    let mut line = String::new();
    while !game.is_over() && game.moves().len() < LONGEST {
        let color = game.board().to_play();
        let edges = searcher.search(&game, VISITS, Some(rng));
        lessons.push(lesson(&line, color, edges));
        let point = pick(edges, game.moves().len() < DRAWN, rng);
        game.play(Move::new(color, point))?;
        if !line.is_empty() {
            line.push(' ');
        }
        let _ = write!(line, "{point}");
    }
    let board = game.board();
    let score = f64::from(board.area_score());
    let owners = owners(&game);
    for lesson in &mut lessons {
        lesson.winrate = f64::from(u8::from(score as f32 > KOMI));
        lesson.lead = score - f64::from(KOMI);
        lesson.ownership.clone_from(&owners);
    }
    Ok(lessons)
}

/// What the search says of a position; who won is filled in later.
fn lesson(moves: &str, color: Color, edges: &[Edge]) -> Lesson {
    let all: u32 = edges.iter().map(|edge| edge.visits).sum();
    let share = |edge: &Edge| (edge.point.to_string(), edge.visits as f32 / all.max(1) as f32);
    Lesson {
        size: SIZE,
        komi: KOMI,
        moves: moves.to_owned(),
        first: "b".to_owned(),
        to_play: if color == Color::Black { "b" } else { "w" }.to_owned(),
        winrate: 0.5,
        lead: 0.0,
        policy: edges.iter().filter(|edge| edge.visits > 0).map(share).collect(),
        ownership: String::new(),
    }
}

/// The owners at the end as letters from the top left: Y Black's, A White's, M nobody's.
fn owners(game: &Game) -> String {
    let owners = game.owners(&Standing::as_it_stands());
    let rows = (1..=SIZE).rev();
    let points = rows.flat_map(|row| (1..=SIZE).map(move |column| Point::new(column, row)));
    let letter = |point| match owners[point] {
        Some(Color::Black) => 'Y',
        Some(Color::White) => 'A',
        None => 'M',
    };
    points.map(letter).collect()
}

/// A lesson as the trainer wants it, without what a model of people's moves expects.
fn sample(text: &str) -> anyhow::Result<Sample> {
    let position = Position::parse(text, Needs::Judgement)?;
    let lesson: Lesson = serde_json::from_str(text)?;
    let board = position.board();
    let mut marks = Vec::new();
    Viewer::default().look(&board, None, |_, seen| marks.push(seen));
    let strengths = vec![0.0; SIZE * SIZE + 1];
    let side = position.to_play.sign() as f32;
    let mut moves = Vec::new();
    for (vertex, &share) in &lesson.policy {
        moves.push((number(Point::parse_gtp(vertex, SIZE)?, SIZE), share));
    }
    moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let winrate = position.winrate as f32;
    Ok(Sample {
        size: SIZE,
        stones: SIZE * SIZE - board.empty_points().len(),
        seen: Seen { marks, strengths },
        owners: board
            .points()
            .map(|point| (12.0 * position.owner(point)) as i8 * side as i8)
            .collect(),
        margin: (lesson.lead as f32 + KOMI) * side,
        komi: KOMI * side,
        winrate: if side > 0.0 { winrate } else { 1.0 - winrate },
        moves,
    })
}

/// Plays the games of a round and writes them down, if that was not done yet.
fn play_round(folder: &Path, network: &Network, round: usize, seed: u64) -> anyhow::Result<()> {
    let path = file(folder, "round", round, "jsonl");
    if path.exists() {
        return Ok(());
    }
    let bar = ProgressBar::new(GAMES as u64).with_message(format!("round {round}"));
    let mut text = String::new();
    for index in 0..GAMES {
        let mut rng = Rng::stream(seed, round * GAMES + index + 1);
        for lesson in self_play(network, &mut rng)? {
            text += &serde_json::to_string(&lesson)?;
            text.push('\n');
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(write_file(&path, text.as_bytes())?)
}

/// Trains the network of a round on the rounds before it.
fn train_round(folder: &Path, round: usize, seed: u64) -> anyhow::Result<Network> {
    let path = file(folder, "net", round, "tgn");
    if path.exists() {
        return Ok(Network::load(&path)?);
    }
    let shape = shape()?;
    if round == 0 {
        let network = session::first_network(&shape, seed);
        network.save(&path)?;
        return Ok(network);
    }
    let mut samples = Vec::new();
    for before in round.saturating_sub(WINDOW)..round {
        let path = file(folder, "round", before, "jsonl");
        let text = input::read_text(&path, MAX_FILE)?;
        for line in text.lines() {
            samples.push(sample(line).with_context(|| format!("in '{}'", path.display()))?);
        }
    }
    let settings = Settings {
        channels: shape.channels,
        blocks: shape.blocks.len(),
        batch: 32,
        passes: 2,
        rate: 0.003,
        decay: 1e-5,
        weights: Weights::default(),
        seed: seed + round as u64,
        games_share: 0.0,
        threads: 1,
        start: Some(Network::load(&file(folder, "net", round - 1, "tgn"))?),
        checkpoint: None,
        stop_after: None,
    };
    let material = Material { samples: &samples, games: &[], valid: &[] };
    let trained = session::train(&settings, material, |_| ())?;
    let (network, _) = trained.context("the training was stopped")?;
    network.save(&path)?;
    Ok(network)
}

/// The wins of a network against the others; half of the games as Black.
fn rate(folder: &Path, network: &Network, round: usize, seed: u64) -> anyhow::Result<Vec<Rated>> {
    let path = file(folder, "net", round, "json");
    if path.exists() {
        return Ok(serde_json::from_str(&input::read_text(&path, MAX_FILE)?)?);
    }
    let mut results = Vec::new();
    for (against, name, preset) in OTHERS {
        let other = find(name).with_context(|| format!("there is no player '{name}'"))?;
        let mut wins = 0;
        for index in 0..RATED {
            let mut rng = Rng::stream(seed ^ 0x5EED, round * RATED + index + 1);
            wins += u32::from(wins_game(network, other, preset, index % 2 == 0, &mut rng)?);
        }
        results.push(Rated { against: against.to_owned(), wins, games: RATED as u32 });
    }
    write_file(&path, serde_json::to_string(&results)?.as_bytes())?;
    Ok(results)
}

fn wins_game(
    network: &Network,
    other: &PlayerKind,
    preset: &str,
    as_black: bool,
    rng: &mut Rng,
) -> anyhow::Result<bool> {
    let mut settings = other.settings();
    let read = settings.read(preset);
    ensure!(read.is_ok(), "a preset that cannot be: {read:?}");
    let own = if as_black { Color::Black } else { Color::White };
    let mut game = Game::new(SIZE, Rules::CHINESE);
    game.set_komi(KOMI);
    let mut searcher = Searcher::new(network, SIZE);
    while !game.is_over() && game.moves().len() < LONGEST {
        let color = game.board().to_play();
        let point = match color == own {
            true => {
                let drawn = game.moves().len() < 4;
                pick(searcher.search(&game, VISITS, None), drawn, rng)
            }
            false => other.choose(&game, &settings, rng),
        };
        game.play(Move::new(color, point))?;
    }
    let black_won = game.board().area_score() as f32 > KOMI;
    Ok(black_won == as_black)
}

/// Goes on to so many rounds and reports all that there are.
pub fn run(args: &StudyArgs) -> anyhow::Result<Report> {
    let folder = args.out.with_file_name("zero");
    let rounds = args.games.map(|rounds| rounds as usize);
    ensure!(
        rounds.is_none_or(|rounds| (1..=10_000).contains(&rounds)),
        "--games must be 1 to 10000"
    );
    if let Some(rounds) = rounds {
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        for round in 0..=rounds {
            let network = train_round(&folder, round, args.seed)?;
            rate(&folder, &network, round, args.seed)?;
            if round < rounds {
                play_round(&folder, &network, round, args.seed)?;
            }
        }
    }
    report(&folder)
}

fn report(folder: &Path) -> anyhow::Result<Report> {
    let mut report = Report::new("Hsu, AlphaGo Zero: from nothing on 7x7, wins by rounds");
    let mut lines = OTHERS.map(|(name, _, _)| Series::line(name));
    let mut axis = Axis::new("rounds of self-play");
    for round in 0.. {
        let path = file(folder, "net", round, "json");
        if !path.exists() {
            break;
        }
        let results: Vec<Rated> = serde_json::from_str(&input::read_text(&path, MAX_FILE)?)
            .with_context(|| format!("in '{}'", path.display()))?;
        axis = axis.range(0.0, round.max(1) as f64);
        let mut line = Line::new(format!("after round {round}"), "learns from nothing");
        for (index, result) in results.iter().enumerate().take(OTHERS.len()) {
            let Rated { wins, games, .. } = *result;
            let tally = Tally { wins, losses: games.saturating_sub(wins), draws: 0 };
            let Some(value) = Value::of_tally(&tally) else { continue };
            let (low, high) = value.interval.unwrap_or_default();
            let series = std::mem::replace(&mut lines[index], Series::line(""));
            lines[index] = series.point_with_interval(round as f64, value.value, low, high);
            line.ours.push(value);
        }
        line.games = Some((round * GAMES) as u32);
        report.lines.push(line);
    }
    report.notes.push(format!(
        "Wins against {}, {RATED} games each; the games are those of self-play.",
        OTHERS.map(|(name, _, _)| name).join("; ")
    ));
    let mut plot = Plot::new("AlphaGo Zero from nothing on 7x7")
        .x(axis)
        .y(Axis::new("wins, %").range(0.0, 100.0));
    for line in lines {
        plot = plot.series(line);
    }
    Ok(report.with_plot(&plot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_becomes_lessons_and_samples() {
        let network = session::first_network(&shape().unwrap(), 3);
        let lessons = self_play(&network, &mut Rng::new(5)).unwrap();
        assert!(lessons.len() > 5 && lessons.len() <= LONGEST);
        for lesson in [&lessons[0], &lessons[lessons.len() - 1]] {
            let shares: f32 = lesson.policy.values().sum();
            assert!((shares - 1.0).abs() < 1e-4);
            let sample = sample(&serde_json::to_string(lesson).unwrap()).unwrap();
            let black = lesson.to_play == "b";
            assert_eq!(
                sample.winrate,
                if black { lesson.winrate } else { 1.0 - lesson.winrate } as f32
            );
            let needed = sample.margin - sample.komi;
            assert_eq!(needed > 0.0, sample.winrate == 1.0, "who has more than komi has won");
            assert_eq!(sample.owners.len(), 49);
        }
    }

    #[test]
    fn owners_are_those_of_the_board() {
        let mut game = Game::new(SIZE, Rules::CHINESE);
        for (color, column) in [(Color::Black, 3), (Color::White, 5)] {
            for row in 1..=7 {
                game.set_to_play(color);
                game.play(Move::new(color, Point::new(column, row))).unwrap();
            }
        }
        assert_eq!(owners(&game), "YYYMAAA".repeat(7));
    }
}
