//! tengen, a Go engine: Monte Carlo tree search without a neural network.

pub mod arena;
pub mod board;
pub mod cli;
pub mod endings;
pub mod engine;
pub mod game;
pub mod gtp;
pub mod input;
pub mod params;
pub mod playout;
pub mod plot;
pub mod search;
pub mod tactics;
pub mod time;
pub mod types;
