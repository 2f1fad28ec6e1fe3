//! How strong tengen plays on the page: the one place that knows the list.

use crate::rank::{RUNGS, Rank};
use serde::Serialize;

/// A strength that a person can choose.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// The name by which the page asks for it.
    pub name: String,
    /// What a person reads.
    pub label: String,
    /// The rank of the player who plays so; the engine itself if there is none.
    #[serde(skip)]
    pub rank: Option<Rank>,
}

/// The name of the strongest one, which also gives hints and judges.
pub const FULL: &str = "full";

/// Every strength, weakest first.
pub fn strengths() -> Vec<Strength> {
    let of_rank = |(place, rank): (usize, &Rank)| {
        let remark = match place {
            0 => ", a beginner",
            3 => ", has played some games",
            6 => ", plays in a club",
            9 => ", a strong amateur",
            _ => "",
        };
        let name = rank.to_string();
        let label = name.replace('k', " kyu").replace('d', " dan") + remark;
        Strength { name, label, rank: Some(*rank) }
    };
    let full = Strength { name: FULL.to_owned(), label: "Full strength".to_owned(), rank: None };
    RUNGS.iter().enumerate().map(of_rank).chain([full]).collect()
}

/// The strength of this name.
pub fn find(name: &str) -> Option<Strength> {
    strengths().into_iter().find(|strength| strength.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strength_can_be_found() {
        for strength in strengths() {
            assert_eq!(find(&strength.name), Some(strength));
        }
        assert_eq!(find("11"), None);
        assert_eq!(find("25k").unwrap().label, "25 kyu, a beginner");
        assert!(find(FULL).is_some_and(|full| full.rank.is_none()));
    }
}
