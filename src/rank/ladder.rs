//! How much the player of a rank thinks of and reads: the rungs of the ladder, and what lies between them.
//!
//! A level draws some moves from the policy of its rank and keeps the one that a small search likes best. With one
//! move drawn there is nothing to choose. The weakest levels draw from a flatter policy than their players': those see
//! one thing after the other, and the mean of many of them plays better than any. The numbers were found by matches
//! between neighbours and against other programs (`docs/levels.md`).
//!
//! Tried and dropped: a level that often looks only near the last moves. Answering there is better than what a single
//! draw finds elsewhere, so 25k won 6 of 15 games against GNU Go's level 0 with it and 3 of 30 without.

use super::{Rank, RankError};
use thiserror::Error;

/// How a player of a rank chooses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// Moves drawn from the policy; the part behind the point is the chance of one more.
    pub draws: f64,
    /// Playouts by which they are compared.
    pub playouts: f64,
    /// The power to which the policy's probabilities are raised before drawing: 1 is how players of the rank choose, less
    /// is flatter, as of somebody who has not seen much yet.
    pub power: f64,
}

impl Skill {
    /// Does the search look at all moves, and not only at those drawn?
    pub fn sees_all(&self) -> bool {
        self.draws >= ALL
    }
}

/// So many draws stand for all moves.
pub const ALL: f64 = 64.0;

/// Reads `2.5,40` or `1,1,0.8`: moves drawn (from 64 on they are all), playouts and power.
pub fn parse_skill(text: &str) -> Result<Skill, String> {
    let read = || {
        let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.parse().ok()).collect();
        let skill = match numbers?[..] {
            [draws, playouts] => Skill { draws, playouts, power: 1.0 },
            [draws, playouts, power] => Skill { draws, playouts, power },
            _ => return None,
        };
        let possible = (1.0..=1000.0).contains(&skill.draws)
            && (1.0..=1e9).contains(&skill.playouts)
            && (0.01..=10.0).contains(&skill.power);
        possible.then_some(skill)
    };
    let advice =
        "give the moves drawn and the playouts, such as 2.5,40, and the power if it is not 1";
    read().ok_or_else(|| advice.to_owned())
}

/// The weakest rank that there is a level for.
pub const WEAKEST: Rank = kyu(25);
/// The strongest one. Above it is only the engine itself.
pub const STRONGEST: Rank = dan(9);

/// Only for the constants here, so that a rank that there is not is an error of the compiler.
const fn kyu(number: u8) -> Rank {
    Rank::kyu(number).unwrap()
}

const fn dan(number: u8) -> Rank {
    Rank::dan(number).unwrap()
}

/// The rank of a level, 1 to 10: the rungs up to 3d.
pub fn of_level(level: u32) -> Option<Rank> {
    let levels = RUNGS.iter().take(10);
    levels.copied().nth(usize::try_from(level).ok()?.checked_sub(1)?)
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

/// The rungs: ranks whose skill was measured. Those between them are between them.
pub const RUNGS: [Rank; 12] = [
    kyu(25),
    kyu(22),
    kyu(19),
    kyu(16),
    kyu(13),
    kyu(10),
    kyu(7),
    kyu(4),
    kyu(1),
    dan(3),
    dan(6),
    dan(9),
];

/// Moves drawn, playouts, power.
type Rung = (f64, f64, f64);

/// Boards up to 11x11. A search of all moves keeps its tree, so it begins with fewer playouts.
const SMALL: [Rung; 12] = [
    (1.0, 1.0, 0.55),
    (1.0, 1.0, 0.85),
    (1.8, 20.0, 1.0),
    (3.5, 40.0, 1.0),
    (7.0, 70.0, 1.0),
    (14.0, 110.0, 1.0),
    (28.0, 170.0, 1.0),
    (ALL, 150.0, 1.0),
    (ALL, 260.0, 1.0),
    (ALL, 450.0, 1.0),
    (ALL, 780.0, 1.0),
    (ALL, 1350.0, 1.0),
];

/// Boards up to 15x15. Longer games make more of the same difference, so the steps are smaller.
const MIDDLE: [Rung; 12] = [
    (1.0, 1.0, 0.6),
    (1.0, 1.0, 0.85),
    (1.5, 16.0, 1.0),
    (2.4, 26.0, 1.0),
    (4.0, 42.0, 1.0),
    (6.5, 64.0, 1.0),
    (11.0, 100.0, 1.0),
    (20.0, 150.0, 1.0),
    (ALL, 260.0, 1.0),
    (ALL, 450.0, 1.0),
    (ALL, 750.0, 1.0),
    (ALL, 1300.0, 1.0),
];

/// Larger boards.
const LARGE: [Rung; 12] = [
    (1.0, 1.0, 0.9),
    (1.0, 1.0, 1.0),
    (1.4, 12.0, 1.0),
    (2.3, 23.0, 1.0),
    (3.8, 40.0, 1.0),
    (6.5, 70.0, 1.0),
    (11.0, 115.0, 1.0),
    (20.0, 180.0, 1.0),
    (36.0, 270.0, 1.0),
    (ALL, 270.0, 1.0),
    (ALL, 480.0, 1.0),
    (ALL, 850.0, 1.0),
];

/// How a player of a rank chooses on a board.
pub fn skill(rank: Rank, size: usize) -> Skill {
    let rungs = match size {
        ..=11 => &SMALL,
        12..=15 => &MIDDLE,
        _ => &LARGE,
    };
    let number = |rank: Rank| f64::from(rank.above_first_dan());
    let upper = RUNGS.iter().position(|&rung| rung >= rank).unwrap_or(RUNGS.len() - 1).max(1);
    let (low, high) = (number(RUNGS[upper - 1]), number(RUNGS[upper]));
    let way = ((number(rank) - low) / (high - low)).clamp(0.0, 1.0);
    // Twice the playouts are a step wherever one stands, and so are twice the draws.
    let between = |from: f64, to: f64| from * (to / from).powf(way);
    let (below, above) = (rungs[upper - 1], rungs[upper]);
    Skill {
        draws: between(below.0, above.0),
        playouts: between(below.1, above.1).round(),
        power: between(below.2, above.2),
    }
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
                // A search of all moves keeps its tree: the way to it may have fewer playouts.
                assert!(pair[0].draws <= pair[1].draws);
                let sees_more = pair[0].draws < pair[1].draws && pair[0].draws > 20.0;
                assert!(pair[0].playouts <= pair[1].playouts || sees_more, "{pair:?}");
                assert!(pair[0].power <= pair[1].power && pair[1].power <= 1.0);
                assert!(pair[0] != pair[1], "{pair:?}");
            }
            assert!(skills[0].draws == 1.0 && skills.last().unwrap().sees_all());
        }
    }

    #[test]
    fn levels_are_names_of_ranks_in_order() {
        assert!(RUNGS.is_sorted());
        assert_eq!((RUNGS[0], RUNGS[11]), (WEAKEST, STRONGEST));
        assert_eq!((of_level(1), of_level(10)), (Some(WEAKEST), Some(dan(3))));
        assert_eq!((of_level(0), of_level(11)), (None, None));
    }

    #[test]
    fn skills_are_read_as_they_are_written() {
        assert_eq!(parse_skill("2.5,40"), Ok(Skill { draws: 2.5, playouts: 40.0, power: 1.0 }));
        assert_eq!(parse_skill("1,1,0.6"), Ok(Skill { draws: 1.0, playouts: 1.0, power: 0.6 }));
        for bad in ["", "1", "0.5,1", "1,0", "1,1,0", "nan,1", "1,1,1,1", "2,inf"] {
            assert!(parse_skill(bad).unwrap_err().starts_with("give the moves drawn"), "{bad}");
        }
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
