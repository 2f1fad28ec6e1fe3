//! Hand-written knowledge of good moves, for searches without the learned model.
//!
//! Each feature of a move has a strength, and a move's own is their product, as in the patterns of
//! Coulom (Baudis' slides, "Elo Patterns"): a capture beside the last move on the third line counts
//! as all three. Divided by the sum over all moves it is a probability, which the search treats
//! as it treats the model's.

use crate::board::Board;
use crate::params::HandParams;
use crate::playout::MogoPatterns;
use crate::tactics::{self, Candidates, Reader};
use crate::types::{Cell, Color, Point, PointMap};

/// How far common-fate distance is felt.
const NEAR: u8 = 4;
/// Points along the edge that belong to a corner.
const CORNER: usize = 6;

/// The knowledge with its strengths, and room to work in.
pub(super) struct Hand {
    params: HandParams,
    patterns: MogoPatterns,
    reader: Reader,
}

impl Hand {
    pub(super) fn new(params: &HandParams) -> Hand {
        Hand { params: params.clone(), patterns: MogoPatterns::get(), reader: Reader::new() }
    }

    /// Gives each of these moves, and a pass, its probability.
    pub(super) fn weigh(&mut self, board: &Board, moves: &[Point], out: &mut PointMap<f32>) {
        let color = board.to_play();
        let urgency = self.urgency(board, color);
        let last = tactics::common_fate_distance(board, board.last_move(), NEAR);
        let second = tactics::common_fate_distance(board, board.second_last_move(), NEAR);
        let mut total = self.params.pass;
        out[Point::PASS] = self.params.pass as f32;
        for &point in moves {
            let strength = f64::from(urgency[point])
                * self.nearness(last[point], second[point])
                * self.shape(board, color, point, last[point])
                * self.place(board, point);
            out[point] = strength as f32;
            total += strength;
        }
        for &point in moves.iter().chain([&Point::PASS]) {
            out[point] /= total as f32;
        }
    }

    /// How near the move is to the last two.
    fn nearness(&self, last: u8, second: u8) -> f64 {
        let steps = |distance: u8| i32::from(NEAR + 1 - distance.clamp(1, NEAR + 1));
        self.params.near.powi(steps(last)) * self.params.near_second.powi(steps(second))
    }

    /// What the eight points around the move say.
    fn shape(&self, board: &Board, color: Color, point: Point, last: u8) -> f64 {
        let shape = board.shape(point);
        if tactics::is_bad_self_atari(board, color, point) {
            return self.params.self_atari;
        }
        if self.patterns.matches(shape) {
            return if last <= 2 { self.params.pattern_near } else { self.params.pattern };
        }
        let own = shape.count_neighbors(color);
        let other = shape.count_neighbors(color.opponent());
        if other == 0 && own >= 2 { self.params.solid } else { 1.0 }
    }

    /// What the edge says.
    fn place(&self, board: &Board, point: Point) -> f64 {
        let params = &self.params;
        let open = is_open(board, point);
        match (point.line(board.size()), open) {
            (1, false) => params.first_line,
            (1, true) => params.first_line * params.open_low,
            (2, false) => params.second_line,
            (2, true) => params.second_line * params.open_low,
            (3 | 4, true) if is_empty_corner(board, point) => params.corner,
            (3 | 4, true) => params.open_high,
            (_, true) if board.size() > 11 => params.open_centre,
            _ => 1.0,
        }
    }

    /// The strongest tactical reason for each point.
    fn urgency(&mut self, board: &Board, color: Color) -> PointMap<f32> {
        let mut urgency = PointMap::filled(1.0f32);
        let mut raise = |moves: &[Point], strength: f64| {
            for &point in moves {
                urgency[point] = urgency[point].max(strength as f32);
            }
        };
        let params = &self.params;
        for stone in board.points() {
            if board.head(stone) != stone {
                continue;
            }
            let size = f64::from(board.chain_size(stone)).sqrt();
            let mut moves = Candidates::default();
            match (board.liberty_count(stone), board.is_stone(stone, color)) {
                (1, true) => {
                    tactics::saves(board, stone, &mut self.reader, &mut moves);
                    raise(&moves, params.save * size);
                }
                (1, false) => {
                    moves.extend(tactics::capture_point(board, stone));
                    raise(&moves, params.capture * size);
                }
                (2, own) => match (self.reader.capture_by_ladder(board, stone), own) {
                    (Some(_), true) => {
                        tactics::defenses(board, stone, &mut moves);
                        raise(&moves, params.escape * size);
                    }
                    (Some(first), false) => raise(&[first], params.ladder * size),
                    (None, true) => {}
                    (None, false) => raise(&board.two_liberties(stone), params.atari),
                },
                _ => {}
            }
        }
        for &point in board.empty_points() {
            if tactics::vital_point(board, point).is_some_and(|(vital, _)| vital == point) {
                raise(&[point], params.vital);
            }
        }
        let last = board.last_move();
        if !last.is_pass() {
            let mut moves = Candidates::default();
            if board.is_stone(last, color.opponent()) && board.liberty_count(last) == 2 {
                tactics::attacks(board, last, &mut moves);
            }
            for neighbor in last.neighbors() {
                if board.is_stone(neighbor, color) && board.liberty_count(neighbor) == 2 {
                    tactics::defenses(board, neighbor, &mut moves);
                }
            }
            raise(&moves, params.fight);
        }
        urgency
    }
}

/// Is there no stone within two lines of the point?
fn is_open(board: &Board, point: Point) -> bool {
    let size = board.size();
    let range = |n: usize| n.saturating_sub(2).max(1)..=(n + 2).min(size);
    range(point.row()).all(|row| {
        range(point.column()).all(|column| board.cell(Point::new(column, row)) == Cell::Empty)
    })
}

/// Is this a 3-3, 3-4 or 4-4 point of a large board's corner without stones?
fn is_empty_corner(board: &Board, point: Point) -> bool {
    let size = board.size();
    let from_edge = |n: usize| n.min(size + 1 - n);
    let side = |n: usize| if n <= CORNER { 1..=CORNER } else { size + 1 - CORNER..=size };
    size >= 2 * CORNER
        && from_edge(point.column()).max(from_edge(point.row())) <= 4
        && side(point.row()).all(|row| {
            side(point.column()).all(|column| board.cell(Point::new(column, row)) == Cell::Empty)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;

    fn weigh(board: &Board) -> PointMap<f32> {
        let mut points = board.empty_points().to_vec();
        points.retain(|&point| board.is_legal(board.to_play(), point));
        let mut out = PointMap::filled(0.0);
        Hand::new(&Params::for_size(board.size()).hand).weigh(board, &points, &mut out);
        let total: f32 = points.iter().chain([&Point::PASS]).map(|&point| out[point]).sum();
        assert!((total - 1.0).abs() < 1e-4);
        out
    }

    /// White's likeliest move after Black's last at `l` is `a`, and few are less likely than `b`.
    fn check(diagram: &str) {
        let mut diagram = Diagram::parse(diagram).unwrap();
        diagram.board.play_legal(diagram.mark('l'));
        let out = weigh(&diagram.board);
        let points = diagram.board.empty_points();
        let best = points.iter().max_by(|&&a, &&b| out[a].total_cmp(&out[b]));
        assert_eq!(best, Some(&diagram.mark('a')));
        let worse = points.iter().filter(|&&point| out[point] < out[diagram.mark('b')]).count();
        assert!(worse <= points.len() / 4, "{worse} of {}", points.len());
    }

    #[test]
    fn a_chain_is_saved_and_the_open_edge_left_alone() {
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . X . . . . .
             . . X O a . . . .
             . . . l . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . b",
        );
    }

    #[test]
    fn a_capture_is_better_than_a_pattern_and_a_self_atari_is_bad() {
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . X O . . . .
             . . . O X O . . .
             . . . . a . . . .
             . . . l . . . . .
             . . . . . . . X .
             . . . . . . X b .",
        );
    }

    #[test]
    fn a_large_board_is_opened_in_the_corners() {
        let mut board = Board::new(19);
        for corner in [(4, 4), (16, 4), (4, 16), (16, 17)] {
            let out = weigh(&board);
            let best = board.points().max_by(|&a, &b| out[a].total_cmp(&out[b])).unwrap();
            let from_edge = |n: usize| n.min(20 - n);
            assert!((3..=4).contains(&from_edge(best.column())), "{best}");
            assert!((3..=4).contains(&from_edge(best.row())), "{best}");
            board.play_legal(Point::new(corner.0, corner.1));
        }
    }
}
