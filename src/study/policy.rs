//! GoYui's default policy (You 3.3.1): do not fill eyes, save what is in atari, capture, then 3x3 patterns, else any move.
//!
//! The thesis names eyes, captures and patterns, and not how far they look. Here captures are looked for at the last two
//! moves and patterns around the last one, as in MoGo's technical report, which it cites for the patterns. That report
//! also answers ataris first (Lew 3.4.1 lists captures before saves). Without it (`policy=bare`) every atari ends in a
//! capture, because nobody saves and everybody captures: on 300 judged positions the capture rule then makes playouts no
//! truer than light ones, and GoYui lost all of its first 18 games. With it the error falls by a fifth (`tengen study
//! you-policy`).

use super::komi::Passing;
use super::settings::{PolicyKind, Settings};
use crate::board::Board;
use crate::knowledge::Gammas;
use crate::playout::{DynPolicy, GammaPolicy, Light, MogoPatterns, Policy};
use crate::tactics::{self, Candidates, Reader};
use crate::types::{Color, Point, Rng};
use std::path::Path;
use std::sync::Arc;

/// The moves that every player here thinks about: legal ones that fill no eye.
pub fn sensible(board: &Board) -> impl Iterator<Item = Point> {
    let color = board.to_play();
    let points = board.empty_points().iter().copied();
    points.filter(move |&point| !board.is_eye(color, point) && board.is_legal(color, point))
}

/// GoYui's policy.
#[derive(Clone)]
pub struct GoYui {
    patterns: MogoPatterns,
    reader: Reader,
    kind: PolicyKind,
    found: Vec<Point>,
}

impl GoYui {
    /// The policy with the rules of a kind.
    pub fn new(kind: PolicyKind) -> GoYui {
        let (patterns, reader) = (MogoPatterns::get(), Reader::new());
        GoYui { patterns, reader, kind, found: Vec::with_capacity(16) }
    }

    /// The moves that it wants: saves, or else captures, or else patterns, or nothing in particular.
    pub fn candidates(&mut self, board: &Board) -> &[Point] {
        use PolicyKind::{Bare, Captures, GoYui, Patterns};
        self.found.clear();
        if self.kind == GoYui {
            self.saves(board);
        }
        if matches!(self.kind, GoYui | Bare | Captures) && self.found.is_empty() {
            self.captures(board);
        }
        if matches!(self.kind, GoYui | Bare | Patterns) && self.found.is_empty() {
            self.shapes(board);
        }
        &self.found
    }

    /// Answers to ataris of the last move.
    fn saves(&mut self, board: &Board) {
        let color = board.to_play();
        let mut moves = Candidates::default();
        for place in board.last_move().neighbors() {
            let own = !board.last_move().is_pass() && board.is_stone(place, color);
            if own && board.is_in_atari(place) {
                tactics::saves(board, place, &mut self.reader, &mut moves);
            }
        }
        self.found.extend(moves.iter());
    }

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
        if self.candidates(board).is_empty() {
            return Light.play_move(board, rng);
        }
        let point = self.found[rng.below(self.found.len() as u32) as usize];
        board.play_legal(point);
        point
    }
}

/// The policy that settings ask for; `handicapped` is the colour that makes artificial passes.
pub fn policy(settings: &Settings, handicapped: Option<Color>) -> Box<dyn DynPolicy> {
    let color = handicapped.filter(|_| settings.passes > 0.0);
    match settings.policy {
        PolicyKind::Light => boxed(Light, color, settings.passes),
        PolicyKind::Gamma => boxed(GammaPolicy::new(gammas(settings)), color, settings.passes),
        kind => boxed(GoYui::new(kind), color, settings.passes),
    }
}

fn boxed<P: Policy + Send + 'static>(
    inner: P,
    passing: Option<Color>,
    chance: f64,
) -> Box<dyn DynPolicy> {
    match passing {
        Some(color) => Box::new(Passing { inner, color, chance }),
        None => Box::new(inner),
    }
}

/// The gammas of a file, which was read once when it was set, or the engine's.
fn gammas(settings: &Settings) -> Arc<Gammas> {
    let file = Some(&settings.gammas).filter(|name| !name.is_empty());
    let read = file.and_then(|name| Gammas::load(Path::new(name)).ok());
    read.map_or_else(Gammas::embedded, Arc::new)
}

/// One move by the policy, without playing it.
pub fn one_move(settings: &Settings, board: &Board, rng: &mut Rng) -> Point {
    let mut board = board.clone();
    match settings.policy {
        PolicyKind::Light => Light.play_move(&mut board, rng),
        PolicyKind::Gamma => {
            let mut policy = GammaPolicy::new(gammas(settings));
            policy.begin(&board);
            policy.play_move(&mut board, rng)
        }
        kind => GoYui::new(kind).play_move(&mut board, rng),
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
        let goyui = Settings { policy: PolicyKind::GoYui, ..Settings::default() };
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            assert_eq!(one_move(&goyui, &diagram.board, &mut rng), diagram.mark('a'));
        }
        // A lone stone has diagonal attachments and hanes of no kind: any move.
        let mut board = Board::new(5);
        board.play_legal(Point::new(3, 3));
        let moves: std::collections::BTreeSet<Point> =
            (0..300).map(|_| one_move(&goyui, &board, &mut rng)).collect();
        assert_eq!(moves.len(), 24);
    }
}
