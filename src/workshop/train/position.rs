//! A position as the trainers see it: the features of every legal move, and which move was played.

use crate::board::Board;
use crate::knowledge::{Dictionary, Extractor, FeatureId, Sink, features};
use crate::types::Point;
use std::sync::Arc;

/// One position: the features of every legal move, and which of them was played.
///
/// Numbers below [`features::COUNT`] are features, those above are large patterns.
#[derive(Clone, Default, Debug)]
pub struct Position {
    ids: Vec<u32>,
    groups: Vec<u8>,
    ends: Vec<u32>,
    points: Vec<Point>,
    /// Features that all moves but the pass have.
    common: Vec<u32>,
    /// Which features are listed; all without it.
    allowed: Option<Arc<[bool]>>,
    /// The index of the move that was played.
    pub played: usize,
    /// How many moves had been played before.
    pub number: usize,
}

impl Position {
    /// An empty position that will list the features allowed; all without a list.
    pub(super) fn new(allowed: Option<Arc<[bool]>>) -> Position {
        Position { allowed, ..Position::default() }
    }

    /// Number of legal moves, the pass included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no move? Only before the first use.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of a move.
    #[inline(always)]
    pub fn features(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.ids[start..self.ends[index] as usize]
    }

    /// The groups of a move's features: families and sizes of patterns, 0 for declared features.
    pub fn pattern_groups(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.groups[start..self.ends[index] as usize]
    }

    fn is_allowed(&self, id: FeatureId) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed[usize::from(id)])
    }

    /// Where a move is.
    pub fn point(&self, index: usize) -> Point {
        self.points[index]
    }

    /// Replaces the content by the position on a board; false if the played move is not legal.
    pub fn fill(
        &mut self,
        board: &Board,
        played: Point,
        extractor: &mut Extractor,
        patterns: &Dictionary,
    ) -> bool {
        self.ids.clear();
        self.groups.clear();
        self.ends.clear();
        self.points.clear();
        self.common.clear();
        extractor.extract(board, patterns, self);
        self.ends.push(self.ids.len() as u32);
        self.number = board.move_count();
        let found = self.points.iter().position(|&point| point == played);
        self.played = found.unwrap_or(0);
        found.is_some()
    }
}

impl Sink for Position {
    const LISTS_PATTERNS: bool = true;

    fn common(&mut self, id: FeatureId) {
        if self.is_allowed(id) {
            self.common.push(u32::from(id));
        }
    }

    #[inline(always)]
    fn begin(&mut self, point: Point) {
        if !self.points.is_empty() {
            self.ends.push(self.ids.len() as u32);
        }
        self.points.push(point);
        if !point.is_pass() {
            self.ids.extend_from_slice(&self.common);
            self.groups.resize(self.ids.len(), 0);
        }
    }

    #[inline(always)]
    fn feature(&mut self, id: FeatureId) {
        if self.is_allowed(id) {
            self.ids.push(u32::from(id));
            self.groups.push(0);
        }
    }

    #[inline(always)]
    fn pattern(&mut self, slot: usize, group: u8) {
        self.ids.push((features::COUNT + slot) as u32);
        self.groups.push(group);
    }

    fn pattern_weight(&mut self, _sum: f32) {}
}

/// A position by the features of its moves, for tests.
#[cfg(test)]
pub(super) fn position_of(moves: &[&[u32]], played: usize) -> Position {
    let mut position = Position { played, ..Position::default() };
    for features in moves {
        position.ids.extend_from_slice(features);
        position.groups.resize(position.ids.len(), 0);
        position.ends.push(position.ids.len() as u32);
        position.points.push(Point::PASS);
    }
    position
}
