//! What goes to stderr and to the log file.
//!
//! Clients read stderr: Lizzie merges it into the responses, gtp2ogs looks for chat in it, GoGui
//! for graphics. And some clients never read it, so that a program that writes much blocks for
//! ever in the middle of a search. So every line goes through [`Chatter`]: a thread of its own
//! writes, lines that nobody takes are dropped, and none begins with what a client could
//! mistake for a response.

use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Lines that wait for a slow reader before further ones are dropped.
const WAITING_LINES: usize = 1000;

/// A writer of lines that never blocks.
#[derive(Clone)]
pub struct Chatter {
    lines: Option<SyncSender<Message>>,
}

enum Message {
    Line(String),
    Flush(SyncSender<()>),
}

impl Chatter {
    /// Writes to stderr.
    pub fn stderr() -> Chatter {
        Chatter::new(io::stderr())
    }

    /// Says nothing.
    pub fn silent() -> Chatter {
        Chatter { lines: None }
    }

    /// Writes to a sink.
    pub fn new(sink: impl Write + Send + 'static) -> Chatter {
        let (sender, receiver) = sync_channel(WAITING_LINES);
        thread::spawn(move || write_lines(sink, &receiver));
        Chatter { lines: Some(sender) }
    }

    /// Says something to people: each line is marked as tengen's, unless it is one that a client
    /// waits for.
    pub fn say(&self, text: &str) {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            self.raw(&format!("tengen: {}", line.replace(" -> ", " > ")));
        }
    }

    /// Writes a line as it is: `gogui-gfx: ...`, `MALKOVICH:...`.
    pub fn raw(&self, line: &str) {
        if let Some(lines) = &self.lines {
            // A full queue means that nobody reads: the line is dropped.
            let _ = lines.try_send(Message::Line(line.to_owned()));
        }
    }

    /// Waits until all is written, but not long.
    pub fn flush(&self) {
        let Some(lines) = &self.lines else {
            return;
        };
        let (done, finished) = sync_channel(1);
        if lines.try_send(Message::Flush(done)).is_ok() {
            let _ = finished.recv_timeout(Duration::from_millis(20));
        }
    }
}

fn write_lines(mut sink: impl Write, lines: &Receiver<Message>) {
    for message in lines {
        match message {
            Message::Line(line) => {
                // In one piece: where stderr and stdout are one pipe, a response must not get between a
                // line and its end.
                let text = line + "\n";
                if sink.write_all(text.as_bytes()).and_then(|()| sink.flush()).is_err() {
                    return;
                }
            }
            Message::Flush(done) => drop(done.send(())),
        }
    }
}

/// What a program that serves others begins with: the log, if a file is given, and panics as lines on stderr.
pub fn begin(log: Option<&Path>) -> anyhow::Result<Chatter> {
    log.map_or(Ok(()), log_to_file)?;
    let chatter = Chatter::stderr();
    report_panics(chatter.clone());
    Ok(chatter)
}

/// Sends the log to a file: everything, with time and level, and with it the GTP transcript.
/// `RUST_LOG` can ask for less.
fn log_to_file(path: &Path) -> anyhow::Result<()> {
    use anyhow::Context;
    let file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("cannot write the log file {}", path.display()))?;
    let environment = env_logger::Env::default().default_filter_or("debug");
    env_logger::Builder::from_env(environment)
        .target(env_logger::Target::Pipe(Box::new(file)))
        .format_timestamp_millis()
        .write_style(env_logger::WriteStyle::Never)
        .try_init()
        .context("the log is already set up")
}

/// Makes a panic one line on stderr and in the log instead of a page.
fn report_panics(chatter: Chatter) {
    std::panic::set_hook(Box::new(move |panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_default().replace('\n', " ");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        log::error!("internal error at {place}: {text}");
        chatter.say(&format!("internal error at {place}: {text}"));
    }));
}

/// A sink that keeps what is written, for whoever listens to a session inside this process.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    /// All that was written.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_marked_and_harmless() {
        let sink = Kept::default();
        let chatter = Chatter::new(sink.clone());
        chatter.say("= not a response\n\ninfo A1 -> B2");
        chatter.raw("gogui-gfx: CLEAR");
        chatter.flush();
        let text = sink.text();
        assert_eq!(text, "tengen: = not a response\ntengen: info A1 > B2\ngogui-gfx: CLEAR\n");
    }

    #[test]
    fn a_reader_that_does_not_read_does_not_block() {
        struct Stuck;
        impl Write for Stuck {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                thread::sleep(Duration::from_secs(3600));
                Ok(0)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let chatter = Chatter::new(Stuck);
        let begin = std::time::Instant::now();
        for _ in 0..10 * WAITING_LINES {
            chatter.say("nobody listens");
        }
        chatter.flush();
        assert!(begin.elapsed() < Duration::from_secs(2));
        Chatter::silent().say("nothing");
    }
}
