//! The two players, and what a cell of the board can hold.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// A player. The discriminants equal those of the [`Cell`] that holds the player's stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Moves first.
    Black = 1,
    /// Gets komi.
    White = 2,
}

impl Color {
    /// Both colours, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The other player.
    #[inline(always)]
    pub fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// 0 for Black, 1 for White.
    #[inline(always)]
    pub fn index(self) -> usize {
        self as usize - 1
    }

    /// +1 for Black, -1 for White: turns a value from Black's side into one from this side and back.
    #[inline(always)]
    pub fn sign(self) -> i32 {
        3 - 2 * (self as i32)
    }

    /// `b`, `black`, `w` or `white` in any case, as GTP defines colours.
    pub fn parse_gtp(text: &str) -> Option<Color> {
        const NAMES: [(&str, Color); 4] = [
            ("b", Color::Black),
            ("black", Color::Black),
            ("w", Color::White),
            ("white", Color::White),
        ];
        NAMES.iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|&(_, color)| color)
    }

    /// `B` or `W`, as SGF and score strings write it.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline(always)]
    fn not(self) -> Color {
        self.opponent()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// What one cell of the board array holds. `Border` has the bits of both colours, so that
/// "a stone of this colour or the edge" is one bit test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Cell {
    /// No stone.
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// Off the board.
    Border = 3,
}

impl Cell {
    /// The colour of the stone, if there is one.
    #[inline(always)]
    pub fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Border => None,
        }
    }
}

impl From<Color> for Cell {
    #[inline(always)]
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

/// One value per colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ColorMap<T>(pub [T; 2]);

impl<T> Index<Color> for ColorMap<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ColorMap<T> {
    #[inline(always)]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_parsed_in_any_case() {
        for text in ["b", "B", "black", "BLACK", "bLaCk"] {
            assert_eq!(Color::parse_gtp(text), Some(Color::Black));
        }
        for text in ["w", "W", "white", "White"] {
            assert_eq!(Color::parse_gtp(text), Some(Color::White));
        }
        for text in ["", "x", "bl", "blackk", "weiß"] {
            assert_eq!(Color::parse_gtp(text), None, "{text}");
        }
    }

    #[test]
    fn opponent_and_sign() {
        assert_eq!(Color::Black.opponent(), Color::White);
        assert_eq!(!Color::White, Color::Black);
        assert_eq!((Color::Black.sign(), Color::White.sign()), (1, -1));
        assert_eq!(Cell::from(Color::White).color(), Some(Color::White));
    }
}
