//! The formulas of the trainer, against hand-made cases.

use super::*;
use crate::board::Board;
use crate::knowledge::Extractor;
use crate::types::Point;

fn settings(pattern_vectors: bool, steps: Steps) -> Settings {
    Settings {
        factors: 2,
        rate: 0.1,
        vector_rate: 0.1,
        decay: 0.0,
        vector_decay: 0.0,
        gradient: Gradient::Exact,
        draws: 1,
        loss: Loss::Softmax,
        features_only: false,
        pattern_vectors,
        steps,
    }
}

/// A model with one pattern: what a move in the middle of an empty 3x3 board has.
fn one_pattern() -> (Model, Position) {
    let mut extractor = Extractor::default();
    let (board, point) = (Board::new(3), Point::new(2, 2));
    extractor.look_at_shapes(&board);
    let mut keys = Vec::new();
    extractor.pattern_keys(point, |_, _, key| keys.push(key));
    keys.sort_unstable();
    keys.dedup();
    let patterns = Dictionary::from_sorted(keys.into_iter().map(|key| (key, 0.0)));
    let mut position = Position::default();
    assert!(position.fill(&board, point, &mut extractor, &patterns));
    (Model::blank(Kind::Fbt, 0, patterns), position)
}

/// Formula 3.1 with the pairs summed one by one, patterns and features alike.
fn by_pairs(fbt: &Fbt<8>, features: &[u32]) -> f32 {
    let mut sum = 0.0;
    for (i, &a) in features.iter().enumerate() {
        sum += fbt.weights[a as usize].value;
        for &b in &features[..i] {
            let (a, b) = (fbt.vectors.get(a as usize), fbt.vectors.get(b as usize));
            if let (Some(a), Some(b)) = (a, b) {
                sum += a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            }
        }
    }
    sum
}

#[test]
fn strengths_are_formula_3_1_with_and_without_vectors_of_patterns() {
    let (model, position) = one_pattern();
    let mut found = Vec::new();
    for with in [false, true] {
        let mut fbt = Fbt::<8>::new(settings(with, Steps::Adagrad), &model, 3);
        assert_eq!(fbt.vectors.len() > features::COUNT, with);
        fbt.rate(&position);
        let played = position.played;
        let expected = by_pairs(&fbt, position.features(played));
        assert!((fbt.strengths[played] - expected).abs() < 1e-5);
        found.push(expected);
    }
    assert_ne!(found[0], found[1], "the patterns' vectors count");
}

#[test]
fn a_plain_step_by_hand() {
    let (model, position) = one_pattern();
    let mut fbt = Fbt::<8>::new(settings(true, Steps::Sgd), &model, 3);
    let played = position.played;
    let pattern = *position.features(played).iter().max().unwrap() as usize;
    assert!(pattern >= features::COUNT, "a pattern comes after all features");
    fbt.rate(&position);
    let (sum, vector) = (fbt.sums[played], fbt.vectors[pattern]);
    softmax(&mut fbt.strengths);
    let factor = fbt.strengths[played] - 1.0;
    let rates = Rates { rate: 0.1, vector_rate: 0.1 };
    fbt.add_gradient(&position, played, factor, rates);
    // dE/dw = 1 and dE/dv = sum of the other vectors (3.7); a step of 0.1 against the slope.
    assert!((fbt.weights[pattern].value + 0.1 * factor).abs() < 1e-6);
    for q in 0..2 {
        let expected = vector[q] - 0.1 * factor * (sum[q] - vector[q]);
        assert!((fbt.vectors[pattern][q] - expected).abs() < 1e-6);
    }
}

#[test]
fn learning_goes_on_from_its_state() {
    let (model, position) = one_pattern();
    let mut one = Fbt::<8>::new(settings(true, Steps::Adagrad), &model, 3);
    let progress = Progress { pass: 0, done: 0.0 };
    let first = one.learn(&position, progress);
    let mut other = Fbt::<8>::new(settings(true, Steps::Adagrad), &model, 3);
    assert!(other.restore(&one.state()));
    let losses = [one.learn(&position, progress), other.learn(&position, progress)];
    assert!(losses[0] == losses[1] && losses[0] < first, "{first} {losses:?}");
}
