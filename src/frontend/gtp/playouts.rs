//! What the playouts alone say of a position, for GoGui's analyze window.

use super::command::{Call, Command, Reply};
use super::graphics;
use super::input::Until;
use super::session::Session;
use crate::board::Board;
use crate::playout::{DynPolicy, Limits, Outcome, Ownership, by_params};
use crate::types::{Color, Rng};
use std::time::Instant;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "tengen-playout_statistics",
        "",
        "Results and lengths of playouts from here.",
        statistics,
    ),
    Command::new(
        "tengen-playout_ownership",
        "",
        "Who owns every point after playouts from here, Black positive.",
        |session, call| {
            let mut sampler = Sampler::new(session);
            sampler.play(session, call);
            let ownership = &sampler.ownership;
            Ok(graphics::board_of(session.size(), |point| ownership.value(point)))
        },
    ),
    Command::new("tengen-playout", "", "The moves of one playout from here.", |session, _| {
        let mut sampler = Sampler::new(session);
        let moves = sampler.one(session);
        let word = |(color, point): &(Color, _)| {
            format!("{} {point}", color.letter().to_ascii_lowercase())
        };
        Ok(moves.iter().map(word).collect::<Vec<_>>().join(" "))
    }),
];

/// Bars of the histogram, at most.
const BARS: f64 = 12.0;

struct Sampler {
    policy: Box<dyn DynPolicy>,
    limits: Limits,
    /// How many playouts make a sample: as many as tell the status of stones.
    sample: usize,
    rng: Rng,
    board: Board,
    outcomes: Vec<Outcome>,
    ownership: Ownership,
}

impl Sampler {
    fn new(session: &Session) -> Sampler {
        let params = session.engine.params();
        Sampler {
            policy: by_params(&params.playout),
            limits: Limits::by_params(&params.playout, session.size()),
            sample: params.status.playouts as usize,
            rng: Rng::new(params.search.seed),
            board: Board::new(session.size()),
            outcomes: Vec::new(),
            ownership: Ownership::new(),
        }
    }

    /// Plays the sample, or as much of it as there is time for.
    fn play(&mut self, session: &Session, call: &Call) {
        let interrupt = session.inbox.begin(Until::Told, call.arrived);
        while self.outcomes.len() < self.sample && !interrupt.is_raised() {
            self.board.copy_from(session.engine.game().board());
            let outcome = self.policy.play_out(&mut self.board, &mut self.rng, self.limits);
            self.ownership.add(&self.board);
            self.outcomes.push(outcome);
        }
        session.inbox.end();
    }

    fn one(&mut self, session: &Session) -> Vec<(Color, crate::types::Point)> {
        self.board.copy_from(session.engine.game().board());
        let mut moves = Vec::new();
        self.policy.play_recorded(&mut self.board, &mut self.rng, self.limits, &mut moves);
        moves
    }
}

fn statistics(session: &mut Session, call: &mut Call) -> Reply {
    let begin = Instant::now();
    let mut sampler = Sampler::new(session);
    sampler.play(session, call);
    let seconds = begin.elapsed().as_secs_f64().max(1e-6);
    let komi = f64::from(session.engine.game().total_komi());
    let scores: Vec<f64> = sampler.outcomes.iter().map(|o| f64::from(o.score) - komi).collect();
    if scores.is_empty() {
        return Err("interrupted".to_owned());
    }
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let deviation = (scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / count).sqrt();
    let wins = scores.iter().filter(|&&score| score > 0.0).count() as f64;
    let length = sampler.outcomes.iter().map(|o| o.moves).sum::<usize>() as f64 / count;
    let mut lines = vec![
        format!("playouts: {}", scores.len()),
        format!("Black wins: {:.1} %", 100.0 * wins / count),
        format!("mean score: {mean:+.1} points"),
        format!("standard deviation: {deviation:.1} points"),
        format!("mean length: {length:.1} moves"),
        format!("speed: {:.0} playouts/s", count / seconds),
    ];
    lines.extend(histogram(&scores));
    Ok(lines.join("\n"))
}

/// One line a bar: the scores it covers, and their share as a row of stars.
fn histogram(scores: &[f64]) -> Vec<String> {
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min).floor();
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
    // Whole points, as people count.
    let width = ((most - least) / BARS).ceil().max(1.0);
    let bars = ((most - least) / width).ceil().max(1.0) as usize;
    let mut counts = vec![0usize; bars];
    for score in scores {
        counts[(((score - least) / width) as usize).min(bars - 1)] += 1;
    }
    let bar = |(index, count): (usize, &usize)| {
        let from = least + width * index as f64;
        let share = 100.0 * *count as f64 / scores.len() as f64;
        let stars = "*".repeat((share / 2.0).round() as usize);
        format!("{from:>+5.0} to {:>+5.0}: {share:>5.1} % {stars}", from + width)
    };
    counts.iter().enumerate().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_histogram_counts_every_score() {
        let scores = [-3.5, -3.5, 0.5, 20.5];
        let lines = histogram(&scores);
        assert!(lines.len() as f64 <= BARS);
        assert!(lines[0].starts_with("   -4 to    -1:"), "{}", lines[0]);
        assert!(lines.iter().all(|line| !line.split(':').next().unwrap().contains('.')));
        let share =
            |line: &String| line.split(':').nth(1)?.split('%').next()?.trim().parse::<f64>().ok();
        let total: f64 = lines.iter().filter_map(share).sum::<f64>();
        assert_eq!(total, 100.0, "{lines:?}");
        assert!(lines[0].contains("50.0 %"), "{}", lines[0]);
    }
}
