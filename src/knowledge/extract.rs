//! The features of every legal move of a position, in one pass and without allocation.
//!
//! Features go to a [`Sink`]: the trainer collects their numbers, the search sums their weights, and
//! both see the same features because there is one extractor.

use super::batch::{Batch, family_key, last_mark};
use super::chains::Chains;
use super::diamond::{self, Family, Growing, MIN_DIAMOND};
use super::dictionary::Dictionary;
use super::features::{self as f, FeatureId};
use super::scan::{MAX_PATH, SIDE_NONE, Scan, padded};
use crate::board::Board;
use crate::types::{Point, PointMap};

/// Receives the features of moves, move by move.
pub trait Sink {
    /// Does it want every large pattern, or the sum of their weights?
    const LISTS_PATTERNS: bool;

    /// All moves but the pass have this feature. Comes before the first move.
    fn common(&mut self, id: FeatureId);
    /// The features that follow belong to this move; PASS comes last.
    fn begin(&mut self, point: Point);
    /// The move has this feature.
    fn feature(&mut self, id: FeatureId);
    /// The move has the large pattern with this number in the dictionary. The group tells family
    /// and size (see [`Family::group`]).
    fn pattern(&mut self, slot: usize, group: u8);
    /// The weights of the move's large patterns add up to this.
    fn pattern_weight(&mut self, sum: f32);
}

/// Computes features; keeps its working memory between positions.
#[derive(Clone)]
pub struct Extractor {
    scan: Scan,
    batch: Batch,
    moves: Vec<Point>,
    shapes: &'static [u16],
    owners: Option<PointMap<f32>>,
}

impl Default for Extractor {
    fn default() -> Self {
        Extractor {
            scan: Scan::default(),
            batch: Batch::default(),
            moves: Vec::new(),
            shapes: f::shape_classes(),
            owners: None,
        }
    }
}

impl Extractor {
    /// Gives every move the feature `owner` from now on: the mean owner of its point at the end of playouts, 1 for
    /// Black, -1 for White. Who computes them is the caller's affair.
    pub fn set_owners(&mut self, owners: Option<PointMap<f32>>) {
        self.owners = owners;
    }

    /// Gives the features of all legal moves of the player to move, and of the pass at the end.
    /// An empty dictionary means 3x3 shapes only.
    pub fn extract<S: Sink>(&mut self, board: &Board, patterns: &Dictionary, sink: &mut S) {
        self.scan.look(board);
        let color = self.scan.color;
        self.moves.clear();
        self.moves.extend(board.empty_points().iter().filter(|&&p| board.is_legal(color, p)));
        if !patterns.is_empty() {
            let (scan, moves) = (&self.scan, &self.moves);
            match S::LISTS_PATTERNS {
                true => self.batch.look_up::<true>(scan, moves, patterns),
                false => self.batch.look_up::<false>(scan, moves, patterns),
            }
        }
        self.common_features(board, sink);
        for (index, &point) in self.moves.iter().enumerate() {
            sink.begin(point);
            self.features_of(board, point, sink);
            if !patterns.is_empty() {
                self.patterns_of(index, sink);
            }
        }
        sink.begin(Point::PASS);
        let after_pass = usize::from(board.move_count() > 0 && board.last_move().is_pass());
        sink.feature(f::PASS.at(after_pass, self.scan.phase, 0, 0));
    }

    /// The keys of all patterns around a move of the position looked at last, known or not.
    pub fn pattern_keys(&self, point: Point, mut see: impl FnMut(Family, usize, u32)) {
        let mark = last_mark(&self.scan, point);
        let center = padded(point);
        let mut growing = Growing::default();
        for size in MIN_DIAMOND..=self.scan.largest_diamond() {
            growing.add_ring(size, &self.scan.cells, center);
            for family in Family::ALL {
                let inside = mark.as_ref().is_some_and(|&(distance, _)| distance <= size);
                if family.has_size(size) && (inside || !family.has_last()) {
                    let mark = mark.map_or([0; 8], |(_, mark)| mark);
                    see(family, size, family_key(family, size, &growing, &mark));
                }
            }
        }
    }

    /// Looks at the stones of a position and no more, for [`Extractor::pattern_keys`].
    pub fn look_at_shapes(&mut self, board: &Board) {
        self.scan.look_at_shapes(board);
    }

    #[inline(always)]
    fn patterns_of<S: Sink>(&self, index: usize, sink: &mut S) {
        let known = self.batch.known(index);
        if S::LISTS_PATTERNS {
            self.batch.hits(index).for_each(|(slot, group)| sink.pattern(slot, group));
        } else {
            sink.pattern_weight(known.weight);
        }
        let stage = self.scan.stage;
        let largest = |family: Family| usize::from(known.largest[family as usize]);
        sink.feature(f::MATCH_PLAIN.at(largest(Family::Plain), stage, 0, 0));
        sink.feature(f::MATCH_LAST.at(largest(Family::Last), stage, 0, 0));
        sink.feature(f::MATCH_LIBERTIES.at(largest(Family::Liberties), 0, 0, 0));
    }

    #[inline(always)]
    fn features_of<S: Sink>(&self, board: &Board, point: Point, sink: &mut S) {
        let scan = &self.scan;
        let code = board.shape(point);
        let code = if scan.color as u8 == 1 { code } else { code.swap_colors() };
        sink.feature(f::FIRST_SHAPE + self.shapes[usize::from(code.code())]);
        self.places(point, sink);
        if let Some(owners) = &self.owners {
            let own = owners[point] * scan.color.sign() as f32;
            let level = ((own + 1.0) * 4.5).clamp(0.0, 8.0) as usize;
            sink.feature(f::OWNER.at(level, scan.stage, 0, 0));
        }
        let last_distance = self.distances(board, point, sink);
        Chains::around(board, scan, point, last_distance).tell(sink);
    }

    /// What all moves of the position share: it matters by its interactions with the rest.
    fn common_features<S: Sink>(&self, board: &Board, sink: &mut S) {
        let scan = &self.scan;
        sink.common(f::PHASE.at(scan.phase, 0, 0, 0));
        let [last, second, third, _] = board.last_moves();
        if last.is_pass() {
            return;
        }
        let liberties = scan.last_liberties.clamp(1, 4) as usize - 1;
        let touches = scan.touched_liberties.min(3) as usize;
        let ko = usize::from(!board.ko().is_pass());
        sink.common(f::LAST_STATE.at(liberties, touches, ko, 0));
        sink.common(f::FLOW.at(nearness(last, second), nearness(second, third), scan.stage, 0));
    }

    /// Features of where the move is.
    #[inline(always)]
    fn places<S: Sink>(&self, point: Point, sink: &mut S) {
        let scan = &self.scan;
        let (size, stage) = (scan.size, scan.stage);
        let (column, row) = (point.column(), point.row());
        let (x, y) = (column.min(size + 1 - column), row.min(size + 1 - row));
        let (line, position) = (x.min(y), x.max(y));
        sink.feature(f::LINE.at(line.min(10) - 1, scan.phase, 0, 0));
        sink.feature(f::PLACE.at(line.min(10) - 1, position.min(10) - 1, stage, 0));

        let level = scan.influence[point.index()];
        let level = match level {
            ..=-400 => 0,
            -399..=-200 => 1,
            -199..=-90 => 2,
            -89..=-30 => 3,
            -29..=29 => 4,
            30..=89 => 5,
            90..=199 => 6,
            200..=399 => 7,
            _ => 8,
        };
        let line_class = match line {
            1 => 0,
            2 => 1,
            3..=4 => 2,
            _ => 3,
        };
        sink.feature(f::INFLUENCE.at(level, line_class, stage, 0));
        let (own, enemy) = (scan.own_steps[point.index()], scan.enemy_steps[point.index()]);
        sink.feature(f::NEAREST.at(usize::from(own) - 1, usize::from(enemy) - 1, stage, 0));

        if (3..=4).contains(&line) && x != y {
            // The edge it is near to, and the place along that edge.
            let (edge, place) = match (x < y, column == x, row == y) {
                (true, true, _) => (0, row),
                (true, false, _) => (1, row),
                (false, _, true) => (2, column),
                (false, _, false) => (3, column),
            };
            let [low, high] = scan.sides[edge][place].nearest;
            if low != SIDE_NONE || high != SIDE_NONE || scan.stage == 0 {
                let (one, other) = (low.min(high), low.max(high));
                sink.feature(f::SIDE.at(line - 3, usize::from(one), usize::from(other), 0));
            }
        }
        if position <= scan.corner_reach() {
            let corner = usize::from(column != x) | usize::from(row != y) << 1;
            if scan.empty_corners[corner] {
                sink.feature(f::CORNER.at(line - 1, position - 1, 0, 0));
            }
        }
    }

    /// Features of how near the last moves are. Gives the distance class of the last move.
    #[inline(always)]
    fn distances<S: Sink>(&self, board: &Board, point: Point, sink: &mut S) -> usize {
        let scan = &self.scan;
        let mut class = 3;
        let last = board.last_move();
        if !last.is_pass() {
            let (dx, dy) = offset(point, last);
            let distance = diamond::distance(dx, dy);
            class = distance_class(distance);
            let liberties = scan.last_liberties.clamp(1, 4) as usize - 1;
            sink.feature(f::LAST_DISTANCE.at(distance.min(17), liberties, 0, 0));
            let (long, short) = sorted(dx, dy);
            if long <= 8 {
                sink.feature(f::LAST_OFFSET.at(long, short, scan.stage, 0));
            }
            let line_class = point.line(scan.size).min(3) - 1;
            sink.feature(f::LAST_PATH.at(
                usize::from(scan.last_path[point].min(MAX_PATH)),
                line_class,
                0,
                0,
            ));
        }
        let second = board.second_last_move();
        if !second.is_pass() {
            let (dx, dy) = offset(point, second);
            let distance = diamond::distance(dx, dy);
            sink.feature(f::SECOND_DISTANCE.at(distance.min(17), class, 0, 0));
            let (long, short) = sorted(dx, dy);
            if long <= 8 {
                sink.feature(f::SECOND_OFFSET.at(long, short, 0, 0));
            }
            sink.feature(f::SECOND_PATH.at(
                usize::from(scan.second_path[point].min(MAX_PATH)),
                0,
                0,
                0,
            ));
        }
        let [_, _, third, fourth] = board.last_moves();
        for (before, group) in [(third, &f::THIRD_OFFSET), (fourth, &f::FOURTH_OFFSET)] {
            if !before.is_pass() {
                let (dx, dy) = offset(point, before);
                let (long, short) = sorted(dx, dy);
                if long <= 6 {
                    sink.feature(group.at(long, short, class, 0));
                }
            }
        }
        class
    }
}

/// Touching, near, in the middle distance, far.
#[inline(always)]
fn distance_class(distance: usize) -> usize {
    match distance {
        ..=3 => 0,
        4..=7 => 1,
        8..=12 => 2,
        _ => 3,
    }
}

/// How near two moves are to each other; a pass is far from everything.
fn nearness(one: Point, other: Point) -> usize {
    if one.is_pass() || other.is_pass() {
        return 3;
    }
    let (dx, dy) = offset(one, other);
    distance_class(diamond::distance(dx, dy))
}

#[inline(always)]
pub(super) fn offset(from: Point, to: Point) -> (i32, i32) {
    (to.column() as i32 - from.column() as i32, to.row() as i32 - from.row() as i32)
}

#[inline(always)]
fn sorted(dx: i32, dy: i32) -> (usize, usize) {
    let (x, y) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    (x.max(y), x.min(y))
}
