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
}

/// A terminal with a line editor: history, completion of commands and of file names.
pub struct Terminal(Editor<Words, DefaultHistory>);

impl Terminal {
    /// Prepares the editor.
    pub fn new() -> Result<Terminal, ReadlineError> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Words(FilenameCompleter::new())));
        Ok(Terminal(editor))
    }
}

impl Lines for Terminal {
    fn ask(&mut self, prompt: &str) -> Typed {
        match self.0.readline(prompt) {
            Ok(line) => {
                // What cannot be remembered was typed nevertheless.
                let _ = self.0.add_history_entry(line.as_str());
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            // A key of a terminal that writes another encoding is no reason to lose a game.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                Typed::NoText
            }
            Err(_) => Typed::End,
        }
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
