//! The model of moves and the network together: what they say of one position.
//!
//! The network's policy is a correction of what the model expects, and the model's likeliest moves are
//! among the planes that it sees. So whoever asks the network asks the model first; the search does
//! that by its own way, everybody else through a [`Critic`].

use super::model::{Model, Scratch};
use super::net::planes::Expected;
use super::net::{self, Judgement, Network};
use crate::board::Board;
use std::sync::Arc;

/// A network, the model it was trained with, and the memory to ask both. One for each thread.
pub struct Critic {
    network: Arc<Network>,
    model: Arc<Model>,
    evaluator: net::Evaluator,
    scratch: Scratch,
    expected: Expected,
}

impl Critic {
    /// Asks this network about boards of this size, with the embedded model of moves.
    pub fn new(network: Arc<Network>, size: usize) -> Critic {
        Critic {
            evaluator: net::Evaluator::new(network.shape(), size),
            network,
            model: Model::embedded(size),
            scratch: Scratch::new(),
            expected: Expected::filled(0.0),
        }
    }

    /// The embedded network for a size, if there is one.
    pub fn embedded(size: usize) -> Option<Critic> {
        Some(Critic::new(Network::embedded(size)?, size))
    }

    /// Judges a position of the critic's size; nothing on boards that are too small for a network.
    pub fn judge(&mut self, board: &Board) -> Option<&Judgement> {
        self.model.expect(board, &mut self.scratch, &mut self.expected);
        self.evaluator.judge(&self.network, board, Some(&self.expected))
    }
}
