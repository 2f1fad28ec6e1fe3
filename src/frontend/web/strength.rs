//! How strong tengen plays on the page: the one place that knows the list.

use crate::frontend::gtp::playouts_of_level;
use serde::Serialize;

/// A strength that a person can choose.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// The name by which the page asks for it.
    pub name: String,
    /// What a person reads.
    pub label: String,
    /// The parameters that make it.
    #[serde(skip)]
    pub settings: Vec<(&'static str, String)>,
}

/// The name of the strongest one, which also gives hints and judges.
pub const FULL: &str = "full";

/// Every strength, weakest first.
pub fn strengths() -> Vec<Strength> {
    let level = |level: u32| {
        let playouts = playouts_of_level(level)?;
        let remark = match level {
            1 => ", weakest",
            10 => ", strong and slow",
            _ => "",
        };
        Some(Strength {
            name: level.to_string(),
            label: format!("Level {level}{remark}"),
            settings: vec![("search.playouts", playouts.to_string())],
        })
    };
    let full =
        Strength { name: FULL.to_owned(), label: "Full strength".to_owned(), settings: Vec::new() };
    (1..=10).filter_map(level).chain([full]).collect()
}

/// The strength of this name.
pub fn find(name: &str) -> Option<Strength> {
    strengths().into_iter().find(|strength| strength.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Overrides;

    #[test]
    fn every_strength_can_be_set_and_found() {
        for strength in strengths() {
            let mut overrides = Overrides::default();
            for (name, value) in &strength.settings {
                overrides.insert(name, value).unwrap();
            }
            assert_eq!(find(&strength.name), Some(strength));
        }
        assert_eq!(find("11"), None);
        assert!(find(FULL).is_some());
    }
}
