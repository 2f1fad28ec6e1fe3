//! Adaptive patterns (Lew section 5.2): playouts that learn from playouts, and fail.
//!
//! Every 3x3 pattern has a weight, the mean result of the playouts in which a move was made in its middle,
//!
//! ```text
//! mu_p = E(playout result | pattern p was played)
//! ```
//!
//! and a playout chooses among the patterns on the board as UCT chooses among children: the largest
//! `mu_p + c sqrt(ln N / n_p)`. A result is the area score from the side of the player who made the move, as a share of
//! the board. Nothing is known at first: an unseen pattern counts as one even result, and equal ones are drawn by chance.
//!
//! Lew explains why this cannot work: `mu_p` is the value of the move *and* of the circumstances in which the pattern
//! appears, while the policy can choose the move only. `tengen calibrate --playout light,adaptive` measures it, and
//! `tengen study adaptive` shows the two parts: `docs/papers.md`. So this policy is for study and nobody's default.

use super::{Outcome, Policy};
use crate::board::{Board, Shape};
use crate::types::{Color, Point, Rng};
use std::sync::{Arc, LazyLock};

/// The constant of UCB1, for results between -1 and 1.
const EXPLORATION: f32 = 0.2;
/// Patterns, before symmetric ones are taken together.
const CODES: usize = 1 << 16;

/// For each shape the smallest code of its eight views.
static CLASSES: LazyLock<Arc<[u16]>> = LazyLock::new(|| {
    let least = |code: u16| {
        let shape = Shape::from_code(code);
        (0..8).map(|symmetry| shape.transform(symmetry).code()).min().unwrap_or(code)
    };
    (0..=u16::MAX).map(least).collect()
});

/// The results of the playouts in which something happened.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Weight {
    /// How often.
    pub count: f32,
    /// Sum of the results.
    pub sum: f32,
}

impl Weight {
    /// The mean result, with one even result added.
    pub fn mean(self) -> f32 {
        self.sum / (self.count + 1.0)
    }
}

/// The policy, and what its playouts have taught it so far.
#[derive(Clone)]
pub struct AdaptivePolicy {
    classes: Arc<[u16]>,
    weights: Vec<Weight>,
    /// Patterns played in all playouts, for the logarithm.
    total: f32,
    /// The patterns played in this playout, and by whom.
    played: Vec<(Color, u16)>,
}

impl Default for AdaptivePolicy {
    fn default() -> AdaptivePolicy {
        AdaptivePolicy {
            classes: Arc::clone(&CLASSES),
            weights: vec![Weight::default(); CODES],
            total: 0.0,
            played: Vec::with_capacity(512),
        }
    }
}

impl AdaptivePolicy {
    /// The pattern of a move as the player who makes it sees it.
    pub fn pattern(&self, board: &Board, color: Color, point: Point) -> u16 {
        let shape = board.shape(point);
        let own = if color == Color::Black { shape } else { shape.swap_colors() };
        self.classes[usize::from(own.code())]
    }

    /// What was learned of a pattern.
    pub fn weight(&self, pattern: u16) -> Weight {
        self.weights[usize::from(pattern)]
    }

    fn urgency(&self, pattern: u16) -> f32 {
        let weight = self.weight(pattern);
        let log = (self.total + 1.0).ln();
        weight.mean() + EXPLORATION * (log / (weight.count + 1.0)).sqrt()
    }

    /// The move whose pattern has the largest value; equal ones by chance.
    fn choose(&self, board: &Board, rng: &mut Rng) -> Option<(Point, u16)> {
        let color = board.to_play();
        let (mut best, mut most, mut equal) = (None, f32::NEG_INFINITY, 0);
        for &point in board.empty_points() {
            if board.is_eye(color, point) || !board.is_legal(color, point) {
                continue;
            }
            let pattern = self.pattern(board, color, point);
            let value = self.urgency(pattern);
            if value > most {
                (best, most, equal) = (Some((point, pattern)), value, 1);
            } else if value == most {
                equal += 1;
                if rng.below(equal) == 0 {
                    best = Some((point, pattern));
                }
            }
        }
        best
    }
}

impl Policy for AdaptivePolicy {
    fn begin(&mut self, _board: &Board) {
        self.played.clear();
    }

    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        let color = board.to_play();
        let point = match self.choose(board, rng) {
            Some((point, pattern)) => {
                self.played.push((color, pattern));
                point
            }
            None => Point::PASS,
        };
        board.play_legal(point);
        point
    }

    fn end(&mut self, board: &Board, outcome: Outcome) {
        let points = (board.size() * board.size()) as f32;
        for &(color, pattern) in &self.played {
            let weight = &mut self.weights[usize::from(pattern)];
            weight.count += 1.0;
            weight.sum += (outcome.score * color.sign()) as f32 / points;
        }
        self.total += self.played.len() as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::playout::{Limits, play_out};

    #[test]
    fn weights_and_choice_by_hand() {
        let mut policy = AdaptivePolicy::default();
        let board = Board::new(5);
        policy.played = vec![(Color::Black, 7), (Color::White, 7), (Color::Black, 9)];
        policy.end(&board, Outcome { score: 10, moves: 3 });
        // Black won by 10 of 25 points: pattern 7 was played by both, pattern 9 by the winner.
        assert_eq!(policy.weight(7), Weight { count: 2.0, sum: 0.0 });
        assert_eq!(policy.weight(9), Weight { count: 1.0, sum: 0.4 });
        assert_eq!(policy.weight(9).mean(), 0.2);
        let expected = 0.2 + 0.2 * (4f32.ln() / 2.0).sqrt();
        assert!((policy.urgency(9) - expected).abs() < 1e-6);
        assert!(policy.urgency(9) > policy.urgency(7));
    }

    #[test]
    fn patterns_are_those_of_the_player_in_all_views() {
        let policy = AdaptivePolicy::default();
        let read = |text: &str| Diagram::parse(text).unwrap();
        let (a, b) = (read("X X .\n. a O\n. . ."), read(". X .\nO a .\nO . ."));
        let of =
            |diagram: &Diagram, color| policy.pattern(&diagram.board, color, diagram.mark('a'));
        assert_eq!(of(&a, Color::Black), of(&b, Color::White));
        assert_ne!(of(&a, Color::Black), of(&a, Color::White));
    }

    /// Figure 5.4: the same move beside a chain that lived or died. The move is worth nothing in either case, but
    /// the weights of its two patterns differ by the chain.
    #[test]
    fn weights_evaluate_the_circumstances() {
        let lived = ". X . . .\nX X . . .\n. X a . .\nX X . . .\n. X . . .";
        let died = lived.replace('X', "x").replace('O', "X").replace('x', "O");
        let learned = |text: &str, seed| {
            let diagram = Diagram::parse(text).unwrap();
            let mut policy = AdaptivePolicy::default();
            let pattern = policy.pattern(&diagram.board, Color::Black, diagram.mark('a'));
            let mut board = diagram.board.clone();
            let mut rng = Rng::new(seed);
            for _ in 0..200 {
                board.copy_from(&diagram.board);
                play_out(&mut policy, &mut board, &mut rng, Limits::for_size(5), |_, _| ());
            }
            (pattern, policy.weight(pattern))
        };
        let ((one, first), (other, second)) = (learned(lived, 1), learned(&died, 2));
        assert_ne!(one, other);
        assert!(first.count > 10.0 && second.count > 10.0, "{first:?} {second:?}");
        assert!((first.mean() - second.mean()).abs() > 0.3, "{first:?} {second:?}");
    }
}
