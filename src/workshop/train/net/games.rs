//! Positions of games, whose move and result are known: one of a game at a time.
//!
//! Games teach what good players choose, and a little about who wins: a result is one bit for two hundred
//! positions, so each counts little, and positions of one game are never learned from together. Only
//! the moves are kept in memory; a position is made when its turn comes.

use super::super::dataset::Source;
use super::data::{Looker, Sample, number};
use crate::board::Board;
use crate::game::collection::MainLine;
use crate::knowledge::net::shape::MIN_SIZE;
use crate::types::{Color, Point, Rng};
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// A game from the empty board to its result.
#[derive(Clone, Debug)]
pub struct Played {
    size: usize,
    komi: f32,
    winner: Color,
    moves: Vec<Point>,
}

impl Played {
    /// A game that can be learned from: decided, on a board that a network judges, colours in turn.
    fn new(game: &MainLine) -> Option<Played> {
        let size = usize::from(game.size);
        let in_turn = game.moves.iter().enumerate().all(|(number, played)| {
            let turn = if number % 2 == 0 { Color::Black } else { Color::White };
            played.color == turn
        });
        (size >= MIN_SIZE && in_turn && !game.moves.is_empty()).then_some(())?;
        let moves = game.moves.iter().map(|played| played.point).collect();
        Some(Played { size, komi: game.komi, winner: game.outcome.winner()?, moves })
    }

    /// A random position of the game, or nothing if a move cannot be played.
    pub fn sample(&self, rng: &mut Rng, looker: &mut Looker) -> Option<Sample> {
        let turn = rng.below(self.moves.len() as u32) as usize;
        let mut board = Board::new(self.size);
        for &point in &self.moves[..turn] {
            if !point.is_pass() && !board.is_legal(board.to_play(), point) {
                return None;
            }
            board.play_legal(point);
        }
        let side = board.to_play();
        let next = self.moves[turn];
        (next.is_pass() || board.is_legal(side, next)).then(|| Sample {
            size: self.size,
            stones: self.size * self.size - board.empty_points().len(),
            seen: looker.look(&board),
            owners: vec![],
            margin: 0.0,
            komi: self.komi * side.sign() as f32,
            winrate: if self.winner == side { 1.0 } else { 0.0 },
            moves: vec![(number(next, self.size), 1.0)],
        })
    }
}

/// Reads files of games; those without a winner are left out.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Played>> {
    let mut found = vec![];
    for path in paths {
        let before = found.len();
        Source::new(std::slice::from_ref(path)).for_each(|game| {
            found.extend(Played::new(game));
            Ok(true)
        })?;
        ensure!(found.len() > before, "'{}' holds no games to learn from", path.display());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_of_a_game_knows_its_move_and_its_winner() {
        let mut game = MainLine::default();
        game.parse_line(b"(;GM[1]FF[4]SZ[9]KM[6.5]RE[W+R];B[ee];W[cc];B[gg];W[gc])").unwrap();
        let played = Played::new(&game).unwrap();
        let mut looker = Looker::default();
        let mut turns = [0; 4];
        for seed in 0..40 {
            let sample = played.sample(&mut Rng::new(seed), &mut looker).unwrap();
            turns[sample.stones] += 1;
            let white = sample.stones % 2 == 1;
            assert_eq!(sample.winrate, if white { 1.0 } else { 0.0 });
            assert_eq!(sample.komi, if white { -6.5 } else { 6.5 });
            let next = game.moves[sample.stones].point;
            assert_eq!(sample.moves, [(number(next, 9), 1.0)]);
            assert!(!sample.is_judged() && sample.seen.strengths.len() == 82);
        }
        assert!(turns.iter().all(|&count| count > 0), "{turns:?}");
        game.parse_line(b"(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[cc])").unwrap();
        assert!(Played::new(&game).is_none(), "nobody knows who won");
    }
}
