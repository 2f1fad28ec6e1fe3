//! Depth-i enumeration: minimax over mean scores of playouts (Lew 3.3.1, Hsu).
//!
//! Depth 2 is Bouzy's first experiment: every reply to every move gets its share of the playouts, as Hsu has it, where
//! Bouzy pruned replies progressively. The minimum of noisy means is too low, the more so the more replies there are,
//! which is why it was worse than depth 1. For depths 3 and 4 all sequences are too many; as in his second paper, a level
//! that has more than two below it keeps its best moves only. He took them from a classical program, here a quarter of
//! the playouts ranks them.

use super::flat::{Sampler, Stat, best, moves};
use super::policy::sensible;
use super::settings::{Settings, Worth};
use crate::board::Board;
use crate::game::Game;
use crate::types::{Point, Rng};

/// Moves that a level with more than two below it keeps.
const WIDTH: usize = 7;

/// The move by minimax of the set depth.
pub fn enumerate(game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
    let moves = moves(game);
    if moves.is_empty() {
        return Point::PASS;
    }
    let settings = Settings { worth: Worth::Score, ..settings.clone() };
    let komi = f64::from(game.total_komi());
    let mut level = Level { komi, settings: &settings, rng };
    level.search(game.board(), moves, settings.depth, settings.playouts).0
}

struct Level<'a> {
    komi: f64,
    settings: &'a Settings,
    rng: &'a mut Rng,
}

impl Level<'_> {
    /// The best of some moves and its value for the player to move.
    fn search(
        &mut self,
        board: &Board,
        moves: Vec<Point>,
        depth: u32,
        playouts: u32,
    ) -> (Point, f64) {
        let mut moves = moves;
        let mut playouts = playouts;
        if depth > 2 && moves.len() > WIDTH {
            let stats = self.sample(board, &moves, playouts / 4);
            let mut ranked: Vec<usize> = (0..moves.len()).collect();
            ranked.sort_by(|&a, &b| stats[b].mean().total_cmp(&stats[a].mean()));
            moves = ranked[..WIDTH].iter().map(|&index| moves[index]).collect();
            playouts -= playouts / 4;
        }
        let values: Vec<f64> = match depth {
            0 | 1 => self.sample(board, &moves, playouts).iter().map(Stat::mean).collect(),
            _ => {
                let share = playouts / moves.len() as u32;
                moves.iter().map(|&point| -self.reply(board, point, depth - 1, share)).collect()
            }
        };
        let index = best(values.iter().copied());
        (moves[index], values[index])
    }

    /// The value of the best reply to a move.
    fn reply(&mut self, board: &Board, point: Point, depth: u32, playouts: u32) -> f64 {
        let mut after = board.clone();
        after.play_legal(point);
        let mut replies: Vec<Point> = sensible(&after).collect();
        if replies.is_empty() {
            replies.push(Point::PASS);
        }
        self.search(&after, replies, depth, playouts).1
    }

    /// Each move gets its share of the playouts, and one at least.
    fn sample(&mut self, board: &Board, moves: &[Point], playouts: u32) -> Vec<Stat> {
        let mut sampler = Sampler::new(board, self.komi, self.settings);
        let share = (playouts as usize / moves.len()).max(1);
        let mut stats = vec![Stat::default(); moves.len()];
        for (stat, &point) in stats.iter_mut().zip(moves) {
            (0..share).for_each(|_| stat.add(sampler.sample(point, self.rng)));
        }
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn deeper_values_are_lower() {
        // Each reply is the best of noisy ones, so depth 2 thinks less of the same position than depth 1.
        let game = Game::new(5, Rules::CHINESE);
        let value = |depth| {
            let settings = Settings { depth, ..Settings::default() };
            let mut rng = Rng::new(4);
            let mut level = Level { komi: 0.0, settings: &settings, rng: &mut rng };
            level.search(game.board(), moves(&game), depth, 3000).1
        };
        assert!(value(2) < value(1), "{} {}", value(2), value(1));
        assert!(value(3) > value(2), "{} {}", value(3), value(2));
    }
}
