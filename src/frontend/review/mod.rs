//! `tengen review`: judges every move of a game.
//!
//! Every position of the game is searched once (`positions`). A move is judged by what the search
//! before it found and what the search after it found (`verdict`). The result is a [`Review`], from
//! which the record (`sgf`) and the page are made. `command` is the program around it.

mod command;
mod judge;
mod judgement;
mod positions;
mod reason;
mod sgf;
mod verdict;

pub use command::{ReviewArgs, run};
pub use judge::{MAX_MOVES, ReviewError, ReviewSettings, judge, main_stretch};
pub use judgement::{JudgedCandidate, JudgedMove, JudgedPosition, Review, Verdict};
pub use positions::{DEFAULT_TIME, Searcher, judging_params};
pub use sgf::to_sgf;
pub use verdict::{Evidence, Loss};
