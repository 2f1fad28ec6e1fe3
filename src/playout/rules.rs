//! Rule-based playouts, in the order of MoGo (Lew section 3.4.1) and Pachi (Baudis' slides):
//!
//! 1. answer ataris around the last move: capture, or save unless it is hopeless; then capture
//!    what the own last move put into atari and the opponent left there;
//! 2. play the vital point of an eyespace beside the last move;
//! 3. attack and defend chains of two liberties there;
//! 4. play a 3x3 pattern beside the last moves;
//! 5. else a random move that fills no eye and is no bad self-atari.
//!
//! Each rule fires with a probability of its own: a rule that always fires makes playouts agree
//! with each other instead of with the truth. See `docs/adr/0003-playouts.md`.

use super::Policy;
use super::light::uniform_move;
use super::mogo::MogoPatterns;
use crate::board::Board;
use crate::params::PlayoutParams;
use crate::tactics::{self, Candidates, Reader};
use crate::types::{Color, Point, Rng};

/// Probability as the generator takes it.
fn chance(probability: f64) -> u32 {
    (probability * 65536.0).round() as u32
}

/// The rule-based policy.
pub struct RulePolicy {
    patterns: MogoPatterns,
    reader: Reader,
    capture: u32,
    follow_up: u32,
    nakade: u32,
    two_liberties: u32,
    pattern: u32,
    pattern_second: u32,
    self_atari: u32,
}

impl RulePolicy {
    /// The policy with these probabilities.
    pub fn new(params: &PlayoutParams) -> RulePolicy {
        RulePolicy {
            patterns: MogoPatterns::get(),
            reader: Reader::with_limit(params.ladder as u32),
            capture: chance(params.capture),
            follow_up: chance(params.follow_up),
            nakade: chance(params.nakade),
            two_liberties: chance(params.two_liberties),
            pattern: chance(params.pattern),
            pattern_second: chance(params.pattern_second),
            self_atari: chance(params.self_atari),
        }
    }

    /// A move by one of the local rules.
    #[inline]
    fn local_move(&mut self, board: &Board, rng: &mut Rng) -> Option<Point> {
        let last = board.last_move();
        if last.is_pass() {
            return None;
        }
        let color = board.to_play();
        let mut moves = Candidates::default();
        if rng.chance(self.capture) {
            self.atari_moves(board, color, last, &mut moves);
            if let Some(point) = pick(&moves, rng) {
                return Some(point);
            }
        }
        let before = board.second_last_move();
        if !before.is_pass() && rng.chance(self.follow_up) {
            follow_up_moves(board, color, before, &mut moves);
            if let Some(point) = pick(&moves, rng) {
                return Some(point);
            }
        }
        if rng.chance(self.nakade) {
            nakade_moves(board, color, last, &mut moves);
            if let Some(point) = pick(&moves, rng) {
                return Some(point);
            }
        }
        if rng.chance(self.two_liberties) {
            two_liberty_moves(board, color, last, &mut moves);
            if let Some(point) = pick(&moves, rng) {
                return Some(point);
            }
        }
        if rng.chance(self.pattern) {
            self.pattern_moves(board, color, last, &mut moves);
            if let Some(point) = pick(&moves, rng) {
                return Some(point);
            }
        }
        if !before.is_pass() && rng.chance(self.pattern_second) {
            self.pattern_moves(board, color, before, &mut moves);
        }
        pick(&moves, rng)
    }

    /// Captures the last stone's chain if it is in atari, and saves own chains that it put into atari.
    #[inline]
    fn atari_moves(&mut self, board: &Board, color: Color, last: Point, moves: &mut Candidates) {
        if board.is_in_atari(last)
            && let Some(point) = tactics::capture_point(board, last)
        {
            moves.insert(point);
        }
        for neighbor in last.neighbors() {
            if board.is_stone(neighbor, color) && board.is_in_atari(neighbor) {
                tactics::saves(board, neighbor, &mut self.reader, moves);
            }
        }
    }

    /// Points around a stone whose surroundings match a pattern.
    #[inline]
    fn pattern_moves(&self, board: &Board, color: Color, around: Point, moves: &mut Candidates) {
        for point in around.neighbors().into_iter().chain(around.diagonals()) {
            if board.is_empty(point)
                && self.patterns.matches(board.shape(point))
                && board.is_legal(color, point)
                && !tactics::is_bad_self_atari(board, color, point)
            {
                moves.insert(point);
            }
        }
    }
}

impl Policy for RulePolicy {
    #[inline]
    fn begin(&mut self, _board: &Board) {}

    #[inline]
    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        let point = self.local_move(board, rng).unwrap_or_else(|| {
            let color = board.to_play();
            let careful = rng.chance(self.self_atari);
            uniform_move(board, rng, |board, point| {
                !careful || !tactics::is_bad_self_atari(board, color, point)
            })
        });
        board.play_legal(point);
        point
    }
}

/// Captures of the chains beside the own last move that stayed in atari.
#[inline]
fn follow_up_moves(board: &Board, color: Color, before: Point, moves: &mut Candidates) {
    for neighbor in before.neighbors() {
        if board.is_stone(neighbor, color.opponent())
            && board.is_in_atari(neighbor)
            && let Some(point) = tactics::capture_point(board, neighbor)
        {
            moves.insert(point);
        }
    }
}

/// Vital points of eyespaces beside the last move, whoever's they are: to kill or to live.
#[inline]
fn nakade_moves(board: &Board, color: Color, last: Point, moves: &mut Candidates) {
    for inside in last.neighbors() {
        if board.is_empty(inside)
            && let Some((vital, _)) = tactics::vital_point(board, inside)
            && board.is_legal(color, vital)
        {
            moves.insert(vital);
        }
    }
}

/// Attacks on the last stone's chain, and defences of own chains beside it, at two liberties.
#[inline]
fn two_liberty_moves(board: &Board, color: Color, last: Point, moves: &mut Candidates) {
    if board.is_stone(last, color.opponent()) && board.liberty_count(last) == 2 {
        tactics::attacks(board, last, moves);
    }
    for neighbor in last.neighbors() {
        if board.is_stone(neighbor, color) && board.liberty_count(neighbor) == 2 {
            tactics::defenses(board, neighbor, moves);
        }
    }
}

#[inline]
fn pick(moves: &Candidates, rng: &mut Rng) -> Option<Point> {
    match moves.len() {
        0 => None,
        1 => Some(moves[0]),
        len => Some(moves[rng.below(len as u32) as usize]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;
    use crate::playout::{Limits, play_out};

    /// The move that the rules play most often for White after Black's last move at `l`.
    fn favourite(diagram: &str) -> (Point, Diagram) {
        let mut diagram = Diagram::parse(diagram).unwrap();
        let last = diagram.mark('l');
        diagram.board.play_legal(last);
        let mut policy = RulePolicy::new(&Params::for_size(9).playout);
        let mut rng = Rng::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..500 {
            let mut board = diagram.board.clone();
            *counts.entry(policy.play_move(&mut board, &mut rng)).or_insert(0) += 1;
        }
        let best = counts.into_iter().max_by_key(|&(_, n)| n).unwrap().0;
        (best, diagram)
    }

    #[test]
    fn an_atari_is_answered() {
        let (best, diagram) = favourite(
            ". . . . . . .
             . . . . . . .
             . . X . . . .
             . X O a . . .
             . . l . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert_eq!(best, diagram.mark('a'));
    }

    #[test]
    fn a_stone_in_atari_is_captured() {
        let (best, diagram) = favourite(
            ". . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . O . . .
             . . O l a . .
             . . . O . . .",
        );
        assert_eq!(best, diagram.mark('a'));
    }

    #[test]
    fn playouts_end_and_leave_a_sound_board() {
        let mut policy = RulePolicy::new(&Params::for_size(9).playout);
        let mut rng = Rng::new(4);
        for game in 0..300 {
            let size = 3 + game % 17;
            let mut board = Board::new(size);
            let limits = Limits::for_size(size);
            let outcome = play_out(&mut policy, &mut board, &mut rng, limits, |_, _| ());
            assert_eq!(board.check(), Ok(()));
            assert!(outcome.moves < limits.max_moves, "{board}");
        }
    }
}
