//! tengen, a Go engine: Monte Carlo tree search in one small binary.
//!
//! # Three ways to start reading
//!
//! **From the bottom.** [`types`] is the vocabulary. [`board`] is a position, its chains and liberties;
//! [`game`] adds history, rules, handicap and records. [`tactics`] answers local questions (ladders,
//! ataris, eyespaces); [`knowledge`] knows what good players choose. [`playout`] plays a position to its
//! end, [`search`] grows a tree out of many playouts, [`endings`] decides when to pass and resign, and
//! [`engine`] puts them together. [`rank`] plays like a person of a rank.
//!
//! **From the top.** `cli` lists the subcommands. What people and programs talk to is in `frontend`: GTP and
//! KataGo's JSON analysis; they ask [`engine`] for moves. [`time`] keeps the clock, [`params`] declares every
//! number that influences play.
//!
//! **By one playout.** `search/worker.rs` descends the tree by the formula in `search/select.rs`, makes
//! new nodes with the beliefs of `search/expand.rs`, plays to the end with `playout/rules.rs`, and adds
//! the reward to the tree in `search/backup.rs`. That is all of Monte Carlo tree search.
//!
//! Beside the engine stand the tools of `workshop`: matches and ratings, comparisons with a referee,
//! training, speed. They and the front ends need the feature `programs`, which is on by default: a library
//! user who wants the engine alone builds without default features.
//!
//! # Words
//!
//! A *playout* is a game played to its end without a tree; one pass through the tree with a playout at its end is a
//! *simulation*, and what it was worth is a *reward*. A *report* is what a search tells, a *decision* what the engine
//! does about it. A *standing* says which stones are dead or in seki, an *assessment* is how that was found.
//!
//! ```
//! use tengen::engine::{Choice, Color, Engine};
//!
//! let mut engine = Engine::default();
//! let decision = engine.genmove(Color::Black, 100);
//! assert!(matches!(decision.choice, Choice::Play(point) if point.is_on_board(19)));
//! ```

pub mod board;
#[cfg(feature = "programs")]
pub mod cli;
pub mod cluster;
pub mod endings;
pub mod engine;
#[cfg(feature = "programs")]
pub mod frontend;
pub mod game;
pub mod input;
pub mod knowledge;
#[cfg(feature = "programs")]
pub mod logging;
pub mod params;
pub mod playout;
pub mod rank;
pub mod search;
#[cfg(feature = "study")]
pub mod study;
pub mod tactics;
pub mod time;
pub mod types;
pub mod version;
#[cfg(feature = "programs")]
pub mod workshop;
