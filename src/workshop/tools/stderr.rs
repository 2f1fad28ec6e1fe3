//! A program's standard error, kept within bounds.
//!
//! A thread empties the pipe, so that a program that talks much is never held up. On Unix whoever takes the text
//! empties the pipe first: what a program wrote before its answer is there when the answer is, however late the thread
//! gets its turn on a busy machine. Elsewhere it may come a moment later.

use super::process::lock;
use std::io::{self, Read};
use std::process::ChildStderr;
use std::sync::{Arc, Mutex};
use std::thread;

/// Text beyond this many bytes between two looks is dropped.
pub(super) const KEPT: usize = 64 << 10;
/// The most that a pipe holds unless it was told otherwise: to read more at once would be to follow a flood.
const PIPE: usize = 64 << 10;

/// The text that has come, and the pipe if others than the thread may read it.
#[derive(Debug, Default)]
struct Text {
    pipe: Option<ChildStderr>,
    bytes: Vec<u8>,
    dropped: bool,
    spoken: bool,
}

/// The reading end of a program's standard error.
#[derive(Debug)]
pub(super) struct Stderr(Arc<Mutex<Text>>);

impl Stderr {
    #[cfg(unix)]
    pub(super) fn new(pipe: ChildStderr) -> io::Result<Stderr> {
        use rustix::event::{PollFd, PollFlags, poll};
        use std::os::fd::AsFd;
        rustix::io::ioctl_fionbio(&pipe, true)?;
        let watched = pipe.as_fd().try_clone_to_owned()?;
        let text = Arc::new(Mutex::new(Text { pipe: Some(pipe), ..Text::default() }));
        let kept = Arc::clone(&text);
        thread::spawn(move || {
            let wait = || poll(&mut [PollFd::new(&watched, PollFlags::IN)], None);
            while let Ok(_) | Err(rustix::io::Errno::INTR) = wait() {
                if !lock(&kept).empty_pipe() {
                    break;
                }
            }
        });
        Ok(Stderr(text))
    }

    #[cfg(not(unix))]
    pub(super) fn new(mut pipe: ChildStderr) -> io::Result<Stderr> {
        let text = Arc::new(Mutex::new(Text::default()));
        let kept = Arc::clone(&text);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = pipe.read(&mut chunk) {
                lock(&kept).push(&chunk[..read]);
            }
        });
        Ok(Stderr(text))
    }

    /// The text since the last call.
    pub(super) fn take(&self) -> String {
        let mut text = lock(&self.0);
        text.empty_pipe();
        text.take()
    }

    /// Has there been any?
    pub(super) fn has_spoken(&self) -> bool {
        lock(&self.0).spoken
    }
}

impl Text {
    /// Takes in what the pipe holds now; false if no more can come.
    fn empty_pipe(&mut self) -> bool {
        let Some(mut pipe) = self.pipe.take() else { return false };
        let (mut chunk, mut total) = ([0; 4096], 0);
        while total < PIPE {
            match pipe.read(&mut chunk) {
                Ok(0) => return false,
                Ok(read) => {
                    total += read;
                    self.push(&chunk[..read]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return false,
            }
        }
        self.pipe = Some(pipe);
        true
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.bytes.len());
        self.dropped |= bytes.len() > room;
        self.spoken = true;
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn take(&mut self) -> String {
        let mut text = String::from_utf8_lossy(&self.bytes).into_owned();
        if self.dropped {
            text.push_str("\n[...]\n");
        }
        self.bytes.clear();
        self.dropped = false;
        text
    }
}
