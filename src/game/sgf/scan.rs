//! The skeleton of an SGF text: brackets, nodes and property names, in one pass without recursion.
//!
//! The scanner yields the main line of the first game (the first variation at every fork), then
//! checks that the rest of that game is closed. It never copies and never goes back, so its time
//! is linear whatever the text, and 100,000 nested `(` are a counter.

use super::{MAX_DEPTH, SgfError};
use crate::types::{MAX_SIZE, MIN_SIZE};

/// A walk along the main line of the first game in a text.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
    depth: usize,
    charset: Charset,
}

/// How many bytes a character takes, as far as brackets are concerned: the second byte of a
/// character in these encodings may look like `]` or `\`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Charset {
    /// ASCII bytes are ASCII characters: UTF-8, Latin-1, EUC, and most others.
    Plain,
    /// Lead bytes 81-9F and E0-FC.
    ShiftJis,
    /// GBK, GB18030 and Big5: lead bytes 81-FE.
    TwoByte,
}

impl Charset {
    /// Does a character of two bytes begin with this one?
    pub(crate) fn is_lead(self, byte: u8) -> bool {
        match self {
            Charset::Plain => false,
            Charset::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            Charset::TwoByte => matches!(byte, 0x81..=0xFE),
        }
    }

    /// The charset that `CA` names, if the bytes are not UTF-8 anyway. Nearly all are ASCII, which
    /// is found out fast; looking for `CA` would take a third of the time of reading a game.
    fn detect(bytes: &[u8]) -> Charset {
        if bytes.is_ascii() {
            return Charset::Plain;
        }
        let head = &bytes[..bytes.len().min(4096)];
        let Some(at) = head.windows(3).position(|window| window == b"CA[") else {
            return Charset::Plain;
        };
        let name = head[at + 3..].split(|&byte| byte == b']').next().unwrap_or_default();
        let name: String = name
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        let charset = match name.as_str() {
            "shiftjis" | "sjis" | "xsjis" | "mskanji" | "cp932" | "windows31j" => Charset::ShiftJis,
            "gbk" | "gb18030" | "cp936" | "big5" | "big5hkscs" | "cp950" => Charset::TwoByte,
            _ => Charset::Plain,
        };
        if charset != Charset::Plain && std::str::from_utf8(bytes).is_ok() {
            return Charset::Plain; // many programs write the wrong CA
        }
        charset
    }
}

/// A piece of the main line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token<'a> {
    /// A node begins.
    Node,
    /// A property of the current node.
    Property {
        /// The name as written.
        name: &'a [u8],
        /// All values with their brackets, for [`values`].
        raw: &'a [u8],
    },
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0B
}

impl<'a> Scanner<'a> {
    /// Finds the first `(;`. Anything may stand before it: mail headers, a byte order mark.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Scanner<'a>, SgfError> {
        let charset = Charset::detect(bytes);
        let mut scanner = Scanner { bytes, position: 0, depth: 0, charset };
        loop {
            let rest = &bytes[scanner.position..];
            let open = rest.iter().position(|&byte| byte == b'(').ok_or(SgfError::NoGame)?;
            scanner.position += open + 1;
            scanner.open()?;
            scanner.skip_space();
            if scanner.peek() == Some(b';') {
                scanner.depth = 1;
                return Ok(scanner);
            }
        }
    }

    /// The next piece of the main line; `None` once it has ended and the game is closed.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, SgfError> {
        loop {
            self.skip_space();
            match self.peek() {
                Some(b';') => {
                    self.position += 1;
                    return Ok(Some(Token::Node));
                }
                Some(byte) if byte.is_ascii_alphabetic() => return self.property().map(Some),
                Some(b'(') => {
                    self.position += 1;
                    self.open()?;
                    self.skip_space();
                    if self.peek() != Some(b';') {
                        return Err(self.unexpected());
                    }
                }
                Some(b')') => return self.close_game().map(|()| None),
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// A plain move node like `;B[pd]` with nothing else in it: colour letter and the two letters
    /// of the point. Records for training consist of these; this is several times faster than
    /// [`Scanner::next`], which reads everything else.
    #[inline(always)]
    pub(crate) fn plain_move(&mut self) -> Option<[u8; 3]> {
        match *self.bytes.get(self.position..)?.first_chunk()? {
            [b';', color @ (b'B' | b'W'), b'[', x, y, b']', b';' | b')']
                if x.is_ascii_lowercase() && y.is_ascii_lowercase() =>
            {
                self.position += 6;
                Some([color, x, y])
            }
            _ => None,
        }
    }

    /// The charset of the text.
    pub(crate) fn charset(&self) -> Charset {
        self.charset
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    #[inline]
    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.position += 1;
        }
    }

    fn open(&mut self) -> Result<(), SgfError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(SgfError::TooDeep) } else { Ok(()) }
    }

    fn property(&mut self) -> Result<Token<'a>, SgfError> {
        let start = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.position += 1;
        }
        let name = &self.bytes[start..self.position];
        self.skip_space();
        let first = self.position;
        if self.peek() != Some(b'[') {
            return Err(self.unexpected());
        }
        let mut end = first;
        while self.peek() == Some(b'[') {
            end = value_end(self.bytes, self.position, self.charset).ok_or(SgfError::Truncated)?;
            self.position = end;
            self.skip_space();
        }
        Ok(Token::Property { name, raw: &self.bytes[first..end] })
    }

    /// Walks over the other variations to the end of the game.
    fn close_game(&mut self) -> Result<(), SgfError> {
        while self.depth > 0 {
            match self.peek().ok_or(SgfError::Truncated)? {
                b'[' => {
                    self.position = value_end(self.bytes, self.position, self.charset)
                        .ok_or(SgfError::Truncated)?;
                    continue;
                }
                b'(' => self.open()?,
                b')' => self.depth -= 1,
                _ => {}
            }
            self.position += 1;
        }
        Ok(())
    }

    fn unexpected(&self) -> SgfError {
        let Some(byte) = self.peek() else {
            return SgfError::Truncated;
        };
        let found = if byte.is_ascii_graphic() { char::from(byte) } else { '.' };
        SgfError::Unexpected { byte: self.position, found }
    }
}

/// The position after the `]` that closes the `[` at `start`.
fn value_end(bytes: &[u8], start: usize, charset: Charset) -> Option<usize> {
    let mut position = start + 1;
    loop {
        match *bytes.get(position)? {
            b']' => return Some(position + 1),
            // Of an escape only these can deceive; other characters are read on their own.
            b'\\' if matches!(bytes.get(position + 1), Some(b']' | b'\\')) => position += 2,
            byte if charset.is_lead(byte) => position += 2,
            _ => position += 1,
        }
    }
}

/// The values of a property, without brackets, escapes still in them.
pub(crate) fn values(raw: &[u8], charset: Charset) -> impl Iterator<Item = &[u8]> {
    let mut position = 0;
    std::iter::from_fn(move || {
        position += raw.get(position..)?.iter().position(|&byte| byte == b'[')?;
        let start = position;
        position = value_end(raw, start, charset)?;
        Some(&raw[start + 1..position - 1])
    })
}

/// The name of a property in capitals. Before FF\[4\] names had lower-case letters that do not
/// count (`SiZe`, `AddBlack`); a name of lower-case letters only is taken for capitals.
pub(crate) fn canonical(name: &[u8]) -> String {
    let counts = |byte: &&u8| !byte.is_ascii_lowercase();
    if name.iter().any(|byte| byte.is_ascii_uppercase()) {
        name.iter().filter(counts).map(|&byte| char::from(byte)).collect()
    } else {
        name.iter().map(|byte| char::from(byte.to_ascii_uppercase())).collect()
    }
}

/// The size of the board, from the root node at which the scanner stands, which is not moved.
/// Moves and stones may come before `SZ`, so this is asked first.
pub(crate) fn board_size(scanner: &Scanner) -> Result<usize, SgfError> {
    let mut root = scanner.clone();
    root.next()?;
    while let Some(Token::Property { name, raw }) = root.next()? {
        let old_style = name.iter().any(u8::is_ascii_lowercase);
        if name == b"SZ" || old_style && canonical(name) == "SZ" {
            return parse_size(values(raw, Charset::Plain).next().unwrap_or_default());
        }
    }
    Ok(MAX_SIZE)
}

/// `19`, or `19:19`.
fn parse_size(value: &[u8]) -> Result<usize, SgfError> {
    let side = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse::<u8>().ok();
    let mut sides = value.splitn(2, |&byte| byte == b':').map(side);
    let bad = || SgfError::Size(excerpt(value));
    let width = sides.next().flatten().ok_or_else(bad)?;
    let height = sides.next().unwrap_or(Some(width)).ok_or_else(bad)?;
    if width != height {
        return Err(SgfError::NotSquare(width, height));
    }
    let size = usize::from(width);
    if (MIN_SIZE..=MAX_SIZE).contains(&size) { Ok(size) } else { Err(bad()) }
}

/// The beginning of a value for an error message: short, one line, no control characters.
pub(crate) fn excerpt(value: &[u8]) -> String {
    let shown = |&byte: &u8| if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' };
    let mut text: String = value.iter().take(20).map(shown).collect();
    if value.len() > 20 {
        text.push_str("...");
    }
    text
}
