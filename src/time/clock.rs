//! The clocks of both players.
//!
//! A client may send `time_left` before every move, now and then, or never: gogui-twogtp sends
//! `time_settings` once a game and nothing else. So the engine keeps its own clocks and lets
//! `time_left` correct them. A player's own time runs from the arrival of `genmove` to the answer;
//! the opponent's from there to the arrival of its move.

use crate::types::{Color, ColorMap};
use std::time::{Duration, Instant};

/// How time is counted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum TimeSystem {
    /// No limit.
    #[default]
    None,
    /// Sudden death.
    Absolute {
        /// Time for the whole game.
        main: Duration,
    },
    /// A number of moves in each period after the main time.
    Canadian {
        /// Time before overtime.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves to make in a period, at least 1.
        stones: u32,
    },
    /// Japanese: each move within a period, or the period is lost.
    Byoyomi {
        /// Time before overtime.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Periods, at least 1.
        periods: u32,
    },
    /// Each move adds to the time.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Time added after every move.
        increment: Duration,
        /// The time never grows beyond this.
        cap: Option<Duration>,
        /// No move may take longer.
        per_move: Option<Duration>,
    },
}

impl TimeSystem {
    /// The system that GTP's `time_settings` describes. A period without stones means no limit,
    /// and so do all zeros.
    pub fn from_gtp(main: Duration, period: Duration, stones: u32) -> TimeSystem {
        match (main.is_zero(), period.is_zero(), stones) {
            (_, false, 0) | (true, true, _) => TimeSystem::None,
            (false, true, _) => TimeSystem::Absolute { main },
            (_, false, stones) => TimeSystem::Canadian { main, period, stones },
        }
    }

    fn at_start(&self) -> Left {
        match *self {
            TimeSystem::None => Left::Unlimited,
            TimeSystem::Absolute { main } | TimeSystem::Fischer { main, .. } => Left::Main(main),
            TimeSystem::Canadian { main, period, stones: count }
            | TimeSystem::Byoyomi { main, period, periods: count } => match main.is_zero() {
                true => Left::Overtime { time: period, count },
                false => Left::Main(main),
            },
        }
    }
}

/// What one player has left.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Left {
    /// No limit.
    Unlimited,
    /// Main time.
    Main(Duration),
    /// Overtime.
    Overtime {
        /// Time in this period.
        time: Duration,
        /// Canadian: moves to make in it. Japanese: periods, this one included.
        count: u32,
    },
}

/// The clocks of both players.
#[derive(Clone, Debug)]
pub struct Clock {
    system: TimeSystem,
    left: ColorMap<Left>,
    running: Option<(Color, Instant)>,
    /// How late moves have been lately, in seconds.
    lateness: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Clock::new(TimeSystem::None)
    }
}

impl Clock {
    /// Clocks at the start of a game.
    pub fn new(system: TimeSystem) -> Clock {
        Clock { system, left: ColorMap([system.at_start(); 2]), running: None, lateness: 0.0 }
    }

    /// How time is counted.
    pub fn system(&self) -> TimeSystem {
        self.system
    }

    /// Changes how time is counted; both clocks start anew.
    pub fn set_system(&mut self, system: TimeSystem) {
        self.system = system;
        self.restart();
    }

    /// Both clocks at the start of a new game.
    pub fn restart(&mut self) {
        *self = Clock { lateness: self.lateness, ..Clock::new(self.system) };
    }

    /// What a player has left.
    pub fn left(&self, color: Color) -> Left {
        self.left[color]
    }

    /// Corrects a clock by what the controller says. `count` is 0 in main time; in overtime the
    /// moves to make in the period, or the periods left for Japanese byo-yomi.
    ///
    /// Zero time is believed: CGOS floors to whole seconds, and its `time_left b 0 0` means less
    /// than a second. Only without any limit in force it means nothing.
    pub fn set_left(&mut self, color: Color, time: Duration, count: u32, now: Instant) {
        let overtime = Left::Overtime { time, count };
        self.left[color] = match (self.system, count) {
            (TimeSystem::None, 0) if time.is_zero() => Left::Unlimited,
            // Main time is over, so the first period is meant.
            (TimeSystem::Canadian { .. } | TimeSystem::Byoyomi { .. }, 0) if time.is_zero() => {
                Left::Main(Duration::ZERO)
            }
            (_, 0) => Left::Main(time),
            _ => overtime,
        };
        if let Some((running, since)) = &mut self.running
            && *running == color
        {
            *since = now;
        }
    }

    /// A player starts to think.
    pub fn begin(&mut self, color: Color, at: Instant) {
        self.running = Some((color, at));
    }

    /// A player has moved. If its clock was running, the time is taken off, and the opponent's
    /// clock runs if this player was asked to think (`thought`).
    pub fn end(&mut self, color: Color, at: Instant, thought: bool) {
        if let Some((running, since)) = self.running
            && running == color
        {
            let spent = at.saturating_duration_since(since);
            self.left[color] = spend(self.system, self.left[color], spent);
        }
        self.running = thought.then_some((color.opponent(), at));
    }

    /// Takes note of how much later than its maximum a move was ready: on a busy machine much
    /// time goes by in waiting for a processor, and more must be kept in reserve.
    pub fn note_lateness(&mut self, late: Duration) {
        let change = late.as_secs_f64() - self.lateness;
        // Quick to become careful, slow to forget.
        self.lateness += if change > 0.0 { 0.5 } else { 0.03 } * change;
    }

    /// How late moves have been lately, in seconds.
    pub fn lateness(&self) -> f64 {
        self.lateness
    }

    /// Nobody's clock runs: moves are taken back, a position is set up.
    pub fn pause(&mut self) {
        self.running = None;
    }

    /// How long the player has been thinking.
    pub fn thinking(&self, color: Color, now: Instant) -> Duration {
        match self.running {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        }
    }
}

/// What is left after a move that took this long. Who oversteps the limit gets a new period (or
/// stays at zero): the controller decides what that means.
fn spend(system: TimeSystem, left: Left, spent: Duration) -> Left {
    match (system, left) {
        (_, Left::Unlimited) => Left::Unlimited,
        (TimeSystem::Fischer { increment, cap, .. }, Left::Main(time)) => {
            let time = time.saturating_sub(spent) + increment;
            Left::Main(cap.map_or(time, |cap| time.min(cap)))
        }
        (
            TimeSystem::Canadian { period, stones: count, .. }
            | TimeSystem::Byoyomi { period, periods: count, .. },
            Left::Main(time),
        ) => match spent.checked_sub(time) {
            None => Left::Main(time - spent),
            Some(over) => spend(system, Left::Overtime { time: period, count }, over),
        },
        (_, Left::Main(time)) => Left::Main(time.saturating_sub(spent)),
        (TimeSystem::Byoyomi { period, .. }, Left::Overtime { time, count }) => {
            let over = spent.saturating_sub(time).as_secs_f64();
            let lost = match spent >= time {
                true if period.is_zero() => u32::MAX,
                true => ((over / period.as_secs_f64()) as u32).saturating_add(1),
                false => 0,
            };
            Left::Overtime { time: period, count: count.saturating_sub(lost).max(1) }
        }
        (TimeSystem::Canadian { period, stones, .. }, Left::Overtime { time, count }) => {
            match count {
                0 | 1 => Left::Overtime { time: period, count: stones },
                _ => Left::Overtime { time: time.saturating_sub(spent), count: count - 1 },
            }
        }
        // Overtime that the settings do not know: only `time_left` told of it.
        (_, Left::Overtime { time, count }) => {
            Left::Overtime { time: time.saturating_sub(spent), count: count.max(2) - 1 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn secs(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// Plays moves that take these seconds and gives what is left after each.
    fn after(system: TimeSystem, moves: &[f64]) -> Vec<Left> {
        let mut clock = Clock::new(system);
        let mut now = Instant::now();
        let mut left = Vec::new();
        for &seconds in moves {
            clock.begin(Black, now);
            now += secs(seconds);
            clock.end(Black, now, true);
            left.push(clock.left(Black));
            now += secs(1.0);
            clock.end(White, now, false);
        }
        left
    }

    #[test]
    fn gtp_settings() {
        let system = |main, period, stones| TimeSystem::from_gtp(secs(main), secs(period), stones);
        assert_eq!(system(300.0, 0.0, 0), TimeSystem::Absolute { main: secs(300.0) });
        assert_eq!(system(0.0, 1.0, 0), TimeSystem::None, "GoGui's way to say no limit");
        assert_eq!(system(1.0, 1.0, 0), TimeSystem::None, "q5Go's way to say no limit");
        assert_eq!(system(0.0, 0.0, 0), TimeSystem::None);
        let canadian = TimeSystem::Canadian { main: Duration::ZERO, period: secs(30.0), stones: 5 };
        assert_eq!(system(0.0, 30.0, 5), canadian);
    }

    #[test]
    fn absolute_and_fischer() {
        let absolute = TimeSystem::Absolute { main: secs(10.0) };
        assert_eq!(
            after(absolute, &[4.0, 5.0, 3.0]),
            [Left::Main(secs(6.0)), Left::Main(secs(1.0)), Left::Main(secs(0.0))]
        );
        let fischer = TimeSystem::Fischer {
            main: secs(10.0),
            increment: secs(2.0),
            cap: Some(secs(11.0)),
            per_move: None,
        };
        assert_eq!(
            after(fischer, &[4.0, 0.5, 0.5]),
            [Left::Main(secs(8.0)), Left::Main(secs(9.5)), Left::Main(secs(11.0))]
        );
    }

    #[test]
    fn canadian_periods() {
        let system = TimeSystem::Canadian { main: secs(10.0), period: secs(6.0), stones: 3 };
        let overtime = |time, count| Left::Overtime { time: secs(time), count };
        assert_eq!(
            after(system, &[9.0, 2.0, 1.0, 1.0, 5.0]),
            [
                Left::Main(secs(1.0)),
                overtime(5.0, 2),
                overtime(4.0, 1),
                overtime(6.0, 3),
                overtime(1.0, 2)
            ]
        );
    }

    #[test]
    fn japanese_periods() {
        let system = TimeSystem::Byoyomi { main: secs(1.0), period: secs(10.0), periods: 3 };
        let overtime = |count| Left::Overtime { time: secs(10.0), count };
        assert_eq!(
            after(system, &[0.5, 10.0, 9.9, 10.5, 25.0]),
            [Left::Main(secs(0.5)), overtime(3), overtime(3), overtime(2), overtime(1)]
        );
    }

    #[test]
    fn periods_of_a_nanosecond_are_counted() {
        let (main, period) = (Duration::ZERO, Duration::from_nanos(1));
        let system = TimeSystem::Byoyomi { main, period, periods: 3 };
        assert_eq!(after(system, &[9.0]), [Left::Overtime { time: period, count: 1 }]);
    }

    #[test]
    fn the_controller_corrects_the_clock() {
        let now = Instant::now();
        let mut clock = Clock::new(TimeSystem::Absolute { main: secs(900.0) });
        clock.set_left(White, secs(12.0), 0, now);
        assert_eq!(clock.left(White), Left::Main(secs(12.0)));
        assert_eq!(clock.left(Black), Left::Main(secs(900.0)));
        clock.set_left(White, Duration::ZERO, 0, now);
        assert_eq!(clock.left(White), Left::Main(Duration::ZERO), "CGOS: less than a second");
        clock.restart();
        assert_eq!(clock.left(White), Left::Main(secs(900.0)));
        let mut none = Clock::default();
        none.set_left(Black, Duration::ZERO, 0, now);
        assert_eq!(none.left(Black), Left::Unlimited);
        none.set_left(Black, secs(20.0), 4, now);
        assert_eq!(none.left(Black), Left::Overtime { time: secs(20.0), count: 4 });
    }

    #[test]
    fn the_opponent_uses_its_own_time() {
        let mut clock = Clock::new(TimeSystem::Absolute { main: secs(60.0) });
        let start = Instant::now();
        clock.begin(Black, start);
        clock.end(Black, start + secs(1.0), true);
        clock.end(White, start + secs(6.0), false);
        // The controller takes its time before it asks for the next move.
        clock.begin(Black, start + secs(30.0));
        assert_eq!(clock.thinking(Black, start + secs(31.5)), secs(1.5));
        assert_eq!(clock.left(White), Left::Main(secs(55.0)));
        assert_eq!(clock.left(Black), Left::Main(secs(59.0)));
    }
}
