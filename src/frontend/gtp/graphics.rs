//! Search reports as GoGui draws them, in its analyze window and live while the engine thinks.

use super::info::{for_black, from_top_left, rounded, vertices, visited};
use crate::logging::Chatter;
use crate::search::{Candidate, Report};
use crate::types::{Color, Point, PointMap};
use std::fmt::Write;

/// What is drawn while the engine thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Live {
    /// Nothing.
    #[default]
    None,
    /// The best moves with their win rates.
    Best,
    /// The expected continuation.
    Variation,
    /// Who owns what.
    Ownership,
}

impl Live {
    /// The choices by name.
    pub const ALL: [(&'static str, Live); 4] = [
        ("none", Live::None),
        ("best", Live::Best),
        ("variation", Live::Variation),
        ("ownership", Live::Ownership),
    ];

    /// Is anything to be drawn?
    pub fn is_on(self) -> bool {
        self != Live::None
    }

    /// Draws a report on stderr, where GoGui looks for it.
    pub fn show(self, chatter: &Chatter, report: &Report, size: usize) {
        let lines = match self {
            Live::None => return,
            Live::Best => best_moves(report),
            Live::Variation => variation(report),
            Live::Ownership => ownership(report, size),
        };
        // A line of its own, the drawing, and an empty line: all in one, so that nothing comes
        // between.
        chatter.raw(&format!("gogui-gfx:\n{lines}\n"));
    }

    /// Takes the drawing away, before the answer is sent.
    pub fn clear(self, chatter: &Chatter) {
        if self.is_on() {
            chatter.raw("gogui-gfx: CLEAR");
        }
    }
}

/// Moves that a drawing shows.
const SHOWN: usize = 10;

/// The visited moves but the pass, best first.
pub fn on_board(report: &Report) -> impl Iterator<Item = &Candidate> {
    visited(report).filter(|candidate| !candidate.point.is_pass())
}

/// The best moves with their win rates, the most visited most strongly coloured.
pub fn best_moves(report: &Report) -> String {
    let most = visited(report).map(|candidate| candidate.visits).max().unwrap_or(1) as f64;
    let mut text = String::new();
    let mut labels = String::from("LABEL");
    for candidate in on_board(report).take(SHOWN) {
        let share = candidate.visits as f64 / most;
        let _ = writeln!(text, "COLOR {} {}", shade(share), candidate.point);
        let _ = write!(labels, " {} {:.0}%", candidate.point, 100.0 * candidate.winrate);
    }
    if labels.len() > 5 {
        let _ = writeln!(text, "{labels}");
    }
    text + &status(report)
}

/// Green for much, yellow for little.
fn shade(share: f64) -> String {
    let red = (255.0 * (1.0 - share.clamp(0.0, 1.0))) as u8;
    format!("#{red:02x}e000")
}

/// The expected continuation.
pub fn variation(report: &Report) -> String {
    let moves = alternating(report.to_play, report.variation());
    format!("VAR {moves}\n{}", status(report))
}

/// Who owns what, Black positive.
pub fn ownership(report: &Report, size: usize) -> String {
    let mut text = String::from("INFLUENCE");
    for point in from_top_left(size) {
        let _ = write!(text, " {point} {:.2}", report.ownership[point] + 0.0);
    }
    format!("{text}\n{}", status(report))
}

/// The state of the search for the status line.
fn status(report: &Report) -> String {
    let (winrate, score) = for_black(report);
    format!(
        "TEXT Black {:.1}% score {:+.1} visits {} pv {}",
        100.0 * winrate,
        rounded(score, 10.0),
        report.visits,
        vertices(report.variation())
    )
}

/// A cell per point, row by row from the top.
pub fn rows(size: usize, cell: impl Fn(Point) -> String) -> String {
    let row = |row| (1..=size).map(|column| cell(Point::new(column, row))).collect::<Vec<_>>();
    (1..=size).rev().map(|number| row(number).join(" ")).collect::<Vec<_>>().join("\n")
}

/// A value per point as a GoGui `dboard`.
pub fn board_of(size: usize, value: impl Fn(Point) -> f32) -> String {
    format!("\n{}", rows(size, |point| format!("{:.3}", value(point) + 0.0)))
}

/// A text per point as a GoGui `cboard`, `sboard` or `bwboard`; `""` where there is none.
pub fn text_board(size: usize, text: impl Fn(Point) -> Option<String>) -> String {
    format!("\n{}", rows(size, |point| text(point).unwrap_or_else(|| "\"\"".to_owned())))
}

/// The value of each candidate at its point, 0 elsewhere.
pub fn spread(report: &Report, value: impl Fn(&Candidate) -> f64) -> PointMap<f32> {
    let mut map = PointMap::filled(0.0);
    for candidate in &report.candidates {
        map[candidate.point] = value(candidate) as f32;
    }
    map
}

/// A colour from blue over green to red for a share from 0 to 1.
pub fn heat(share: f64) -> String {
    let share = share.clamp(0.0, 1.0);
    let part = |center: f64| (255.0 * (1.0 - 2.0 * (share - center).abs()).clamp(0.0, 1.0)) as u8;
    format!("#{:02x}{:02x}{:02x}", part(1.0), part(0.5), part(0.0))
}

/// Moves as `b A1 w B2` for GoGui's `var`.
pub fn alternating(first: Color, points: &[Point]) -> String {
    let mut color = first;
    let mut parts = Vec::new();
    for point in points {
        parts.push(format!("{} {point}", color.letter().to_ascii_lowercase()));
        color = color.opponent();
    }
    parts.join(" ")
}
