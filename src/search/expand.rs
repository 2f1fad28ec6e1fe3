//! New children and what is believed of them before the first playout.
//!
//! Knowledge is given as prior visits: so many imagined playouts, so many of them won. An even
//! game protects against the noise of the first results. The learned model gives every move a
//! probability, which counts as prior visits and enters the bias of `select`. Where it is not
//! asked, playout knowledge, distance to the last move and lines say where to look first
//! (Baudis' slides, "Prior Values"); on top of the model they add nothing (default 47.5 % against
//! without them, 200 games) and cost time.

use super::node::{Node, Seed};
use crate::board::Board;
use crate::params::PriorParams;
use crate::pattern::{Evaluator, Model};
use crate::playout::MogoPatterns;
use crate::tactics::{self, Candidates, Reader};
use crate::types::{Cell, Color, Point, PointMap};
use std::sync::Arc;

/// How far common-fate distance is felt.
const NEAR: u8 = 3;
/// The vital point of an eyespace weighs as much as a capture of so many stones.
const VITAL: u8 = 3;

/// Makes the children of positions. One for each thread.
pub(super) struct Expander {
    params: PriorParams,
    patterns: MogoPatterns,
    reader: Reader,
    points: Vec<Point>,
    seeds: Vec<Seed>,
    model: Option<Arc<Model>>,
    evaluator: Evaluator,
    probabilities: PointMap<f32>,
    /// Progressive widening needs the likeliest moves first.
    sort: bool,
}

/// Imagined playouts: visits and wins.
#[derive(Clone, Copy, Default)]
struct Belief {
    visits: f64,
    wins: f64,
}

impl Belief {
    fn add(&mut self, visits: f64, value: f64) {
        self.visits += visits;
        self.wins += visits * value;
    }
}

impl Expander {
    /// Asks a model if the parameters want one.
    pub(super) fn new(
        params: &PriorParams,
        model: impl FnOnce() -> Arc<Model>,
        sort: bool,
    ) -> Expander {
        Expander {
            params: params.clone(),
            patterns: MogoPatterns::get(),
            reader: Reader::new(),
            points: Vec::with_capacity(400),
            seeds: Vec::with_capacity(400),
            model: params.model.then(model),
            evaluator: Evaluator::new(),
            probabilities: PointMap::filled(0.0),
            sort,
        }
    }

    /// The children of a position: every legal move that fills no one-point eye, and a pass. The
    /// model is asked about them if they are `guided`, else playout knowledge.
    pub(super) fn children(&mut self, board: &Board, guided: bool) -> &[Seed] {
        let color = board.to_play();
        self.seeds.clear();
        self.points.clear();
        self.points.extend_from_slice(board.empty_points());
        // The list's order depends on the history of the board, which must not leak into the tree.
        self.points.sort_unstable();
        self.points.retain(|&point| board.is_legal(color, point) && !board.is_eye(color, point));
        if guided {
            let mut even = Belief::default();
            even.add(self.params.even, 0.5);
            self.seeds.extend(self.points.iter().map(|&point| seed(point, even)));
        } else {
            let distance = tactics::common_fate_distance(board, board.last_move(), NEAR);
            let urgent = self.urgent_moves(board, color);
            for i in 0..self.points.len() {
                let belief = self.believe(board, color, self.points[i], &distance, &urgent);
                self.seeds.push(seed(self.points[i], belief));
            }
        }
        let mut pass = Belief::default();
        pass.add(self.params.even.max(1.0), 0.25);
        self.seeds.push(seed(Point::PASS, pass));
        if guided {
            self.ask_model(board);
            for i in 0..self.seeds.len() {
                let (probability, visits) = self.opinion(self.seeds[i].point);
                self.seeds[i].learn(probability, visits);
            }
        } else {
            self.guess_probabilities();
        }
        if self.sort {
            self.seeds.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        }
        &self.seeds
    }

    /// Asks the model about the children of a position that were made without it.
    pub(super) fn guide(&mut self, board: &Board, children: &[Node]) {
        self.ask_model(board);
        for child in children {
            let (probability, visits) = self.opinion(child.point());
            child.learn(probability, visits);
        }
    }

    fn ask_model(&mut self, board: &Board) {
        if let Some(model) = &self.model {
            for &(point, probability) in model.evaluate(board, &mut self.evaluator) {
                self.probabilities[point] = probability;
            }
        }
    }

    /// The model's probability of a move, and the prior visits that it is worth.
    fn opinion(&self, point: Point) -> (f32, f32) {
        let probability = self.probabilities[point];
        let visits = if point.is_pass() { 0.0 } else { self.params.model_visits as f32 };
        (probability, visits * probability.sqrt())
    }

    /// Captures and saves of the chains in atari, attacks on and defences of those that a ladder
    /// catches, vital points of small eyespaces, and two-liberty fights around the last move.
    fn urgent_moves(&mut self, board: &Board, color: Color) -> PointMap<u8> {
        let mut urgent = PointMap::filled(0u8);
        for stone in board.points() {
            if board.head(stone) != stone {
                continue;
            }
            let weight = board.chain_size(stone).min(4) as u8;
            let mut moves = Candidates::default();
            match (board.liberty_count(stone), board.is_stone(stone, color)) {
                (1, true) => tactics::saves(board, stone, &mut self.reader, &mut moves),
                (1, false) => moves.extend(tactics::capture_point(board, stone)),
                (2, own) => {
                    let caught = self.reader.capture_by_ladder(board, stone);
                    match (caught, own) {
                        (Some(_), true) => tactics::defenses(board, stone, &mut moves),
                        (Some(first), false) => moves.extend([first]),
                        (None, _) => {}
                    }
                }
                _ => {}
            }
            moves.iter().for_each(|&point| urgent[point] = urgent[point].max(weight));
        }
        for &point in board.empty_points() {
            if tactics::vital_point(board, point).is_some_and(|(vital, _)| vital == point) {
                urgent[point] = VITAL;
            }
        }
        let last = board.last_move();
        if !last.is_pass() {
            let mut moves = Candidates::default();
            if board.is_stone(last, color.opponent()) && board.liberty_count(last) == 2 {
                tactics::attacks(board, last, &mut moves);
            }
            for neighbor in last.neighbors() {
                if board.is_stone(neighbor, color) && board.liberty_count(neighbor) == 2 {
                    tactics::defenses(board, neighbor, &mut moves);
                }
            }
            moves.iter().for_each(|&point| urgent[point] = urgent[point].max(1));
        }
        urgent
    }

    fn believe(
        &self,
        board: &Board,
        color: Color,
        point: Point,
        distance: &PointMap<u8>,
        urgent: &PointMap<u8>,
    ) -> Belief {
        let params = &self.params;
        let mut belief = Belief::default();
        belief.add(params.even, 0.5);
        if tactics::is_bad_self_atari(board, color, point) {
            belief.add(params.tactics, 0.0);
        } else if urgent[point] > 0 {
            belief.add(params.tactics * (0.5 + 0.5 * f64::from(urgent[point].min(3))), 1.0);
        }
        if self.patterns.matches(board.shape(point)) {
            belief.add(params.pattern, 1.0);
        }
        if distance[point] <= NEAR {
            // 1, 1, 2/3, 1/3 of the visits at distances 0, 1, 2, 3.
            let share = f64::from(NEAR + 1 - distance[point].max(1)) / f64::from(NEAR);
            belief.add(params.distance * share, 1.0);
        }
        let line = point.line(board.size());
        // On a small board the centre is a good place to begin, too.
        if (line <= 4 || board.size() <= 11) && is_open(board, point) {
            match line {
                1 | 2 => belief.add(params.edge, 0.0),
                _ => belief.add(params.edge, 1.0),
            }
        }
        belief
    }

    /// Before the model is asked, the prior wins are the best guess at how likely a move is.
    fn guess_probabilities(&mut self) {
        let strength = |seed: &Seed| seed.prior_visits * seed.prior_value;
        let total: f32 = self.seeds.iter().map(strength).sum();
        for seed in &mut self.seeds {
            seed.probability = if total > 0.0 { strength(seed) / total } else { 0.0 };
        }
    }
}

fn seed(point: Point, belief: Belief) -> Seed {
    let value = if belief.visits > 0.0 { belief.wins / belief.visits } else { 0.0 };
    let (prior_visits, prior_value) = (belief.visits as f32, value as f32);
    Seed { point, prior_visits, prior_value, probability: 0.0 }
}

/// Is there no stone within two lines of the point?
fn is_open(board: &Board, point: Point) -> bool {
    let size = board.size();
    let range = |n: usize| n.saturating_sub(2).max(1)..=(n + 2).min(size);
    range(point.row()).all(|row| {
        range(point.column()).all(|column| board.cell(Point::new(column, row)) == Cell::Empty)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;

    fn children(board: &Board) -> Vec<Seed> {
        let mut params = Params::for_size(board.size());
        params.prior.model = false;
        Expander::new(&params.prior, || Model::embedded(board.size()), false)
            .children(board, false)
            .to_vec()
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
        let points: Vec<Point> = children(&board).iter().map(|seed| seed.point).collect();
        assert!(!points.contains(&Point::new(1, 5)), "own eye");
        assert!(!points.contains(&Point::new(4, 4)), "suicide");
        assert_eq!(points.last(), Some(&Point::PASS));
        assert_eq!(points.len(), 11);
    }

    #[test]
    fn captures_and_near_moves_are_believed_in() {
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
        let best = children.iter().max_by(|a, b| a.probability.total_cmp(&b.probability));
        assert_eq!(best.unwrap().point, diagram.mark('a'));
        let total: f32 = children.iter().map(|seed| seed.probability).sum();
        assert!((total - 1.0).abs() < 1e-4);
        let corner = children.iter().find(|seed| seed.point == Point::new(9, 9)).unwrap();
        assert!(corner.prior_value < 0.5);
    }
}
