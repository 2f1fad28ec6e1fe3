//! What is believed of moves where no model is asked: the prior values of Baudis' slides.
//!
//! A hint is so many imagined playouts of a move, won or lost, on top of those of the even game that
//! every move has. There are those of the playouts' rules (capture, save, atari, 3x3 pattern,
//! self-atari), nearness to the last move by common-fate distance, and the border. Each has its
//! number of visits in `prior.*`; 0 turns it off.
//!
//! The visits are those of an earlier build and were not beaten: on 9x9 (1,000 playouts, two new_children of
//! 348 positions) they lose 1.82 points a move, more for each hint or Pachi's numbers 1.81 to 2.12.
//! Strengths that multiply, fitted to games, lost 1.47 and are gone: 93 parameters and a third of
//! the search's code (`docs/experiments/0001-hand-written-knowledge.md`).

use crate::board::Board;
use crate::params::PriorParams;
use crate::playout::MogoPatterns;
use crate::tactics::{self, Candidates, Reader};
use crate::types::{Point, PointMap, is_small};

/// Common-fate distance up to which a move is near the last one.
const NEAR: u8 = 3;
/// The border is a hint only where no stone is within so many lines.
const OPEN: usize = 2;
/// Line from the border on which an open board is begun.
const OPENING_LINE: usize = 3;

/// Imagined playouts of the moves of one position.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub(super) won: PointMap<f32>,
    pub(super) lost: PointMap<f32>,
}

/// Gives hints, and has room to work in. One for each thread.
pub(super) struct Hints {
    params: PriorParams,
    patterns: MogoPatterns,
    reader: Reader,
    belief: Belief,
}

impl Hints {
    pub(super) fn new(params: &PriorParams) -> Hints {
        Hints {
            params: params.clone(),
            patterns: MogoPatterns::get(),
            reader: Reader::new(),
            belief: Belief { won: PointMap::filled(0.0), lost: PointMap::filled(0.0) },
        }
    }

    /// What is believed of these moves of the player to move.
    pub(super) fn believe(&mut self, board: &Board, moves: &[Point]) -> &Belief {
        self.belief.won.fill(0.0);
        self.belief.lost.fill(0.0);
        self.weak_chains(board);
        self.shapes(board, moves);
        self.near_last(board, moves);
        self.border(board, moves);
        &self.belief
    }

    /// Captures, saves and ataris.
    fn weak_chains(&mut self, board: &Board) {
        let Hints { params, reader, belief, .. } = self;
        let color = board.to_play();
        for stone in board.points().filter(|&point| board.head(point) == point) {
            let mut moves = Candidates::default();
            let visits = match (board.liberty_count(stone), board.is_stone(stone, color)) {
                (1, false) => {
                    moves.extend(tactics::capture_point(board, stone));
                    params.capture
                }
                (1, true) => {
                    tactics::saves(board, stone, reader, &mut moves);
                    params.save
                }
                (2, false) => {
                    tactics::attacks(board, stone, &mut moves);
                    params.atari
                }
                _ => continue,
            };
            // Two stones count half as much again as one, three or more twice as much.
            let size = board.chain_size(stone).min(3) as f32;
            for &point in moves.iter() {
                let won = &mut belief.won[point];
                *won = won.max(visits as f32 * (0.5 + 0.5 * size));
            }
        }
    }

    /// 3x3 patterns and bad self-ataris.
    fn shapes(&mut self, board: &Board, moves: &[Point]) {
        for &point in moves {
            if tactics::is_bad_self_atari(board, board.to_play(), point) {
                self.belief.lost[point] += self.params.self_atari as f32;
            } else if self.patterns.matches(board.shape(point)) {
                self.belief.won[point] += self.params.pattern as f32;
            }
        }
    }

    /// Points near the last move: all visits beside its chain, two thirds and one third farther away.
    fn near_last(&mut self, board: &Board, moves: &[Point]) {
        let distance = tactics::common_fate_distance(board, board.last_move(), NEAR);
        for &point in moves.iter().filter(|&&point| distance[point] <= NEAR) {
            let share = f32::from(NEAR + 1 - distance[point].max(1)) / f32::from(NEAR);
            self.belief.won[point] += self.params.near as f32 * share;
        }
    }

    /// Where the board is open, the first line is bad and the third is good.
    fn border(&mut self, board: &Board, moves: &[Point]) {
        let visits = self.params.border as f32;
        for &point in moves.iter().filter(|&&point| is_open(board, point)) {
            match point.line(board.size()) {
                1 => self.belief.lost[point] += visits,
                OPENING_LINE => self.belief.won[point] += visits,
                line if line > OPENING_LINE && is_small(board.size()) => {
                    self.belief.won[point] += visits;
                }
                _ => {}
            }
        }
    }
}

/// Is there no stone within [`OPEN`] lines?
fn is_open(board: &Board, point: Point) -> bool {
    let range = |n: usize| n.saturating_sub(OPEN).max(1)..=(n + OPEN).min(board.size());
    range(point.row())
        .all(|row| range(point.column()).all(|column| board.is_empty(Point::new(column, row))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;
    use crate::types::Color;

    const HINTS: [&str; 7] =
        ["capture", "save", "atari", "self_atari", "pattern", "near", "border"];

    /// Black is to move, after White's last move at `l` if there is one. With ten visits for this
    /// hint and none for the others, `a` is won in so many playouts and `b` lost, and nothing else
    /// than these (and `c`, `d`) has any.
    fn check(hint: &str, diagram: &str, visits: f32) -> (Diagram, Belief) {
        let mut diagram = Diagram::parse(diagram).unwrap();
        if let [last] = diagram.marked('l')[..] {
            diagram.board.set_to_play(Color::White);
            diagram.board.play_legal(last);
        }
        let board = &diagram.board;
        let mut params = Params::for_size(board.size());
        for name in HINTS {
            let visits = if name == hint { "10" } else { "0" };
            params.set(&format!("prior.{name}"), visits).unwrap();
        }
        let mut moves = board.empty_points().to_vec();
        moves.retain(|&point| board.is_legal(board.to_play(), point));
        let belief = Hints::new(&params.prior).believe(board, &moves).clone();
        let any = diagram.marked('c').into_iter().chain(diagram.marked('d')).collect::<Vec<_>>();
        for &point in moves.iter().filter(|point| !any.contains(point)) {
            let expected = [('a', visits, 0.0), ('b', 0.0, visits)].into_iter();
            let expected = expected.filter(|&(mark, ..)| diagram.marked(mark).contains(&point));
            let (won, lost) = expected.map(|(_, won, lost)| (won, lost)).next().unwrap_or_default();
            assert_eq!((belief.won[point], belief.lost[point]), (won, lost), "{point}\n{board}");
        }
        (diagram, belief)
    }

    #[test]
    fn a_chain_in_atari_is_captured_by_its_size() {
        check(
            "capture",
            ". . . . . . .
             . X . . . . .
             X O a . . . .
             . X . . . . .
             . . . . . . .
             . . . . . O .
             . . . . O X .",
            10.0,
        );
        check(
            "capture",
            ". . . . . . .
             . X X X . . .
             X O O O a . .
             . X X X . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
            20.0,
        );
    }

    #[test]
    fn a_chain_in_atari_is_saved_unless_it_cannot_be() {
        check(
            "save",
            ". . . . . . .
             . . O . . . .
             . O X a . . .
             . . O . . . .
             . . . . . . .
             O O O . . . .
             O X . O . . .",
            10.0,
        );
    }

    #[test]
    fn an_atari_leaves_no_room_to_run() {
        check(
            "atari",
            ". . . . . .
             . . . . . .
             . . X . . .
             . . X . . .
             . X O a . .
             . . c . . .",
            10.0,
        );
    }

    #[test]
    fn a_bad_self_atari_is_lost() {
        check(
            "self_atari",
            ". . . . .
             . . . . .
             . O . . .
             . O . . .
             b O . . .",
            10.0,
        );
    }

    #[test]
    fn a_pattern_is_won_wherever_it_is() {
        let (diagram, belief) = check(
            "pattern",
            "l . . . . . .
             . . . . . . .
             . . . . . . .
             . c c c c c .
             . c X O X c .
             . c c d c c .
             . . . . . . .",
            10.0,
        );
        assert_eq!(belief.won[diagram.mark('d')], 10.0);
    }

    #[test]
    fn nearness_falls_with_the_common_fate_distance() {
        let (diagram, belief) = check(
            "near",
            ". . d c d . .
             . d c a c d .
             d c a l a c d
             . d c a c d .
             . . d c d . .
             . . . d . . .
             . . . . . . .",
            10.0,
        );
        assert!(diagram.marked('c').iter().all(|&point| (belief.won[point] - 6.667).abs() < 0.01));
        assert!(diagram.marked('d').iter().all(|&point| (belief.won[point] - 3.333).abs() < 0.01));
        // A chain is one place: what touches its other end is as near.
        check(
            "near",
            "d d d d d d d d d d d
             d d d d d d d d d d d
             d d a a a a d d d d d
             d a O O O l a d d d d
             d d a a a a d d d d d
             d d d d d d d d d d d
             d d d d d d d d d d d
             . . . . . . . . . . .
             . . . . . . . . . . .
             . . . . . . . . . . .
             . . . . . . . . . . .",
            10.0,
        );
    }

    #[test]
    fn an_open_board_is_begun_on_the_third_line() {
        let small = "b b b b . . . . .
                     b . . . . . . . .
                     b . a a . . X . .
                     b . a a . . . . .
                     b . a a . . . . .
                     b . a a a a a . b
                     b . a a a a a . b
                     b . . . . . . . b
                     b b b b b b b b b";
        check("border", small, 10.0);
        let rows = (1..=13).map(|row: usize| {
            let cell = |column: usize| match row.min(14 - row).min(column.min(14 - column)) {
                1 => "b ",
                3 => "a ",
                _ => ". ",
            };
            (1..=13).map(cell).collect::<String>()
        });
        check("border", &rows.collect::<Vec<_>>().join("\n"), 10.0);
    }
}
