//! From a raw line to a command: the preprocessing and the syntax of GTP 2.
//!
//! The id is kept as the digits that came in. GNU Go and Pachi read it into an `int` and answer
//! `99999999999 name` with `=1215752191`, which clients take for somebody else's response.

use crate::types::{Color, Move, Point};

/// A command line, split into its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// The id as it was written; empty if there was none.
    pub id: String,
    /// The command; empty if there was an id and nothing else.
    pub name: String,
    /// What follows the command.
    pub args: Args,
}

/// The arguments of a command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Args {
    text: String,
    raw: Vec<u8>,
}

/// Removes carriage returns and other control bytes, cuts the comment, makes tabs spaces and trims,
/// in the order in which the specification asks for it.
pub fn preprocess(line: &[u8]) -> Vec<u8> {
    let clean = line.iter().copied().filter(|&b| b == b'\t' || !b.is_ascii_control());
    let clean = clean.take_while(|&b| b != b'#').map(|b| if b == b'\t' { b' ' } else { b });
    clean.collect::<Vec<u8>>().trim_ascii().to_vec()
}

/// Splits a line; None if nothing is left after preprocessing, which gets no response.
pub fn parse(line: &[u8]) -> Option<CommandLine> {
    let clean = preprocess(line);
    if clean.is_empty() {
        return None;
    }
    let (first, rest) = split_word(&clean);
    let (id, name, rest) = if first.iter().all(u8::is_ascii_digit) {
        let (name, rest) = split_word(rest);
        (first, name, rest)
    } else {
        (&[][..], first, rest)
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let args = Args { text: text(rest), raw: rest.to_vec() };
    Some(CommandLine { id: text(id), name: text(name), args })
}

fn split_word(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&b| b == b' ').unwrap_or(bytes.len());
    let (word, rest) = bytes.split_at(end);
    (word, rest.trim_ascii())
}

/// Is this GoGui's `# interrupt`, which asks to finish the running command at once?
pub fn is_interrupt(line: &[u8]) -> bool {
    let Some(comment) = line.trim_ascii().strip_prefix(b"#") else {
        return false;
    };
    comment.trim_ascii() == b"interrupt"
}

/// What a malformed argument is answered with.
pub const SYNTAX_ERROR: &str = "syntax error";

impl Args {
    /// The arguments as they were written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the arguments: file names need not be UTF-8.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split(' ').filter(|word| !word.is_empty())
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// A word, if it is there.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.words().nth(index)
    }

    /// A word that must be there.
    pub fn word(&self, index: usize) -> Result<&str, String> {
        self.get(index).ok_or_else(|| SYNTAX_ERROR.to_owned())
    }

    /// A word that must be there and mean something.
    pub fn parsed<T: std::str::FromStr>(&self, index: usize) -> Result<T, String> {
        self.word(index)?.parse().map_err(|_| SYNTAX_ERROR.to_owned())
    }

    /// A finite number.
    pub fn float(&self, index: usize) -> Result<f64, String> {
        parse_float(self.word(index)?).ok_or_else(|| SYNTAX_ERROR.to_owned())
    }

    /// A colour.
    pub fn color(&self, index: usize) -> Result<Color, String> {
        Color::parse_gtp(self.word(index)?).ok_or_else(|| SYNTAX_ERROR.to_owned())
    }

    /// A vertex of a board of this size, pass included.
    pub fn vertex(&self, index: usize, size: usize) -> Result<Point, String> {
        Point::parse_gtp(self.word(index)?, size).map_err(|_| SYNTAX_ERROR.to_owned())
    }

    /// A point of a board of this size.
    pub fn point(&self, index: usize, size: usize) -> Result<Point, String> {
        self.vertex(index, size).and_then(|point| {
            if point.is_pass() { Err(SYNTAX_ERROR.to_owned()) } else { Ok(point) }
        })
    }

    /// A colour and a vertex.
    pub fn play(&self, index: usize, size: usize) -> Result<Move, String> {
        Ok(Move::new(self.color(index)?, self.vertex(index + 1, size)?))
    }
}

/// A number as GTP writes them: `7`, `7.5`, `-3.5`, `+.5`; neither `nan` nor `inf`, nor what would
/// become one of them.
pub fn parse_float(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    text.parse().ok().filter(|value: &f64| is_number && value.is_finite())
}

/// A truth value.
pub fn parse_boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &[u8]) -> Option<(String, String, String)> {
        parse(line).map(|line| (line.id, line.name, line.args.text().to_owned()))
    }

    fn expect(line: &[u8], id: &str, name: &str, args: &str) {
        assert_eq!(parts(line), Some((id.into(), name.into(), args.into())), "{line:?}");
    }

    #[test]
    fn lines_are_split() {
        expect(b"name\n", "", "name", "");
        expect(b"  12   play  b   D4 \r\n", "12", "play", "b   D4");
        expect(b"\tname\t\r\n", "", "name", "");
        expect(b"99999999999 name", "99999999999", "name", "");
        expect(b"007 name", "007", "name", "");
        expect(b"7\n", "7", "", "");
        expect(b"-3 name", "", "-3", "name");
        expect(b"play b D4 # the corner\n", "", "play", "b D4");
        expect(b"na\x00m\x07e\x7f\n", "", "name", "");
        expect(b"echo gr\xfc\xdfe\n", "", "echo", "gr\u{fffd}\u{fffd}e");
        for line in [&b""[..], b"\n", b"\r\n", b" \t \n", b"# comment\n", b"\x01\x02\n"] {
            assert_eq!(parts(line), None, "{line:?}");
        }
    }

    #[test]
    fn raw_bytes_are_kept() {
        assert_eq!(parse(b"loadsgf gr\xfc\xdfe.sgf").unwrap().args.raw(), b"gr\xfc\xdfe.sgf");
    }

    #[test]
    fn interrupts() {
        for line in [&b"# interrupt\n"[..], b"#interrupt\r\n", b"  #  interrupt  \n"] {
            assert!(is_interrupt(line));
        }
        for line in [&b"# interrupted\n"[..], b"interrupt\n", b"name # interrupt\n", b"\n"] {
            assert!(!is_interrupt(line));
        }
    }

    #[test]
    fn numbers_and_truth() {
        for (text, value) in
            [("7", 7.0), ("7.5", 7.5), ("-3.5", -3.5), ("+.5", 0.5), ("1e2", 100.0)]
        {
            assert_eq!(parse_float(text), Some(value));
        }
        for text in ["", "nan", "inf", "-inf", "infinity", "1e400", "7,5", "x", "0x10"] {
            assert_eq!(parse_float(text), None, "{text}");
        }
        assert_eq!(parse_boolean("TRUE"), Some(true));
        assert_eq!(parse_boolean("0"), Some(false));
        assert_eq!(parse_boolean("maybe"), None);
    }
}
