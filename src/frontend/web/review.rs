//! The review of a game on the page.

use super::http::Refusal;
use super::think::judged;
use crate::engine::Engine;
use crate::frontend::review::{JudgedMove, JudgedPosition, Review, Verdict};
use crate::game::sgf::Record;
use crate::game::{Game, Rules};
use crate::params::Overrides;
use crate::search::{Interrupt, Limit, Request};
use crate::types::{Color, Move};
use std::time::Duration;

/// Candidates of a position.
const SHOWN: usize = 5;
/// Visits of a position.
const VISITS: u64 = 600;
/// No position takes longer.
const LONGEST: Duration = Duration::from_millis(600);

/// Judges every move of a game: each position is searched, and a move costs what the position loses by it for its
/// player.
pub fn review_game(
    record: &Record,
    rules: Rules,
    overrides: &Overrides,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, Refusal> {
    let impossible = |error: crate::game::ReplayError| Refusal::new(409, error.to_string());
    let whole = Game::from_record(record, rules, None).map_err(impossible)?;
    let plays = whole.moves().to_vec();
    let mut engine = Engine::new(overrides.clone());
    engine.set_game(Game::from_record(record, rules, Some(1)).map_err(impossible)?);
    let mut positions = Vec::new();
    for turn in 0..=plays.len() {
        let to_play = plays.get(turn).map_or(engine.game().board().to_play(), |play| play.color);
        let limit = Limit { visits: Some(VISITS), maximum: Some(LONGEST), ..Limit::default() };
        let request = Request { limit, ..Request::default() };
        let report = engine.analyze(to_play, &request, interrupt, &mut |_| ());
        if interrupt.is_raised() {
            return Err(Refusal::new(503, "the review was ended"));
        }
        positions.push(judged(&report, record.size, SHOWN));
        progress(turn + 1, plays.len() + 1);
        if let Some(&play) = plays.get(turn) {
            engine.play(play).map_err(|error| Refusal::new(409, error.to_string()))?;
        }
    }
    let moves = plays.iter().zip(positions.windows(2));
    let moves = moves.map(|(play, around)| judge_move(*play, &around[0], &around[1], record.size));
    let stones = |color: Color| {
        let of_color = whole.start().points().filter(|&p| whole.start().is_stone(p, color));
        of_color.map(|point| point.to_string()).collect()
    };
    let name = |name: &Option<String>, other: &str| name.clone().unwrap_or(other.to_owned());
    Ok(Review {
        size: record.size,
        komi: whole.total_komi(),
        rules: rules.name().to_owned(),
        black: name(&record.black_name, "Black"),
        white: name(&record.white_name, "White"),
        result: record.result.clone().unwrap_or_default(),
        black_setup: stones(Color::Black),
        white_setup: stones(Color::White),
        moves: moves.collect(),
        positions,
    })
}

fn judge_move(
    play: Move,
    before: &JudgedPosition,
    after: &JudgedPosition,
    size: usize,
) -> JudgedMove {
    let sign = f64::from(play.color.sign());
    let vertex = play.point.to_string();
    let best = before.candidates.first();
    let was_best = best.is_none_or(|best| best.vertex == vertex);
    let loss = |before: f64, after: f64| ((before - after) * sign).max(0.0);
    let (mut points_lost, mut winrate_lost) =
        (loss(before.lead, after.lead), loss(before.winrate, after.winrate));
    if was_best {
        (points_lost, winrate_lost) = (0.0, 0.0);
    }
    let verdict = match (points_lost, winrate_lost) {
        (points, share) if points >= 8.0 && share >= 0.05 || share >= 0.3 => Verdict::Blunder,
        (points, share) if points >= 4.0 && share >= 0.03 || share >= 0.15 => Verdict::Mistake,
        (points, share) if points >= 2.0 && share >= 0.02 || share >= 0.07 => Verdict::Inaccuracy,
        _ => Verdict::Good,
    };
    let points = crate::frontend::gtp::info::from_top_left(size);
    let changed = points.zip(before.owners.iter().zip(&after.owners));
    let changed = changed.filter(|(_, (before, after))| f64::from(**before - **after) * sign > 0.5);
    let changed_hands: Vec<String> = changed.map(|(point, _)| point.to_string()).collect();
    let reason = match best {
        Some(best) if verdict != Verdict::Good => {
            let area = match changed_hands.len() {
                0 => String::new(),
                1 => format!(" The point {} changed hands.", changed_hands[0]),
                count => format!(" {count} points changed hands."),
            };
            format!(
                "{} was better: this cost about {points_lost:.1} points and {:.0} % of winning chances.{area}",
                best.vertex,
                100.0 * winrate_lost,
            )
        }
        _ => String::new(),
    };
    let color = if play.color == Color::Black { "b" } else { "w" };
    JudgedMove { color, vertex, points_lost, winrate_lost, verdict, reason, changed_hands }
}
