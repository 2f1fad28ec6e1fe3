//! The learned model on positions of the middle game.

use super::Setup;
use super::measure::{Done, Worker};
use crate::board::Board;
use crate::knowledge::{Model, Scratch};
use crate::types::{Point, Rng};
use crate::workshop::tools::work::drawn;

/// Positions that a worker rates in turns.
const POSITIONS: usize = 16;

/// A worker that rates all legal moves of its positions, each reached by moves drawn from the model
/// itself until a third of the board is played.
pub(super) fn predictions(setup: &Setup, thread: usize) -> Worker {
    let model = setup.params().tree_model.for_size(setup.size);
    let mut scratch = Scratch::new();
    let mut rng = Rng::stream(setup.params().search.seed, thread);
    let boards: Vec<Board> = (0..POSITIONS)
        .map(|_| {
            let mut board = Board::new(setup.size);
            for _ in 0..setup.size * setup.size / 3 {
                let point = draw(&model, &board, &mut scratch, &mut rng);
                board.play_legal(point);
            }
            board
        })
        .collect();
    Box::new(move || {
        let mut done = Done::default();
        for board in &boards {
            let moves = model.evaluate(board, &mut scratch).len() as u64;
            done += Done { units: 1, moves };
        }
        done
    })
}

/// A move drawn by the model's probabilities.
fn draw(model: &Model, board: &Board, scratch: &mut Scratch, rng: &mut Rng) -> Point {
    let moves = model.evaluate(board, scratch);
    let ticket = rng.below(1 << 24) as f32 / (1 << 24) as f32;
    let drawn = drawn(ticket, moves.iter().map(|&(_, probability)| probability));
    drawn.map_or(Point::PASS, |index| moves[index].0)
}
