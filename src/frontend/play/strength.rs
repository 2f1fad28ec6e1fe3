//! How strong the engine plays against a person.

use crate::params::Overrides;
use crate::rank::{self, Rank, RankPlayer};
use thiserror::Error;

/// Seconds a move, unless told otherwise: a person should not have to wait.
const DEFAULT_TIME: f64 = 2.0;

/// A strength that there is not.
#[derive(Clone, PartialEq, Debug, Error)]
#[error(
    "there is no level {0}: give a rank from 25k (weakest) to 9d, a level from 1 to 10, or full"
)]
pub struct StrengthError(String);

/// How strong the engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strength {
    /// Like a person of this rank.
    Rank(Rank),
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
    /// A rank, a level or `full`, as a person types it.
    pub fn parse(text: &str) -> Result<Strength, StrengthError> {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let level = text.parse().ok().and_then(rank::of_level);
        match (level, rank::parse(text)) {
            (Some(rank), _) | (None, Ok(Some(rank))) => Ok(Strength::Rank(rank)),
            (None, Ok(None)) => Ok(Strength::default()),
            (None, Err(_)) => Err(StrengthError(shown)),
        }
    }

    /// Who plays in the engine's place, if it is not at its full strength.
    pub fn player(self, overrides: &Overrides) -> Option<RankPlayer> {
        match self {
            Strength::Rank(rank) => Some(RankPlayer::new(rank, overrides)),
            Strength::Playouts(_) | Strength::Time(_) => None,
        }
    }

    /// The parameters that make the engine play so.
    pub fn settings(self) -> Vec<(&'static str, String)> {
        let (playouts, seconds) = match self {
            Strength::Playouts(playouts) => (playouts, DEFAULT_TIME),
            Strength::Time(seconds) => (0, seconds),
            // The engine beside a player of a rank gives hints and counts, at its full strength.
            Strength::Rank(_) => (0, DEFAULT_TIME),
        };
        vec![("search.playouts", playouts.to_string()), ("search.time", seconds.to_string())]
    }

    /// In words.
    pub fn describe(self) -> String {
        match self {
            Strength::Rank(rank) => rank.to_string(),
            Strength::Playouts(playouts) => format!("{playouts} playouts a move"),
            Strength::Time(seconds) => format!("{seconds} s a move"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strength_can_be_set() {
        let ranks = ["25k", "9k", "1d", "9d"].map(|text| Strength::parse(text).unwrap());
        for strength in ranks.into_iter().chain([Strength::default(), Strength::Playouts(7)]) {
            let mut overrides = Overrides::default();
            for (name, value) in strength.settings() {
                overrides.insert(name, &value).unwrap();
            }
            let by_playouts = matches!(strength, Strength::Playouts(_));
            assert_eq!(overrides.resolve(9).search.playouts > 0, by_playouts, "{strength:?}");
            let by_rank = matches!(strength, Strength::Rank(_));
            assert_eq!(strength.player(&overrides).is_some(), by_rank);
        }
        for text in ["0", "11", "strong", "", "-1", "99k"] {
            assert!(Strength::parse(text).is_err(), "{text}");
        }
        assert_eq!(Strength::parse("1"), Strength::parse("25k"));
        assert_eq!(Strength::parse("full"), Ok(Strength::default()));
    }
}
