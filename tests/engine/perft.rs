//! Numbers that others have published or computed: legal positions, perft, numbers of games.
//!
//! Legal positions are those of Tromp and Farnebäck, "Combinatorics of Go". The perft tables were
//! computed with two independent implementations; they count sequences of stones from the empty
//! board, Black first, strictly alternating, without passes.

use std::collections::HashSet;
use tengen::board::Board;
use tengen::board::naive::NaiveBoard;
use tengen::game::{Game, KoRule, Rules};
use tengen::types::{Color, Move, Point, points};
use tengen::workshop::perft::{Dimensions, Variant};

/// Calls a function with every way to colour `points` points.
fn every_colouring(points: usize, mut see: impl FnMut(&[Option<Color>])) {
    let mut colours = vec![None; points];
    loop {
        see(&colours);
        // Count upwards in base three.
        let carry = |colour: &mut Option<Color>| {
            *colour = match *colour {
                None => Some(Color::Black),
                Some(Color::Black) => Some(Color::White),
                Some(Color::White) => None,
            };
            colour.is_none()
        };
        if colours.iter_mut().all(carry) {
            return;
        }
    }
}

#[test]
fn legal_positions_on_the_naive_board() {
    for (width, height, legal) in [
        (1, 1, 1),
        (1, 2, 5),
        (1, 3, 15),
        (1, 4, 41),
        (1, 5, 113),
        (1, 6, 313),
        (1, 7, 867),
        (1, 8, 2_401),
        (1, 9, 6_649),
        (2, 1, 5),
        (2, 2, 57),
        (2, 3, 489),
        (2, 4, 4_125),
        (2, 5, 35_117),
        (3, 1, 15),
        (3, 2, 489),
        (3, 3, 12_675),
        (3, 4, 321_689),
        (4, 3, 321_689),
    ] {
        let mut board = NaiveBoard::new(width, height, false);
        let mut count = 0;
        every_colouring(width * height, |colours| {
            for (at, &colour) in colours.iter().enumerate() {
                board.set(at, colour);
            }
            count += usize::from(board.is_position_legal());
        });
        assert_eq!(count, legal, "{width}x{height}");
    }
}

/// A game can be set up from a list of stones if and only if the position is legal.
#[test]
fn legal_positions_are_those_that_a_game_accepts_as_setup() {
    for (size, legal) in [(2, 57), (3, 12_675)] {
        let all: Vec<Point> = points(size).collect();
        let mut count = 0;
        every_colouring(size * size, |colours| {
            let stones: Vec<Move> = all
                .iter()
                .zip(colours)
                .filter_map(|(&point, colour)| colour.map(|colour| Move::new(colour, point)))
                .collect();
            let mut game = Game::new(size, Rules::CHINESE);
            if game.set_up(&stones, Color::Black).is_ok() {
                count += 1;
                assert_eq!(game.board().check(), Ok(()));
            }
        });
        assert_eq!(count, legal, "{size}x{size}");
    }
}

/// On the fast board the points are filled one after the other. Every part of a legal position is
/// legal too (a part of a chain either is the chain, or has a neighbour not yet placed), so the
/// first stone that is suicide or takes something ends a branch, and what arrives at the last
/// point is counted without playing. That makes 4x4, 43 million colourings, a matter of seconds.
#[test]
fn legal_positions_on_the_fast_board_up_to_4x4() {
    fn count(boards: &mut [Board], points: &[Point]) -> u64 {
        let Some((&point, rest)) = points.split_first() else { return 1 };
        let Some((board, above)) = boards.split_first_mut() else { return 0 };
        let fits = |color: Color| {
            let mut around = point.neighbors().into_iter();
            let captures = around.any(|n| board.is_stone(n, !color) && board.is_in_atari(n));
            !captures && !board.is_suicide(color, point)
        };
        let fitting = Color::BOTH.into_iter().filter(|&color| fits(color));
        if rest.is_empty() {
            return 1 + fitting.count() as u64;
        }
        let fitting: Vec<Color> = fitting.collect();
        above[0].copy_from(board);
        let mut sum = count(above, rest);
        for color in fitting {
            above[0].copy_from(board);
            above[0].put_setup_stone(color, point);
            sum += count(above, rest);
        }
        sum
    }
    for (size, legal) in [(2, 57), (3, 12_675), (4, 24_318_165)] {
        let mut boards = vec![Board::new(size); size * size];
        let points: Vec<Point> = points(size).collect();
        assert_eq!(count(&mut boards, &points), legal, "{size}x{size}");
    }
}

/// Width, height, suicide, superko, and the number of sequences of 1, 2, 3, ... stones.
type Row = (usize, usize, bool, bool, &'static [u64]);

const PERFT: [Row; 20] = [
    (2, 2, false, false, &[4, 12, 24, 16, 32, 32, 32, 96, 192, 128, 256, 256]),
    (2, 2, false, true, &[4, 12, 24, 16, 32, 32, 16, 48, 80, 32, 64, 32]),
    (2, 2, true, false, &[4, 12, 24, 16, 32, 32, 32, 96, 192, 128, 256, 256]),
    (2, 2, true, true, &[4, 12, 24, 16, 32, 32, 16, 48, 80, 32, 64, 32]),
    (3, 2, false, false, &[6, 30, 120, 336, 616, 664, 1232, 2088, 2096, 6144]),
    (3, 2, false, true, &[6, 30, 120, 336, 616, 664, 1232, 2088, 2064, 5760]),
    (3, 2, true, false, &[6, 30, 120, 344, 728, 1184, 2424, 3824, 3800, 9760]),
    (3, 2, true, true, &[6, 30, 120, 344, 728, 1184, 2424, 3824, 3768, 9248]),
    (3, 3, false, false, &[9, 72, 504, 2976, 14720, 56176, 168144, 343008]),
    (3, 3, false, true, &[9, 72, 504, 2976, 14720, 56176, 168112, 342528]),
    (3, 3, true, false, &[9, 72, 504, 2976, 14720, 57040, 177936, 440416]),
    (3, 3, true, true, &[9, 72, 504, 2976, 14720, 57040, 177904, 439936]),
    (4, 4, false, false, &[16, 240, 3360, 43576, 521800, 5695072]),
    (4, 4, false, true, &[16, 240, 3360, 43576, 521800, 5695072]),
    (4, 4, true, false, &[16, 240, 3360, 43576, 521800, 5697328]),
    (4, 4, true, true, &[16, 240, 3360, 43576, 521800, 5697328]),
    (5, 5, false, false, &[25, 600, 13800, 303424, 6368416]),
    (5, 5, false, true, &[25, 600, 13800, 303424, 6368416]),
    (5, 5, true, false, &[25, 600, 13800, 303424, 6368416]),
    (5, 5, true, true, &[25, 600, 13800, 303424, 6368416]),
];

fn check_perft(rows: impl Fn(&Row) -> bool) {
    let mut rows_seen = 0;
    for &(width, height, suicide, superko, counts) in PERFT.iter().filter(|&row| rows(row)) {
        let ko = if superko { KoRule::Positional } else { KoRule::Simple };
        let variant = Variant { dimensions: Dimensions { width, height }, ko, suicide };
        for (index, &count) in counts.iter().enumerate() {
            assert_eq!(variant.count(index + 1), count, "{variant:?} depth {}", index + 1);
        }
        rows_seen += 1;
    }
    assert!(rows_seen > 0);
}

#[test]
fn perft_on_small_boards() {
    check_perft(|row| row.0 < 4);
}

#[test]
fn perft_on_4x4_and_5x5_with_the_fast_board() {
    check_perft(|row| row.0 >= 4 && !row.2);
}

#[test]
fn perft_on_4x4_with_suicide() {
    check_perft(|row| row.0 == 4 && row.2);
}

#[test]
fn perft_on_5x5_with_suicide() {
    check_perft(|row| row.0 == 5 && row.2);
}

/// Games under positional superko when passes are free: simple paths from the empty board in the
/// graph whose edges are moves of either colour. The game without a move counts.
#[test]
fn numbers_of_games_with_superko() {
    fn games(board: &NaiveBoard, seen: &mut HashSet<Vec<Option<Color>>>) -> u64 {
        let mut sum = 1;
        for color in Color::BOTH {
            for at in 0..board.len() {
                let Some(after) = board.pass().play(color, at) else { continue };
                if seen.insert(after.cells().to_vec()) {
                    sum += games(&after, seen);
                    seen.remove(after.cells());
                }
            }
        }
        sum
    }
    for (width, number) in [(1, 1), (2, 9), (3, 907)] {
        for suicide in [false, true] {
            let empty = NaiveBoard::new(width, 1, suicide);
            let mut seen = HashSet::from([empty.cells().to_vec()]);
            assert_eq!(games(&empty, &mut seen), number, "1x{width}");
        }
    }
}
