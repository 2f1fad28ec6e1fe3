//! `kata-raw-nn`: what the network says of the position, without any search.
//!
//! LizzieYzy and LizGoban ask it for owners. The fields are KataGo's; those that this network has no
//! number for are left out.

use super::command::{Call, Command, Reply};
use super::session::Session;
use crate::board::Board;
use crate::knowledge::Critic;
use crate::types::{Color, Point};
use std::fmt::Write as _;

/// The table.
pub const COMMANDS: &[Command] = &[Command::new(
    "kata-raw-nn",
    "[SYMMETRY|all]",
    "What the network says without a search: winrate, lead, moves and owners.",
    raw_nn,
)];

fn raw_nn(session: &mut Session, _: &mut Call) -> Reply {
    let (game, params) = (session.engine.game(), session.engine.params());
    let board = game.board();
    let Some(network) = params.tree_network.for_size(board.size()) else {
        return Err("no network judges boards of this size".to_owned());
    };
    let mut critic = Critic::new(network, board.size());
    let Some(judgement) = critic.judge(board) else {
        return Err("no network judges boards of this size".to_owned());
    };
    let black = judgement.black_winrate(game.total_komi());
    let mut text = String::from("symmetry 0\n");
    let _ = writeln!(text, "whiteWin {:.6}\nwhiteLoss {black:.6}\nnoResult 0.000000", 1.0 - black);
    let _ = writeln!(text, "whiteLead {:.3}", -judgement.black_lead(game.total_komi()));
    let legal = |&point: &Point| is_legal(board, point);
    let moves = judgement.probabilities(board.points().filter(legal).chain([Point::PASS]));
    let chance = |point: Point| moves.iter().find(|m| m.0 == point).map_or(f32::NAN, |m| m.1);
    text.push_str("policy\n");
    rows(board, &mut text, chance);
    let _ = writeln!(text, "policyPass {:.6}", chance(Point::PASS));
    text.push_str("whiteOwnership\n");
    rows(board, &mut text, |point| -judgement.black_owner(point));
    text.truncate(text.trim_end().len());
    Ok(text)
}

fn is_legal(board: &Board, point: Point) -> bool {
    let color: Color = board.to_play();
    board.is_empty(point) && board.is_legal(color, point)
}

/// A number for each point, row by row from the top, as KataGo prints it.
fn rows(board: &Board, text: &mut String, number: impl Fn(Point) -> f32) {
    for row in (1..=board.size()).rev() {
        for column in 1..=board.size() {
            let value = number(Point::new(column, row));
            let shown = if value.is_nan() { "NAN".to_owned() } else { format!("{value:.6}") };
            let _ = write!(text, "{shown:>9} ");
        }
        text.push('\n');
    }
}
