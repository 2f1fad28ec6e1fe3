//! GTP, the Go Text Protocol, version 2, with what the clients in use expect beyond it.
//!
//! A reader thread ([`input`]) queues lines; the session executes them one by one through one
//! table of commands ([`command`]); [`output`] frames the responses.

pub mod command;
pub mod input;
pub mod options;
pub mod output;
pub mod parse;
pub mod session;
mod standard;

pub use options::{GtpArgs, run};
