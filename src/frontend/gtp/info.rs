//! A search report as `lz-analyze` and `kata-analyze` print it.
//!
//! Numbers are from the side of the player to move, at the true komi. Sabaki wants every `info`
//! segment to end with the variation, so root and ownership come after all of them; Lizzie reads
//! `lz` numbers as integers. Moves without a visit are never listed: clients take every number for
//! a judgement.

use crate::search::{Candidate, Report};
use crate::types::{Color, Point, PointMap};
use std::fmt::Write;

/// Whose format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Leela Zero's: integers in 1/10000.
    Leela,
    /// KataGo's: fractions, scores, ownership.
    #[default]
    Kata,
}

/// What to print: by default the moves that were visited, and nothing else.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct InfoFormat {
    /// Whose format.
    pub dialect: Dialect,
    /// Print no more moves.
    pub max_moves: Option<usize>,
    /// Print the values of the position itself.
    pub root_info: bool,
    /// Print the owner of every point.
    pub ownership: bool,
    /// Print how far the owners of single playouts spread.
    pub ownership_deviation: bool,
    /// Print the owner of every point after every move.
    pub moves_ownership: bool,
    /// Print how far those spread.
    pub moves_ownership_deviation: bool,
    /// Print the visits of the variations, as those of positions.
    pub variation_visits: bool,
    /// Print them as those of moves; there is no difference here.
    pub variation_edge_visits: bool,
}

impl InfoFormat {
    /// Must the search find out who owns the points after every move?
    pub fn wants_moves_ownership(&self) -> bool {
        self.moves_ownership || self.moves_ownership_deviation
    }

    /// One line for a report; empty if there is nothing to say yet.
    pub fn line(&self, report: &Report, size: usize) -> String {
        let mut line = String::new();
        let of_player = |owner: f32| owner * report.to_play.sign() as f32;
        let most = self.max_moves.unwrap_or(usize::MAX);
        for (order, candidate) in visited(report).take(most).enumerate() {
            if order > 0 {
                line.push(' ');
            }
            match self.dialect {
                Dialect::Leela => leela(&mut line, order, candidate),
                Dialect::Kata => kata(&mut line, order, candidate, report.score_deviation),
            }
            self.details(&mut line, candidate, size, of_player);
        }
        if line.is_empty() {
            return line;
        }
        if self.root_info {
            root_info(&mut line, report);
        }
        if self.ownership {
            point_list(&mut line, "ownership", size, &report.ownership, of_player);
        }
        if self.ownership_deviation {
            point_list(&mut line, "ownershipStdev", size, &report.ownership_deviation, |d| d);
        }
        line
    }

    /// What follows the variation of a move on request, in KataGo's order.
    fn details(
        &self,
        line: &mut String,
        candidate: &Candidate,
        size: usize,
        of_player: impl Fn(f32) -> f32,
    ) {
        let visits =
            [("pvVisits", self.variation_visits), ("pvEdgeVisits", self.variation_edge_visits)];
        for (name, _) in visits.iter().filter(|(_, wanted)| *wanted) {
            let _ = write!(line, " {name}");
            for visits in &candidate.variation_visits {
                let _ = write!(line, " {visits}");
            }
        }
        let Some(owners) = &candidate.owners else { return };
        if self.moves_ownership {
            point_list(line, "movesOwnership", size, &owners.mean, of_player);
        }
        if self.moves_ownership_deviation {
            point_list(line, "movesOwnershipStdev", size, &owners.deviation, |deviation| deviation);
        }
    }
}

fn leela(line: &mut String, order: usize, candidate: &Candidate) {
    let tenthousandths = |share: f64| (share.clamp(0.0, 1.0) * 10_000.0).round() as u32;
    let _ = write!(
        line,
        "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
        candidate.point,
        candidate.visits,
        tenthousandths(candidate.winrate),
        tenthousandths(candidate.prior),
        tenthousandths(candidate.lower_bound),
        variation(candidate),
    );
}

fn kata(line: &mut String, order: usize, candidate: &Candidate, deviation: f64) {
    let Candidate { point, visits, winrate, lower_bound, score, prior, .. } = candidate;
    let _ = write!(
        line,
        "info move {point} visits {visits} edgeVisits {visits} utility {:.6} winrate {winrate:.6} \
         scoreMean {score:.4} scoreStdev {deviation:.4} scoreLead {score:.4} \
         scoreSelfplay {score:.4} prior {prior:.6} lcb {lower_bound:.6} utilityLcb {:.6} \
         weight {visits} order {order} pv {}",
        utility(*winrate),
        utility(*lower_bound),
        variation(candidate),
    );
}

fn root_info(line: &mut String, report: &Report) {
    let Report { visits, winrate, score, score_deviation, .. } = report;
    let _ = write!(
        line,
        " rootInfo visits {visits} utility {:.6} winrate {winrate:.6} scoreMean {score:.4} \
         scoreStdev {score_deviation:.4} scoreLead {score:.4} scoreSelfplay {score:.4} \
         weight {visits}",
        utility(*winrate),
    );
}

/// Winning is worth 1, losing -1.
pub fn utility(winrate: f64) -> f64 {
    2.0 * winrate - 1.0
}

fn variation(candidate: &Candidate) -> String {
    if candidate.variation.is_empty() {
        return candidate.point.to_string();
    }
    vertices(&candidate.variation)
}

/// Vertices separated by spaces.
pub fn vertices(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// The visited moves, best first.
pub fn visited(report: &Report) -> impl Iterator<Item = &Candidate> {
    report.candidates.iter().filter(|candidate| candidate.visits > 0)
}

/// The points row by row from the top left, as analysis and GoGui boards list them.
pub fn from_top_left(size: usize) -> impl Iterator<Item = Point> {
    (1..=size).rev().flat_map(move |row| (1..=size).map(move |column| Point::new(column, row)))
}

fn point_list(
    line: &mut String,
    name: &str,
    size: usize,
    values: &PointMap<f32>,
    convert: impl Fn(f32) -> f32,
) {
    let _ = write!(line, " {name}");
    for point in from_top_left(size) {
        let _ = write!(line, " {:.3}", convert(values[point]) + 0.0); // no negative zero
    }
}

/// In so many parts of one, and no negative zero.
pub fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts + 0.0
}

/// A win rate and a score from Black's side.
pub fn for_black(report: &Report) -> (f64, f64) {
    match report.to_play {
        Color::Black => (report.winrate, report.score),
        Color::White => (1.0 - report.winrate, -report.score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::PointOwners;
    use std::time::Duration;

    fn report() -> Report {
        let candidate = |name: &str, visits, winrate: f64, pv: &str| {
            let parse = |text: &str| Point::parse_gtp(text, 2).unwrap();
            Candidate {
                point: parse(name),
                visits,
                winrate,
                lower_bound: winrate - 0.01,
                score: 2.5,
                prior: 0.25,
                rave_visits: 3.0,
                rave_winrate: 0.5,
                variation: pv.split_whitespace().map(parse).collect(),
                variation_visits: vec![visits; pv.split_whitespace().count()],
                owners: None,
            }
        };
        let mut ownership = PointMap::filled(0.0);
        ownership[Point::new(1, 2)] = 1.0; // A2, the top left
        ownership[Point::new(2, 1)] = -0.6;
        Report {
            to_play: Color::White,
            visits: 101,
            playouts: 100,
            elapsed: Duration::from_secs(1),
            winrate: 0.51234567,
            score: 2.25,
            score_deviation: 10.5,
            extra_komi: 0.0,
            candidates: vec![
                candidate("A1", 90, 0.5, "A1 B2"),
                candidate("pass", 10, 1.0, "pass"),
                candidate("B1", 0, 0.0, ""),
            ],
            ownership_deviation: ownership,
            ownership,
            criticality: PointMap::filled(0.0),
        }
    }

    #[test]
    fn leela_zero_lines_have_integers_and_end_with_the_variation() {
        let mut format = InfoFormat { dialect: Dialect::Leela, ..InfoFormat::default() };
        let first = "info move A1 visits 90 winrate 5000 prior 2500 lcb 4900 order 0 pv A1 B2";
        let second = "info move pass visits 10 winrate 10000 prior 2500 lcb 9900 order 1 pv pass";
        assert_eq!(format.line(&report(), 2), format!("{first} {second}"));
        format.max_moves = Some(1);
        assert_eq!(format.line(&report(), 2), first);
    }

    #[test]
    fn kata_lines() {
        let mut format = InfoFormat { max_moves: Some(1), ..InfoFormat::default() };
        let info = "info move A1 visits 90 edgeVisits 90 utility 0.000000 winrate 0.500000 \
                    scoreMean 2.5000 scoreStdev 10.5000 scoreLead 2.5000 scoreSelfplay 2.5000 \
                    prior 0.250000 lcb 0.490000 utilityLcb -0.020000 weight 90 order 0 pv A1 B2";
        assert_eq!(format.line(&report(), 2), info);
        format.root_info = true;
        format.ownership = true;
        format.ownership_deviation = true;
        let root = "rootInfo visits 101 utility 0.024691 winrate 0.512346 scoreMean 2.2500 \
                    scoreStdev 10.5000 scoreLead 2.2500 scoreSelfplay 2.2500 weight 101";
        // White to move: Black's point in the top left is -1.
        let owners = "ownership -1.000 0.000 0.000 0.600";
        let spread = "ownershipStdev 1.000 0.000 0.000 -0.600"; // as the report has it
        assert_eq!(format.line(&report(), 2), format!("{info} {root} {owners} {spread}"));
        let mut report = report();
        let mean = report.ownership;
        let deviation = PointMap::filled(0.25);
        report.candidates[0].owners = Some(Box::new(PointOwners { mean, deviation }));
        format = InfoFormat { max_moves: Some(1), ..InfoFormat::default() };
        format.variation_visits = true;
        format.variation_edge_visits = true;
        let visits = "pvVisits 90 90 pvEdgeVisits 90 90";
        assert_eq!(format.line(&report, 2), format!("{info} {visits}"));
        assert!(!format.wants_moves_ownership());
        format.moves_ownership = true;
        format.moves_ownership_deviation = true;
        assert!(format.wants_moves_ownership());
        let owners = "movesOwnership -1.000 0.000 0.000 0.600";
        let spread = "movesOwnershipStdev 0.250 0.250 0.250 0.250";
        assert_eq!(format.line(&report, 2), format!("{info} {visits} {owners} {spread}"));
    }

    #[test]
    fn nothing_found_is_no_line() {
        let nothing = Report { candidates: Vec::new(), ..report() };
        let format = InfoFormat { ownership: true, ..InfoFormat::default() };
        assert_eq!(format.line(&nothing, 2), "");
    }
}
