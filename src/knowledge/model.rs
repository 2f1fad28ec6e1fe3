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
use crate::types::{Point, PointMap};

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
    /// The kind with this number in a file.
    pub(super) fn from_number(number: u8) -> Option<Kind> {
        [Kind::Mm, Kind::Lmp, Kind::Lfr, Kind::Fbt].into_iter().find(|&kind| kind as u8 == number)
    }
}

/// A feature's weight and vector as whole numbers, together in one place: sums of them are exact in
/// any order, need no conversion, and all rows stay in the cache.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The weight with the square of the vector folded in, in units of [`WEIGHT_UNIT`].
    weight: i32,
    /// The vector in steps of its own, as in the file.
    vector: [i8; MAX_FACTORS],
}

/// Weights are added up in units of this.
const WEIGHT_UNIT: f32 = 1.0 / 65536.0;

/// No feature weighs more, so that a sum of [`ROOM`] of them cannot overflow whatever a file says.
const MAX_WEIGHT: f32 = 127.0;

/// A trained model.
///
/// ```
/// use tengen::board::Board;
/// use tengen::knowledge::{Scratch, Model};
///
/// let moves = Model::embedded(9).evaluate(&Board::new(9), &mut Scratch::new()).to_vec();
/// let sum: f32 = moves.iter().map(|(_, probability)| probability).sum();
/// assert!(moves.len() == 82 && (sum - 1.0).abs() < 1e-3);
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// How it was trained.
    pub kind: Kind,
    /// Multiplies strengths before the softmax; 1 for models trained as probabilities.
    pub scale: f32,
    /// Feature groups that its file did not share with this program, in words.
    pub difference: Option<String>,
    weights: Vec<f32>,
    factors: usize,
    vectors: Vec<f32>,
    /// Weights and vectors as they are added up.
    rows: Vec<Row>,
    /// Half of the square of one step of the rows' vectors.
    half_square: f32,
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
        let step = vector_step(&vectors);
        let row = |id: usize| {
            let mut row = Row { weight: 0, vector: [0; MAX_FACTORS] };
            let mut square = 0.0;
            for (q, &value) in vectors[id * factors..(id + 1) * factors].iter().enumerate() {
                row.vector[q] = (value / step).round() as i8;
                square += (f32::from(row.vector[q]) * step).powi(2);
            }
            let weight = (weights[id] - 0.5 * square).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            row.weight = (weight / WEIGHT_UNIT).round() as i32;
            row
        };
        Model {
            kind,
            scale: 1.0,
            difference: None,
            rows: (0..features::COUNT).map(row).collect(),
            half_square: 0.5 * step * step,
            weights,
            factors,
            vectors,
            patterns,
        }
    }

    /// A model that knows nothing yet but these patterns.
    pub fn blank(kind: Kind, factors: usize, patterns: Dictionary) -> Model {
        let vectors = vec![0.0; features::COUNT * factors];
        Model::new(kind, vec![0.0; features::COUNT], factors, vectors, patterns)
    }

    /// This model with other patterns, which keep their weights where it knows them.
    pub fn with_patterns(&self, patterns: &Dictionary) -> Model {
        let known = |key| self.patterns.find(key).map_or(0.0, |slot| self.patterns.weight(slot));
        let entries: Vec<(u32, f32)> =
            patterns.iter().map(|(_, slot)| (slot.key, known(slot.key))).collect();
        let patterns = Dictionary::from_sorted(entries.into_iter());
        let (weights, vectors) = (self.weights.clone(), self.vectors.clone());
        let scale = self.scale;
        Model { scale, ..Model::new(self.kind, weights, self.factors, vectors, patterns) }
    }

    /// This model with other weights of the features; vectors and patterns stay.
    ///
    /// # Panics
    /// If there is not one weight for each feature.
    pub fn with_weights(&self, weights: Vec<f32>) -> Model {
        let (vectors, patterns) = (self.vectors.clone(), self.patterns.clone());
        let scale = self.scale;
        Model { scale, ..Model::new(self.kind, weights, self.factors, vectors, patterns) }
    }

    /// The weights of this model's features alone, without vectors and patterns: a small file that
    /// [`Model::with_weights`] puts on the model that it was learned with.
    pub fn weights_alone(&self) -> Model {
        Model::new(self.kind, self.weights.clone(), 0, Vec::new(), Dictionary::default())
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
    pub fn evaluate<'a>(&self, board: &Board, scratch: &'a mut Scratch) -> &'a [(Point, f32)] {
        self.strengths(board, scratch);
        let moves = &mut scratch.moves;
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

    /// The same as a map; points that are no legal moves keep what they had.
    pub fn expect(&self, board: &Board, scratch: &mut Scratch, expected: &mut PointMap<f32>) {
        for &(point, probability) in self.evaluate(board, scratch) {
            expected[point] = probability;
        }
    }

    /// The strength of every legal move: the logarithm of its probability up to a constant.
    pub fn strengths<'a>(&self, board: &Board, scratch: &'a mut Scratch) -> &'a [(Point, f32)] {
        let Scratch { extractor, moves } = scratch;
        moves.clear();
        let mut sums = Sums::new(self, moves);
        extractor.extract(board, &self.patterns, &mut sums);
        sums.finish();
        moves
    }
}

/// The step between neighbouring numbers of the vectors when they are stored in eight bits.
pub(super) fn vector_step(vectors: &[f32]) -> f32 {
    let largest = vectors.iter().fold(0f32, |largest, value| largest.max(value.abs()));
    if largest > 0.0 { largest / 127.0 } else { 1.0 }
}

/// The working memory of evaluations: one per thread.
#[derive(Clone, Default)]
pub struct Scratch {
    extractor: Extractor,
    moves: Vec<(Point, f32)>,
}

impl Scratch {
    /// New working memory.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// See [`Extractor::set_owners`].
    pub fn set_owners(&mut self, owners: Option<PointMap<f32>>) {
        self.extractor.set_owners(owners);
    }
}

/// Features of one move at most; a power of two.
const ROOM: usize = 64;

/// Sums the weights and vectors of each move's features. They are collected first: a loop over a
/// list keeps its sums in registers.
struct Sums<'a> {
    model: &'a Model,
    moves: &'a mut Vec<(Point, f32)>,
    features: [FeatureId; ROOM],
    count: usize,
    common: Sum,
    patterns: f32,
}

/// Weights and vectors of some features, added up.
#[derive(Clone, Copy, Default)]
struct Sum {
    weight: i32,
    vector: [i16; MAX_FACTORS],
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, row: &Row) {
        self.weight += row.weight;
        for (sum, &part) in self.vector.iter_mut().zip(&row.vector) {
            *sum += i16::from(part);
        }
    }
}

impl<'a> Sums<'a> {
    fn new(model: &'a Model, moves: &'a mut Vec<(Point, f32)>) -> Self {
        let common = Sum::default();
        Sums { model, moves, features: [0; ROOM], count: 0, common, patterns: 0.0 }
    }

    /// Adds up the move begun last.
    #[inline(always)]
    fn finish(&mut self) {
        let Some(last) = self.moves.last_mut() else { return };
        let mut sum = if last.0.is_pass() { Sum::default() } else { self.common };
        for &id in &self.features[..self.count.min(ROOM)] {
            sum.add(&self.model.rows[usize::from(id)]);
        }
        let square: u32 = sum.vector.iter().map(|&v| u32::from(v.unsigned_abs()).pow(2)).sum();
        last.1 = sum.weight as f32 * WEIGHT_UNIT
            + square as f32 * self.model.half_square
            + self.patterns;
    }
}

impl Sink for Sums<'_> {
    const LISTS_PATTERNS: bool = false;

    fn common(&mut self, id: FeatureId) {
        self.common.add(&self.model.rows[usize::from(id)]);
    }

    #[inline(always)]
    fn begin(&mut self, point: Point) {
        self.finish();
        self.moves.push((point, 0.0));
        (self.count, self.patterns) = (0, 0.0);
    }

    #[inline(always)]
    fn feature(&mut self, id: FeatureId) {
        self.features[self.count % ROOM] = id;
        self.count += 1;
    }

    #[inline(always)]
    fn pattern(&mut self, _slot: usize, _group: u8) {}

    #[inline(always)]
    fn pattern_weight(&mut self, sum: f32) {
        self.patterns = sum;
    }
}
