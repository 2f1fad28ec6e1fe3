//! What playouts say of a move: whose its point is at their end, and whose stones near it live
//! (Coulom's "Monte Carlo owner").

use super::surroundings::within;
use crate::board::Board;
use crate::params::HandParams;
use crate::types::{Point, PointMap};

/// Mean owner from which on a point begins to count as own.
const OWNED: f32 = 0.2;
/// The same for the opponent's.
const LOST: f32 = 0.4;
/// How many lines away doubt about a stone is felt.
const FELT: usize = 2;

/// What is known of one position.
pub(super) struct Fates<'a> {
    params: &'a HandParams,
    /// +1 if Black is to move, -1 if White.
    side: f32,
    owner: &'a PointMap<f32>,
    own_doubt: PointMap<f32>,
    enemy_doubt: PointMap<f32>,
}

impl<'a> Fates<'a> {
    pub(super) fn new(
        params: &'a HandParams,
        board: &Board,
        owner: &'a PointMap<f32>,
    ) -> Fates<'a> {
        let [own_doubt, enemy_doubt] = unsettled(board, owner);
        Fates { params, side: board.to_play().sign() as f32, owner, own_doubt, enemy_doubt }
    }

    /// Points that one side has for sure need no move, unless it answers one that is not `away`; those near stones
    /// whose fate is open do.
    pub(super) fn strength(&self, point: Point, away: bool) -> f32 {
        let params = self.params;
        let owner = self.side * self.owner[point];
        let settled = if owner < -LOST {
            (params.lost as f32).powf((-owner - LOST) / (1.0 - LOST))
        } else if owner > OWNED {
            let strength = if away { params.owned } else { params.owned_near };
            (strength as f32).powf((owner - OWNED) / (1.0 - OWNED))
        } else {
            1.0
        };
        settled
            * (params.rally as f32).powf(self.own_doubt[point])
            * (params.attack as f32).powf(self.enemy_doubt[point])
    }
}

/// How far from sure the fate of stones within two points is, from 0 to 1: own ones of the player to move, and
/// the opponent's.
fn unsettled(board: &Board, owner: &PointMap<f32>) -> [PointMap<f32>; 2] {
    let mut maps = [PointMap::filled(0.0f32); 2];
    for stone in board.points() {
        let Some(color) = board.cell(stone).color() else { continue };
        let map = &mut maps[usize::from(color != board.to_play())];
        for (point, _) in within(board, stone, FELT) {
            map[point] = map[point].max(1.0 - owner[stone].abs());
        }
    }
    maps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_whose_fate_is_open_are_felt_within_two_points() {
        let mut board = Board::new(9);
        board.play_legal(Point::new(3, 3));
        board.play_legal(Point::new(7, 7));
        let mut owner = PointMap::filled(0.0);
        owner[Point::new(3, 3)] = 0.25;
        owner[Point::new(7, 7)] = -1.0;
        let [own, enemy] = unsettled(&board, &owner);
        assert_eq!((own[Point::new(4, 4)], own[Point::new(3, 5)]), (0.75, 0.75));
        assert_eq!((own[Point::new(4, 5)], own[Point::new(7, 6)]), (0.0, 0.0));
        assert_eq!(enemy[Point::new(7, 6)], 0.0, "surely White's");
    }
}
