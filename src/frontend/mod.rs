//! Where people and programs meet the engine: GTP, KataGo's JSON analysis, the page of `tengen web`, and the options they share.

pub mod analysis;
mod engine_args;
pub mod gtp;
pub mod page;
pub mod params;
pub mod play;
pub mod review;
pub mod web;

pub use engine_args::{EngineArgs, read_komi, read_playouts, read_seconds};
