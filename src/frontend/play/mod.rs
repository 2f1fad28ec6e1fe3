//! `tengen play`: a game against the engine in a terminal.
//!
//! `options` is the command line. `lines` reads what a person types: through a line editor at a terminal, plainly
//! from a pipe. `command` understands it, `table` is the game with its two players, and `drawing` makes the
//! picture of the board. How strong the engine plays is in `strength` and nowhere else.

mod command;
mod drawing;
mod lines;
mod options;
mod strength;
mod table;

pub use options::{PlayArgs, run};
