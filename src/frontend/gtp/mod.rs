//! GTP, the Go Text Protocol, version 2, with what the clients in use expect beyond it.
//!
//! A reader thread ([`input`]) queues lines; the session executes them one by one through one
//! table of commands ([`command`]); [`output`] frames the responses.

mod analyze;
mod cgos;
pub mod command;
mod gnugo;
mod gogui;
mod gomill;
pub mod graphics;
pub mod info;
pub mod input;
mod kata;
mod kgs;
pub mod options;
pub mod output;
pub mod parse;
mod person;
mod playouts;
mod raw_nn;
pub mod session;
mod sgf;
mod standard;
mod status;
mod think;

pub use kata::parse_rules;
pub use options::{GtpArgs, PlayerRequest, run, run_with};
