//! What the playouts of one policy say about positions, compared with what the referee says.

use crate::types::points;
use crate::workshop::measure::labels::Position;
use crate::workshop::tools::plot::{Axis, Plot, Series};
use crate::workshop::tools::statistics::Mean;
use serde::Serialize;
use std::fmt::Write as _;

/// A part of the game, by the number of moves as a share of the points of the board: up to a
/// quarter, up to a half, beyond. On 9x9 that is moves 0 to 20, 21 to 40 and 41 on, on 19x19 0 to 90,
/// 91 to 180 and 181 on: about a third of the positions of a game each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Every position.
    All,
    /// Up to a quarter of the points.
    Opening,
    /// Up to half of the points.
    Middle,
    /// The rest.
    Endgame,
}

impl Phase {
    /// All of them, in the order of the report.
    pub const ALL: [Phase; 4] = [Phase::All, Phase::Opening, Phase::Middle, Phase::Endgame];

    /// Those that a game goes through.
    pub const PARTS: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::Endgame];

    /// The phase of a position after so many moves.
    pub fn of(size: usize, moves: usize) -> Phase {
        match 4 * moves {
            quarters if quarters <= size * size => Phase::Opening,
            quarters if quarters <= 2 * size * size => Phase::Middle,
            _ => Phase::Endgame,
        }
    }

    fn holds(self, sample: &Sample) -> bool {
        self == Phase::All || self == sample.phase
    }

    /// The name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Phase::All => "all",
            Phase::Opening => "opening",
            Phase::Middle => "middle",
            Phase::Endgame => "endgame",
        }
    }
}

/// Sums over the points of a position, for the ownership of playouts (x) and referee (y).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.join(&Sums { n: 1.0, x, y, xx: x * x, yy: y * y, xy: x * y });
    }

    fn join(&mut self, other: &Sums) {
        self.n += other.n;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.yy += other.yy;
        self.xy += other.xy;
    }

    fn squared_error(&self) -> f64 {
        (self.xx + self.yy - 2.0 * self.xy) / self.n.max(1.0)
    }

    /// Pearson's coefficient; 0 if one of the two does not vary.
    fn correlation(&self) -> f64 {
        let n = self.n.max(1.0);
        let covariance = self.xy / n - self.x / n * (self.y / n);
        let variances = (self.xx / n - (self.x / n).powi(2)) * (self.yy / n - (self.y / n).powi(2));
        if variances > 1e-18 { covariance / variances.sqrt() } else { 0.0 }
    }
}

/// A position judged by the playouts of one policy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    phase: Phase,
    playouts: f64,
    /// Black's winning probability by the playouts, and by the referee.
    winrate: f64,
    truth: f64,
    /// +1 if Black is to move, -1 if White.
    side: f64,
    ownership: Sums,
    seconds: f64,
}

/// What playouts or a network say of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// Black's winning probability.
    pub winrate: f64,
    /// The expected owner of every point, in the order of [`points`]: 1 is Black's, -1 White's.
    pub owners: Vec<f32>,
    /// Processor time that it took.
    pub seconds: f64,
}

impl Sample {
    /// Compares an opinion that rests on so many playouts with the referee's.
    pub fn new(position: &Position, playouts: usize, opinion: &Opinion) -> Sample {
        let mut ownership = Sums::default();
        for (point, &owner) in points(position.size).zip(&opinion.owners) {
            ownership.add(f64::from(owner), position.owner(point));
        }
        Sample {
            phase: Phase::of(position.size, position.moves.len()),
            playouts: playouts as f64,
            winrate: opinion.winrate,
            truth: position.winrate,
            side: f64::from(position.to_play.sign()),
            ownership,
            seconds: opinion.seconds,
        }
    }

    fn error(&self) -> f64 {
        self.winrate - self.truth
    }

    /// Half a win and half a loss are added, so that a policy that is sure and wrong is punished
    /// hard but not without end.
    fn log_loss(&self) -> f64 {
        let probability = (self.winrate * self.playouts + 0.5) / (self.playouts + 1.0);
        cross_entropy(self.truth, probability)
    }
}

/// The expected log loss of a probability where the referee's is the truth.
fn cross_entropy(truth: f64, probability: f64) -> f64 {
    let term = |truth: f64, probability: f64| match truth {
        0.0 => 0.0,
        _ => -truth * probability.ln(),
    };
    term(truth, probability) + term(1.0 - truth, 1.0 - probability)
}

/// The figures of one policy in one phase.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// Which positions.
    pub phase: Phase,
    /// How many there are.
    pub positions: usize,
    /// Mean squared error of the winrate.
    pub winrate_squared_error: Mean,
    /// Mean of playouts minus referee, from Black's side.
    pub bias_for_black: Mean,
    /// The same from the side of the player to move.
    pub bias_for_mover: Mean,
    /// Mean log loss of the winrate in nats, where the referee's is the truth.
    pub log_loss: f64,
    /// The log loss of the referee's own winrate: no policy can be below it.
    pub least_log_loss: f64,
    /// Pearson's correlation of the ownership over all points of all positions.
    pub ownership_correlation: f64,
    /// Mean squared error of the ownership (in -1..1) over all points of all positions.
    pub ownership_squared_error: f64,
}

impl Figures {
    /// The figures of the samples that belong to a phase.
    pub fn of(samples: &[Sample], phase: Phase) -> Figures {
        let chosen = || samples.iter().filter(move |sample| phase.holds(sample));
        let mean = |value: fn(&Sample) -> f64| Mean::of(chosen().map(value));
        let mut ownership = Sums::default();
        for sample in chosen() {
            ownership.join(&sample.ownership);
        }
        Figures {
            phase,
            positions: chosen().count(),
            winrate_squared_error: mean(|sample| sample.error().powi(2)),
            bias_for_black: mean(Sample::error),
            bias_for_mover: mean(|sample| sample.side * sample.error()),
            log_loss: mean(Sample::log_loss).mean,
            least_log_loss: mean(|sample| cross_entropy(sample.truth, sample.truth)).mean,
            ownership_correlation: ownership.correlation(),
            ownership_squared_error: ownership.squared_error(),
        }
    }

    /// Name, value and unit of every figure that depends on the policy.
    fn rows(&self) -> [(&'static str, String); 6] {
        let with_error =
            |mean: &Mean| format!("{:.4} (standard error {:.4})", mean.mean, mean.standard_error);
        let signed = |mean: Mean| {
            let percent = mean.times(100.0);
            format!("{:+.2} % (standard error {:.2})", percent.mean, percent.standard_error)
        };
        [
            ("winrate squared error", with_error(&self.winrate_squared_error)),
            ("winrate bias for Black", signed(self.bias_for_black)),
            ("winrate bias for the mover", signed(self.bias_for_mover)),
            ("winrate log loss", format!("{:.4} nats", self.log_loss)),
            ("ownership correlation", format!("{:.4}", self.ownership_correlation)),
            ("ownership squared error", format!("{:.4}", self.ownership_squared_error)),
        ]
    }
}

/// What a later policy has more than the first one on the same positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Change {
    /// Squared error of the winrate: negative if the later policy is better.
    pub winrate_squared_error: Mean,
    /// Its 95 % interval.
    pub winrate_interval: (f64, f64),
    /// Squared error of the ownership, mean per position: negative if the later policy is better.
    pub ownership_squared_error: Mean,
    /// Its 95 % interval.
    pub ownership_interval: (f64, f64),
}

impl Change {
    fn of(first: &[Sample], later: &[Sample]) -> Change {
        let mean = |value: fn(&Sample) -> f64| {
            Mean::of(first.iter().zip(later).map(move |(a, b)| value(b) - value(a)))
        };
        let winrate_squared_error = mean(|sample| sample.error().powi(2));
        let ownership_squared_error = mean(|sample| sample.ownership.squared_error());
        Change {
            winrate_squared_error,
            winrate_interval: winrate_squared_error.interval(),
            ownership_squared_error,
            ownership_interval: ownership_squared_error.interval(),
        }
    }
}

/// One policy on one file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PolicyReport {
    /// Its name.
    pub policy: String,
    /// Playouts per processor second, which is per second of one thread on an idle machine.
    pub playouts_per_second: f64,
    /// By phase.
    pub phases: Vec<Figures>,
    /// Against the first policy; `None` for itself, or for fewer than two positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The reliability curve: see [`Reliability`].
    pub reliability: Vec<Reliability>,
}

/// The positions in which the playouts gave Black a winrate in one tenth of 0..1.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reliability {
    /// Mean winrate by the playouts.
    pub playouts: f64,
    /// Mean winrate by the referee.
    pub referee: Mean,
}

impl PolicyReport {
    /// The figures of a policy; `first` are the samples of the policy it is compared with.
    pub fn new(policy: &str, samples: &[Sample], first: Option<&[Sample]>) -> PolicyReport {
        let seconds: f64 = samples.iter().map(|sample| sample.seconds).sum();
        let playouts: f64 = samples.iter().map(|sample| sample.playouts).sum();
        let phases = Phase::ALL.map(|phase| Figures::of(samples, phase));
        PolicyReport {
            policy: policy.to_owned(),
            playouts_per_second: playouts / seconds.max(1e-9),
            phases: phases.into_iter().filter(|figures| figures.positions > 0).collect(),
            change: first.filter(|first| first.len() >= 2).map(|first| Change::of(first, samples)),
            reliability: reliability(samples),
        }
    }
}

fn reliability(samples: &[Sample]) -> Vec<Reliability> {
    const BINS: usize = 10;
    let bin_of = |sample: &Sample| ((sample.winrate * BINS as f64) as usize).min(BINS - 1);
    let bins = (0..BINS).map(|bin| {
        let inside = || samples.iter().filter(move |sample| bin_of(sample) == bin);
        Reliability {
            playouts: Mean::of(inside().map(|sample| sample.winrate)).mean,
            referee: Mean::of(inside().map(|sample| sample.truth)),
        }
    });
    bins.filter(|bin| bin.referee.count > 0).collect()
}

/// The figures of all policies on one file, those of the same kind below each other.
pub fn write(out: &mut String, file: &str, policies: &[PolicyReport]) {
    let mut row = |policy: &str, figure: &str, value: &str| {
        let _ = writeln!(out, "{file} {figure}, {policy}: {value}");
    };
    for policy in policies {
        let speed = format!("{:.0} playouts/s per thread", policy.playouts_per_second);
        row(&policy.policy, "speed", &speed);
    }
    let Some(first) = policies.first() else { return };
    for (index, figures) in first.phases.iter().enumerate() {
        let phase = figures.phase.name();
        let rows: Vec<_> = policies.iter().map(|policy| policy.phases[index].rows()).collect();
        let least = format!("{:.4} nats", figures.least_log_loss);
        row("all policies", &format!("{phase} positions"), &figures.positions.to_string());
        row("all policies", &format!("{phase} least possible log loss"), &least);
        for (figure, (name, _)) in rows[0].iter().enumerate() {
            for (policy, rows) in policies.iter().zip(&rows) {
                row(&policy.policy, &format!("{phase} {name}"), &rows[figure].1);
            }
        }
    }
    for policy in policies {
        let Some(change) = &policy.change else { continue };
        let difference = |mean: &Mean, (low, high): (f64, f64)| {
            format!("{:+.4} (95 % interval {low:+.4} to {high:+.4})", mean.mean)
        };
        let name = format!("{} minus {}", policy.policy, first.policy);
        let winrate = difference(&change.winrate_squared_error, change.winrate_interval);
        row(&name, "winrate squared error", &winrate);
        let ownership = difference(&change.ownership_squared_error, change.ownership_interval);
        row(&name, "ownership squared error", &ownership);
    }
}

/// A reliability plot: how often Black really wins where playouts say x.
pub fn plot<'a>(curves: impl Iterator<Item = (String, &'a PolicyReport)>) -> Plot {
    let plot = Plot::new("Winrate of playouts and of the referee")
        .x(Axis::new("Black's winrate by playouts").range(0.0, 1.0))
        .y(Axis::new("Black's winrate by the referee").range(0.0, 1.0))
        .size(520.0, 480.0)
        .series(Series::reference("as it should be").point(0.0, 0.0).point(1.0, 1.0));
    curves.fold(plot, |plot, (name, report)| {
        let line = report.reliability.iter().fold(Series::line(&name), |line, bin| {
            let referee = bin.referee;
            if referee.count < 2 {
                return line.point(bin.playouts, referee.mean);
            }
            line.point_with_error(bin.playouts, referee.mean, referee.standard_error)
        });
        plot.series(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;
    use crate::workshop::measure::labels::Needs;

    /// A 2x2 position whose owners are Black, nobody, White, White.
    fn position(winrate: f64, to_play: &str, moves: &str) -> Position {
        let line = format!(
            r#"{{"size":2,"komi":0,"moves":"{moves}","to_play":"{to_play}","winrate":{winrate},
               "ownership":"YMAA"}}"#
        );
        Position::parse(&line, Needs::Judgement).unwrap()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    fn sample(
        position: &Position,
        playouts: usize,
        wins: f64,
        owner: impl Fn(Point) -> f64,
        seconds: f64,
    ) -> Sample {
        let owners = points(position.size).map(|point| owner(point) as f32).collect();
        let opinion = Opinion { winrate: wins / playouts as f64, owners, seconds };
        Sample::new(position, playouts, &opinion)
    }

    #[test]
    fn phases_are_shares_of_the_board() {
        assert_eq!(Phase::of(9, 0), Phase::Opening);
        assert_eq!((Phase::of(9, 20), Phase::of(9, 21)), (Phase::Opening, Phase::Middle));
        assert_eq!((Phase::of(9, 40), Phase::of(9, 41)), (Phase::Middle, Phase::Endgame));
        assert_eq!((Phase::of(19, 90), Phase::of(19, 91)), (Phase::Opening, Phase::Middle));
        assert_eq!((Phase::of(19, 180), Phase::of(19, 181)), (Phase::Middle, Phase::Endgame));
    }

    #[test]
    fn figures_by_hand() {
        let black = position(0.5, "B", "");
        let white = position(1.0, "W", "A1 B1 pass");
        let half = |_: Point| 0.5;
        let samples =
            [sample(&black, 10, 7.0, half, 0.5), sample(&white, 10, 9.0, |p| white.owner(p), 1.5)];
        let all = Figures::of(&samples, Phase::All);
        assert_eq!(all.positions, 2);
        assert!(close(all.winrate_squared_error.mean, (0.04 + 0.01) / 2.0));
        assert!(close(all.bias_for_black.mean, (0.2 - 0.1) / 2.0));
        assert!(close(all.bias_for_mover.mean, (0.2 + 0.1) / 2.0));
        let first = -0.5 * (7.5f64 / 11.0).ln() - 0.5 * (3.5f64 / 11.0).ln();
        let second = -(9.5f64 / 11.0).ln();
        assert!(close(all.log_loss, (first + second) / 2.0));
        assert!(close(all.least_log_loss, 2.0f64.ln() / 2.0));
        // Errors of the first position: 1/4, 1/4, 9/4, 9/4; of the second none.
        assert!(close(all.ownership_squared_error, 5.0 / 8.0));
        let (opening, endgame) =
            (Figures::of(&samples, Phase::Opening), Figures::of(&samples, Phase::Endgame));
        assert!(opening.positions == 1 && endgame.positions == 1);
        assert!(close(endgame.ownership_correlation, 1.0));
        assert!(close(opening.ownership_correlation, 0.0), "a constant correlates with nothing");
        let report = PolicyReport::new("p", &samples, None);
        assert!(close(report.playouts_per_second, 10.0) && report.change.is_none());
        assert_eq!(report.phases.len(), 3, "no middle game here");
    }

    #[test]
    fn a_better_policy_shows_in_the_change_and_in_the_text() {
        let positions: Vec<Position> =
            (0..20).map(|n| position(f64::from(n) / 20.0, "B", "")).collect();
        let samples = |error: f64| -> Vec<Sample> {
            let sample = |p: &Position| {
                let wins = (100.0 * p.winrate + 100.0 * error).min(100.0);
                sample(p, 100, wins, |point| p.owner(point) * (1.0 - error), 0.1)
            };
            positions.iter().map(sample).collect()
        };
        let (bad, good) = (samples(0.2), samples(0.0));
        let reports =
            [PolicyReport::new("bad", &bad, None), PolicyReport::new("good", &good, Some(&bad))];
        let change = reports[1].change.as_ref().unwrap();
        assert!(change.winrate_interval.1 < 0.0 && change.ownership_interval.1 < 0.0);
        assert!(close(reports[1].phases[0].ownership_correlation, 1.0));
        let mut text = String::new();
        write(&mut text, "made", &reports);
        assert!(text.contains("made all positions, all policies: 20\n"), "{text}");
        assert!(text.contains("made all winrate squared error, bad: 0.03"), "{text}");
        assert!(text.contains("made all winrate squared error, good: 0.0000 (st"), "{text}");
        assert!(text.contains("made winrate squared error, good minus bad: -0.03"), "{text}");
        let svg = plot(reports.iter().map(|report| (report.policy.clone(), report))).to_svg();
        assert_eq!(svg.matches("<polyline").count(), 3);
        assert!(svg.contains(">good<") && svg.contains(">bad<"));
        let truth: f64 = reports[1].reliability.iter().map(|bin| bin.referee.mean).sum();
        assert!(close(truth, (0..20).map(|n| f64::from(n) / 20.0).sum::<f64>() / 2.0));
    }
}
