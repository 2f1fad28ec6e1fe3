//! tengen, a Go engine: Monte Carlo tree search without a neural network.

pub mod analysis;
pub mod arena;
pub mod bench;
pub mod board;
pub mod cli;
pub mod endings;
pub mod engine;
pub mod figures;
pub mod game;
pub mod gtp;
pub mod input;
pub mod logging;
pub mod measure;
pub mod params;
pub mod pattern;
pub mod playout;
pub mod plot;
pub mod search;
pub mod tactics;
pub mod time;
pub mod train;
pub mod types;
