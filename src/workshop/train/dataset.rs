//! Training data: games as a stream, and their positions as lists of features.
//!
//! Nothing is held but a window of games that shuffles the stream and the positions on their way
//! to the trainer, so memory does not depend on the number of games. Features are computed by
//! worker threads and handed over in order: the same seed gives the same positions in the same
//! order on any number of threads.

use super::owner::Owners;
use crate::board::Board;
use crate::game::collection::{Games, MainLine};
use crate::knowledge::{Dictionary, Extractor, FeatureId, Sink, features};
use crate::types::{Color, Point, Rank, Rng};
use anyhow::{Context, Result};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Games in the window that shuffles the stream.
const WINDOW: usize = 2048;
/// Positions in the chunks that move between threads.
const CHUNK: usize = 24;

/// One position: the features of every legal move, and which of them was played.
///
/// Numbers below [`features::COUNT`] are features, those above are large patterns.
#[derive(Clone, Default, Debug)]
pub struct Position {
    ids: Vec<u32>,
    groups: Vec<u8>,
    ends: Vec<u32>,
    points: Vec<Point>,
    /// Features that all moves but the pass have.
    common: Vec<u32>,
    /// Which features are listed; all without it.
    allowed: Option<Arc<[bool]>>,
    /// The index of the move that was played.
    pub played: usize,
    /// How many moves had been played before.
    pub number: usize,
}

impl Position {
    /// Number of legal moves, the pass included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no move? Only before the first use.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of a move.
    #[inline(always)]
    pub fn features(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.ids[start..self.ends[index] as usize]
    }

    /// The groups of a move's features: families and sizes of patterns, 0 for declared features.
    pub fn pattern_groups(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.groups[start..self.ends[index] as usize]
    }

    fn is_allowed(&self, id: FeatureId) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed[usize::from(id)])
    }

    /// Where a move is.
    pub fn point(&self, index: usize) -> Point {
        self.points[index]
    }

    /// Replaces the content by the position on a board; false if the played move is not legal.
    pub fn fill(
        &mut self,
        board: &Board,
        played: Point,
        extractor: &mut Extractor,
        patterns: &Dictionary,
    ) -> bool {
        self.ids.clear();
        self.groups.clear();
        self.ends.clear();
        self.points.clear();
        self.common.clear();
        extractor.extract(board, patterns, self);
        self.ends.push(self.ids.len() as u32);
        self.number = board.move_count();
        let found = self.points.iter().position(|&point| point == played);
        self.played = found.unwrap_or(0);
        found.is_some()
    }
}

impl Sink for Position {
    const LISTS_PATTERNS: bool = true;

    fn common(&mut self, id: FeatureId) {
        if self.is_allowed(id) {
            self.common.push(u32::from(id));
        }
    }

    #[inline(always)]
    fn begin(&mut self, point: Point) {
        if !self.points.is_empty() {
            self.ends.push(self.ids.len() as u32);
        }
        self.points.push(point);
        if !point.is_pass() {
            self.ids.extend_from_slice(&self.common);
            self.groups.resize(self.ids.len(), 0);
        }
    }

    #[inline(always)]
    fn feature(&mut self, id: FeatureId) {
        if self.is_allowed(id) {
            self.ids.push(u32::from(id));
            self.groups.push(0);
        }
    }

    #[inline(always)]
    fn pattern(&mut self, slot: usize, group: u8) {
        self.ids.push((features::COUNT + slot) as u32);
        self.groups.push(group);
    }

    fn pattern_weight(&mut self, _sum: f32) {}
}

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

    /// Calls a function with every game in the order of the files.
    pub fn for_each(&self, mut use_game: impl FnMut(&MainLine) -> Result<bool>) -> Result<usize> {
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

/// What a stream of positions takes from the games.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Part of the positions of each game that is used, 0 to 1.
    pub rate: f64,
    /// Seed of the choice.
    pub seed: u64,
    /// Games of this pass that were used before an interruption, to be passed over.
    pub skip: usize,
}

/// What is read next: positions, or the end of a game.
pub enum Event<'a> {
    /// A position to learn from.
    Position(&'a Position),
    /// All positions of one more game have been given.
    GameEnd,
}

#[derive(Default)]
struct Chunk {
    positions: Vec<Position>,
    used: usize,
    game_ends: bool,
}

/// Streams the positions of one pass over the games to a function, which says whether to go on.
/// `threads` workers compute features; with one thread everything happens on the caller's.
pub fn stream(
    source: &Source,
    pass: usize,
    sampling: Sampling,
    patterns: &Dictionary,
    threads: usize,
    mut see: impl FnMut(Event) -> Result<bool>,
) -> Result<()> {
    let mut index = 0usize;
    let game_rng =
        |index: usize| Rng::new(sampling.seed ^ (pass as u64) << 40 ^ (index as u64) << 1);
    if threads <= 1 {
        let mut extractor = Extractor::default();
        let mut chunk = Chunk::default();
        source.for_each_shuffled(pass, |game| {
            index += 1;
            if index <= sampling.skip {
                return Ok(true);
            }
            let mut result = Ok(true);
            let mut rng = game_rng(index);
            let mut emit = |chunk: &mut Chunk| {
                result = consume(chunk, &mut see);
                matches!(result, Ok(true))
            };
            read_game(
                source,
                &game,
                || sampling.rate >= 1.0 || rng.unit() < sampling.rate,
                &mut extractor,
                patterns,
                &mut chunk,
                &mut emit,
            );
            result
        })?;
        return Ok(());
    }
    std::thread::scope(|scope| {
        let mut inputs: Vec<SyncSender<(MainLine, usize)>> = Vec::new();
        let mut outputs: Vec<Receiver<Chunk>> = Vec::new();
        let mut returns: Vec<SyncSender<Chunk>> = Vec::new();
        for _ in 0..threads - 1 {
            let (game_sender, game_receiver) = sync_channel::<(MainLine, usize)>(4);
            let (chunk_sender, chunk_receiver) = sync_channel::<Chunk>(4);
            let (back_sender, back_receiver) = sync_channel::<Chunk>(8);
            inputs.push(game_sender);
            outputs.push(chunk_receiver);
            returns.push(back_sender);
            scope.spawn(move || {
                let mut extractor = Extractor::default();
                let mut chunk = Chunk::default();
                while let Ok((game, index)) = game_receiver.recv() {
                    let mut rng = game_rng(index);
                    let mut emit = |chunk: &mut Chunk| {
                        let fresh = back_receiver.try_recv().unwrap_or_default();
                        chunk_sender.send(std::mem::replace(chunk, fresh)).is_ok()
                    };
                    read_game(
                        source,
                        &game,
                        || sampling.rate >= 1.0 || rng.unit() < sampling.rate,
                        &mut extractor,
                        patterns,
                        &mut chunk,
                        &mut emit,
                    );
                }
            });
        }
        let workers = inputs.len();
        let mut given = 0usize;
        let mut taken = 0usize;
        let mut take = |taken: usize| -> Result<bool> {
            let worker = taken % workers;
            loop {
                let chunk = outputs[worker].recv().context("a worker thread has died")?;
                let go_on = consume(&chunk, &mut see)?;
                let end = chunk.game_ends;
                let _ = returns[worker].try_send(chunk);
                if end || !go_on {
                    return Ok(go_on);
                }
            }
        };
        let mut go_on = true;
        source.for_each_shuffled(pass, |game| {
            index += 1;
            if index <= sampling.skip {
                return Ok(true);
            }
            // Keep a few games with every worker, then take the oldest.
            while go_on && given - taken >= 3 * workers {
                go_on = take(taken)?;
                taken += 1;
            }
            if go_on {
                inputs[given % workers].send((game, index)).context("a worker thread has died")?;
                given += 1;
            }
            Ok(go_on)
        })?;
        while go_on && taken < given {
            go_on = take(taken)?;
            taken += 1;
        }
        drop(outputs);
        drop(inputs);
        Ok(())
    })
}

fn consume(chunk: &Chunk, see: &mut impl FnMut(Event) -> Result<bool>) -> Result<bool> {
    for position in &chunk.positions[..chunk.used] {
        if !see(Event::Position(position))? {
            return Ok(false);
        }
    }
    if chunk.game_ends { see(Event::GameEnd) } else { Ok(true) }
}

/// The positions of a game for which `sample` says yes, in chunks; the last one says that the game ends.
fn read_game(
    source: &Source,
    game: &MainLine,
    mut sample: impl FnMut() -> bool,
    extractor: &mut Extractor,
    patterns: &Dictionary,
    chunk: &mut Chunk,
    emit: &mut impl FnMut(&mut Chunk) -> bool,
) {
    chunk.used = 0;
    chunk.game_ends = false;
    let mut go_on = true;
    let mut owners = Owners::new(source.owner);
    source.replay(game, |board, played| {
        if !go_on || !sample() {
            return;
        }
        if chunk.used == CHUNK {
            go_on = emit(chunk);
            chunk.used = 0;
            chunk.game_ends = false;
        }
        if chunk.used == chunk.positions.len() {
            let allowed = source.allowed.clone();
            chunk.positions.push(Position { allowed, ..Position::default() });
        }
        extractor.set_owners(owners.look(board));
        if chunk.positions[chunk.used].fill(board, played, extractor, patterns) {
            chunk.used += 1;
        }
    });
    if go_on {
        chunk.game_ends = true;
        emit(chunk);
    }
}

/// A position by the features of its moves, for tests.
#[cfg(test)]
pub(super) fn position_of(moves: &[&[u32]], played: usize) -> Position {
    let mut position = Position { played, ..Position::default() };
    for features in moves {
        position.ids.extend_from_slice(features);
        position.groups.resize(position.ids.len(), 0);
        position.ends.push(position.ids.len() as u32);
        position.points.push(Point::PASS);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of games that differ in their first move, on two sizes, by players of two ranks.
    fn games(folder: &tempfile::TempDir, count: usize) -> PathBuf {
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
        source.for_each(|_| Ok(true)).unwrap()
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

    #[test]
    fn a_seed_decides_the_order_and_a_skip_passes_over_what_was_seen() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source { size: Some(9), ..Source::new(&[games(&folder, 12)]) };
        let none = Dictionary::from_sorted(std::iter::empty());
        let played = |pass, threads, sampling| {
            let (mut moves, mut ends) = (Vec::new(), 0);
            stream(&source, pass, sampling, &none, threads, |event| {
                match event {
                    Event::Position(position) => moves.push(position.point(position.played)),
                    Event::GameEnd => ends += 1,
                }
                Ok(true)
            })
            .unwrap();
            (moves, ends)
        };
        let whole = Sampling { rate: 1.0, seed: 3, skip: 0 };
        let (all, games) = played(0, 1, whole);
        assert_eq!((all.len(), games), (32, 8));
        assert_eq!(played(0, 3, whole).0, all, "the same on several threads");
        assert_ne!(played(1, 1, whole).0, all, "another pass, another order");
        assert_eq!(played(0, 1, Sampling { skip: 5, ..whole }).0, all[20..]);
        let half = played(0, 1, Sampling { rate: 0.5, ..whole });
        assert!((6..27).contains(&half.0.len()) && half.1 == 8, "{}", half.0.len());
        assert_eq!(played(0, 2, Sampling { rate: 0.5, ..whole }), half);
    }
}
