//! tengen, a Go engine: Monte Carlo tree search without a neural network.
//!
//! # Three ways to start reading
//!
//! **From the bottom.** [`types`] is the vocabulary. [`board`] is a position, its chains and liberties;
//! [`game`] adds history, rules, handicap and records. [`tactics`] answers local questions (ladders,
//! ataris, eyespaces); [`pattern`] knows what good players choose. [`playout`] plays a position to its
//! end, [`search`] grows a tree out of many playouts, and [`engine`] turns the result into a move, with
//! [`endings`] deciding when to pass and resign.
//!
//! **From the top.** [`cli`] lists the subcommands. `tengen gtp` is [`gtp`], `tengen analysis` is
//! [`analysis`]; both talk to [`engine`] and to nothing below it. [`time`] keeps the clock, [`params`]
//! declares every number that influences play.
//!
//! **By one playout.** `search/worker.rs` descends the tree by the formula in `search/select.rs`, makes
//! new nodes with the beliefs of `search/expand.rs`, plays to the end with `playout/rules.rs`, and adds
//! the result to the tree in `search/backup.rs`. That is all of Monte Carlo tree search.
//!
//! Beside the engine stand the workshop's tools: [`arena`] plays matches and rates players, [`measure`]
//! compares moves and playouts with a referee, [`train`] learns models from games, [`bench`](mod@bench)
//! measures speed.
//!
//! ```
//! use tengen::engine::{Choice, Engine};
//! use tengen::params::Overrides;
//! use tengen::search::{Interrupt, Limit, Request};
//! use tengen::types::Color;
//!
//! let mut engine = Engine::new(Overrides::default());
//! let limit = Limit { playouts: Some(100), ..Limit::default() };
//! let request = Request { limit, ..Request::default() };
//! let decision = engine.generate(Color::Black, &request, &Interrupt::default(), &mut |_| ());
//! assert!(matches!(decision.choice, Choice::Play(point) if point.is_on_board(19)));
//! ```

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
pub mod net;
pub mod params;
pub mod pattern;
pub mod playout;
pub mod plot;
pub mod search;
pub mod selfcheck;
pub mod tactics;
pub mod time;
pub mod train;
pub mod types;
pub mod version;
