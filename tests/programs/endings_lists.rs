//! What a client is told at the end: `final_score` and `final_status_list` fit together, under each
//! kind of rules.

use crate::harness;

use harness::Program;
use std::collections::BTreeMap;

const LISTS: [&str; 6] = ["alive", "dead", "seki", "black_territory", "white_territory", "dame"];

/// Two walls with a street between them whose end on the first line is open.
const OPEN_BORDER: [&str; 16] = [
    "b d2", "w f2", "b d3", "w f3", "b d4", "w f4", "b d5", "w f5", "b d6", "w f6", "b d7", "w f7",
    "b d8", "w f8", "b d9", "w f9",
];

/// The border closed, Black ahead by one line; a black stone is left on White's side.
const CLOSED_BORDER: [&str; 20] = [
    "b e1", "w f1", "b e2", "w f2", "b e3", "w f3", "b e4", "w f4", "b e5", "w f5", "b e6", "w f6",
    "b e7", "w f7", "b e8", "w f8", "b e9", "w f9", "b h5", "w pass",
];

fn session(options: &[&str], moves: &[&str]) -> Program {
    let mut program = Program::new(options);
    program.expect_success("boardsize 9");
    program.expect_success("komi 0.5");
    for play in moves {
        program.expect_success(&format!("play {play}"));
    }
    program
}

/// The list that each point is in. No point may be in two, none may be left out.
fn statuses(program: &mut Program) -> BTreeMap<String, &'static str> {
    let mut found = BTreeMap::new();
    for list in LISTS {
        let answer = program.expect_success(&format!("final_status_list {list}"));
        for vertex in answer.split_whitespace() {
            let before = found.insert(vertex.to_owned(), list);
            assert_eq!(before, None, "{vertex} is in {list} too");
        }
    }
    assert_eq!(found.len(), 81, "{found:?}");
    for (vertex, list) in &found {
        assert_eq!(program.expect_success(&format!("final_status {vertex}")), *list, "{vertex}");
    }
    found
}

fn pass_twice(program: &mut Program) {
    program.expect_success("play b pass");
    program.expect_success("play w pass");
}

#[test]
fn a_point_is_in_one_list_and_an_open_border_is_nobodys_after_two_passes() {
    for rules in ["chinese", "japanese"] {
        let mut program = session(&["--rules", rules], &OPEN_BORDER);
        // While the game goes on, the sides are somebody's and the street is not.
        let playing = statuses(&mut program);
        assert_eq!(playing["A5"], "black_territory");
        assert_eq!(playing["J5"], "white_territory");
        assert_eq!(playing["E5"], "dame");
        pass_twice(&mut program);
        let over = statuses(&mut program);
        for point in ["A5", "E5", "J5"] {
            assert_eq!(over[point], "dame", "{rules}: {point}");
        }
        assert_eq!(program.expect_success("final_score"), "W+0.5", "{rules}");
    }
}

#[test]
fn the_rules_say_whether_dead_stones_are_taken_off() {
    let wanted = [
        // 45 points for Black, 36 for White.
        (vec!["--rules", "chinese"], "dead", "B+8.5"),
        // 36 against 27 and a prisoner.
        (vec!["--rules", "japanese"], "dead", "B+7.5"),
        // The stone stands, and White's side touches both colours: 46 against 9.
        (vec!["--rules", "tromp-taylor"], "alive", "B+36.5"),
        (vec!["--cgos"], "alive", "B+36.5"),
    ];
    for (options, status, score) in wanted {
        let mut program = session(&options, &CLOSED_BORDER);
        pass_twice(&mut program);
        assert_eq!(statuses(&mut program)["H5"], status, "{options:?}");
        assert_eq!(program.expect_success("final_score"), score, "{options:?}");
    }
}
