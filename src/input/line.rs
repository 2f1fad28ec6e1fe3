//! Reading lines that cannot be longer than memory allows.

use std::io::{self, BufRead, Read};

/// The longest line that is read, its newline included.
pub const MAX_LINE: usize = 16 << 20;

/// What is kept of a longer one, so that an answer can name its id.
const KEPT_OF_LONG: usize = 256;

/// What [`read_line`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// A line; the last one may be without a newline.
    Line,
    /// A line longer than [`MAX_LINE`]: only its beginning was kept, the rest was skipped.
    TooLong,
    /// No more lines.
    End,
}

/// Replaces `line` by the next line.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Found> {
    line.clear();
    reader.by_ref().take(MAX_LINE as u64).read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(Found::End);
    }
    if line.len() < MAX_LINE || line.ends_with(b"\n") {
        return Ok(Found::Line);
    }
    line.truncate(KEPT_OF_LONG);
    line.shrink_to_fit();
    reader.skip_until(b'\n')?;
    Ok(Found::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_the_next_one_is_read() {
        let text = [
            b"7 first\n".to_vec(),
            vec![b'x'; MAX_LINE - 1],
            b"\n12 ".to_vec(),
            vec![b'y'; 3 * MAX_LINE],
            b"\nlast".to_vec(),
        ]
        .concat();
        let mut reader = io::BufReader::new(&text[..]);
        let mut line = Vec::new();
        let mut next = || read_line(&mut reader, &mut line).map(|found| (found, line.clone()));
        assert_eq!(next().unwrap(), (Found::Line, b"7 first\n".to_vec()));
        let (found, bytes) = next().unwrap();
        assert_eq!((found, bytes.len()), (Found::Line, MAX_LINE));
        let (found, bytes) = next().unwrap();
        assert_eq!((found, &bytes[..5], bytes.len()), (Found::TooLong, &b"12 yy"[..], 256));
        assert_eq!(next().unwrap(), (Found::Line, b"last".to_vec()));
        assert_eq!(next().unwrap(), (Found::End, Vec::new()));
    }

    #[test]
    fn an_endless_line_takes_no_memory() {
        let endless = io::Read::chain(&b"name\n"[..], io::repeat(b'x').take(1 << 30));
        let mut reader = io::BufReader::new(endless);
        let mut line = Vec::new();
        assert_eq!(read_line(&mut reader, &mut line).unwrap(), Found::Line);
        assert_eq!(read_line(&mut reader, &mut line).unwrap(), Found::TooLong);
        assert!(line.capacity() < 1 << 10);
        assert_eq!(read_line(&mut reader, &mut line).unwrap(), Found::End);
    }
}
