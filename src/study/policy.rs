//! GoYui's default policy (You 3.3.1): do not fill eyes, capture first, then 3x3 patterns, else any move.
//!
//! The thesis names the three rules and not how far they look. Here captures are looked for at the last two moves and
//! patterns around the last one, as in MoGo's technical report, which it cites for the patterns.

use super::settings::PolicyKind;
use crate::board::Board;
use crate::playout::{DynPolicy, Light, MogoPatterns, Policy};
use crate::tactics;
use crate::types::{Point, Rng};

/// GoYui's policy.
#[derive(Clone)]
pub struct GoYui {
    patterns: MogoPatterns,
    found: Vec<Point>,
}

impl Default for GoYui {
    fn default() -> GoYui {
        GoYui { patterns: MogoPatterns::get(), found: Vec::with_capacity(16) }
    }
}

impl GoYui {
    /// Captures of chains beside the last two moves, the last one's own included.
    fn captures(&mut self, board: &Board) {
        let enemy = board.to_play().opponent();
        for stone in [board.last_move(), board.second_last_move()] {
            if stone.is_pass() {
                continue;
            }
            for place in stone.neighbors().into_iter().chain([stone]) {
                if board.is_stone(place, enemy) && board.is_in_atari(place) {
                    self.found.extend(tactics::capture_point(board, place));
                }
            }
        }
    }

    fn shapes(&mut self, board: &Board) {
        let (last, color) = (board.last_move(), board.to_play());
        if last.is_pass() {
            return;
        }
        for point in last.neighbors().into_iter().chain(last.diagonals()) {
            if board.is_empty(point)
                && self.patterns.matches(board.shape(point))
                && board.is_legal(color, point)
                && !board.is_eye(color, point)
            {
                self.found.push(point);
            }
        }
    }
}

impl Policy for GoYui {
    fn begin(&mut self, _board: &Board) {}

    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        self.found.clear();
        self.captures(board);
        if self.found.is_empty() {
            self.shapes(board);
        }
        if self.found.is_empty() {
            return Light.play_move(board, rng);
        }
        let point = self.found[rng.below(self.found.len() as u32) as usize];
        board.play_legal(point);
        point
    }
}

/// The policy of a setting.
pub fn policy(kind: PolicyKind) -> Box<dyn DynPolicy> {
    match kind {
        PolicyKind::Light => Box::new(Light),
        PolicyKind::GoYui => Box::new(GoYui::default()),
    }
}

/// One move by the policy, without playing it.
pub fn one_move(kind: PolicyKind, board: &Board, rng: &mut Rng) -> Point {
    let mut board = board.clone();
    match kind {
        PolicyKind::Light => Light.play_move(&mut board, rng),
        PolicyKind::GoYui => GoYui::default().play_move(&mut board, rng),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn it_captures_then_plays_patterns() {
        let mut diagram = Diagram::parse(
            ". . . . .
             . . O . .
             . O l O .
             . . a . .
             . . . . .",
        )
        .unwrap();
        diagram.board.play_legal(diagram.mark('l')); // Black plays into atari
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            assert_eq!(one_move(PolicyKind::GoYui, &diagram.board, &mut rng), diagram.mark('a'));
        }
        // A lone stone has diagonal attachments and hanes of no kind: any move.
        let mut board = Board::new(5);
        board.play_legal(Point::new(3, 3));
        let moves: std::collections::BTreeSet<Point> =
            (0..300).map(|_| one_move(PolicyKind::GoYui, &board, &mut rng)).collect();
        assert_eq!(moves.len(), 24);
    }
}
