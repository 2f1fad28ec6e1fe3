//! Tools for people who work on engines.
//!
//! [`arena`] plays matches, rates players and runs regression suites; [`measure`] compares moves and
//! playouts with a referee; [`label`] asks one; [`train`] learns models from games; [`bench`](mod@bench) measures speed and
//! knows the signature; [`perft`] counts sequences of moves; [`selfcheck`] tries a build. What they share
//! is in [`tools`]; [`fuzz`] is where fuzzers come in.

pub mod arena;
pub mod bench;
pub mod fuzz;
pub mod label;
pub mod measure;
pub mod perft;
pub mod selfcheck;
pub mod tools;
pub mod train;
