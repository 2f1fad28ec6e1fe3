//! A program's standard input, written with a time limit.
//!
//! A program that answers and never reads fills the pipe, and a plain write then waits for ever. On
//! Unix the pipe is written without waiting; when it is full, the system says when there is room
//! again. A thread that writes would do the same everywhere, but would have to be woken for every
//! command, at the cost of the clock's accuracy on a busy machine; so elsewhere writes are plain.

use std::io;
use std::process::ChildStdin;
use std::time::Instant;

/// The writing end of a pipe.
#[derive(Debug)]
pub(in crate::workshop) struct Pipe {
    stdin: ChildStdin,
}

#[cfg(unix)]
impl Pipe {
    /// Only this end of the pipe is changed: the program's own end waits as before.
    pub(in crate::workshop) fn new(stdin: ChildStdin) -> io::Result<Pipe> {
        rustix::io::ioctl_fionbio(&stdin, true)?;
        Ok(Pipe { stdin })
    }

    /// Writes all bytes; the error is `TimedOut` if the program did not read them in time.
    pub(in crate::workshop) fn write(
        &mut self,
        mut bytes: &[u8],
        deadline: Instant,
    ) -> io::Result<()> {
        use io::Write;
        while !bytes.is_empty() {
            match self.stdin.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(deadline)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits for room in the pipe, or for its end.
    fn wait(&self, deadline: Instant) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let left = Timespec::try_from(left).ok(); // none for longer than the clock can count
        let mut pipe = [PollFd::new(&self.stdin, PollFlags::OUT)];
        match poll(&mut pipe, left.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(not(unix))]
impl Pipe {
    pub(in crate::workshop) fn new(stdin: ChildStdin) -> io::Result<Pipe> {
        Ok(Pipe { stdin })
    }

    /// Writes all bytes, however long it takes.
    pub(in crate::workshop) fn write(
        &mut self,
        bytes: &[u8],
        _deadline: Instant,
    ) -> io::Result<()> {
        io::Write::write_all(&mut self.stdin, bytes)
    }
}
