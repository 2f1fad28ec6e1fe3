//! Rule sets: how repetition, counting and handicap are treated.
//!
//! tengen forbids suicide under every rule set, also where the rules allow it (Tromp-Taylor, New
//! Zealand): it is never played by either side in practice, and the board is faster without it.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What may not be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KoRule {
    /// The position before the opponent's last move, in a single-stone ko.
    Simple,
    /// Any earlier position.
    Positional,
    /// Any earlier position with the same player to move.
    Situational,
}

/// What counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// Stones and territory.
    Area,
    /// Territory and prisoners; none in seki.
    Territory,
}

/// What White gets for handicap stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandicapBonus {
    /// Nothing.
    None,
    /// A point per stone.
    Stones,
    /// A point per stone but the first.
    StonesButOne,
}

/// A rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Repetition.
    pub ko: KoRule,
    /// Counting.
    pub scoring: Scoring,
    /// Compensation for handicap stones.
    pub handicap_bonus: HandicapBonus,
}

/// A name that no rule set has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("these are no rules I know: give one of {}", Rules::NAMED.map(|(name, _)| name).join(", "))]
pub struct UnknownRules;

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(name: &str) -> Result<Rules, UnknownRules> {
        Rules::parse(name).ok_or(UnknownRules)
    }
}

impl Rules {
    /// Tromp-Taylor, as on CGOS (without suicide).
    pub const TROMP_TAYLOR: Rules = Rules {
        ko: KoRule::Positional,
        scoring: Scoring::Area,
        handicap_bonus: HandicapBonus::None,
    };
    /// Chinese.
    pub const CHINESE: Rules =
        Rules { handicap_bonus: HandicapBonus::Stones, ..Rules::TROMP_TAYLOR };
    /// American Go Association, counted by area.
    pub const AGA: Rules = Rules {
        ko: KoRule::Situational,
        scoring: Scoring::Area,
        handicap_bonus: HandicapBonus::StonesButOne,
    };
    /// New Zealand (without suicide).
    pub const NEW_ZEALAND: Rules = Rules { handicap_bonus: HandicapBonus::None, ..Rules::AGA };
    /// Japanese.
    pub const JAPANESE: Rules = Rules {
        ko: KoRule::Simple,
        scoring: Scoring::Territory,
        handicap_bonus: HandicapBonus::None,
    };

    /// Every rule set with its name; the first name of a set is the one that is printed.
    pub const NAMED: [(&'static str, Rules); 13] = [
        ("chinese", Rules::CHINESE),
        ("chinese-ogs", Rules::CHINESE),
        ("chinese-kgs", Rules::CHINESE),
        ("ing", Rules::CHINESE),
        ("tromp-taylor", Rules::TROMP_TAYLOR),
        ("aga", Rules::AGA),
        ("bga", Rules::AGA),
        ("french", Rules::AGA),
        ("new-zealand", Rules::NEW_ZEALAND),
        ("nz", Rules::NEW_ZEALAND),
        ("japanese", Rules::JAPANESE),
        ("korean", Rules::JAPANESE),
        ("territory", Rules::JAPANESE),
    ];

    /// Finds a rule set by name; case, `_` and spaces for `-` do not matter.
    pub fn parse(name: &str) -> Option<Rules> {
        let name: String = name
            .trim()
            .chars()
            .map(|c| if c == '_' || c == ' ' { '-' } else { c.to_ascii_lowercase() })
            .collect();
        Rules::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, rules)| rules)
    }

    /// The name of the rule set, `custom` if it has none.
    pub fn name(&self) -> &'static str {
        Rules::NAMED.iter().find(|(_, rules)| rules == self).map_or("custom", |&(name, _)| name)
    }

    /// The komi usual under these rules on a board of this size.
    pub fn usual_komi(&self, size: usize) -> f32 {
        match self.scoring {
            Scoring::Territory if size > 9 => 6.5,
            Scoring::Territory => 5.5,
            Scoring::Area => 7.5,
        }
    }

    /// Are dead stones taken off before the count? Under Tromp-Taylor rules every stone that stands
    /// is counted.
    pub fn removes_dead(&self) -> bool {
        *self != Rules::TROMP_TAYLOR
    }

    /// White's points for a number of handicap stones.
    pub fn bonus_for_handicap(&self, stones: usize) -> f32 {
        match self.handicap_bonus {
            _ if stones < 2 => 0.0,
            HandicapBonus::None => 0.0,
            HandicapBonus::Stones => stones as f32,
            HandicapBonus::StonesButOne => stones as f32 - 1.0,
        }
    }
}

/// Chinese: area scoring is what playouts count, and what most programs default to.
impl Default for Rules {
    fn default() -> Self {
        Rules::CHINESE
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_printed() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(Rules::parse(name), Some(rules));
            assert_eq!(Rules::parse(rules.name()), Some(rules));
        }
        assert_eq!(Rules::parse("New_Zealand"), Some(Rules::NEW_ZEALAND));
        assert_eq!(Rules::parse("TROMP TAYLOR"), Some(Rules::TROMP_TAYLOR));
        assert_eq!(Rules::parse("chess"), None);
        assert_eq!(Rules { ko: KoRule::Simple, ..Rules::AGA }.name(), "custom");
    }

    #[test]
    fn handicap_compensation() {
        let bonus = |rules: Rules| [0, 1, 2, 9].map(|stones| rules.bonus_for_handicap(stones));
        assert_eq!(bonus(Rules::CHINESE), [0.0, 0.0, 2.0, 9.0]);
        assert_eq!(bonus(Rules::AGA), [0.0, 0.0, 1.0, 8.0]);
        assert_eq!(bonus(Rules::JAPANESE), [0.0; 4]);
        assert_eq!(bonus(Rules::NEW_ZEALAND), [0.0; 4]);
    }
}
