//! What a new child is believed to be worth: the prior values of Baudis' slides and Fuego's (Xiao, formulas
//! 4.1, 4.2).
//!
//! A prior is a number of imagined playouts with a mean result. It goes into the child's own value or into its AMAF
//! value; the slides find a small difference only, and the even game (`prior=even`) the most important of them.
//!
//! Fuego makes playouts out of the values V that a model gives to all moves of a position:
//!
//! ```text
//! N_prior = c |moves| |V(a)| / sum of all |V|                                                  (4.1)
//! Q_prior = (1 + V / V_largest) / 2 if V >= 0, else (1 - V / V_smallest) / 2                   (4.2)
//! ```
//!
//! LFR's values are around nought by themselves. Those of the engine's model are logarithms of probabilities, so their
//! mean is taken off.

use super::child::Child;
use super::policy::GoYui;
use super::second::Sum;
use super::settings::{PolicyKind, Settings, choices};
use crate::board::Board;
use crate::knowledge::{Model, Scratch};
use crate::tactics;
use crate::types::{Point, PointMap};

choices! {
    /// Where priors come from.
    Prior {
        /// There are none.
        None = "none",
        /// An even game for every move.
        Even = "even",
        /// Even, and what the playout policy, self-atari, the edge and the last move say (Baudis).
        Hints = "hints",
        /// The engine's move model by Fuego's formula.
        Fuego = "fuego",
    }
}

choices! {
    /// Which value priors go into.
    PriorInto {
        /// The child's own.
        Uct = "uct",
        /// The AMAF value.
        Amaf = "amaf",
    }
}

/// Common-fate distance up to which a move is near the last one.
const NEAR: u8 = 3;

/// Gives priors, and has room to work in.
pub struct Believer {
    kind: Prior,
    into: PriorInto,
    visits: f64,
    policy: GoYui,
    scratch: Scratch,
}

impl Believer {
    /// As settings ask for.
    pub fn new(settings: &Settings) -> Believer {
        let (policy, scratch) = (GoYui::new(PolicyKind::GoYui), Scratch::new());
        let Settings { prior: kind, prior_into: into, prior_visits: visits, .. } = *settings;
        Believer { kind, into, visits, policy, scratch }
    }

    /// Gives new children their imagined results.
    pub fn imagine(&mut self, board: &Board, children: &mut [Child]) {
        let points: Vec<Point> = children.iter().map(|child| child.point).collect();
        for (child, prior) in children.iter_mut().zip(self.believe(board, &points)) {
            match self.into {
                PriorInto::Uct => child.prior = prior,
                PriorInto::Amaf => child.second = prior,
            }
        }
    }

    /// The imagined results of these moves of the player to move.
    fn believe(&mut self, board: &Board, moves: &[Point]) -> Vec<Sum> {
        let mut even = Sum::default();
        even.add(self.visits, 0.5);
        match self.kind {
            Prior::None => vec![Sum::default(); moves.len()],
            Prior::Even => vec![even; moves.len()],
            Prior::Hints => {
                let mut sums = vec![even; moves.len()];
                self.hints(board, moves, &mut sums);
                sums
            }
            Prior::Fuego => {
                let model = Model::embedded(board.size());
                let mut values = PointMap::filled(0.0);
                for &(point, strength) in model.strengths(board, &mut self.scratch) {
                    values[point] = f64::from(strength);
                }
                let values: Vec<f64> = moves.iter().map(|&point| values[point]).collect();
                let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
                let values: Vec<f64> = values.iter().map(|value| value - mean).collect();
                fuego(&values, self.visits)
            }
        }
    }

    fn hints(&mut self, board: &Board, moves: &[Point], sums: &mut [Sum]) {
        let (color, size) = (board.to_play(), board.size());
        let distance = tactics::common_fate_distance(board, board.last_move(), NEAR);
        let wanted = self.policy.candidates(board);
        for (&point, sum) in moves.iter().zip(sums) {
            if wanted.contains(&point) {
                sum.add(self.visits, 1.0);
            }
            if tactics::is_bad_self_atari(board, color, point) {
                sum.add(self.visits, 0.0);
            }
            if point.line(size) == 1 && distance[point] > NEAR {
                sum.add(self.visits, 0.0);
            }
            if distance[point] <= NEAR {
                let share = f64::from(NEAR + 1 - distance[point].max(1)) / f64::from(NEAR);
                sum.add(self.visits * share, 1.0);
            }
        }
    }
}

/// Imagined playouts out of values around nought (4.1, 4.2).
pub fn fuego(values: &[f64], constant: f64) -> Vec<Sum> {
    let sum: f64 = values.iter().map(|value| value.abs()).sum();
    let largest = values.iter().copied().fold(0.0, f64::max);
    let smallest = values.iter().copied().fold(0.0, f64::min);
    let prior = |&value: &f64| {
        let mut prior = Sum::default();
        if value != 0.0 {
            let visits = constant * values.len() as f64 * value.abs() / sum;
            let mean = match value > 0.0 {
                true => 0.5 * (1.0 + value / largest),
                false => 0.5 * (1.0 - value / smallest),
            };
            prior.add(visits, mean);
        }
        prior
    };
    values.iter().map(prior).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn fuegos_formula_by_hand() {
        // |V| add up to 8 over 4 moves: N = 10 * 4 / 8 * |V| = 5 |V|.
        let priors = fuego(&[4.0, 1.0, 0.0, -3.0], 10.0);
        let found: Vec<(f64, Option<f64>)> =
            priors.iter().map(|prior| (prior.weight, prior.mean())).collect();
        let expected = [(20.0, Some(1.0)), (5.0, Some(0.625)), (0.0, None), (15.0, Some(0.0))];
        assert_eq!(found, expected);
        assert!(fuego(&[0.0; 3], 10.0).iter().all(|prior| prior.weight == 0.0));
    }

    #[test]
    fn hints_by_hand() {
        let mut diagram = Diagram::parse(
            ". . . . .
             . . O . .
             b O l O .
             . . a . .
             . . . . c",
        )
        .unwrap();
        diagram.board.play_legal(diagram.mark('l')); // Black plays into atari
        let settings = Settings { prior: Prior::Hints, prior_visits: 6.0, ..Settings::default() };
        let mut believer = Believer::new(&settings);
        let moves = ['a', 'b', 'c'].map(|mark| diagram.mark(mark));
        let found = believer.believe(&diagram.board, &moves);
        // Even 6, the capture 6 and beside the last move 6.
        assert_eq!((found[0].weight, found[0].value), (18.0, 15.0));
        // Even 6, two steps away 4 (a white chain is one step).
        assert_eq!((found[1].weight, found[1].value), (10.0, 7.0));
        assert!(found[2].mean() < found[1].mean(), "{found:?}");
        let fuego = Settings { prior: Prior::Fuego, ..settings };
        let found = Believer::new(&fuego).believe(&diagram.board, &moves);
        assert!(found[0].mean() > found[2].mean(), "the model captures: {found:?}");
    }
}
