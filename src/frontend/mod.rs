//! Where people and programs meet the engine: GTP, KataGo's JSON analysis, and the options they share.

pub mod analysis;
mod engine_args;
pub mod gtp;
pub mod params;
pub mod play;
pub mod review;

pub use engine_args::{EngineArgs, read_playouts, read_seconds};
