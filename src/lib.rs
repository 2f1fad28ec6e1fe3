//! tengen, a Go engine: Monte Carlo tree search without a neural network.

pub mod board;
pub mod cli;
pub mod game;
pub mod playout;
pub mod types;
