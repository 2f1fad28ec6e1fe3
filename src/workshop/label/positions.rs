//! Which positions a referee is asked about.

use super::super::measure::labels::{Needs, Position};
use crate::board::Board;
use crate::game::collection::MainLine;
use crate::game::{Game, Rules};
use crate::params::Overrides;
use crate::search::{Interrupt, Limit, Report, Request, Search};
use crate::types::{Color, Move, Point, Rng};
use crate::workshop::tools::work::position_seed;

/// Most unexpected moves after a position.
const MOST_UNEXPECTED: u32 = 4;
/// Komi that are asked about beside the game's own.
const KOMIS: [f32; 4] = [5.5, 6.5, 7.0, 7.5];

/// A position to ask about.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    pub size: usize,
    pub komi: f32,
    pub moves: Vec<Move>,
    pub to_play: Color,
    /// Of the stones and the player to move.
    hash: u64,
}

impl Asked {
    fn new(komi: f32, moves: Vec<Move>, board: &Board) -> Asked {
        let hash = board.hash() ^ u64::from(board.to_play() == Color::White);
        Asked { size: board.size(), komi, moves, to_play: board.to_play(), hash }
    }

    /// The position of a line that was written.
    pub fn of_line(line: &str) -> Option<Asked> {
        let position = Position::parse(line, Needs::Nothing).ok()?;
        Some(Asked::new(position.komi, position.moves.clone(), &position.board()))
    }

    /// A number that two positions share only if they are the same.
    pub fn key(&self) -> u64 {
        self.hash ^ u64::from(self.komi.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// Chooses positions of games. The choice of a game follows from the seed and its number alone.
pub struct Chooser {
    overrides: Overrides,
    playouts: u64,
    /// Shares of positions of our own search, and of those with unexpected moves.
    search: f64,
    unexpected: f64,
    searcher: Option<(usize, Search)>,
}

impl Chooser {
    pub fn new(overrides: &Overrides, playouts: u64, search: f64, unexpected: f64) -> Chooser {
        let overrides = overrides.clone();
        Chooser { overrides, playouts, search, unexpected, searcher: None }
    }

    /// So many positions of a game, or fewer if it is short.
    pub fn choose(&mut self, game: &MainLine, count: usize, seed: u64, number: u64) -> Vec<Asked> {
        let mut rng = Rng::new(position_seed(seed, number as usize));
        let plies = game.moves.len();
        let mut chosen: Vec<usize> =
            (0..count).map(|_| rng.below(plies as u32 + 1) as usize).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen.into_iter().filter_map(|ply| self.position(game, ply, &mut rng)).collect()
    }

    fn position(&mut self, game: &MainLine, ply: usize, rng: &mut Rng) -> Option<Asked> {
        let komi = match rng.below(2) {
            0 if game.komi.abs() < 20.0 && game.komi != 0.0 => game.komi,
            _ => KOMIS[rng.below(KOMIS.len() as u32) as usize],
        };
        let mut played = Game::new(usize::from(game.size), Rules::TROMP_TAYLOR);
        played.set_komi(komi);
        for &play in &game.moves[..ply] {
            played.play(play).ok()?;
        }
        if rng.unit() < self.search {
            self.follow_search(&mut played, rng);
        } else if rng.unit() < self.unexpected {
            for _ in 0..1 + rng.below(MOST_UNEXPECTED) {
                surprise(&mut played, rng);
            }
        }
        // What is over needs no referee.
        let over = matches!(played.moves(), [.., a, b] if a.point.is_pass() && b.point.is_pass());
        (!over).then(|| Asked::new(komi, played.moves().to_vec(), played.board()))
    }

    /// Goes to a position that our own search looks at: down the expected line of one of its moves,
    /// those that it is unsure of before others.
    fn follow_search(&mut self, game: &mut Game, rng: &mut Rng) {
        let size = game.size();
        if self.searcher.as_ref().is_none_or(|(known, _)| *known != size) {
            self.searcher = Some((size, Search::new(self.overrides.resolve(size), size)));
        }
        let Some((_, searcher)) = &mut self.searcher else { return };
        searcher.clear();
        let limit = Limit { playouts: Some(self.playouts), ..Limit::default() };
        let request = Request { limit, exhaustive: true, ..Request::default() };
        let report = searcher.run(game, &request, &Interrupt::default(), &mut |_| ());
        let line = unsure_line(&report, rng);
        for &point in line {
            if game.play(Move::new(game.board().to_play(), point)).is_err() {
                return;
            }
        }
    }
}

/// A part of the continuation of some move, drawn in proportion to sqrt(visits) w (1 - w).
fn unsure_line<'a>(report: &'a Report, rng: &mut Rng) -> &'a [Point] {
    let weight =
        |visits: u64, winrate: f64| (visits as f64).sqrt() * winrate * (1.0 - winrate) + 1e-9;
    let visited: Vec<_> =
        report.candidates.iter().filter(|candidate| candidate.visits > 0).collect();
    let total: f64 = visited.iter().map(|c| weight(c.visits, c.winrate)).sum();
    let mut left = rng.unit() * total;
    for candidate in &visited {
        left -= weight(candidate.visits, candidate.winrate);
        if left <= 0.0 {
            let length = 1 + rng.below(candidate.variation.len() as u32) as usize;
            return &candidate.variation[..length];
        }
    }
    &[]
}

/// A legal move that fills no eye, any of them.
fn surprise(game: &mut Game, rng: &mut Rng) {
    let (board, color) = (game.board(), game.board().to_play());
    let mut moves: Vec<Point> = board.empty_points().to_vec();
    // The order of the list depends on the history of the board.
    moves.sort_unstable();
    moves.retain(|&point| board.is_legal(color, point) && !board.is_eye(color, point));
    if moves.is_empty() {
        return;
    }
    let point = moves[rng.below(moves.len() as u32) as usize];
    // Superko may still refuse it: then there is one surprise less.
    let _ = game.play(Move::new(color, point));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> MainLine {
        let mut game = MainLine::default();
        game.parse_line(
            b"(;SZ[9]KM[5.5]RE[B+3.5];B[ee];W[cc];B[gc];W[cg];B[gg];W[ec];B[dd];W[dc])",
        )
        .unwrap();
        game
    }

    fn chooser(search: f64, unexpected: f64) -> Chooser {
        let mut overrides = Overrides::default();
        overrides.add_file("search.threads=1\nsearch.seed=1\nsearch.memory=4\n").unwrap();
        Chooser::new(&overrides, 30, search, unexpected)
    }

    #[test]
    fn the_choice_follows_from_seed_and_number() {
        let asked = chooser(0.5, 0.5).choose(&game(), 6, 1, 7);
        assert!(!asked.is_empty() && asked.len() <= 6);
        assert_eq!(chooser(0.5, 0.5).choose(&game(), 6, 1, 7), asked);
        assert_ne!(chooser(0.5, 0.5).choose(&game(), 6, 1, 8), asked);
    }

    #[test]
    fn positions_of_the_game_itself_and_beyond() {
        let length = |asked: &Asked| {
            let moves = game().moves;
            asked.moves.iter().zip(&moves).take_while(|(a, b)| a == b).count()
        };
        for asked in chooser(0.0, 0.0).choose(&game(), 9, 1, 1) {
            assert_eq!(length(&asked), asked.moves.len());
        }
        let beyond = chooser(0.0, 1.0).choose(&game(), 9, 1, 1);
        assert!(beyond.iter().any(|asked| length(asked) < asked.moves.len()));
        let searched = chooser(1.0, 0.0).choose(&game(), 9, 1, 1);
        assert!(searched.iter().any(|asked| length(asked) < asked.moves.len()));
    }

    #[test]
    fn a_written_position_has_the_key_it_had() {
        for asked in chooser(0.0, 1.0).choose(&game(), 9, 3, 1) {
            let moves: Vec<String> =
                asked.moves.iter().map(|play| play.point.to_string()).collect();
            let (komi, moves) = (asked.komi, moves.join(" "));
            let line = format!(r#"{{"size":9,"komi":{komi},"moves":"{moves}","first":"B"}}"#);
            let again = Asked::of_line(&line).unwrap();
            assert_eq!(again.key(), asked.key());
        }
    }
}
