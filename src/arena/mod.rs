//! The arena.
pub mod answer;
pub mod process;
pub mod stats;
pub mod words;
