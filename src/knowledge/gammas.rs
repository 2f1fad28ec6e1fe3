//! Gammas for the playouts: the 3x3 shape with liberty classes, and a few local features.
//!
//! A playout rates a point by multiplying the gamma of its surroundings with those of its
//! features, so all of it must come from arrays. The surroundings are 20 bits: three for each
//! orthogonal neighbour (empty, own or enemy stone with 1, 2 or 3+ liberties, border) and the two bits of
//! each diagonal one. The table of all of them is a direct index, without hashing and without
//! looking for a canonical form; symmetric entries are equal because the file holds one of the
//! eight and reading it fills in the others.

use super::format::{ModelError, Reader, envelope, open_envelope, write_file};
use crate::board::{Board, PointList, Shape};
use crate::types::{Color, Point, STRIDE};
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

    /// The bit of this feature in a set of them.
    #[inline(always)]
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }

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
    /// One per surroundings, indexed by the surroundings of [`look`].
    pub shape: Vec<f32>,
    /// One per local feature, indexed by [`Local`].
    pub locals: [f32; LOCALS],
}

/// What a move at an empty point looks like to a player: its surroundings, and those of its local
/// features that do not depend on the last moves. One look at the four neighbours gives both.
#[inline]
pub fn look(board: &Board, color: Color, point: Point) -> (usize, u16) {
    let shape = board.shape(point);
    let shape = if color == Color::Black { shape } else { shape.swap_colors() };
    let code = usize::from(shape.code());
    let mut surroundings = code >> 8 << 12;
    let (mut captured, mut friends, mut weak_friend, mut atari) = (0, 0, false, false);
    for (i, neighbor) in point.neighbors().into_iter().enumerate() {
        let state = match code >> (2 * i) & 3 {
            0 => continue,
            3 => 7,
            stone => {
                let liberties = board.liberty_count(neighbor).min(3) as usize;
                if stone == 1 {
                    friends += 1;
                    weak_friend |= liberties == 1;
                    liberties
                } else {
                    if liberties == 1 {
                        captured += board.chain_size(neighbor);
                    }
                    atari |= liberties == 2;
                    liberties + 3
                }
            }
        };
        surroundings |= state << (3 * i);
    }
    let mut locals = 0;
    if captured > 0 {
        locals |= Local::Capture.bit();
    }
    if atari {
        locals |= Local::Atari.bit();
    }
    if board.is_self_atari(color, point) {
        locals |= match (captured, friends) {
            (1, 0) => Local::Ko.bit(),
            (_, 0) => Local::SelfAtari.bit(),
            _ => Local::LargeSelfAtari.bit(),
        };
    } else if weak_friend {
        locals |= Local::Save.bit();
    }
    (surroundings, locals)
}

/// What the last two moves make of the moves near them.
#[derive(Clone, Copy, Debug)]
pub struct LastMoves {
    last: Point,
    second_last: Point,
    /// Where the chain of the last move is captured, if it is in atari.
    capture: Point,
    /// Where it is put into atari, if it has two liberties.
    ataris: [Point; 2],
    /// The liberties of own chains in atari that the last move touches.
    touched: PointList<4>,
}

impl LastMoves {
    /// The last moves as the player to move sees them.
    #[inline]
    pub fn new(board: &Board) -> LastMoves {
        let (last, color) = (board.last_move(), board.to_play());
        let mut moves = LastMoves {
            last,
            second_last: board.second_last_move(),
            capture: Point::PASS,
            ataris: [Point::PASS; 2],
            touched: PointList::default(),
        };
        if last.is_pass() {
            return moves;
        }
        if board.is_stone(last, color.opponent()) {
            match board.liberty_count(last) {
                1 => moves.capture = board.atari_liberty(last),
                2 => moves.ataris = board.two_liberties(last),
                _ => {}
            }
        }
        for stone in last.neighbors() {
            if board.is_stone(stone, color) && board.is_in_atari(stone) {
                moves.touched.insert(board.atari_liberty(stone));
            }
        }
        moves
    }

    /// The local features of a move that depend on the last moves. `saves` says whether it is a
    /// [`Local::Save`]; it is asked only where that matters.
    #[inline]
    pub fn locals(&self, point: Point, saves: impl FnOnce() -> bool) -> u16 {
        let mut bits = 0;
        if is_beside(point, self.last) {
            bits |= Local::NearLast.bit();
        }
        if is_beside(point, self.second_last) {
            bits |= Local::NearSecondLast.bit();
        }
        if point == self.capture {
            bits |= Local::CaptureLast.bit();
        }
        if self.ataris.contains(&point) {
            bits |= Local::AtariLast.bit();
        }
        if self.touched.contains(&point) && saves() {
            bits |= Local::SaveTouched.bit();
        }
        bits
    }

    /// The points that may have such features, each once.
    #[inline]
    pub fn points<const N: usize>(&self, board: &Board) -> PointList<N> {
        let mut list = PointList::default();
        for (last, before) in [(self.last, Point::PASS), (self.second_last, self.last)] {
            if !last.is_pass() {
                for point in last.neighbors().into_iter().chain(last.diagonals()) {
                    if board.is_empty(point) && !is_beside(point, before) {
                        list.push(point);
                    }
                }
            }
        }
        for &point in [self.capture].iter().chain(&self.ataris).chain(self.touched.iter()) {
            if !point.is_pass() {
                list.insert(point);
            }
        }
        list
    }
}

/// Is a move one of the eight neighbours of another, which may be a pass?
#[inline]
fn is_beside(point: Point, other: Point) -> bool {
    // The border keeps points across an edge apart, so the difference of the indices tells.
    let difference = point.index().abs_diff(other.index());
    !other.is_pass() && (difference == 1 || difference.abs_diff(STRIDE) <= 1)
}

/// The surroundings after a rotation (bits 1 and 2) and reflection (bit 0) of the board.
fn transform(index: usize, symmetry: usize) -> usize {
    let mut result = 0;
    for direction in 0..8 {
        let target = Shape::turn(direction, symmetry);
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
        let seen = look(&diagram.board, Color::Black, diagram.marks[0].1).0;
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
        let other = look(&other.board, Color::White, other.marks[0].1).0;
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
        let white = look(board, Color::White, point).1;
        assert_eq!(white & Local::Capture.bit(), 0);
        let black = look(board, Color::Black, point).1;
        assert_ne!(black & Local::Atari.bit(), 0);
        assert_ne!(black & Local::SelfAtari.bit() | black & Local::Ko.bit(), 0);
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
