//! Time settings and the clock of one player, enforced by the match tool.
//!
//! Programs keep clocks of their own, but a match is only fair if somebody else looks at the time
//! too. The tool measures each `genmove` from the command to the last byte of the answer.

use crate::types::Color;
use crate::workshop::tools::player::color_word;
use anyhow::{Result, anyhow, bail};
use std::fmt;
use std::str::FromStr;

/// How much time a player has, in seconds.
///
/// Written as `300` (absolute), `300+30/5` (Canadian: 5 stones in 30 seconds), `300+3x10`
/// (Japanese: 3 periods of 10 seconds) or `300+2` (Fischer: 2 seconds more after every move). A
/// number may end in `s` or `m`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TimeSettings {
    /// This much for all moves.
    Absolute {
        /// For the whole game.
        main: f64,
    },
    /// Main time, then so many stones in each period.
    Canadian {
        /// Before overtime.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Stones to play in a period.
        stones: u32,
    },
    /// Main time, then periods of which one is lost whenever a move takes longer than it.
    Japanese {
        /// Before overtime.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Number of periods.
        periods: u32,
    },
    /// A little more after every move.
    Fischer {
        /// At the start.
        main: f64,
        /// Added after each move.
        increment: f64,
    },
}

impl FromStr for TimeSettings {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<TimeSettings> {
        let form = || {
            anyhow!(
                "'{text}' is no time setting; write 300 (absolute), 300+30/5 (5 stones in 30 s), \
                 300+3x10 (3 periods of 10 s) or 300+2 (2 s more after each move)"
            )
        };
        let seconds = |part: &str| -> Result<f64> {
            let (number, unit) = match part.strip_suffix(['s', 'm']) {
                Some(number) => (number, if part.ends_with('m') { 60.0 } else { 1.0 }),
                None => (part, 1.0),
            };
            let number: f64 = number.parse().map_err(|_| form())?;
            let value = number * unit;
            if (0.0..=1e6).contains(&value) { Ok(value) } else { Err(form()) }
        };
        let count = |part: &str| part.parse().ok().filter(|n| *n > 0).ok_or_else(form);
        let (main, overtime) = match text.trim().split_once('+') {
            Some((main, overtime)) => (main, Some(overtime)),
            None => (text.trim(), None),
        };
        let main = seconds(main)?;
        let settings = match overtime {
            None => TimeSettings::Absolute { main },
            Some(overtime) => {
                if let Some((period, stones)) = overtime.split_once('/') {
                    let (period, stones) = (seconds(period)?, count(stones)?);
                    TimeSettings::Canadian { main, period, stones }
                } else if let Some((periods, period)) = overtime.split_once('x') {
                    let (period, periods) = (seconds(period)?, count(periods)?);
                    TimeSettings::Japanese { main, period, periods }
                } else {
                    TimeSettings::Fischer { main, increment: seconds(overtime)? }
                }
            }
        };
        let whole = |value: f64| value.fract() == 0.0;
        match settings {
            TimeSettings::Absolute { main: 0.0 } => Err(form()),
            TimeSettings::Fischer { main: 0.0, .. } => Err(form()),
            TimeSettings::Canadian { period: 0.0, .. } => Err(form()),
            TimeSettings::Japanese { period: 0.0, .. } => Err(form()),
            TimeSettings::Absolute { main } if whole(main) => Ok(settings),
            TimeSettings::Canadian { main, period, .. }
            | TimeSettings::Japanese { main, period, .. }
                if whole(main) && whole(period) =>
            {
                Ok(settings)
            }
            TimeSettings::Fischer { .. } => Ok(settings),
            // GTP's `time_settings` has whole seconds.
            _ => bail!("'{text}': only Fischer time can have fractions of a second"),
        }
    }
}

impl fmt::Display for TimeSettings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TimeSettings::Absolute { main } => write!(f, "{main}"),
            TimeSettings::Canadian { main, period, stones } => {
                write!(f, "{main}+{period}/{stones}")
            }
            TimeSettings::Japanese { main, period, periods } => {
                write!(f, "{main}+{periods}x{period}")
            }
            TimeSettings::Fischer { main, increment } => write!(f, "{main}+{increment}"),
        }
    }
}

impl TimeSettings {
    /// The GTP command that tells a program, and its name: Canadian and absolute time are
    /// standard, the others are extensions of KGS and KataGo.
    pub fn to_gtp(self) -> (&'static str, String) {
        match self {
            TimeSettings::Absolute { main } => {
                ("time_settings", format!("time_settings {main} 0 0"))
            }
            TimeSettings::Canadian { main, period, stones } => {
                ("time_settings", format!("time_settings {main} {period} {stones}"))
            }
            TimeSettings::Japanese { main, period, periods } => (
                "kgs-time_settings",
                format!("kgs-time_settings byoyomi {main} {period} {periods}"),
            ),
            TimeSettings::Fischer { main, increment } => {
                ("kata-time_settings", format!("kata-time_settings fischer {main} {increment}"))
            }
        }
    }
}

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    settings: TimeSettings,
    /// Main time left.
    main: f64,
    /// Time left in the current Canadian period.
    period: f64,
    /// Stones left in the Canadian period, or Japanese periods left.
    count: u32,
}

impl Clock {
    /// A full clock.
    pub fn new(settings: TimeSettings) -> Clock {
        let (main, period, count) = match settings {
            TimeSettings::Absolute { main } => (main, 0.0, 0),
            TimeSettings::Canadian { main, period, stones } => (main, period, stones),
            TimeSettings::Japanese { main, period, periods } => (main, period, periods),
            TimeSettings::Fischer { main, .. } => (main, 0.0, 0),
        };
        Clock { settings, main, period, count }
    }

    /// Seconds until the flag falls if the player moves now.
    pub fn allowed(&self) -> f64 {
        match self.settings {
            TimeSettings::Absolute { .. } | TimeSettings::Fischer { .. } => self.main,
            TimeSettings::Canadian { .. } => self.main + self.period,
            TimeSettings::Japanese { period, .. } => self.main + period * f64::from(self.count),
        }
    }

    /// Takes the time of a move off; false if the flag fell.
    pub fn spend(&mut self, seconds: f64) -> bool {
        if seconds > self.allowed() {
            return false;
        }
        let over = (seconds - self.main).max(0.0);
        let was_in_main = self.main > 0.0 && over == 0.0;
        self.main = (self.main - seconds).max(0.0);
        match self.settings {
            TimeSettings::Absolute { .. } => {}
            TimeSettings::Fischer { increment, .. } => self.main += increment,
            TimeSettings::Canadian { .. } if was_in_main => {}
            TimeSettings::Canadian { period, stones, .. } => {
                self.period -= over;
                self.count -= 1;
                if self.count == 0 {
                    (self.period, self.count) = (period, stones);
                }
            }
            TimeSettings::Japanese { period, .. } => {
                // A move of exactly one period is still in time.
                let lost = (over / period).ceil() as u32;
                self.count -= lost.saturating_sub(1).min(self.count);
            }
        }
        true
    }

    /// `time_left` for this clock, in whole seconds and never more than there is.
    pub fn to_gtp(&self, color: Color) -> String {
        let (seconds, count) = match self.settings {
            _ if self.main > 0.0 => (self.main, 0),
            TimeSettings::Absolute { .. } | TimeSettings::Fischer { .. } => (self.main, 0),
            TimeSettings::Canadian { .. } => (self.period, self.count),
            TimeSettings::Japanese { period, .. } => (period, self.count),
        };
        format!("time_left {} {} {count}", color_word(color), seconds.floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse().unwrap())
    }

    #[test]
    fn settings_are_read_and_written() {
        for (text, gtp) in [
            ("300", "time_settings 300 0 0"),
            ("300+30/5", "time_settings 300 30 5"),
            ("0+10/1", "time_settings 0 10 1"),
            ("300+3x10", "kgs-time_settings byoyomi 300 10 3"),
            ("60.5+0.5", "kata-time_settings fischer 60.5 0.5"),
        ] {
            let settings: TimeSettings = text.parse().unwrap();
            assert_eq!(settings.to_gtp().1, gtp);
            assert!(gtp.starts_with(settings.to_gtp().0));
            assert_eq!(settings.to_string(), text);
        }
        let error = |text: &str| text.parse::<TimeSettings>().unwrap_err().to_string();
        assert_eq!("5m+30s/5".parse::<TimeSettings>().unwrap().to_string(), "300+30/5");
        for text in ["", "x", "0", "-5", "5+", "5+3/0", "5+0x3", "5+0/3", "5+3x0", "inf", "1+2+3"] {
            assert!(error(text).starts_with(&format!("'{text}' is no time setting")), "{text}");
        }
        for text in ["0.5", "1+0.5/3", "1.5+3x1"] {
            assert!(error(text).ends_with("fractions of a second"), "{text}");
        }
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock("10");
        assert!(clock.spend(4.0) && clock.spend(5.5));
        assert_eq!(clock.to_gtp(Color::Black), "time_left b 0 0");
        assert!(!clock.spend(0.6));
        assert!(clock.spend(0.5));
    }

    #[test]
    fn canadian_periods_refill_after_their_stones() {
        let mut clock = clock("10+6/3");
        assert_eq!(clock.allowed(), 16.0);
        assert!(clock.spend(9.0));
        assert_eq!(clock.to_gtp(Color::White), "time_left w 1 0");
        assert!(clock.spend(3.0)); // one second of main time, two of the period
        assert_eq!(clock.to_gtp(Color::White), "time_left w 4 2");
        assert!(clock.spend(3.5));
        assert!(!clock.spend(0.6) && clock.spend(0.4));
        assert_eq!(clock.to_gtp(Color::White), "time_left w 6 3");
        assert!(clock.spend(6.0) && clock.spend(0.0) && !clock.spend(0.1));
    }

    #[test]
    fn japanese_periods_are_lost_one_by_one() {
        let mut clock = clock("5+3x10");
        assert_eq!(clock.allowed(), 35.0);
        assert!(clock.spend(5.0));
        assert_eq!(clock.to_gtp(Color::Black), "time_left b 10 3");
        assert!(clock.spend(10.0) && clock.spend(9.0));
        assert_eq!(clock.to_gtp(Color::Black), "time_left b 10 3");
        assert!(clock.spend(10.5));
        assert_eq!(clock.to_gtp(Color::Black), "time_left b 10 2");
        assert!(clock.spend(20.0));
        assert_eq!(clock.to_gtp(Color::Black), "time_left b 10 1");
        assert!(!clock.spend(10.1) && clock.spend(10.0));
    }

    #[test]
    fn fischer_time_grows() {
        let mut clock = clock("5+2");
        assert!(clock.spend(4.0));
        assert_eq!(clock.allowed(), 3.0);
        assert!(!clock.spend(3.5) && clock.spend(3.0) && clock.spend(2.0) && !clock.spend(2.5));
    }
}
