//! Positions on their way to a trainer: one pass over the games, as lists of features.
//!
//! Features are computed by helper threads and handed over in order: the same seed gives the same positions
//! in the same order on any number of threads.

use super::dataset::Source;
use super::owner::Owners;
use super::position::Position;
use crate::game::collection::MainLine;
use crate::knowledge::{Dictionary, Extractor};
use crate::types::Rng;
use anyhow::{Context, Result};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

/// Positions in the chunks that move between threads.
const CHUNK: usize = 24;
/// Games that wait with every helper.
const GAMES_AHEAD: usize = 3;

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

/// Streams the positions of one pass over the games to a function, which says whether to go on.
/// `threads` helpers compute features; with one thread everything happens on the caller's.
pub fn stream(
    source: &Source,
    pass: usize,
    sampling: Sampling,
    patterns: &Dictionary,
    threads: usize,
    mut see: impl FnMut(Event) -> Result<bool>,
) -> Result<()> {
    let pass = Pass { source, number: pass, sampling, patterns };
    if threads <= 1 {
        let mut replay = Replay::new(&pass);
        return pass.for_each_game(|game, number| {
            let mut result = Ok(true);
            replay.read(&game, number, |chunk| {
                result = chunk.give(&mut see);
                matches!(result, Ok(true))
            });
            result
        });
    }
    std::thread::scope(|scope| {
        let helpers: Vec<Helper> = (1..threads).map(|_| Helper::spawn(scope, &pass)).collect();
        let (mut given, mut taken) = (0, 0);
        let mut take = |taken: &mut usize| {
            *taken += 1;
            helpers[(*taken - 1) % helpers.len()].take(&mut see)
        };
        let mut go_on = true;
        pass.for_each_game(|game, number| {
            while go_on && given - taken >= GAMES_AHEAD * helpers.len() {
                go_on = take(&mut taken)?;
            }
            if go_on {
                let helper = &helpers[given % helpers.len()];
                helper.games.send((game, number)).context("a helper thread has died")?;
                given += 1;
            }
            Ok(go_on)
        })?;
        while go_on && taken < given {
            go_on = take(&mut taken)?;
        }
        Ok(())
    })
}

/// One pass over the games.
struct Pass<'a> {
    source: &'a Source,
    number: usize,
    sampling: Sampling,
    patterns: &'a Dictionary,
}

impl Pass<'_> {
    /// Calls a function with the games that were not used before, and their numbers in the pass.
    fn for_each_game(
        &self,
        mut use_game: impl FnMut(MainLine, usize) -> Result<bool>,
    ) -> Result<()> {
        let mut number = 0;
        self.source.for_each_shuffled(self.number, |game| {
            number += 1;
            if number <= self.sampling.skip { Ok(true) } else { use_game(game, number) }
        })?;
        Ok(())
    }
}

/// Some positions of a game.
#[derive(Default)]
struct Chunk {
    /// The positions, and what is left of others: their memory is used again.
    positions: Vec<Position>,
    used: usize,
    game_ends: bool,
}

impl Chunk {
    /// Gives what is there to the function of a stream.
    fn give(&self, see: &mut impl FnMut(Event) -> Result<bool>) -> Result<bool> {
        for position in &self.positions[..self.used] {
            if !see(Event::Position(position))? {
                return Ok(false);
            }
        }
        if self.game_ends { see(Event::GameEnd) } else { Ok(true) }
    }
}

/// Turns games into chunks of positions.
struct Replay<'a> {
    pass: &'a Pass<'a>,
    extractor: Extractor,
    chunk: Chunk,
}

impl<'a> Replay<'a> {
    fn new(pass: &'a Pass<'a>) -> Replay<'a> {
        Replay { pass, extractor: Extractor::default(), chunk: Chunk::default() }
    }

    /// The positions of a game that are drawn, in chunks; the last one says that the game ends. `emit` may
    /// exchange a chunk for another, and says whether to go on.
    fn read(&mut self, game: &MainLine, number: usize, mut emit: impl FnMut(&mut Chunk) -> bool) {
        let Replay { pass, extractor, chunk } = self;
        let Sampling { rate, seed, .. } = pass.sampling;
        let mut rng = Rng::new(seed ^ (pass.number as u64) << 40 ^ (number as u64) << 1);
        let mut owners = Owners::new(pass.source.owner);
        let mut go_on = true;
        (chunk.used, chunk.game_ends) = (0, false);
        pass.source.replay(game, |board, played| {
            if !go_on || (rate < 1.0 && rng.unit() >= rate) {
                return;
            }
            if chunk.used == CHUNK {
                go_on = emit(chunk);
                (chunk.used, chunk.game_ends) = (0, false);
            }
            if chunk.used == chunk.positions.len() {
                chunk.positions.push(Position::new(pass.source.allowed.clone()));
            }
            extractor.set_owners(owners.look(board));
            if chunk.positions[chunk.used].fill(board, played, extractor, pass.patterns) {
                chunk.used += 1;
            }
        });
        if go_on {
            chunk.game_ends = true;
            emit(chunk);
        }
    }
}

/// A thread that reads games; dropping this ends it.
struct Helper {
    games: SyncSender<(MainLine, usize)>,
    chunks: Receiver<Chunk>,
    /// Chunks whose memory can be used again.
    returns: SyncSender<Chunk>,
}

impl Helper {
    fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, pass: &'scope Pass) -> Helper {
        let (games, next_game) = sync_channel::<(MainLine, usize)>(GAMES_AHEAD + 1);
        let (finished, chunks) = sync_channel::<Chunk>(4);
        let (returns, returned) = sync_channel::<Chunk>(8);
        scope.spawn(move || {
            let mut replay = Replay::new(pass);
            while let Ok((game, number)) = next_game.recv() {
                replay.read(&game, number, |chunk| {
                    let fresh = returned.try_recv().unwrap_or_default();
                    finished.send(std::mem::replace(chunk, fresh)).is_ok()
                });
            }
        });
        Helper { games, chunks, returns }
    }

    /// Gives the positions of the helper's oldest game to the function of a stream.
    fn take(&self, see: &mut impl FnMut(Event) -> Result<bool>) -> Result<bool> {
        loop {
            let chunk = self.chunks.recv().context("a helper thread has died")?;
            let go_on = chunk.give(see)?;
            let end = chunk.game_ends;
            let _ = self.returns.try_send(chunk);
            if end || !go_on {
                return Ok(go_on);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dataset::tests::games;
    use super::*;

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
