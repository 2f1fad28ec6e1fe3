//! The search: from a game to a move.

mod report;

pub use report::{Candidate, Report};

use crate::board::Board;
use crate::game::Game;
use crate::params::Params;
use crate::playout::{Light, Limits, play_out};
use crate::types::{Color, Move, Point, PointMap, Rng};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that ends a search from another thread.
#[derive(Clone, Default, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the search that looks at this flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Makes the flag usable for the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// Was it raised?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// How long to search. Whatever is reached first ends it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limit {
    /// Playouts of this search.
    pub playouts: Option<u64>,
    /// Visits of the root, earlier searches included.
    pub visits: Option<u64>,
    /// Time that should be used; the search may stop earlier when it is decided.
    pub planned: Option<Duration>,
    /// Time that must not be exceeded; between the two only unsettled searches go on.
    pub maximum: Option<Duration>,
}

/// What to search.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// How long.
    pub limit: Limit,
    /// Moves that are not considered at the root.
    pub avoid: Vec<Point>,
    /// If not empty, the only moves considered at the root.
    pub allow: Vec<Point>,
    /// How often the watcher sees a report.
    pub report_every: Option<Duration>,
}

/// A searcher, which keeps its tree from one search to the next.
pub struct Search {
    params: Params,
    rng: Rng,
}

impl Search {
    /// A searcher with an empty tree.
    pub fn new(params: Params) -> Search {
        let rng = Rng::new(params.search.seed);
        Search { params, rng }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.rng = Rng::new(self.params.search.seed);
    }

    /// Searches the position of a game for the player to move. The watcher sees reports at the
    /// interval that the request asks for.
    pub fn run(
        &mut self,
        game: &Game,
        request: &Request,
        interrupt: &Interrupt,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let begin = Instant::now();
        let color = game.board().to_play();
        let legal: Vec<Point> = game
            .board()
            .empty_points()
            .iter()
            .copied()
            .filter(|&p| game.is_legal(Move::new(color, p)) && !game.board().is_eye(color, p))
            .filter(|p| !request.avoid.contains(p))
            .filter(|p| request.allow.is_empty() || request.allow.contains(p))
            .collect();
        let mut sums = vec![(0u64, 0u64, 0i64); legal.len()];
        let limits = Limits::for_size(game.size());
        let mut board = Board::new(game.size());
        let mut done = 0u64;
        let mut shown = Instant::now();
        let playouts = request.limit.playouts.or(request.limit.visits).unwrap_or(u64::MAX);
        let time = request.limit.planned.or(request.limit.maximum).unwrap_or(Duration::MAX);
        while done < playouts
            && !interrupt.is_raised()
            && begin.elapsed() < time
            && !legal.is_empty()
        {
            let index = done as usize % legal.len();
            board.copy_from(game.board());
            board.play_legal(legal[index]);
            let outcome = play_out(&mut Light, &mut board, &mut self.rng, limits, |_, _| ());
            let score = outcome.score as f32 - game.total_komi();
            let win = (score > 0.0) == (color == Color::Black);
            sums[index].0 += 1;
            sums[index].1 += u64::from(win);
            sums[index].2 += (score * color.sign() as f32) as i64;
            done += 1;
            if request.report_every.is_some_and(|every| shown.elapsed() >= every) {
                shown = Instant::now();
                watch(&Search::report(color, &legal, &sums, done, begin.elapsed()));
            }
        }
        Search::report(color, &legal, &sums, done, begin.elapsed())
    }

    fn report(
        color: Color,
        legal: &[Point],
        sums: &[(u64, u64, i64)],
        playouts: u64,
        elapsed: Duration,
    ) -> Report {
        let rate = |wins: u64, visits: u64| wins as f64 / visits.max(1) as f64;
        let mut candidates: Vec<Candidate> = legal
            .iter()
            .zip(sums)
            .map(|(&point, &(visits, wins, score))| Candidate {
                point,
                visits,
                winrate: rate(wins, visits),
                lower_bound: rate(wins, visits) - 1.0 / (visits.max(1) as f64).sqrt(),
                score: score as f64 / visits.max(1) as f64,
                prior: 1.0 / legal.len() as f64,
                rave_visits: 0.0,
                rave_winrate: 0.5,
                variation: vec![point],
            })
            .collect();
        candidates.sort_by(|a, b| b.winrate.total_cmp(&a.winrate));
        Report {
            to_play: color,
            visits: playouts,
            playouts,
            elapsed,
            winrate: candidates.first().map_or(0.5, |best| best.winrate),
            score: candidates.first().map_or(0.0, |best| best.score),
            score_deviation: 10.0,
            extra_komi: 0.0,
            candidates,
            ownership: PointMap::default(),
            criticality: PointMap::default(),
        }
    }
}
