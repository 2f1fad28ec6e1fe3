//! Responses, framed so that no client can misread them.
//!
//! Every controller ends a response at the first empty line, so none may be inside; control
//! characters are not allowed; and each response is flushed.

use std::io::{self, Write};

/// A sink of responses.
pub struct Output {
    sink: Box<dyn Write + Send>,
}

impl Output {
    /// Writes to a sink.
    pub fn new(sink: Box<dyn Write + Send>) -> Output {
        Output { sink }
    }

    /// Writes a whole response.
    pub fn respond(&mut self, id: &str, reply: &Result<String, String>) -> io::Result<()> {
        let (sign, text) = match reply {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let mut response = format!("{sign}{id}");
        if !text.is_empty() {
            response.push(' ');
            response.push_str(&tidy(text));
        }
        response.push_str("\n\n");
        self.write(&response)
    }

    /// Begins a response that comes line by line: the sign alone on its line.
    pub fn begin_stream(&mut self, id: &str) -> io::Result<()> {
        self.write(&format!("={id}\n"))
    }

    /// A line of a streamed response.
    pub fn stream(&mut self, line: &str) -> io::Result<()> {
        self.write(&format!("{}\n", tidy(line)))
    }

    /// Ends a streamed response, with a last line if there is one.
    pub fn end_stream(&mut self, last: &str) -> io::Result<()> {
        let last = tidy(last);
        self.write(&if last.is_empty() { "\n".to_owned() } else { format!("{last}\n\n") })
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        if log::log_enabled!(target: "gtp", log::Level::Debug) {
            text.lines().for_each(|line| log::debug!(target: "gtp", "< {line}"));
        }
        self.sink.write_all(text.as_bytes())?;
        self.sink.flush()
    }
}

/// Drops empty lines, trailing space and control characters. A first empty line stays: after the
/// sign and a space it is not empty, and diagrams begin on a line of their own.
fn tidy(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|&c| c == '\n' || !c.is_control())
        .collect();
    let mut lines = clean.lines().map(str::trim_end);
    let mut tidy = lines.next().unwrap_or_default().to_owned();
    for line in lines.filter(|line| !line.is_empty()) {
        tidy.push('\n');
        tidy.push_str(line);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logging::Kept;

    #[test]
    fn responses_are_framed_and_never_contain_an_empty_line() {
        let shared = Kept::default();
        let mut output = Output::new(Box::new(shared.clone()));
        output.respond("", &Ok(String::new())).unwrap();
        output.respond("12", &Ok("D4".into())).unwrap();
        output.respond("0", &Err("illegal move".into())).unwrap();
        output.respond("", &Ok("\nA\n\n\tB \r\n\n\nC\x07\n\n".into())).unwrap();
        output.begin_stream("3").unwrap();
        output.stream("info").unwrap();
        output.end_stream("").unwrap();
        output.begin_stream("").unwrap();
        output.end_stream("play D4").unwrap();
        let text = shared.text();
        assert_eq!(
            text,
            "=\n\n=12 D4\n\n?0 illegal move\n\n= \nA\n B\nC\n\n=3\ninfo\n\n=\nplay D4\n\n"
        );
    }
}
