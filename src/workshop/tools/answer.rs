//! Answers of a GTP program, cut out of whatever it prints.
//!
//! An answer begins with a line that starts with `=` or `?` and ends with an empty line. Other
//! lines outside an answer are no GTP (banners, debug prints) and are skipped.

use std::io::{self, BufRead};
use std::time::Instant;

/// Text of an answer beyond this many bytes is dropped.
pub const KEPT_BYTES: usize = 1 << 20;
/// A program that writes more than this without finishing an answer is given up.
const FLOOD_BYTES: usize = 64 << 20;

/// An answer: `= text` or `? text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// True for `=`.
    pub success: bool,
    /// The text after `=` or `?` and the id, without surrounding white space.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// What the output of a program is cut into.
#[derive(Debug)]
pub enum Event {
    /// A complete answer.
    Answer(Answer),
    /// Much text and no answer; nothing is read after that.
    Flood,
    /// The end of the output.
    Closed,
}

/// Reports every answer until `report` says false or the output ends.
pub fn read_answers(mut output: impl BufRead, mut report: impl FnMut(Event) -> bool) {
    let mut line = Vec::new();
    let mut answer: Vec<u8> = Vec::new();
    let mut unfinished = 0;
    loop {
        match read_line(&mut output, &mut line) {
            Ok(0) | Err(_) => {
                report(Event::Closed);
                return;
            }
            Ok(length) => unfinished += length,
        }
        if unfinished > FLOOD_BYTES {
            report(Event::Flood);
            return;
        }
        if answer.is_empty() {
            if !matches!(line.first(), Some(b'=' | b'?')) {
                continue;
            }
        } else if line.iter().all(u8::is_ascii_whitespace) {
            if !report(Event::Answer(parse_answer(&answer))) {
                return;
            }
            answer.clear();
            unfinished = 0;
            continue;
        }
        if answer.len() < KEPT_BYTES {
            answer.extend_from_slice(&line);
            answer.push(b'\n');
        }
    }
}

/// Reads a line without its end into `line`, of which it keeps a bounded part, and returns the
/// bytes read; 0 at the end. A line without end is cut when it is a flood.
fn read_line(output: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let mut total = 0;
    loop {
        let chunk = match output.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let room = KEPT_BYTES.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let read = part.len() + usize::from(end.is_some());
        output.consume(read);
        total += read;
        if end.is_some() || read == 0 || total > FLOOD_BYTES {
            return Ok(total);
        }
    }
}

/// The first byte is `=` or `?`, the id follows without a space.
fn parse_answer(bytes: &[u8]) -> Answer {
    let at = Instant::now();
    let success = bytes.first() == Some(&b'=');
    let after = &bytes[1.min(bytes.len())..];
    let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let text: String = String::from_utf8_lossy(&after[digits..])
        .chars()
        .map(|letter| if letter == '\t' { ' ' } else { letter })
        .filter(|&letter| letter == '\n' || !letter.is_control())
        .collect();
    Answer { success, text: text.trim().to_owned(), at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn answers(output: &[u8], chunk: usize) -> Vec<(bool, String)> {
        let mut list = Vec::new();
        let mut closed = false;
        read_answers(BufReader::with_capacity(chunk, output), |event| {
            match event {
                Event::Answer(answer) => list.push((answer.success, answer.text)),
                Event::Closed => closed = true,
                Event::Flood => panic!("no flood here"),
            }
            true
        });
        assert!(closed);
        list
    }

    #[test]
    fn answers_are_cut_at_blank_lines_whatever_the_chunks() {
        let output =
            b"banner\n\n= \n\n=12 D4\r\n\r\n? unknown command\n\nnoise = 3\n= a\tb\nc\n \n\
                       =\nx\n\n\n\n= unfinished";
        let expected =
            [(true, ""), (true, "D4"), (false, "unknown command"), (true, "a b\nc"), (true, "x")]
                .map(|(success, text)| (success, text.to_owned()));
        for chunk in [1, 2, 3, 5, 7, 64, 1000] {
            assert_eq!(answers(output, chunk), expected, "chunks of {chunk}");
        }
    }

    #[test]
    fn long_answers_are_kept_in_part_and_endless_ones_given_up() {
        let mut output = b"= ".to_vec();
        output.extend(std::iter::repeat_n(b'x', 3 << 20));
        output.extend(b"\n\n= next\n\n");
        let list = answers(&output, 1 << 14);
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].1.len(), KEPT_BYTES - 2);
        assert_eq!(list[1], (true, "next".to_owned()));

        for filler in [b'x', b'\n'] {
            let mut flood = false;
            read_answers(BufReader::new(io::repeat(filler)), |event| {
                flood |= matches!(event, Event::Flood);
                true
            });
            assert!(flood);
        }
    }
}
