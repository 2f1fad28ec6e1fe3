//! `kata-raw-nn`: what the network says of the position, without any search.
//!
//! LizzieYzy and LizGoban ask it for owners. The fields are KataGo's; those that this network has no
//! number for are left out.

use super::command::{Call, Command, Reply};
use super::graphics::rows;
use super::session::Session;
use crate::board::Board;
use crate::knowledge::Critic;
use crate::types::Point;

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
    let network = params.tree_network.for_size(board.size());
    let mut critic = network.map(|network| Critic::new(network, board.size()));
    let judgement = critic.as_mut().and_then(|critic| critic.judge(board));
    let judgement = judgement.ok_or_else(|| "no network judges boards of this size".to_owned())?;
    let black = judgement.black_winrate(game.total_komi());
    let legal = |&point: &Point| is_legal(board, point);
    let moves = judgement.probabilities(board.points().filter(legal).chain([Point::PASS]));
    let chance = |point: Point| moves.iter().find(|m| m.0 == point).map_or(f32::NAN, |m| m.1);
    let policy = rows(board.size(), |point| number(chance(point)));
    let owners = rows(board.size(), |point| number(-judgement.black_owner(point)));
    let (white, lead) = (1.0 - black, -judgement.black_lead(game.total_komi()));
    let pass = chance(Point::PASS);
    Ok(format!(
        "symmetry 0\nwhiteWin {white:.6}\nwhiteLoss {black:.6}\nnoResult 0.000000\nwhiteLead {lead:.3}\n\
         policy\n{policy}\npolicyPass {pass:.6}\nwhiteOwnership\n{owners}"
    ))
}

fn is_legal(board: &Board, point: Point) -> bool {
    board.is_empty(point) && board.is_legal(board.to_play(), point)
}

/// A number for each point as KataGo prints it.
fn number(value: f32) -> String {
    let shown = if value.is_nan() { "NAN".to_owned() } else { format!("{value:.6}") };
    format!("{shown:>9}")
}
