//! Named subsets of the features: those of Xiao's thesis (4.1.2), so that his tables can be set beside ours.
//!
//! His list has some 195 values beside the shapes: pass, capture, extension, self-atari, atari, line and position,
//! distances to the last two moves, Fuego's playout rules, side extension, corner opening moves, common-fate distance.
//! F_small adds the 3x3 shapes, F_large the harvested large patterns instead. The groups here of the same meaning have
//! more values than his, so the subsets are near to his sets and not the same.

use crate::knowledge::features::{self as f, COUNT, FIRST_SHAPE, Group};
use clap::ValueEnum;
use std::sync::Arc;

/// Which features a training may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Features {
    /// All that there are.
    All,
    /// Xiao's features with 3x3 shapes, no large patterns.
    Small,
    /// Xiao's features with large patterns, no 3x3 shapes.
    Large,
}

/// The groups that his features are among.
const XIAO: [&Group; 13] = [
    &f::PASS,
    &f::CAPTURE,
    &f::EXTENSION,
    &f::ATARI,
    &f::DEFENCE,
    &f::SELF_ATARI,
    &f::LINE,
    &f::PLACE,
    &f::LAST_DISTANCE,
    &f::SECOND_DISTANCE,
    &f::SIDE,
    &f::CORNER,
    &f::LAST_PATH,
];

impl Features {
    /// One answer for each feature; nothing if all are allowed.
    pub fn allowed(self) -> Option<Arc<[bool]>> {
        let mut allowed = vec![false; COUNT];
        for group in XIAO {
            let first = usize::from(group.first);
            allowed[first..first + usize::from(group.values)].fill(true);
        }
        match self {
            Features::All => return None,
            Features::Small => allowed[usize::from(FIRST_SHAPE)..].fill(true),
            Features::Large => {}
        }
        Some(allowed.into())
    }

    /// Are large patterns among them?
    pub fn has_patterns(self) -> bool {
        self != Features::Small
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_what_they_say() {
        let count = |features: Features| {
            features.allowed().map(|allowed| allowed.iter().filter(|&&there| there).count())
        };
        let own: usize = XIAO.iter().map(|group| usize::from(group.values)).sum();
        assert_eq!(count(Features::All), None);
        assert_eq!(count(Features::Large), Some(own));
        assert_eq!(count(Features::Small), Some(own + usize::from(f::SHAPES)));
        let large = Features::Large.allowed().unwrap();
        assert!(large[usize::from(f::CAPTURE.first)] && !large[usize::from(f::INFLUENCE.first)]);
    }
}
