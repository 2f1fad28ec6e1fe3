//! The engines that all tabs share.
//!
//! A search runs in an engine that it has for itself meanwhile; the system shares the cores among those that run, so
//! no tab waits for another. What is bounded is their number and, by it, memory: each gets its part of `--memory`.
//! A tab that comes back finds its engine again with the tree and what the game so far said about resigning, unless
//! others needed it. Of one tab one search runs: the next one ends the one before and waits for it, so that it finds
//! the tree, and no tab has two.

use super::http::Refusal;
use crate::engine::Engine;
use crate::game::Game;
use crate::params::Overrides;
use crate::search::Interrupt;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Engines, at work or at rest.
pub const MAX_ENGINES: usize = 12;
/// Most bytes of a tab's name.
const MAX_SESSION: usize = 64;

/// An engine at rest.
struct Resting {
    session: String,
    engine: Engine,
}

/// A search that runs, or that waits for an older one of its tab.
struct Running {
    number: u64,
    session: String,
    interrupt: Interrupt,
}

#[derive(Default)]
struct State {
    /// The one that rests longest first.
    resting: Vec<Resting>,
    /// The oldest first.
    running: Vec<Running>,
    next: u64,
}

/// The engines.
pub struct Pool {
    overrides: Overrides,
    state: Mutex<State>,
    ended: Condvar,
}

/// A search that is under way; it ends with this.
struct Permit<'a> {
    pool: &'a Pool,
    number: u64,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.pool.lock().running.retain(|running| running.number != self.number);
        self.pool.ended.notify_all();
    }
}

impl Pool {
    /// A pool whose engines have these parameters and share the memory that they name.
    pub fn new(mut overrides: Overrides) -> Pool {
        let memory = overrides.resolve(19).search.memory / MAX_ENGINES as u64;
        // A positive number is always taken.
        let _ = overrides.insert("search.memory", &memory.max(1).to_string());
        Pool { overrides, state: Mutex::default(), ended: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parameters of the engines.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// The same with a seed of this position: a player who draws his moves must not draw the same
    /// everywhere.
    pub fn seeded(&self, game: &Game) -> Overrides {
        let mut overrides = self.overrides.clone();
        let seed = overrides.resolve(game.size()).search.seed;
        let seed = seed ^ game.situation() ^ (game.moves().len() as u64).wrapping_mul(0x9E37_79B9);
        // Any number but 0 is a seed.
        let _ = overrides.insert("search.seed", &seed.max(1).to_string());
        overrides
    }

    /// Searches that run.
    pub fn running(&self) -> usize {
        self.lock().running.len()
    }

    /// Does something for a tab without an engine of this pool, within its bounds.
    pub fn run<T>(
        &self,
        session: &str,
        interrupt: &Interrupt,
        work: impl FnOnce() -> T,
    ) -> Result<T, Refusal> {
        let _permit = self.permit(session, interrupt)?;
        // The work has an engine of its own.
        self.lock().resting.retain(|resting| resting.session != session);
        Ok(work())
    }

    /// Does something for a tab with an engine at the position of a game.
    pub fn with_engine<T>(
        &self,
        session: &str,
        game: &Game,
        interrupt: &Interrupt,
        work: impl FnOnce(&mut Engine) -> T,
    ) -> Result<T, Refusal> {
        let _permit = self.permit(session, interrupt)?;
        let mut engine = self.take(session);
        bring_to(&mut engine, game);
        let result = work(&mut engine);
        self.lock().resting.push(Resting { session: session.to_owned(), engine });
        Ok(result)
    }

    fn permit(&self, session: &str, interrupt: &Interrupt) -> Result<Permit<'_>, Refusal> {
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if session.is_empty() || session.len() > MAX_SESSION || !is_name(session) {
            return Err(Refusal::bad("a session's name is letters and digits"));
        }
        let mut state = self.lock();
        let others = state.running.iter().map(|running| running.session.as_str());
        let others: BTreeSet<&str> = others.filter(|&owner| owner != session).collect();
        // Those at work and those at rest are never more than the most together; the tab's own one goes to work.
        let Some(most_resting) = (MAX_ENGINES - 1).checked_sub(others.len()) else {
            let sentence = "tengen is busy in too many tabs: close one, or try again in a moment";
            return Err(Refusal::new(503, sentence));
        };
        let is_other = |resting: &Resting| resting.session != session;
        let resting = state.resting.iter().filter(|resting| is_other(resting)).count();
        let mut too_many = resting.saturating_sub(most_resting);
        state.resting.retain(|resting| {
            let dropped = too_many > 0 && is_other(resting);
            too_many -= usize::from(dropped);
            !dropped
        });
        let own = state.running.iter().filter(|running| running.session == session);
        own.for_each(|running| running.interrupt.raise());
        let number = state.next;
        state.next += 1;
        let interrupt = interrupt.clone();
        state.running.push(Running { number, session: session.to_owned(), interrupt });
        let has_older = |state: &mut State| {
            state.running.iter().any(|one| one.session == session && one.number < number)
        };
        drop(self.ended.wait_while(state, has_older));
        Ok(Permit { pool: self, number })
    }

    /// The tab's own engine if it is there, else a new one.
    fn take(&self, session: &str) -> Engine {
        let mut state = self.lock();
        let own = state.resting.iter().position(|resting| resting.session == session);
        let found = own.map(|place| state.resting.remove(place).engine);
        drop(state);
        found.unwrap_or_else(|| Engine::new(self.overrides.clone()))
    }
}

/// Brings an engine to the position of a game, keeping its tree if it follows.
fn bring_to(engine: &mut Engine, game: &Game) {
    let old = engine.game();
    let same = old.start().hash() == game.start().hash()
        && old.start().to_play() == game.start().to_play()
        && (old.size(), old.komi(), old.rules(), old.total_komi())
            == (game.size(), game.komi(), game.rules(), game.total_komi());
    let shared = old.moves().iter().zip(game.moves()).take_while(|(a, b)| a == b).count();
    let back = old.moves().len() - shared;
    let follows = same
        && engine.undo(back)
        && game.moves()[shared..].iter().all(|&play| engine.play(play).is_ok());
    if !follows {
        engine.set_game(game.clone());
    }
    engine.set_to_play(game.board().to_play());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::types::{Color, Move, Point};

    fn pool() -> Pool {
        let mut overrides = Overrides::default();
        overrides.add_file("search.memory=24\nsearch.threads=1").unwrap();
        Pool::new(overrides)
    }

    fn think(pool: &Pool, session: &str, game: &Game) -> u64 {
        let work = |engine: &mut Engine| {
            assert_eq!(engine.game().situation(), game.situation());
            engine.genmove(Color::Black, 50).report.visits
        };
        pool.with_engine(session, game, &Interrupt::default(), work).unwrap()
    }

    #[test]
    fn memory_is_shared_and_a_tab_finds_its_tree_again() {
        let pool = pool();
        assert_eq!(pool.overrides().resolve(9).search.memory, 2);
        let game = Game::new(9, Rules::CHINESE);
        assert_eq!(think(&pool, "a", &game), 50);
        assert_eq!(think(&pool, "a", &game), 100);
        assert_eq!(think(&pool, "b", &game), 50);
        let mut other = game.clone();
        other.set_komi(0.5);
        assert_eq!(think(&pool, "a", &other), 50);
        for number in 0..3 * MAX_ENGINES {
            think(&pool, &format!("tab{number}"), &game);
            assert!(pool.lock().resting.len() <= MAX_ENGINES);
        }
    }

    #[test]
    fn an_engine_follows_forth_and_back() {
        let mut engine = Engine::new(pool().overrides().clone());
        let mut game = Game::new(9, Rules::JAPANESE);
        for turn in 1..=6 {
            let color = if turn % 2 == 1 { Color::Black } else { Color::White };
            game.play(Move::new(color, Point::new(turn, 3))).unwrap();
            bring_to(&mut engine, &game);
            assert_eq!(engine.game().situation(), game.situation());
        }
        assert!(game.undo(3));
        game.play(Move::new(Color::White, Point::new(7, 7))).unwrap();
        bring_to(&mut engine, &game);
        assert_eq!(engine.game().situation(), game.situation());
        assert_eq!(engine.game().moves(), game.moves());
    }

    #[test]
    fn searches_are_limited_in_number_and_one_a_tab() {
        let pool = pool();
        let first = Interrupt::default();
        let permits: Vec<Permit> = (0..MAX_ENGINES)
            .map(|tab| pool.permit(&format!("tab{tab}"), &first).unwrap())
            .collect();
        assert!(!first.is_raised());
        assert_eq!(pool.permit("more", &Interrupt::default()).err().unwrap().status, 503);
        drop(permits);
        assert_eq!(pool.running(), 0);
        for name in ["", "a b", "../x", &"a".repeat(65)] {
            assert_eq!(pool.permit(name, &first).err().unwrap().status, 400);
        }
    }

    #[test]
    fn the_next_search_of_a_tab_ends_the_one_before_and_gets_its_place() {
        let pool = pool();
        let (first, second) = (Interrupt::default(), Interrupt::default());
        let others = (1..MAX_ENGINES).map(|tab| format!("tab{tab}"));
        let _others: Vec<Permit> =
            others.map(|tab| pool.permit(&tab, &Interrupt::default()).unwrap()).collect();
        let game = Game::new(9, Rules::CHINESE);
        std::thread::scope(|scope| {
            let (started, has_started) = std::sync::mpsc::channel();
            let (pool, game, first, second) = (&pool, &game, &first, &second);
            scope.spawn(move || {
                let search = |_: &mut Engine| {
                    started.send(()).unwrap();
                    while !first.is_raised() {
                        std::thread::yield_now();
                    }
                };
                pool.with_engine("tab", game, first, search).unwrap();
            });
            has_started.recv().unwrap();
            // Every place is taken, one of them by the tab itself.
            pool.with_engine("tab", game, second, |_| assert_eq!(pool.running(), MAX_ENGINES))
                .unwrap();
        });
        assert!(first.is_raised() && !second.is_raised());
        let resting = pool.lock().resting.len();
        assert_eq!(resting, 1, "a tab has one engine");
    }
}
