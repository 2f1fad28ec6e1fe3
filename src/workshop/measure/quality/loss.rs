//! What a move loses, and the figures of a suite.
//!
//! Points and winrate are each lost against their own best move, from the side of the player to
//! move. A move that the referee did not judge and a resignation count as the worst judged one:
//! the true loss of a bad move is unknown there, but it is not small.

use crate::engine::Choice;
use crate::workshop::measure::labels::{After, Position};
use crate::workshop::measure::player::Reply;
use crate::workshop::tools::statistics::Mean;
use serde::Serialize;
use std::fmt::Write as _;

/// A move that loses fewer points than this is as good as the best: the referee's own noise is a
/// few tenths of a point.
pub const BEST_BELOW_POINTS: f64 = 0.05;
/// A move that loses more points than this is a blunder by points. There are two kinds because
/// neither says all: five points mean little in a won game, and a fifth of the winrate can hang
/// on half a point.
pub const BLUNDER_POINTS: f64 = 5.0;
/// A move that loses more winning probability than this is a blunder by winrate.
pub const BLUNDER_WINRATE: f64 = 0.2;

/// What a move loses against the best one, from the mover's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Points of lead.
    pub points: f64,
    /// Winning probability.
    pub winrate: f64,
    /// Did the referee judge the move?
    pub listed: bool,
}

impl Loss {
    /// The loss of a choice in a position.
    pub fn of(position: &Position, choice: Choice) -> Loss {
        let sign = f64::from(position.to_play.sign());
        let lost = |value: fn(&After) -> f64| {
            let values = position.after.iter().map(|(_, after)| sign * value(after));
            let best = values.clone().fold(f64::NEG_INFINITY, f64::max);
            let worst = values.fold(f64::INFINITY, f64::min);
            let chosen = chosen(position, choice).map_or(worst, |after| sign * value(&after));
            best - chosen
        };
        Loss {
            points: lost(|after| after.lead),
            winrate: lost(|after| after.winrate),
            listed: chosen(position, choice).is_some(),
        }
    }
}

fn chosen(position: &Position, choice: Choice) -> Option<After> {
    let Choice::Play(chosen) = choice else { return None };
    position.after.iter().find(|(point, _)| *point == chosen).map(|&(_, after)| after)
}

/// A position as one program answered it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answered {
    /// The answer.
    pub reply: Reply,
    /// What it loses.
    pub loss: Loss,
}

/// The figures of one program on one suite.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Positions that were answered.
    pub positions: usize,
    /// Positions that were not: crash, hang, refused command. They are in no other figure.
    pub failed: usize,
    /// Points lost per move.
    pub points_lost: Mean,
    /// Winning probability lost per move.
    pub winrate_lost: Mean,
    /// Share of moves that lose less than [`BEST_BELOW_POINTS`].
    pub best_moves: f64,
    /// Share of moves that lose more than [`BLUNDER_POINTS`].
    pub blunders_by_points: f64,
    /// Share of moves that lose more than [`BLUNDER_WINRATE`].
    pub blunders_by_winrate: f64,
    /// Moves that the referee did not judge; resignations are among them.
    pub unlisted: usize,
    /// Seconds per move.
    pub seconds: f64,
    /// Processor seconds per move.
    pub cpu_seconds: Option<f64>,
}

impl Summary {
    /// The figures of some answers, `None` being failures.
    pub fn of(answers: &[Option<Answered>]) -> Summary {
        let given = || answers.iter().flatten();
        let positions = given().count();
        let mean = |value: fn(&Answered) -> f64| Mean::of(given().map(value));
        let share = |is: fn(&Loss) -> bool| {
            given().filter(|answer| is(&answer.loss)).count() as f64 / positions.max(1) as f64
        };
        let cpu: Option<Vec<f64>> = given().map(|answer| answer.reply.cpu_seconds).collect();
        Summary {
            positions,
            failed: answers.len() - positions,
            points_lost: mean(|answer| answer.loss.points),
            winrate_lost: mean(|answer| answer.loss.winrate),
            best_moves: share(|loss| loss.points < BEST_BELOW_POINTS),
            blunders_by_points: share(|loss| loss.points > BLUNDER_POINTS),
            blunders_by_winrate: share(|loss| loss.winrate > BLUNDER_WINRATE),
            unlisted: given().filter(|answer| !answer.loss.listed).count(),
            seconds: mean(|answer| answer.reply.seconds).mean,
            cpu_seconds: cpu.map(|seconds| Mean::of(seconds.into_iter()).mean),
        }
    }

    /// One line per figure, each beginning with a name.
    pub fn write(&self, out: &mut String, name: &str) {
        let winrate = self.winrate_lost.times(100.0);
        let mut row = |figure: &str, value: String| {
            let _ = writeln!(out, "{name} {figure}: {value}");
        };
        row("positions", self.positions.to_string());
        row("failed", self.failed.to_string());
        row(
            "points lost",
            format!(
                "{:.3} points (standard error {:.3})",
                self.points_lost.mean, self.points_lost.standard_error
            ),
        );
        row(
            "winrate lost",
            format!("{:.2} % (standard error {:.2})", winrate.mean, winrate.standard_error),
        );
        row("best moves", format!("{:.1} %", 100.0 * self.best_moves));
        row("blunders by points", format!("{:.1} %", 100.0 * self.blunders_by_points));
        row("blunders by winrate", format!("{:.1} %", 100.0 * self.blunders_by_winrate));
        row("unlisted moves", self.unlisted.to_string());
        row("time", format!("{:.3} s/move", self.seconds));
        if let Some(seconds) = self.cpu_seconds {
            row("processor time", format!("{seconds:.3} s/move"));
        }
    }
}

/// What a second program loses more than a first one on the positions that both answered.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// Points: negative if the second is better.
    pub points_lost: Mean,
    /// The 95 % interval of the points.
    pub points_interval: (f64, f64),
    /// Winning probability: negative if the second is better.
    pub winrate_lost: Mean,
    /// The 95 % interval of the winning probability.
    pub winrate_interval: (f64, f64),
    /// Share of positions in which both chose the same.
    pub same_move: f64,
}

impl Difference {
    /// The paired difference; `None` with fewer than two positions that both answered.
    pub fn of(first: &[Option<Answered>], second: &[Option<Answered>]) -> Option<Difference> {
        let pairs = || first.iter().zip(second).filter_map(|(a, b)| a.as_ref().zip(b.as_ref()));
        let count = pairs().count();
        if count < 2 {
            return None;
        }
        let mean = |value: fn(&Loss) -> f64| {
            Mean::of(pairs().map(move |(a, b)| value(&b.loss) - value(&a.loss)))
        };
        let points_lost = mean(|loss| loss.points);
        let winrate_lost = mean(|loss| loss.winrate);
        let same = pairs().filter(|(a, b)| a.reply.choice == b.reply.choice).count();
        Some(Difference {
            points_lost,
            points_interval: points_lost.interval(),
            winrate_lost,
            winrate_interval: winrate_lost.interval(),
            same_move: same as f64 / count as f64,
        })
    }

    /// One line per figure, each beginning with a name.
    pub fn write(&self, out: &mut String, name: &str) {
        let _ = writeln!(out, "{name} positions: {}", self.points_lost.count);
        let (low, high) = self.points_interval;
        let mean = self.points_lost.mean;
        let _ = writeln!(
            out,
            "{name} points lost: {mean:+.3} points (95 % interval {low:+.3} to {high:+.3})"
        );
        let (low, high) = self.winrate_interval;
        let [mean, low, high] = [self.winrate_lost.mean, low, high].map(|share| 100.0 * share);
        let _ = writeln!(
            out,
            "{name} winrate lost: {mean:+.2} % (95 % interval {low:+.2} to {high:+.2})"
        );
        let _ = writeln!(out, "{name} same move: {:.1} %", 100.0 * self.same_move);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;
    use crate::workshop::measure::labels::Needs;

    fn position(to_play: &str) -> Position {
        let line = format!(
            r#"{{"size":5,"komi":0,"moves":"","to_play":"{to_play}",
               "after":{{"C3":[3.0,0.6],"B2":[2.98,0.7],"A1":[-9.0,0.05],"pass":[0.5,0.3]}}}}"#
        );
        Position::parse(&line, Needs::Moves).unwrap()
    }

    fn play(vertex: &str) -> Choice {
        Choice::Play(Point::parse_gtp(vertex, 5).unwrap())
    }

    fn answered(position: &Position, choice: Choice) -> Option<Answered> {
        let reply = Reply { choice, seconds: 0.5, cpu_seconds: Some(0.25) };
        Some(Answered { reply, loss: Loss::of(position, choice) })
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn losses_are_from_the_mover_s_side() {
        let loss = |color, choice| {
            let Loss { points, winrate, listed } = Loss::of(&position(color), choice);
            (points, winrate, listed)
        };
        // Points and winrate have different best moves: C3 and B2 for Black.
        let (points, winrate, listed) = loss("B", play("C3"));
        assert!(points == 0.0 && close(winrate, 0.1) && listed);
        let (points, winrate, _) = loss("B", play("B2"));
        assert!(close(points, 0.02) && winrate == 0.0);
        let (points, winrate, _) = loss("B", play("pass"));
        assert!(close(points, 2.5) && close(winrate, 0.4));
        // White likes A1 best.
        let (points, winrate, listed) = loss("W", play("A1"));
        assert!(points == 0.0 && winrate == 0.0 && listed);
        let (points, winrate, _) = loss("W", play("pass"));
        assert!(close(points, 9.5) && close(winrate, 0.25));
        // What is not listed is the worst.
        for choice in [play("E5"), Choice::Resign] {
            let (points, winrate, listed) = loss("B", choice);
            assert!(close(points, 12.0) && close(winrate, 0.65) && !listed);
            let (points, winrate, _) = loss("W", choice);
            assert!(close(points, 12.0) && close(winrate, 0.65));
        }
    }

    #[test]
    fn the_summary_counts_everything() {
        let black = position("B");
        let answers = [
            answered(&black, play("C3")),
            answered(&black, play("B2")),
            None,
            answered(&black, play("A1")),
            answered(&black, Choice::Resign),
        ];
        let summary = Summary::of(&answers);
        assert_eq!((summary.positions, summary.failed, summary.unlisted), (4, 1, 1));
        assert!(close(summary.points_lost.mean, (0.02 + 12.0 + 12.0) / 4.0));
        assert!(close(summary.winrate_lost.mean, (0.1 + 0.65 + 0.65) / 4.0));
        assert!(close(summary.best_moves, 0.5) && close(summary.blunders_by_points, 0.5));
        assert!(close(summary.seconds, 0.5) && summary.cpu_seconds == Some(0.25));
        let mut text = String::new();
        summary.write(&mut text, "suite");
        assert!(text.contains("suite points lost: 6.005 points (standard error 3.4"), "{text}");
        assert!(text.contains("suite best moves: 50.0 %\n"), "{text}");
        let empty = Summary::of(&[None]);
        assert!(empty.positions == 0 && empty.points_lost.mean == 0.0 && empty.best_moves == 0.0);
    }

    #[test]
    fn differences_are_paired() {
        let black = position("B");
        let first = [answered(&black, play("C3")), answered(&black, play("pass")), None];
        let second = [
            answered(&black, play("C3")),
            answered(&black, play("C3")),
            answered(&black, play("A1")),
        ];
        let difference = Difference::of(&first, &second).unwrap();
        assert_eq!(difference.points_lost.count, 2);
        assert!(close(difference.points_lost.mean, -1.25));
        assert!(close(difference.winrate_lost.mean, (0.0 + (0.1 - 0.4)) / 2.0));
        assert!(close(difference.same_move, 0.5));
        let (low, high) = difference.points_interval;
        assert!(low < -1.25 && high > -1.25);
        assert!(Difference::of(&first[..1], &second[..1]).is_none());
    }
}
