//! Ranks of players: 30 kyu is the weakest, 1 kyu is followed by 1 dan, 9 dan is the strongest.

use std::fmt;
use std::ops::RangeInclusive;
use thiserror::Error;

/// A rank, ordered by strength.
///
/// ```
/// use tengen::types::Rank;
///
/// let rank = Rank::parse("15k").unwrap();
/// assert_eq!(rank.to_string(), "15k");
/// assert!(rank < Rank::dan(1).unwrap() && Rank::parse("1D") == Ok(Rank::dan(1).unwrap()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rank(i8);

/// A text that is no rank.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no rank: give 30k to 1k or 1d to 9d")]
pub struct RankError(String);

impl Rank {
    /// 30 kyu.
    pub const WEAKEST: Rank = Rank(-30);
    /// 9 dan.
    pub const STRONGEST: Rank = Rank(8);

    /// A kyu rank, 1 to 30.
    pub const fn kyu(number: u8) -> Option<Rank> {
        if number >= 1 && number <= 30 { Some(Rank(-(number as i8))) } else { None }
    }

    /// A dan rank, 1 to 9.
    pub const fn dan(number: u8) -> Option<Rank> {
        if number >= 1 && number <= 9 { Some(Rank(number as i8 - 1)) } else { None }
    }

    /// Reads `18k` or `2d`, in letters of either case.
    pub fn parse(text: &str) -> Result<Rank, RankError> {
        let error = || RankError(text.chars().take(20).collect());
        let word = text.trim();
        let is_plain = word.is_ascii() && word.as_bytes().first().is_some_and(u8::is_ascii_digit);
        if !is_plain {
            return Err(error());
        }
        let (number, kind) = word.split_at(word.len() - 1);
        let number = number.parse().map_err(|_| error())?;
        let rank = match kind {
            "k" | "K" => Rank::kyu(number),
            "d" | "D" => Rank::dan(number),
            _ => None,
        };
        rank.ok_or_else(error)
    }

    /// What a game record says of a player, as far as it is a rank: servers write `0k` between 1k
    /// and 1d, `10d` and more, and a question mark behind what they are not sure of.
    pub fn parse_record(text: &[u8]) -> Option<Rank> {
        let text = std::str::from_utf8(text).ok()?.trim().trim_end_matches('?');
        let (number, kind) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let number: u8 = number.trim().parse().ok()?;
        match kind {
            "k" | "K" if number == 0 => Rank::dan(1),
            "k" | "K" => Rank::kyu(number.min(30)),
            "d" | "D" => Rank::dan(number.min(9)),
            _ => None,
        }
    }

    /// Ranks from 1 dan upwards; negative for kyu: 1k is -1, 1d is 0.
    pub const fn above_first_dan(self) -> i8 {
        self.0
    }

    /// The ranks of a range, from the weakest to the strongest.
    pub fn all(range: RangeInclusive<Rank>) -> impl DoubleEndedIterator<Item = Rank> {
        (range.start().0..=range.end().0).map(Rank)
    }

    /// Reads `18k..16k` in either order, or one rank.
    pub fn parse_range(text: &str) -> Result<RangeInclusive<Rank>, RankError> {
        let (one, other) = text.split_once("..").unwrap_or((text, text));
        let (one, other) = (Rank::parse(one)?, Rank::parse(other)?);
        Ok(one.min(other)..=one.max(other))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            kyu @ ..0 => write!(formatter, "{}k", -kyu),
            dan => write!(formatter, "{}d", dan + 1),
        }
    }
}

impl std::str::FromStr for Rank {
    type Err = RankError;

    fn from_str(text: &str) -> Result<Rank, RankError> {
        Rank::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_read_as_they_are_shown_and_ordered_by_strength() {
        let all: Vec<Rank> = Rank::all(Rank::WEAKEST..=Rank::STRONGEST).collect();
        assert_eq!(all.len(), 39);
        assert!(all.is_sorted());
        for rank in &all {
            assert_eq!(Rank::parse(&rank.to_string()), Ok(*rank));
        }
        assert_eq!(all[29].to_string() + &all[30].to_string(), "1k1d");
        for bad in ["", "k", "0k", "31k", "10d", "-3k", "+3k", "3", "3p", "3 kyu", "１k", "k3"] {
            let message = Rank::parse(bad).unwrap_err().to_string();
            assert_eq!(message, format!("'{bad}' is no rank: give 30k to 1k or 1d to 9d"));
        }
    }

    #[test]
    fn ranges_may_be_written_from_either_end() {
        let range = Rank::parse_range("16k..18k").unwrap();
        assert_eq!(range, Rank::parse_range("18k..16k").unwrap());
        assert_eq!(Rank::all(range).count(), 3);
        assert_eq!(Rank::all(Rank::parse_range("2d").unwrap()).count(), 1);
        assert!(Rank::parse_range("18k..").is_err());
    }

    #[test]
    fn records_say_more_than_ranks() {
        let read = |text: &str| Rank::parse_record(text.as_bytes()).map(|rank| rank.to_string());
        assert_eq!(read("12k?").as_deref(), Some("12k"));
        assert_eq!(read("0k").as_deref(), Some("1d"));
        assert_eq!(read("12d").as_deref(), Some("9d"));
        assert_eq!(read("1500"), None);
        assert_eq!(read(""), None);
        assert_eq!(Rank::parse_record(b"\xff\xffk"), None);
    }
}
