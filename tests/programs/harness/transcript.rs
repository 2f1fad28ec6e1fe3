//! Conversations with clients, replayed against the real binary.
//!
//! A transcript is a text file of lines:
//!
//! ```text
//! # a comment
//! ! args --kgs              arguments of the program, before anything else
//! ! file name.sgf (;B[aa])  a file in the folder where the program runs
//! ! sleep 100               waits for milliseconds
//! ! within 50               the next response must begin within milliseconds
//! ! stderr text             stderr must show a line with this text
//! ! eof                     closes the input
//! ! exit                    the program must end by itself, with success
//! > command                 sends a line; \t, \r, \xHH are bytes, \ at the end leaves the newline out
//! < text                    expects this line
//! <~ regex                  expects a line that the whole expression matches
//! <+ regex                  expects one or more such lines
//! <* regex                  expects none or more such lines
//! &                         the response is not finished yet
//! ```
//!
//! At the end of a response an empty line is expected: before the next thing that is done, and
//! before a line that begins another response, unless `&` says that the response goes on. Repeated
//! lines are skipped only as long as what follows does not match.

use super::Program;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Replays a transcript and gives the commands that succeeded in it.
pub fn replay(text: &str, name: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<&str> = text.lines().collect();
    let args: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("! args"))
        .flat_map(str::split_whitespace)
        .collect();
    write_files(&lines, folder.path());
    let mut replay = Replay {
        program: Program::start(&args, folder.path()),
        name: name.to_owned(),
        number: 0,
        skip: None,
        open: false,
        limit: None,
        sent: Vec::new(),
        succeeded: BTreeSet::new(),
    };
    for (index, line) in lines.iter().enumerate() {
        replay.number = index + 1;
        replay.step(line);
    }
    replay.finish_response();
    replay.succeeded
}

fn write_files(lines: &[&str], folder: &Path) {
    for line in lines {
        if let Some((name, content)) =
            line.strip_prefix("! file ").and_then(|rest| rest.split_once(' '))
        {
            std::fs::write(folder.join(name), content).expect("a file");
        }
    }
}

struct Replay {
    program: Program,
    name: String,
    number: usize,
    /// Lines that may come before the next one that is expected.
    skip: Option<Regex>,
    /// A response has begun.
    open: bool,
    limit: Option<(Instant, Duration)>,
    /// Commands sent and not yet answered.
    sent: Vec<String>,
    succeeded: BTreeSet<String>,
}

impl Replay {
    fn step(&mut self, line: &str) {
        let is_expectation = line.starts_with('<') || line.starts_with('&');
        if !is_expectation && !line.trim().is_empty() {
            self.finish_response();
        }
        let rest = |prefix: &str| line.strip_prefix(prefix).map(str::trim);
        if let Some(directive) = rest("!") {
            self.direct(directive);
        } else if let Some(command) = line.strip_prefix('>') {
            self.send(command.strip_prefix(' ').unwrap_or(command));
        } else if let Some(regex) = rest("<~") {
            self.expect(&whole(regex));
        } else if let Some(regex) = rest("<+") {
            self.expect(&whole(regex));
            self.skip = Some(whole(regex));
        } else if let Some(regex) = rest("<*") {
            self.skip = Some(whole(regex));
        } else if let Some(text) = line.strip_prefix('<') {
            let text = text.strip_prefix(' ').unwrap_or(text);
            self.expect(&whole(&regex::escape(text)));
        } else if line.starts_with('&') {
            self.open = false;
        } else {
            let comment = line.starts_with('#') || line.trim().is_empty();
            assert!(comment, "{}:{}: what is '{line}'?", self.name, self.number);
        }
    }

    fn direct(&mut self, directive: &str) {
        let (word, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        let milliseconds = || Duration::from_millis(rest.parse().expect("milliseconds"));
        match word {
            "args" | "file" => (),
            "sleep" => std::thread::sleep(milliseconds()),
            "within" => self.limit = Some((Instant::now(), milliseconds())),
            "stderr" => drop(self.program.error_line(rest)),
            "eof" => self.program.close_input(),
            "exit" => {
                assert_eq!(self.program.line(), None, "{}:{}: more output", self.name, self.number);
                assert!(self.program.wait().success(), "{}: exit code", self.name);
            }
            _ => panic!("{}:{}: no directive {word}", self.name, self.number),
        }
    }

    fn send(&mut self, command: &str) {
        let bytes = unescape(command);
        self.program.send_bytes(&bytes);
        if let Some(command) = tengen::frontend::gtp::parse::parse(&bytes) {
            self.sent.push(command.name);
        }
    }

    fn next(&mut self) -> String {
        let line = self.program.line();
        line.unwrap_or_else(|| panic!("{}:{}: the output ended", self.name, self.number))
    }

    /// Reads up to a line that matches.
    fn expect(&mut self, regex: &Regex) {
        let begins = ["^(?:=", "^(?:\\?", "^(?:(=", "^(?:(\\?"];
        if begins.iter().any(|begin| regex.as_str().starts_with(begin)) {
            self.finish_response();
        }
        let skip = self.skip.take();
        let mut line = self.next();
        while !regex.is_match(&line) && skip.as_ref().is_some_and(|skip| skip.is_match(&line)) {
            line = self.next();
        }
        if let Some((begin, limit)) = self.limit.take() {
            let taken = begin.elapsed();
            // Ten times the limit, so that a busy machine fails no test; the exact times are
            // measured elsewhere.
            assert!(taken < 10 * limit, "{}:{}: took {taken:?}", self.name, self.number);
        }
        let place = format!("{}:{}", self.name, self.number);
        assert!(regex.is_match(&line), "{place}: expected {regex}, got '{line}'");
        self.open = !line.is_empty();
        if line.starts_with('=') || line.starts_with('?') {
            let answered = if self.sent.is_empty() { None } else { Some(self.sent.remove(0)) };
            if line.starts_with('=') {
                self.succeeded.extend(answered);
            }
        }
    }

    /// The empty line at the end of a response.
    fn finish_response(&mut self) {
        if std::mem::take(&mut self.open) {
            self.expect(&whole(""));
        }
    }
}

fn whole(regex: &str) -> Regex {
    Regex::new(&format!("^(?:{regex})$")).expect("a regular expression")
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend(c.to_string().bytes());
            continue;
        }
        match chars.next() {
            Some('t') => bytes.push(b'\t'),
            Some('r') => bytes.push(b'\r'),
            Some('n') => bytes.push(b'\n'),
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).expect("two hexadecimal digits"));
            }
            Some(other) => panic!("no escape \\{other}"),
            None => return bytes,
        }
    }
    bytes.push(b'\n');
    bytes
}
