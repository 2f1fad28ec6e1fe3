//! The lines that a person types: through a line editor at a terminal, plainly from a pipe.

use super::command::words;
use crate::input::{Found, read_line};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::collections::VecDeque;
use std::io::{BufRead, ErrorKind, Write};

/// What came of asking for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed {
    /// A line.
    Line(String),
    /// Too long to be anything.
    TooLong,
    /// Bytes that are no text in UTF-8.
    NoText,
    /// Ctrl-C.
    Interrupt,
    /// The end of the input, ctrl-D.
    End,
}

/// A source of lines.
pub trait Lines {
    /// Asks for a line.
    fn ask(&mut self, prompt: &str) -> Typed;
    /// Does a person sit at a terminal?
    fn is_terminal(&self) -> bool;
    /// Forgets the lines that came before they were asked for: what is asked next, they do not answer.
    fn forget(&mut self) {}
}

/// A terminal with a line editor: history, completion of commands and of file names.
///
/// The editor forgets whatever has arrived after the line that it hands out. So lines that were typed while nobody
/// asked are read before it is started, and a paste of several lines is taken apart here.
pub struct Terminal {
    editor: Editor<Words, DefaultHistory>,
    /// What has come and was not asked for yet.
    waiting: VecDeque<Typed>,
    /// The beginning of a line.
    begun: String,
}

impl Terminal {
    /// Prepares the editor.
    pub fn new() -> Result<Terminal, ReadlineError> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Words(FilenameCompleter::new())));
        Ok(Terminal { editor, waiting: VecDeque::new(), begun: String::new() })
    }

    /// Takes in bytes that were typed without the editor. Between two questions a terminal hands out one whole line
    /// at a time, or at once what has come in the very moment when the editor ended.
    fn take(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return self.waiting.push_back(Typed::End);
        }
        let mut lines = bytes.split(|byte| b"\r\n".contains(byte)).map(typed);
        if let Some(Typed::Line(rest)) = lines.next_back() {
            self.begun = rest;
        }
        self.waiting.extend(lines);
    }
}

fn typed(bytes: &[u8]) -> Typed {
    String::from_utf8(bytes.to_vec()).map_or(Typed::NoText, Typed::Line)
}

/// What was typed while nobody asked; nothing at all is the end of the input.
#[cfg(unix)]
fn typed_ahead() -> Option<Vec<u8>> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let keys = std::io::stdin();
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut [PollFd::new(&keys, PollFlags::IN)], Some(&at_once)) != Ok(1) {
        return None;
    }
    let mut bytes = vec![0; 4096];
    let count = rustix::io::read(&keys, &mut bytes).ok()?;
    bytes.truncate(count);
    Some(bytes)
}

/// Elsewhere only the editor can tell.
#[cfg(not(unix))]
fn typed_ahead() -> Option<Vec<u8>> {
    None
}

impl Lines for Terminal {
    fn ask(&mut self, prompt: &str) -> Typed {
        if self.waiting.is_empty()
            && let Some(bytes) = typed_ahead()
        {
            self.take(&bytes);
        }
        if let Some(typed) = self.waiting.pop_front() {
            if let Typed::Line(line) = &typed {
                // As if it had been typed now; where nobody reads any more, the answer will say so.
                let _ = writeln!(std::io::stdout(), "{prompt}{line}");
                let _ = self.editor.add_history_entry(line.as_str());
            }
            return typed;
        }
        let begun = std::mem::take(&mut self.begun);
        match self.editor.readline_with_initial(prompt, (&begun, "")) {
            Ok(text) => {
                let mut lines = text.lines();
                let first = lines.next().unwrap_or_default().to_owned();
                self.waiting.extend(lines.map(|line| Typed::Line(line.to_owned())));
                // What cannot be remembered was typed nevertheless.
                let _ = self.editor.add_history_entry(first.as_str());
                Typed::Line(first)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            // A key of a terminal that writes another encoding is no reason to lose a game.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                Typed::NoText
            }
            Err(_) => Typed::End,
        }
    }

    fn forget(&mut self) {
        self.waiting.clear();
    }

    fn is_terminal(&self) -> bool {
        true
    }
}

/// Completes what the editor asks for.
struct Words(FilenameCompleter);

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..position];
        match typed.split_once(' ') {
            Some(("save" | "load", _)) => self.0.complete(line, position, context),
            Some(("color" | "colour", color)) => {
                Ok((position - color.len(), matching(color, ["black", "white", "both"])))
            }
            Some(_) => Ok((position, Vec::new())),
            None => Ok((0, matching(typed, words()))),
        }
    }
}

fn matching<'a>(typed: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<Pair> {
    let begins = words.into_iter().filter(|word| word.starts_with(typed));
    begins.map(|word| Pair { display: word.to_owned(), replacement: word.to_owned() }).collect()
}

/// Lines of a pipe or a file. Nobody reads prompts.
pub struct Pipe<R>(pub R);

impl<R: BufRead> Lines for Pipe<R> {
    fn ask(&mut self, _: &str) -> Typed {
        let mut bytes = Vec::new();
        match read_line(&mut self.0, &mut bytes) {
            Ok(Found::Line) => Typed::Line(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(Found::TooLong) => Typed::TooLong,
            Ok(Found::End) | Err(_) => Typed::End,
        }
    }

    fn is_terminal(&self) -> bool {
        false
    }
}

/// Where the text goes. When nobody reads it any more, the game is over.
pub type Output = Box<dyn Write>;
