//! What players of a rank choose.
//!
//! For each of ten groups of ranks there are the weights of the features in the tree's model of 9x9, learned again from
//! the moves of players of these ranks (`patterns/README.md`); the large patterns and the vectors are the tree's own.
//! Between the middles of two groups the weights of both are mixed. Small models without patterns, which were tried
//! first, knew less of weak players' moves than the tree's model of dan players does (mean log-probability -2.05
//! and -1.84 on moves of 24k to 26k).
//!
//! There are no such games on larger boards. What transfers is how the weights of a rank differ from the tree's on 9x9:
//! the difference is added to the weights of the tree's model of 19x19. What 9x9 cannot teach (the tenth line, a
//! distance of seventeen) has no difference.

use super::Rank;
use crate::board::Board;
use crate::knowledge::{Model, Scratch};
use crate::types::{Point, Rng};
use std::sync::LazyLock;

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../patterns/rank/", $name, ".tgm"))
    };
}

/// The middle of each group of ranks (1d is 0, 1k is -1), and its model.
const FILES: [(f32, &[u8]); 10] = [
    (-28.0, file!("28k")),
    (-25.0, file!("25k")),
    (-22.0, file!("22k")),
    (-19.0, file!("19k")),
    (-16.5, file!("16k")),
    (-13.0, file!("13k")),
    (-10.0, file!("10k")),
    (-6.5, file!("6k")),
    (-2.0, file!("2k")),
    (2.0, file!("3d")),
];

static GROUPS: LazyLock<Vec<(f32, Vec<f32>)>> =
    LazyLock::new(|| FILES.iter().map(|&(middle, bytes)| (middle, weights(bytes))).collect());

/// The files are checked by a test, so they can always be read.
fn weights(bytes: &[u8]) -> Vec<f32> {
    let model = Model::parse(bytes).unwrap_or_else(|error| panic!("embedded weights: {error}"));
    model.weights().to_vec()
}

/// Likely moves that together have so much of the probability are drawn from; the rest are slips of the hand, which
/// a linear model believes in more than people make them.
const LIKELY: f32 = 0.98;

/// The moves of players of one rank.
#[derive(Clone)]
pub struct RankModel {
    model: Model,
    scratch: Scratch,
}

impl RankModel {
    /// What players of this rank choose on boards of this size.
    pub fn new(rank: Rank, size: usize) -> RankModel {
        let mut weights = small_board_weights(f32::from(rank.above_first_dan()));
        let (tree, tree_of_9x9) = (Model::embedded(size), Model::embedded(9));
        if size > 11 {
            for (id, weight) in weights.iter_mut().enumerate() {
                *weight += tree.weights()[id] - tree_of_9x9.weights()[id];
            }
        }
        RankModel { model: tree.with_weights(weights), scratch: Scratch::new() }
    }

    /// The moves that a player may think of, with their probabilities, the likeliest first: legal, no filling of an
    /// own eye, no pass, nothing that hardly anybody of the rank would play, and nothing of the worst third.
    pub fn likely_moves(&mut self, board: &Board) -> Vec<(Point, f32)> {
        let color = board.to_play();
        let mut moves = self.model.evaluate(board, &mut self.scratch).to_vec();
        // The order of the board's points depends on its history.
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moves.truncate((2 * moves.len()).div_ceil(3));
        moves.retain(|&(point, _)| !point.is_pass() && !board.is_eye(color, point));
        let total: f32 = moves.iter().map(|m| m.1).sum();
        let mut sum = 0.0;
        let kept = moves.iter().take_while(|m| {
            let wanted = sum <= LIKELY * total;
            sum += m.1;
            wanted
        });
        let kept = kept.count();
        moves.truncate(kept);
        moves
    }
}

/// Draws a move by the probabilities, which need not sum to one; None if there is none.
pub(super) fn draw(moves: &[(Point, f32)], rng: &mut Rng) -> Option<Point> {
    let total: f32 = moves.iter().map(|m| m.1).sum();
    let mut left = rng.unit() as f32 * total;
    for &(point, probability) in moves {
        left -= probability;
        if left < 0.0 {
            return Some(point);
        }
    }
    moves.last().map(|m| m.0)
}

/// The weights for a rank on 9x9: those of the two nearest groups, mixed.
fn small_board_weights(rank: f32) -> Vec<f32> {
    let groups = &*GROUPS;
    let upper = groups.iter().position(|group| group.0 >= rank).unwrap_or(groups.len() - 1).max(1);
    let (below, above) = (&groups[upper - 1], &groups[upper]);
    let way = ((rank - below.0) / (above.0 - below.0)).clamp(0.0, 1.0);
    let mix = |(&one, &other): (&f32, &f32)| one + way * (other - one);
    below.1.iter().zip(&above.1).map(mix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::rank::{STRONGEST, WEAKEST};

    #[test]
    fn the_embedded_models_can_be_read_and_are_small() {
        let mut bytes = 0;
        for (_, file) in FILES {
            assert_eq!(Model::parse(file).unwrap().difference, None);
            bytes += file.len();
        }
        assert!(bytes < 300_000, "{bytes} bytes");
        assert!(FILES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn likely_moves_are_sane_on_every_size_and_for_every_rank() {
        for size in [5, 9, 13, 19] {
            for rank in [WEAKEST, Rank::kyu(12).unwrap(), STRONGEST] {
                let moves = RankModel::new(rank, size).likely_moves(&Board::new(size));
                assert!(!moves.is_empty() && moves.len() < size * size, "{size} {rank}");
                assert!(moves.is_sorted_by(|a, b| a.1 >= b.1));
                assert!(moves.iter().all(|m| m.0.is_on_board(size)));
                if size >= 9 {
                    assert!(moves[0].0.line(size) >= 3, "{size} {rank} begins at {}", moves[0].0);
                }
            }
        }
    }

    #[test]
    fn no_own_eye_is_filled_and_no_pass_is_drawn() {
        let board = Diagram::parse(
            ". X . X O
             X X X X O
             O O O O O
             O . O . O
             O O O O .",
        )
        .unwrap()
        .board;
        assert!(RankModel::new(WEAKEST, 5).likely_moves(&board).is_empty());
    }

    #[test]
    fn nothing_of_the_worst_third_is_thought_of() {
        let board = Diagram::parse(
            ". . . . . . .
             . X X . . O .
             . O X . O . .
             . . O X . . .
             . . O . X . .
             . . . . . . .
             . . . . . . .",
        )
        .unwrap()
        .board;
        let mut players = RankModel::new(WEAKEST, 7);
        let likely = players.likely_moves(&board);
        let all = players.model.evaluate(&board, &mut players.scratch);
        for &(point, probability) in &likely {
            let better = all.iter().filter(|m| m.1 > probability).count();
            assert!(3 * better < 2 * all.len(), "{point} is number {better} of {}", all.len());
        }
        assert!(likely.len() > 5);
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let (one, other) = (Point::new(1, 1), Point::new(2, 2));
        let mut rng = Rng::new(5);
        let moves = [(one, 0.6), (other, 0.2)];
        let drawn = (0..1000).filter(|_| draw(&moves, &mut rng) == Some(one)).count();
        // 750 are expected; five standard deviations are 68.
        assert!((682..=818).contains(&drawn), "{drawn}");
        assert_eq!(draw(&[], &mut rng), None);
        assert_eq!(draw(&[(one, 0.0)], &mut rng), Some(one));
    }
}
