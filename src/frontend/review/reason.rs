//! Why a move was bad, in a sentence for people.

use super::verdict::Loss;
use crate::board::Board;
use crate::search::Report;
use crate::types::{Move, Point, points};

/// How much an owner must change to be told, on the scale from -1 to 1.
const CHANGED: f32 = 0.5;
/// Stones of a chain from which on it is named.
const NAMED_CHAIN: usize = 2;

/// The points whose owner is another one after a move than before it.
pub(super) fn changed_hands(before: &Report, after: &Report, size: usize) -> Vec<Point> {
    let change =
        |&point: &Point| (before.ownership[point] - after.ownership[point]).abs() > CHANGED;
    points(size).filter(change).collect()
}

/// What was better, what the move cost, and what changed hands.
pub(super) fn reason(
    board: &Board,
    before: &Report,
    play: Move,
    loss: Loss,
    changed: &[Point],
) -> String {
    let better = before.candidates.iter().find(|candidate| candidate.point != play.point);
    let Some(better) = better else { return String::new() };
    let place = match better.point {
        Point::PASS => "a pass".to_owned(),
        point => point.to_string(),
    };
    let mut text = format!("{} was better: ", capital(&place));
    let points = (loss.points >= 0.05).then(|| format!("{:.1} points", loss.points));
    let chances =
        (loss.winrate >= 0.01).then(|| format!("{:.0} % of winrate", 100.0 * loss.winrate));
    let cost: Vec<String> = points.into_iter().chain(chances).collect();
    text += &format!("this cost {}.", cost.join(" and "));
    if !changed.is_empty() {
        text += &format!(" {}", fates(board, play, changed));
    }
    text
}

/// The stones and the area that changed hands.
fn fates(board: &Board, play: Move, changed: &[Point]) -> String {
    let mut chains: Vec<(Point, usize)> = Vec::new();
    for &point in changed.iter().filter(|&&point| !board.is_empty(point)) {
        let head = board.head(point);
        match chains.iter_mut().find(|(stone, _)| board.head(*stone) == head) {
            Some((_, stones)) => *stones += 1,
            None => chains.push((point, 1)),
        }
    }
    chains.sort_by_key(|&(_, stones)| std::cmp::Reverse(stones));
    let named = |own: bool| {
        let is_own = |stone: Point| board.is_stone(stone, play.color) == own;
        chains.iter().find(|&&(stone, stones)| stones >= NAMED_CHAIN && is_own(stone))
    };
    let points = if changed.len() == 1 { "point" } else { "points" };
    let points = format!("{} {points} {}", changed.len(), region(board.size(), changed));
    match (named(true), named(false)) {
        (Some((stone, stones)), _) => {
            format!("The {stones} {} stones at {stone} got weak ({points}).", play.color)
        }
        (None, Some((stone, stones))) => {
            let color = play.color.opponent();
            format!("The {stones} {color} stones at {stone} got away ({points}).")
        }
        (None, None) => format!("{} changed hands.", capital(&points)),
    }
}

/// The part of the board where most of some points lie.
fn region(size: usize, changed: &[Point]) -> &'static str {
    const NAMES: [[&str; 3]; 3] = [
        ["in the lower left", "on the lower side", "in the lower right"],
        ["on the left side", "in the centre", "on the right side"],
        ["in the upper left", "on the upper side", "in the upper right"],
    ];
    let mut counts = [[0; 3]; 3];
    let third = |line: usize| (3 * (line - 1) / size).min(2);
    for point in changed {
        counts[third(point.row())][third(point.column())] += 1;
    }
    let places = (0..3).flat_map(|row| (0..3).map(move |column| (row, column)));
    let most = places.max_by_key(|&(row, column)| counts[row][column]);
    most.map_or("", |(row, column)| NAMES[row][column])
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;

    #[test]
    fn regions_have_names() {
        assert_eq!(region(9, &[Point::new(1, 1), Point::new(2, 2)]), "in the lower left");
        assert_eq!(region(9, &[Point::new(5, 5)]), "in the centre");
        assert_eq!(
            region(19, &[Point::new(19, 19), Point::new(10, 10), Point::new(18, 18)]),
            "in the upper right"
        );
        assert_eq!(region(2, &[Point::new(2, 1)]), "on the lower side");
    }

    #[test]
    fn the_stones_that_were_lost_are_named() {
        let mut board = Board::new(9);
        board.put_setup_stone(Color::Black, Point::new(3, 3));
        board.put_setup_stone(Color::Black, Point::new(3, 4));
        board.put_setup_stone(Color::White, Point::new(7, 7));
        let changed = [Point::new(3, 3), Point::new(3, 4), Point::new(2, 3)];
        let play = |color| Move::new(color, Point::new(9, 9));
        assert_eq!(
            fates(&board, play(Color::Black), &changed),
            "The 2 black stones at C3 got weak (3 points in the lower left)."
        );
        assert_eq!(
            fates(&board, play(Color::White), &changed),
            "The 2 black stones at C3 got away (3 points in the lower left)."
        );
        let changed = [Point::new(7, 7)];
        assert_eq!(
            fates(&board, play(Color::White), &changed),
            "1 point in the upper right changed hands."
        );
    }
}
