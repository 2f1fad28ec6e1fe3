//! A network's judgement of boards of several sizes: what it expects of moves is another model on each.

use crate::board::Board;
use crate::knowledge::Critic;
use crate::knowledge::net::{Judgement, Network};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One network, and a critic for every size that occurs.
pub struct Critics {
    network: Arc<Network>,
    by_size: BTreeMap<usize, Critic>,
}

impl Critics {
    /// Asks this network.
    pub fn new(network: &Arc<Network>) -> Critics {
        Critics { network: Arc::clone(network), by_size: BTreeMap::new() }
    }

    /// Judges a position; nothing on boards that are too small for a network.
    pub fn judge(&mut self, board: &Board) -> Option<&Judgement> {
        let (network, size) = (&self.network, board.size());
        let critic = self.by_size.entry(size);
        critic.or_insert_with(|| Critic::new(Arc::clone(network), size)).judge(board)
    }
}
