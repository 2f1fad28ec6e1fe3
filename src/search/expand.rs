//! New children and what is believed of them before the first playout.
//!
//! Knowledge is given as prior visits: so many imagined playouts, so many of them won. An even
//! game protects against the noise of the first results. The learned model gives every move a
//! probability, which counts as prior visits and enters the bias of `select`. Where it is not
//! asked, simple hints add prior visits (`prior`), and how many of them are won stands in for the
//! probability.

use super::node::{NewChild, Node};
use super::prior::Hints;
use crate::board::Board;
use crate::knowledge::net::planes::Expected;
use crate::knowledge::{Model, Scratch};
use crate::params::{PriorParams, ValueParams};
use crate::types::Point;
use std::sync::Arc;

/// How much is believed of children before their first playout.
#[derive(Clone, Copy)]
pub(super) struct Strengths {
    /// Visits of an even game.
    even: f64,
    /// Visits won for a move that is certainly expected.
    expected: f32,
    /// How much worse than their parent they begin.
    reduction: f32,
}

impl Strengths {
    /// Where playouts alone tell how good a move is.
    pub(super) fn classic(prior: &PriorParams) -> Strengths {
        Strengths { even: prior.even, expected: prior.model_visits as f32, reduction: 0.0 }
    }

    /// Where the network judges positions.
    pub(super) fn judged(value: &ValueParams) -> Strengths {
        Strengths { even: value.even, expected: 0.0, reduction: value.reduction as f32 }
    }
}

/// Makes the children of positions. One for each thread.
pub(super) struct Expander {
    pub(super) strengths: Strengths,
    hints: Hints,
    points: Vec<Point>,
    new_children: Vec<NewChild>,
    model: Option<Arc<Model>>,
    scratch: Scratch,
    /// What is expected of the moves of the position asked about last.
    expected: Expected,
    /// Progressive widening needs the likeliest moves first.
    sort: bool,
}

impl Expander {
    /// Asks a model if the parameters want one.
    pub(super) fn new(
        params: &PriorParams,
        model: impl FnOnce() -> Arc<Model>,
        sort: bool,
    ) -> Expander {
        Expander {
            strengths: Strengths::classic(params),
            hints: Hints::new(params),
            points: Vec::with_capacity(400),
            new_children: Vec::with_capacity(400),
            model: params.model.then(model),
            scratch: Scratch::new(),
            expected: Expected::filled(0.0),
            sort,
        }
    }

    /// Finds the moves of a position: every legal one that fills no one-point eye, and a pass.
    pub(super) fn find_moves(&mut self, board: &Board) {
        moves(board, &mut self.points);
    }

    /// The moves that were found, and what is expected of them, to be corrected.
    pub(super) fn expected(&mut self) -> (&[Point], &mut Expected) {
        (&self.points, &mut self.expected)
    }

    /// The children for the moves that were found. What is expected of them counts if they are `guided`,
    /// else hints are given. They begin with the `value` of the position for the player to move, one half
    /// where nobody knows it.
    pub(super) fn children(&mut self, board: &Board, guided: bool, value: f32) -> &[NewChild] {
        self.new_children.clear();
        let Strengths { even, reduction, .. } = self.strengths;
        let value = (value - reduction).max(0.0);
        self.new_children.extend(self.points.iter().map(|&point| new_child(point, even, value)));
        self.new_children.push(new_child(Point::PASS, even.max(1.0), value / 2.0));
        if guided {
            for i in 0..self.new_children.len() {
                let (probability, visits) = self.opinion(self.new_children[i].point);
                self.new_children[i].learn(probability, visits);
            }
        } else {
            self.take_hints(board);
        }
        if self.sort {
            self.new_children.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        }
        &self.new_children
    }

    /// Prior visits from hints. The share of a move in all that are won is the best guess at how
    /// likely it is.
    fn take_hints(&mut self, board: &Board) {
        let belief = self.hints.believe(board, &self.points);
        let mut total = 0.0;
        for child in &mut self.new_children {
            child.imagine(belief.won[child.point], belief.lost[child.point]);
            total += child.prior_wins();
        }
        for child in &mut self.new_children {
            child.probability = if total > 0.0 { child.prior_wins() / total } else { 0.0 };
        }
    }

    /// Asks the model about the children of a position that were made without it.
    pub(super) fn guide(&mut self, board: &Board, children: &[Node]) {
        self.ask_model(board);
        for child in children {
            let (probability, visits) = self.opinion(child.point());
            child.learn(probability, visits);
        }
    }

    /// Takes what is expected of children from the children themselves.
    pub(super) fn recall(&mut self, children: &[Node]) {
        children.iter().for_each(|child| self.expected[child.point()] = child.probability());
    }

    /// Puts a corrected expectation in the place of the model's. Where the network is asked neither
    /// gives prior visits.
    pub(super) fn correct(&mut self, children: &[Node]) {
        for child in children {
            child.learn(self.expected[child.point()], 0.0);
        }
    }

    /// Asks the model about a position, if there is one.
    pub(super) fn ask_model(&mut self, board: &Board) {
        if let Some(model) = &self.model {
            model.expect(board, &mut self.scratch, &mut self.expected);
        }
    }

    /// The probability of a move, and the prior visits that it is worth.
    fn opinion(&self, point: Point) -> (f32, f32) {
        let probability = self.expected[point];
        let visits = if point.is_pass() { 0.0 } else { self.strengths.expected };
        (probability, visits * probability.sqrt())
    }
}

/// The moves that a search considers beside the pass: those that are legal and fill no one-point eye.
fn moves(board: &Board, points: &mut Vec<Point>) {
    let color = board.to_play();
    points.clear();
    points.extend_from_slice(board.empty_points());
    // The list's order depends on the history of the board, which must not leak into the tree.
    points.sort_unstable();
    points.retain(|&point| board.is_legal(color, point) && !board.is_eye(color, point));
}

fn new_child(point: Point, visits: f64, value: f32) -> NewChild {
    NewChild { point, prior_visits: visits as f32, prior_value: value, probability: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;

    fn children(board: &Board) -> Vec<NewChild> {
        let mut params = Params::for_size(board.size());
        params.prior.model = false;
        let mut expander = Expander::new(&params.prior, || Model::embedded(board.size()), false);
        expander.find_moves(board);
        expander.children(board, false, 0.5).to_vec()
    }

    #[test]
    fn eyes_and_illegal_points_are_no_children_and_pass_is_one() {
        let board = Diagram::parse(
            ". X O O .
             X X O . O
             O O O O O
             . . . . .
             . . . . .",
        )
        .unwrap()
        .board;
        let points: Vec<Point> = children(&board).iter().map(|child| child.point).collect();
        assert!(!points.contains(&Point::new(1, 5)), "own eye");
        assert!(!points.contains(&Point::new(4, 4)), "suicide");
        assert_eq!(points.last(), Some(&Point::PASS));
        assert_eq!(points.len(), 11);
    }

    #[test]
    fn hints_add_to_the_even_game_and_their_wins_are_the_probability() {
        let mut diagram = Diagram::parse(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . X . . . . .
             . . X O a . . . .
             . . . l . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
        )
        .unwrap();
        diagram.board.play_legal(diagram.mark('l'));
        let children = children(&diagram.board);
        let even = Params::for_size(9).prior.even as f32;
        assert!(children.iter().all(|child| child.prior_visits >= even));
        let best = children.iter().max_by(|a, b| a.probability.total_cmp(&b.probability)).unwrap();
        assert_eq!(best.point, diagram.mark('a'));
        assert!(best.prior_value > 0.5);
        let corner = children.iter().find(|child| child.point == Point::new(9, 9)).unwrap();
        assert!(corner.prior_value < 0.5);
        let total: f32 = children.iter().map(|child| child.probability).sum();
        assert!((total - 1.0).abs() < 1e-4);
    }
}
