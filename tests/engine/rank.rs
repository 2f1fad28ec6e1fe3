//! Levels: whole games of weak players, which must be sane from the first move to the last.

use tengen::engine::{Choice, Color};
use tengen::game::{Game, Rules};
use tengen::params::Overrides;
use tengen::rank::{Rank, RankPlayer};
use tengen::types::{Move, Point};

fn player(rank: &str, seed: u64) -> RankPlayer {
    let mut overrides = Overrides::default();
    overrides.insert("search.seed", &seed.to_string()).unwrap();
    overrides.insert("resign.enabled", "false").unwrap();
    RankPlayer::new(Rank::parse(rank).unwrap(), &overrides)
}

/// A game of two players to its end, with what must hold after every move.
fn play(game: &mut Game, players: &mut [RankPlayer; 2]) {
    for turn in 0.. {
        assert!(turn < 3 * game.size() * game.size(), "no end\n{}", game.board());
        if game.is_over() {
            break;
        }
        let color = game.board().to_play();
        let decision = players[turn % 2].genmove(game, color);
        let Choice::Play(point) = decision.choice else { panic!("resignation is off") };
        if point.is_pass() {
            let empty = game.board().empty_points().len();
            let area = game.size() * game.size();
            assert!(3 * empty < 2 * area, "passes on an open board\n{}", game.board());
        } else {
            assert!(!game.board().is_eye(color, point), "fills {point}\n{}", game.board());
        }
        game.play(Move::new(color, point)).unwrap();
    }
}

#[test]
fn weak_players_play_whole_games_to_their_end() {
    for (one, other, rules, seed) in [
        ("25k", "25k", Rules::CHINESE, 1),
        ("18k", "12k", Rules::JAPANESE, 2),
        ("25k", "22k", Rules::TROMP_TAYLOR, 3),
    ] {
        let mut game = Game::new(9, rules);
        play(&mut game, &mut [player(one, seed), player(other, seed + 100)]);
        assert!(game.moves().len() > 20, "{:?}", game.moves());
    }
}

#[test]
fn the_seed_decides_the_game() {
    let moves = |seed: u64| {
        let mut player = player("20k", seed);
        let mut game = Game::new(9, Rules::CHINESE);
        for _ in 0..16 {
            let color = game.board().to_play();
            let Choice::Play(point) = player.genmove(&game, color).choice else { panic!() };
            game.play(Move::new(color, point)).unwrap();
        }
        game.moves().to_vec()
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
}

#[test]
fn a_second_game_at_the_same_table_is_another_game() {
    let mut player = player("22k", 4);
    let games: Vec<Vec<Point>> = (0..2)
        .map(|_| {
            let mut game = Game::new(9, Rules::CHINESE);
            (0..8)
                .map(|_| {
                    let color = game.board().to_play();
                    let Choice::Play(point) = player.genmove(&game, color).choice else { panic!() };
                    game.play(Move::new(color, point)).unwrap();
                    point
                })
                .collect()
        })
        .collect();
    assert_ne!(games[0], games[1]);
}

#[test]
fn a_pass_on_a_finished_board_is_answered_by_a_pass() {
    // Black holds the left, White the right, and nothing is left to play.
    let mut game = Game::new(9, Rules::CHINESE);
    let wall = |column: usize, color: Color| {
        (1..=9).map(move |row| Move::new(color, Point::new(column, row)))
    };
    let mut stones: Vec<Move> = wall(4, Color::Black).chain(wall(5, Color::White)).collect();
    for (column, row) in [(2, 3), (2, 7), (3, 5)] {
        stones.push(Move::new(Color::Black, Point::new(column, row)));
        stones.push(Move::new(Color::White, Point::new(10 - column, row)));
    }
    game.set_up(&stones, Color::Black).unwrap();
    game.play(Move::new(Color::Black, Point::PASS)).unwrap();
    for rank in ["25k", "10k", "1d"] {
        let choice = player(rank, 1).genmove(&game, Color::White).choice;
        assert_eq!(choice, Choice::Play(Point::PASS), "{rank}\n{}", game.board());
    }
}

#[test]
fn larger_and_smaller_boards_have_levels_too() {
    for size in [2, 5, 13, 19] {
        let mut game = Game::new(size, Rules::CHINESE);
        let mut one = player("25k", 1);
        let mut other = player("11k", 1);
        for turn in 0..6 {
            let color = game.board().to_play();
            let player = if turn % 2 == 0 { &mut one } else { &mut other };
            let Choice::Play(point) = player.genmove(&game, color).choice else { panic!() };
            game.play(Move::new(color, point)).unwrap();
            assert!(size < 9 || point.line(size) > 1, "{size}: {point} on the first line");
        }
    }
}
