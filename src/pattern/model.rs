//! Models: how likely good players are to choose each move of a position.
//!
//! The strength of a move is the sum of the weights of its features and patterns, plus (in models
//! with factors) the interactions of its features: `sum over pairs of <v_f, v_g>`, Xiao's formula
//! 3.1. The probability is the softmax of the strengths, formula 3.2. A Bradley-Terry model without
//! interactions is the case of no factors, so all four trainers share one model and one file.
//!
//! The pairs need no double loop: their sum is half of `|sum of v|^2 - sum of |v|^2`, and the second term
//! is folded into the weights when the model is made.

use super::dictionary::Dictionary;
use super::extract::{Extractor, Sink};
use super::features::{self, FeatureId};
use crate::board::Board;
use crate::types::Point;

/// Largest number of factors.
pub const MAX_FACTORS: usize = 16;

/// How a model was trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Minorization-maximization.
    Mm = 0,
    /// Laplace marginal propagation.
    Lmp = 1,
    /// Latent factor ranking.
    Lfr = 2,
    /// Factorization Bradley-Terry.
    Fbt = 3,
}

impl Kind {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Mm => "mm",
            Kind::Lmp => "lmp",
            Kind::Lfr => "lfr",
            Kind::Fbt => "fbt",
        }
    }

    /// The kind with this number in a file.
    pub(super) fn from_number(number: u8) -> Option<Kind> {
        [Kind::Mm, Kind::Lmp, Kind::Lfr, Kind::Fbt].into_iter().find(|&kind| kind as u8 == number)
    }
}

/// A trained model.
#[derive(Clone, Debug)]
pub struct Model {
    /// How it was trained.
    pub kind: Kind,
    /// Multiplies strengths before the softmax; 1 for models trained as probabilities.
    pub scale: f32,
    weights: Vec<f32>,
    factors: usize,
    vectors: Vec<f32>,
    /// `weights` with the squares of the vectors folded in.
    folded: Vec<f32>,
    /// `vectors` padded to eight factors, if they are at most eight.
    eight: Vec<[f32; 8]>,
    /// `vectors` padded to sixteen factors, if they are more.
    sixteen: Vec<[f32; 16]>,
    patterns: Dictionary,
}

impl Model {
    /// A model from its parts: one weight per feature, `factors` numbers per feature, and patterns.
    ///
    /// # Panics
    /// If the lengths do not fit the features or there are too many factors.
    pub fn new(
        kind: Kind,
        weights: Vec<f32>,
        factors: usize,
        vectors: Vec<f32>,
        patterns: Dictionary,
    ) -> Model {
        assert!(weights.len() == features::COUNT && factors <= MAX_FACTORS);
        assert_eq!(vectors.len(), features::COUNT * factors);
        let mut model = Model {
            kind,
            scale: 1.0,
            folded: weights.clone(),
            weights,
            factors,
            vectors,
            eight: Vec::new(),
            sixteen: Vec::new(),
            patterns,
        };
        if factors > 0 {
            let vectors = model.vectors.chunks_exact(factors);
            for (weight, vector) in model.folded.iter_mut().zip(vectors.clone()) {
                *weight -= 0.5 * vector.iter().map(|v| v * v).sum::<f32>();
            }
            if factors <= 8 {
                model.eight = vectors.map(padded).collect();
            } else {
                model.sixteen = vectors.map(padded).collect();
            }
        }
        model
    }

    /// A model that knows nothing yet but these patterns.
    pub fn blank(kind: Kind, factors: usize, patterns: Dictionary) -> Model {
        let vectors = vec![0.0; features::COUNT * factors];
        Model::new(kind, vec![0.0; features::COUNT], factors, vectors, patterns)
    }

    /// The weight of every feature.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Numbers in the vector of a feature; 0 for a model without interactions.
    pub fn factors(&self) -> usize {
        self.factors
    }

    /// The vectors of all features, one after the other.
    pub fn vectors(&self) -> &[f32] {
        &self.vectors
    }

    /// The large patterns and their weights.
    pub fn patterns(&self) -> &Dictionary {
        &self.patterns
    }

    /// The probability of every legal move, the pass included, in the position on a board for the
    /// player to move. The order is that of the board's empty points; the pass comes last.
    pub fn evaluate<'a>(&self, board: &Board, evaluator: &'a mut Evaluator) -> &'a [(Point, f32)] {
        self.strengths(board, evaluator);
        let moves = &mut evaluator.moves;
        let best = moves.iter().fold(f32::MIN, |best, m| best.max(m.1));
        let mut sum = 0.0;
        for (_, strength) in moves.iter_mut() {
            *strength = (self.scale * (*strength - best)).exp();
            sum += *strength;
        }
        for (_, probability) in moves.iter_mut() {
            *probability /= sum;
        }
        moves
    }

    /// The strength of every legal move: the logarithm of its probability up to a constant.
    pub fn strengths<'a>(&self, board: &Board, evaluator: &'a mut Evaluator) -> &'a [(Point, f32)] {
        let Evaluator { extractor, moves } = evaluator;
        moves.clear();
        match self.factors {
            0 => {
                let mut sums = Sums::new(&self.folded, &[[]; 0], moves);
                extractor.extract(board, &self.patterns, &mut sums);
                sums.finish();
            }
            1..=8 => {
                let mut sums = Sums::new(&self.folded, &self.eight, moves);
                extractor.extract(board, &self.patterns, &mut sums);
                sums.finish();
            }
            _ => {
                let mut sums = Sums::new(&self.folded, &self.sixteen, moves);
                extractor.extract(board, &self.patterns, &mut sums);
                sums.finish();
            }
        }
        moves
    }
}

fn padded<const K: usize>(vector: &[f32]) -> [f32; K] {
    let mut padded = [0.0; K];
    padded[..vector.len()].copy_from_slice(vector);
    padded
}

/// The working memory of evaluations: one per thread.
#[derive(Clone, Default)]
pub struct Evaluator {
    extractor: Extractor,
    moves: Vec<(Point, f32)>,
}

impl Evaluator {
    /// New working memory.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }
}

/// Sums the weights and vectors of each move's features.
struct Sums<'a, const K: usize> {
    weights: &'a [f32],
    vectors: &'a [[f32; K]],
    moves: &'a mut Vec<(Point, f32)>,
    strength: f32,
    vector: [f32; K],
}

impl<'a, const K: usize> Sums<'a, K> {
    fn new(weights: &'a [f32], vectors: &'a [[f32; K]], moves: &'a mut Vec<(Point, f32)>) -> Self {
        Sums { weights, vectors, moves, strength: 0.0, vector: [0.0; K] }
    }

    fn finish(&mut self) {
        if let Some(last) = self.moves.last_mut() {
            last.1 = self.strength + 0.5 * self.vector.iter().map(|v| v * v).sum::<f32>();
        }
    }
}

impl<const K: usize> Sink for Sums<'_, K> {
    #[inline(always)]
    fn begin(&mut self, point: Point) {
        self.finish();
        self.moves.push((point, 0.0));
        self.strength = 0.0;
        self.vector = [0.0; K];
    }

    #[inline(always)]
    fn feature(&mut self, id: FeatureId) {
        self.strength += self.weights[usize::from(id)];
        if K > 0 {
            let vector = &self.vectors[usize::from(id)];
            for (sum, part) in self.vector.iter_mut().zip(vector) {
                *sum += part;
            }
        }
    }

    #[inline(always)]
    fn pattern(&mut self, _slot: usize, weight: f32, _group: u8) {
        self.strength += weight;
    }
}
