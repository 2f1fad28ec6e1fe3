//! What the edge, the corners and the sides say of a move.

use super::joseki;
use super::surroundings::{fullness, nearest_stone};
use crate::board::Board;
use crate::params::HandParams;
use crate::types::{Cell, Point, PointMap};

/// Points along the edge that belong to a corner.
const CORNER: usize = 7;
/// The lines in which stones on a side are seen.
const BAND: usize = 6;
/// How far along a side they are seen.
const SIGHT: usize = 5;

/// Places of one position.
pub(super) struct Places<'a> {
    params: &'a HandParams,
    board: &'a Board,
    fullness: f64,
    joseki: PointMap<f64>,
}

impl<'a> Places<'a> {
    pub(super) fn new(params: &'a HandParams, board: &'a Board) -> Places<'a> {
        let mut joseki = PointMap::filled(1.0);
        joseki::suggest(board, |point, first, answers| {
            let strength = if first { params.joseki } else { params.joseki_other };
            let strength = if answers { strength * params.joseki_reply } else { strength };
            if first || joseki[point] == 1.0 {
                joseki[point] = strength;
            }
        });
        Places { params, board, fullness: fullness(board), joseki }
    }

    pub(super) fn strength(&self, point: Point) -> f64 {
        let params = self.params;
        let nearest = nearest_stone(self.board, point);
        let line = match (point.line(self.board.size()), nearest > 1) {
            (1, false) => {
                self.beside(point) * params.first_line * params.first_line_late.powf(self.fullness)
            }
            (1, true) => params.first_line_open,
            (2, true) => params.second_line_open,
            (3, false) => params.third_line,
            (3, true) => params.third_line_open,
            (4, true) => params.fourth_line_open,
            (5.., true) if nearest > 2 => params.centre_open,
            _ => 1.0,
        };
        let side = if nearest > 1 { self.side(point) } else { 1.0 };
        line * side * self.joseki[point] * self.corner(point)
    }

    /// How a move on the first line hangs together with the stones around it.
    fn beside(&self, point: Point) -> f64 {
        let mut touched = point.neighbors().into_iter().filter_map(|p| self.board.cell(p).color());
        match (touched.next(), touched.next()) {
            (None, _) => self.params.first_line_loose,
            (Some(color), None) if color == self.board.to_play() => self.params.descent,
            _ => 1.0,
        }
    }

    /// Opening moves in the corners of large boards.
    fn corner(&self, point: Point) -> f64 {
        let (params, board) = (self.params, self.board);
        let size = board.size();
        let from_edge = |n: usize| n.min(size + 1 - n);
        let (column, row) = (from_edge(point.column()), from_edge(point.row()));
        let (low, high) = (column.min(row), column.max(row));
        if size < 13 || low < 3 || high > 4 {
            return 1.0;
        }
        let side = |n: usize| if n <= CORNER { 1..=CORNER } else { size + 1 - CORNER..=size };
        let is_free = side(point.row())
            .all(|row| side(point.column()).all(|column| board.is_empty(Point::new(column, row))));
        match (is_free, low) {
            (true, 4) => params.corner_star,
            (true, _) => params.corner,
            (false, _) => 1.0,
        }
    }

    /// What stands to the left and right of a move on the third or fourth line.
    fn side(&self, point: Point) -> f64 {
        let (params, board) = (self.params, self.board);
        let size = board.size();
        if size < 13 || !(3..=4).contains(&point.line(size)) {
            return 1.0;
        }
        let line = point.line(size);
        let (column, row) = (point.column(), point.row());
        // Seen from the nearest edge: the place along it, and how a place and a line make a point.
        let upright = column == line || size + 1 - column == line;
        let at = |along: usize, line: usize| match upright {
            true if column <= size / 2 => Point::new(line, along),
            true => Point::new(size + 1 - line, along),
            false if row <= size / 2 => Point::new(along, line),
            false => Point::new(along, size + 1 - line),
        };
        let along = if upright { row } else { column };
        let own = Cell::from(board.to_play());
        let look = |step: isize| {
            for distance in 2..=SIGHT {
                let place = along.wrapping_add_signed(step * distance as isize);
                if place < 1 || place > size {
                    return 1.0;
                }
                let stone = (1..=BAND).map(|line| board.cell(at(place, line)));
                let stone = stone.into_iter().find(|cell| cell.color().is_some());
                return match (stone, distance) {
                    (None, _) => continue,
                    (Some(stone), 2 | 3) if stone == own => params.side_own_near,
                    (Some(stone), _) if stone == own => params.side_own,
                    _ => 1.0,
                };
            }
            1.0
        };
        look(-1) * look(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::types::Color;

    fn strength(stones: &[(Color, usize, usize)], column: usize, row: usize) -> f64 {
        let params = Params::for_size(19).hand;
        let mut board = Board::new(19);
        for &(color, column, row) in stones {
            board.put_setup_stone(color, Point::new(column, row));
        }
        board.set_to_play(Color::Black);
        Places::new(&params, &board).strength(Point::new(column, row))
    }

    #[test]
    fn free_corners_are_large_and_taken_ones_follow_joseki() {
        let params = Params::for_size(19).hand;
        assert_eq!(strength(&[], 4, 16), params.fourth_line_open * params.corner_star);
        assert_eq!(strength(&[], 16, 3), params.third_line_open * params.corner);
        let stone = [(Color::White, 4, 4)];
        assert_eq!(strength(&stone, 6, 3), params.third_line_open * params.joseki);
        assert_eq!(strength(&stone, 3, 3), params.third_line * params.joseki_other);
    }

    #[test]
    fn the_first_line_hangs_together_with_the_stones_above() {
        let params = Params::for_size(19).hand;
        let late = |stones: f64| params.first_line * params.first_line_late.powf(stones / 361.0);
        let same = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
        let above = [(Color::Black, 10, 2)];
        same(strength(&above, 10, 1), params.descent * late(1.0));
        same(strength(&above, 9, 1), params.first_line_loose * late(1.0));
        let beside = [(Color::Black, 10, 2), (Color::White, 9, 1)];
        same(strength(&beside, 10, 1), late(2.0));
    }

    #[test]
    fn a_side_is_seen_in_both_directions_from_every_edge() {
        let params = Params::for_size(19).hand;
        let expected = params.third_line_open * params.side_own * params.side_own_near;
        for edge in 0..4 {
            let turn = |along: usize, line: usize| match edge {
                0 => (along, line),
                1 => (along, 20 - line),
                2 => (line, along),
                _ => (20 - line, along),
            };
            let stone = |color, along, line| {
                let (column, row) = turn(along, line);
                (color, column, row)
            };
            let stones = [stone(Color::Black, 6, 3), stone(Color::Black, 13, 4)];
            let (column, row) = turn(10, 3);
            assert!((strength(&stones, column, row) / expected - 1.0).abs() < 1e-9);
        }
    }
}
