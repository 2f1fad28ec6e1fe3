//! The fast board against the definition of Go, after every move of ten thousand random games.
//!
//! The games are uniform over all legal moves, eye filling included, so that large captures
//! happen; a quarter of the moves prefers captures and the places where stones were just taken,
//! so that kos and snapbacks do. Every few moves somebody passes or moves out of turn. The end of
//! the test asks whether all of it really occurred. Half a minute of one core in the test profile.

mod compare;
mod events;
mod oracle;

use events::{Events, Recorder, Watcher};
use oracle::{History, Oracle};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::thread;
use tengen::board::Board;
use tengen::board::naive::NaiveBoard;
use tengen::game::{Game, Rules};
use tengen::types::{Color, Move, Point, Rng};

/// Games by board size: a position takes longer the larger it is, so the numbers fall. At every
/// move the delicate points and this percentage of the others are played on the naive board.
const PLAN: [(RangeInclusive<usize>, usize, u32); 8] = [
    (2..=4, 2400, 100),
    (5..=5, 1000, 100),
    (6..=6, 700, 20),
    (7..=7, 500, 20),
    (8..=8, 300, 10),
    (9..=9, 200, 10),
    (10..=13, 25, 5),
    (14..=19, 6, 2),
];

#[test]
fn the_fast_board_equals_the_naive_board_in_ten_thousand_games() {
    let each = |(sizes, games, others): (RangeInclusive<usize>, usize, u32)| {
        sizes.map(move |size| (size, games, others))
    };
    let jobs: Mutex<Vec<_>> = Mutex::new(PLAN.into_iter().flat_map(each).collect());
    let work = || {
        let mut events = Events::default();
        let mut observed = Board::new(2);
        loop {
            let job = jobs.lock().expect("no thread panics with the lock").pop();
            let Some((size, games, others)) = job else {
                return events;
            };
            let mut rng = Rng::new(size as u64);
            for game in 0..games {
                play_game(size, game, others, &mut observed, &mut rng, &mut events);
            }
        }
    };
    let mut total = Events::default();
    thread::scope(|scope| {
        for worker in [scope.spawn(work), scope.spawn(work)] {
            total.add(worker.join().expect("a comparison failed"));
        }
    });
    println!("{total:#?}");
    let Events { games, passes, captures, multi_chain_captures, kos, snapbacks, .. } = total;
    assert!(games >= 10_000 && total.refused > 1_000_000, "{total:#?}");
    assert!(passes > 10_000 && captures > 50_000 && multi_chain_captures > 2_000, "{total:#?}");
    assert!(kos > 2_000 && snapbacks > 1_000 && total.superko_hits > 5_000, "{total:#?}");
    assert!(total.merges_of_three > 2_000 && total.merges_of_four > 200, "{total:#?}");
}

/// Plays one game and compares after every move. `observed` is a board that follows the game by
/// copies; it comes from another game, maybe of another size.
fn play_game(
    size: usize,
    number: usize,
    others: u32,
    observed: &mut Board,
    rng: &mut Rng,
    events: &mut Events,
) {
    let rules = [Rules::CHINESE, Rules::AGA, Rules::JAPANESE][number % 3];
    let mut game = Game::new(size, rules);
    let mut oracle = Oracle::new(size, NaiveBoard::new(size, size, false));
    let mut history = History::default();
    history.add(&oracle.board, Color::Black);
    let mut watcher = Watcher::default();
    let mut prisoners = [0; 2];
    let mut taken: Vec<Point> = Vec::new();
    events.games += 1;
    for _ in 0..3 * size * size / 2 + 10 {
        let turn = game.board().to_play();
        let color = if rng.below(32) == 0 { !turn } else { turn };
        let point = choose(&game, color, &taken, rng);
        let play = Move::new(color, point);
        let verdict = oracle.judge(color, point, &history, rules.ko);
        assert_eq!(verdict.error, None, "{color} {point}\n{}", game.board());
        let after = Oracle::new(size, verdict.after.expect("a legal move leads somewhere"));

        let mut recorder = Recorder::default();
        observed.copy_from(game.board());
        observed.play_observed(color, point, &mut recorder);
        recorder.check(&oracle, &after, observed, (color, point));

        let captured = watcher.see(&oracle, color, oracle.at(point), events);
        prisoners[color.index()] += captured;
        taken = oracle
            .all()
            .filter(|&at| after.board.stone(at).is_none() && oracle.board.stone(at) == Some(!color))
            .map(|at| oracle.point(at))
            .collect();

        let last = game.board().last_move();
        game.play(play).expect("a legal move");
        history.add(&after.board, !color);
        oracle = after;

        let board = game.board();
        assert_eq!((board.last_move(), board.second_last_move()), (point, last));
        assert_eq!((board.to_play(), board.move_count()), (!color, game.moves().len()));
        events.kos += usize::from(!board.ko().is_pass());
        compare::position(board, &oracle, prisoners);
        assert_eq!(board.ko(), observed.ko());
        compare::position(observed, &oracle, prisoners);
        compare::every_point(&game, &oracle, &history, others, rng, events);
        compare::garbage(&mut game, &oracle, &history, rng, events);
    }
}

/// A pass now and then; else a legal move, with a liking for captures and for points that were
/// just vacated.
fn choose(game: &Game, color: Color, taken: &[Point], rng: &mut Rng) -> Point {
    let board = game.board();
    let mut candidates: Vec<Point> = board.empty_points().to_vec();
    if rng.below(40) == 0 {
        return Point::PASS;
    }
    rng.shuffle(&mut candidates);
    if rng.below(4) == 0 {
        let is_capture = |point: &Point| {
            let mut around = point.neighbors().into_iter();
            around.any(|n| board.is_stone(n, !color) && board.is_in_atari(n))
        };
        candidates.sort_by_key(|point| !(is_capture(point) || taken.contains(point)));
    }
    let is_legal = |point: &Point| game.is_legal(Move::new(color, *point));
    candidates.into_iter().find(is_legal).unwrap_or(Point::PASS)
}
