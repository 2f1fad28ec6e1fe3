//! Hand-written knowledge of good moves, for searches without the learned model.
//!
//! Each feature of a move has a strength, and a move's own is their product, as in the patterns of
//! Coulom (Baudis' slides, "Elo Patterns"): a capture beside the last move on the third line counts
//! as all three. Divided by the sum over all moves it is a probability, which the search treats
//! as it treats the model's.
//!
//! The features are chosen by hand; their strengths (`hand.*` in the parameters) are those that
//! make the moves of strong players likeliest, rounded. `tengen predict --hand` measures them.

mod fate;
mod joseki;
mod nearness;
mod place;
mod posture;
mod surroundings;

use crate::board::Board;
use crate::params::HandParams;
use crate::playout::MogoPatterns;
use crate::tactics::{self, Candidates, Reader};
use crate::types::{Cell, Point, PointMap};
use fate::Fates;
use nearness::{AWAY, Nearness};
use place::Places;
use surroundings::{Around, Seen, TOUCHING, influence};

/// Influence at which a point counts as wholly settled.
const SETTLED: f32 = 1.5;

/// The knowledge with its strengths, and room to work in.
pub struct Hand {
    params: HandParams,
    patterns: MogoPatterns,
    reader: Reader,
}

impl Hand {
    /// The knowledge with these strengths.
    pub fn new(params: &HandParams) -> Hand {
        Hand { params: params.clone(), patterns: MogoPatterns::get(), reader: Reader::new() }
    }

    /// Gives each of these moves, and a pass, its probability. `owner` says whose each point is at the end of
    /// playouts, from -1 for White to 1 for Black; 0 if that is not known.
    pub fn weigh(
        &mut self,
        board: &Board,
        moves: &[Point],
        owner: &PointMap<f32>,
        out: &mut PointMap<f32>,
    ) {
        let urgency = self.urgency(board);
        let influence = influence(board);
        let places = Places::new(&self.params, board);
        let fates = Fates::new(&self.params, board, owner);
        let nearness = Nearness::new(&self.params, board);
        let mut total = self.params.pass as f32;
        out[Point::PASS] = total;
        for &point in moves {
            let around = Around::new(board, point);
            let last = nearness.to_last(point);
            let settled = influence[point].abs().min(SETTLED);
            let strength = urgency[point]
                * nearness.strength(point)
                * (self.params.settled as f32).powf(settled)
                * fates.strength(point, last > AWAY)
                * (self.contact(board, &around, last)
                    * posture::strength(&self.params, board.shape(point), board.to_play())
                    * self.shape(board, &around)
                    * places.strength(point)) as f32;
            out[point] = strength;
            total += strength;
        }
        for &point in moves.iter().chain([&Point::PASS]) {
            out[point] /= total;
        }
    }

    /// What chains with one and two liberties ask for.
    fn urgency(&mut self, board: &Board) -> PointMap<f32> {
        let color = board.to_play();
        let last = board.last_move();
        let params = &self.params;
        let mut urgency = PointMap::filled(1.0f32);
        let mut raise = |moves: &[Point], strength: f64| {
            for &point in moves {
                urgency[point] *= strength as f32;
            }
        };
        for stone in board.points() {
            if board.head(stone) != stone {
                continue;
            }
            let size = f64::from(board.chain_size(stone)).sqrt();
            let mut moves = Candidates::default();
            match (board.liberty_count(stone), board.is_stone(stone, color)) {
                (1, true) => {
                    tactics::saves(board, stone, &mut self.reader, &mut moves);
                    let new =
                        !last.is_pass() && last.neighbors().iter().any(|&p| board.head(p) == stone);
                    raise(&moves, if new { params.save * size } else { params.save_late * size });
                }
                (1, false) => {
                    moves.extend(tactics::capture_point(board, stone));
                    let rescue =
                        touches(board, stone, |p| board.is_stone(p, color) && board.is_in_atari(p));
                    let strength = if takes_back_ko(board, stone, &moves) {
                        params.retake
                    } else if rescue {
                        params.rescue * size
                    } else if self.reader.is_extension_lost(board, stone) {
                        params.capture_dead * size
                    } else {
                        params.capture * size
                    };
                    raise(&moves, strength);
                }
                (2, own) => match (self.reader.capture_by_ladder(board, stone), own) {
                    (Some(_), true) => {
                        tactics::defenses(board, stone, &mut moves);
                        raise(&moves, params.escape * size);
                    }
                    (Some(first), false) => raise(&[first], params.ladder * size),
                    (None, true) => {}
                    (None, false) => raise(&board.two_liberties(stone), params.atari * size),
                },
                _ => {}
            }
        }
        for &point in board.empty_points() {
            if tactics::vital_point(board, point).is_some_and(|(vital, _)| vital == point) {
                raise(&[point], params.vital);
            }
        }
        urgency
    }

    /// What the stones say that the move touches, and the 3x3 patterns.
    fn contact(&self, board: &Board, around: &Around, last: usize) -> f64 {
        let params = &self.params;
        let (color, point) = (board.to_play(), around.point);
        if tactics::is_bad_self_atari(board, color, point) {
            return params.self_atari;
        }
        let after = board.liberties_after::<6>(color, point).len() as u32;
        let close = last <= TOUCHING + 1;
        let mut strength = match (self.patterns.matches(board.shape(point)), close) {
            (true, true) => params.pattern_near,
            (true, false) => params.pattern,
            (false, _) => 1.0,
        };
        let [own, enemy] = [&around.own, &around.enemy];
        if own.stones > 0 {
            if after == 2 {
                strength *= params.two_left;
            }
            if after <= own.liberties {
                strength *= params.clumsy;
            } else if own.liberties <= 3 && after >= own.liberties + 2 {
                strength *= params.strengthen;
            }
            if own.chains > 1 {
                strength *= match (around.is_watched(), last == TOUCHING) {
                    (true, true) => params.connect_near,
                    (true, false) => params.connect,
                    (false, _) => params.connect_idly,
                };
            }
            if enemy.stones == 0 {
                strength *= match (own.stones, last == TOUCHING + 1) {
                    (_, true) => params.stretch_near,
                    (1, false) => 1.0,
                    (_, false) => params.solid,
                };
            }
        }
        if enemy.stones > 0 {
            strength *= params.contact;
            strength *= match (after, enemy.liberties) {
                (1, 2..) => params.sacrifice,
                (2, 3) => params.thin_three,
                (2, 4..) => params.thin,
                _ => 1.0,
            };
            strength *= match enemy.liberties {
                3 => params.press,
                4 => params.press.sqrt(),
                _ => 1.0,
            };
            if own.stones + own.diagonal == 0 {
                strength *= params.alone;
            }
            if enemy.stones > 1 && own.stones == 0 {
                strength *= params.pocket;
            }
        }
        strength
    }

    /// Good shape with, and against, stones at two or three points' distance.
    fn shape(&self, board: &Board, around: &Around) -> f64 {
        let params = &self.params;
        if around.is_touching() {
            return 1.0;
        }
        let seen = Seen::from(board, around.point);
        let [own, enemy] = [board.to_play(), board.to_play().opponent()].map(Cell::from);
        let when = |at: &[Cell], cell, strength| if at.contains(&cell) { strength } else { 1.0 };
        when(&seen.jump, own, params.jump)
            * when(&seen.keima, own, params.keima)
            * when(&seen.long_jump, own, params.long_jump)
            * when(&seen.large_keima, own, params.large_keima)
            * when(&seen.diagonal_jump, own, params.diagonal_jump)
            * when(&seen.large_keima, enemy, params.enemy_large_keima)
            * when(&seen.jump, enemy, params.enemy_jump)
            * when(&seen.keima, enemy, params.enemy_keima)
    }
}

/// Does the capture of this stone take a ko back that the opponent took before his last move?
fn takes_back_ko(board: &Board, stone: Point, capture: &[Point]) -> bool {
    let [_, _, third_last, _] = board.last_moves();
    let is_ko = |point: &Point| {
        let neighbors = point.neighbors();
        neighbors.iter().all(|&p| !board.is_empty(p) && !board.is_stone(p, board.to_play()))
    };
    stone == third_last && capture.iter().any(is_ko)
}

/// Is there such a point beside the chain?
fn touches(board: &Board, stone: Point, what: impl Fn(Point) -> bool) -> bool {
    board.chain(stone).any(|stone| stone.neighbors().into_iter().any(&what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;

    fn weigh(board: &Board) -> PointMap<f32> {
        weigh_with(board, &PointMap::filled(0.0))
    }

    fn weigh_with(board: &Board, owner: &PointMap<f32>) -> PointMap<f32> {
        let mut points = board.empty_points().to_vec();
        points.retain(|&point| board.is_legal(board.to_play(), point));
        let mut out = PointMap::filled(0.0);
        Hand::new(&Params::for_size(board.size()).hand).weigh(board, &points, owner, &mut out);
        let total: f32 = points.iter().chain([&Point::PASS]).map(|&point| out[point]).sum();
        assert!((total - 1.0).abs() < 1e-4);
        out
    }

    /// White's likeliest move after Black's last at `l` is `a`, and few are less likely than `b`.
    fn check(diagram: &str) {
        let mut diagram = Diagram::parse(diagram).unwrap();
        diagram.board.play_legal(diagram.mark('l'));
        let out = weigh(&diagram.board);
        let points = diagram.board.empty_points();
        let best = points.iter().max_by(|&&a, &&b| out[a].total_cmp(&out[b]));
        assert_eq!(best, Some(&diagram.mark('a')));
        let worse = points.iter().filter(|&&point| out[point] < out[diagram.mark('b')]).count();
        assert!(worse <= points.len() / 4, "{worse} of {}", points.len());
    }

    #[test]
    fn a_chain_is_saved_and_the_open_edge_left_alone() {
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . X . . . . .
             . . X O a . . . .
             . . . l . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . b",
        );
    }

    #[test]
    fn a_capture_is_better_than_a_pattern_and_a_self_atari_is_bad() {
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . X O . . . .
             . . . O X O . . .
             . . . . a . . . .
             . . . l . . . . .
             . . . . . . . X .
             . . . . . . X b .",
        );
    }

    #[test]
    fn a_ko_is_taken_back_after_a_threat_rather_than_later() {
        let diagram = Diagram::parse(
            ". . . . . . . . .
             . . X O . . . . .
             . X k a O . . . .
             . . X O . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . t u
             . . . . . . . . .
             . . . . . . . v w",
        )
        .unwrap();
        let ko = diagram.mark('a');
        let play = |marks: &str| {
            let mut board = diagram.board.clone();
            marks.chars().for_each(|mark| board.play_legal(diagram.mark(mark)));
            board
        };
        assert_eq!(play("ak").ko(), ko);
        let odds = |board: &Board| {
            let out = weigh(board);
            out[ko] / out[Point::PASS]
        };
        assert!(odds(&play("aktu")) > 2.0 * odds(&play("aktuvw")));
    }

    #[test]
    fn a_large_board_is_opened_in_the_corners() {
        let mut board = Board::new(19);
        for corner in [(4, 4), (16, 4), (4, 16), (16, 17)] {
            let out = weigh(&board);
            let best = board.points().max_by(|&a, &b| out[a].total_cmp(&out[b])).unwrap();
            let from_edge = |n: usize| n.min(20 - n);
            assert!((3..=4).contains(&from_edge(best.column())), "{best}");
            assert!((3..=4).contains(&from_edge(best.row())), "{best}");
            board.play_legal(Point::new(corner.0, corner.1));
        }
    }

    #[test]
    fn what_playouts_give_to_one_side_is_left_alone_unless_it_answers() {
        let mut board = Board::new(19);
        board.play_legal(Point::new(3, 3));
        let open = weigh(&board);
        let owners = |owner: f32| weigh_with(&board, &PointMap::filled(owner));
        let (near, far) = (Point::new(4, 4), Point::new(16, 16));
        let odds = |out: &PointMap<f32>, point| out[point] / out[Point::PASS];
        // White is to move: 1 is the opponent's, -1 is own.
        assert!(odds(&owners(1.0), far) < 0.3 * odds(&open, far));
        assert!(odds(&owners(1.0), near) < 0.3 * odds(&open, near));
        assert!(odds(&owners(-1.0), far) < 0.3 * odds(&open, far));
        let same = |a: f32, b: f32| (a / b - 1.0).abs() < 1e-4;
        assert!(odds(&owners(-1.0), near) > 0.5 * odds(&open, near));
        assert!(same(odds(&owners(0.1), far), odds(&open, far)));
    }
}
