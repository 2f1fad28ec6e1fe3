//! How near a move is to the last ones: most moves answer something.
//!
//! Nearness falls with the logarithm of the distance, to nothing at [`FAR`]. How much it counts depends on what
//! the last move did: one that touches own stones asks for an answer, one that stands alone or takes a ko
//! does not.

use super::surroundings::{FAR, TOUCHING, distance, square};
use crate::board::Board;
use crate::params::HandParams;
use crate::tactics::common_fate_distance;
use crate::types::{Point, PointMap};

/// Distance from which on a move is no answer to the last.
pub(super) const AWAY: usize = 7;
/// Common-fate distance from which on a move is not near the last.
const STEPS: usize = 10;
/// How many lines around a stone that stands alone are free of others.
const ALONE: usize = 4;

/// What the last moves of one position ask for.
pub(super) struct Nearness {
    /// The last move, the one before it, and the opponent's before that.
    moves: [Point; 3],
    /// The strength by the distance to each of them.
    tables: [[f32; FAR + 1]; 3],
    /// Common-fate distances to the last move, and the strength by them.
    steps: PointMap<u8>,
    by_steps: [f32; STEPS + 1],
    low: f32,
    size: usize,
}

impl Nearness {
    pub(super) fn new(params: &HandParams, board: &Board) -> Nearness {
        let [last, second, third, _] = board.last_moves();
        let near = params.near * demand(params, board);
        Nearness {
            moves: [last, second, third],
            tables: [near, params.near_second, params.near_third].map(by_distance),
            steps: common_fate_distance(board, last, STEPS as u8),
            by_steps: by_steps(params.near_path),
            low: params.near_low as f32,
            size: board.size(),
        }
    }

    /// The distance to the last move.
    pub(super) fn to_last(&self, point: Point) -> usize {
        distance(point, self.moves[0])
    }

    pub(super) fn strength(&self, point: Point) -> f32 {
        let steps = usize::from(self.steps[point]).min(STEPS);
        let low = match (point.line(self.size), steps) {
            (1 | 2, 3..=5) => self.low,
            _ => 1.0,
        };
        let moves = self.moves.iter().zip(&self.tables);
        let near: f32 = moves.map(|(&other, table)| table[distance(point, other)]).product();
        near * self.by_steps[steps] * low
    }
}

/// How much more than usual the last move asks for an answer.
fn demand(params: &HandParams, board: &Board) -> f64 {
    let last = board.last_move();
    if last.is_pass() {
        return 1.0;
    }
    let neighbors = last.neighbors().into_iter();
    let touched = neighbors.filter(|&point| board.is_stone(point, board.to_play()));
    let kind = match touched.map(|stone| board.liberty_count(stone)).min() {
        _ if !board.ko().is_pass() => params.near_ko,
        Some(1) => 1.0, // What it asks for is known: see `Hand::urgency`.
        Some(2) => params.near_two,
        Some(3) => params.near_three,
        Some(_) => params.near_touch,
        None if is_alone(board, last) => params.near_alone,
        None => 1.0,
    };
    let is_new = distance(last, board.second_last_move()) > AWAY;
    if is_new { kind * params.near_new } else { kind }
}

/// Is there no other stone within [`ALONE`] lines?
fn is_alone(board: &Board, stone: Point) -> bool {
    square(board, stone, ALONE).all(|point| point == stone || board.is_empty(point))
}

/// Strength by distance: full for points that touch, falling with its logarithm to 1.
fn by_distance(strength: f64) -> [f32; FAR + 1] {
    std::array::from_fn(|distance| falling(strength, distance.max(TOUCHING), TOUCHING, FAR))
}

/// The same by common-fate distance.
fn by_steps(strength: f64) -> [f32; STEPS + 1] {
    std::array::from_fn(|steps| falling(strength, steps.max(1), 1, STEPS))
}

fn falling(strength: f64, at: usize, first: usize, last: usize) -> f32 {
    let share = |from: usize| (last as f64 / from as f64).ln();
    strength.powf(share(at) / share(first)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;

    /// The strength at `n`, near the last move at `l`, against that at `f`, far from it. White is to move.
    fn odds(diagram: &str) -> f32 {
        let mut diagram = Diagram::parse(diagram).unwrap();
        diagram.board.play_legal(diagram.mark('l'));
        let nearness = Nearness::new(&Params::for_size(19).hand, &diagram.board);
        nearness.strength(diagram.mark('n')) / nearness.strength(diagram.mark('f'))
    }

    #[test]
    fn strength_falls_with_distance_and_by_what_the_last_move_did() {
        let touching = odds(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . O . . . . .
             . . . l n . . . .
             . . . . . . . . .
             . . . . . . . f .
             . . . . . . . . .
             . . . . . . . . .",
        );
        let alone = odds(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . l n . . . .
             . . . . . . . . .
             . . . . . . . f .
             . . . . . . . . .
             . . . . . . . . .",
        );
        let ko = odds(
            ". . . . . . . . .
             . . . . . . . . .
             . . . O X . . . .
             . . O X l X . . .
             . . . O X . . . .
             . . . . n . . . .
             . . . . . . . . .
             . . . . . . . f .
             . . . . . . . . .",
        );
        assert!(touching > 4.0 && alone > 1.0, "{touching} {alone}");
        assert!(touching > 2.0 * alone && touching > 2.0 * ko, "{touching} {alone} {ko}");
    }

    #[test]
    fn the_moves_before_the_last_count_too() {
        let mut board = Board::new(19);
        let places = [(4, 4), (16, 16), (16, 4)];
        places.iter().for_each(|&(column, row)| board.play_legal(Point::new(column, row)));
        let nearness = Nearness::new(&Params::for_size(19).hand, &board);
        let at = |column, row| nearness.strength(Point::new(column, row));
        assert!(at(17, 17) > at(10, 10) && at(5, 5) > at(10, 10));
        assert_eq!(nearness.to_last(Point::new(16, 5)), TOUCHING);
    }
}
