//! tengen, a Go engine: Monte Carlo tree search without a neural network.

pub mod cli;
pub mod types;
