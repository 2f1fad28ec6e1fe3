//! Game records in large numbers: random ones that are written and read, broken ones, and huge ones.

use super::sgf::{parse, refuse, vertices};
use std::time::{Duration, Instant};
use tengen::game::collection::MainLine;
use tengen::game::sgf::{Action, MAX_DEPTH, Record, Setup, SgfError, Step};
use tengen::types::{Color, Move, Point, Rng, points};

fn quickly<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(5), "{what} took {:?}", start.elapsed());
    result
}

#[test]
fn huge_comments_are_read() {
    for piece in ["x", "\\]", "é", "(", "\n", "line\\\n"] {
        let text = format!("(;SZ[9]C[{}];B[aa])", piece.repeat(3_000_000 / piece.len()));
        let record = quickly("a 3 MB comment", || parse(&text));
        assert_eq!(vertices(&record), "B A9");
        assert!(record.comment.len() >= 1_500_000, "{piece:?}");
        let again = quickly("writing it", || record.to_sgf());
        assert_eq!(parse(&again), record);
    }
    assert_eq!(refuse(format!("(;C[{}", "x".repeat(3_000_000))), SgfError::Truncated);
}

#[test]
fn deep_nesting_is_refused_without_recursion() {
    for piece in ["(", "(;", "(;B[aa]", "( \n"] {
        let text = piece.repeat(100_000);
        assert_eq!(quickly("nesting", || refuse(&text)), SgfError::TooDeep, "{piece}");
    }
    let after_the_game = format!("(;SZ[9];B[aa]){}", "(;".repeat(100_000));
    assert_eq!(vertices(&parse(&after_the_game)), "B A9");
    let in_a_variation = format!("(;SZ[9](;B[aa])(;B[bb]{}", "(;".repeat(100_000));
    assert_eq!(refuse(in_a_variation), SgfError::TooDeep);
    // The deepest that is read is read right.
    let text = format!("{}{}", "(;B[aa];W[bb]".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH));
    assert_eq!(quickly("nesting", || parse(&text)).moves().count(), 2 * MAX_DEPTH);
}

#[test]
fn very_long_records_are_read_and_written() {
    let text = format!("(;SZ[19]{})", ";B[pd];W[dp]C[x]".repeat(200_000));
    let record = quickly("400,000 moves", || parse(&text));
    assert_eq!(record.moves().count(), 400_000);
    let again = quickly("writing 400,000 moves", || record.to_sgf());
    assert_eq!(parse(&again), record);
}

#[test]
fn floods_of_setup_stones_end_quickly() {
    for node in ["AB[aa:zz]", "AB[aa:ss]", ";AW[aa:ss];B[aa]"] {
        let text = format!("(;SZ[19]{})", node.repeat(3_000_000 / node.len()));
        quickly("a flood of stones", || refuse(&text));
    }
    let list = format!("(;SZ[19]AB{})", "[aa:ss]".repeat(430_000));
    assert_eq!(quickly("a long list", || refuse(&list)), SgfError::TooManyStones);
    let values = format!("(;SZ[19]B{})", "[aa]".repeat(700_000));
    quickly("a move with many values", || refuse(&values));
}

/// A record of anything the format can hold, legal as a game or not.
fn random_record(rng: &mut Rng) -> Record {
    let size = 2 + rng.below(18) as usize;
    let all: Vec<Point> = points(size).collect();
    let color = |rng: &mut Rng| Color::BOTH[rng.below(2) as usize];
    let setup = |rng: &mut Rng, with_empty: bool| {
        let mut chosen = Vec::new();
        for &point in &all {
            if rng.below(8) == 0 {
                let stone = (!with_empty || rng.below(3) > 0).then(|| color(rng));
                chosen.push(Setup { point, stone });
            }
        }
        chosen
    };
    let comment = |rng: &mut Rng| -> String {
        let letters: Vec<char> = "aZ[]();:\\\\]\n\n é黒\u{80}\u{10ffff}B'\"".chars().collect();
        let length = if rng.below(3) > 0 { 0 } else { rng.below(20) };
        (0..length).map(|_| letters[rng.below(letters.len() as u32) as usize]).collect()
    };
    let line =
        |rng: &mut Rng| Some(comment(rng).replace('\n', " ")).filter(|text| !text.is_empty());
    let mut record = Record::new(size);
    if rng.below(2) == 0 {
        record.komi = Some((rng.below(30) as f32 - 10.0) / 20.0 + 0.3);
    }
    record.handicap = if size > 2 && rng.below(4) == 0 { 2 + rng.below(3) as usize } else { 0 };
    if rng.below(2) == 0 {
        record.setup = setup(rng, false);
        record.first_player = (rng.below(2) == 0).then(|| color(rng));
    }
    record.comment = comment(rng);
    for field in [
        &mut record.rules,
        &mut record.result,
        &mut record.black_name,
        &mut record.white_name,
        &mut record.black_rank,
        &mut record.white_rank,
        &mut record.date,
        &mut record.event,
        &mut record.round,
        &mut record.place,
        &mut record.game_name,
    ] {
        *field = line(rng);
    }
    for _ in 0..rng.below(60) {
        let action = if !record.steps.is_empty() && rng.below(10) == 0 {
            let stones = setup(rng, true);
            let to_play = (stones.is_empty() || rng.below(2) == 0).then(|| color(rng));
            Action::Setup { stones, to_play }
        } else {
            let index = rng.below(all.len() as u32 + 1) as usize;
            Action::Play(Move::new(color(rng), all.get(index).copied().unwrap_or(Point::PASS)))
        };
        record.steps.push(Step { action, comment: comment(rng) });
    }
    record
}

#[test]
fn random_records_survive_writing_and_reading() {
    let mut rng = Rng::new(2024);
    for _ in 0..2000 {
        let record = random_record(&mut rng);
        let text = record.to_sgf();
        assert_eq!(parse(&text), record, "{text}");
        assert_eq!(parse(&text).to_sgf(), text);
        // Another reader finds the same number of nodes.
        let tree =
            &sgf_parse::go::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))[0];
        assert_eq!(tree.main_variation().count(), 1 + record.steps.len(), "{text}");
    }
}

/// One to three random changes.
fn mutate(text: &mut Vec<u8>, rng: &mut Rng) {
    const PIECES: [&[u8]; 16] = [
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b":",
        b"\0",
        b"AB[aa:ss]",
        b"(;",
        b"SZ[5]",
        b"\xff",
        b"PL[W]",
        b"CA[GBK]",
        b"tt",
        b"\r\n",
    ];
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(text.len() as u32 + 1) as usize;
        match rng.below(8) {
            0 if at < text.len() => text[at] = rng.bits() as u8,
            1 => text.truncate(at),
            2 => {
                let end = (at + rng.below(9) as usize).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let end = (at + rng.below(30) as usize).min(text.len());
                let copy = text[at..end].to_vec();
                let to = rng.below(text.len() as u32 + 1) as usize;
                text.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES[rng.below(PIECES.len() as u32) as usize];
                text.splice(at..at, piece.iter().copied());
            }
        }
    }
}

#[test]
fn mutated_records_never_panic() {
    let mut rng = Rng::new(7);
    let mut line = MainLine::default();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..2000 {
        let original = random_record(&mut rng).to_sgf().into_bytes();
        for _ in 0..10 {
            let mut text = original.clone();
            mutate(&mut text, &mut rng);
            match Record::parse(&text) {
                Ok(record) => {
                    read += 1;
                    assert!((2..=19).contains(&record.size));
                    // Whatever was understood can be written and understood again.
                    assert_eq!(Record::parse(record.to_sgf()).as_ref(), Ok(&record));
                }
                Err(_) => {
                    refused += 1;
                    refuse(&text);
                }
            }
            if let Err(error) = line.parse_line(&text) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
    // Both happen often, or the mutations test nothing.
    assert!(read > 3000 && refused > 3000, "{read} read, {refused} refused");
}
