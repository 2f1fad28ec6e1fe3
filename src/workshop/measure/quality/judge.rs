//! What the network alone would play, without any search.

use super::super::labels::{Labels, Position};
use super::super::player::Reply;
use super::{Answered, Loss};
use crate::engine::Choice;
use crate::knowledge::net::Network;
use crate::types::Point;
use crate::workshop::tools::critics::Critics;
use crate::workshop::tools::work::in_parallel;
use clap::ValueEnum;
use cpu_time::ThreadTime;
use std::sync::Arc;

/// Which of the network's opinions chooses the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum NetworkJudge {
    /// The likeliest move
    Policy,
    /// The move after which the opponent's winrate is lowest
    Value,
}

impl NetworkJudge {
    /// The answers to all positions of a suite.
    pub fn answer(self, network: &Arc<Network>, suite: &Labels, jobs: usize) -> Vec<Answered> {
        in_parallel(
            suite.positions.len(),
            jobs,
            || Critics::new(network),
            |critics, index| {
                let position = &suite.positions[index];
                let begin = ThreadTime::now();
                let choice = Choice::Play(self.choose(critics, position));
                let seconds = begin.elapsed().as_secs_f64();
                let reply = Reply { choice, seconds, cpu_seconds: Some(seconds) };
                Answered { reply, loss: Loss::of(position, choice) }
            },
        )
    }

    fn choose(self, critics: &mut Critics, position: &Position) -> Point {
        let board = position.board();
        let color = board.to_play();
        let legal = |&point: &Point| {
            board.is_empty(point) && board.is_legal(color, point) && !board.is_eye(color, point)
        };
        let moves = board.points().filter(legal).chain([Point::PASS]);
        let best = |scores: Vec<(Point, f32)>| {
            let best = scores.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
            best.map_or(Point::PASS, |(point, _)| point)
        };
        match self {
            NetworkJudge::Policy => {
                let Some(judgement) = critics.judge(&board) else { return Point::PASS };
                best(moves.map(|point| (point, judgement.policy[point])).collect())
            }
            NetworkJudge::Value => {
                let mut after = board.clone();
                let mut value = |point: Point| {
                    after.copy_from(&board);
                    after.play_legal(point);
                    let judgement = critics.judge(&after);
                    judgement.map_or(0.0, |judgement| 1.0 - judgement.winrate(position.komi))
                };
                best(moves.map(|point| (point, value(point))).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::labels::Needs;
    use super::*;

    #[test]
    fn the_network_alone_plays_a_sensible_first_move() {
        let line = r#"{"size":9,"komi":7.0,"moves":"","after":{"E5":[0.0,0.5],"A1":[-12.0,0.05]}}"#;
        let position = Position::parse(line, Needs::Moves).unwrap();
        let suite = Labels { name: "made".to_owned(), positions: vec![position] };
        let network = Network::embedded(9).unwrap();
        for judge in [NetworkJudge::Policy, NetworkJudge::Value] {
            let answers = judge.answer(&network, &suite, 1);
            let Choice::Play(point) = answers[0].reply.choice else { panic!("it resigns") };
            assert!(point.line(9) >= 3, "{judge:?}: {point}");
        }
    }
}
