//! A program and all that it starts.
//!
//! Engines come in wrapper scripts and start helpers of their own. On Unix a program is the leader
//! of a process group, and the group is ended with it, whether it ended by itself or not. The group
//! has the leader's number, which the system gives to another process once the leader is gone and
//! has been waited for; so the group is always ended before the leader is waited for. On other
//! systems only the program itself is ended.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};

/// A process and those that it has started.
#[derive(Debug)]
pub(in crate::workshop) struct Group {
    leader: Child,
    status: Option<ExitStatus>,
}

/// The three pipes of a program.
pub(in crate::workshop) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Group {
    /// Starts a program as the first of a group.
    pub(in crate::workshop) fn start(command: &mut Command) -> io::Result<(Group, Pipes)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut leader = command.spawn()?;
        let pipes = (leader.stdin.take(), leader.stdout.take(), leader.stderr.take());
        Ok((Group { leader, status: None }, pipes))
    }

    /// The process id of the program.
    pub(in crate::workshop) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// Is the program itself still running?
    pub(in crate::workshop) fn is_running(&mut self) -> bool {
        self.status.is_none() && !self.has_ended()
    }

    /// Ends all processes of the group; the exit status is the program's own if it had ended before.
    pub(in crate::workshop) fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            let by_itself = self.has_ended();
            self.kill();
            self.status = self.leader.wait().ok();
            return self.status.filter(|_| by_itself);
        }
        self.status
    }

    /// Has the leader ended? It is not waited for, so that its number stays taken.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(leader) = self.number() else { return true };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::Pid(leader), look) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(status) => return status.is_some(),
                Err(_) => return true, // there is no such child any more
            }
        }
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        if let Some(leader) = self.number() {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }

    #[cfg(unix)]
    fn number(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.leader.id()).ok()?)
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.leader.try_wait(), Ok(None))
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.leader.kill();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}
