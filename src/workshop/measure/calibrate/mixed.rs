//! The network and playouts together: `w v + (1 - w) z` with weights that were fitted by phase.
//!
//! The weights of one half of the positions are fitted to the other half, so that the mixture is not
//! judged by what it learned from. Halves are made of long runs of lines, because neighbours in a file may
//! come from one game.

use super::super::labels::Labels;
use super::{Opinion, Phase};
use std::fmt::Write as _;

/// Lines of a file that stay together.
const RUN: usize = 64;

/// The network's weight for the winrate and for the owners: by half, by phase.
pub type Weights = [[(f64, f64); 3]; 2];

/// Mixes two opinions of every position.
pub fn mix(labels: &Labels, judged: &[Opinion], played: &[Opinion]) -> (Vec<Opinion>, Weights) {
    let place = |index: usize| {
        let position = &labels.positions[index];
        let phase = Phase::of(position.size, position.moves.len());
        let phase = Phase::PARTS.iter().position(|&other| other == phase).unwrap_or(0);
        (position.line / RUN % 2, phase)
    };
    // Of the differences v - z: their squares, and their products with y - z.
    let mut winrates = [[(0.0, 0.0); 3]; 2];
    let mut owners = [[(0.0, 0.0); 3]; 2];
    for (index, (v, z)) in judged.iter().zip(played).enumerate() {
        let (half, phase) = place(index);
        let position = &labels.positions[index];
        add(&mut winrates[half][phase], v.winrate - z.winrate, position.winrate - z.winrate);
        let points = crate::types::points(position.size).zip(v.owners.iter().zip(&z.owners));
        for (point, (&v, &z)) in points {
            let (v, z) = (f64::from(v), f64::from(z));
            add(&mut owners[half][phase], v - z, position.owner(point) - z);
        }
    }
    let weight = |(squares, products): (f64, f64)| match squares > 0.0 {
        true => (products / squares).clamp(0.0, 1.0),
        false => 0.5,
    };
    let weights: Weights = std::array::from_fn(|half| {
        std::array::from_fn(|phase| {
            let other = 1 - half;
            (weight(winrates[other][phase]), weight(owners[other][phase]))
        })
    });
    let mixed = judged.iter().zip(played).enumerate().map(|(index, (v, z))| {
        let (half, phase) = place(index);
        let (w, u) = weights[half][phase];
        let owners = v.owners.iter().zip(&z.owners).map(|(&v, &z)| z + u as f32 * (v - z));
        Opinion {
            winrate: z.winrate + w * (v.winrate - z.winrate),
            owners: owners.collect(),
            seconds: v.seconds + z.seconds,
        }
    });
    (mixed.collect(), weights)
}

fn add(sums: &mut (f64, f64), difference: f64, wanted: f64) {
    sums.0 += difference * difference;
    sums.1 += difference * wanted;
}

/// The fitted weights in words: means of both halves.
pub fn describe(file: &str, weights: &Weights) -> String {
    let mut text = format!("{file} weights of the network, winrate and owners:");
    for (phase, name) in Phase::PARTS.map(Phase::name).iter().enumerate() {
        let mean = |pick: fn((f64, f64)) -> f64| {
            weights.iter().map(|half| pick(half[phase])).sum::<f64>() / 2.0
        };
        let _ = write!(text, " {name} {:.2} {:.2}", mean(|w| w.0), mean(|w| w.1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::super::labels::{Needs, Position};
    use super::*;

    #[test]
    fn the_weights_are_those_of_least_squares() {
        let mut labels = Labels { name: "made".to_owned(), positions: vec![] };
        // Neutral owners; the truth lies three quarters of the way from 0.2 to 0.6.
        let line = r#"{"size":7,"komi":1,"moves":"","winrate":0.5,"ownership":"MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM"}"#;
        for number in [1, RUN + 1] {
            let mut position = Position::parse(line, Needs::Judgement).unwrap();
            position.line = number;
            labels.positions.push(position);
        }
        let opinion = |winrate, owner| Opinion { winrate, owners: vec![owner; 49], seconds: 1.0 };
        let judged = vec![opinion(0.6, 0.5); 2];
        let played = vec![opinion(0.2, -0.5); 2];
        let (mixed, weights) = mix(&labels, &judged, &played);
        for (opinion, half) in mixed.iter().zip(&weights) {
            assert!((half[0].0 - 0.75).abs() < 1e-9 && (half[0].1 - 0.5).abs() < 1e-9);
            assert!((opinion.winrate - 0.5).abs() < 1e-9 && opinion.owners[3].abs() < 1e-6);
            assert_eq!(opinion.seconds, 2.0);
        }
    }
}
