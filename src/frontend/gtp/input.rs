//! The reader thread and its queue.
//!
//! Commands are executed one after the other, but some input matters while one of them runs:
//! GoGui's `# interrupt`, `stop` and `quit` end any search, and any line at all, even an empty one,
//! ends an analysis. So a thread of its own reads raw bytes and looks at every line as it arrives.
//!
//! One exception keeps scripts working: in `printf 'genmove b\nquit\n' | tengen`, the `quit` and the end
//! of the input are there before the search has begun. A `quit` or an end of input that arrives
//! within [`SCRIPT_WINDOW`] of the command that is running does not shorten it.
//!
//! Input must not fill the memory: of a line without an end only the beginning is kept, and whoever
//! sends commands faster than they are executed has to wait.

use super::parse;
use crate::frontend::without_byte_order_mark;
use crate::input::{Found, read_line};
use crate::search::Interrupt;
use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long after a command `quit` and the end of the input count as sent together with it.
pub const SCRIPT_WINDOW: Duration = Duration::from_millis(50);

/// Bytes that wait to be executed before no more are read.
const MAX_WAITING: usize = 64 << 20;

/// A line of input.
#[derive(Clone, Debug)]
pub struct Line {
    /// The bytes, the newline included.
    pub bytes: Vec<u8>,
    /// When they were there.
    pub arrived: Instant,
    /// Was it too long to be read? Then these are its first bytes.
    pub too_long: bool,
    /// Was the command already asked to end before it began?
    pub interrupted: bool,
}

impl Line {
    fn cost(&self) -> usize {
        self.bytes.capacity() + size_of::<Line>()
    }
}

/// What ends the search that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// `# interrupt`, `stop`, `quit` or the end of the input.
    Told,
    /// Any input.
    Anything,
    /// `# interrupt` or `stop`; `quit` or the end of the input only if they come while it runs and
    /// nothing waits before them. For commands on whose success those after them rely.
    Unwanted,
}

/// Does something come too late to belong to the script of a command that arrived before?
fn late(then: Instant, arrived: Instant) -> bool {
    then.saturating_duration_since(arrived) >= SCRIPT_WINDOW
}

#[derive(Default)]
struct State {
    queue: VecDeque<Line>,
    /// Bytes in the queue, and what a line costs besides.
    waiting: usize,
    closed: Option<Instant>,
    running: Option<(Until, Instant)>,
}

impl State {
    /// Does a line that stops, one that quits, the end of the input, or any other line end the search that runs?
    fn ends_search(&self, stops: bool, quits: bool, now: Instant) -> bool {
        match self.running {
            None => false,
            Some((Until::Anything, _)) => true,
            Some((Until::Told, since)) => stops || quits && late(now, since),
            Some((Until::Unwanted, since)) => {
                stops || quits && late(now, since) && self.queue.is_empty()
            }
        }
    }
}

/// The lines that have arrived and wait to be executed.
#[derive(Clone, Default)]
pub struct Inbox {
    state: Arc<(Mutex<State>, Condvar)>,
    interrupt: Interrupt,
}

impl Inbox {
    /// Starts to read. The thread ends with the input.
    pub fn read(input: impl Read + Send + 'static) -> Inbox {
        let inbox = Inbox::default();
        let filled = inbox.clone();
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            let mut is_first = true;
            loop {
                let mut bytes = Vec::new();
                match read_line(&mut input, &mut bytes) {
                    Ok(Found::End) | Err(_) => break,
                    Ok(found) => {
                        if std::mem::take(&mut is_first) {
                            bytes = without_byte_order_mark(&bytes).to_vec();
                        }
                        filled.push(bytes, found == Found::TooLong);
                    }
                }
                filled.wait_for_room();
            }
            filled.close();
        });
        inbox
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, bytes: Vec<u8>, too_long: bool) {
        let arrived = Instant::now();
        let command = if too_long { None } else { parse::parse(&bytes) };
        let is_command = |name: &str| command.as_ref().is_some_and(|line| line.name == name);
        let stops = parse::is_interrupt(&bytes) || is_command("stop");
        let mut state = self.lock();
        if stops {
            state.queue.iter_mut().for_each(|line| line.interrupted = true);
        }
        let raise = state.ends_search(stops, is_command("quit"), arrived);
        let line = Line { bytes, arrived, too_long, interrupted: false };
        state.waiting += line.cost();
        state.queue.push_back(line);
        self.announce(raise);
    }

    /// Sleeps while there is far more input than anybody sends who waits for answers.
    fn wait_for_room(&self) {
        let full = |state: &mut State| state.waiting > MAX_WAITING;
        drop(self.state.1.wait_while(self.lock(), full));
    }

    /// Acts as if the input had ended: what runs answers what it has.
    pub fn close(&self) {
        let now = Instant::now();
        let mut state = self.lock();
        state.closed = Some(now);
        self.announce(state.ends_search(false, true, now));
    }

    /// Called with the state locked, so that a search that begins now does not miss it.
    fn announce(&self, raise: bool) {
        if raise {
            self.interrupt.raise();
        }
        self.state.1.notify_all();
    }

    /// The next line; waits for it. None when the input has ended.
    pub fn next(&self) -> Option<Line> {
        let mut state = self.lock();
        loop {
            if let Some(line) = state.queue.pop_front() {
                state.waiting -= line.cost();
                self.state.1.notify_all();
                return Some(line);
            }
            if state.closed.is_some() {
                return None;
            }
            state = self.state.1.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Is there nothing to do?
    pub fn is_idle(&self) -> bool {
        let state = self.lock();
        state.queue.is_empty() && state.closed.is_none()
    }

    /// Announces that a search begins for a command that arrived at this time, and gives the flag
    /// that will end it. The flag may already be raised.
    pub fn begin(&self, until: Until, arrived: Instant) -> Interrupt {
        let mut state = self.lock();
        self.interrupt.reset();
        let quits = |line: &Line| {
            late(line.arrived, arrived)
                && parse::parse(&line.bytes).is_some_and(|line| line.name == "quit")
        };
        let raise = match until {
            Until::Anything => !state.queue.is_empty() || state.closed.is_some(),
            Until::Told => {
                state.closed.is_some_and(|closed| late(closed, arrived))
                    || state.queue.iter().any(quits)
            }
            Until::Unwanted => false,
        };
        state.running = Some((until, arrived));
        if raise {
            self.interrupt.raise();
        }
        self.interrupt.clone()
    }

    /// Announces that the search is over.
    pub fn end(&self) {
        self.lock().running = None;
    }

    /// Sleeps until there is input, or for at most this long.
    pub fn wait(&self, at_most: Duration) {
        let state = self.lock();
        let nothing = |state: &mut State| state.queue.is_empty() && state.closed.is_none();
        drop(self.state.1.wait_timeout_while(state, at_most, nothing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::MAX_LINE;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn lines(inbox: &Inbox) -> Vec<String> {
        let text = |line: Line| String::from_utf8_lossy(line.bytes.trim_ascii()).into_owned();
        std::iter::from_fn(|| inbox.next()).map(text).collect()
    }

    #[test]
    fn lines_come_in_order_whatever_they_are() {
        let input = &b"name\n\n\xff\xfe\r\nquit"[..];
        assert_eq!(lines(&Inbox::read(input)), ["name", "", "\u{fffd}\u{fffd}", "quit"]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_beginning_only() {
        let input = "\u{feff}name\n\u{feff}name\n".as_bytes();
        assert_eq!(lines(&Inbox::read(input)), ["name", "\u{feff}name"]);
    }

    #[test]
    fn any_line_ends_an_analysis() {
        for line in [&b"\n"[..], b"name\n", b"# comment\n"] {
            let inbox = Inbox::default();
            let interrupt = inbox.begin(Until::Anything, Instant::now());
            assert!(!interrupt.is_raised());
            inbox.push(line.to_vec(), false);
            assert!(interrupt.is_raised(), "{line:?}");
        }
        let inbox = Inbox::default();
        let interrupt = inbox.begin(Until::Anything, Instant::now());
        inbox.close();
        assert!(interrupt.is_raised());
    }

    #[test]
    fn only_some_lines_end_a_search() {
        let long_ago = Instant::now() - Duration::from_secs(1);
        for (line, ends) in [
            (&b"name\n"[..], false),
            (b"\n", false),
            (b"# comment\n", false),
            (b"# interrupt\n", true),
            (b"7 stop\n", true),
            (b"quit\n", true),
        ] {
            let inbox = Inbox::default();
            let interrupt = inbox.begin(Until::Told, long_ago);
            inbox.push(line.to_vec(), false);
            assert_eq!(interrupt.is_raised(), ends, "{line:?}");
        }
    }

    #[test]
    fn a_command_that_others_rely_on_ends_only_when_nobody_wants_it() {
        let long_ago = Instant::now() - Duration::from_secs(1);
        let raised = |waiting: &[&[u8]], line: Option<&[u8]>, arrived| {
            let inbox = Inbox::default();
            for line in waiting {
                inbox.push(line.to_vec(), false);
            }
            let interrupt = inbox.begin(Until::Unwanted, arrived);
            assert!(!interrupt.is_raised());
            match line {
                Some(line) => inbox.push(line.to_vec(), false),
                None => inbox.close(),
            }
            interrupt.is_raised()
        };
        for stops in [&b"# interrupt\n"[..], b"stop\n"] {
            assert!(raised(&[], Some(stops), Instant::now()));
            assert!(raised(&[b"genmove b\n"], Some(stops), long_ago));
        }
        for end in [Some(&b"quit\n"[..]), None] {
            assert!(raised(&[], end, long_ago));
            assert!(!raised(&[], end, Instant::now()), "a script");
            assert!(!raised(&[b"genmove b\n"], end, long_ago), "a slow script");
        }
        assert!(!raised(&[], Some(b"name\n"), long_ago));
    }

    #[test]
    fn what_comes_with_the_command_belongs_to_a_script() {
        let inbox = Inbox::default();
        let interrupt = inbox.begin(Until::Told, Instant::now());
        inbox.push(b"quit\n".to_vec(), false);
        inbox.close();
        assert!(!interrupt.is_raised());
        inbox.end();
        // A command that waited behind a long one is not one that came with the end.
        let long_ago = Instant::now() - Duration::from_secs(1);
        assert!(inbox.begin(Until::Told, long_ago).is_raised());
    }

    #[test]
    fn an_interrupt_is_not_lost_before_the_search_begins() {
        let inbox = Inbox::default();
        inbox.push(b"genmove b\n".to_vec(), false);
        inbox.push(b"# interrupt\n".to_vec(), false);
        let line = inbox.next().unwrap();
        assert!(line.interrupted);
    }

    #[test]
    fn analysis_ends_at_once_if_something_waits() {
        let inbox = Inbox::default();
        inbox.push(b"\n".to_vec(), false);
        assert!(inbox.begin(Until::Anything, Instant::now()).is_raised());
        let begin = Instant::now();
        inbox.wait(Duration::from_secs(60));
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn of_a_line_without_end_only_the_beginning_is_kept() {
        let long = [b"17 genmove ".to_vec(), vec![b'x'; MAX_LINE], b"\nquit\n".to_vec()].concat();
        let inbox = Inbox::read(io::Cursor::new(long));
        let line = inbox.next().unwrap();
        assert!(line.too_long && line.bytes.starts_with(b"17 genmove x"));
        assert!(line.bytes.len() < 1000);
        let line = inbox.next().unwrap();
        assert!(!line.too_long && line.bytes == b"quit\n");
        assert!(inbox.next().is_none());
    }

    #[test]
    fn a_long_line_is_no_quit() {
        let inbox = Inbox::default();
        let interrupt = inbox.begin(Until::Told, Instant::now() - Duration::from_secs(1));
        inbox.push(b"quit xxx".to_vec(), true);
        assert!(!interrupt.is_raised());
    }

    #[test]
    fn who_sends_faster_than_commands_are_executed_has_to_wait() {
        /// Commands without end.
        struct Endless(Arc<AtomicUsize>);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'\n');
                self.0.fetch_add(buffer.len(), Ordering::SeqCst);
                Ok(buffer.len())
            }
        }
        let read = Arc::new(AtomicUsize::new(0));
        let inbox = Inbox::read(Endless(Arc::clone(&read)));
        for taken in 0..3 * MAX_WAITING / size_of::<Line>() {
            inbox.next().unwrap();
            let lines_waiting = read.load(Ordering::SeqCst).saturating_sub(taken);
            assert!(lines_waiting * size_of::<Line>() <= MAX_WAITING + (1 << 20));
        }
    }
}
