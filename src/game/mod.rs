//! A game: a starting position, the moves played, and the rules that judge them.
//!
//! [`Board`] knows the position; this module knows the history. Undo replays the game, which
//! takes some 30 microseconds for a long one, so nothing is kept for it.

pub mod collection;
mod handicap;
mod replay;
mod rules;
mod score;
pub mod sgf;

pub use handicap::{
    fixed as fixed_handicap, free as free_handicap, max_fixed as max_fixed_handicap,
};
pub use replay::ReplayError;
pub use rules::{HandicapBonus, KoRule, Rules, Scoring, UnknownRules};
pub use score::{Score, Standing};

use crate::board::Board;
use crate::types::{Color, Hash, Move, Point, zobrist_to_play};
use thiserror::Error;

/// Why a move is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// Not a point of this board.
    #[error("the point is outside the board")]
    Outside,
    /// There is a stone already.
    #[error("the point is occupied")]
    Occupied,
    /// The stone would have no liberty.
    #[error("suicide is not allowed")]
    Suicide,
    /// The ko may not be retaken at once.
    #[error("the ko may not be retaken yet")]
    Ko,
    /// The position would repeat an earlier one.
    #[error("the position would repeat (superko)")]
    Superko,
}

/// Why stones cannot be set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// Handicap and setup need an empty board.
    #[error("the board is not empty")]
    NotEmpty,
    /// A point is named twice, is a pass, or is outside the board.
    #[error("the list of points is not valid")]
    BadPoints,
    /// A chain of the position has no liberty.
    #[error("the stone at {0} has no liberty")]
    NoLiberty(Point),
}

/// A game in progress.
///
/// ```
/// use tengen::game::{Game, Rules, Standing};
/// use tengen::types::{Color, Move, Point};
///
/// let mut game = Game::new(9, Rules::CHINESE);
/// game.play(Move::new(Color::Black, Point::new(5, 5)))?;
/// for color in [Color::White, Color::Black] {
///     game.play(Move::new(color, Point::PASS))?;
/// }
/// assert!(game.is_over());
/// assert_eq!(game.score(&Standing::as_it_stands()).to_string(), "B+73.5"); // komi 7.5
/// # Ok::<(), tengen::game::PlayError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Board,
    board: Board,
    rules: Rules,
    komi: f32,
    handicap: usize,
    moves: Vec<Move>,
    /// The starting position and the position after every move, for superko.
    situations: Vec<Situation>,
}

#[derive(Clone, Copy, Debug)]
struct Situation {
    stones: Hash,
    to_play: Color,
}

impl Situation {
    fn of(board: &Board) -> Situation {
        Situation { stones: board.hash(), to_play: board.to_play() }
    }
}

impl Game {
    /// A new game on an empty board with the usual komi.
    ///
    /// # Panics
    /// If the size is not in 2..=19.
    pub fn new(size: usize, rules: Rules) -> Game {
        Game::from_board(Board::new(size), rules)
    }

    /// A game that starts from a position.
    pub fn from_board(start: Board, rules: Rules) -> Game {
        Game {
            board: start.clone(),
            komi: rules.usual_komi(start.size()),
            rules,
            handicap: 0,
            moves: Vec::new(),
            situations: vec![Situation::of(&start)],
            start,
        }
    }

    /// Sets up stones on an empty board before the first move.
    pub fn set_up(&mut self, stones: &[Move], to_play: Color) -> Result<(), SetupError> {
        let mut board = self.empty_start()?;
        for stone in stones {
            if !board.is_empty(stone.point) {
                return Err(SetupError::BadPoints);
            }
            let before = board.empty_points().len();
            if board.is_suicide(stone.color, stone.point) {
                return Err(SetupError::NoLiberty(stone.point));
            }
            board.put_setup_stone(stone.color, stone.point);
            if board.empty_points().len() + 1 != before {
                return Err(SetupError::NoLiberty(stone.point)); // it captured a chain
            }
        }
        board.set_to_play(to_play);
        self.restart_from(board);
        Ok(())
    }

    /// Places Black's handicap stones on an empty board; White plays next.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetupError> {
        let stones: Vec<Move> = points.iter().map(|&p| Move::new(Color::Black, p)).collect();
        self.set_up(&stones, Color::White)?;
        self.handicap = points.len();
        Ok(())
    }

    fn empty_start(&self) -> Result<Board, SetupError> {
        let stones = Color::BOTH.iter().any(|&color| self.board.stone_count(color) > 0);
        if stones || !self.moves.is_empty() {
            return Err(SetupError::NotEmpty);
        }
        Ok(Board::new(self.size()))
    }

    fn restart_from(&mut self, start: Board) {
        self.situations = vec![Situation::of(&start)];
        self.board = start.clone();
        self.start = start;
    }

    /// Points per side.
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position before the first move.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules; komi and position stay.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// White's compensation.
    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Sets White's compensation.
    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    /// Handicap stones: those placed as such or, if there are none, the black stones that were
    /// played before White's first move, as some programs send handicap.
    pub fn handicap(&self) -> usize {
        if self.handicap > 0 {
            return self.handicap;
        }
        let is_stone = |m: &&Move| m.color == Color::Black && !m.point.is_pass();
        match self.moves.iter().take_while(is_stone).count() {
            0 | 1 => 0,
            stones => stones,
        }
    }

    /// Komi and the compensation for handicap stones under the rules.
    pub fn total_komi(&self) -> f32 {
        self.komi + self.rules.bonus_for_handicap(self.handicap())
    }

    /// The moves, passes included.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Did the last two moves pass?
    pub fn is_over(&self) -> bool {
        matches!(self.moves[..], [.., a, b] if a.point.is_pass() && b.point.is_pass())
    }

    /// Plays a move or a pass. Two moves in a row by one colour are allowed, as in GTP.
    pub fn play(&mut self, play: Move) -> Result<(), PlayError> {
        let board = self.after(play)?;
        self.board = board;
        self.moves.push(play);
        self.situations.push(Situation::of(&self.board));
        Ok(())
    }

    /// May this colour play here (or pass)?
    pub fn is_legal(&self, play: Move) -> bool {
        self.after(play).is_ok()
    }

    fn after(&self, Move { color, point }: Move) -> Result<Board, PlayError> {
        let mut board = self.board.clone();
        if point.is_pass() {
            board.play_observed(color, point, &mut ());
            return Ok(board);
        }
        if !point.is_on_board(self.size()) {
            return Err(PlayError::Outside);
        }
        if !board.is_empty(point) {
            return Err(PlayError::Occupied);
        }
        if board.is_suicide(color, point) {
            return Err(PlayError::Suicide);
        }
        if !board.is_legal(color, point) {
            return Err(PlayError::Ko);
        }
        board.play_observed(color, point, &mut ());
        let now = Situation::of(&board);
        let repeats = self.situations.iter().any(|then| match self.rules.ko {
            KoRule::Simple => false,
            KoRule::Positional => then.stones == now.stones,
            KoRule::Situational => then.stones == now.stones && then.to_play == now.to_play,
        });
        if repeats { Err(PlayError::Superko) } else { Ok(board) }
    }

    /// Takes back the last moves; false, and no change, if there are fewer.
    pub fn undo(&mut self, moves: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(moves) else {
            return false;
        };
        self.moves.truncate(left);
        self.situations.truncate(left + 1);
        self.board = self.start.clone();
        for &Move { color, point } in &self.moves {
            self.board.play_observed(color, point, &mut ());
        }
        true
    }

    /// Gives the turn to a colour without a move, as when a program is asked to move for the
    /// side that is not on turn.
    pub fn set_to_play(&mut self, color: Color) {
        self.board.set_to_play(color);
    }

    /// A number that is equal for equal positions with the same player to move.
    pub fn situation(&self) -> Hash {
        self.board.hash() ^ zobrist_to_play(self.board.to_play())
    }
}

#[cfg(test)]
mod tests;
