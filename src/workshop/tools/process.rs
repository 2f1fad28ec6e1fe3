//! A GTP program as a child process that can misbehave in any way without doing harm.
//!
//! One thread reads the program's standard output and cuts it into answers, one drains its
//! standard error; answers arrive in a channel, so waiting for one has a time limit and costs no
//! polling, and commands are written with a time limit too. Whatever the program does ends in an
//! [`Answer`] or a [`Fault`]: it may print text that is no answer, answer with megabytes, stop
//! reading, close its pipes or die.
//!
//! Commands are started directly, not by a shell: a missing program is then an error at the start
//! instead of a dead child, and the process whose time is measured is the engine itself. Each
//! program gets a process group of its own, so that Ctrl-C ends the tool and not, a moment before,
//! the engines, whose games would be counted as crashes, and so that what the program itself has
//! started ends with it.

use super::answer::{Answer, Event, read_answers};
use super::fault::{Fault, FaultKind};
use super::group::Group;
use super::pipe::Pipe;
use super::stderr::Stderr;
use super::words::{executable, short};
use anyhow::{Context, anyhow};
use std::io::{self, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Answers that wait to be read; a program that writes more of them has to wait itself.
const UNREAD_ANSWERS: usize = 256;
/// A program that has given more answers than this without being asked is given up.
const UNASKED_ANSWERS: usize = 1000;
/// How long a program may take to end after `quit`.
const QUIT_TIME: Duration = Duration::from_secs(3);
/// How often to look whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A running GTP program.
#[derive(Debug)]
pub struct Process {
    group: Group,
    stdin: Option<Pipe>,
    events: Receiver<Event>,
    stderr: Stderr,
    line: Vec<u8>,
}

impl Process {
    /// Starts a program, in a directory if one is given.
    pub fn start(words: &[String], directory: Option<&Path>) -> anyhow::Result<Process> {
        let (program, arguments) =
            words.split_first().context("the command of the program is empty")?;
        let mut command = Command::new(executable(program));
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        #[cfg(feature = "mpi")]
        crate::cluster::mpi::start_outside(&mut command);
        let failed = |reason: &str| anyhow!("cannot start the program '{program}': {reason}");
        let system = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => failed("there is no such program"),
            _ => failed(&error.to_string()),
        };
        let (group, pipes) = Group::start(&mut command).map_err(system)?;
        let (Some(stdin), Some(stdout), Some(errors)) = pipes else {
            return Err(failed("its pipes could not be opened"));
        };
        let stdin = Some(Pipe::new(stdin).map_err(system)?);
        let (sender, events) = mpsc::sync_channel(UNREAD_ANSWERS);
        thread::spawn(move || {
            read_answers(BufReader::with_capacity(1 << 14, stdout), |event| {
                sender.send(event).is_ok()
            });
        });
        let stderr = Stderr::new(errors).map_err(system)?;
        Ok(Process { group, stdin, events, stderr, line: Vec::new() })
    }

    /// Sends a command and waits for its answer. Text that came before without being asked for is
    /// forgotten first. After a fault the program has been ended.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<Answer, Fault> {
        let mut unasked = 0;
        while let Ok(event) = self.events.try_recv() {
            match event {
                Event::Answer(_) if unasked < UNASKED_ANSWERS => unasked += 1,
                Event::Answer(_) => return Err(self.garbage(command)),
                Event::Flood => return Err(self.garbage(command)),
                Event::Closed => return Err(self.crash(command)),
            }
        }
        self.line.clear();
        self.line.extend_from_slice(command.as_bytes());
        self.line.push(b'\n');
        let deadline = after(timeout);
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write(&self.line, deadline),
            None => return Err(self.crash(command)),
        };
        match written {
            Ok(()) => (),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let text = format!("'{}' was not read within", short(command, 60));
                return Err(self.hang(&text, timeout));
            }
            Err(_) => return Err(self.crash(command)),
        }
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Event::Answer(answer)) => Ok(answer),
            Ok(Event::Flood) => Err(self.garbage(command)),
            Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => Err(self.crash(command)),
            Err(RecvTimeoutError::Timeout) => {
                if !self.group.is_running() {
                    return Err(self.crash(command));
                }
                Err(self.hang(&format!("no answer to '{}' within", short(command, 60)), timeout))
            }
        }
    }

    fn hang(&mut self, text: &str, timeout: Duration) -> Fault {
        self.end();
        Fault::new(FaultKind::Hang, format!("{text} {} s", timeout.as_secs_f64()))
    }

    fn crash(&mut self, command: &str) -> Fault {
        // The pipe closes a moment before the exit code is known.
        for _ in 0..50 {
            if !self.group.is_running() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let status = self.end().map_or("closed its output".to_owned(), |status| status.to_string());
        let text = format!("the program ended ({status}) at '{}'", short(command, 60));
        Fault::new(FaultKind::Crash, text)
    }

    fn garbage(&mut self, command: &str) -> Fault {
        self.end();
        let text = format!("endless output instead of an answer to '{}'", short(command, 60));
        Fault::new(FaultKind::Protocol, text)
    }

    /// The standard error since the last call.
    pub fn take_stderr(&self) -> String {
        self.stderr.take()
    }

    /// Has it written to standard error since it was started?
    pub fn has_spoken(&self) -> bool {
        self.stderr.has_spoken()
    }

    /// Processor seconds used so far by all threads, where the system tells (Linux).
    pub fn cpu_seconds(&self) -> Option<f64> {
        const TICKS_PER_SECOND: f64 = 100.0; // fixed in the kernel's interface
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.group.id())).ok()?;
        // The name in parentheses may contain spaces; user and system time are the 12th and 13th
        // word after it.
        let (_, after_name) = stat.rsplit_once(')')?;
        let mut words = after_name.split_ascii_whitespace().skip(11);
        let mut ticks = || words.next()?.parse::<f64>().ok();
        Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
    }

    /// Has it not ended?
    pub fn is_running(&mut self) -> bool {
        self.group.is_running()
    }

    /// Asks the program to end and sees to it in the background that it does, and with it all that it
    /// has started; the handle waits for that.
    pub fn retire(mut self) -> thread::JoinHandle<()> {
        thread::spawn(move || {
            let deadline = after(QUIT_TIME);
            if let Some(mut stdin) = self.stdin.take() {
                let _ = stdin.write(b"quit\n", deadline);
            }
            // Its output closes a moment before it ends, or never if a child of it lives on.
            let mut closed = false;
            while self.group.is_running() && Instant::now() < deadline {
                if closed {
                    thread::sleep(LOOK_EVERY);
                } else {
                    match self.events.recv_timeout(LOOK_EVERY) {
                        Ok(Event::Answer(_) | Event::Flood) | Err(RecvTimeoutError::Timeout) => {}
                        Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => closed = true,
                    }
                }
            }
            self.end();
        })
    }

    /// Ends the program now, and all that it has started; the exit status if it had ended before.
    fn end(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        self.group.end()
    }
}

/// The moment after this time.
fn after(time: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(1_000_000_000);
    let now = Instant::now();
    now + time.min(FAR)
}

/// The content of a mutex, also after another thread panicked while holding it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let words = ["sh", "-c", script].map(str::to_owned);
        Process::start(&words, None).unwrap()
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_program_answers_and_its_stderr_is_kept() {
        let mut echo = shell(r#"while read x; do echo "got $x" >&2; echo "= $x"; echo; done"#);
        let answer = echo.send("name", 10 * SECOND).unwrap();
        assert!(answer.success && answer.text == "name");
        assert_eq!(echo.send("x y", 10 * SECOND).unwrap().text, "x y");
        let errors = echo.take_stderr();
        // Elsewhere it may be a moment late.
        assert!(errors == "got name\ngot x y\n" || cfg!(not(unix)), "{errors}");
        assert_eq!(echo.take_stderr(), "");
        let id = echo.group.id();
        echo.retire().join().unwrap();
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }

    #[test]
    fn death_hang_and_missing_programs_are_told_apart() {
        let mut dead = shell("read x; exit 3");
        let fault = dead.send("name", 10 * SECOND).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.text.contains('3') && fault.text.ends_with("at 'name'"), "{fault}");
        assert_eq!(dead.send("name", SECOND).unwrap_err().kind, FaultKind::Crash);

        let mut hanging = shell("sleep 1000 & wait");
        let started = Instant::now();
        let fault = hanging.send("genmove b", Duration::from_millis(100)).unwrap_err();
        assert_eq!(fault.to_string(), "hang: no answer to 'genmove b' within 0.1 s");
        assert!(started.elapsed() < 5 * SECOND);

        let missing = Process::start(&["/no/such/program".to_owned()], None).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "cannot start the program '/no/such/program': there is no such program"
        );
    }

    #[test]
    fn who_answers_and_does_not_read_is_given_up() {
        let mut deaf = shell("echo = x; echo; sleep 1000");
        let long = "x".repeat(1 << 20); // no pipe holds that
        let fault = deaf.send(&long, Duration::from_millis(300)).unwrap_err();
        assert!(fault.kind == FaultKind::Hang && fault.text.contains("not read"), "{fault}");
        assert!(!deaf.is_running());
        // To retire such a program takes no longer than another.
        let mut deaf = shell("trap '' PIPE; exec sleep 1000");
        let half = "x".repeat(50_000);
        assert!(deaf.stdin.as_mut().unwrap().write(half.as_bytes(), after(SECOND)).is_ok());
        let full = deaf.stdin.as_mut().unwrap().write(half.as_bytes(), Instant::now());
        assert_eq!(full.unwrap_err().kind(), io::ErrorKind::TimedOut);
        let id = deaf.group.id();
        deaf.retire().join().unwrap();
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }

    #[test]
    fn who_reads_slowly_gets_the_whole_command() {
        let mut slow = shell("sleep 0.3; while read x; do echo = ${#x}; echo; done");
        assert_eq!(slow.send(&"x".repeat(200_000), 60 * SECOND).unwrap().text, "200000");
        assert_eq!(slow.send("abc", 60 * SECOND).unwrap().text, "3");
    }

    /// A program that starts another one, tells its number, and goes on in some way.
    #[cfg(target_os = "linux")]
    fn parent(then: &str) -> (Process, String) {
        let start = "sleep 1000 <&- >&- 2>&- & read x; echo = $!; echo;";
        let mut process = shell(&format!("{start} {then}"));
        let child = process.send("name", 60 * SECOND).unwrap().text;
        assert!(runs(&child), "{child}");
        (process, child)
    }

    /// Does a process run? One that nobody has waited for is dead all the same.
    #[cfg(target_os = "linux")]
    fn runs(id: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_program_has_started_ends_with_it() {
        let ends = |child: &str, how: &str| {
            let started = Instant::now();
            while runs(child) {
                assert!(started.elapsed() < 60 * SECOND, "{how}: {child} runs on");
                thread::yield_now();
            }
        };
        let (process, child) = parent("read x; echo =; echo");
        process.retire().join().unwrap();
        ends(&child, "quit");
        let (mut process, child) = parent("exit 3");
        let fault = process.send("genmove b", 60 * SECOND).unwrap_err();
        assert!(fault.text.contains('3'), "{fault}");
        ends(&child, "crash");
        let (mut process, child) = parent("read x; wait");
        assert!(process.send("genmove b", Duration::from_millis(50)).is_err());
        ends(&child, "hang");
        let (process, child) = parent("read x; wait");
        drop(process);
        ends(&child, "drop");
        // It had ended before anybody looked.
        let (mut process, child) = parent("exit 0");
        while process.is_running() {
            thread::yield_now();
        }
        assert!(runs(&child));
        drop(process);
        ends(&child, "end");
    }

    #[test]
    fn a_flood_on_stderr_blocks_nobody() {
        let mut noisy = shell("read x; yes | head -c 10000000 >&2; echo = ok; echo; read x");
        assert_eq!(noisy.send("name", 60 * SECOND).unwrap().text, "ok");
        let text = noisy.take_stderr();
        assert!(text.len() <= super::super::stderr::KEPT + 10 && text.ends_with("[...]\n"));
    }

    #[test]
    fn answers_nobody_asked_for_do_no_harm() {
        let mut spam = shell("while echo = x; do echo; done");
        let (id, started) = (spam.group.id(), Instant::now());
        for _ in 0..100 {
            match spam.send("name", 10 * SECOND) {
                Ok(answer) => assert_eq!(answer.text, "x"),
                Err(fault) => {
                    assert_eq!(fault.kind, FaultKind::Protocol, "{fault}");
                    break;
                }
            }
        }
        drop(spam);
        assert!(started.elapsed() < 30 * SECOND);
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn processor_time_is_measured() {
        let mut busy = shell(
            "read x; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo =; echo; read x",
        );
        let before = busy.cpu_seconds().unwrap();
        busy.send("go", 60 * SECOND).unwrap();
        assert!(busy.cpu_seconds().unwrap() > before);
    }
}
