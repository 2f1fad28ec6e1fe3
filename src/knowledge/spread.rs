//! What spreads from the stones over the board: influence, and steps to the nearest stones.
//!
//! Both are passed on from every point to its neighbours in rounds over all rows at once, border
//! cells included, as small integers: the compiler turns that into vector code.

use crate::board::Board;
use crate::types::{CELLS, Color, STRIDE};

/// Steps to the nearest stones are counted up to here.
pub const MAX_NEAREST: u8 = 6;
/// Influence of a strong stone on its own point.
const STONE_INFLUENCE: i16 = 1024;
/// How often influence is passed on to the neighbours.
const INFLUENCE_ROUNDS: usize = 5;

/// The neighbours of all cells from the first to the last row, as four slices beside the cells.
#[inline(always)]
fn with_neighbors<T>(cells: &[T; CELLS], size: usize) -> (&[T], [&[T]; 4]) {
    let (first, last) = (STRIDE, (size + 1) * STRIDE);
    let beside = |low: usize, high: usize| &cells[low..high];
    let neighbors = [
        beside(first - 1, last - 1),
        beside(first + 1, last + 1),
        beside(first - STRIDE, last - STRIDE),
        beside(first + STRIDE, last + STRIDE),
    ];
    (beside(first, last), neighbors)
}

/// Influence, positive for a colour: strong at its stones, weaker at weak ones, and what four
/// neighbours pass on.
pub fn influence(board: &Board, color: Color) -> [i16; CELLS] {
    let mut base = [0i16; CELLS];
    let mut inside = [0i16; CELLS];
    for point in board.points() {
        inside[point.index()] = -1;
        if let Some(owner) = board.cell(point).color() {
            let strength = match board.liberty_count(point) {
                1 => STONE_INFLUENCE / 8,
                2 => STONE_INFLUENCE / 2,
                _ => STONE_INFLUENCE,
            };
            base[point.index()] = if owner == color { strength } else { -strength };
        }
    }
    let mut influence = base;
    let mut next = [0i16; CELLS];
    for _ in 0..INFLUENCE_ROUNDS {
        let (cells, [west, east, south, north]) = with_neighbors(&influence, board.size());
        for (i, next) in next[STRIDE..][..cells.len()].iter_mut().enumerate() {
            let sum = west[i] + east[i] + south[i] + north[i];
            *next = (base[STRIDE + i] + (sum >> 3) + (sum >> 4)) & inside[STRIDE + i];
        }
        std::mem::swap(&mut influence, &mut next);
    }
    influence
}

/// Steps over empty points to the nearest stone of a colour, at most [`MAX_NEAREST`].
pub fn steps(board: &Board, color: Color) -> [u8; CELLS] {
    // What the steps of a point cannot fall below: the way leads over empty points only.
    let mut least = [MAX_NEAREST; CELLS];
    let mut steps = [MAX_NEAREST; CELLS];
    for point in board.points() {
        match board.cell(point).color() {
            None => least[point.index()] = 0,
            Some(owner) if owner == color => {
                (least[point.index()], steps[point.index()]) = (0, 0);
            }
            Some(_) => {}
        }
    }
    let mut next = steps;
    for _ in 1..MAX_NEAREST {
        let (cells, [west, east, south, north]) = with_neighbors(&steps, board.size());
        for (i, next) in next[STRIDE..][..cells.len()].iter_mut().enumerate() {
            let beside = west[i].min(east[i]).min(south[i]).min(north[i]);
            *next = cells[i].min(beside + 1).max(least[STRIDE + i]);
        }
        std::mem::swap(&mut steps, &mut next);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::types::Point;

    fn board() -> Board {
        Diagram::parse(
            "X O . . . . .
             . O . . . . .
             O O . . . . .
             . . . . . . .
             . . . X X . .
             . . . . . . .
             . . . . . . .",
        )
        .unwrap()
        .board
    }

    #[test]
    fn steps_lead_over_empty_points() {
        let (black, white) = (steps(&board(), Color::Black), steps(&board(), Color::White));
        let at = |map: &[u8; CELLS], column, row| map[Point::new(column, row).index()];
        assert_eq!([at(&black, 1, 6), at(&white, 1, 6)], [1, 1]);
        assert_eq!([at(&black, 4, 4), at(&black, 7, 3), at(&black, 7, 7)], [1, 2, 6]);
        assert_eq!([at(&white, 3, 7), at(&white, 4, 4), at(&white, 7, 1)], [1, 3, 6]);
    }

    #[test]
    fn influence_is_that_of_the_nearer_stones() {
        let influence = influence(&board(), Color::White);
        assert!(influence[Point::new(3, 6).index()] > 200);
        assert!(influence[Point::new(6, 3).index()] < -100);
    }
}
