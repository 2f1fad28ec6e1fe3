//! Measures that need no games: `quality`, `calibrate` and `verdicts`.
//!
//! A match of equals needs a thousand games to see 20 Elo. Positions that a superhuman referee has
//! judged say more in less time: what a program's moves lose ([`quality`]), and how far the mean
//! of playouts is from the truth ([`calibrate`]), and whether a review's mistakes are mistakes ([`verdicts`]).

pub mod calibrate;
pub mod cluster;
pub mod labels;
pub mod player;
pub mod quality;
pub mod verdicts;
