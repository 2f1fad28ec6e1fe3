//! Harvesting: which large patterns are worth a weight of their own.
//!
//! A pattern is kept if it was played often enough, or if it was on the board often enough among
//! the moves that were not played (seen in a sample of positions): what good players avoid is
//! worth knowing too. Both rules keep every smaller pattern inside a kept one, which is what lets
//! the extractor stop at the first unknown size.

use super::dataset::Source;
use crate::knowledge::diamond::{Family, MAX_DIAMOND};
use crate::knowledge::{Dictionary, Extractor};
use anyhow::Result;

/// Which patterns to keep.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// Keep patterns played at least so often.
    pub played: usize,
    /// Keep patterns seen at least so often in the sampled positions, played or not.
    pub seen: usize,
    /// One position in so many is sampled for what was not played; 0 for none.
    pub every: usize,
    /// Keep patterns that know the last move *and* liberties.
    pub both: bool,
}

/// The patterns of a set of games, with weights of zero.
pub fn harvest(source: &Source, thresholds: Thresholds) -> Result<Dictionary> {
    let wanted = |family: Family| thresholds.both || family != Family::Both;
    let mut extractor = Extractor::default();
    // One list of keys per family and size: counting is sorting.
    let mut played = vec![Vec::<u32>::new(); 4 * (MAX_DIAMOND + 1)];
    let mut seen = vec![Vec::<u32>::new(); 4 * (MAX_DIAMOND + 1)];
    let mut positions = 0usize;
    source.for_each(|game| {
        source.replay(game, |board, point| {
            positions += 1;
            let sample = thresholds.every > 0 && positions.is_multiple_of(thresholds.every);
            if point.is_pass() && !sample {
                return;
            }
            extractor.look_at_shapes(board);
            if !point.is_pass() {
                extractor.pattern_keys(point, |family, size, key| {
                    if wanted(family) {
                        played[family as usize * (MAX_DIAMOND + 1) + size].push(key);
                    }
                });
            }
            if sample {
                for &point in board.empty_points() {
                    if board.is_legal(board.to_play(), point) {
                        extractor.pattern_keys(point, |family, size, key| {
                            if wanted(family) && size <= 8 {
                                seen[family as usize * (MAX_DIAMOND + 1) + size].push(key);
                            }
                        });
                    }
                }
            }
        });
        Ok(true)
    })?;
    let mut keys = Vec::new();
    for list in &mut played {
        keep_frequent(list, thresholds.played, &mut keys);
    }
    for list in &mut seen {
        keep_frequent(list, thresholds.seen, &mut keys);
    }
    keys.sort_unstable();
    keys.dedup();
    let entries: Vec<(u32, f32)> = keys.into_iter().map(|key| (key, 0.0)).collect();
    Ok(Dictionary::from_sorted(entries.into_iter()))
}

fn keep_frequent(list: &mut Vec<u32>, threshold: usize, keys: &mut Vec<u32>) {
    list.sort_unstable();
    for run in list.chunk_by(|a, b| a == b) {
        if run.len() >= threshold {
            keys.push(run[0]);
        }
    }
    *list = Vec::new();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::diamond::MIN_DIAMOND;

    #[test]
    fn what_comes_often_is_kept() {
        let (mut list, mut keys) = (vec![3, 1, 3, 2, 3, 2], vec![9]);
        keep_frequent(&mut list, 2, &mut keys);
        assert_eq!(keys, [9, 2, 3]);
        assert!(list.is_empty(), "its memory is given back");
    }

    #[test]
    fn only_what_was_played_or_seen_often_enough_has_a_slot() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sgfs");
        let game = "(;SZ[9]KM[7.5]RE[B+R];B[ee];W[ec];B[ge];W[gc];B[cc];W[cg])\n";
        std::fs::write(&file, game.repeat(3)).unwrap();
        let source = Source::new(&[file]);
        let slots = |played, seen, every, both| {
            let thresholds = Thresholds { played, seen, every, both };
            harvest(&source, thresholds).unwrap().slots()
        };
        // A dictionary of nothing has a few slots to look into.
        let none = slots(1000, usize::MAX, 0, true);
        let often = slots(3, usize::MAX, 0, false);
        assert!(often >= none + MAX_DIAMOND - MIN_DIAMOND, "{often} {none}");
        assert!(slots(3, usize::MAX, 0, true) > often);
        assert!(slots(3, 3, 1, false) > often, "what was not played is known too");
    }
}
