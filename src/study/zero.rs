//! AlphaGo Zero in small (Hsu's slides): a tree of its own that knows the rules and a network, and nothing else.
//!
//! No playouts, no games of people, no move model, no rule against filling eyes: a leaf is worth what the network says,
//! and a child is chosen by PUCT,
//!
//! ```text
//! Q(s, a) + c P(s, a) sqrt(N(s)) / (1 + N(s, a))
//! ```
//!
//! with Q of an unvisited child that of its parent. At the root of self-play a quarter of P is noise (Dirichlet), and the first
//! moves are drawn by their visits. What is learned is the share of visits, who won, who owned what, and by how much.

use crate::board::Board;
use crate::game::Game;
use crate::knowledge::net::{Evaluator, Network};
use crate::types::{Color, Move, Point, Rng};

/// PUCT's constant.
const EXPLORATION: f64 = 1.5;
/// Part of the root's probabilities that is noise.
const NOISE: f64 = 0.25;
/// Dirichlet's parameter: ten over the usual number of moves, as AlphaZero has it.
const ALPHA: f64 = 0.2;

/// A move in the tree.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The move.
    pub point: Point,
    /// P(s, a).
    pub prior: f64,
    /// N(s, a).
    pub visits: u32,
    /// Sum of values for the player who makes the move.
    sum: f64,
    node: Option<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    /// The network's value for the player to move.
    value: f64,
    edges: Vec<Edge>,
}

/// Searches positions with one network.
pub struct Searcher<'a> {
    network: &'a Network,
    evaluator: Evaluator,
    nodes: Vec<Node>,
}

impl<'a> Searcher<'a> {
    /// For boards of this size.
    pub fn new(network: &'a Network, size: usize) -> Searcher<'a> {
        let evaluator = Evaluator::new(network.shape(), size);
        Searcher { network, evaluator, nodes: Vec::new() }
    }

    /// The moves of a position after so many visits; with noise if random numbers are given.
    pub fn search(&mut self, game: &Game, visits: u32, noise: Option<&mut Rng>) -> &[Edge] {
        self.nodes.clear();
        let (board, komi) = (game.board(), game.total_komi());
        let color = board.to_play();
        self.expand(board, komi, |point| game.is_legal(Move::new(color, point)));
        if let Some(rng) = noise {
            let edges = &mut self.nodes[0].edges;
            let noise = dirichlet(ALPHA, edges.len(), rng);
            for (edge, noise) in edges.iter_mut().zip(noise) {
                edge.prior = (1.0 - NOISE) * edge.prior + NOISE * noise;
            }
        }
        let mut room = board.clone();
        for _ in 0..visits {
            room.copy_from(board);
            self.simulate(&mut room, komi);
        }
        &self.nodes[0].edges
    }

    /// Adds a node for the position on a board.
    fn expand(&mut self, board: &Board, komi: f32, legal: impl Fn(Point) -> bool) -> usize {
        let color = board.to_play();
        let moves = board
            .empty_points()
            .iter()
            .copied()
            .filter(|&point| board.is_legal(color, point) && legal(point));
        let moves: Vec<Point> = moves.chain([Point::PASS]).collect();
        let (value, logits) = match self.evaluator.judge(self.network, board, None) {
            Some(judged) => {
                let logits = moves.iter().map(|&point| f64::from(judged.policy[point])).collect();
                (f64::from(judged.winrate(komi)), logits)
            }
            None => (0.5, vec![0.0; moves.len()]),
        };
        let priors = softmax(&logits);
        let edge = |(point, prior)| Edge { point, prior, visits: 0, sum: 0.0, node: None };
        let edges = moves.into_iter().zip(priors).map(edge).collect();
        self.nodes.push(Node { visits: 0, value, edges });
        self.nodes.len() - 1
    }

    fn simulate(&mut self, board: &mut Board, komi: f32) {
        let (mut at, mut path) = (0, Vec::new());
        // From the side of the player who would move next.
        let value = loop {
            let index = choose(&self.nodes[at]);
            path.push((at, index));
            let Edge { point, node, .. } = self.nodes[at].edges[index];
            let over = point.is_pass() && board.last_move().is_pass() && board.move_count() > 0;
            board.play_legal(point);
            if over {
                break won(board, komi);
            }
            match node {
                Some(below) => at = below,
                None => {
                    let below = self.expand(board, komi, |_| true);
                    self.nodes[at].edges[index].node = Some(below);
                    break self.nodes[below].value;
                }
            }
        };
        // The last move was made by the other player.
        let mut value = 1.0 - value;
        for (at, index) in path.into_iter().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.edges[index].visits += 1;
            node.edges[index].sum += value;
            value = 1.0 - value;
        }
    }
}

/// One if the player to move has won the position on the board, else nothing.
pub fn won(board: &Board, komi: f32) -> f64 {
    let black = board.area_score() as f32 > komi;
    f64::from(u8::from(black == (board.to_play() == Color::Black)))
}

/// The child with the largest PUCT value.
fn choose(node: &Node) -> usize {
    let root = f64::from(node.visits).sqrt().max(1.0);
    let value = |edge: &Edge| {
        let visits = f64::from(edge.visits);
        let mean = if edge.visits > 0 { edge.sum / visits } else { node.value };
        mean + EXPLORATION * edge.prior * root / (1.0 + visits)
    };
    let best = node.edges.iter().enumerate().max_by(|a, b| value(a.1).total_cmp(&value(b.1)));
    best.map_or(0, |(index, _)| index)
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

/// Random shares that add up to one, most of them small (Joehnk's generator, for alpha below 1).
fn dirichlet(alpha: f64, count: usize, rng: &mut Rng) -> Vec<f64> {
    let mut draw = || {
        for _ in 0..1000 {
            let (x, y) = (rng.unit().powf(1.0 / alpha), rng.unit().powf(1.0 / (1.0 - alpha)));
            if x + y <= 1.0 && x + y > 0.0 {
                return -(1.0 - rng.unit()).ln() * x / (x + y);
            }
        }
        1.0
    };
    let draws: Vec<f64> = (0..count).map(|_| draw()).collect();
    let sum: f64 = draws.iter().sum::<f64>().max(1e-300);
    draws.into_iter().map(|draw| draw / sum).collect()
}

/// A move by its visits: drawn in proportion to them, or the most visited.
pub fn pick(edges: &[Edge], drawn: bool, rng: &mut Rng) -> Point {
    let all: u32 = edges.iter().map(|edge| edge.visits).sum();
    if drawn && all > 0 {
        let mut ticket = rng.below(all);
        for edge in edges {
            if ticket < edge.visits {
                return edge.point;
            }
            ticket -= edge.visits;
        }
    }
    let most = edges.iter().max_by_key(|edge| edge.visits);
    most.map_or(Point::PASS, |edge| edge.point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::game::Rules;
    use crate::knowledge::net::Shape;

    fn nothing() -> Network {
        let shape = Shape::new(8, 1).unwrap();
        let parameters = vec![0.0; shape.parameters];
        Network::new(shape, parameters).unwrap()
    }

    #[test]
    fn puct_by_hand() {
        let edge = |prior, visits, sum| Edge { point: Point::PASS, prior, visits, sum, node: None };
        let node = |edges| Node { visits: 16, value: 0.5, edges };
        // 0.5 + 1.5 * 0.2 * 4 / 5 = 0.74; 0.75 + 1.5 * 0.1 * 4 / 9 = 0.8167; 0.5 + 1.5 * 0.05 * 4 = 0.8.
        let three = [edge(0.2, 4, 2.0), edge(0.1, 8, 6.0), edge(0.05, 0, 0.0)];
        assert_eq!(choose(&node(three.to_vec())), 1);
        let four = [edge(0.2, 4, 2.0), edge(0.1, 8, 6.0), edge(0.06, 0, 0.0)];
        assert_eq!(choose(&node(four.to_vec())), 2);
    }

    #[test]
    fn noise_adds_up_and_differs() {
        let mut rng = Rng::new(3);
        let noise = dirichlet(ALPHA, 50, &mut rng);
        assert!((noise.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(noise.iter().copied().fold(0.0, f64::max) > 0.05, "some moves get much of it");
        assert_eq!(softmax(&[0.0, 0.0]), [0.5, 0.5]);
    }

    /// A network that knows nothing sees the end of the game: with a won board, passing after a pass wins.
    #[test]
    fn the_end_of_the_game_is_found() {
        let text = ". X . O . O .\n".repeat(7);
        let diagram = Diagram::parse(&text).unwrap();
        let mut game = Game::from_board(diagram.board, Rules::CHINESE);
        game.set_komi(-20.0);
        game.play(Move::new(game.board().to_play(), Point::PASS)).unwrap();
        game.play(Move::new(game.board().to_play(), Point::PASS)).unwrap();
        let color = game.board().to_play();
        let black_wins = game.board().area_score() as f32 > game.total_komi();
        let network = nothing();
        let mut searcher = Searcher::new(&network, 7);
        let edges = searcher.search(&game, 400, None);
        let pass = edges.last().unwrap();
        assert_eq!(pass.point, Point::PASS);
        let mean = pass.sum / f64::from(pass.visits.max(1));
        assert_eq!(mean > 0.5, black_wins == (color == Color::Black), "{pass:?}");
        assert_eq!(edges.iter().map(|edge| edge.visits).sum::<u32>(), 400);
    }

    #[test]
    fn moves_are_picked_by_visits() {
        let edge = |column, visits| Edge {
            point: Point::new(column, 1),
            prior: 0.5,
            visits,
            sum: 0.0,
            node: None,
        };
        let edges = [edge(1, 1), edge(2, 3)];
        let mut rng = Rng::new(1);
        assert_eq!(pick(&edges, false, &mut rng), Point::new(2, 1));
        let firsts = (0..400).filter(|_| pick(&edges, true, &mut rng) == Point::new(1, 1)).count();
        assert!((60..140).contains(&firsts), "a quarter of the draws: {firsts}");
    }
}
