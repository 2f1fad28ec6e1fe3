//! After a playout: its reward for the nodes on the path, and RAVE for their children.

use super::node::{RAVE_UNIT, WIN};
use super::storage::Storage;
use crate::types::{Color, Point, PointMap};

/// What a playout was worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Reward {
    /// Black's reward in 1/[`WIN`], score term included.
    pub(super) black: u32,
    /// The same mixed with the network's judgement, as the nodes count it.
    pub(super) tree: u32,
    /// Score from Black's side, without komi, mixed in the same way.
    pub(super) score: i32,
}

impl Reward {
    /// A reward from the score after komi: win, loss or draw, and a small share for the margin.
    pub(super) fn new(score: i32, komi: f32, points: f32, score_weight: f32) -> Reward {
        let margin = score as f32 - komi;
        let win = if margin > 0.0 {
            1.0
        } else if margin < 0.0 {
            0.0
        } else {
            0.5
        };
        let share = (0.5 + 0.5 * margin / points).clamp(0.0, 1.0);
        let value = (1.0 - score_weight) * win + score_weight * share;
        let black = (value * WIN as f32).round() as u32;
        Reward { black, tree: black, score }
    }

    /// Mixes the network's win rate and score for Black in.
    pub(super) fn mix(&mut self, black_winrate: f32, score: f32, weight: f32) {
        let mixed = |own: f32, judged: f32| (own + weight * (judged - own)).round();
        self.tree = mixed(self.black as f32, black_winrate * WIN as f32) as u32;
        self.score = mixed(self.score as f32, score) as i32;
    }
}

/// A color's share of a reward of Black's.
fn wins(black: u32, color: Color) -> u32 {
    match color {
        Color::Black => black,
        Color::White => WIN - black,
    }
}

/// The line of a playout: nodes from the root to the leaf, and all moves to the end.
#[derive(Default)]
pub(super) struct Line {
    pub(super) nodes: Vec<u32>,
    pub(super) moves: Vec<(Color, Point)>,
}

/// Weights of RAVE updates by how late a move comes.
pub(super) struct Rave {
    discount: f32,
    /// First move at each point after the node under update: ply from 1, 0 for none.
    first: PointMap<u16>,
}

impl Rave {
    pub(super) fn new(discount: f32) -> Rave {
        Rave { discount, first: PointMap::filled(0) }
    }

    /// Adds a reward to every node of a line. `to_play` is the player at the root.
    pub(super) fn update(
        &mut self,
        storage: &Storage,
        line: &Line,
        to_play: Color,
        reward: Reward,
        virtual_loss: u32,
    ) {
        self.first.fill(0);
        let leaf = line.nodes.len() - 1;
        let end = line.moves.len();
        for ply in (leaf..end).rev() {
            self.first[line.moves[ply].1] = ply as u16 + 1;
        }
        for depth in (0..=leaf).rev() {
            if depth < leaf {
                self.first[line.moves[depth].1] = depth as u16 + 1;
            }
            let node = storage.node(line.nodes[depth]);
            let mover = if depth % 2 == 0 { to_play } else { to_play.opponent() };
            // The root is nobody's move; its wins are those of the player not to move.
            node.add_result(wins(reward.tree, mover.opponent()), reward.score, virtual_loss);
            // A judgement says nothing of the moves that follow.
            let wins = wins(reward.black, mover);
            let scale = self.discount / (end - depth).max(1) as f32;
            for child in storage.children(node) {
                let first = self.first[child.point()] as usize;
                if first > 0 && line.moves[first - 1].0 == mover && !child.point().is_pass() {
                    let late = (first - 1 - depth) as f32 * scale;
                    let units = ((1.0 - late) * RAVE_UNIT as f32 + 0.5) as u32;
                    child.add_rave(units, wins);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{Asked, NewChild};
    use super::*;

    #[test]
    fn results_count_wins_draws_and_a_little_score() {
        assert_eq!(Reward::new(10, 7.5, 81.0, 0.0).black, WIN);
        assert_eq!(Reward::new(7, 7.5, 81.0, 0.0).black, 0);
        assert_eq!(Reward::new(7, 7.0, 81.0, 0.0).black, WIN / 2);
        let narrow = Reward::new(8, 7.5, 81.0, 0.1).black;
        let wide = Reward::new(60, 7.5, 81.0, 0.1).black;
        assert!(narrow < wide && wide <= WIN && narrow > 9 * WIN / 10);
    }

    #[test]
    fn a_judgement_is_mixed_into_what_the_nodes_count() {
        let mut reward = Reward::new(10, 7.5, 81.0, 0.0);
        assert_eq!((reward.black, reward.tree), (WIN, WIN));
        reward.mix(0.25, -4.0, 0.5);
        assert_eq!((reward.black, reward.tree, reward.score), (WIN, 5 * WIN / 8, 3));
        reward.mix(0.25, -4.0, 1.0);
        assert_eq!(reward.score, -4);
        assert_eq!(
            (wins(reward.tree, Color::Black), wins(reward.tree, Color::White)),
            (WIN / 4, 3 * WIN / 4)
        );
    }

    /// A root with three children; Black plays a, White b, Black c, White a's neighbour d.
    #[test]
    fn rave_counts_the_first_player_at_a_point() {
        let storage = Storage::new(1 << 20);
        let root = storage.allocate(1).unwrap();
        let [a, b, c] = [Point::new(1, 1), Point::new(2, 2), Point::new(3, 3)];
        let first = storage.allocate(3).unwrap();
        for (node, point) in storage.block(first, 3).iter().zip([a, b, c]) {
            node.plant(&NewChild { point, ..NewChild::default() });
        }
        storage.node(root).publish(first, 3, Asked::default());
        let line = Line {
            nodes: vec![root, first],
            moves: vec![(Color::Black, a), (Color::White, b), (Color::Black, c), (Color::Black, b)],
        };
        let reward = Reward { black: WIN, tree: WIN, score: 5 };
        Rave::new(0.0).update(&storage, &line, Color::Black, reward, 0);
        let rave = |i: u32| storage.node(first + i).rave();
        assert_eq!([rave(0), rave(1), rave(2)], [(1.0, 1.0), (0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(storage.node(first).visits(), 1);
        assert_eq!(storage.node(first).value(), 1.0, "Black moved there and won");
        assert_eq!(storage.node(root).value(), 0.0);
        assert_eq!(storage.node(root).mean_score(), 5.0);
        // With a discount, the later move counts less.
        Rave::new(1.0).update(&storage, &line, Color::Black, reward, 0);
        assert_eq!(rave(0).0, 2.0);
        assert_eq!(rave(2).0, 1.5);
    }
}
