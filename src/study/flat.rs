//! Players before the tree (Lew 3.2, Hsu's domain independent refinements): the same number of playouts for every
//! move, all moves as first, weighted playouts (temperature, annealing), and progressive pruning.
//!
//! As Bouzy did, they compare mean scores, not winning rates, unless they are told otherwise. His rule of inferiority is
//! followed: intervals that lie apart. The slides also ask that both errors are below sigma_e.

use super::players::worth;
use super::policy::{policy, sensible};
use super::settings::{Settings, Worth};
use crate::board::Board;
use crate::game::Game;
use crate::playout::{Light, Limits, Outcome, Policy, play_out};
use crate::types::{Color, Marker, Move, Point, PointMap, Rng};

/// Count, mean and spread of some results.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Stat {
    /// How many.
    pub count: f64,
    sum: f64,
    squares: f64,
}

impl Stat {
    /// Adds a result.
    pub fn add(&mut self, result: f64) {
        self.count += 1.0;
        self.sum += result;
        self.squares += result * result;
    }

    /// The mean; nothing is known of what has no result.
    pub fn mean(&self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { f64::NEG_INFINITY }
    }

    /// The standard error of the mean, sigma / sqrt(N).
    pub fn error(&self) -> f64 {
        if self.count < 2.0 {
            return f64::INFINITY;
        }
        let variance = (self.squares - self.sum * self.sum / self.count) / (self.count - 1.0);
        (variance.max(0.0) / self.count).sqrt()
    }
}

/// The moves worth thinking about: legal, superko included, and no filled eye.
pub fn moves(game: &Game) -> Vec<Point> {
    let (board, color) = (game.board(), game.board().to_play());
    sensible(board).filter(|&point| game.is_legal(Move::new(color, point))).collect()
}

/// Index of the largest value.
pub(super) fn best(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, value) in values.enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

/// Playouts from positions after one move.
pub(super) struct Sampler<'a> {
    start: &'a Board,
    komi: f64,
    settings: &'a Settings,
    policy: Box<dyn crate::playout::DynPolicy>,
    limits: Limits,
    board: Board,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(start: &'a Board, komi: f64, settings: &'a Settings) -> Sampler<'a> {
        let (policy, limits) = (policy(settings, None), Limits::for_size(start.size()));
        Sampler { start, komi, settings, policy, limits, board: start.clone() }
    }

    /// What a playout after a move is worth for the player who makes it.
    pub(super) fn sample(&mut self, point: Point, rng: &mut Rng) -> f64 {
        self.board.copy_from(self.start);
        self.board.play_legal(point);
        let outcome = self.policy.play_out(&mut self.board, rng, self.limits);
        let black = f64::from(outcome.score) - self.komi;
        worth(self.settings, black, self.start.to_play() == Color::Black)
    }
}

/// Vanilla Monte Carlo: each move gets the same number of playouts.
pub fn flat(game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
    let moves = moves(game);
    if moves.is_empty() {
        return Point::PASS;
    }
    let mut sampler = Sampler::new(game.board(), f64::from(game.total_komi()), settings);
    let mut stats = vec![Stat::default(); moves.len()];
    for playout in 0..settings.playouts as usize {
        let index = playout % moves.len();
        stats[index].add(sampler.sample(moves[index], rng));
    }
    moves[best(stats.iter().map(Stat::mean))]
}

/// All moves as first: a result counts for every point that a player was the first to play in the playout. With an
/// inverse temperature K above 0, playouts choose moves by e^(K v) of these values.
pub fn amaf(game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
    weighted(game, settings, rng, |_| settings.temperature)
}

/// Bruegmann's annealing, as Hsu writes it: K grows from 0 to its end while the values are learned.
pub fn annealing(game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
    weighted(game, settings, rng, |done| done * settings.temperature)
}

fn weighted(
    game: &Game,
    settings: &Settings,
    rng: &mut Rng,
    inverse: impl Fn(f64) -> f64,
) -> Point {
    let moves = moves(game);
    if moves.is_empty() {
        return Point::PASS;
    }
    let start = game.board();
    let (color, limits) = (start.to_play(), Limits::for_size(start.size()));
    let most = match settings.worth {
        Worth::Score => (start.size() * start.size()) as f64,
        Worth::Win => 1.0,
    };
    let mut warm = Warm::new(most);
    let mut plain = policy(settings, None);
    let (mut board, mut trace, mut played) = (start.clone(), Vec::new(), Marker::new());
    for playout in 0..settings.playouts {
        warm.inverse = inverse(f64::from(playout) / f64::from(settings.playouts));
        board.copy_from(start);
        trace.clear();
        let outcome: Outcome = match warm.inverse > 0.0 {
            true => play_out(&mut warm, &mut board, rng, limits, |color, point| {
                trace.push((color, point));
            }),
            false => plain.play_recorded(&mut board, rng, limits, &mut trace),
        };
        let black = f64::from(outcome.score) - f64::from(game.total_komi());
        played.clear();
        for &(by, point) in &trace {
            if !point.is_pass() && played.insert(point) {
                warm.stats[by.index()][point].add(worth(settings, black, by == Color::Black));
            }
        }
    }
    moves[best(moves.iter().map(|&point| warm.stats[color.index()][point].mean()))]
}

/// Playouts whose moves have weight e^(K v), v the mean score by all moves as first, in boards (-1 to 1), or the winrate.
struct Warm {
    stats: [PointMap<Stat>; 2],
    inverse: f64,
    /// What a playout is worth at most.
    most: f64,
    choices: Vec<(Point, f64)>,
}

impl Warm {
    fn new(most: f64) -> Warm {
        let stats = [PointMap::filled(Stat::default()); 2];
        Warm { stats, inverse: 0.0, most, choices: Vec::new() }
    }

    fn weight(&self, color: Color, point: Point) -> f64 {
        let stat = &self.stats[color.index()][point];
        if stat.count == 0.0 { 1.0 } else { (self.inverse * stat.mean() / self.most).exp() }
    }
}

impl Policy for Warm {
    fn begin(&mut self, _board: &Board) {}

    fn play_move(&mut self, board: &mut Board, rng: &mut Rng) -> Point {
        let color = board.to_play();
        self.choices.clear();
        let mut sum = 0.0;
        for point in sensible(board) {
            sum += self.weight(color, point);
            self.choices.push((point, sum));
        }
        let drawn = sum * rng.unit();
        match self.choices.iter().find(|&&(_, upto)| drawn < upto) {
            Some(&(point, _)) => {
                board.play_legal(point);
                point
            }
            None => Light.play_move(board, rng),
        }
    }
}

/// Is the first move surely worse: do the intervals of `rd` standard errors lie apart?
pub fn is_inferior(a: &Stat, b: &Stat, rd: f64) -> bool {
    a.mean() + rd * a.error() < b.mean() - rd * b.error()
}

/// Those of some moves that are not surely worse than an active one, whichever it is: the one with the best mean may
/// have the wider interval.
fn remaining(stats: &[Stat], asked: &[usize], active: &[usize], rd: f64) -> Vec<usize> {
    let is_worse = |&a: &usize| active.iter().any(|&b| is_inferior(&stats[a], &stats[b], rd));
    asked.iter().copied().filter(|index| !is_worse(index)).collect()
}

/// Progressive pruning: playouts in turn for all moves that are not yet surely worse than another; ends when one is
/// left, when those left are equal, or with the playouts.
pub fn pruning(game: &Game, settings: &Settings, rng: &mut Rng) -> Point {
    let moves = moves(game);
    if moves.is_empty() {
        return Point::PASS;
    }
    let mut sampler = Sampler::new(game.board(), f64::from(game.total_komi()), settings);
    let mut stats = vec![Stat::default(); moves.len()];
    let all: Vec<usize> = (0..moves.len()).collect();
    let mut active = all.clone();
    let mut done = 0;
    while done < settings.playouts && active.len() > 1 {
        for &index in &active {
            stats[index].add(sampler.sample(moves[index], rng));
            done += 1;
        }
        if active.iter().any(|&index| stats[index].count < f64::from(settings.least)) {
            continue;
        }
        // Soft pruning asks again for the moves that were dropped, hard pruning does not.
        let asked = if settings.soft { &all } else { &active };
        active = remaining(&stats, asked, &active, settings.rd);
        // What is inferior to an active move is gone, so those left are equal when all errors are small.
        if active.iter().all(|&index| stats[index].error() < settings.sigma) {
            break;
        }
    }
    moves[active[best(active.iter().map(|&index| stats[index].mean()))]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(results: &[f64]) -> Stat {
        let mut stat = Stat::default();
        results.iter().for_each(|&result| stat.add(result));
        stat
    }

    #[test]
    fn standard_errors_by_hand() {
        // Variance of 1, 2, 3, 4 is 5/3, of the mean 5/12.
        let stat = stat(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(stat.mean(), 2.5);
        assert!((stat.error() - (5.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(Stat::default().mean(), f64::NEG_INFINITY);
    }

    #[test]
    fn pruning_compares_intervals() {
        // Means 2.5 and 6.5, standard errors 0.645 each: apart by 3 errors to each side, not by 4.
        let (low, high) = (stat(&[1.0, 2.0, 3.0, 4.0]), stat(&[5.0, 6.0, 7.0, 8.0]));
        assert!(is_inferior(&low, &high, 3.0) && !is_inferior(&low, &high, 4.0));
        assert!(!is_inferior(&high, &low, 1.0));
    }

    #[test]
    fn a_move_is_pruned_that_is_inferior_to_any_other() {
        // Means 9, 8 and 5 with errors 3, 0.3 and 0.3 (rounded): the first is best and does not rule out the last, but
        // the second does.
        let wide = stat(&[3.0, 6.0, 12.0, 15.0]);
        let (near, low) = (stat(&[7.5, 7.5, 8.5, 8.5]), stat(&[4.5, 4.5, 5.5, 5.5]));
        assert!(!is_inferior(&low, &wide, 2.0) && is_inferior(&low, &near, 2.0));
        let stats = [wide, near, low];
        assert_eq!(remaining(&stats, &[0, 1, 2], &[0, 1, 2], 2.0), [0, 1]);
        // Soft: the last comes back when the second is not active any more.
        assert_eq!(remaining(&stats, &[0, 1, 2], &[0], 2.0), [0, 1, 2]);
    }

    #[test]
    fn weights_of_a_temperature_by_hand() {
        let mut warm = Warm::new(81.0);
        let point = Point::new(5, 5);
        warm.stats[0][point] = stat(&[40.5, 40.5]);
        warm.inverse = 2.0;
        assert!((warm.weight(Color::Black, point) - 1f64.exp()).abs() < 1e-12);
        assert_eq!(warm.weight(Color::White, point), 1.0);
        warm.inverse = 0.0;
        assert_eq!(warm.weight(Color::Black, point), 1.0);
    }
}
