//! Game records: what is read, what is written, and what is refused.

use tengen::game::sgf::{Action, Margin, OpenError, Outcome, Record, Setup, SgfError, Step};
use tengen::types::{Color, Move, Point, Rng};

use Color::{Black, White};

pub fn parse(text: &str) -> Record {
    Record::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub fn refuse(text: impl AsRef<[u8]>) -> SgfError {
    let error = Record::parse(text.as_ref()).expect_err("should be refused");
    let message = error.to_string();
    assert!(message.len() < 160 && !message.contains(char::is_control), "{message:?}");
    error
}

pub fn vertices(record: &Record) -> String {
    record.moves().map(Move::to_gtp).collect::<Vec<_>>().join(", ")
}

fn stones(setup: &[Setup]) -> String {
    let show = |setup: &Setup| format!("{}{}", setup.stone.map_or('.', Color::letter), setup.point);
    setup.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_usual_file() {
    let record = parse(
        "(;GM[1]FF[4]CA[UTF-8]AP[GoGui:1.5]ST[2]SZ[9]KM[6.5]RU[Chinese]\r\n\
         PB[Alice]BR[3d]PW[Bob \\] the \\\\ builder]WR[1 dan]DT[2008-02-12]EV[Cup: finals]RO[3]\r\n\
         PC[Here]GN[Game]RE[W+Time]C[first\r\nsecond]\r\n\
         ;B[ee]BL[283.0];W[ce]C[good\\: move] ;B[]\n;W[tt]LB[aa:1][bb:2])\n",
    );
    assert_eq!((record.size, record.komi, record.handicap), (9, Some(6.5), 0));
    assert_eq!(record.rules.as_deref(), Some("Chinese"));
    assert_eq!(record.black_name.as_deref(), Some("Alice"));
    assert_eq!(record.white_name.as_deref(), Some("Bob ] the \\ builder"));
    assert_eq!(record.black_rank.as_deref(), Some("3d"));
    assert_eq!(record.white_rank.as_deref(), Some("1 dan"));
    assert_eq!(record.date.as_deref(), Some("2008-02-12"));
    assert_eq!(record.event.as_deref(), Some("Cup: finals"));
    assert_eq!(record.round.as_deref(), Some("3"));
    assert_eq!(record.place.as_deref(), Some("Here"));
    assert_eq!(record.game_name.as_deref(), Some("Game"));
    assert_eq!(record.outcome(), Outcome::Win(White, Margin::Time));
    assert_eq!(record.comment, "first\nsecond");
    assert_eq!(vertices(&record), "B E5, W C5, B pass, W pass");
    assert_eq!(record.steps[1].comment, "good: move");
    assert!(record.setup.is_empty() && record.first_player.is_none());
    assert_eq!(record.to_play(), Black);
}

#[test]
fn the_main_line_is_the_first_variation_of_the_first_game() {
    let record = parse("(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee];B[ff]))(;SZ[13];B[mm])");
    assert_eq!((record.size, vertices(&record).as_str()), (9, "B A9, W B8, B C7"));
    // Brackets inside values do not count.
    let record = parse("(;SZ[9]C[(;()) \\] ;B[aa\\]];B[aa](;W[bb]C[)])(;W[cc]C[(((]))");
    assert_eq!(vertices(&record), "B A9, W B8");
    assert_eq!(record.comment, "(;()) ] ;B[aa]");
}

#[test]
fn text_before_the_game_is_passed_over() {
    let mail = "\u{feff}From: me (at home)\n( see below )\n\n( ;SZ[5];B[aa])";
    assert_eq!(vertices(&parse(mail)), "B A5");
    assert_eq!(vertices(&parse("((;SZ[5];B[aa]))")), "B A5");
}

#[test]
fn defaults_and_missing_information() {
    let record = parse("(;)");
    assert_eq!(record, Record::new(19));
    assert_eq!(record.outcome(), Outcome::Unknown);
    // The order inside the root does not count, nor does a move in it.
    let record = parse("(;B[ii]AB[aa]SZ[9])");
    assert_eq!((vertices(&record).as_str(), stones(&record.setup).as_str()), ("B J1", "BA9"));
}

#[test]
fn komi_as_it_is_found() {
    let komi = |text: &str| parse(&format!("(;SZ[19]KM[{text}])")).komi;
    assert_eq!(komi("7.5"), Some(7.5));
    assert_eq!(komi(" 6.5 "), Some(6.5));
    assert_eq!(komi("-15.5"), Some(-15.5));
    assert_eq!(komi("0.500000"), Some(0.5));
    assert_eq!(komi("6,5"), Some(6.5));
    assert_eq!(komi("375"), Some(7.5));
    assert_eq!(komi("650"), Some(6.5));
    for none in ["", "abc", "nan", "inf", "-inf", "1e30", "100000"] {
        assert_eq!(komi(none), None, "{none}");
    }
}

#[test]
fn setup_before_the_first_move_is_merged() {
    let record = parse(
        "(;SZ[9]HA[2]AB[gc][cg]C[one];AW[ee]C[two];AE[ee]PL[W]AB[aa:bb];W[dd]C[three];B[df])",
    );
    assert_eq!(stones(&record.setup), "BC3 BG7 BA8 BB8 BA9 BB9");
    assert_eq!((record.handicap, record.first_player), (2, Some(White)));
    assert_eq!(record.comment, "one\ntwo");
    assert_eq!(vertices(&record), "W D6, B D4");
    assert_eq!(record.steps[0].comment, "three");
}

#[test]
fn setup_in_the_middle_is_a_step() {
    let record = parse("(;SZ[9];B[aa];AW[bb]AE[aa]PL[B]C[cut];C[more];B[cc]AB[dd];PL[W];;W[ee])");
    let setup = |text: &str, to_play, comment: &str| {
        let stones = text.split(' ').filter(|word| !word.is_empty()).map(|word| Setup {
            point: Point::parse_gtp(&word[1..], 9).unwrap(),
            stone: Color::parse_gtp(&word[..1]),
        });
        let action = Action::Setup { stones: stones.collect(), to_play };
        Step { action, comment: comment.to_owned() }
    };
    let play = |text: &str| {
        let action = Action::Play(Move::parse_gtp(text, 9).unwrap());
        Step { action, comment: String::new() }
    };
    let expected = [
        play("B A9"),
        setup("WB8 .A9", Some(Black), "cut\nmore"),
        setup("BD6", None, ""),
        play("B C7"),
        setup("", Some(White), ""),
        play("W E5"),
    ];
    assert_eq!(record.steps, expected);
    assert_eq!(vertices(&record), "B A9, B C7, W E5");
}

#[test]
fn who_plays_first() {
    let first = |text: &str| parse(text).to_play();
    assert_eq!(first("(;SZ[9])"), Black);
    assert_eq!(first("(;SZ[9]HA[3])"), White);
    assert_eq!(first("(;SZ[9]HA[3];B[aa])"), Black);
    assert_eq!(first("(;SZ[9];W[aa])"), White);
    assert_eq!(first("(;SZ[9]PL[W];B[aa])"), White);
    assert_eq!(first("(;SZ[9]PL[white])"), White);
    assert_eq!(first("(;SZ[9]PL[2])"), White);
    assert_eq!(first("(;SZ[9]PL[?])"), Black);
}

#[test]
fn handicap_values() {
    let handicap = |text: &str| parse(&format!("(;SZ[9]HA[{text}])")).handicap;
    assert_eq!([handicap("0"), handicap("1"), handicap("2"), handicap("9")], [0, 0, 2, 9]);
    assert_eq!([handicap(""), handicap("-3"), handicap("x"), handicap("5000")], [0; 4]);
}

#[test]
fn property_names_of_older_versions() {
    let record = parse(
        "(;GaMe[1]SiZe[9]KoMi[5.5]HAndicap[2]AddBlack[gc][cg]PlayerBlack[A];White[ee];Black[aa]\n\
         Comment[x];w[ab])",
    );
    assert_eq!((record.size, record.komi, record.handicap), (9, Some(5.5), 2));
    assert_eq!(stones(&record.setup), "BC3 BG7");
    assert_eq!(vertices(&record), "W E5, B A9, W A8");
    assert_eq!((record.black_name.as_deref(), record.steps[1].comment.as_str()), (Some("A"), "x"));
}

#[test]
fn two_moves_in_a_node_are_both_played() {
    assert_eq!(vertices(&parse("(;SZ[9];W[aa]B[bb];B[cc]B[dd])")), "W A9, B B8, B C7, B D6");
}

#[test]
fn text_follows_the_format() {
    let comment = |text: &[u8]| Record::parse([b"(;C[", text, b"])"].concat()).unwrap().comment;
    assert_eq!(comment(b"a\\\nb\\\r\nc\\\n\rd"), "abcd"); // soft line breaks
    assert_eq!(comment(b"a\nb\r\nc\rd\n\re\n\nf"), "a\nb\nc\nd\ne\n\nf");
    assert_eq!(comment(b"a\tb\x0bc\\\td"), "a b c d");
    assert_eq!(comment(b"\\] \\[ \\\\ \\: \\n :"), "] [ \\ : n :");
    assert_eq!(comment("黒先 白番 ∀".as_bytes()), "黒先 白番 ∀");
    assert_eq!(comment(b"caf\xe9"), "caf\u{e9}"); // Latin-1
    assert_eq!(comment(b"\xff\xfe\x80"), "\u{ff}\u{fe}\u{80}");
    // One-line text has no line breaks.
    assert_eq!(parse("(;PB[a\nb\\\nc])").black_name.as_deref(), Some("a bc"));
    assert_eq!(parse("(;PB[])").black_name, None);
}

#[test]
fn two_byte_characters_that_end_like_brackets() {
    // 0x83 0x5C is one katakana of Shift_JIS, 0x83 0x5D another: neither escapes nor closes.
    let file = b"(;CA[Shift_JIS]SZ[9]PB[\x83\x5c]PW[\x83\x5d\xb1]C[\\\x83\x5d];B[aa])";
    let record = Record::parse(file).unwrap();
    assert_eq!(vertices(&record), "B A9");
    assert_eq!(record.white_name.as_deref(), Some("\u{83}]\u{b1}"));
    assert_eq!(record.comment, "\u{83}]");
    let file = b"(;CA[gb18030]SZ[9]PB[\x81\x5d\xfe\x5c];B[aa])";
    assert_eq!(vertices(&Record::parse(file).unwrap()), "B A9");
    // A wrong CA does no harm when the text is UTF-8.
    let record = parse("(;CA[GBK]SZ[9]PB[柯洁]C[あ];B[aa])");
    assert_eq!((record.black_name.as_deref(), record.comment.as_str()), (Some("柯洁"), "あ"));
}

#[test]
fn broken_records_are_refused_with_one_clear_error() {
    assert_eq!(refuse(""), SgfError::NoGame);
    assert_eq!(refuse("hello"), SgfError::NoGame);
    assert_eq!(refuse("(B[aa])"), SgfError::NoGame);
    let truncated =
        ["(;", "(;B", "(;B[aa", "(;B[aa]", "(;B[aa](;W[bb])", "(;C[x\\]", "(;C[\\", "(;SZ[9]("];
    for text in truncated {
        assert_eq!(refuse(text), SgfError::Truncated, "{text}");
    }
    for (text, byte, found) in [
        ("(;B[aa]%)", 7, '%'),
        ("(;B[aa];W)", 9, ')'),
        ("(;B[aa]\n[bb]]", 12, ']'),
        ("(;B[aa]())", 8, ')'),
        ("(;B[aa](B[bb]))", 8, 'B'),
        ("(;B[aa]\u{1})", 7, '.'),
        ("(;é[aa])", 2, '.'),
        ("(;SZ[9];B aa])", 10, 'a'),
    ] {
        assert_eq!(refuse(text), SgfError::Unexpected { byte, found }, "{text}");
    }
    assert_eq!(refuse("(;GM[2])"), SgfError::NotGo("2".into()));
    assert_eq!(refuse("(;GM[chess\nx])"), SgfError::NotGo("chess.x".into()));
    for size in ["0", "1", "20", "25", "52", "256", "-9", "9x9", "", "19:", ":19", "9:9:9"] {
        assert_eq!(refuse(format!("(;SZ[{size}])")), SgfError::Size(size.into()));
    }
    assert_eq!(refuse("(;SZ[9:13])"), SgfError::NotSquare(9, 13));
    assert_eq!(parse("(;SZ[9:9])").size, 9);
}

#[test]
fn points_outside_the_board_are_refused() {
    let point = |property: &str, value: &str| SgfError::Point {
        property: property.into(),
        value: value.into(),
        size: 9,
    };
    for value in ["jj", "aj", "ja", "AA", "a", "aaa", "a1", "zz", "é", "aa:bb", "B5"] {
        let shown = if value == "é" { ".." } else { value };
        assert_eq!(refuse(format!("(;SZ[9];B[{value}])")), point("B", shown));
    }
    assert_eq!(refuse("(;SZ[9];W[aa][bj])"), point("W", "aa"));
    for list in ["jj", "aa][jj", "aa:jj", "ii:jj"] {
        assert_eq!(refuse(format!("(;SZ[9]AB[{list}])")), point("AB", "jj"));
    }
    assert_eq!(refuse("(;SZ[9]AW[aa][tt])"), point("AW", "tt"));
    assert_eq!(refuse("(;SZ[9]AE[aa][x])"), point("AE", "x"));
    assert_eq!(refuse("(;SZ[9]AB[bb:aa])"), point("AB", "bb:aa"));
    // Nothing to add is nothing wrong.
    assert!(parse("(;SZ[9]AB[]AW[ ])").setup.is_empty());
}

#[test]
fn files_that_are_not_text() {
    let mut rng = Rng::new(1);
    let noise: Vec<u8> = (0..100_000).map(|_| rng.bits() as u8).collect();
    assert_eq!(refuse(&noise), SgfError::NotText);
    assert_eq!(refuse(b"(;SZ[9];B[a\0])"), SgfError::NotText);
    let utf16: Vec<u8> = "\u{feff}(;SZ[9])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(refuse(&utf16), SgfError::NotText);
}

#[test]
fn what_is_written() {
    let mut record = Record::new(9);
    record.komi = Some(6.3);
    record.handicap = 2;
    record.rules = Some("Japanese".into());
    record.result = Some("W+0.3".into());
    record.black_name = Some("a]b\\c".into());
    for (vertex, stone) in [("C3", Some(Black)), ("E5", Some(White)), ("G7", Some(Black))] {
        record.setup.push(Setup { point: Point::parse_gtp(vertex, 9).unwrap(), stone });
    }
    record.comment = "start".into();
    for text in ["w e7", "b pass"] {
        record.push_move(Move::parse_gtp(text, 9).unwrap());
    }
    record.steps[1].comment = "two\nlines".into();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        record.to_sgf(),
        format!(
            "(;GM[1]FF[4]CA[UTF-8]AP[tengen:{version}]SZ[9]KM[6.3]HA[2]RU[Japanese]PB[a\\]b\\\\c]\
             RE[W+0.3]AB[cg][gc]AW[ee]C[start]\n;W[ec];B[]C[two\nlines])\n"
        )
    );
}

#[test]
fn files_are_opened_and_errors_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    std::fs::write(&path, "(;SZ[9];B[aa])").unwrap();
    assert_eq!(vertices(&Record::open(&path).unwrap()), "B A9");
    std::fs::write(&path, "(;SZ[9];B[aa]").unwrap();
    let error = Record::open(&path).unwrap_err();
    assert!(matches!(error, OpenError::Sgf { source: SgfError::Truncated, .. }));
    assert!(error.to_string().contains("game.sgf: the text ends inside a game"), "{error}");
    let error = Record::open(&folder.path().join("missing.sgf")).unwrap_err().to_string();
    assert!(error.starts_with("cannot open"), "{error}");
}
