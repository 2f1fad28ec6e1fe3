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

use super::dataset::Position;
use super::fbt::weighted;
use super::learner::{Learner, Progress, float_bytes, floats};
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
            limit: (megabytes << 20) / ENTRY,
            entries: 0,
            groups: vec![Vec::new(); features::GROUPS.len() + 1 + PATTERN_GROUPS],
            positions: Vec::new(),
            moves: 0,
            wins: vec![0.0; count],
        }
    }

    /// Positions in memory.
    pub fn positions(&self) -> usize {
        self.positions.len()
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
