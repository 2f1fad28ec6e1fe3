//! Game records in the Smart Game Format (SGF, FF\[4\]).
//!
//! A [`Record`] is the main line of one game: the board it starts from, the moves, and what the
//! file says about the game. It knows no rules of Go, so a record may hold illegal moves.
//!
//! The crate `sgf-parse` turns property values into typed ones and back: reading and writing go
//! through its `go::Prop`. Its parser of whole files was tried and is not used. It keeps every node
//! inside its parent, so dropping a game of 40,000 nodes overflows the 2 MB stack of a thread;
//! printing recurses too and takes quadratic time; it needs UTF-8; and of a soft line break it
//! drops the backslash but keeps the break. So `scan` walks the brackets itself, in one pass without
//! recursion, and hands one property at a time to the crate: 23,000 games of 210 moves a second
//! instead of 8,700.
//!
//! Metadata is read leniently (an unreadable komi is no komi), whatever changes the position
//! strictly: a size, stone or move that cannot be right is an error, never a different game.

mod outcome;
mod read;
mod scan;
mod write;

pub use outcome::{Margin, Outcome};
pub(crate) use read::komi;
pub(crate) use scan::{Scanner, Token, board_size, canonical, excerpt, values};

use crate::input::{self, InputError};
use crate::types::{Color, Move, Point};
use std::path::Path;
use thiserror::Error;

/// Deepest nesting of variations that is read. Editors that open a variation for every move reach
/// the number of moves, a few hundred.
pub const MAX_DEPTH: usize = 10_000;
/// Largest file that [`Record::open`] reads.
pub const MAX_FILE: u64 = 64 << 20;

/// The main line of one game.
///
/// ```
/// use tengen::game::sgf::Record;
///
/// let record = Record::parse("(;SZ[9]KM[5.5];B[ee];W[gc])")?;
/// assert_eq!((record.size, record.komi, record.moves().count()), (9, Some(5.5), 2));
/// assert!(record.to_sgf().contains(";B[ee];W[gc]"));
/// # Ok::<(), tengen::game::sgf::SgfError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// Points per side (`SZ`), 2 to 19; 19 if the file does not say.
    pub size: usize,
    /// Komi (`KM`), if there is a readable one.
    pub komi: Option<f32>,
    /// Name of the rules (`RU`) as written.
    pub rules: Option<String>,
    /// Handicap stones (`HA`), 0 in an even game.
    pub handicap: usize,
    /// Stones that stand before the first move (`AB`, `AW`), in the order of the points.
    pub setup: Vec<Setup>,
    /// Who plays first, if the file says so (`PL`); see [`Record::to_play`].
    pub first_player: Option<Color>,
    /// Comment on the start position (`C` of the root).
    pub comment: String,
    /// Moves, and setup in the middle of the game, in order.
    pub steps: Vec<Step>,
    /// The result (`RE`) as written; see [`Record::outcome`].
    pub result: Option<String>,
    /// Black's name (`PB`).
    pub black_name: Option<String>,
    /// White's name (`PW`).
    pub white_name: Option<String>,
    /// Black's rank (`BR`).
    pub black_rank: Option<String>,
    /// White's rank (`WR`).
    pub white_rank: Option<String>,
    /// When the game was played (`DT`).
    pub date: Option<String>,
    /// The tournament (`EV`).
    pub event: Option<String>,
    /// Round of the tournament (`RO`).
    pub round: Option<String>,
    /// Where the game was played (`PC`).
    pub place: Option<String>,
    /// Name of the game (`GN`).
    pub game_name: Option<String>,
}

/// A point whose content is given, not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The point.
    pub point: Point,
    /// The stone that stands there from now on; none removes the stone (`AE`).
    pub stone: Option<Color>,
}

/// What one node of the main line does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A move (`B`, `W`), possibly a pass.
    Play(Move),
    /// Stones added or removed, and who plays next, after the first move.
    Setup {
        /// The changed points, in order.
        stones: Vec<Setup>,
        /// Who plays next, if the file says so (`PL`).
        to_play: Option<Color>,
    },
}

/// One node of the main line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What happens.
    pub action: Action,
    /// The node's comment, empty if there is none.
    pub comment: String,
}

/// Why a text is no usable game record. Each message is one line.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SgfError {
    /// Zero bytes: an image, an archive, UTF-16.
    #[error("not a text file, so not an SGF game record")]
    NotText,
    /// Nowhere a `(;`.
    #[error("no game found: an SGF game begins with '(;'")]
    NoGame,
    /// Deeper than [`MAX_DEPTH`].
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The end came too early.
    #[error("the text ends inside a game: a '(' or '[' is never closed")]
    Truncated,
    /// A character where none such may stand.
    #[error("'{found}' at byte {byte} where a property (like B[pd]), ';', '(' or ')' is expected")]
    Unexpected {
        /// Place in the text, from 0.
        byte: usize,
        /// The character, or a dot for one that cannot be shown.
        found: char,
    },
    /// `GM` names another game.
    #[error("GM[{0}] is not Go (GM[1])")]
    NotGo(String),
    /// `SZ` is no number or out of range.
    #[error("SZ[{0}]: only boards from 2x2 to 19x19 can be read")]
    Size(String),
    /// A board with unequal sides.
    #[error("the {0}x{1} board is not square; only square boards can be read")]
    NotSquare(u8, u8),
    /// A move or stone that is not on the board.
    #[error("{property}[{value}] is not a point of the {size}x{size} board")]
    Point {
        /// Name of the property.
        property: String,
        /// Its value, shortened.
        value: String,
        /// The board.
        size: usize,
    },
    /// Far more setup stones than a game can need.
    #[error("more setup stones than any game needs")]
    TooManyStones,
    /// Whoever asked for it does not want it any more.
    #[error("interrupted")]
    Interrupted,
    /// Setup stones where only moves from the empty board are read.
    #[error("setup stones ({0}); only games from the empty board are read here")]
    SetupStones(String),
}

/// Why a file gives no record.
#[derive(Debug, Error)]
pub enum OpenError {
    /// It could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Its text is no game.
    #[error("{path}: {source}")]
    Sgf {
        /// The file's name.
        path: String,
        /// What is wrong with it.
        source: SgfError,
    },
}

impl Record {
    /// An empty record for a board of this size.
    pub fn new(size: usize) -> Record {
        Record { size, ..Record::default() }
    }

    /// The first game of a file (plain or `.zst`, `-` for standard input).
    pub fn open(path: &Path) -> Result<Record, OpenError> {
        let bytes = input::read_bytes(path, MAX_FILE)?;
        Record::parse(&bytes)
            .map_err(|source| OpenError::Sgf { path: path.display().to_string(), source })
    }

    /// The same for a name that came from a client: it must be a regular file. `go_on` is asked now
    /// and then, and reading ends with an error when it says no.
    pub fn open_regular(path: &Path, go_on: &dyn Fn() -> bool) -> Result<Record, OpenError> {
        let bytes = input::read_regular(path, MAX_FILE)?;
        Record::parse_while(&bytes, go_on)
            .map_err(|source| OpenError::Sgf { path: path.display().to_string(), source })
    }

    /// The moves of the main line, passes included.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.steps.iter().filter_map(|step| match step.action {
            Action::Play(play) => Some(play),
            Action::Setup { .. } => None,
        })
    }

    /// Adds a move at the end.
    pub fn push_move(&mut self, play: Move) {
        self.steps.push(Step { action: Action::Play(play), comment: String::new() });
    }

    /// Who plays first: as the file says, else whoever makes the first move, else White in a
    /// handicap game, else Black.
    pub fn to_play(&self) -> Color {
        let by_handicap = if self.handicap > 0 { Color::White } else { Color::Black };
        self.first_player.or(self.moves().next().map(|play| play.color)).unwrap_or(by_handicap)
    }

    /// The result, understood.
    pub fn outcome(&self) -> Outcome {
        self.result.as_deref().map_or(Outcome::Unknown, |text| Outcome::parse(text.as_bytes()))
    }
}
