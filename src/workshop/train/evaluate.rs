//! How well a model predicts: how often the played move is ranked first, second, ...

use super::dataset::Source;
use super::owner::Owners;
use crate::board::Board;
use crate::knowledge::net::Network;
use crate::knowledge::{Model, Scratch};
use crate::types::Point;
use crate::workshop::tools::critics::Critics;
use anyhow::Result;
use cpu_time::ThreadTime;
use std::sync::Arc;
use std::time::Duration;

/// Ranks up to which hits are counted one by one.
pub const RANKS: usize = 50;
/// Moves in a phase of the game.
pub const PHASE: usize = 30;
/// Phases; the last one holds all later moves.
pub const PHASES: usize = 12;

/// Prediction accuracy over a set of games.
#[derive(Clone, Debug, Default)]
pub struct Accuracy {
    /// Games.
    pub games: usize,
    /// Positions.
    pub positions: usize,
    /// How often the played move had rank 1, 2, ...
    pub ranks: Vec<usize>,
    /// By phase of 30 moves: positions, and played moves ranked first.
    pub phases: Vec<(usize, usize)>,
    /// How often the played move was among the worst third of all moves.
    pub worst_third: usize,
    /// Sum of the logarithms of the played moves' probabilities.
    pub log_probability: f64,
    /// Processor time spent evaluating.
    pub time: Duration,
}

impl Accuracy {
    /// Before the first position.
    pub fn empty() -> Accuracy {
        Accuracy { ranks: vec![0; RANKS], phases: vec![(0, 0); PHASES], ..Accuracy::default() }
    }

    /// Counts a position: the number of moves before it, the index of the played move, and the
    /// probabilities of all moves. A move that ties with others gets the worst rank.
    pub fn add(
        &mut self,
        number: usize,
        played: Option<usize>,
        mut probabilities: impl Iterator<Item = f32> + Clone,
    ) {
        self.positions += 1;
        let phase = &mut self.phases[(number / PHASE).min(PHASES - 1)];
        phase.0 += 1;
        let own = played.and_then(|index| probabilities.clone().nth(index)).unwrap_or(0.0);
        self.log_probability += f64::from(own.max(1e-30)).ln();
        if played.is_some() {
            let better = probabilities.clone().filter(|&p| p > own).count();
            let worst = 3 * better >= 2 * probabilities.clone().count();
            self.worst_third += usize::from(worst);
            let rank = probabilities.by_ref().filter(|&p| p >= own).count();
            phase.1 += usize::from(rank == 1);
            if rank <= RANKS {
                self.ranks[rank - 1] += 1;
            }
        }
    }

    /// Part of the positions in which the played move was among the first `n`.
    pub fn top(&self, n: usize) -> f64 {
        let hits: usize = self.ranks.iter().take(n).sum();
        hits as f64 / self.positions.max(1) as f64
    }

    /// Mean logarithm of the played move's probability.
    pub fn mean_log_probability(&self) -> f64 {
        self.log_probability / self.positions.max(1) as f64
    }

    /// Microseconds for all moves of a position.
    pub fn microseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.positions.max(1) as f64
    }
}

/// Measures a model on up to `limit` games.
pub fn evaluate(model: &Model, source: &Source, limit: usize) -> Result<Accuracy> {
    let mut scratch = Scratch::new();
    let mut owners = Owners::new(source.owner);
    measure(source, limit, |board, moves| {
        scratch.set_owners(owners.look(board));
        moves.extend_from_slice(model.evaluate(board, &mut scratch));
    })
}

/// Measures a network, on top of the model that it was trained with.
pub fn evaluate_network(network: &Arc<Network>, source: &Source) -> Result<Accuracy> {
    let mut critics = Critics::new(network);
    measure(source, usize::MAX, |board, moves| {
        let Some(judgement) = critics.judge(board) else { return };
        let legal = board.empty_points().iter().copied();
        let legal = legal.filter(|&point| board.is_legal(board.to_play(), point));
        moves.extend(judgement.probabilities(legal.chain([Point::PASS])));
    })
}

/// Measures whoever says how likely the moves of a position are.
pub(super) fn measure(
    source: &Source,
    limit: usize,
    mut predict: impl FnMut(&Board, &mut Vec<(Point, f32)>),
) -> Result<Accuracy> {
    let source = Source { limit: source.limit.min(limit), ..source.clone() };
    let mut accuracy = Accuracy::empty();
    let mut moves = Vec::new();
    accuracy.games = source.for_each(|game| {
        source.replay(game, |board, played| {
            moves.clear();
            let start = ThreadTime::now();
            predict(board, &mut moves);
            accuracy.time += start.elapsed();
            let at = moves.iter().position(|&(point, _)| point == played);
            accuracy.add(board.move_count(), at, moves.iter().map(|m| m.1));
        });
        Ok(true)
    })?;
    Ok(accuracy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accuracy(rows: &[(usize, Option<usize>, &[f32])]) -> Accuracy {
        let mut accuracy = Accuracy::empty();
        for &(number, played, probabilities) in rows {
            accuracy.add(number, played, probabilities.iter().copied());
        }
        accuracy
    }

    #[test]
    fn the_played_move_is_ranked_and_ties_are_counted_against_it() {
        let found = accuracy(&[
            (0, Some(1), &[0.2, 0.5, 0.3]),
            (29, Some(0), &[0.2, 0.5, 0.3]),
            (30, Some(0), &[0.4, 0.4, 0.2]),
            (10_000, None, &[1.0]),
        ]);
        assert_eq!(found.positions, 4);
        assert_eq!(found.ranks[..3], [1, 1, 1]);
        assert_eq!((found.phases[0], found.phases[1]), ((2, 1), (1, 0)));
        assert_eq!(found.phases[PHASES - 1], (1, 0), "all later moves are in the last phase");
        assert_eq!((found.top(1), found.top(2), found.top(50)), (0.25, 0.5, 0.75));
        assert_eq!(found.worst_third, 1, "the last of three");
    }

    #[test]
    fn the_logarithm_of_a_move_that_was_not_expected_is_bounded() {
        let found = accuracy(&[(0, Some(0), &[0.5, 0.5]), (1, None, &[1.0])]);
        let expected = (0.5f64.ln() + 1e-30f64.ln()) / 2.0;
        assert!((found.mean_log_probability() - expected).abs() < 1e-6);
        assert_eq!(accuracy(&[]).mean_log_probability(), 0.0);
    }
}
