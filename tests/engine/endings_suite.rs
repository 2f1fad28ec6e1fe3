//! The suite of endings: life and death, seki, territory, prisoners, neutral points.
//!
//! `tests/endings/*.txt` hold positions as diagrams: `X` `O` alive, `x` `o` dead, `#` `@` in seki
//! (black and white), `.` empty. The scores in them were counted by a script of its own, not by
//! this program. A position with a `moves` line is played from the first diagram to the second.

use tengen::board::Diagram;
use tengen::endings::assess;
use tengen::game::{Game, Rules};
use tengen::params::Params;
use tengen::types::{Color, Move, Point};

/// Positions of which a few may be wrong: the share that must be right.
const WANTED: f64 = 0.95;

struct Case {
    theme: String,
    name: String,
    to_play: Color,
    /// Rules, komi and result.
    scores: Vec<(Rules, f32, String)>,
    moves: Vec<String>,
    known_failure: Option<String>,
    start: Vec<String>,
    /// The diagram with the statuses.
    end: Vec<String>,
}

fn read(theme: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut after = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "=" {
            after = false;
            cases.push(Case {
                theme: theme.to_owned(),
                name: rest.to_owned(),
                to_play: Color::Black,
                scores: Vec::new(),
                moves: Vec::new(),
                known_failure: None,
                start: Vec::new(),
                end: Vec::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            assert!(line.starts_with("# "), "{theme}: '{line}' belongs to no position");
            continue;
        };
        match word {
            "play" => case.to_play = Color::parse_gtp(rest).unwrap(),
            "known" => {
                let reason = rest.strip_prefix("failure: ").expect("known failure: reason");
                case.known_failure = Some(reason.to_owned());
            }
            "score" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let rules = Rules::parse(words[0]).unwrap();
                case.scores.push((rules, words[1].parse().unwrap(), words[2].to_owned()));
            }
            "moves" => {
                let words: Vec<&str> = rest.split(' ').collect();
                case.moves = words.chunks(2).map(|pair| pair.join(" ")).collect();
            }
            "after" => after = true,
            _ if after => case.end.push(line.to_owned()),
            _ => case.start.push(line.to_owned()),
        }
    }
    for case in &mut cases {
        if case.end.is_empty() {
            case.end.clone_from(&case.start);
        }
    }
    cases
}

fn board_text(rows: &[String]) -> String {
    let upper = |c: char| match c {
        'x' | '#' => 'X',
        'o' | '@' => 'O',
        c => c,
    };
    rows.join("\n").chars().map(upper).collect()
}

fn game(case: &Case, rules: Rules) -> Game {
    let mut board = Diagram::parse(&board_text(&case.start)).unwrap().board;
    board.set_to_play(case.to_play);
    let mut game = Game::from_board(board, rules);
    for text in &case.moves {
        game.play(Move::parse_gtp(text, game.size()).unwrap()).unwrap();
    }
    let end = Diagram::parse(&board_text(&case.end)).unwrap().board;
    assert_eq!(end.hash(), game.board().hash(), "{}: the moves lead elsewhere", case.name);
    game
}

/// What the engine says, as rows of the diagram.
fn statuses(game: &Game) -> Vec<String> {
    let assessment = assess(game, &Params::for_size(game.size()), None);
    let standing = &assessment.standing;
    let board = game.board();
    let sign = |point: Point| {
        let kind = if standing.dead.contains(point) {
            1
        } else if standing.seki.contains(point) {
            2
        } else {
            0
        };
        match board.cell(point).color() {
            None => '.',
            Some(Color::Black) => ['X', 'x', '#'][kind],
            Some(Color::White) => ['O', 'o', '@'][kind],
        }
    };
    let size = board.size();
    let row = |row: usize| {
        (1..=size).map(|column| sign(Point::new(column, row)).to_string()).collect::<Vec<_>>()
    };
    (1..=size).rev().map(|number| row(number).join(" ")).collect()
}

/// What is wrong with the engine's answer.
fn failure(case: &Case) -> Option<String> {
    let mut reference = game(case, Rules::CHINESE);
    let found = statuses(&reference);
    if found != case.end {
        let wanted = case.end.join("\n");
        return Some(format!("statuses are\n{}\nnot\n{wanted}", found.join("\n")));
    }
    let standing = assess(&reference, &Params::for_size(reference.size()), None).standing;
    for (rules, komi, wanted) in &case.scores {
        reference.set_rules(*rules);
        reference.set_komi(*komi);
        let score = reference.score(&standing).to_string();
        if score != *wanted {
            return Some(format!("{rules} score is {score}, not {wanted}\n{}", found.join("\n")));
        }
    }
    None
}

fn all_cases() -> Vec<Case> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/endings");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let theme = file.file_stem().unwrap().to_string_lossy();
        read(&theme, &std::fs::read_to_string(file).unwrap())
    };
    files.iter().flat_map(read).collect()
}

#[test]
fn statuses_and_scores_are_right() {
    let cases = all_cases();
    let mut right = 0;
    let mut surprises = Vec::new();
    for case in &cases {
        match (failure(case), &case.known_failure) {
            (None, None) => right += 1,
            (None, Some(reason)) => {
                right += 1;
                println!("{}: {} is right now; known failure was: {reason}", case.theme, case.name);
            }
            (Some(_), Some(_)) => {}
            (Some(text), None) => {
                surprises.push(format!("{}: {}: {text}", case.theme, case.name));
            }
        }
    }
    let share = right as f64 / cases.len() as f64;
    println!("endings: {right} of {} positions right, {:.1} %", cases.len(), 100.0 * share);
    assert!(surprises.is_empty(), "{} failures\n{}", surprises.len(), surprises.join("\n\n"));
    assert!(share >= WANTED, "{right} of {}", cases.len());
    assert!(cases.len() >= 120, "{} positions", cases.len());
}

#[test]
fn the_answer_is_the_same_twice_and_after_two_passes() {
    for case in all_cases().iter().step_by(7) {
        let mut game = game(case, Rules::CHINESE);
        let first = statuses(&game);
        assert_eq!(first, statuses(&game), "{}", case.name);
        for color in [game.board().to_play(), game.board().to_play().opponent()] {
            game.play(Move::new(color, Point::PASS)).unwrap();
        }
        assert_eq!(first, statuses(&game), "{} after two passes", case.name);
    }
}
