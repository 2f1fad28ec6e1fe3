//! Drives the real binary, line by line and with time limits.

pub mod session;
pub mod transcript;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long anything may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running tengen.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

/// The lines of a pipe, as they come.
fn lines(pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        loop {
            let mut line = Vec::new();
            match pipe.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) if sender.send(line).is_err() => break,
                Ok(_) => (),
            }
        }
    });
    receiver
}

impl Program {
    /// Starts tengen with these arguments in this folder, on one thread if they do not say: what
    /// it does can then be repeated.
    pub fn start(args: &[&str], folder: &Path) -> Program {
        let told = args.iter().any(|arg| arg.contains("threads=") || *arg == "--threads");
        let one: &[&str] = if told { &[] } else { &["--threads", "1"] };
        Program::start_as_told(&[args, one].concat(), folder)
    }

    /// Starts tengen with these arguments and no others.
    pub fn start_as_told(args: &[&str], folder: &Path) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("tengen starts");
        Program {
            input: child.stdin.take(),
            lines: lines(child.stdout.take().unwrap()),
            errors: lines(child.stderr.take().unwrap()),
            child,
        }
    }

    /// Starts tengen with these arguments in the folder for temporary files.
    pub fn new(args: &[&str]) -> Program {
        Program::start(args, &std::env::temp_dir())
    }

    /// Sends bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("tengen reads");
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line of output without its newline; None at the end of the output.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                let line = String::from_utf8(line).expect("output is UTF-8");
                Some(line.strip_suffix('\n').expect("lines are whole").to_owned())
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer for {PATIENCE:?}"),
        }
    }

    /// The lines up to the next empty one.
    pub fn response(&mut self) -> String {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                Some(line) if line.is_empty() => return lines.join("\n"),
                Some(line) => lines.push(line),
                None => panic!("the output ended after {lines:?}"),
            }
        }
    }

    /// Sends a command and waits for its response.
    pub fn ask(&mut self, command: &str) -> String {
        self.send(command);
        self.response()
    }

    /// Sends a command that must succeed and gives its text.
    pub fn expect_success(&mut self, command: &str) -> String {
        let response = self.ask(command);
        let text = response.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {response}"));
        text.trim().to_owned()
    }

    /// A line on stderr that contains this; waits for it.
    pub fn error_line(&mut self, part: &str) -> String {
        loop {
            match self.errors.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                    if line.contains(part) {
                        return line;
                    }
                }
                Err(_) => panic!("nothing like '{part}' on stderr"),
            }
        }
    }

    /// All further lines on stderr, until the process ends.
    pub fn error_lines(&mut self) -> Vec<String> {
        self.errors.iter().map(|line| String::from_utf8_lossy(&line).into_owned()).collect()
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be waited for") {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "tengen does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many times longer than on a machine with nothing else to do a program takes now, at least 1.
pub fn slowness() -> f64 {
    let (wall, cpu) = (Instant::now(), cpu_time::ThreadTime::now());
    while cpu.elapsed() < Duration::from_millis(20) {
        std::hint::spin_loop();
    }
    (wall.elapsed().as_secs_f64() / cpu.elapsed().as_secs_f64()).max(1.0)
}

/// Tries a few times to be quick enough. On a busy machine there is as much more time as it takes more.
pub fn within(limit: Duration, mut measure: impl FnMut() -> Duration) {
    let mut times = Vec::new();
    for _ in 0..8 {
        let time = measure();
        if time < limit || time < limit.mul_f64(2.0 * slowness() - 1.0) {
            return;
        }
        times.push(time);
    }
    panic!("took {times:?}, not under {limit:?}");
}
