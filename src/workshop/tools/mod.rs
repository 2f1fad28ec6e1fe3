//! What the tools share: other programs as processes, statistics, figures, plots, work on many threads.

pub mod answer;
pub mod critics;
pub mod date;
pub mod fault;
pub mod figures;
pub(super) mod group;
pub(super) mod pipe;
pub mod player;
pub mod plot;
pub mod process;
pub mod statistics;
mod stderr;
pub mod words;
pub mod work;
