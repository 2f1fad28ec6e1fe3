//! The comparisons: everything the fast board says against the definition.

use super::events::Events;
use super::oracle::{History, Oracle};
use tengen::board::Board;
use tengen::game::{Game, PlayError};
use tengen::types::{CELLS, Cell, Color, Move, Point, Rng};

/// Stones, chains, lists, hash, shapes, prisoners, score.
pub fn position(board: &Board, oracle: &Oracle, prisoners: [usize; 2]) {
    if let Err(violation) = board.check() {
        panic!("{violation}\n{board}");
    }
    for index in 0..CELLS {
        let point = Point::from_index(index);
        let cell = match oracle.at(point) {
            None => Cell::Border,
            Some(at) => oracle.board.stone(at).map_or(Cell::Empty, Cell::from),
        };
        assert_eq!(board.cell(point), cell, "cell {point}\n{board}");
    }
    for at in oracle.all() {
        let point = oracle.point(at);
        assert_eq!(board.shape(point).code(), oracle.shape_code(at), "shape of {point}\n{board}");
        if oracle.board.stone(at).is_none() {
            assert!(board.head(point).is_pass(), "head of {point}\n{board}");
            for color in Color::BOTH {
                let eye = oracle.is_eye(color, at);
                assert_eq!(board.is_eye(color, point), eye, "{color} eye at {point}\n{board}");
            }
        }
    }
    let mut empty = board.empty_points().to_vec();
    empty.sort_unstable();
    let expected = oracle.all().filter(|&at| oracle.board.stone(at).is_none());
    assert!(empty.into_iter().eq(expected.map(|at| oracle.point(at))), "empty points\n{board}");
    for color in Color::BOTH {
        assert_eq!(board.stone_count(color), oracle.stones(color), "{board}");
        assert_eq!(board.prisoners(color), prisoners[color.index()], "{board}");
    }
    assert_eq!(board.hash(), oracle.hash(), "{board}");
    assert_eq!(board.area_score(), oracle.area_score(), "{board}");
    chains(board, oracle);
}

fn chains(board: &Board, oracle: &Oracle) {
    for chain in &oracle.chains {
        let stones: Vec<Point> = chain.stones.iter().map(|&at| oracle.point(at)).collect();
        let liberties: Vec<Point> = chain.liberties.iter().map(|&at| oracle.point(at)).collect();
        let head = board.head(stones[0]);
        for &stone in &stones {
            assert_eq!(board.head(stone), head, "head of {stone}\n{board}");
            assert_eq!(board.liberty_count(stone) as usize, liberties.len(), "{stone}\n{board}");
            assert_eq!(board.chain_size(stone) as usize, stones.len(), "{stone}\n{board}");
            assert_eq!(board.is_in_atari(stone), liberties.len() == 1, "{stone}\n{board}");
        }
        let mut walked: Vec<Point> = board.chain(head).collect();
        walked.sort_unstable();
        assert_eq!(walked, stones, "{board}");
        match liberties[..] {
            [liberty] => assert_eq!(board.atari_liberty(head), liberty, "{board}"),
            [low, high] => assert_eq!(board.two_liberties(head), [high, low], "{board}"),
            _ => {}
        }
        some_of(&board.liberties::<2>(head), &liberties, 2, board);
        some_of(&board.liberties::<3>(head), &liberties, 3, board);
        some_of(&board.liberties::<8>(head), &liberties, 8, board);
    }
}

/// As many of the liberties as there are, or as fit, each once.
fn some_of(found: &[Point], liberties: &[Point], most: usize, board: &Board) {
    let distinct = (1..found.len()).all(|i| !found[..i].contains(&found[i]));
    let right = found.len() == liberties.len().min(most)
        && distinct
        && found.iter().all(|point| liberties.contains(point));
    assert!(right, "at most {most} of {liberties:?}, found {found:?}\n{board}");
}

/// Legality of every cell for both colours. Delicate points, and `others` percent of the rest,
/// are played on the naive board, and what the move leads to is compared too.
pub fn every_point(
    game: &Game,
    oracle: &Oracle,
    history: &History,
    others: u32,
    rng: &mut Rng,
    events: &mut Events,
) {
    let board = game.board();
    for index in 0..CELLS {
        let point = Point::from_index(index);
        let empty = oracle.at(point).filter(|&at| oracle.board.stone(at).is_none());
        let Some(at) = empty else {
            for color in Color::BOTH {
                assert!(!board.is_legal(color, point), "{color} {point}\n{board}");
            }
            continue;
        };
        let probed = oracle.is_delicate(at) || rng.below(100) < others;
        for color in Color::BOTH {
            if probed {
                probe(game, oracle, history, color, at, events);
            } else {
                assert!(board.is_legal(color, point), "{color} {point}\n{board}");
            }
        }
    }
}

/// Asks the fast board about a move and compares with the naive board after that move.
fn probe(
    game: &Game,
    oracle: &Oracle,
    history: &History,
    color: Color,
    at: usize,
    events: &mut Events,
) {
    events.probes += 1;
    let (board, point) = (game.board(), oracle.point(at));
    let verdict = oracle.judge(color, point, history, game.rules().ko);
    let suicide = verdict.error == Some(PlayError::Suicide);
    let legal = !suicide && verdict.error != Some(PlayError::Ko);
    assert_eq!(board.is_suicide(color, point), suicide, "{color} {point}\n{board}");
    assert_eq!(board.is_legal(color, point), legal, "{color} {point}\n{board:?}");
    let play = Move::new(color, point);
    assert_eq!(game.is_legal(play), verdict.error.is_none(), "{color} {point}\n{board:?}");
    events.superko_hits += usize::from(verdict.error == Some(PlayError::Superko));

    let liberties = verdict.after.map_or(Vec::new(), |after| after.chain(at).1);
    let liberties: Vec<Point> = liberties.into_iter().map(|at| oracle.point(at)).collect();
    some_of(&board.liberties_after::<2>(color, point), &liberties, 2, board);
    some_of(&board.liberties_after::<3>(color, point), &liberties, 3, board);
    some_of(&board.liberties_after::<4>(color, point), &liberties, 4, board);
    some_of(&board.liberties_after::<8>(color, point), &liberties, 8, board);
    let self_atari = liberties.len() < 2;
    assert_eq!(board.is_self_atari(color, point), self_atari, "{color} {point}\n{board}");
}

/// Offers moves that the rules refuse: the answer names the reason, and nothing changes.
pub fn garbage(
    game: &mut Game,
    oracle: &Oracle,
    history: &History,
    rng: &mut Rng,
    events: &mut Events,
) {
    let digest = |game: &Game| {
        let board = game.board();
        let numbers = [board.move_count(), board.stone_count(Color::Black), game.moves().len()];
        let points = [board.ko(), board.last_move(), board.second_last_move()];
        (board.hash(), board.to_play(), numbers, points, board.empty_points().to_vec())
    };
    let before = digest(game);
    for _ in 0..8 {
        let point = Point::from_index(rng.below(CELLS as u32) as usize);
        let color = Color::BOTH[rng.below(2) as usize];
        if let Some(reason) = oracle.judge(color, point, history, game.rules().ko).error {
            assert_eq!(game.play(Move::new(color, point)), Err(reason), "{color} {point}");
            events.refused += 1;
        }
    }
    assert_eq!(digest(game), before);
}
