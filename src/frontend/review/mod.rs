//! `tengen review`: judges every move of a game.

mod judgement;

pub use judgement::{JudgedCandidate, JudgedMove, JudgedPosition, Review, Verdict};
