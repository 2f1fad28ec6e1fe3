//! How whole engines end games: vital points, sekis, cleaning up, strict passing, and Japanese
//! games in which no stone is wasted.

use tengen::board::Diagram;
use tengen::engine::{Choice, Decision, Engine};
use tengen::game::{Game, Rules, Standing};
use tengen::params::Overrides;
use tengen::search::{Interrupt, Limit, Request};
use tengen::types::{Color, Move, Point};

fn engine(diagram: &str, to_play: Color, rules: Rules, komi: f32, set: &[&str]) -> Engine {
    let mut overrides = Overrides::default();
    for assignment in ["search.seed=3", "search.memory=32", "search.threads=1"].iter().chain(set) {
        overrides.add(assignment).unwrap();
    }
    let mut board = Diagram::parse(diagram).unwrap().board;
    board.set_to_play(to_play);
    let mut game = Game::from_board(board, rules);
    game.set_komi(komi);
    let mut engine = Engine::new(overrides);
    engine.set_game(game);
    engine
}

fn request(playouts: u64) -> Request {
    Request { limit: Limit { playouts: Some(playouts), ..Limit::default() }, ..Request::default() }
}

fn generate(engine: &mut Engine, playouts: u64) -> Decision {
    let color = engine.game().board().to_play();
    engine.generate(color, &request(playouts), &Interrupt::default(), &mut |_| ())
}

fn chosen(decision: &Decision) -> Point {
    match decision.choice {
        Choice::Play(point) => point,
        Choice::Resign => panic!("resigned"),
    }
}

/// The vital point is marked `v`; White's wall lives by two eyes and Black needs the corner.
#[test]
fn the_vital_point_of_three_to_six_points_is_played_by_either_side() {
    let shapes = [
        ". v . X O O O
         X X X X O O O
         O O O O O . O
         O O O O O O O
         O O O O O O O
         O . O O O O O
         O O O O O O O",
        "v . X O O O O
         . X X O O O O
         X X O O O . O
         O O O O O O O
         O O O O O O O
         O . O O O O O
         O O O O O O O",
        "X . v . X O O
         X X . X X O O
         O X X X O . O
         O O O O O O O
         O O O O O O O
         O . O O O O O
         O O O O O O O",
        "X . v . X O O
         X . . X X O O
         X X X X O . O
         O O O O O O O
         O O O O O O O
         O . O O O O O
         O O O O O O O",
        "X X X X O O O
         X X . X X O O
         X . v . X O O
         X X . X X O O
         O X X X O . O
         O O O O O O O
         O . O O O O O",
        "X X X X O O O
         X . . X X O O
         X . v . X O O
         X X . X X O O
         O X X X O . O
         O O O O O O O
         O . O O O O O",
    ];
    for (number, shape) in shapes.iter().enumerate() {
        // Black's area is all that is not White's: stones, eyespace. With a komi in the middle
        // between life and death, they decide the game.
        let area = shape.chars().filter(|c| "Xv".contains(*c)).count()
            + shape.chars().filter(|&c| c == '.').count()
            - 2; // White's eyes
        let komi = area as f32 - 49.5;
        for color in Color::BOTH {
            let mut engine = engine(shape, color, Rules::CHINESE, komi, &["resign.enabled=false"]);
            let vital = Diagram::parse(shape).unwrap().mark('v');
            let decision = generate(&mut engine, 1000);
            assert_eq!(chosen(&decision), vital, "shape {number}, {color}");
        }
    }
}

/// Black lives in the corner in seki with the three stones; everything else is settled.
const SEKI: &str = "
    . O O O . X O O .
    X X X X X X O O O
    O O O O O O O . O
    X X X X X X O O O
    X . X X . X X X X
    X X X X X X . X .
    . . . . . X X . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn its_own_seki_is_not_destroyed() {
    for rules in [Rules::CHINESE, Rules::JAPANESE] {
        for color in Color::BOTH {
            for komi in [-60.5, 0.5, 60.5] {
                let mut engine = engine(SEKI, color, rules, komi, &["resign.enabled=false"]);
                let point = chosen(&generate(&mut engine, 300));
                let seki = [Point::new(1, 9), Point::new(5, 9)];
                assert!(!seki.contains(&point), "{color} at {point}, {rules}, komi {komi}");
            }
        }
    }
}

/// A finished game: a dead black stone on the right, a dead white one on the left.
const FINISHED: &str = "
    . . X O . . .
    . X X O . O .
    X . X O O . .
    . X X X O . O
    . . . X O O .
    O X . X O X .
    . . . X O . .";

/// Of games that were won until an open point elsewhere was taken first. The points marked `v`
/// hold Black's territory, which the playouts thought safe: so it is they that are asked, alone.
#[test]
fn a_defence_that_holds_the_own_territory_comes_before_open_points() {
    let boards = [
        ". . O O X . . . .
         . O . O X . . . .
         . O O X X X . X X
         . . O O X . X O X
         . O . X . X X O O
         O O O X . X O . O
         O X X v O X O O O
         X X . O . X O . .
         . . . . . X X O .",
        ". . . . . . . . .
         O O O O . . . . .
         . X O . O O O O O
         X . X O O X X X O
         X . X X X X X O .
         X . . X X v X O O
         . X X . X O O X .
         . . v O O . O X X
         . . . . v O X X .",
    ];
    for board in boards {
        let diagram = Diagram::parse(board).unwrap();
        for rules in [Rules::CHINESE, Rules::JAPANESE] {
            let set = ["resign.enabled=false", "value.network=false"];
            let mut engine = engine(board, Color::Black, rules, 7.5, &set);
            let choice = chosen(&generate(&mut engine, 1000));
            assert!(diagram.marked('v').contains(&choice), "{rules}: {choice}\n{board}");
        }
    }
}

#[test]
fn a_finished_japanese_game_is_passed_by_both_at_once() {
    for to_play in Color::BOTH {
        for komi in [-20.5, 0.5, 20.5] {
            let set = ["resign.enabled=false"];
            let mut engine = engine(FINISHED, to_play, Rules::JAPANESE, komi, &set);
            for color in [to_play, to_play.opponent()] {
                let decision = generate(&mut engine, 300);
                assert!(chosen(&decision).is_pass(), "{color}, komi {komi}: {:?}", decision.note);
                assert!(decision.note.is_some_and(|note| note.starts_with("pass: ")));
                engine.play(Move::new(color, Point::PASS)).unwrap();
            }
            let dead = [Point::new(6, 2), Point::new(1, 2)];
            let standing = engine.standing();
            let board = engine.game().board();
            for point in board.points() {
                assert_eq!(standing.dead.contains(point), dead.contains(&point), "{point}");
            }
            let before = engine.game().score(&standing);
            let again = engine.standing();
            assert_eq!(before, engine.game().score(&again));
        }
    }
}

#[test]
fn strict_mode_ends_with_a_board_that_wins_as_it_stands() {
    // As it stands, the black stone on White's side leaves White no territory there.
    let set = ["resign.enabled=false", "pass.mode=strict"];
    let diagram = FINISHED.replace("    O X . X O X .", "    . X . X O X .");
    let mut engine = engine(&diagram, Color::White, Rules::TROMP_TAYLOR, 2.5, &set);
    let mut passes = 0;
    for _ in 0..60 {
        let color = engine.game().board().to_play();
        let point = match color {
            Color::White => chosen(&generate(&mut engine, 300)),
            Color::Black => Point::PASS,
        };
        engine.play(Move::new(color, point)).unwrap();
        passes = if point.is_pass() { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
    }
    assert_eq!(passes, 2);
    let standing = engine.standing();
    let game = engine.game();
    assert_eq!(game.board().prisoners(Color::White), 1, "{}", game.board());
    assert_eq!(game.score(&Standing::as_it_stands()), game.score(&standing));
    assert_eq!(game.score(&standing).to_string(), "W+1.5");
}

#[test]
fn cleanup_captures_every_dead_stone() {
    for color in Color::BOTH {
        let mut engine = engine(FINISHED, color, Rules::CHINESE, 0.5, &[]);
        for _ in 0..30 {
            let decision =
                engine.clean_up(color, &request(200), &Interrupt::default(), &mut |_| ());
            let point = chosen(&decision);
            engine.play(Move::new(color, point)).unwrap();
            engine.play(Move::new(color.opponent(), Point::PASS)).unwrap();
            if point.is_pass() {
                break;
            }
        }
        assert_eq!(engine.game().board().prisoners(color), 1, "{}", engine.game().board());
    }
}
