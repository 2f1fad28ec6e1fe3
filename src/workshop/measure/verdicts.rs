//! `tengen verdicts`: how well a review's verdicts agree with a referee.
//!
//! From every position of a quality suite some moves are taken of those that the referee has judged: half of
//! them drawn evenly, half as the move model likes them, because that is what people play. Each is judged as a
//! review judges it. Then: how many of the moves that the review calls mistakes cost so much by the referee's
//! count (3 points, or 15 % of winrate on small boards), and how many of those that cost still more (5 points,
//! 20 %) did it mark? Thresholds are chosen on the positions of odd lines and reported on even ones.

use super::labels::{Labels, Needs, Position};
use super::quality::Loss as RefereeLoss;
use crate::engine::Choice;
use crate::frontend::review::{DEFAULT_TIME, Evidence, Searcher, Verdict, judging_params};
use crate::frontend::{EngineArgs, read_playouts, read_seconds};
use crate::game::{Game, Rules};
use crate::params::Overrides;
use crate::search::{Interrupt, Limit, Report};
use crate::types::{Move, Point, Rng};
use crate::workshop::tools::work::{drawn, in_parallel, position_seed, progress_bar};
use anyhow::ensure;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// The options of the measurement.
#[derive(Args, Debug)]
pub struct VerdictsArgs {
    /// Files of positions with the referee's value of every move (JSON lines, plain or .zst)
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,
    /// Seconds for a position [default: that of `tengen review`]
    #[arg(long, value_name = "S", value_parser = read_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// Playouts for a position instead
    #[arg(long, value_name = "N", conflicts_with = "time")]
    #[arg(value_parser = read_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Moves judged of each position
    #[arg(long, value_name = "N", default_value_t = 4)]
    moves: usize,
    /// At most so many positions of each suite, spread evenly over it
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Positions at work at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Print a line of JSON for every move that was judged
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    params: EngineArgs,
}

/// A move, what the searches said of it and what the referee says.
#[derive(Clone, Serialize)]
struct Judged {
    suite: String,
    line: usize,
    size: usize,
    vertex: String,
    /// Was it drawn as the model likes moves, or evenly?
    likely: bool,
    own_choice: bool,
    best: (f64, f64),
    after: (f64, f64),
    points_lost: f64,
    winrate_lost: f64,
    verdict: Verdict,
    referee_points: f64,
    referee_winrate: f64,
}

impl Judged {
    fn is_called(&self) -> bool {
        matches!(self.verdict, Verdict::Mistake | Verdict::Blunder)
    }

    /// Did it cost so many points (large boards) or so much winrate (small ones) by the referee's count?
    fn cost(&self, points: f64, winrate: f64) -> bool {
        if self.size <= 11 {
            self.referee_winrate >= winrate
        } else {
            self.referee_points >= points
        }
    }
}

/// Runs the command.
pub fn run(args: &VerdictsArgs) -> anyhow::Result<()> {
    ensure!(args.jobs >= 1, "--jobs must be at least 1");
    ensure!(args.moves >= 1, "--moves must be at least 1");
    ensure!(args.limit != Some(0), "--limit must be at least 1");
    let mut overrides = args.params.overrides()?;
    let seed = overrides.settle_seed();
    for path in &args.suites {
        let suite = Labels::read(path, Needs::Moves, args.limit)?;
        let bar = progress_bar(suite.positions.len(), &suite.name);
        let judged = in_parallel(
            suite.positions.len(),
            args.jobs,
            || (),
            |(), index| {
                let position = &suite.positions[index];
                let judged = judge_position(&suite.name, position, args, &overrides, seed);
                bar.inc(1);
                judged
            },
        );
        bar.finish_and_clear();
        let judged: Vec<Judged> = judged.into_iter().flatten().collect();
        if args.list {
            for one in &judged {
                println!("{}", serde_json::to_string(one)?);
            }
            continue;
        }
        for (half, odd) in [("odd lines", true), ("even lines", false)] {
            let of_half: Vec<&Judged> =
                judged.iter().filter(|j| (j.line % 2 == 1) == odd).collect();
            report(&format!("{} {half}", suite.name), &of_half);
            for (kind, likely) in [("likely moves", true), ("any moves", false)] {
                let kind_of: Vec<&Judged> =
                    of_half.iter().copied().filter(|j| j.likely == likely).collect();
                report(&format!("{} {half}, {kind}", suite.name), &kind_of);
            }
        }
    }
    Ok(())
}

fn report(name: &str, judged: &[&Judged]) {
    let called: Vec<_> = judged.iter().filter(|judged| judged.is_called()).collect();
    let right = called.iter().filter(|judged| judged.cost(3.0, 0.15)).count();
    let costly: Vec<_> = judged.iter().filter(|judged| judged.cost(5.0, 0.2)).collect();
    let marked = costly.iter().filter(|judged| judged.is_called()).count();
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!("{name} moves: {}", judged.len());
    println!("{name} called mistakes: {}", called.len());
    println!("{name} rightly: {right}, {:.1} %", percent(right, called.len()));
    println!("{name} costly: {}", costly.len());
    println!("{name} marked: {marked}, {:.1} %", percent(marked, costly.len()));
}

fn limit(args: &VerdictsArgs) -> Limit {
    match args.playouts {
        Some(playouts) => Limit { playouts: Some(playouts), ..Limit::default() },
        None => {
            let time = Duration::from_secs_f64(args.time.unwrap_or(DEFAULT_TIME));
            Limit { planned: Some(time), maximum: Some(time), ..Limit::default() }
        }
    }
}

/// Judges some moves of a position. The tree of the position is not kept for them, so each is judged by a
/// little less than in a review.
fn judge_position(
    suite: &str,
    position: &Position,
    args: &VerdictsArgs,
    overrides: &Overrides,
    seed: u64,
) -> Vec<Judged> {
    let params = judging_params(overrides, position.size);
    let mut searcher = Searcher::new(params, position.size, limit(args));
    let mut game = Game::new(position.size, Rules::TROMP_TAYLOR);
    game.set_komi(position.komi);
    for &play in &position.moves {
        if game.play(play).is_err() {
            return Vec::new(); // it repeats a position
        }
    }
    game.set_to_play(position.to_play);
    let before = searcher.look_at_all(&game, &Interrupt::default());
    let mut rng = Rng::new(position_seed(seed, position.line));
    let drawn = draw(position, &before, args.moves, &mut rng);
    let judge = |(point, likely): (Point, bool)| {
        let mut later = game.clone();
        later.play(Move::new(position.to_play, point)).ok()?;
        searcher.clear();
        let after = searcher.look(&later, None, &Interrupt::default());
        let evidence = Evidence::of(&before, point, &after);
        let loss = evidence.loss();
        let referee = RefereeLoss::of(position, Choice::Play(point));
        Some(Judged {
            suite: suite.to_owned(),
            line: position.line,
            size: position.size,
            vertex: point.to_string(),
            likely,
            own_choice: evidence.own_choice,
            best: evidence.best,
            after: evidence.after,
            points_lost: loss.points,
            winrate_lost: loss.winrate,
            verdict: loss.verdict(position.size),
            referee_points: referee.points,
            referee_winrate: referee.winrate,
        })
    };
    drawn.into_iter().filter_map(judge).collect()
}

/// Some of the moves that the referee judged, without repetition: by turns one in proportion to what the model
/// thinks of it and one of all.
fn draw(position: &Position, before: &Report, count: usize, rng: &mut Rng) -> Vec<(Point, bool)> {
    let mut left: Vec<(Point, f64)> = position
        .after
        .iter()
        .filter(|(point, _)| !point.is_pass())
        .map(|&(point, _)| {
            let known = before.candidates.iter().find(|candidate| candidate.point == point);
            (point, known.map_or(0.0, |known| known.prior).max(1e-6))
        })
        .collect();
    let mut moves = Vec::new();
    while moves.len() < count && !left.is_empty() {
        let likely = moves.len() % 2 == 0;
        let weight = |prior: f64| if likely { prior } else { 1.0 };
        let total: f64 = left.iter().map(|&(_, prior)| weight(prior)).sum();
        let at = drawn(rng.unit() * total, left.iter().map(|&(_, prior)| weight(prior)));
        moves.push((left.swap_remove(at.unwrap_or(0)).0, likely));
    }
    moves
}
