//! How strong tengen plays on the page: what a person can choose from.

use crate::rank::{RUNGS, Rank};
use serde_json::{Value, json};

/// Every strength, weakest first: the name by which the page asks for it, and what a person reads.
pub fn strengths() -> Vec<Value> {
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
        json!({ "name": name, "label": label })
    };
    let full = json!({ "name": "full", "label": "Full strength" });
    RUNGS.iter().enumerate().map(of_rank).chain([full]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank;

    #[test]
    fn every_strength_is_a_rank_or_full() {
        let strengths = strengths();
        assert_eq!(strengths[0], json!({ "name": "25k", "label": "25 kyu, a beginner" }));
        let (full, ranks) = strengths.split_last().unwrap();
        let read = |strength: &Value| rank::parse(strength["name"].as_str().unwrap()).unwrap();
        assert!(
            ranks.iter().map(read).is_sorted() && ranks.iter().all(|rank| read(rank).is_some())
        );
        assert_eq!(read(full), None);
    }
}
