//! A review as one page that stands alone: the curve, and the moves that cost most with their board.

use super::judgement::{JudgedMove, Review, Verdict};
use super::sgf::{standing, summary};
use crate::board::Board;
use crate::types::{Color, Point};
use std::fmt::Write;

/// Moves that are listed.
const LISTED: usize = 10;
/// Width of the curve.
const WIDTH: f64 = 800.0;
/// Height of the curve.
const HEIGHT: f64 = 200.0;

/// The page.
pub(super) fn page(review: &Review) -> String {
    let title = format!("{} - {}", escaped(&review.black), escaped(&review.white));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>body{{font:16px sans-serif;max-width:820px;margin:1em auto;padding:0 1em}}svg{{max-width:100%}}</style>\n\
         </head><body><h1>{title}</h1>\n<p>{}</p>\n{}",
        escaped(&summary(review)).replace('\n', "<br>"),
        curve(review)
    );
    let mut worst: Vec<(usize, &JudgedMove)> = review
        .moves
        .iter()
        .enumerate()
        .filter(|(_, judged)| judged.verdict != Verdict::Good)
        .collect();
    worst.sort_by(|(_, a), (_, b)| b.points_lost.total_cmp(&a.points_lost));
    for &(index, judged) in worst.iter().take(LISTED) {
        let after = &review.positions[index + 1];
        let _ = write!(
            out,
            "<h2>{}: {} {}</h2>\n<p>{} {}</p>\n{}",
            index + 1,
            if judged.color == "b" { "Black" } else { "White" },
            judged.vertex,
            escaped(&judged.reason),
            standing(after.winrate, after.lead),
            board(review, index)
        );
    }
    out + "</body></html>\n"
}

/// Black's winning probability over the game.
fn curve(review: &Review) -> String {
    let last = review.moves.len().max(1) as f64;
    let point = |(index, winrate): (usize, f64)| {
        format!("{:.1},{:.1}", index as f64 / last * WIDTH, (1.0 - winrate) * HEIGHT)
    };
    let winrates = review.positions.iter().map(|position| position.winrate).enumerate();
    let line: Vec<String> = winrates.map(point).collect();
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#eee\"/>\
         <path d=\"M0 {half}H{WIDTH}\" stroke=\"#999\"/><polyline points=\"{}\" fill=\"none\" stroke=\"#000\"/></svg>\n",
        line.join(" "),
        half = HEIGHT / 2.0
    )
}

/// The position in which a move was played, the move and what was better.
fn board(review: &Review, index: usize) -> String {
    let size = review.size;
    let mut board = Board::new(size);
    let stones = |list: &[String]| -> Vec<Point> {
        list.iter().filter_map(|vertex| Point::parse_gtp(vertex, size).ok()).collect()
    };
    stones(&review.black_setup).into_iter().for_each(|p| board.put_setup_stone(Color::Black, p));
    stones(&review.white_setup).into_iter().for_each(|p| board.put_setup_stone(Color::White, p));
    for judged in &review.moves[..index] {
        let color = if judged.color == "b" { Color::Black } else { Color::White };
        if let Ok(point) = Point::parse_gtp(&judged.vertex, size) {
            board.play_observed(color, point, &mut ());
        }
    }
    let at = |point: Point| (point.column() * 20, (size + 1 - point.row()) * 20);
    let (side, edge) = ((size + 1) * 20, size * 20);
    let mut out = format!(
        "<svg viewBox=\"0 0 {side} {side}\" width=\"{side}\"><rect width=\"{side}\" height=\"{side}\" fill=\"#e8c070\"/>"
    );
    for line in (1..=size).map(|line| line * 20) {
        let _ = write!(out, "<path d=\"M20 {line}H{edge}M{line} 20V{edge}\" stroke=\"#000\"/>");
    }
    for point in board.points() {
        let Some(color) = board.cell(point).color() else { continue };
        let ((x, y), fill) = (at(point), if color == Color::Black { "#000" } else { "#fff" });
        let _ =
            write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"{fill}\" stroke=\"#000\"/>");
    }
    let judged = &review.moves[index];
    let best = review.positions[index].candidates.iter().find(|c| c.vertex != judged.vertex);
    let marks =
        [(Some(judged.vertex.as_str()), "#c00"), (best.map(|best| best.vertex.as_str()), "#080")];
    for (vertex, fill) in marks {
        let point = vertex.and_then(|vertex| Point::parse_gtp(vertex, size).ok());
        if let Some((x, y)) = point.filter(|point| !point.is_pass()).map(at) {
            let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{fill}\"/>");
        }
    }
    out + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
