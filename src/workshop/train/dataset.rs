//! Training data: which games to learn from, and their moves one by one.
//!
//! Games come as a stream: nothing is held but a window of them that shuffles it, so memory does not depend
//! on their number.

use crate::board::Board;
use crate::game::collection::{Games, MainLine};
use crate::types::{Color, Point, Rank, Rng};
use anyhow::{Context, Result};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games in the window that shuffles the stream.
const WINDOW: usize = 2048;

/// Which of the games of a source to use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Part {
    /// All.
    #[default]
    All,
    /// All but every n-th.
    Rest(usize),
    /// Every n-th: held out from learning, for validation.
    HeldOut(usize),
}

impl Part {
    /// Is the game with this number, counted from 1, in the part?
    fn holds(self, number: usize) -> bool {
        match self {
            Part::All => true,
            Part::Rest(n) => !number.is_multiple_of(n),
            Part::HeldOut(n) => number.is_multiple_of(n),
        }
    }
}

/// Which games to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Files of one game per line, plain or `.zst`, read one after the other.
    pub files: Vec<PathBuf>,
    /// How many games to use, counted over all files.
    pub limit: usize,
    /// Only boards of this size, if given.
    pub size: Option<usize>,
    /// Which of these games.
    pub part: Part,
    /// Only moves by players of these ranks, if given; games without such a player are left out.
    pub ranks: Option<RangeInclusive<Rank>>,
    /// Seed of the order in which they come.
    pub seed: u64,
    /// Which features their positions have; all without it.
    pub allowed: Option<Arc<[bool]>>,
    /// Playouts for the feature `owner`; 0 leaves it out.
    pub owner: u32,
}

impl Source {
    /// All games of some files, in order.
    pub fn new(files: &[PathBuf]) -> Source {
        Source {
            files: files.to_vec(),
            limit: usize::MAX,
            size: None,
            part: Part::All,
            ranks: None,
            seed: 0,
            allowed: None,
            owner: 0,
        }
    }

    /// How many games there are. Says on stderr which files have lines that are no games.
    pub fn count(&self) -> Result<usize> {
        self.read(
            |_| Ok(true),
            |path, games| {
                if let Some(reason) = games.first_skipped() {
                    let (name, number) = (path.display(), games.skipped());
                    eprintln!(
                        "tengen: {name}: {number} lines hold no game that can be used; {reason}"
                    );
                }
            },
        )
    }

    /// Calls a function with every game in the order of the files; lines that hold none are passed over.
    pub fn for_each(&self, use_game: impl FnMut(&MainLine) -> Result<bool>) -> Result<usize> {
        self.read(use_game, |_, _| ())
    }

    /// The same, and calls another function after every file.
    fn read(
        &self,
        mut use_game: impl FnMut(&MainLine) -> Result<bool>,
        mut end_file: impl FnMut(&Path, &Games),
    ) -> Result<usize> {
        let mut game = MainLine::default();
        let (mut number, mut count) = (0, 0);
        for path in &self.files {
            let mut games = Games::open(path)?;
            let name = || format!("in '{}'", path.display());
            while count < self.limit && games.read_good_into(&mut game).with_context(name)? {
                if self.size.is_some_and(|size| size != usize::from(game.size)) {
                    continue;
                }
                number += 1;
                // The part is counted before the ranks are asked, so that what is held out from one
                // range of ranks is held out from all.
                let wanted = Color::BOTH.iter().any(|&color| self.wants(&game, color));
                if self.part.holds(number) && wanted {
                    count += 1;
                    if !use_game(&game)? {
                        return Ok(count);
                    }
                }
            }
            end_file(path, &games);
        }
        Ok(count)
    }

    /// Calls a function with every game in an order that is shuffled within a sliding window.
    pub fn for_each_shuffled(
        &self,
        pass: usize,
        mut use_game: impl FnMut(MainLine) -> Result<bool>,
    ) -> Result<usize> {
        let mut rng = Rng::new(self.seed ^ (pass as u64) << 32);
        let mut window: Vec<MainLine> = Vec::with_capacity(WINDOW);
        let mut go_on = true;
        let count = self.for_each(|game| {
            if window.len() < WINDOW {
                window.push(game.clone());
            } else {
                let slot = &mut window[rng.below(WINDOW as u32) as usize];
                go_on = use_game(std::mem::replace(slot, game.clone()))?;
            }
            Ok(go_on)
        })?;
        rng.shuffle(&mut window);
        for game in window {
            if !go_on {
                break;
            }
            go_on = use_game(game)?;
        }
        Ok(count)
    }

    /// Are the moves of this player of a game wanted?
    fn wants(&self, game: &MainLine, color: Color) -> bool {
        let holds = |ranks: &RangeInclusive<Rank>| {
            game.ranks[color].is_some_and(|rank| ranks.contains(&rank))
        };
        self.ranks.as_ref().is_none_or(holds)
    }

    /// Plays a game and calls a function before every move of a player of the ranks that are wanted.
    /// Stops at a move that is not legal.
    pub fn replay(&self, game: &MainLine, mut see: impl FnMut(&Board, Point)) {
        let mut board = Board::new(usize::from(game.size));
        for play in &game.moves {
            board.set_to_play(play.color);
            if !play.point.is_pass() && !board.is_legal(play.color, play.point) {
                return;
            }
            if self.wants(game, play.color) {
                see(&board, play.point);
            }
            board.play_observed(play.color, play.point, &mut ());
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A file of games that differ in their first move, on two sizes, by players of two ranks.
    pub(in super::super) fn games(folder: &tempfile::TempDir, count: usize) -> PathBuf {
        let game = |number: usize| {
            let first = char::from(b'a' + (number % 9) as u8);
            let (size, rank) = if number.is_multiple_of(3) { (13, "5k") } else { (9, "2d") };
            format!("(;SZ[{size}]BR[{rank}]WR[10k]RE[B+R];B[{first}a];W[ee];B[ff];W[gg])\n")
        };
        let file = folder.path().join("games.sgfs");
        std::fs::write(&file, (0..count).map(game).collect::<String>()).unwrap();
        file
    }

    fn count(source: &Source) -> usize {
        source.count().unwrap()
    }

    #[test]
    fn parts_sizes_ranks_and_limits_choose_games() {
        let folder = tempfile::tempdir().unwrap();
        let all = Source::new(&[games(&folder, 30)]);
        assert_eq!(count(&all), 30);
        assert_eq!(count(&Source { size: Some(9), ..all.clone() }), 20);
        assert_eq!(count(&Source { part: Part::HeldOut(5), ..all.clone() }), 6);
        assert_eq!(count(&Source { part: Part::Rest(5), ..all.clone() }), 24);
        assert_eq!(count(&Source { limit: 7, part: Part::Rest(5), ..all.clone() }), 7);
        let dan = Rank::parse_range("1d..9d").unwrap();
        let strong = Source { ranks: Some(dan), ..all.clone() };
        assert_eq!(count(&strong), 20);
        let mut colors = Vec::new();
        strong
            .for_each(|game| {
                strong.replay(game, |board, _| colors.push(board.to_play()));
                Ok(false)
            })
            .unwrap();
        assert_eq!(colors, [Color::Black; 2], "the moves of the dan player only, of one game");
    }
}
