//! Light playouts: uniform over the legal moves that do not fill a one-point eye.

use super::Policy;
use crate::board::Board;
use crate::types::{Point, Rng};

/// The uniform policy.
#[derive(Clone, Copy, Default, Debug)]
pub struct Light;

impl Policy for Light {
    #[inline]
    fn begin(&mut self, _board: &Board) {}

    #[inline]
    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        let point = uniform_move(board, rng, |_, _| true);
        board.play_legal(point);
        point
    }
}

/// A uniform choice among the legal moves that do not fill a one-point eye and that pass the
/// filter; PASS if there is none. Draws without replacement: a refused point is swapped behind
/// the points still to draw from, so every acceptable move is equally likely, however many
/// refused ones there are.
#[inline]
pub(crate) fn uniform_move(
    board: &mut Board,
    rng: &mut Rng,
    accept: impl Fn(&Board, Point) -> bool,
) -> Point {
    let color = board.to_play();
    let mut left = board.empty_points().len();
    while left > 0 {
        let index = rng.below(left as u32) as usize;
        let point = board.empty_points()[index];
        if !board.is_eye(color, point) && board.is_legal(color, point) && accept(board, point) {
            return point;
        }
        left -= 1;
        board.swap_empty(index, left);
    }
    Point::PASS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{Limits, play_out};
    use crate::types::Color;

    /// Plays `games` playouts from the empty board: mean length, and Black's wins at komi 6.5.
    fn statistics(size: usize, games: usize, seed: u64) -> (f64, f64, f64) {
        let empty = Board::new(size);
        let mut board = empty.clone();
        let mut rng = Rng::new(seed);
        let (mut wins, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for _ in 0..games {
            board.copy_from(&empty);
            let outcome =
                play_out(&mut Light, &mut board, &mut rng, Limits::for_size(size), |_, _| ());
            wins += f64::from(outcome.score > 6);
            sum += outcome.moves as f64;
            squares += (outcome.moves * outcome.moves) as f64;
        }
        let games = games as f64;
        let mean = sum / games;
        (mean, ((squares / games - mean * mean) / games).sqrt(), wins / games)
    }

    #[test]
    fn statistics_on_9x9_are_those_of_uniform_playouts() {
        let (mean, error, wins) = statistics(9, 40_000, 5);
        assert!((mean - 110.9).abs() < 5.0 * error + 0.1, "{mean} moves");
        assert!((wins - 0.444).abs() < 5.0 * (0.25f64 / 40_000.0).sqrt() + 0.001, "{wins}");
    }

    #[test]
    fn statistics_on_19x19_are_those_of_uniform_playouts() {
        let (mean, error, wins) = statistics(19, 6_000, 6);
        assert!((mean - 454.6).abs() < 5.0 * error + 0.1, "{mean} moves");
        assert!((wins - 0.47).abs() < 5.0 * (0.25f64 / 6_000.0).sqrt() + 0.005, "{wins}");
    }

    #[test]
    fn the_choice_is_uniform() {
        // A 3x3 board with one black stone in the centre: eight legal moves for White.
        let mut start = Board::new(3);
        start.play_legal(Point::new(2, 2));
        let mut counts = std::collections::BTreeMap::new();
        let mut rng = Rng::new(3);
        for _ in 0..80_000 {
            let mut board = start.clone();
            *counts.entry(uniform_move(&mut board, &mut rng, |_, _| true)).or_insert(0i32) += 1;
        }
        assert_eq!(counts.len(), 8);
        assert!(counts.values().all(|n| (n - 10_000).abs() < 5 * 94), "{counts:?}");
    }

    #[test]
    fn the_score_of_a_finished_playout_is_its_area() {
        let mut rng = Rng::new(9);
        for game in 0..500 {
            let size = 5 + game % 9;
            let mut board = Board::new(size);
            let outcome =
                play_out(&mut Light, &mut board, &mut rng, Limits::for_size(size), |_, _| ());
            if outcome.moves < Limits::for_size(size).max_moves {
                assert_eq!(outcome.score, board.area_score(), "{board}");
            }
            assert_eq!(board.check(), Ok(()));
        }
    }

    #[test]
    fn limits_end_a_playout() {
        let mut rng = Rng::new(2);
        let mut board = Board::new(19);
        let limits = Limits { max_moves: 50, mercy: usize::MAX };
        let mut seen = Vec::new();
        let outcome = play_out(&mut Light, &mut board, &mut rng, limits, |c, p| seen.push((c, p)));
        assert_eq!((outcome.moves, seen.len(), seen[0].0), (50, 50, Color::Black));
        let limits = Limits { max_moves: 10_000, mercy: 20 };
        let mut board = Board::new(19);
        play_out(&mut Light, &mut board, &mut rng, limits, |_, _| ());
        let stones = |c| board.stone_count(c) as i32;
        assert!((stones(Color::Black) - stones(Color::White)).abs() > 20);
    }
}
