//! A GTP program as a child process that can misbehave in any way without doing harm.
//!
//! One thread reads the program's standard output and cuts it into answers, one drains its
//! standard error; answers arrive in a channel, so waiting for one has a time limit and costs no
//! polling. Whatever the program does ends in an [`Answer`] or a [`Failure`]: it may print text
//! that is no answer, answer with megabytes, stop reading, close its pipes or die.
//!
//! Commands are started directly, not by a shell: a missing program is then an error at the start
//! instead of a dead child, and the process whose time is measured is the engine itself. Each
//! program gets a process group of its own, so that Ctrl-C ends the tool and not, a moment before,
//! the engines, whose games would be counted as crashes.

use super::answer::{Answer, Event, read_answers};
use super::words::{WordsError, executable};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Standard error beyond this many bytes between two looks is dropped.
const KEPT_STDERR: usize = 64 << 10;
/// Answers that wait to be read; a program that writes more of them has to wait itself.
const UNREAD_ANSWERS: usize = 256;
/// A program that has given more answers than this without being asked is given up.
const UNASKED_ANSWERS: usize = 1000;
/// How long a program may take to end after `quit`.
const QUIT_TIME: Duration = Duration::from_secs(3);

/// A command line that cannot be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// The command line has no words, or an open quote.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// The operating system refused.
    #[error("cannot start the program '{program}': {reason}")]
    System {
        /// The program.
        program: String,
        /// Why.
        reason: String,
    },
}

/// Why a program gave no usable answer. The program has been ended when this is returned, except
/// after [`Failure::Garbage`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// It ended, or closed its output.
    #[error("crash: the program ended ({status}) at '{command}'")]
    Crash {
        /// The command that was not answered.
        command: String,
        /// Exit code or signal.
        status: String,
    },
    /// No answer in the time allowed.
    #[error("hang: no answer to '{command}' within {seconds} s")]
    Hang {
        /// The command that was not answered.
        command: String,
        /// The time allowed.
        seconds: u64,
    },
    /// Endless output that is no answer.
    #[error("garbage: output without end at '{command}'")]
    Garbage {
        /// The command that was not answered.
        command: String,
    },
}

/// A running GTP program.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    stderr: Arc<Mutex<StderrText>>,
    line: Vec<u8>,
}

impl Process {
    /// Starts a program, in a directory if one is given.
    pub fn start(words: &[String], directory: Option<&Path>) -> Result<Process, StartError> {
        let (program, arguments) = words.split_first().ok_or(WordsError::Empty)?;
        let mut command = Command::new(executable(program));
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let system = |reason: String| StartError::System { program: program.clone(), reason };
        let mut child = command.spawn().map_err(|error| {
            system(match error.kind() {
                io::ErrorKind::NotFound => "there is no such program".to_owned(),
                _ => error.to_string(),
            })
        })?;
        let pipe = || system("its pipes could not be opened".to_owned());
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(pipe)?;
        let mut errors = child.stderr.take().ok_or_else(pipe)?;
        let (sender, events) = mpsc::sync_channel(UNREAD_ANSWERS);
        thread::spawn(move || {
            read_answers(BufReader::with_capacity(1 << 14, stdout), |event| {
                sender.send(event).is_ok()
            });
        });
        let stderr = Arc::new(Mutex::new(StderrText::default()));
        let kept = Arc::clone(&stderr);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = errors.read(&mut chunk) {
                lock(&kept).push(&chunk[..read]);
            }
        });
        Ok(Process { child, stdin, events, stderr, line: Vec::new() })
    }

    /// Sends a command and waits for its answer. Text that came before without being asked for is
    /// forgotten first.
    pub fn send(&mut self, command: &str, timeout: Duration) -> Result<Answer, Failure> {
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
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(&self.line),
            None => return Err(self.crash(command)),
        };
        if written.is_err() {
            return Err(self.crash(command));
        }
        match self.events.recv_timeout(timeout) {
            Ok(Event::Answer(answer)) => Ok(answer),
            Ok(Event::Flood) => Err(self.garbage(command)),
            Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => Err(self.crash(command)),
            Err(RecvTimeoutError::Timeout) => {
                let dead = matches!(self.child.try_wait(), Ok(Some(_)) | Err(_));
                let failure = Failure::Hang { command: short(command), seconds: timeout.as_secs() };
                if dead {
                    return Err(self.crash(command));
                }
                self.end();
                Err(failure)
            }
        }
    }

    fn crash(&mut self, command: &str) -> Failure {
        // The pipe closes a moment before the exit code is known.
        let mut status = None;
        for _ in 0..50 {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.end();
        let status = status.map_or("closed its output".to_owned(), |status| status.to_string());
        Failure::Crash { command: short(command), status }
    }

    fn garbage(&mut self, command: &str) -> Failure {
        self.end();
        Failure::Garbage { command: short(command) }
    }

    /// The standard error since the last call. It comes through a pipe of its own, so text of a
    /// command may arrive a moment after the answer.
    pub fn take_stderr(&self) -> String {
        lock(&self.stderr).take()
    }

    /// Has it written to standard error since it was started?
    pub fn has_spoken(&self) -> bool {
        lock(&self.stderr).spoken
    }

    /// Processor seconds used so far by all threads, where the system tells (Linux).
    pub fn cpu_seconds(&self) -> Option<f64> {
        const TICKS_PER_SECOND: f64 = 100.0; // fixed in the kernel's interface
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name in parentheses may contain spaces; user and system time are the 12th and 13th
        // word after it.
        let (_, after_name) = stat.rsplit_once(')')?;
        let mut words = after_name.split_ascii_whitespace().skip(11);
        let mut ticks = || words.next()?.parse::<f64>().ok();
        Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
    }

    /// Has it not ended?
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks the program to end and sees to it in the background that it does; the handle waits for
    /// that.
    pub fn retire(mut self) -> thread::JoinHandle<()> {
        thread::spawn(move || {
            if let Some(mut stdin) = self.stdin.take() {
                let _ = stdin.write_all(b"quit\n");
            }
            let deadline = Instant::now() + QUIT_TIME;
            while let Some(left) = deadline.checked_duration_since(Instant::now()) {
                match self.events.recv_timeout(left) {
                    Ok(Event::Answer(_) | Event::Flood) => {}
                    Ok(Event::Closed) | Err(_) => break,
                }
            }
            // The output is closed: the exit is a matter of moments.
            while deadline.checked_duration_since(Instant::now()).is_some() {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    break;
                }
                thread::sleep(Duration::from_millis(5));
            }
            drop(self); // ends it the hard way if it still runs
        })
    }

    /// Ends the program now.
    fn end(&mut self) {
        self.stdin = None;
        let was_running = matches!(self.child.try_wait(), Ok(None));
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A wrapper script is gone now, but what it started may live on: its output is then open.
        #[cfg(unix)]
        if was_running {
            let deadline = Instant::now() + Duration::from_millis(100);
            while let Some(left) = deadline.checked_duration_since(Instant::now()) {
                match self.events.recv_timeout(left) {
                    Ok(Event::Answer(_)) => {}
                    Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => return,
                    Ok(Event::Flood) | Err(RecvTimeoutError::Timeout) => break,
                }
            }
            let group = format!("kill -9 -- -{} 2>/dev/null", self.child.id());
            let _ = Command::new("sh").arg("-c").arg(group).status();
        }
        #[cfg(not(unix))]
        let _ = was_running;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.end();
        }
    }
}

/// The content of a mutex, also after another thread panicked while holding it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command as a message shows it.
fn short(command: &str) -> String {
    match command.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &command[..end]),
        None => command.to_owned(),
    }
}

/// Standard error, bounded.
#[derive(Debug, Default)]
struct StderrText {
    bytes: Vec<u8>,
    dropped: bool,
    spoken: bool,
}

impl StderrText {
    fn push(&mut self, bytes: &[u8]) {
        let room = KEPT_STDERR.saturating_sub(self.bytes.len());
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
        let mut errors = String::new();
        while errors.lines().count() < 2 {
            errors += &echo.take_stderr();
            thread::yield_now();
        }
        assert_eq!(errors, "got name\ngot x y\n");
        assert_eq!(echo.take_stderr(), "");
        let id = echo.id();
        echo.retire().join().unwrap();
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }

    #[test]
    fn death_hang_and_missing_programs_are_told_apart() {
        let mut dead = shell("read x; exit 3");
        let failure = dead.send("name", 10 * SECOND).unwrap_err();
        assert!(matches!(&failure, Failure::Crash { command, .. } if command == "name"));
        assert!(failure.to_string().contains('3'), "{failure}");
        assert!(matches!(dead.send("name", SECOND), Err(Failure::Crash { .. })));

        let mut hanging = shell("sleep 1000 & wait");
        let started = Instant::now();
        let failure = hanging.send("genmove b", Duration::from_millis(100)).unwrap_err();
        assert!(matches!(failure, Failure::Hang { .. }));
        assert!(started.elapsed() < 5 * SECOND);

        let missing = Process::start(&["/no/such/program".to_owned()], None).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "cannot start the program '/no/such/program': there is no such program"
        );
    }

    #[test]
    fn a_flood_on_stderr_blocks_nobody() {
        let mut noisy = shell("read x; yes | head -c 10000000 >&2; echo = ok; echo; read x");
        assert_eq!(noisy.send("name", 60 * SECOND).unwrap().text, "ok");
        let text = noisy.take_stderr();
        assert!(text.len() <= KEPT_STDERR + 10 && text.ends_with("[...]\n"));
    }

    #[test]
    fn answers_nobody_asked_for_do_no_harm() {
        let mut spam = shell("while echo = x; do echo; done");
        let (id, started) = (spam.id(), Instant::now());
        for _ in 0..100 {
            match spam.send("name", 10 * SECOND) {
                Ok(answer) => assert_eq!(answer.text, "x"),
                Err(failure) => {
                    assert!(matches!(failure, Failure::Garbage { .. }), "{failure}");
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
