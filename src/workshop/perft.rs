//! Perft: the number of legal sequences of stones of each length from the empty board.
//!
//! Black first, strictly alternating, no passes. A board with a wrong capture, ko or suicide rule
//! gets a wrong count within a few plies, so the numbers are the quickest check of a board that
//! somebody ports or speeds up; `tests/engine/perft.rs` holds the published ones.
//!
//! Square boards without suicide are counted with [`Game`], the code that plays; rectangles and
//! suicide, which play never needs, with [`NaiveBoard`]. The last ply is counted by asking for
//! legality, without playing.

use crate::board::naive::NaiveBoard;
use crate::game::{Game, KoRule, Rules};
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Move, Point, points};
use crate::workshop::tools::figures::{Figure, Printer};
use std::str::FromStr;
use std::time::Instant;
use thiserror::Error;

/// Width and height of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dimensions {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// Text that is no board size.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a board size: write a number or WxH, each from 1 to 19, like 9 or 3x2")]
pub struct DimensionsError(String);

/// `9` or `3x2`.
impl FromStr for Dimensions {
    type Err = DimensionsError;

    fn from_str(text: &str) -> Result<Dimensions, DimensionsError> {
        let bad = || DimensionsError(text.chars().take(20).collect());
        let number = |text: &str| match text.parse() {
            Ok(n) if (1..=MAX_SIZE).contains(&n) => Ok(n),
            _ => Err(bad()),
        };
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        Ok(Dimensions { width: number(width)?, height: number(height)? })
    }
}

/// The rules under which sequences are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The board.
    pub dimensions: Dimensions,
    /// What may not be repeated.
    pub ko: KoRule,
    /// May a move remove the player's own chain of two or more stones?
    pub suicide: bool,
}

impl Variant {
    /// The number of legal sequences of exactly `depth` stones.
    pub fn count(&self, depth: usize) -> u64 {
        let Dimensions { width, height } = self.dimensions;
        if width == height && width >= MIN_SIZE && !self.suicide {
            let rules = Rules { ko: self.ko, ..Rules::TROMP_TAYLOR };
            let all = points(width).collect();
            count(&mut FastSequence { game: Game::new(width, rules), points: all }, depth)
        } else {
            count(&mut NaiveSequence::new(width, height, self.suicide, self.ko), depth)
        }
    }
}

/// A sequence of moves that can be tried, prolonged and taken back.
trait Sequence {
    fn points(&self) -> usize;
    fn is_legal(&self, color: Color, at: usize) -> bool;
    fn play(&mut self, color: Color, at: usize) -> bool;
    fn take_back(&mut self);
}

fn count(sequence: &mut impl Sequence, depth: usize) -> u64 {
    fn below(sequence: &mut impl Sequence, color: Color, depth: usize) -> u64 {
        let all = 0..sequence.points();
        if depth == 1 {
            return all.filter(|&at| sequence.is_legal(color, at)).count() as u64;
        }
        let mut sum = 0;
        for at in all {
            if sequence.play(color, at) {
                sum += below(sequence, !color, depth - 1);
                sequence.take_back();
            }
        }
        sum
    }
    if depth == 0 { 1 } else { below(sequence, Color::Black, depth) }
}

struct FastSequence {
    game: Game,
    points: Vec<Point>,
}

impl Sequence for FastSequence {
    fn points(&self) -> usize {
        self.points.len()
    }

    fn is_legal(&self, color: Color, at: usize) -> bool {
        self.game.is_legal(Move::new(color, self.points[at]))
    }

    fn play(&mut self, color: Color, at: usize) -> bool {
        self.game.play(Move::new(color, self.points[at])).is_ok()
    }

    fn take_back(&mut self) {
        self.game.undo(1);
    }
}

struct NaiveSequence {
    ko: KoRule,
    now: NaiveBoard,
    before: Vec<NaiveBoard>,
}

impl NaiveSequence {
    fn new(width: usize, height: usize, suicide: bool, ko: KoRule) -> NaiveSequence {
        NaiveSequence { ko, now: NaiveBoard::new(width, height, suicide), before: Vec::new() }
    }

    fn after(&self, color: Color, at: usize) -> Option<NaiveBoard> {
        let after = self.now.play(color, at)?;
        let same = |then: &NaiveBoard| then.cells() == after.cells();
        let repeats = match self.ko {
            KoRule::Simple => false,
            KoRule::Positional => self.before.iter().chain([&self.now]).any(same),
            // The players alternate, so every second earlier position had the same one to move:
            // from the position before the opponent's last move backwards.
            KoRule::Situational => self.before.iter().rev().step_by(2).any(same),
        };
        (!repeats).then_some(after)
    }
}

impl Sequence for NaiveSequence {
    fn points(&self) -> usize {
        self.now.len()
    }

    fn is_legal(&self, color: Color, at: usize) -> bool {
        self.after(color, at).is_some()
    }

    fn play(&mut self, color: Color, at: usize) -> bool {
        let Some(after) = self.after(color, at) else {
            return false;
        };
        self.before.push(std::mem::replace(&mut self.now, after));
        true
    }

    fn take_back(&mut self) {
        if let Some(before) = self.before.pop() {
            self.now = before;
        }
    }
}

/// `tengen perft`: count the legal sequences of stones from the empty board.
#[derive(clap::Args, Debug)]
pub struct PerftArgs {
    /// The board: N for a square, WxH for a rectangle
    #[arg(long, value_name = "N|WxH", default_value = "5")]
    size: Dimensions,
    /// Count sequences of 1 to this many stones
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Use the ko rule of a rule set, like japanese, chinese or aga; simple ko if none is named
    #[arg(long, value_name = "NAME", conflicts_with = "superko")]
    rules: Option<Rules>,
    /// Forbid to repeat any earlier position
    #[arg(long)]
    superko: bool,
    /// Allow suicide of two or more stones
    #[arg(long)]
    suicide: bool,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `tengen perft`.
pub fn run(args: PerftArgs) -> anyhow::Result<()> {
    let ko = match args.rules {
        None if args.superko => KoRule::Positional,
        None => KoRule::Simple,
        Some(rules) => rules.ko,
    };
    let variant = Variant { dimensions: args.size, ko, suicide: args.suicide };
    let mut printer = Printer::new(std::io::stdout().lock(), args.json);
    for depth in 1..=args.depth {
        let start = Instant::now();
        let sequences = variant.count(depth as usize) as f64;
        let seconds = start.elapsed().as_secs_f64();
        printer.print(Figure::new(format!("depth {depth}"), sequences, "sequences"))?;
        let speed = Figure::new(format!("depth {depth} speed"), sequences / seconds, "sequences/s");
        printer.print(speed)?;
    }
    Ok(printer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let dimensions = |width, height| Ok(Dimensions { width, height });
        assert_eq!("9".parse(), dimensions(9, 9));
        assert_eq!("3x2".parse(), dimensions(3, 2));
        assert_eq!("1X19".parse(), dimensions(1, 19));
        for text in ["", "0", "20", "x", "3x", "x3", "3x2x1", "-3", "3 x 2", "nine"] {
            assert_eq!(text.parse::<Dimensions>(), Err(DimensionsError(text.into())), "{text}");
        }
    }

    #[test]
    fn the_fast_and_the_naive_board_count_alike_under_every_ko_rule() {
        for (size, depth) in [(2, 10), (3, 5), (4, 4)] {
            for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational] {
                let dimensions = Dimensions { width: size, height: size };
                let fast = Variant { dimensions, ko, suicide: false };
                for depth in 0..=depth {
                    let naive = count(&mut NaiveSequence::new(size, size, false, ko), depth);
                    assert_eq!(fast.count(depth), naive, "{size}x{size} {ko:?} depth {depth}");
                }
            }
        }
    }
}
