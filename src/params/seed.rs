//! Seeds from the system.
//!
//! Seed 0 asks for a new one. The front ends draw it before anything is searched and log it, so
//! that the number in force is always known and any game can be played again with `--seed`.

use super::Overrides;
use std::hash::{BuildHasher, RandomState};

const NAME: &str = "search.seed";

/// A seed that the system has drawn: of 31 bits and never 0, so that other programs'
/// `set_random_seed` takes it too.
pub fn random_seed() -> u64 {
    // The keys of the standard library's hash maps are the system's random numbers.
    let drawn = RandomState::new().hash_one(std::process::id());
    (drawn >> 33).max(1)
}

/// Does a setting ask for a new seed?
pub fn asks_for_seed(name: &str, value: &str) -> bool {
    name == NAME && value.trim().parse() == Ok(0u64)
}

impl Overrides {
    /// Draws a seed unless one is set; returns the seed in force.
    pub fn settle_seed(&mut self) -> u64 {
        match self.get(NAME).and_then(|text| text.parse().ok()) {
            None | Some(0) => {
                let seed = random_seed();
                // Every number is a seed, so this cannot fail.
                let _ = self.insert(NAME, &seed.to_string());
                seed
            }
            Some(seed) => seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_draws_a_seed_and_others_stay() {
        let settle = |assignment: &str| {
            let mut overrides = Overrides::default();
            overrides.add_file(assignment).unwrap();
            let seed = overrides.settle_seed();
            assert_eq!(overrides.resolve(9).search.seed, seed);
            assert_eq!(overrides.settle_seed(), seed, "drawn once");
            seed
        };
        assert_eq!(settle("search.seed = 7"), 7);
        let drawn: Vec<u64> = ["", "search.seed = 0", "search.seed=00"].map(settle).to_vec();
        assert!(drawn.iter().all(|seed| (1..1 << 31).contains(seed)), "{drawn:?}");
        assert!(drawn[0] != drawn[1] || drawn[1] != drawn[2], "{drawn:?}");
        assert!(asks_for_seed("search.seed", "0") && !asks_for_seed("search.seed", "10"));
        assert!(!asks_for_seed("search.time", "0"));
    }
}
