//! Moves, and points as text: GTP vertices (`Q16`) and SGF coordinates (`pd`).

use super::{Color, Point};
use std::fmt;
use thiserror::Error;

/// A colour and the point it plays, as in GTP's `play black D4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Who plays.
    pub color: Color,
    /// Where; [`Point::PASS`] for a pass.
    pub point: Point,
}

impl Move {
    /// A move from its parts.
    pub const fn new(color: Color, point: Point) -> Move {
        Move { color, point }
    }

    /// Parses `black D4`, `w pass` and the like for a board of this size.
    pub fn parse_gtp(text: &str, size: usize) -> Result<Move, ParseError> {
        let mut words = text.split_ascii_whitespace();
        let (Some(color), Some(vertex), None) = (words.next(), words.next(), words.next()) else {
            return Err(ParseError::Move(text.to_owned()));
        };
        let color = Color::parse_gtp(color).ok_or_else(|| ParseError::Color(color.to_owned()))?;
        Ok(Move { color, point: Point::parse_gtp(vertex, size)? })
    }

    /// `B D4`, `W pass`.
    pub fn to_gtp(self) -> String {
        format!("{} {}", self.color.letter(), self.point)
    }
}

/// Text that is no colour, vertex or move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// Not `b`, `black`, `w` or `white`.
    #[error("'{0}' is not a colour (black or white)")]
    Color(String),
    /// Not a letter A-T without I and a number, nor `pass`.
    #[error("'{0}' is not a vertex (like D4, or pass)")]
    Vertex(String),
    /// A vertex, but not one of this board.
    #[error("'{0}' is outside the {1}x{1} board")]
    Outside(String, usize),
    /// Not a colour and a vertex.
    #[error("'{0}' is not a move (like black D4)")]
    Move(String),
}

const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Point {
    /// Parses a GTP vertex in any case, `pass` included, for a board of this size.
    pub fn parse_gtp(text: &str, size: usize) -> Result<Point, ParseError> {
        let bad = || ParseError::Vertex(text.chars().take(40).collect());
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Point::PASS);
        }
        let (&letter, digits) = text.as_bytes().split_first().ok_or_else(bad)?;
        let letter = letter.to_ascii_uppercase();
        let column = COLUMNS.iter().position(|&c| c == letter).ok_or_else(bad)? + 1;
        if digits.is_empty() || digits.len() > 2 || !digits.iter().all(u8::is_ascii_digit) {
            return Err(bad());
        }
        let row = digits.iter().fold(0, |row, digit| 10 * row + usize::from(digit - b'0'));
        if column > size || row > size || row == 0 {
            return Err(ParseError::Outside(text.to_owned(), size));
        }
        Ok(Point::new(column, row))
    }

    /// SGF coordinates for a board of this size; empty for a pass.
    pub fn to_sgf(self, size: usize) -> String {
        if self.is_pass() {
            return String::new();
        }
        let letter = |n: usize| char::from(b'a' + (n - 1) as u8);
        [letter(self.column()), letter(size + 1 - self.row())].iter().collect()
    }
}

/// The GTP vertex in upper case, or `pass`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_pass() {
            return f.pad("pass");
        }
        let column = COLUMNS.get(self.column().wrapping_sub(1)).map_or('?', |&c| char::from(c));
        f.pad(&format!("{column}{}", self.row()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::points;
    use super::*;

    #[test]
    fn text_round_trips_on_every_size() {
        for size in 2..=19 {
            for point in points(size).chain([Point::PASS]) {
                let gtp = point.to_string();
                assert_eq!(Point::parse_gtp(&gtp, size), Ok(point));
                assert_eq!(Point::parse_gtp(&gtp.to_lowercase(), size), Ok(point));
            }
        }
    }

    #[test]
    fn known_vertices() {
        assert_eq!(Point::parse_gtp("j10", 19), Ok(Point::new(9, 10)));
        assert_eq!(Point::new(16, 16).to_sgf(19), "pd");
        assert_eq!((Point::new(1, 9).to_sgf(9), Point::PASS.to_sgf(9)), ("aa".into(), "".into()));
        assert_eq!(Point::parse_gtp("PASS", 9), Ok(Point::PASS));
        let play = Move::parse_gtp("wHite q16", 19).unwrap();
        assert_eq!(play.to_gtp(), "W Q16");
    }

    #[test]
    fn bad_text_is_refused() {
        for text in ["", "I5", "5", "D", "D0", "D100", "D-1", "D4x", "DD4", "é4", "D４", "resign"]
        {
            assert!(Point::parse_gtp(text, 19).is_err(), "{text}");
        }
        assert_eq!(Point::parse_gtp("K1", 9), Err(ParseError::Outside("K1".into(), 9)));
        for text in ["", "b", "b D4 D5", "x D4", "b z99"] {
            assert!(Move::parse_gtp(text, 19).is_err(), "{text}");
        }
    }
}
