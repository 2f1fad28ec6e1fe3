//! How much the player of a rank thinks of and reads: the rungs of the ladder, and what lies between them.
//!
//! A level draws some moves from the policy of its rank and keeps the one that a small search likes best. With one
//! move drawn there is nothing to choose. The numbers were found by matches between neighbours (`docs/levels.md`).

use super::{Rank, RankError};
use thiserror::Error;

/// How a player of a rank chooses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// Moves drawn from the policy; the part behind the point is the chance of one more.
    pub draws: f64,
    /// Playouts by which they are compared.
    pub playouts: f64,
}

impl Skill {
    /// Does the search look at all moves, and not only at those drawn?
    pub fn sees_all(&self) -> bool {
        self.draws >= ALL
    }
}

/// So many draws stand for all moves.
pub const ALL: f64 = 64.0;

/// Reads `2.5,40`: moves drawn and playouts; from 64 moves on they are all.
pub fn parse_skill(text: &str) -> Result<Skill, String> {
    let read = || {
        let (draws, playouts) = text.split_once(',')?;
        let (draws, playouts) = (draws.parse::<f64>().ok()?, playouts.parse::<u32>().ok()?);
        let possible = (1.0..=1000.0).contains(&draws) && playouts >= 1;
        possible.then_some(Skill { draws, playouts: f64::from(playouts) })
    };
    read().ok_or_else(|| "give the moves drawn and the playouts, such as 2.5,40".to_owned())
}

/// The weakest rank that there is a level for.
pub const WEAKEST: Rank = kyu(25);
/// The strongest one. Above it is only the engine itself.
pub const STRONGEST: Rank = dan(9);

const fn kyu(number: u8) -> Rank {
    match Rank::kyu(number) {
        Some(rank) => rank,
        None => Rank::WEAKEST,
    }
}

const fn dan(number: u8) -> Rank {
    match Rank::dan(number) {
        Some(rank) => rank,
        None => Rank::STRONGEST,
    }
}

/// The ranks by which `--level 1` to `--level 10` go.
pub const LEVELS: [Rank; 10] =
    [kyu(25), kyu(22), kyu(19), kyu(16), kyu(13), kyu(10), kyu(7), kyu(4), kyu(1), dan(3)];

/// The rank of a level, 1 to 10.
pub fn of_level(level: u32) -> Option<Rank> {
    let index = usize::try_from(level).ok()?.checked_sub(1)?;
    LEVELS.get(index).copied()
}

/// A text that names no level.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no level for the rank '{0}': give {WEAKEST} to 1k, 1d to {STRONGEST}, or full")]
pub struct LevelError(String);

/// Reads a rank that there is a level for. `full` is the engine itself, at its full strength: None.
pub fn parse(text: &str) -> Result<Option<Rank>, LevelError> {
    if text.trim().eq_ignore_ascii_case("full") {
        return Ok(None);
    }
    let error = |_: RankError| LevelError(text.chars().take(20).collect());
    let rank = Rank::parse(text).map_err(error)?;
    if (WEAKEST..=STRONGEST).contains(&rank) {
        Ok(Some(rank))
    } else {
        Err(LevelError(rank.to_string()))
    }
}

/// A rung: rank, moves drawn, playouts.
type Rung = (Rank, f64, f64);

/// Boards up to 11x11.
const SMALL: [Rung; 12] = [
    (kyu(25), 1.0, 1.0),
    (kyu(22), 1.7, 20.0),
    (kyu(19), 2.6, 32.0),
    (kyu(16), 4.0, 48.0),
    (kyu(13), 7.0, 80.0),
    (kyu(10), 11.0, 110.0),
    (kyu(7), 17.0, 150.0),
    (kyu(4), 28.0, 220.0),
    (kyu(1), ALL, 400.0),
    (dan(3), ALL, 900.0),
    (dan(6), ALL, 2000.0),
    (dan(9), ALL, 4500.0),
];

/// Larger boards.
const LARGE: [Rung; 12] = [
    (kyu(25), 1.0, 1.0),
    (kyu(22), 1.5, 12.0),
    (kyu(19), 2.0, 16.0),
    (kyu(16), 2.7, 24.0),
    (kyu(13), 3.6, 36.0),
    (kyu(10), 5.0, 50.0),
    (kyu(7), 7.0, 80.0),
    (kyu(4), 12.0, 120.0),
    (kyu(1), 24.0, 200.0),
    (dan(3), ALL, 400.0),
    (dan(6), ALL, 900.0),
    (dan(9), ALL, 2000.0),
];

/// How a player of a rank chooses on a board.
pub fn skill(rank: Rank, size: usize) -> Skill {
    let rungs = if size <= 11 { &SMALL } else { &LARGE };
    let number = |rank: Rank| f64::from(rank.above_first_dan());
    let upper = rungs.iter().position(|rung| rung.0 >= rank).unwrap_or(rungs.len() - 1).max(1);
    let (below, above) = (rungs[upper - 1], rungs[upper]);
    let way = (number(rank) - number(below.0)) / (number(above.0) - number(below.0));
    let way = way.clamp(0.0, 1.0);
    // Twice the playouts are a step wherever one stands, and so are twice the draws.
    let between = |from: f64, to: f64| from * (to / from).powf(way);
    Skill { draws: between(below.1, above.1), playouts: between(below.2, above.2).round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_sees_and_reads_at_least_as_much_as_the_one_below() {
        for size in [9, 13, 19] {
            let skills: Vec<Skill> =
                Rank::all(WEAKEST..=STRONGEST).map(|rank| skill(rank, size)).collect();
            for pair in skills.windows(2) {
                assert!(pair[0].draws <= pair[1].draws && pair[0].playouts <= pair[1].playouts);
                assert!(pair[0] != pair[1], "{pair:?}");
            }
            assert!(skills[0].draws == 1.0 && skills.last().unwrap().sees_all());
        }
    }

    #[test]
    fn levels_are_names_of_ranks_in_order() {
        assert!(LEVELS.is_sorted() && LEVELS[0] == WEAKEST);
        assert_eq!((of_level(1), of_level(10)), (Some(WEAKEST), Some(LEVELS[9])));
        assert_eq!((of_level(0), of_level(11)), (None, None));
    }

    #[test]
    fn what_has_no_level_is_refused_with_what_has() {
        assert_eq!(parse("25k"), Ok(Some(WEAKEST)));
        assert_eq!(parse(" 9D "), Ok(Some(STRONGEST)));
        assert_eq!(parse("FULL"), Ok(None));
        for bad in ["26k", "10d", "", "strong", "7"] {
            let message = parse(bad).unwrap_err().to_string();
            let advice = "give 25k to 1k, 1d to 9d, or full";
            assert_eq!(message, format!("there is no level for the rank '{bad}': {advice}"));
        }
    }
}
