//! The arena with a real opponent. These tests need GNU Go (Debian package `gnugo`) and are run with
//! `cargo test --test programs -- --ignored`.

use crate::helpers;

use helpers::{figures, number, sgf};
use std::path::Path;
use tengen::game::sgf::Record;

fn gnugo(arguments: &str) -> String {
    let program =
        ["/usr/games/gnugo", "/usr/bin/gnugo"].into_iter().find(|path| Path::new(path).exists());
    format!("{} --mode gtp {arguments}", program.unwrap_or("gnugo"))
}

#[test]
#[ignore = "needs GNU Go"]
fn gnugo_plays_gnugo_with_clocks_openings_and_a_referee() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("m");
    let found = figures(&[
        "match",
        "--a",
        &gnugo("--chinese-rules --level 1"),
        "--b",
        &gnugo("--chinese-rules --level 8"),
        "--referee",
        &gnugo("--chinese-rules"),
        "--games",
        "2",
        "--jobs",
        "2",
        "--random-plies",
        "4",
        "--time",
        "60+30/5",
        "--out",
        prefix.to_str().unwrap(),
    ]);
    assert_eq!(found["A"], "GNU Go 3.8 --level 1");
    assert_eq!((found["games"].as_str(), found["by forfeit"].as_str()), ("2", "0"));
    assert_eq!(found["no result"], "0");
    assert!(number(&found, "cpu A") > 0.0 && number(&found, "time B") > 0.0);
    let [first, second] = [0, 1].map(|game| Record::open(&sgf(&prefix, game)).unwrap());
    let opening = |record: &Record| record.moves().take(4).collect::<Vec<_>>();
    assert_eq!(opening(&first), opening(&second));
}

#[test]
#[ignore = "needs GNU Go"]
fn gnugo_takes_a_regression_test() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("games")).unwrap();
    // White's stone at D4 is in atari.
    let game = "(;SZ[9]KM[7.5];B[cf];W[df];B[ef];W[ii];B[dg];W[ih])";
    std::fs::write(directory.path().join("games/atari.sgf"), game).unwrap();
    let suite = directory.path().join("atari.tst");
    std::fs::write(&suite, "loadsgf games/atari.sgf\n1 reg_genmove b\n#? [D5]\n").unwrap();
    let found = figures(&["regress", "--engine", &gnugo("--level 1"), suite.to_str().unwrap()]);
    assert_eq!((found["tests"].as_str(), found["passes"].as_str()), ("1", "1"));
}
