//! How strong the engine plays against a person.

use crate::frontend::gtp::playouts_of_level;
use thiserror::Error;

/// Seconds a move, unless told otherwise: a person should not have to wait.
const DEFAULT_TIME: f64 = 2.0;

/// A strength that there is not.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("there is no level {0}: give 1 (weakest) to 10")]
pub struct StrengthError(String);

/// How strong the engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strength {
    /// A level by the number of playouts.
    Level(u32),
    /// So many playouts a move.
    Playouts(u64),
    /// So many seconds a move.
    Time(f64),
}

impl Default for Strength {
    fn default() -> Strength {
        Strength::Time(DEFAULT_TIME)
    }
}

impl Strength {
    /// A level as a person types it.
    pub fn parse_level(text: &str) -> Result<Strength, StrengthError> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let level = text.parse().ok().filter(|&level| playouts_of_level(level).is_some());
        level.map(Strength::Level).ok_or(StrengthError(shown))
    }

    /// The parameters that make the engine play so.
    pub fn settings(self) -> Vec<(&'static str, String)> {
        let playouts = |playouts: u64| vec![("search.playouts", playouts.to_string())];
        match self {
            Strength::Level(level) => playouts(playouts_of_level(level).unwrap_or_default()),
            Strength::Playouts(number) => playouts(number),
            Strength::Time(seconds) => {
                let mut settings = playouts(0);
                settings.push(("search.time", seconds.to_string()));
                settings
            }
        }
    }

    /// In words.
    pub fn describe(self) -> String {
        match self {
            Strength::Level(level) => format!("level {level}"),
            Strength::Playouts(playouts) => format!("{playouts} playouts a move"),
            Strength::Time(seconds) => format!("{seconds} s a move"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Overrides;

    #[test]
    fn every_strength_can_be_set() {
        let all = (1..=10).map(Strength::Level);
        for strength in all.chain([Strength::default(), Strength::Playouts(7)]) {
            let mut overrides = Overrides::default();
            for (name, value) in strength.settings() {
                overrides.insert(name, &value).unwrap();
            }
            let by_time = matches!(strength, Strength::Time(_));
            assert_eq!(overrides.resolve(9).search.playouts == 0, by_time, "{strength:?}");
        }
        for text in ["0", "11", "strong", "", "-1"] {
            assert!(Strength::parse_level(text).is_err(), "{text}");
        }
        assert_eq!(Strength::parse_level("3"), Ok(Strength::Level(3)));
    }
}
