//! Minorization-maximization (Coulom): the maximum-likelihood Bradley-Terry model, group by group.
//!
//! For one group of mutually exclusive features at a time, with all others fixed, the update
//! `gamma = (wins + prior) / (prior + sum over positions of C / E)` cannot lower the likelihood; E is the sum of the
//! strengths of a position's moves, C that of the moves with the feature without its gamma. Every
//! declared group is a group, and so is every size of every family of large patterns.
//!
//! All positions must be in memory, eight bytes for every feature of every move: some 90 KB a
//! position. That is the weakness the online trainers were made for. So `mm` keeps the positions
//! it is given until a limit is reached, and learns from those: use `--sample` to spread them
//! over the games.

use super::fbt::weighted;
use super::learner::{Learner, Progress, float_bytes, floats};
use super::position::Position;
use crate::knowledge::diamond::PATTERN_GROUPS;
use crate::knowledge::{Dictionary, Kind, Model, features};

/// Bytes that a feature of a move takes.
const ENTRY: usize = 8;

/// The trainer.
pub struct Mm {
    log_gammas: Vec<f32>,
    patterns: Dictionary,
    prior: f64,
    sweeps: usize,
    limit: usize,
    entries: usize,
    /// Per group: pairs of move and feature, in the order of positions.
    groups: Vec<Vec<(u32, u32)>>,
    /// The end of each position's moves, and which move was played.
    positions: Vec<(u32, u32)>,
    moves: u32,
    wins: Vec<f64>,
}

impl Mm {
    /// Keeps up to `megabytes` of positions, then makes so many sweeps over all groups.
    pub fn new(patterns: &Dictionary, prior: f64, sweeps: usize, megabytes: usize) -> Mm {
        let count = features::COUNT + patterns.slots();
        Mm {
            log_gammas: vec![0.0; count],
            patterns: patterns.clone(),
            prior,
            sweeps,
            limit: megabytes.saturating_mul(1 << 20) / ENTRY,
            entries: 0,
            groups: vec![Vec::new(); features::GROUPS.len() + 1 + PATTERN_GROUPS],
            positions: Vec::new(),
            moves: 0,
            wins: vec![0.0; count],
        }
    }

    fn sweep(&mut self, strengths: &mut [f64]) {
        let mut denominators = vec![0.0; self.log_gammas.len()];
        let mut ratios = vec![1.0; self.log_gammas.len()];
        let mut present: Vec<u32> = Vec::new();
        for group in self.groups.iter().filter(|group| !group.is_empty()) {
            // Sums over all moves of a position change with every group, so they are made anew.
            let totals = totals(&self.positions, strengths);
            let mut position = 0;
            for &(index, id) in group {
                while index >= self.positions[position].0 {
                    position += 1;
                }
                let gamma = f64::from(self.log_gammas[id as usize]).exp();
                let denominator = &mut denominators[id as usize];
                if *denominator == 0.0 {
                    present.push(id);
                }
                *denominator += strengths[index as usize] / gamma / totals[position];
            }
            for id in present.drain(..) {
                let id = id as usize;
                let gamma = f64::from(self.log_gammas[id]).exp();
                let denominator = std::mem::take(&mut denominators[id]);
                let next = (self.wins[id] + self.prior) / (denominator + self.prior);
                let next = next.clamp(1e-5, 1e5).ln() as f32;
                ratios[id] = f64::from(next).exp() / gamma;
                self.log_gammas[id] = next;
            }
            for &(index, id) in group {
                strengths[index as usize] *= ratios[id as usize];
            }
        }
    }
}

fn totals(positions: &[(u32, u32)], strengths: &[f64]) -> Vec<f64> {
    let mut start = 0;
    let sum = |&(end, _): &(u32, u32)| {
        let total = strengths[start..end as usize].iter().sum();
        start = end as usize;
        total
    };
    positions.iter().map(sum).collect()
}

impl Learner for Mm {
    fn learn(&mut self, position: &Position, _: Progress) -> f32 {
        if self.entries >= self.limit {
            return 0.0;
        }
        for index in 0..position.len() {
            let groups = position.pattern_groups(index);
            for (&id, &pattern_group) in position.features(index).iter().zip(groups) {
                let group = if (id as usize) < features::COUNT {
                    features::group_of(id as u16)
                } else {
                    features::GROUPS.len() + 1 + usize::from(pattern_group)
                };
                self.groups[group].push((self.moves, id));
                self.entries += 1;
            }
            self.moves += 1;
        }
        for &id in position.features(position.played) {
            self.wins[id as usize] += 1.0;
        }
        let played = self.moves - position.len() as u32 + position.played as u32;
        self.positions.push((self.moves, played));
        0.0
    }

    fn end_pass(&mut self) {
        let mut strengths = vec![1.0; self.moves as usize];
        for group in &self.groups {
            for &(index, id) in group {
                strengths[index as usize] *= f64::from(self.log_gammas[id as usize]).exp();
            }
        }
        for _ in 0..self.sweeps {
            self.sweep(&mut strengths);
        }
        // Another pass reads other positions of the games.
        self.groups.iter_mut().for_each(Vec::clear);
        self.positions.clear();
        self.wins.fill(0.0);
        (self.moves, self.entries) = (0, 0);
    }

    fn resumes_within_a_pass(&self) -> bool {
        false
    }

    fn model(&self) -> Model {
        let weights = self.log_gammas[..features::COUNT].to_vec();
        let patterns = weighted(&self.patterns, |slot| self.log_gammas[features::COUNT + slot]);
        Model::new(Kind::Mm, weights, 0, Vec::new(), patterns)
    }

    fn state(&self) -> Vec<u8> {
        float_bytes(self.log_gammas.iter().copied())
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let state = floats(state);
        if state.len() != self.log_gammas.len() {
            return false;
        }
        self.log_gammas.copy_from_slice(&state);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::position::position_of;
    use super::*;

    const PROGRESS: Progress = Progress { pass: 0, done: 0.0 };

    fn ratios(mm: &Mm, ids: &[u32]) -> Vec<f64> {
        let gamma = |id: u32| f64::from(mm.log_gammas[id as usize]).exp();
        let total: f64 = ids.iter().map(|&id| gamma(id)).sum();
        ids.iter().map(|&id| gamma(id) / total).collect()
    }

    #[test]
    fn shares_of_wins_become_strengths() {
        // Three values of one group, always against each other, won three, two and one times.
        let first = u32::from(features::GROUPS[1].first);
        let ids = [first, first + 1, first + 2];
        let mut mm = Mm::new(&Dictionary::from_sorted(std::iter::empty()), 1e-9, 50, 1);
        for played in [0, 0, 0, 1, 1, 2] {
            mm.learn(&position_of(&[&[ids[0]], &[ids[1]], &[ids[2]]], played), PROGRESS);
        }
        assert_eq!(mm.positions.len(), 6);
        mm.end_pass();
        assert_eq!(mm.positions.len(), 0, "another pass reads others");
        for (found, wanted) in ratios(&mm, &ids).iter().zip([0.5, 1.0 / 3.0, 1.0 / 6.0]) {
            assert!((found - wanted).abs() < 1e-4, "{found} {wanted}");
        }
    }

    #[test]
    fn strengths_of_two_groups_multiply() {
        // A move with both features is chosen as often as the product of the two says.
        let a = u32::from(features::GROUPS[1].first);
        let b = u32::from(features::GROUPS[2].first);
        let mut mm = Mm::new(&Dictionary::from_sorted(std::iter::empty()), 1e-9, 500, 1);
        let both: [&[u32]; 4] = [&[a, b], &[a, b + 1], &[a + 1, b], &[a + 1, b + 1]];
        for (played, times) in [6, 3, 2, 1].into_iter().enumerate() {
            (0..times).for_each(|_| {
                mm.learn(&position_of(&both, played), PROGRESS);
            });
        }
        mm.end_pass();
        // Maximum likelihood has the shares of each feature right: 9 of 12, and 8 of 12.
        assert!((ratios(&mm, &[a, a + 1])[0] - 0.75).abs() < 1e-4);
        assert!((ratios(&mm, &[b, b + 1])[0] - 8.0 / 12.0).abs() < 1e-4);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let mut mm = Mm::new(&Dictionary::from_sorted(std::iter::empty()), 1.0, 1, 1);
        let many: Vec<&[u32]> = vec![&[7]; 10_000];
        for _ in 0..20 {
            mm.learn(&position_of(&many, 0), PROGRESS);
        }
        assert!(mm.positions.len() < 20 && mm.entries * ENTRY < 2 << 20, "{}", mm.positions.len());
        let state = mm.state();
        assert!(mm.restore(&state) && !mm.restore(&state[4..]));
    }
}
