//! Capturing dead stones.
//!
//! The search does not do it by itself: its playouts capture dead stones in any case, so all moves
//! look alike. Here the liberties of dead chains are tried, and the one that loses nothing by the
//! playouts' count and leaves its chain the fewest liberties is taken.

use super::status::Assessment;
use crate::board::Board;
use crate::game::Game;
use crate::params::Params;
use crate::playout::{Limits, RulePolicy, play_out};
use crate::tactics::is_bad_self_atari;
use crate::types::{Move, Point, Rng};
use std::time::Instant;

/// Playouts for each move that is tried.
const PLAYOUTS: u32 = 48;
/// Moves that are tried.
const TRIED: usize = 16;
/// Points by which a move may look worse than the best one before it is suspected of losing
/// something: two standard errors of the mean of so many playouts in a settled position.
const TOLERANCE: f32 = 2.0;

/// A move of the player to move that captures, or helps to capture, a dead chain. After a deadline
/// no more moves are tried.
pub fn capture_move(
    game: &Game,
    assessment: &Assessment,
    params: &Params,
    deadline: Option<Instant>,
) -> Option<Point> {
    let board = game.board();
    let mut tried = candidates(game, assessment);
    tried.truncate(TRIED);
    let mut policy = RulePolicy::new(&params.playout);
    let mut rng = Rng::new(params.search.seed);
    let sign = board.to_play().sign() as f32;
    let in_time =
        |number: usize| number == 0 || deadline.is_none_or(|deadline| Instant::now() < deadline);
    let rated: Vec<(f32, u32, Point)> = tried
        .into_iter()
        .enumerate()
        .take_while(|&(number, _)| in_time(number))
        .map(|(_, (liberties, point))| {
            let mean = mean_score(board, point, &mut policy, &mut rng);
            (mean * sign, liberties, point)
        })
        .collect();
    let best = rated.iter().map(|&(mean, ..)| mean).fold(f32::NEG_INFINITY, f32::max);
    let sound = rated.into_iter().filter(|&(mean, ..)| mean >= best - TOLERANCE);
    sound.min_by_key(|&(_, liberties, point)| (liberties, point)).map(|(.., point)| point)
}

/// Liberties of the opponent's dead chains where a stone can stand, those of chains with few
/// liberties first.
fn candidates(game: &Game, assessment: &Assessment) -> Vec<(u32, Point)> {
    let board = game.board();
    let color = board.to_play();
    let mut list: Vec<(u32, Point)> = Vec::new();
    for stone in board.points() {
        let is_dead =
            board.is_stone(stone, color.opponent()) && assessment.standing.dead.contains(stone);
        if !is_dead {
            continue;
        }
        for point in stone.neighbors().into_iter().filter(|&point| board.is_empty(point)) {
            if game.is_legal(Move::new(color, point)) && !is_bad_self_atari(board, color, point) {
                list.push((board.liberty_count(stone), point));
            }
        }
    }
    list.sort_unstable();
    let mut seen = Vec::new();
    list.retain(|&(_, point)| {
        let new = !seen.contains(&point);
        seen.push(point);
        new
    });
    list
}

/// Mean area score, from Black's side, of playouts after a move.
fn mean_score(board: &Board, point: Point, policy: &mut RulePolicy, rng: &mut Rng) -> f32 {
    let mut after = board.clone();
    after.play_legal(point);
    let mut playout = after.clone();
    let limits = Limits::for_size(board.size());
    let scores = (0..PLAYOUTS).map(|_| {
        playout.copy_from(&after);
        play_out(policy, &mut playout, rng, limits, |_, _| ()).score
    });
    scores.sum::<i32>() as f32 / PLAYOUTS as f32
}
