//! How much of its main time a player uses, with real searches on a clock that is counted in playouts.
//!
//! Timed games on a busy machine say little. Here a second is a number of playouts, so a game uses the same share of its
//! clock on any machine: the time is planned by [`Clock::budget`] and a search ends by the rules of
//! `src/search/control.rs`: when the first move cannot be caught up with in the planned time, and after that time as
//! soon as the most visited move is also the best.

use std::time::{Duration, Instant};
use tengen::game::{Game, Rules};
use tengen::params::Params;
use tengen::search::{Interrupt, Limit, Report, Request, Search};
use tengen::time::{Clock, Left, TimeSystem};
use tengen::types::{Color, Move, Point};

/// Playouts between two looks, as the search has it.
const LOOK_EVERY: u64 = 32;

/// A player with a tree of its own.
struct Player {
    search: Search,
    /// Playouts a second.
    rate: f64,
}

impl Player {
    /// Thinks about a move; gives it and the time.
    fn think(&mut self, game: &Game, planned: Duration, maximum: Duration) -> (Point, Duration) {
        let playouts = |time: Duration| (time.as_secs_f64() * self.rate) as u64;
        let (planned, maximum) = (playouts(planned), playouts(maximum).max(1));
        let mut played = 0;
        loop {
            let limit =
                Limit { playouts: Some(LOOK_EVERY.min(maximum - played)), ..Limit::default() };
            let request = Request { limit, ..Request::default() };
            let report = self.search.run(game, &request, &Interrupt::default(), &mut |_| ());
            played += report.playouts;
            let (lead, is_settled) = standing(&report);
            let is_over = if played >= planned { is_settled } else { planned - played < lead };
            if is_over || played >= maximum {
                let best = report.candidates.first().map_or(Point::PASS, |best| best.point);
                return (best, Duration::from_secs_f64(played as f64 / self.rate));
            }
        }
    }
}

/// Visits by which the first move leads, and whether it is also the best.
fn standing(report: &Report) -> (u64, bool) {
    let Some(first) = report.candidates.first() else { return (u64::MAX, true) };
    let second = report.candidates.get(1).map_or(0, |second| second.visits);
    let known = report.candidates.iter().filter(|other| other.visits * 20 > first.visits);
    let best = known.map(|other| other.winrate).fold(0.0, f64::max);
    (first.visits.saturating_sub(second), first.winrate >= best - 0.005)
}

/// Plays a game of so many moves; the share of the main time that both used, on the mean.
fn share_used(size: usize, plies: usize, main: f64, rate: f64) -> f64 {
    let params = Params::for_size(size).clock;
    let main_time = Duration::from_secs_f64(main);
    let mut clock = Clock::new(TimeSystem::Absolute { main: main_time });
    let player = |seed: &str| {
        let mut params = Params::for_size(size);
        for (name, value) in
            [("search.threads", "1"), ("search.seed", seed), ("search.memory", "32")]
        {
            params.set(name, value).unwrap();
        }
        Player { search: Search::new(params, size), rate }
    };
    let mut players = [player("1"), player("2")];
    let mut game = Game::new(size, Rules::CHINESE);
    let mut now = Instant::now();
    for ply in 0..plies {
        let color = game.board().to_play();
        clock.begin(color, now);
        let budget = clock.budget(color, ply, size * size, &params, now).expect("a clock");
        let (point, time) = players[ply % 2].think(&game, budget.planned, budget.maximum);
        now += time;
        clock.end(color, now, true);
        if point.is_pass() || game.play(Move::new(color, point)).is_err() {
            game.play(Move::new(color, Point::PASS)).expect("a pass");
        }
    }
    let used = |color| match clock.left(color) {
        Left::Main(left) => 1.0 - left.as_secs_f64() / main,
        other => panic!("{other:?}"),
    };
    let (black, white) = (used(Color::Black), used(Color::White));
    println!("{size}x{size}, {plies} moves: {black:.3} and {white:.3} of {main} s used");
    (black + white) / 2.0
}

/// The figures of `docs/experiments/0012-clock.md`.
#[test]
fn most_of_the_clock_is_used_by_real_searches() {
    for (size, plies, main, rate) in
        [(9, 50, 20.0, 500.0), (13, 110, 45.0, 200.0), (19, 220, 90.0, 60.0)]
    {
        let used = share_used(size, plies, main, rate);
        assert!(used >= 0.8, "{size}x{size}: {used}");
    }
}
