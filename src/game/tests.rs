//! Tests of playing, repetition, undo, setup.

use super::*;

fn game(size: usize, rules: Rules, moves: &str) -> Game {
    let mut game = Game::new(size, rules);
    for text in moves.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        game.play(Move::parse_gtp(text, size).unwrap()).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    game
}

fn try_play(game: &Game, text: &str) -> Result<(), PlayError> {
    game.clone().play(Move::parse_gtp(text, game.size()).unwrap())
}

const KO: &str = "b b3, w c3, b a2, w d2, b b1, w c1, b pass, w b2, b c2";

#[test]
fn illegal_moves_name_their_reason_and_change_nothing() {
    let game = game(5, Rules::CHINESE, KO);
    assert_eq!(try_play(&game, "w b2"), Err(PlayError::Ko));
    assert_eq!(try_play(&game, "w b3"), Err(PlayError::Occupied));
    assert_eq!(try_play(&game, "w a1"), Err(PlayError::Suicide));
    let outside = Move::new(Color::White, Point::new(7, 7));
    assert_eq!(game.clone().play(outside), Err(PlayError::Outside));
    assert_eq!(game.moves().len(), 9);
    assert!(!game.is_legal(Move::new(Color::White, game.board().ko())));
    // The ko point is closed for the opponent of the capturer only.
    assert_eq!(try_play(&game, "b b2"), Ok(()));
}

#[test]
fn a_ko_is_open_again_after_a_threat() {
    let game = game(5, Rules::JAPANESE, &format!("{KO}, w e5, b e4"));
    assert_eq!(try_play(&game, "w b2"), Ok(()));
}

/// The stones of a small board as text, to compare positions without trusting any hash.
fn stones(board: &Board) -> String {
    board.points().map(|p| format!("{:?}", board.cell(p))).collect()
}

/// Random play on tiny boards, where positions repeat all the time: the ko rules are compared with
/// their definitions over the full list of earlier positions.
#[test]
fn every_ko_rule_forbids_just_what_it_defines() {
    let mut rng = crate::types::Rng::new(11);
    let (mut beyond_simple, mut positional_only) = (0, 0);
    for round in 0..600 {
        let size = 2 + round % 2;
        let mut game = Game::new(size, Rules::JAPANESE);
        let mut earlier = vec![(stones(game.board()), Color::Black)];
        for _ in 0..60 {
            let color = game.board().to_play();
            let mut candidates = vec![Point::PASS];
            for point in game.board().points() {
                let play = Move::new(color, point);
                let simple = game.is_legal(play);
                let mut after = game.board().clone();
                if simple {
                    after.play_observed(color, point, &mut ());
                    candidates.push(point);
                }
                let same = |then: &&(String, Color)| then.0 == stones(&after);
                let positional = simple && !earlier.iter().any(|then| same(&then));
                let situational =
                    simple && !earlier.iter().any(|then| same(&then) && then.1 == !color);
                for (rules, legal) in [
                    (Rules::CHINESE, positional),
                    (Rules::AGA, situational),
                    (Rules::JAPANESE, simple),
                ] {
                    game.set_rules(rules);
                    assert_eq!(game.is_legal(play), legal, "{rules} {point}\n{}", game.board());
                }
                beyond_simple += usize::from(simple && !situational);
                positional_only += usize::from(situational && !positional);
            }
            let point = candidates[rng.below(candidates.len() as u32) as usize];
            game.play(Move::new(color, point)).unwrap();
            earlier.push((stones(game.board()), !color));
        }
    }
    assert!(beyond_simple > 1000 && positional_only > 1000, "{beyond_simple} {positional_only}");
}

#[test]
fn undo_restores_position_ko_and_prisoners() {
    let mut played = game(5, Rules::CHINESE, KO);
    let before = played.clone();
    played.play(Move::parse_gtp("w e5", 5).unwrap()).unwrap();
    played.play(Move::parse_gtp("b pass", 5).unwrap()).unwrap();
    assert!(played.undo(2));
    assert_eq!(played.board().to_string(), before.board().to_string());
    assert_eq!(played.board().ko(), before.board().ko());
    assert_eq!(played.board().prisoners(Color::Black), 1);
    assert_eq!(played.situations.len(), before.situations.len());
    assert!(!played.undo(10), "there are nine moves");
    assert_eq!(played.moves().len(), 9);
    assert!(played.undo(9));
    assert_eq!(played.board().stone_count(Color::Black), 0);
    assert!(!played.undo(1));
}

#[test]
fn two_passes_end_the_game() {
    let mut game = game(9, Rules::CHINESE, "b e5, w pass");
    assert!(!game.is_over());
    game.play(Move::new(Color::Black, Point::PASS)).unwrap();
    assert!(game.is_over());
}

#[test]
fn handicap_is_placed_or_recognised() {
    let mut placed = Game::new(9, Rules::CHINESE);
    placed.place_handicap(&fixed_handicap(9, 3).unwrap()).unwrap();
    assert_eq!((placed.handicap(), placed.board().to_play()), (3, Color::White));
    assert!(!placed.undo(1), "handicap stones are no moves");
    assert_eq!(placed.place_handicap(&[Point::new(1, 1)]), Err(SetupError::NotEmpty));
    let played = game(9, Rules::CHINESE, "b c3, b g7, w e5, b e6");
    assert_eq!(played.handicap(), 2);
    assert_eq!(game(9, Rules::CHINESE, "b c3, w e5").handicap(), 0);
}

#[test]
fn setup_refuses_bad_lists() {
    let stone = |text: &str| Move::parse_gtp(text, 5).unwrap();
    let mut game = Game::new(5, Rules::CHINESE);
    for (list, error) in [
        (vec![stone("b a1"), stone("w a1")], SetupError::BadPoints),
        (vec![stone("b pass")], SetupError::BadPoints),
        (
            vec![stone("b a1"), stone("w a2"), stone("w b1")],
            SetupError::NoLiberty(Point::new(2, 1)),
        ),
    ] {
        assert_eq!(game.set_up(&list, Color::Black), Err(error));
        assert_eq!(game.board().stone_count(Color::Black), 0);
    }
    game.set_up(&[stone("b c3"), stone("w c4")], Color::White).unwrap();
    assert_eq!(game.board().to_play(), Color::White);
    assert_eq!(game.board().check(), Ok(()));
}
