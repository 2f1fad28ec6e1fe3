//! What may not be played at the root. Superko is looked at there only: the tree below keeps the
//! simple ko of the board.

use super::Request;
use crate::game::Game;
use crate::types::{Move, Point, PointMap};

/// Points that may not be played at the root: superko, and what the request forbids.
pub(super) fn at_root(game: &Game, request: &Request) -> PointMap<bool> {
    let mut banned = PointMap::filled(false);
    let color = game.board().to_play();
    for point in game.board().points().chain([Point::PASS]) {
        let forbidden = request.avoid.contains(&point)
            || !request.allow.is_empty() && !request.allow.contains(&point);
        let is_legal = point.is_pass()
            || game.board().is_legal(color, point) && game.is_legal(Move::new(color, point));
        banned[point] = forbidden || !is_legal;
    }
    banned
}
