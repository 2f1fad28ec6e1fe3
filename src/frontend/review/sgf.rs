//! A review as a game record that editors show.
//!
//! Every node has the winrate (`SBKV`, percent for Black, drawn as a curve by Sabaki) and the lead (`V`, the
//! format's own value of a node). Moves that cost something are annotated (`DO`, `BM`), commented, and what
//! was better follows as a variation. In the position after them the better points have letters and the points
//! that changed hands squares.

use super::judgement::{JudgedCandidate, JudgedMove, JudgedPosition, Review, Verdict};
use crate::frontend::gtp::info::rounded;
use crate::game::sgf::{Action, Record, Setup};
use crate::types::{Color, Point};
use std::fmt::Write;

/// Better moves that are told of a mistake.
const VARIATIONS: usize = 2;
/// A further variation must have this share of the best one's visits.
const WORTH_TELLING: f64 = 0.3;

/// The record of a reviewed game; `record` is what was reviewed.
pub fn to_sgf(review: &Review, record: &Record) -> String {
    let comments = record.steps.iter().filter_map(|step| match step.action {
        Action::Play(_) => Some(step.comment.as_str()),
        Action::Setup { .. } => None,
    });
    let comments: Vec<&str> = comments.collect();
    // A record that begins with setup in the middle has fewer judged moves than moves.
    let skipped = comments.len().saturating_sub(review.moves.len());
    let mut out = root(review, record);
    let mut variations: Vec<String> = Vec::new();
    for (index, judged) in review.moves.iter().enumerate() {
        let [before, after, ..] = &review.positions[index..] else { break };
        let better = better(before, judged);
        if better.is_empty() {
            out.push('\n');
        } else {
            // The main line goes on in brackets, so that the variation can stand beside it.
            out.push_str("\n(");
            let written = better.iter().map(|candidate| variation(candidate, judged, review.size));
            variations.push(written.collect());
        }
        let _ = write!(
            out,
            ";{}[{}]",
            judged.color.to_uppercase(),
            sgf_point(&judged.vertex, review.size)
        );
        values(&mut out, after.winrate, after.lead);
        let own = comments.get(skipped + index).copied().unwrap_or_default();
        annotate(&mut out, judged, after, own, &better, review.size);
    }
    for variation in variations.iter().rev() {
        let _ = write!(out, ")\n{variation}");
    }
    out.push_str(")\n");
    out
}

/// The properties of the game, its start position and the first values.
fn root(review: &Review, record: &Record) -> String {
    let mut head = record.clone();
    head.steps.clear();
    head.setup.clear();
    for (stones, color) in
        [(&review.black_setup, Color::Black), (&review.white_setup, Color::White)]
    {
        let points = stones.iter().filter_map(|vertex| Point::parse_gtp(vertex, review.size).ok());
        head.setup.extend(points.map(|point| Setup { point, stone: Some(color) }));
    }
    let first = review.positions.first();
    head.first_player = first.and_then(|position| Color::parse_gtp(position.to_play));
    let summary = summary(review);
    head.comment =
        if head.comment.is_empty() { summary } else { format!("{summary}\n\n{}", head.comment) };
    let mut text = head.to_sgf();
    text.truncate(text.trim_end().trim_end_matches(')').len());
    if let Some(start) = review.positions.first() {
        values(&mut text, start.winrate, start.lead);
    }
    text
}

/// What there is to know of the whole game.
pub(super) fn summary(review: &Review) -> String {
    let line = |color: &str, name: &str| {
        let of_color = || review.moves.iter().filter(|judged| judged.color == color);
        let count = |verdict| of_color().filter(|judged| judged.verdict == verdict).count();
        let lost: f64 = of_color().map(|judged| judged.points_lost).sum();
        // A sum of nothing is a negative zero.
        let mean = rounded(lost / of_color().count().max(1) as f64, 10.0);
        let told = |verdict, one: &str, many: &str| match count(verdict) {
            0 => format!("no {many}"),
            1 => format!("1 {one}"),
            number => format!("{number} {many}"),
        };
        format!(
            "{name}: {}, {}, {}, {mean:.1} points lost a move",
            told(Verdict::Blunder, "blunder", "blunders"),
            told(Verdict::Mistake, "mistake", "mistakes"),
            told(Verdict::Inaccuracy, "inaccuracy", "inaccuracies"),
        )
    };
    let build = crate::version::BUILD;
    format!(
        "Reviewed by tengen {build}.\n{}\n{}",
        line("b", &review.black),
        line("w", &review.white)
    )
}

/// The moves that were better than a mistake.
fn better<'a>(before: &'a JudgedPosition, judged: &JudgedMove) -> Vec<&'a JudgedCandidate> {
    if matches!(judged.verdict, Verdict::Good) {
        return Vec::new();
    }
    let most = before.candidates.first().map_or(0, |best| best.visits) as f64;
    let others = before.candidates.iter().filter(|candidate| candidate.vertex != judged.vertex);
    let worth = others.filter(|candidate| candidate.visits as f64 >= WORTH_TELLING * most);
    worth.take(VARIATIONS).collect()
}

fn variation(candidate: &JudgedCandidate, judged: &JudgedMove, size: usize) -> String {
    let mut out = String::from("(");
    let colors = match judged.color {
        "b" => ["B", "W"],
        _ => ["W", "B"],
    };
    for (index, vertex) in candidate.variation.iter().enumerate() {
        let _ = write!(out, ";{}[{}]", colors[index % 2], sgf_point(vertex, size));
        if index == 0 {
            values(&mut out, candidate.winrate, candidate.lead);
            let text = format!(
                "{}\n{} visits",
                standing(candidate.winrate, candidate.lead),
                candidate.visits
            );
            let _ = write!(out, "C[{}]", escaped(&text));
        }
    }
    out + ")\n"
}

fn annotate(
    out: &mut String,
    judged: &JudgedMove,
    after: &JudgedPosition,
    own_comment: &str,
    better: &[&JudgedCandidate],
    size: usize,
) {
    let (mark, word) = match judged.verdict {
        Verdict::Good => ("", ""),
        Verdict::Inaccuracy => ("DO[]", "Inaccuracy. "),
        Verdict::Mistake => ("BM[1]", "Mistake. "),
        Verdict::Blunder => ("BM[2]", "Blunder. "),
    };
    out.push_str(mark);
    let mut labelled: Vec<&str> = better.iter().map(|other| other.vertex.as_str()).collect();
    labelled.retain(|&vertex| vertex != "pass");
    let letters = labelled.iter().zip('A'..);
    list(
        out,
        "LB",
        letters.map(|(vertex, letter)| format!("{}:{letter}", sgf_point(vertex, size))),
    );
    let marked = judged.changed_hands.iter().filter(|vertex| !labelled.contains(&vertex.as_str()));
    list(out, "SQ", marked.map(|vertex| sgf_point(vertex, size)));
    let said = standing(after.winrate, after.lead);
    let mut text = match judged.verdict {
        Verdict::Good => said,
        _ => format!("{word}{}\n{said}", judged.reason),
    };
    if !own_comment.is_empty() {
        let _ = write!(text, "\n\n{own_comment}");
    }
    let _ = write!(out, "C[{}]", escaped(&text));
}

/// A property with all its values, if there are any.
fn list(out: &mut String, name: &str, values: impl Iterator<Item = String>) {
    for (index, value) in values.enumerate() {
        let _ = write!(out, "{}[{value}]", if index == 0 { name } else { "" });
    }
}

/// Who is ahead, and how likely it is to stay so.
fn standing(winrate: f64, lead: f64) -> String {
    let ahead = if lead >= 0.0 { "Black" } else { "White" };
    format!("Black wins {:.0} %, {ahead} leads by {:.1}", 100.0 * winrate, lead.abs())
}

fn values(out: &mut String, winrate: f64, lead: f64) {
    let _ = write!(out, "SBKV[{:.1}]V[{lead:.1}]", 100.0 * winrate);
}

fn sgf_point(vertex: &str, size: usize) -> String {
    Point::parse_gtp(vertex, size).map(|point| point.to_sgf(size)).unwrap_or_default()
}

/// Text as it stands in a property.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
