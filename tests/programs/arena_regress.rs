//! `tengen regress` against the random mover, whose `reg_genmove` always passes.

use crate::helpers;

use helpers::{assert_refused, figures, mover, mover_with, tengen};
use std::path::Path;

fn write(directory: &Path, name: &str, content: &str) -> String {
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

const SUITE: &str = "
# the game is found from the suite's directory
loadsgf games/x.sgf 3
10 reg_genmove black
#? [PASS]
20 reg_genmove white
#? [D4|E5]
30 reg_genmove white
#? [D4]*
40 reg_genmove white
#? [!D4]*
50 reg_genmove white
#? [!(PASS|D4)]
60 name
#? [random.*]
70 no_such_command
loadsgf games/missing.sgf
80 version
";

#[test]
fn passes_fails_and_surprises_are_counted_per_file_and_in_all() {
    let directory = tempfile::tempdir().unwrap();
    let first = write(directory.path(), "suites/first.tst", SUITE);
    write(directory.path(), "suites/games/x.sgf", "(;SZ[9])");
    let second = write(directory.path(), "second.tst", "1 protocol_version\n#? [2]\n");
    let found = figures(&["regress", "--engine", mover(), &first, &second]);
    let line = |name: &str| found[name].rsplit_once(", ").unwrap().0.to_owned();
    assert_eq!(line(&first), "8 tests, 4 passes (1 unexpected), 4 fails (1 expected), 1 errors");
    assert_eq!(line(&second), "1 tests, 1 passes (0 unexpected), 0 fails (0 expected), 0 errors");
    for (name, value) in [
        ("suites", "2"),
        ("tests", "9"),
        ("passes", "5"),
        ("unexpected passes", "1"),
        ("fails", "4"),
        ("expected fails", "1"),
        ("unexpected fails", "3"),
        ("errors", "1"),
        ("crashes", "0"),
    ] {
        assert_eq!(found[name], value, "{name}");
    }

    let output = tengen(&["regress", "--engine", mover(), &first, "--long", "--strict"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "first.tst 10 pass: got 'pass'",
        "first.tst 20 unexpected FAIL: correct 'D4|E5', got 'pass'",
        "first.tst 30 expected fail: correct 'D4', got 'pass'",
        "first.tst 40 unexpected PASS: got 'pass'",
        "first.tst 50 unexpected FAIL: correct '!(PASS|D4)', got 'pass'",
        "first.tst 70 unexpected FAIL, got '? unknown command'",
        "first.tst error in line 17: loadsgf games/missing.sgf: ? cannot load file",
    ] {
        assert!(text.contains(expected), "'{expected}' is not in\n{text}");
    }
}

#[test]
fn lists_of_suites_jobs_commands_before_and_json() {
    let directory = tempfile::tempdir().unwrap();
    let suite = "1 final_score\n#? [W\\+3\\.5]\n";
    for name in ["a.tst", "b.tst", "sub/c.tst"] {
        write(directory.path(), name, suite);
    }
    write(directory.path(), "sub/more.txt", "c.tst\n");
    let list = write(directory.path(), "list.txt", "# all\na.tst\n\nb.tst\n@sub/more.txt\n");
    let before = write(directory.path(), "before.gtp", "boardsize 9 # small\nkomi 3.5\n");
    let at = format!("@{list}");
    let arguments = ["regress", "--engine", mover(), "--gtp-file", &before, "--jobs", "3", &at];
    let output = tengen(&[&arguments[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["total"]["tests"], 3);
    assert_eq!(json["total"]["passes"], 3);
    assert_eq!(json["suites"][2]["tests"][0]["got"], "W+3.5");
    assert!(json["suites"][2]["file"].as_str().unwrap().ends_with("c.tst"));
}

#[test]
fn a_program_that_dies_fails_the_test_and_the_suite_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let suite =
        "1 reg_genmove b\n#? [PASS]\n2 name\n#? [random mover]\n3 reg_genmove w\n#? [D4]*\n";
    let file = write(directory.path(), "x.tst", suite);
    let found = figures(&["regress", "--engine", &mover_with("--fault die"), &file]);
    assert_eq!((found["passes"].as_str(), found["fails"].as_str()), ("1", "2"));
    assert_eq!((found["expected fails"].as_str(), found["crashes"].as_str()), ("1", "2"));
}

#[test]
fn tengen_itself_thinks_as_long_as_it_is_told() {
    let directory = tempfile::tempdir().unwrap();
    // Letter case does not matter, in what must be and in what must not.
    let suite = "boardsize 5\n1 kata-get-param search.playouts\n#? [7]\n2 reg_genmove b\n#? [[a-e][1-5]]\n\
                 play b c3\nplay w pass\n3 last_move\n#? [WHITE PASS]\n4 last_move\n#? [!white PASS]*\n";
    let file = write(directory.path(), "x.tst", suite);
    let found = figures(&["regress", "--playouts", "7", "--set", "search.memory=16", &file]);
    assert_eq!((found["passes"].as_str(), found["expected fails"].as_str()), ("3", "1"));
    let suite =
        "1 kata-get-param search.time\n#? [0\\.25]\n2 kata-get-param search.playouts\n#? [0]\n";
    let file = write(directory.path(), "y.tst", suite);
    let found = figures(&["regress", "--time", "0.25", "--set", "search.memory=16", &file]);
    assert_eq!(found["passes"], "2");
    for (option, value) in
        [("--playouts", "0"), ("--playouts", "-1"), ("--time", "0"), ("--time", "x")]
    {
        assert_refused(&["regress", option, value, &file], option);
    }
    assert_refused(&["regress", "--playouts", "7", &file, "--engine", mover()], "--engine");
}

#[test]
fn bad_arguments_are_refused_in_one_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let good = write(directory.path(), "good.tst", "1 name\n");
    let bad = write(directory.path(), "bad.tst", "1 name\n#? [(]\n");
    let circle = write(directory.path(), "circle", "@circle\n");
    assert_refused(&["regress"], "FILE.tst");
    assert_refused(&["regress", "/no/such.tst", "--engine", mover()], "/no/such.tst");
    assert_refused(&["regress", &bad, "--engine", mover()], "bad.tst': line 2");
    assert_refused(&["regress", &format!("@{circle}"), "--engine", mover()], "contains itself");
    assert_refused(&["regress", &good, "--engine", "/no/such/program"], "no such program");
    assert_refused(&["regress", &good, "--engine", "sh -c 'exit 1'"], "does not answer");
    assert_refused(&["regress", &good, "--engine", mover(), "--jobs", "0"], "--jobs");
    let refused = write(directory.path(), "before.gtp", "komi lots\n");
    assert_refused(
        &["regress", &good, "--engine", mover(), "--gtp-file", &refused],
        "refuses 'komi lots': syntax error",
    );
}
