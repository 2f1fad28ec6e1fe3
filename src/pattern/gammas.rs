//! Gammas for the playouts: the 3x3 shape with liberty classes, and a few local features.
//!
//! A playout rates a point by multiplying the gamma of its surroundings with those of its
//! features, so all of it must come from arrays. The surroundings are 20 bits: three for each
//! orthogonal neighbour (empty, own or enemy stone with 1, 2 or 3+ liberties, border) and the two bits of
//! each diagonal one. The table of all of them is a direct index, without hashing and without
//! looking for a canonical form; symmetric entries are equal because the file holds one of the
//! eight and reading it fills in the others.

use super::format::{ModelError, Reader, envelope, open_envelope, write_file};
use crate::board::Board;
use crate::types::{Cell, Color, Point};
use std::path::Path;

/// Entries of the table of surroundings.
pub const SURROUNDINGS: usize = 1 << 20;

/// A local feature of a move in a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Local {
    /// Captures a chain.
    Capture = 0,
    /// Captures the chain of the last move.
    CaptureLast = 1,
    /// Takes a ko.
    Ko = 2,
    /// Extends an own chain in atari to two liberties or more.
    Save = 3,
    /// The same for a chain that the last move touches.
    SaveTouched = 4,
    /// Gives atari.
    Atari = 5,
    /// Gives atari to the chain of the last move.
    AtariLast = 6,
    /// Puts a lone stone into atari.
    SelfAtari = 7,
    /// Puts a chain of two stones or more into atari.
    LargeSelfAtari = 8,
    /// One of the eight neighbours of the last move.
    NearLast = 9,
    /// One of the eight neighbours of the move before.
    NearSecondLast = 10,
}

/// How many local features there are.
pub const LOCALS: usize = 11;

impl Local {
    /// All of them, in the order of their numbers.
    pub const ALL: [Local; LOCALS] = [
        Local::Capture,
        Local::CaptureLast,
        Local::Ko,
        Local::Save,
        Local::SaveTouched,
        Local::Atari,
        Local::AtariLast,
        Local::SelfAtari,
        Local::LargeSelfAtari,
        Local::NearLast,
        Local::NearSecondLast,
    ];

    /// The name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Local::Capture => "capture",
            Local::CaptureLast => "capture of the last move",
            Local::Ko => "ko",
            Local::Save => "save",
            Local::SaveTouched => "save of a chain the last move touches",
            Local::Atari => "atari",
            Local::AtariLast => "atari on the last move",
            Local::SelfAtari => "self-atari",
            Local::LargeSelfAtari => "self-atari of several stones",
            Local::NearLast => "near the last move",
            Local::NearSecondLast => "near the move before",
        }
    }
}

/// The learned gammas. A move's weight is the product of those that apply.
#[derive(Clone, PartialEq, Debug)]
pub struct Gammas {
    /// One per surroundings, indexed by [`surroundings`].
    pub shape: Vec<f32>,
    /// One per local feature, indexed by [`Local`].
    pub locals: [f32; LOCALS],
}

/// The surroundings of an empty point, seen by a player.
#[inline]
pub fn surroundings(board: &Board, color: Color, point: Point) -> usize {
    let mut index = 0;
    for (i, neighbor) in point.neighbors().into_iter().enumerate() {
        let state = match board.cell(neighbor) {
            Cell::Empty => 0,
            Cell::Border => 7,
            stone => {
                let liberties = board.liberty_count(neighbor).min(3) as usize;
                if stone == Cell::from(color) { liberties } else { liberties + 3 }
            }
        };
        index |= state << (3 * i);
    }
    let shape = board.shape(point);
    let shape = if color == Color::Black { shape } else { shape.swap_colors() };
    index | usize::from(shape.code() >> 8) << 12
}

/// The surroundings after a rotation (bits 1 and 2) and reflection (bit 0) of the board.
fn transform(index: usize, symmetry: usize) -> usize {
    // Directions in code order: north, west, east, south; north-west, north-east, south-west,
    // south-east.
    const OFFSETS: [(i32, i32); 8] =
        [(0, 1), (-1, 0), (1, 0), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];
    let mut result = 0;
    for (direction, &(dx, dy)) in OFFSETS.iter().enumerate() {
        let (mut x, mut y) = if symmetry & 1 == 1 { (-dx, dy) } else { (dx, dy) };
        for _ in 0..symmetry >> 1 {
            (x, y) = (-y, x);
        }
        let target = OFFSETS.iter().position(|&o| o == (x, y)).unwrap_or(direction);
        let (from, to, bits) = if direction < 4 {
            (3 * direction, 3 * target, 7)
        } else {
            (12 + 2 * (direction - 4), 12 + 2 * (target - 4), 3)
        };
        result |= (index >> from & bits) << to;
    }
    result
}

/// The smallest of the eight views of surroundings.
pub fn canonical_surroundings(index: usize) -> usize {
    (0..8).map(|symmetry| transform(index, symmetry)).min().unwrap_or(index)
}

const MAGIC: &[u8; 8] = b"TENGENPG";
/// Logarithms of gammas are stored in steps of this size.
const STEP: f32 = 1.0 / 256.0;

impl Default for Gammas {
    /// All gammas are one: every move is as good as any other.
    fn default() -> Self {
        Gammas { shape: vec![1.0; SURROUNDINGS], locals: [1.0; LOCALS] }
    }
}

impl Gammas {
    /// Reads gammas from a file, plain or `.zst`.
    pub fn load(path: &Path) -> Result<Gammas, ModelError> {
        Gammas::parse(&crate::input::read_bytes(path, 16 << 20)?)
    }

    /// Writes the gammas to a file.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        write_file(path, &self.to_bytes())
    }

    /// Reads gammas from bytes: the local ones, then canonical surroundings with theirs.
    pub fn parse(bytes: &[u8]) -> Result<Gammas, ModelError> {
        let mut reader = Reader { bytes: open_envelope(bytes, MAGIC)? };
        let mut gammas = Gammas::default();
        if usize::from(reader.u8()?) != LOCALS {
            return Err(ModelError::Features);
        }
        for gamma in &mut gammas.locals {
            *gamma = reader.gamma()?;
        }
        let count = reader.u32()? as usize;
        if reader.bytes.len() as u64 != 6 * count as u64 {
            return Err(ModelError::Length);
        }
        for _ in 0..count {
            let index = reader.u32()? as usize;
            let gamma = reader.gamma()?;
            if index >= SURROUNDINGS {
                return Err(ModelError::Content("surroundings out of range"));
            }
            for symmetry in 0..8 {
                gammas.shape[transform(index, symmetry)] = gamma;
            }
        }
        Ok(gammas)
    }

    /// The bytes of a file. Gammas are rounded to what it can hold.
    pub fn to_bytes(&self) -> Vec<u8> {
        let number = |gamma: f32| ((gamma.ln() / STEP).round() as i16).to_le_bytes();
        let mut body = vec![LOCALS as u8];
        body.extend(self.locals.iter().flat_map(|&gamma| number(gamma)));
        let stored: Vec<usize> = (0..SURROUNDINGS)
            .filter(|&index| self.shape[index] != 1.0 && canonical_surroundings(index) == index)
            .collect();
        body.extend((stored.len() as u32).to_le_bytes());
        for index in stored {
            body.extend((index as u32).to_le_bytes());
            body.extend(number(self.shape[index]));
        }
        envelope(MAGIC, &body)
    }
}

impl Reader<'_> {
    fn gamma(&mut self) -> Result<f32, ModelError> {
        let bytes = self.take(2)?;
        Ok((f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) * STEP).clamp(-20.0, 20.0).exp())
    }
}

/// The local features of a legal move, as bits at the numbers of [`Local`].
pub fn locals(board: &Board, color: Color, point: Point) -> u16 {
    let mut bits = 0;
    let mut set = |local: Local| bits |= 1 << local as u16;
    let enemy = color.opponent();
    let last = board.last_move();
    let near = |other: Point| {
        !other.is_pass()
            && other != point
            && other.column().abs_diff(point.column()) <= 1
            && other.row().abs_diff(point.row()) <= 1
    };
    if near(last) {
        set(Local::NearLast);
    }
    if near(board.second_last_move()) {
        set(Local::NearSecondLast);
    }
    let last_head = if last.is_pass() { Point::PASS } else { board.head(last) };
    let touches_last = |head: Point| {
        !last.is_pass() && last.neighbors().into_iter().any(|n| board.head(n) == head)
    };
    let (mut captured, mut friends, mut save, mut save_touched) = (0, 0, false, false);
    for neighbor in point.neighbors() {
        let head = board.head(neighbor);
        if board.is_stone(neighbor, enemy) {
            match board.liberty_count(neighbor) {
                1 => {
                    captured += board.chain_size(neighbor);
                    set(Local::Capture);
                    if head == last_head {
                        set(Local::CaptureLast);
                    }
                }
                2 => {
                    set(Local::Atari);
                    if head == last_head {
                        set(Local::AtariLast);
                    }
                }
                _ => {}
            }
        } else if board.is_stone(neighbor, color) {
            friends += 1;
            if board.liberty_count(neighbor) == 1 {
                save = true;
                save_touched |= touches_last(head);
            }
        }
    }
    let self_atari = board.is_self_atari(color, point);
    if captured == 1 && friends == 0 && self_atari {
        set(Local::Ko);
    } else if self_atari {
        set(if friends == 0 { Local::SelfAtari } else { Local::LargeSelfAtari });
    } else if save {
        set(Local::Save);
        if save_touched {
            set(Local::SaveTouched);
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn surroundings_are_equal_under_symmetries_and_colour_swap() {
        let text = "
            . . . . .
            . O X . .
            . X a . .
            . . O . .
            . . . . .";
        let diagram = Diagram::parse(text).unwrap();
        let seen = surroundings(&diagram.board, Color::Black, diagram.marks[0].1);
        let mirrored: String =
            text.lines().map(|line| line.trim().chars().rev().collect::<String>() + "\n").collect();
        let swapped: String = mirrored
            .chars()
            .map(|c| {
                if c == 'X' {
                    'O'
                } else if c == 'O' {
                    'X'
                } else {
                    c
                }
            })
            .collect();
        let other = Diagram::parse(&swapped).unwrap();
        let other = surroundings(&other.board, Color::White, other.marks[0].1);
        assert_ne!(seen, other);
        assert_eq!(canonical_surroundings(seen), canonical_surroundings(other));
        assert!((0..8).any(|symmetry| transform(seen, symmetry) == other));
    }

    #[test]
    fn locals_of_captures_saves_and_self_ataris() {
        let diagram = Diagram::parse(
            ". . . . .
             O X . . .
             a O X . .
             O X . . .
             . . . . .",
        )
        .unwrap();
        let (board, point) = (&diagram.board, diagram.marks[0].1);
        // White connects three stones; Black's stone would be captured at once, but captures none.
        let white = locals(board, Color::White, point);
        assert_eq!(white & 1 << Local::Capture as u16, 0);
        let bit = |local: Local| 1 << local as u16;
        let black = locals(board, Color::Black, point);
        assert_ne!(black & bit(Local::Atari), 0);
        assert_ne!(black & bit(Local::SelfAtari) | black & bit(Local::Ko), 0);
    }

    #[test]
    fn files_round_trip_and_bad_ones_are_refused() {
        let mut gammas = Gammas::default();
        let index = canonical_surroundings(0b1001_0010_1010_0011_1001);
        for symmetry in 0..8 {
            gammas.shape[transform(index, symmetry)] = 2.0;
        }
        gammas.locals[3] = 30.0;
        let bytes = gammas.to_bytes();
        let read = Gammas::parse(&bytes).unwrap();
        assert!((read.shape[index] - 2.0).abs() < 0.01 && (read.locals[3] - 30.0).abs() < 0.2);
        assert_eq!(read.to_bytes(), bytes);
        for cut in 0..bytes.len() {
            assert!(Gammas::parse(&bytes[..cut]).is_err());
        }
    }
}
