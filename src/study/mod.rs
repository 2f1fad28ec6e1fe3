//! The study: what the five documents describe beside the engine, and their tables beside ours.
//!
//! `tengen study NAME` repeats an experiment ([`command`]), `tengen gtp --player NAME` plays as a method of a paper
//! ([`players`]). [`tree`] is a textbook search to be read beside You's thesis, with [`mix`], [`second`] and
//! [`gauss`], [`prior`] and [`komi`]; [`zero`] is a second one, with a network and no playouts; [`flat`] and [`depth`]
//! are the players before the tree (Lew, Hsu); [`subgames`] is chapter 5 of Lew's thesis. Nothing else uses this room:
//! the folder and the feature `study` may be deleted and the engine still builds. `docs/papers.md` is the map from
//! document to command to result.

pub mod child;
pub mod command;
pub mod depth;
pub mod experiments;
pub mod flat;
pub mod gauss;
pub mod gtp;
pub mod komi;
pub mod mix;
pub mod players;
pub mod policy;
pub mod prior;
pub mod report;
pub mod second;
pub mod settings;
pub mod subgames;
pub mod tree;
pub mod versus;
pub mod zero;

pub use command::{StudyArgs, run};
