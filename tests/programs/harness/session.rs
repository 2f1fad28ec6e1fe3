//! A GTP session inside this process, and what must hold for any input whatever.

use std::io::{self, Read};
use tengen::frontend::gtp::input::Inbox;
use tengen::frontend::gtp::output::Output;
use tengen::frontend::gtp::parse;
use tengen::frontend::gtp::session::{Session, Settings};
use tengen::logging::{Chatter, Kept};

/// Gives its bytes in pieces, as a slow client would.
struct Pieces {
    bytes: Vec<u8>,
    given: usize,
    length: usize,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.length.min(self.bytes.len() - self.given).min(buffer.len());
        buffer[..count].copy_from_slice(&self.bytes[self.given..self.given + count]);
        self.given += count;
        std::thread::yield_now();
        Ok(count)
    }
}

/// The output of a session that thinks as little as possible. The input comes in pieces of this
/// length.
pub fn run(input: &[u8], piece: usize) -> Vec<u8> {
    let mut settings = Settings::default();
    let hasty = "search.playouts=2\nsearch.memory=1\nsearch.seed=1\nsearch.threads=1\n\
                 status.playouts=2\nstatus.nodes=20\nstatus.total_nodes=100\n";
    settings.overrides.add_file(hasty).expect("parameters");
    let pieces = Pieces { bytes: input.to_vec(), given: 0, length: piece.max(1) };
    let sink = Kept::default();
    let output = Output::new(Box::new(sink.clone()));
    Session::new(settings, Inbox::read(pieces), output, Chatter::silent()).run();
    sink.bytes()
}

/// Every command is answered, once, in order, with its id, and nothing else is written.
pub fn check(input: &[u8], output: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(output).map_err(|_| "the output is not UTF-8")?;
    if text.chars().any(|c| c.is_control() && c != '\n') {
        return Err("a control character in the output".to_owned());
    }
    let mut commands = Vec::new();
    for line in input.split_inclusive(|&b| b == b'\n') {
        if let Some(command) = parse::parse(line) {
            let quits = command.name == "quit";
            commands.push(command);
            if quits {
                break;
            }
        }
    }
    let mut rest = text;
    for command in &commands {
        let (response, after) = rest
            .split_once("\n\n")
            .ok_or_else(|| format!("no answer to '{} {}'", command.id, command.name))?;
        rest = after;
        let wrong = || format!("'{} {}' is answered by '{response}'", command.id, command.name);
        let body = response.strip_prefix(['=', '?']).ok_or_else(wrong)?;
        let body = body.strip_prefix(command.id.as_str()).ok_or_else(wrong)?;
        if !(body.is_empty() || body.starts_with([' ', '\n']))
            || response.contains("internal error")
        {
            return Err(wrong());
        }
    }
    if rest.is_empty() { Ok(()) } else { Err(format!("an answer too many: '{rest}'")) }
}
