//! Playouts drawn from learned gammas: a move is chosen with probability proportional to the product
//! of the gamma of its 3x3 surroundings and those of its local features (Coulom; Lew section 3.4.1).
//!
//! Weights are integers with a sum per row, so that a draw is one scan over rows and one over
//! columns and nothing drifts. After a move only the points whose surroundings changed are rated
//! again: the neighbours of stones placed or removed, and the liberties of chains whose liberty
//! class (1, 2, 3 or more) changed. What depends on the last two moves is put on top of the few
//! points near them just for the draw, which takes them apart from the rest. A test compares every
//! weight with a recomputation.

use super::Policy;
use crate::board::{Board, Observer};
use crate::knowledge::Gammas;
use crate::knowledge::gammas::{LOCALS, LastMoves, Local, look};
use crate::types::{CELLS, Cell, Color, ColorMap, Point, PointMap, Rng, STRIDE};
use std::sync::Arc;

/// The weight of a move whose gammas multiply to one.
const ONE: f32 = 256.0;
/// The largest weight: 361 of them still fit 32 bits.
const MOST: f32 = (1 << 23) as f32;

/// Room for the points where the last moves matter: at most 16 neighbours, 8 liberties and a ko.
const NEAR: usize = 32;

/// The weights of all moves of one player.
#[derive(Clone)]
struct Weights {
    points: PointMap<u32>,
    rows: [u32; STRIDE],
    total: u32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights { points: PointMap::filled(0), rows: [0; STRIDE], total: 0 }
    }
}

impl Weights {
    #[inline]
    fn set(&mut self, point: Point, weight: u32) {
        let old = std::mem::replace(&mut self.points[point], weight);
        if old == weight {
            return;
        }
        let row = &mut self.rows[point.row()];
        *row = *row - old + weight;
        self.total = self.total - old + weight;
    }

    /// The point at a place in the running sum of all weights.
    #[inline]
    fn at(&self, mut place: u32) -> Point {
        let mut row = 1;
        while place >= self.rows[row] {
            place -= self.rows[row];
            row += 1;
        }
        let mut column = 1;
        loop {
            let point = Point::new(column, row);
            if place < self.points[point] {
                return point;
            }
            place -= self.points[point];
            column += 1;
        }
    }
}

/// What moves have changed, as the board tells it. Each player's weights are brought up to date
/// when that player is to move: what changes twice in between is rated once.
#[derive(Clone)]
struct Changes {
    /// Points to rate again, each once for each player.
    stale: ColorMap<Vec<Point>>,
    /// In which of the lists a point is, as the sum of the players' numbers.
    listed: PointMap<u8>,
    /// Heads of chains whose liberties changed, as they were before merges.
    chains: Vec<Point>,
}

impl Default for Changes {
    fn default() -> Self {
        Changes { stale: ColorMap::default(), listed: PointMap::filled(0), chains: Vec::new() }
    }
}

impl Changes {
    #[inline]
    fn list(&mut self, point: Point) {
        let missing = !self.listed[point];
        for color in Color::BOTH {
            if missing & color as u8 != 0 {
                self.stale[color].push(point);
            }
        }
        self.listed[point] = Color::Black as u8 | Color::White as u8;
    }

    #[inline]
    fn list_around(&mut self, point: Point) {
        self.list(point);
        for neighbor in point.neighbors().into_iter().chain(point.diagonals()) {
            self.list(neighbor);
        }
    }

    fn clear(&mut self) {
        self.stale.0.iter_mut().for_each(Vec::clear);
        self.listed.fill(0);
        self.chains.clear();
    }
}

impl Observer for Changes {
    #[inline]
    fn placed(&mut self, point: Point, _color: Color) {
        self.list_around(point);
    }

    #[inline]
    fn removed(&mut self, point: Point, _color: Color) {
        self.list_around(point);
    }

    #[inline]
    fn liberties_changed(&mut self, head: Point) {
        if !head.is_pass() {
            self.chains.push(head);
        }
    }
}

/// The gamma policy.
#[derive(Clone)]
pub struct GammaPolicy {
    gammas: Arc<Gammas>,
    /// The product of the local gammas for every set of them.
    by_locals: Vec<f32>,
    /// The weight of a point with eight empty neighbours.
    in_the_open: u32,
    weights: ColorMap<Weights>,
    /// The liberty class of a chain when its liberties were last rated, at its head.
    classes: PointMap<u8>,
    changes: Changes,
}

impl GammaPolicy {
    /// The policy with these gammas.
    pub fn new(gammas: Arc<Gammas>) -> GammaPolicy {
        let product = |bits: usize| {
            let chosen = (0..LOCALS).filter(|i| bits >> i & 1 == 1);
            chosen.map(|i| gammas.locals[i]).product::<f32>()
        };
        GammaPolicy {
            by_locals: (0..1 << LOCALS).map(product).collect(),
            in_the_open: to_weight(gammas.shape[0]),
            gammas,
            weights: ColorMap::default(),
            classes: PointMap::filled(0),
            changes: Changes::default(),
        }
    }

    /// The weight without what depends on the last moves.
    #[inline]
    fn lasting_weight(&self, board: &Board, color: Color, point: Point) -> u32 {
        if !board.is_empty(point) || board.is_eye(color, point) || board.is_suicide(color, point) {
            return 0;
        }
        if board.shape(point).code() == 0 {
            return self.in_the_open; // as most points are at the beginning
        }
        let (surroundings, locals) = look(board, color, point);
        to_weight(self.gammas.shape[surroundings] * self.by_locals[usize::from(locals)])
    }

    /// The weight of the draw: the lasting one times what depends on the last moves.
    #[inline]
    fn weight_now(&self, board: &Board, last: &LastMoves, point: Point, lasting: u32) -> u32 {
        if lasting == 0 || point == board.ko() {
            return 0;
        }
        let saves = || look(board, board.to_play(), point).1 & Local::Save.bit() != 0;
        let locals = last.locals(point, saves);
        (lasting as f32 * self.by_locals[usize::from(locals)]).clamp(1.0, MOST) as u32
    }

    /// Draws a move in proportion to the weights of the moment; PASS if there is none.
    #[inline]
    fn draw(&self, board: &Board, rng: &mut Rng) -> Point {
        let weights = &self.weights[board.to_play()];
        let last = LastMoves::new(board);
        let mut near = last.points::<NEAR>(board);
        if !board.ko().is_pass() {
            near.insert(board.ko());
        }
        let (mut now, mut lasting_near, mut near_sum) = ([0; NEAR], 0, 0);
        for (&point, now) in near.iter().zip(&mut now) {
            let lasting = weights.points[point];
            *now = self.weight_now(board, &last, point, lasting);
            lasting_near += lasting;
            near_sum += *now;
        }
        let rest = weights.total - lasting_near;
        if rest + near_sum == 0 {
            return Point::PASS;
        }
        let mut place = rng.below(rest + near_sum);
        for (&point, &now) in near.iter().zip(&now) {
            if place < now {
                return point;
            }
            place -= now;
        }
        // One of the others by their lasting weights: draw until it is none of the near ones.
        loop {
            let point = weights.at(rng.below(weights.total));
            if !near.contains(&point) {
                return point;
            }
        }
    }

    /// Finds the points that the last move changed.
    fn note_changes(&mut self, board: &Board) {
        for i in 0..self.changes.chains.len() {
            let before = self.changes.chains[i];
            let head = board.head(before);
            if head.is_pass() {
                continue; // captured: its stones were reported
            }
            let class = liberty_class(board, head);
            let changed = self.classes[before] != class || self.classes[head] != class;
            self.classes[head] = class;
            // Two liberties can be others than before, at the same number.
            if changed || class < 3 {
                self.list_liberties(board, head);
            }
        }
        self.changes.chains.clear();
    }

    /// Rates what changed since this colour last moved.
    fn catch_up(&mut self, board: &Board, color: Color) {
        for i in 0..self.changes.stale[color].len() {
            let point = self.changes.stale[color][i];
            self.changes.listed[point] &= !(color as u8);
            if board.cell(point) != Cell::Border {
                let weight = self.lasting_weight(board, color, point);
                self.weights[color].set(point, weight);
            }
        }
        self.changes.stale[color].clear();
    }

    fn list_liberties(&mut self, board: &Board, head: Point) {
        match board.liberty_count(head) {
            1 => self.changes.list(board.atari_liberty(head)),
            2 => board.two_liberties(head).into_iter().for_each(|p| self.changes.list(p)),
            _ => {
                for stone in board.chain(head) {
                    for neighbor in stone.neighbors() {
                        if board.is_empty(neighbor) {
                            self.changes.list(neighbor);
                        }
                    }
                }
            }
        }
    }
}

/// A product of gammas as a weight.
#[inline]
fn to_weight(gamma: f32) -> u32 {
    (ONE * gamma).clamp(1.0, MOST) as u32
}

/// 1, 2, or 3 for more liberties.
fn liberty_class(board: &Board, head: Point) -> u8 {
    board.liberty_count(head).min(3) as u8
}

impl Policy for GammaPolicy {
    fn begin(&mut self, board: &Board) {
        self.changes.clear();
        for color in Color::BOTH {
            self.weights[color] = Weights::default();
            for point in board.points() {
                let weight = self.lasting_weight(board, color, point);
                self.weights[color].set(point, weight);
            }
        }
        for index in 0..CELLS {
            let point = Point::from_index(index);
            if board.head(point) == point && !point.is_pass() {
                self.classes[point] = liberty_class(board, point);
            }
        }
    }

    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        let color = board.to_play();
        self.catch_up(board, color);
        let point = self.draw(board, rng);
        board.play_observed(color, point, &mut self.changes);
        self.note_changes(board);
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{Limits, play_out};

    /// Gammas that differ for all surroundings and features, so that a stale weight shows.
    fn made_up() -> Arc<Gammas> {
        let mut gammas = Gammas::default();
        for (index, gamma) in gammas.shape.iter_mut().enumerate() {
            *gamma = 0.5 + (index.wrapping_mul(2_654_435_761) >> 12 & 0xFF) as f32 / 64.0;
        }
        for (index, gamma) in gammas.locals.iter_mut().enumerate() {
            *gamma = 1.5 + index as f32 / 3.0;
        }
        Arc::new(gammas)
    }

    #[test]
    fn weights_equal_a_recomputation_after_every_move() {
        let mut policy = GammaPolicy::new(made_up());
        let mut rng = Rng::new(3);
        for game in 0..60 {
            let size = [5, 7, 9, 13, 19][game % 5];
            let mut board = Board::new(size);
            policy.begin(&board);
            let mut passes = 0;
            while passes < 2 && board.move_count() < 3 * size * size {
                let point = policy.play_move(&mut board, &mut rng);
                passes = if point.is_pass() { passes + 1 } else { 0 };
                let color = board.to_play();
                policy.catch_up(&board, color);
                let weights = &policy.weights[color];
                let mut total = 0;
                for point in board.points() {
                    let fresh = policy.lasting_weight(&board, color, point);
                    assert_eq!(weights.points[point], fresh, "{color} {point}\n{board}");
                    total += fresh;
                }
                assert_eq!(weights.total, total);
                assert_eq!(weights.rows.iter().sum::<u32>(), total);
            }
        }
    }

    #[test]
    fn moves_are_drawn_in_proportion_to_their_weights() {
        let mut start = Board::new(5);
        for point in [Point::new(3, 3), Point::new(3, 4), Point::new(2, 2)] {
            start.play_legal(point);
        }
        let mut policy = GammaPolicy::new(made_up());
        let color = start.to_play();
        let last = LastMoves::new(&start);
        let weights: Vec<(Point, f64)> = start
            .points()
            .map(|point| {
                let lasting = policy.lasting_weight(&start, color, point);
                (point, f64::from(policy.weight_now(&start, &last, point, lasting)))
            })
            .collect();
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut counts = PointMap::filled(0u32);
        let mut rng = Rng::new(5);
        let draws = 40_000;
        for _ in 0..draws {
            let mut board = start.clone();
            policy.begin(&board);
            counts[policy.play_move(&mut board, &mut rng)] += 1;
        }
        for (point, weight) in weights {
            let share = weight / total;
            let sigma = (share * (1.0 - share) * f64::from(draws)).sqrt().max(1.0);
            let difference = f64::from(counts[point]) - share * f64::from(draws);
            assert!(difference.abs() < 5.0 * sigma, "{point}: {difference}, sigma {sigma}");
        }
    }

    #[test]
    fn playouts_end() {
        let mut policy = GammaPolicy::new(made_up());
        let mut rng = Rng::new(6);
        for size in [2, 3, 9, 19] {
            let mut board = Board::new(size);
            let limits = Limits::for_size(size);
            let outcome = play_out(&mut policy, &mut board, &mut rng, limits, |_, _| ());
            assert!(outcome.moves < limits.max_moves);
            assert_eq!(board.check(), Ok(()));
        }
    }
}
