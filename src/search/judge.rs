//! What the network says of the positions in the tree, and how much that counts.
//!
//! The network is asked once about a node, when it has some visits. A playout's result is then mixed
//! with the win rate of the deepest node on its path that was judged: `(1 - w) z + w v`. RAVE
//! takes the playout's own result, because a judgement says nothing of the moves that follow. What the
//! network thinks of the moves corrects what the model expected of the node's children.
//!
//! A node keeps the margin that the network expects and its spread, not the win rate: so the win rate
//! follows at any komi, also while dynamic komi moves.

use crate::board::Board;
use crate::knowledge::net::math::{exp, logistic};
use crate::knowledge::net::planes::Expected;
use crate::knowledge::net::{Evaluator, Network, strength};
use crate::params::Params;
use crate::types::{Point, PointMap};
use std::sync::Arc;

/// The margin expected at a position, from Black's side and without komi, as the rules count it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Outlook {
    /// The margin that is exceeded half of the time.
    median: f32,
    /// Scale of the logistic distribution of the margin.
    spread: f32,
}

/// Parts of a point in which a median is kept.
const MEDIAN_UNIT: f32 = 32.0;
/// Parts of a point in which a spread is kept.
const SPREAD_UNIT: f32 = 256.0;

impl Outlook {
    /// In one word, which is never 0.
    pub(super) fn pack(self) -> u32 {
        let median = (self.median * MEDIAN_UNIT).round() as i16;
        let spread = (self.spread * SPREAD_UNIT).round().max(1.0) as u16;
        u32::from(median as u16) << 16 | u32::from(spread)
    }

    /// From a word; nothing if it is 0.
    #[inline(always)]
    pub(super) fn unpack(word: u32) -> Option<Outlook> {
        (word != 0).then(|| Outlook {
            median: f32::from((word >> 16) as u16 as i16) / MEDIAN_UNIT,
            spread: f32::from(word as u16) / SPREAD_UNIT,
        })
    }

    /// The margin that is exceeded half of the time.
    pub(super) fn black_score(self) -> f32 {
        self.median
    }

    /// The probability that Black wins, where White gets this komi.
    pub(super) fn black_winrate(self, komi: f32) -> f32 {
        logistic((self.median - komi) / self.spread)
    }
}

/// Asks the network. One for each thread.
pub(super) struct Judge {
    network: Arc<Network>,
    evaluator: Evaluator,
    visits: u32,
    /// How much its judgement counts against the result of a playout.
    weight: f32,
    /// The share of points with stones up to which it is asked.
    until: f64,
    /// How much its opinion on moves counts on top of the model's.
    policy_weight: f32,
    logits: Vec<f32>,
}

impl Judge {
    /// Nothing if the parameters want no network, if there is none for this size, or if this machine
    /// would take too long for it.
    pub(super) fn new(params: &Params, size: usize) -> Option<Judge> {
        let value = &params.value;
        if !value.network {
            return None;
        }
        let network = params.tree_network.for_size(size)?;
        let evaluator = Evaluator::new(network.shape(), size);
        let asked = evaluator.is_fast() || value.anyway;
        asked.then_some(Judge {
            network,
            evaluator,
            visits: value.visits as u32,
            weight: value.weight as f32,
            until: value.until,
            policy_weight: value.policy as f32,
            logits: Vec::with_capacity(400),
        })
    }

    /// The weight of its judgement in the search of a position: nothing if it is not asked.
    pub(super) fn weight(&self, board: &Board) -> Option<f32> {
        let points = board.size() * board.size();
        let full = 1.0 - board.empty_points().len() as f64 / points as f64;
        (full <= self.until).then_some(self.weight)
    }

    /// Visits of a node before it is asked.
    pub(super) fn visits(&self) -> u32 {
        self.visits
    }

    /// Is it time to ask about a node with so many visits?
    #[inline(always)]
    pub(super) fn is_due(&self, visits: u32) -> bool {
        visits >= self.visits
    }

    /// Who will own the points of a position, from Black's side, for those who show it. `expected` is what
    /// the model expects, if it was asked.
    pub(super) fn owners(
        &mut self,
        board: &Board,
        expected: Option<&Expected>,
    ) -> Option<PointMap<f32>> {
        let judgement = self.evaluator.judge(&self.network, board, expected)?;
        let mut owners = PointMap::filled(0.0);
        board.points().for_each(|point| owners[point] = judgement.black_owner(point));
        Some(owners)
    }

    /// Judges a position. `expected` is what the model expects, if it was asked; it becomes what model
    /// and network together expect of `moves`. `stones` turns an area score into one by the rules.
    pub(super) fn judge(
        &mut self,
        board: &Board,
        expected: Option<&mut Expected>,
        moves: impl Iterator<Item = Point> + Clone,
        stones: f32,
    ) -> Option<Outlook> {
        let judgement = self.evaluator.judge(&self.network, board, expected.as_deref())?;
        let sign = judgement.to_play.sign() as f32;
        let outlook =
            Outlook { median: sign * judgement.median - stones, spread: judgement.spread };
        if let Some(expected) = expected.filter(|_| self.policy_weight > 0.0) {
            let (weight, logits) = (self.policy_weight, &mut self.logits);
            let own = |point: Point| judgement.policy[point] - strength(Some(expected), point);
            logits.clear();
            logits.extend(
                moves.clone().map(|point| strength(Some(expected), point) + weight * own(point)),
            );
            let largest = logits.iter().fold(f32::MIN, |a, &b| a.max(b));
            logits.iter_mut().for_each(|logit| *logit = exp(*logit - largest));
            let sum: f32 = logits.iter().sum();
            for (point, &likely) in moves.zip(logits.iter()) {
                expected[point] = likely / sum;
            }
        }
        Some(outlook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlook_survives_its_word() {
        assert_eq!(Outlook::unpack(0), None);
        for (median, spread) in [(0.0, 0.001), (-81.0, 3.25), (360.5, 20.0), (7.03125, 255.0)] {
            let outlook = Outlook { median, spread };
            let again = Outlook::unpack(outlook.pack()).unwrap();
            assert!((again.median - median).abs() <= 0.5 / MEDIAN_UNIT);
            assert!((again.spread - spread).abs() <= 1.0 / SPREAD_UNIT);
        }
        let even = Outlook { median: 7.0, spread: 4.0 };
        assert_eq!(even.black_winrate(7.0), 0.5);
        assert!(even.black_winrate(3.0) > 0.7 && even.black_winrate(11.0) < 0.3);
    }

    #[test]
    fn the_network_is_asked_until_the_board_has_filled() {
        let mut params = Params::for_size(9);
        params.value.network = true;
        params.value.anyway = true;
        params.value.weight = 0.8;
        params.value.until = 0.3;
        let judge = Judge::new(&params, 9).unwrap();
        let mut board = Board::new(9);
        assert_eq!(judge.weight(&board), Some(0.8));
        // A third of the board, columns apart so that nothing is captured.
        for column in [1, 4, 7] {
            (1..=9).for_each(|row| board.play_legal(Point::new(column, row)));
        }
        assert_eq!(judge.weight(&board), None);
    }
}
