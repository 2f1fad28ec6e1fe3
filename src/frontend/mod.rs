//! Where people and programs meet the engine: GTP, KataGo's JSON analysis, the page of `tengen web`, and the options they share.

pub mod analysis;
mod engine_args;
pub mod gtp;
pub mod page;
pub mod params;
pub mod play;
pub mod review;
pub mod web;

pub use engine_args::{EngineArgs, client_komi, read_komi, read_playouts, read_seconds};

use std::io::{self, Write};

/// Writes to standard output; that nobody reads to the end (`| head`) is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// The first line of an input without the mark that some editors put before UTF-8.
pub(crate) fn without_byte_order_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}
