//! `tengen review` on good, bad and strange records.

use crate::helpers::{assert_refused, tengen};
use std::path::{Path, PathBuf};
use tengen::game::sgf::{Action, Record};

/// Black gives up two stones for nothing at move 9; White has names, komi and a comment.
const GAME: &str = "(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese]PB[Ann \\] Lee]PW[<Bo & co>]RE[W+R]C[A short game.]\
;B[ee];W[ce];B[gf];W[gd];B[fd];W[gc];B[cd]C[Too deep?];W[dd];B[aa];W[de])";

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn review(path: &Path, more: &[&str]) -> String {
    let fixed = ["review", "--playouts", "150", "--memory", "8", "--seed", "2"];
    let output = tengen(&[&fixed[..], more, &[path.to_str().expect("a name")]].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_review_is_a_record_and_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), "my game.sgf", GAME);
    let said = review(&path, &[]);
    let one = review(&written(folder.path(), "one.sgf", "(;SZ[5];B[cc])"), &[]);
    assert!(one.contains(": 1 move\n") && one.contains("White: no blunders"), "{one}");
    assert!(one.contains(", 0.0 points lost a move") && !one.contains("-0.0"), "{one}");
    assert!(said.contains("10 moves") && said.contains("Ann ] Lee: "), "{said}");
    assert!(said.contains("move 9, Black A9: "), "the first-line move is a mistake: {said}");
    let text = std::fs::read_to_string(folder.path().join("my game-review.sgf")).expect("a record");
    assert_eq!(Record::parse(GAME).unwrap().moves().count(), 10);
    let record = Record::parse(&text).expect("an SGF record");
    let moves = |record: &Record| record.moves().collect::<Vec<_>>();
    assert_eq!(moves(&record), moves(&Record::parse(GAME).unwrap()), "the main line stays");
    assert_eq!(record.komi, Some(5.5));
    assert!(record.comment.contains("A short game."), "{}", record.comment);
    assert!(record.comment.contains("Ann ] Lee: "), "{}", record.comment);
    let comments: Vec<&str> = record.steps.iter().map(|step| step.comment.as_str()).collect();
    assert!(comments[6].ends_with("Too deep?"), "{comments:?}");
    assert!(comments[8].contains("was better: this cost "), "{comments:?}");
    assert!(record.steps.iter().all(|step| matches!(step.action, Action::Play(_))));
    // Values on every node of the game and on the first of each variation.
    let variations = text.matches("\n(;").count() / 2;
    let count = |property: &str| text.matches(property).count();
    assert!(count("SBKV[") >= 11 + variations && count("]V[") == count("SBKV["), "{text}");
    assert!(count("BM[") >= 1 && count("LB[") >= 1, "{text}");
    let page = std::fs::read_to_string(folder.path().join("my game-review.html")).expect("a page");
    assert!(page.contains("&lt;Bo &amp; co&gt;") && !page.contains("<Bo"), "names are text");
    // The name of SVG is an address, but nobody goes there.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!page.contains("http:") && !page.contains("https:"), "it stands alone");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = GAME.replace(";W[de])", ";W[de];B[cf];W[df];B[dg];W[be];B[bd];W[ef];B[fe];W[eg])");
    let path = written(folder.path(), "game.sgf", &long);
    let read = || std::fs::read_to_string(folder.path().join("game-review.sgf")).expect("a record");
    review(&path, &["--threads", "1"]);
    let alone = read();
    review(&path, &["--threads", "3"]);
    assert_eq!(read(), alone);
}

#[test]
fn any_rules_handicap_and_size() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, moves) in [
        ("handicap", "(;SZ[13]HA[3]KM[0.5]RU[AGA]AB[dd][jj][jd];W[dj];B[gg])", 2),
        ("counted", "(;SZ[9]HA[2];W[ee];B[cc];W[])", 3),
        ("setup", "(;SZ[9];AB[ee]AW[ff];B[cc];W[dd];AE[ee])", 2),
        ("white", "(;SZ[5]PL[W];W[cc];W[bb];B[];B[dd])", 4),
        ("tiny", "(;SZ[2];B[aa])", 1),
        ("unknown", "(;SZ[7]RU[House]KM[x];B[dd];W[])", 2),
        ("repeated", "(;SZ[3]AB[ba][ab][bc]AW[bb][cb];B[ca];W[];B[])", 3),
    ] {
        let path = written(folder.path(), &format!("{name}.sgf"), text);
        let said = review(&path, &[]);
        assert!(said.contains(&format!(": {moves} move")), "{name}: {said}");
        let record = Record::open(&folder.path().join(format!("{name}-review.sgf"))).expect(name);
        assert_eq!(record.moves().count(), moves, "{name}");
    }
}

#[test]
fn broken_and_huge_records_get_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let huge = format!("(;SZ[9]{})", ";B[];W[]".repeat(3000));
    for (name, text, sentence) in [
        ("none", "no game at all", "no game found"),
        ("cut", "(;SZ[9];B[ee", "the text ends inside a game"),
        ("size", "(;SZ[25];B[ee])", "only boards from 2x2 to 19x19"),
        ("empty", "(;SZ[9])", "the game has no moves"),
        ("illegal", "(;SZ[9];B[ee];W[ee])", "move 2 (white E5): the point is occupied"),
        ("huge", &huge, "the game has 6000 moves, a review takes at most 2000"),
    ] {
        let path = written(folder.path(), &format!("{name}.sgf"), text);
        assert_refused(&["review", path.to_str().expect("a name")], sentence);
        assert!(!folder.path().join(format!("{name}-review.sgf")).exists());
    }
    assert_refused(&["review", "nowhere.sgf"], "cannot open 'nowhere.sgf'");
    assert_refused(&["review", "-"], "standard input");
    assert_refused(&["review", "x.sgf", "--time", "0"], "give the seconds a move");
    assert_refused(&["review", "x.sgf", "--rules", "chess"], "are no rules I know");
}

#[test]
fn two_games_are_not_written_to_the_same_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = "(;SZ[5];B[cc];W[bb])";
    let (one, other) =
        (written(folder.path(), "dup.sgf", game), written(folder.path(), "dup.SGF", game));
    let again = folder.path().join(".").join("dup.sgf");
    for second in [&other, &again] {
        let names = [&one, second].map(|path| path.to_str().expect("a name"));
        assert_refused(&["review", names[0], names[1]], "would both be written to");
    }
    assert!(!folder.path().join("dup-review.sgf").exists());
}

#[test]
fn one_bad_game_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = written(folder.path(), "bad.sgf", "(;SZ[9]");
    let good = written(folder.path(), "good.sgf", "(;SZ[5];B[cc];W[bb])");
    let (bad, good) = (bad.to_str().expect("a name"), good.to_str().expect("a name"));
    let output = tengen(&["review", "--playouts", "20", "--memory", "8", bad, good]);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.matches("the text ends inside a game").count(), 1, "{errors}");
    assert!(errors.contains("1 of 2 games could not be reviewed"), "{errors}");
    assert!(folder.path().join("good-review.html").exists());
}

/// `tengen review game.sgf | true`: the files are written, and nobody hears of a panic.
#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_read_what_is_said() {
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    // The name is Latin-1, as on old disks.
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"gr\xfcn.sgf"));
    std::fs::write(&path, GAME).expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["review", "--playouts", "20", "--memory", "8", "--seed", "2"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("tengen ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !errors.contains("panicked"), "{errors}");
    assert!(folder.path().join(std::ffi::OsStr::from_bytes(b"gr\xfcn-review.html")).exists());
}
