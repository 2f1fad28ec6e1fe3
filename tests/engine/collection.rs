//! Streams of games, one per line.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tengen::game::collection::{CollectionError, Games, MAX_LINE, MainLine};
use tengen::game::sgf::{Margin, Outcome, Record};
use tengen::types::{Color, Point, Rng};

use Color::{Black, White};

const THREE_GAMES: &str = "\
(;GM[1]FF[4]SZ[19]KM[6.5]RE[B+R]DT[2016-07-01];B[pd];W[dp];B[];W[tt])

(;GM[1]SZ[9]RE[W+3.5]PB[x\\]];B[ee]C[comment];W[gc]BL[3](;B[cc])(;B[dd]))\r
(;FF[3]SiZe[13]KM[375];Black[mm];w[aa])";

fn vertices(game: &MainLine) -> String {
    game.moves.iter().map(|play| play.to_gtp()).collect::<Vec<_>>().join(", ")
}

#[test]
fn collections_are_read_line_by_line() {
    let games: Vec<MainLine> =
        Games::new(THREE_GAMES.as_bytes()).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 3);
    assert_eq!((games[0].size, games[0].komi, games[0].date.as_str()), (19, 6.5, "2016-07-01"));
    assert_eq!(games[0].outcome, Outcome::Win(Black, Margin::Resign));
    assert_eq!(vertices(&games[0]), "B Q16, W D4, B pass, W pass");
    assert_eq!((games[1].size, games[1].komi, games[1].date.as_str()), (9, 0.0, ""));
    assert_eq!(games[1].outcome, Outcome::Win(White, Margin::Points(3.5)));
    assert_eq!(vertices(&games[1]), "B E5, W G7, B C7");
    assert_eq!((games[2].size, games[2].komi), (13, 7.5));
    assert_eq!(games[2].outcome, Outcome::Unknown);
    assert_eq!(vertices(&games[2]), "B N1, W A13");
}

#[test]
fn bad_lines_are_reported_with_their_number_or_skipped_and_counted() {
    let text = "(;SZ[9];B[aa])\n(;SZ[9];B[jj])\n\nnonsense\n(;SZ[9]AB[aa];W[bb])\n(;SZ[9];B[bb]\n\
                (;SZ[9];B[cc])\n(;GM[2])\n\0\x01\n(;SZ[9:7])\n(;SZ[9];B[aa];W[a])\n";
    let mut games = Games::new(text.as_bytes());
    let mut game = MainLine::default();
    let mut log = Vec::new();
    loop {
        match games.read_into(&mut game) {
            Ok(false) => break,
            Ok(true) => log.push(format!("{}: {}", games.line_number(), vertices(&game))),
            Err(error) => log.push(error.to_string()),
        }
    }
    let expected = [
        "1: B A9",
        "line 2: B[jj] is not a point of the 9x9 board",
        "line 4: no game found: an SGF game begins with '(;'",
        "line 5: setup stones (AB); only games from the empty board are read here",
        "line 6: the text ends inside a game: a '(' or '[' is never closed",
        "7: B C7",
        "line 8: GM[2] is not Go (GM[1])",
        "line 9: no game found: an SGF game begins with '(;'",
        "line 10: the 9x7 board is not square; only square boards can be read",
        "line 11: W[a] is not a point of the 9x9 board",
    ];
    assert_eq!(log, expected);

    let mut games = Games::new(text.as_bytes());
    let mut good = 0;
    while games.read_good_into(&mut game).unwrap() {
        good += 1;
    }
    assert_eq!((good, games.skipped()), (2, 8));
    assert!(games.first_skipped().unwrap().to_string().starts_with("line 2: "));
    assert!(!games.read_good_into(&mut game).unwrap());
}

#[test]
fn an_endless_line_is_one_bad_line() {
    let text = format!("(;SZ[9];B[aa])\n{}\n(;SZ[9];B[bb])", "x".repeat(MAX_LINE + 10));
    let mut games = Games::new(text.as_bytes());
    assert_eq!(vertices(&games.next().unwrap().unwrap()), "B A9");
    assert!(matches!(games.next(), Some(Err(CollectionError::TooLong { line: 2 }))));
    assert_eq!(vertices(&games.next().unwrap().unwrap()), "B B8");
    assert!(games.next().is_none());
}

/// A line as the training collections hold it.
fn random_line(rng: &mut Rng) -> String {
    let size = [9, 13, 19][rng.below(3) as usize];
    let mut text = format!("(;GM[1]FF[4]SZ[{size}]KM[7.5]RE[B+{}]", rng.below(60));
    for number in 0..rng.below(300) {
        let color = Color::BOTH[number as usize % 2].letter();
        let point = Point::new(1 + rng.below(size) as usize, 1 + rng.below(size) as usize);
        let point = if rng.below(50) == 0 { Point::PASS } else { point };
        text += &format!(";{color}[{}]", point.to_sgf(size as usize));
    }
    text + ")\n"
}

#[test]
fn compressed_files_are_streamed_and_a_broken_one_ends_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sgfs.zst");
    let mut rng = Rng::new(3);
    let plain: String = (0..3000).map(|_| random_line(&mut rng)).collect();
    let mut bytes = compress_to_vec(plain.as_bytes(), CompressionLevel::Fastest);
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(Games::open(&path).unwrap().filter(Result::is_ok).count(), 3000);

    bytes.truncate(bytes.len() / 2);
    std::fs::write(&path, &bytes).unwrap();
    let results: Vec<_> = Games::open(&path).unwrap().collect();
    let (last, before) = results.split_last().unwrap();
    assert!(before.iter().all(Result::is_ok) && before.len() > 500, "{}", before.len());
    assert!(matches!(last, Err(CollectionError::Read { .. })), "{last:?}");
    assert!(Games::open(&folder.path().join("missing")).is_err());
}

#[test]
fn the_streaming_reader_agrees_with_the_record_reader() {
    let mut rng = Rng::new(11);
    let mut game = MainLine::default();
    for _ in 0..500 {
        let line = random_line(&mut rng);
        let record = Record::parse(&line).unwrap();
        game.parse_line(line.as_bytes()).unwrap();
        assert_eq!((usize::from(game.size), game.komi), (record.size, record.komi.unwrap()));
        assert_eq!(game.outcome, record.outcome());
        assert_eq!(game.moves, record.moves().collect::<Vec<_>>());
    }
}
