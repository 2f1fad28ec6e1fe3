//! How much time to spend on a move.
//!
//! Main time is spread by the formula of Huang, Coulom and Lin, "Time Management for Monte-Carlo
//! Tree Search Applied to the Game of Go" (2010): time left / (C + max(P - ply, 0)). It spends
//! more in the middle game than in the opening and never runs out, since each move takes a share
//! of what is left. C and P are shares of the points of the board here, `clock.spread` and `clock.peak`.
//! A search that is decided ends early and gives time back, about half of what it was given; that is
//! planned for (`clock.give_back`), or a third of the clock would be left at the end of the game.
//!
//! Overtime is used fully: a period that is not used is lost.
//!
//! The maximum is hard. It leaves room for the lag that the parameter names, for the moment the
//! answer takes to get out, and for other programs on the machine. Very short times leave less
//! room in seconds, but always a share: see `tests`, where whole games are played at half a
//! second a game, one second a move, five moves a second, and 0.2 seconds Fischer.

use super::clock::{Clock, Left, TimeSystem};
use crate::params::ClockParams;
use crate::types::Color;
use std::time::{Duration, Instant};

/// Time for one move, counted from now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// What should be used.
    pub planned: Duration,
    /// What must not be exceeded.
    pub maximum: Duration,
}

/// What a move costs at least beside thinking: reading, writing, waiting for a processor.
const MOVE_COST: f64 = 0.004;
/// Kept free at the end of every limit in addition to the lag.
const SAFETY: f64 = 0.03;
/// But not more than this share of the time there is, unless that is less than `SAFETY`.
const SAFETY_SHARE: f64 = 0.2;
/// A move this short is never thought over: waiting for a processor may take as long.
const BLINK: f64 = 0.02;
/// The fewest moves to share main time among, whatever the board.
const FEWEST_MOVES: f64 = 8.0;

impl Clock {
    /// The time for a move of this colour, the ply'th of the game (from 0), on a board with so
    /// many points; None if there is no limit. What the player has used since `begin` is taken off.
    pub fn budget(
        &self,
        color: Color,
        ply: usize,
        points: usize,
        params: &ClockParams,
        now: Instant,
    ) -> Option<Budget> {
        let moves = moves_left(ply, points, params);
        // A game may well go on until the board is full.
        let most_moves = moves.max(0.5 * points.saturating_sub(ply) as f64);
        let late = 2.0 * self.lateness();
        let plan = Plan { params, moves, most_moves, late, cost: MOVE_COST.max(late) };
        let (planned, maximum) = match (self.left(color), self.system()) {
            (Left::Unlimited, _) => return None,
            (Left::Main(time), TimeSystem::Fischer { increment, cap, per_move, .. }) => {
                let (planned, maximum) = plan.fischer(seconds(time), seconds(increment), cap);
                let limit = per_move.map_or(f64::INFINITY, |limit| plan.usable(seconds(limit)));
                (planned.min(limit), maximum.min(limit))
            }
            (Left::Main(time), TimeSystem::Canadian { period, stones, .. }) => {
                let each = plan.canadian(seconds(period), stones).0;
                plan.main_before_overtime(seconds(time), each)
            }
            (Left::Main(time), TimeSystem::Byoyomi { period, .. }) => {
                plan.main_before_overtime(seconds(time), plan.usable(seconds(period)))
            }
            (Left::Main(time), TimeSystem::Absolute { .. } | TimeSystem::None) => {
                plan.absolute(seconds(time))
            }
            (Left::Overtime { time, .. }, TimeSystem::Byoyomi { .. }) => {
                let usable = plan.usable(seconds(time));
                (usable, usable)
            }
            (Left::Overtime { time, count }, _) => plan.canadian(seconds(time), count),
        };
        let used = seconds(self.thinking(color, now));
        let rest = |total: f64| Duration::from_secs_f64((total - used).clamp(0.0, 1e9));
        Some(Budget { planned: rest(planned.min(maximum)), maximum: rest(maximum) })
    }
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

/// The number of moves that main time is shared among.
fn moves_left(ply: usize, points: usize, params: &ClockParams) -> f64 {
    let points = points as f64;
    let before_peak = (params.peak * points - ply as f64).max(0.0);
    (params.spread * points).max(FEWEST_MOVES) + before_peak
}

struct Plan<'a> {
    params: &'a ClockParams,
    moves: f64,
    most_moves: f64,
    /// How late moves may come on this machine, by how late they came.
    late: f64,
    cost: f64,
}

/// Each gives seconds planned and the maximum.
impl Plan<'_> {
    /// What can be used of a limit on a single move.
    fn usable(&self, time: f64) -> f64 {
        let share = (SAFETY_SHARE * time).max(SAFETY.min(0.5 * time));
        let kept = share.min(self.params.lag + SAFETY).max(self.late.min(0.5 * time));
        (time - kept).max(0.0)
    }

    /// The moves that main time is shared among when each uses all that it is given.
    fn share_among(&self) -> f64 {
        self.moves * (1.0 - self.params.give_back)
    }

    fn absolute(&self, time: f64) -> (f64, f64) {
        let lag = (self.params.lag * self.moves).min(0.1 * time);
        let usable = (self.usable(time) - lag - self.cost * self.most_moves).max(0.0);
        let planned = usable / self.share_among();
        let overspend = if planned < BLINK { 1.0 } else { self.params.overspend };
        (planned, (planned * overspend).min(0.25 * usable))
    }

    fn fischer(&self, time: f64, increment: f64, cap: Option<Duration>) -> (f64, f64) {
        let usable = self.usable(time);
        let bank = (usable - increment).max(0.0);
        let share = bank / self.share_among() + (0.9 * increment - self.cost).max(0.0);
        // Time that the cap would cut off is free.
        let free = cap.map_or(0.0, |cap| time + increment - seconds(cap));
        let planned = share.max(free).min(0.6 * usable);
        (planned, (planned * self.params.overspend).min(0.8 * usable))
    }

    /// So many moves in so much time.
    fn canadian(&self, time: f64, stones: u32) -> (f64, f64) {
        let stones = f64::from(stones.max(1));
        let usable = (self.usable(time) - self.cost * (stones - 1.0)).max(0.0);
        let planned = usable / stones;
        // The others must keep at least half their share.
        let others = 0.5 * planned * (stones - 1.0);
        (planned, (planned * self.params.overspend).min(usable - others))
    }

    /// Main time with overtime behind it: `each` is what a move in overtime gets.
    fn main_before_overtime(&self, time: f64, each: f64) -> (f64, f64) {
        let (share, most) = self.absolute(time);
        let planned = (share + each).min(time + each);
        (planned, (each + most).max(planned).min(time + each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::types::Rng;
    use Color::{Black, White};

    fn secs(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn budget(system: TimeSystem, ply: usize) -> Budget {
        let now = Instant::now();
        let params = Params::for_size(19).clock;
        Clock::new(system).budget(Black, ply, 361, &params, now).unwrap()
    }

    #[test]
    fn the_middle_game_gets_most_and_overtime_is_used() {
        let main = TimeSystem::Absolute { main: secs(900.0) };
        let (opening, middle) = (budget(main, 0).planned, budget(main, 80).planned);
        assert!(middle > opening.mul_f64(1.5), "{opening:?} {middle:?}");
        let period = secs(30.0);
        let byoyomi = TimeSystem::Byoyomi { main: Duration::ZERO, period, periods: 1 };
        assert!(budget(byoyomi, 100).planned > secs(29.8));
        let canadian = TimeSystem::Canadian { main: Duration::ZERO, period, stones: 5 };
        assert!(budget(canadian, 100).planned > secs(5.9));
        assert!(budget(canadian, 100).maximum < secs(12.0));
        let both = TimeSystem::Byoyomi { main: secs(600.0), period, periods: 3 };
        assert!(budget(both, 0).planned > secs(32.0));
    }

    /// Searches give back about half of what is planned (`docs/experiments/0012-clock.md`).
    #[test]
    fn most_of_the_clock_is_used_in_games_of_the_usual_length() {
        for (size, plies, main) in [(9, 50, 20.0), (13, 110, 45.0), (19, 220, 90.0)] {
            let params = Params::for_size(size).clock;
            let mut clock = Clock::new(TimeSystem::Absolute { main: secs(main) });
            let mut now = Instant::now();
            for ply in (0..plies).step_by(2) {
                clock.begin(Black, now);
                let budget = clock.budget(Black, ply, size * size, &params, now).unwrap();
                now += budget.planned / 2;
                clock.end(Black, now, true);
            }
            let Left::Main(left) = clock.left(Black) else { panic!("main time") };
            assert!(seconds(left) < 0.2 * main, "{size}x{size}: {left:?} of {main} s left");
        }
    }

    #[test]
    fn no_clock_no_budget_and_time_already_used_counts() {
        let params = Params::for_size(19).clock;
        let start = Instant::now();
        assert_eq!(Clock::default().budget(Black, 0, 361, &params, start), None);
        let period = secs(10.0);
        let system = TimeSystem::Byoyomi { main: Duration::ZERO, period, periods: 1 };
        let mut clock = Clock::new(system);
        clock.begin(Black, start);
        let rest = clock.budget(Black, 0, 361, &params, start + secs(4.0)).unwrap();
        assert!(rest.maximum < secs(6.0) && rest.maximum > secs(5.8));
        let late = clock.budget(Black, 0, 361, &params, start + secs(40.0)).unwrap();
        assert_eq!(late.maximum, Duration::ZERO);
    }

    #[test]
    fn a_cap_and_a_limit_per_move_are_respected() {
        let fischer = |main: f64, per_move| TimeSystem::Fischer {
            main: secs(main),
            increment: secs(5.0),
            cap: Some(secs(60.0)),
            per_move,
        };
        assert!(budget(fischer(60.0, None), 0).planned >= secs(5.0));
        let limited = budget(fischer(60.0, Some(secs(3.0))), 0);
        assert!(limited.planned < secs(3.0) && limited.maximum < secs(3.0), "{limited:?}");
    }

    #[test]
    fn a_busy_machine_makes_it_careful() {
        let params = Params::for_size(9).clock;
        let now = Instant::now();
        let mut clock = Clock::new(TimeSystem::Absolute { main: secs(1.0) });
        let before = clock.budget(Black, 10, 81, &params, now).unwrap();
        for _ in 0..10 {
            clock.note_lateness(secs(0.01));
        }
        clock.restart();
        let after = clock.budget(Black, 10, 81, &params, now).unwrap();
        assert!(after.maximum < before.maximum / 2, "{before:?} {after:?}");
        // Also where every move has its own second.
        let mut clock =
            Clock::new(TimeSystem::Byoyomi { main: secs(0.0), period: secs(1.0), periods: 1 });
        let before = clock.budget(Black, 10, 81, &params, now).unwrap();
        for _ in 0..10 {
            clock.note_lateness(secs(0.2));
        }
        let after = clock.budget(Black, 10, 81, &params, now).unwrap();
        assert!(before.maximum > secs(0.85) && after.maximum < secs(0.65), "{before:?} {after:?}");
    }

    #[test]
    fn cgos_with_less_than_a_second_left_moves_at_once() {
        let params = Params::for_size(9).clock;
        let now = Instant::now();
        let mut clock = Clock::new(TimeSystem::Absolute { main: secs(300.0) });
        clock.set_left(White, Duration::ZERO, 0, now);
        let budget = clock.budget(White, 40, 81, &params, now).unwrap();
        assert_eq!(budget.maximum, Duration::ZERO);
    }

    /// How late an answer is beyond the time that the search was given, in seconds: mostly well
    /// under a millisecond, sometimes the few milliseconds that a busy machine takes.
    fn delay(rng: &mut Rng, worst: f64) -> f64 {
        if rng.below(10) == 0 { rng.unit() * worst } else { rng.unit() * 0.001 }
    }

    /// Plays whole games in which every move takes the planned time, the maximum, or something
    /// between, and is late. Gives the least time that was ever left, in seconds.
    fn play_games(system: TimeSystem, size: usize, worst: f64) -> f64 {
        let mut rng = Rng::new(7);
        let params = Params::for_size(size).clock;
        let points = size * size;
        let mut least = f64::INFINITY;
        for game in 0..30 {
            let mut clock = Clock::new(system);
            let mut now = Instant::now();
            let plies = points * 4 / 5 + rng.below(points as u32 / 3) as usize;
            for ply in 0..plies {
                let color = if ply % 2 == 0 { Black } else { White };
                clock.begin(color, now);
                let waited = secs(delay(&mut rng, worst) / 2.0);
                let budget = clock.budget(color, ply, points, &params, now + waited).unwrap();
                let share = [0.0, rng.unit(), 1.0][game % 3];
                let thought = budget.planned + (budget.maximum - budget.planned).mul_f64(share);
                let used = waited + thought + secs(delay(&mut rng, worst) / 2.0);
                let limit = match (clock.left(color), system) {
                    (Left::Main(time), TimeSystem::Byoyomi { period, .. }) => time + period,
                    (Left::Main(time), TimeSystem::Canadian { period, .. }) => time + period,
                    (Left::Main(time) | Left::Overtime { time, .. }, _) => time,
                    (Left::Unlimited, _) => unreachable!("there is a clock"),
                };
                least = least.min(seconds(limit) - seconds(used));
                now += used;
                clock.end(color, now, true);
            }
        }
        least
    }

    #[test]
    fn whole_games_at_absurd_settings_stay_within_the_limit() {
        let zero = Duration::ZERO;
        let settings = [
            ("half a second a game", TimeSystem::Absolute { main: secs(0.5) }, 0.003),
            ("ten seconds a game", TimeSystem::Absolute { main: secs(10.0) }, 0.03),
            ("a second a move", byoyomi(zero, 1.0), 0.1),
            ("a second, then a second a move", byoyomi(secs(1.0), 1.0), 0.1),
            ("0.3 seconds a move", byoyomi(zero, 0.3), 0.04),
            ("five moves in a second", canadian(zero, 1.0, 5), 0.03),
            ("25 moves in ten seconds", canadian(secs(3.0), 10.0, 25), 0.03),
            ("Fischer 0.2 + 0.2", fischer(0.2, 0.2), 0.03),
            ("Fischer 5 + 0.05", fischer(5.0, 0.05), 0.02),
        ];
        for (name, system, worst) in settings {
            for size in [9, 13, 19] {
                let least = play_games(system, size, worst);
                assert!(least > 0.0, "{name} on {size}x{size}: {least:.4} s left");
            }
        }
    }

    fn byoyomi(main: Duration, period: f64) -> TimeSystem {
        TimeSystem::Byoyomi { main, period: secs(period), periods: 1 }
    }

    fn canadian(main: Duration, period: f64, stones: u32) -> TimeSystem {
        TimeSystem::Canadian { main, period: secs(period), stones }
    }

    fn fischer(main: f64, increment: f64) -> TimeSystem {
        let (main, increment) = (secs(main), secs(increment));
        TimeSystem::Fischer { main, increment, cap: None, per_move: None }
    }
}
