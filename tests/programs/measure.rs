//! `tengen quality` and `tengen calibrate` as they are used: as programs, on made-up positions and
//! with scripted engines.

#![cfg(unix)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A suite of positions on 5x5 after 0 to `count` - 1 passes; White's best move is C3, Black's B2.
fn suite(folder: &TempDir, count: usize) -> PathBuf {
    let path = folder.path().join("made.jsonl");
    let lines: Vec<String> = (0..count)
        .map(|passes| {
            let moves = vec!["pass"; passes].join(" ");
            format!(
                "{{\"size\": 5, \"komi\": 2.5, \"moves\": \"{moves}\", \"first\": \"B\", \
                 \"after\": {{\"B2\": [4.0, 0.8], \"C3\": [1.0, 0.4], \"pass\": [2.0, 0.5]}}}}"
            )
        })
        .collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

/// An engine as a shell script. Variables it can use: `plays` counts the moves of the position,
/// `seed` is the last seed, `$1` is its first argument.
fn engine(folder: &TempDir, name: &str, known: &str, genmove: &str) -> String {
    let path = folder.path().join(name);
    let script = format!(
        r#"known="{known}"
        while read -r command rest; do
          answer="="
          case "$command" in
            list_commands) answer="= $known";;
            clear_board) plays=0;;
            play) plays=$((plays + 1));;
            set_random_seed) seed=$rest;;
            boardsize|komi|time_settings|time_left) ;;
            reg_genmove|genmove)
              case " $known " in *" $command "*) {genmove} ;; *) answer="? unknown command";; esac;;
            quit) echo "="; echo; exit 0;;
            *) answer="? unknown command";;
          esac
          echo "$answer"; echo
        done"#
    );
    std::fs::write(&path, script).unwrap();
    format!("sh '{}'", path.display())
}

fn quality(suite: &Path, arguments: &[&str]) -> Output {
    tengen(&[&["quality", suite.to_str().unwrap(), "--json"], arguments].concat())
}

/// The one summary of a report.
fn summary(report: &Value) -> &Value {
    &report["suites"][0]["summaries"][0]
}

#[test]
fn losses_of_a_scripted_engine() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&folder, 4);
    for known in ["reg_genmove", "genmove"] {
        let engine = engine(&folder, known, known, "answer='= c3'");
        let report = json(&quality(&suite, &["--engine", &engine]));
        let summary = summary(&report);
        // Black loses 3 points and 40 % with C3, White nothing.
        assert_eq!(summary["positions"], 4);
        assert_eq!(summary["failed"], 0);
        assert_eq!(summary["points_lost"]["mean"], 1.5);
        assert!((summary["winrate_lost"]["mean"].as_f64().unwrap() - 0.2).abs() < 1e-9);
        assert!(summary["points_lost"]["standard_error"].as_f64().unwrap() > 0.8);
        assert_eq!(summary["best_moves"], 0.5);
        assert_eq!(summary["blunders_by_points"], 0.0);
        assert_eq!(summary["blunders_by_winrate"], 0.5);
        assert!(summary["seconds"].as_f64().unwrap() < 5.0);
    }
    let engine = engine(&folder, "resigns", "genmove", "answer='= resign'");
    let report = json(&quality(&suite, &["--engine", &engine]));
    assert_eq!(summary(&report)["points_lost"]["mean"], 3.0);
    assert_eq!(summary(&report)["unlisted"], 4);
}

#[test]
fn the_text_has_one_figure_per_line() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&folder, 4);
    let engine = engine(&folder, "e", "genmove", "answer='= c3'");
    let output = tengen(&["quality", suite.to_str().unwrap(), "--engine", &engine, "--list"]);
    let output = text(&output.stdout);
    assert!(output.contains("made points lost: 1.500 points (standard error 0.866)\n"), "{output}");
    assert!(output.contains("made winrate lost: 20.00 % (standard error "), "{output}");
    assert!(output.contains("made blunders by winrate: 50.0 %\n"), "{output}");
    assert!(output.contains("made line 1: C3 loses 3.00 points, 40.0 %; best is B2\n"), "{output}");
}

#[test]
fn crashes_and_hangs_are_failed_positions_and_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&folder, 8);
    let genmove = "case $plays in
        2) echo 'out of luck' >&2; exit 3;;
        4) sleep 1000;;
        5) answer='? no idea';;
        6) answer='= Z99';;
        *) answer='= pass';; esac";
    let engine = engine(&folder, "faulty", "reg_genmove", genmove);
    for jobs in ["1", "3"] {
        let output = quality(&suite, &["--engine", &engine, "--timeout", "1.5", "--jobs", jobs]);
        let report = json(&output);
        assert_eq!(summary(&report)["positions"], 4);
        assert_eq!(summary(&report)["failed"], 4);
        // Answered: no passes (Black), 1 (White), 3 (White), 7 (White); Black loses 2, White 1.
        assert_eq!(summary(&report)["points_lost"]["mean"], 1.25);
        let errors = text(&output.stderr);
        for message in [
            "made line 3 failed: crash: ",
            ", saying 'out of luck'",
            "made line 5 failed: hang: ",
            "made line 6 failed: protocol: '? no idea' to genmove",
            "made line 7 failed: illegal move: 'Z99' is outside the 5x5 board",
        ] {
            assert!(errors.contains(message), "{message} is not in {errors}");
        }
    }
}

#[test]
fn two_settings_are_compared_in_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&folder, 6);
    let engine = engine(&folder, "e", "genmove", "answer=\"= ${1:-b2}\"");
    let report = json(&quality(&suite, &["--engine", &engine, "--against", "pass"]));
    let suite_report = &report["suites"][0];
    assert_eq!(suite_report["summaries"][0]["points_lost"]["mean"], 1.5);
    assert_eq!(suite_report["summaries"][1]["points_lost"]["mean"], 1.5);
    // B2 is best for Black (0 against 2) and worst for White (3 against 1).
    assert_eq!(suite_report["difference"]["points_lost"]["mean"], 0.0);
    assert_eq!(suite_report["difference"]["same_move"], 0.0);
    let interval = &suite_report["difference"]["points_interval"];
    assert!(interval[0].as_f64().unwrap() < -2.0 && interval[1].as_f64().unwrap() > 2.0);

    let same = format!("{engine} c3");
    let suite = suite.to_str().unwrap();
    let output = tengen(&["quality", suite, "--engine", &same, "--engine2", &same]);
    let output = text(&output.stdout);
    assert!(output.contains("made first points lost: 1.500 points"), "{output}");
    assert!(output.contains("made against points lost: 1.500 points"), "{output}");
    let line = "made difference points lost: +0.000 points (95 % interval +0.000 to +0.000)\n";
    assert!(output.contains(line), "{output}");
    assert!(output.contains("made difference same move: 100.0 %\n"), "{output}");
}

#[test]
fn seeds_belong_to_positions_whatever_the_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&folder, 12);
    let genmove = "if [ $((seed / 2 % 2)) = 0 ]; then answer='= b2'; else answer='= c3'; fi";
    let engine = engine(&folder, "seeded", "reg_genmove set_random_seed", genmove);
    let list = |arguments: &[&str]| {
        let common = ["quality", suite.to_str().unwrap(), "--engine", &engine, "--list"];
        let output = text(&tengen(&[&common, arguments].concat()).stdout);
        let lines = output.lines().filter(|line| line.starts_with("made line "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let all = list(&["--jobs", "1"]);
    assert_eq!(all.len(), 12);
    assert_eq!(all, list(&["--jobs", "3"]));
    assert!(all.iter().any(|line| line.contains("B2 loses")));
    assert!(all.iter().any(|line| line.contains("C3 loses")));
    let some = list(&["--limit", "5"]);
    assert!(some.len() == 5 && some.iter().all(|line| all.contains(line)));
    let others = ["2", "3", "4"].map(|seed| list(&["--seed", seed]));
    assert!(others.iter().any(|lines| *lines != all), "seeds make a difference");
}

#[test]
fn tengen_measures_itself_and_repeats_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.jsonl");
    let lines = ["", "C3", "C3 B2", "C3 D2 C2", "B4 D2 C3 C2", "B2 D4 D2 B4 C3"].map(|moves| {
        let after = "{\"C3\": [3.0, 0.7], \"B3\": [1.0, 0.5], \"A1\": [-20.0, 0.0]}";
        format!("{{\"size\": 5, \"komi\": 5.5, \"moves\": \"{moves}\", \"after\": {after}}}\n")
    });
    std::fs::write(&path, lines.concat()).unwrap();
    let suite = path.to_str().unwrap();
    let output = |arguments: &[&str]| {
        let common = ["quality", suite, "--playouts", "60", "--threads", "1", "--list"];
        let output = tengen(&[&common, arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let moves = |output: String| -> Vec<String> {
        output.lines().filter(|line| line.contains(" loses ")).map(str::to_owned).collect()
    };
    let once = moves(output(&["--jobs", "1"]));
    assert_eq!(once.len(), 6);
    assert!(once[0].starts_with("made line 1: C3 loses 0.00 points"), "{once:?}");
    assert_eq!(once, moves(output(&["--jobs", "3"])));
    let both = output(&["--jobs", "2", "--against", "--set search.mix=mse"]);
    assert!(both.contains("made difference same move: 100.0 %\n"), "{both}");
}

#[test]
fn bad_input_is_one_sentence_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(&folder, 3);
    let suite = suite.to_str().unwrap();
    let engine = engine(&folder, "e", "genmove", "answer='= pass'");
    let dead = engine_that_ends(&folder);
    let bad = folder.path().join("bad.jsonl");
    std::fs::write(&bad, "{\"size\": 9}\n").unwrap();
    let bad = bad.to_str().unwrap();
    for (arguments, message) in [
        (vec!["quality", "/no/such/file", "--engine", &engine], "cannot open '/no/such/file'"),
        (vec!["quality", bad, "--engine", &engine], "line 1: not a position in JSON"),
        (vec!["quality", suite, "--engine", "/no/such/engine"], "there is no such program"),
        (vec!["quality", suite, "--engine", &dead], "saying 'no such flag'"),
        (vec!["quality", suite, "--engine", ""], "the command of the program is empty"),
        (vec!["quality", suite, "--engine", &engine, "--playouts", "5"], "flag of tengen"),
        (vec!["quality", suite, "--against", "--speed 5"], "unexpected argument '--speed'"),
        (vec!["quality", suite, "--engine", &engine, "--jobs", "0"], "--jobs must be"),
        (vec!["quality", suite, "--engine", &engine, "--timeout", "0"], "--timeout 0 must be"),
        (vec!["quality", suite, "--set", "x"], "'x' is not of the form name=value"),
        (vec!["calibrate", suite], "the field 'winrate' is missing"),
        (vec!["calibrate", suite, "--playout", "magic"], "'magic' is no value for playout.policy"),
        (vec!["calibrate", suite, "--playouts", "0"], "--playouts must be at least 1"),
    ] {
        let output = tengen(&arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(message), "{message} is not in {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(output.stdout.is_empty());
    }
}

fn engine_that_ends(folder: &TempDir) -> String {
    let path = folder.path().join("ends");
    std::fs::write(&path, "echo 'no such flag' >&2; exit 2").unwrap();
    format!("sh '{}'", path.display())
}

/// Positions of a small game with made-up judgements, compressed.
fn labels(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("judged.jsonl.zst");
    let moves = ["D4", "C3", "E3", "D2", "pass", "E5", "C5", "B4", "F2", "pass", "A1"];
    let lines: Vec<String> = (0..=moves.len())
        .map(|count| {
            format!(
                "{{\"size\":6,\"komi\":3,\"moves\":\"{}\",\"winrate\":0.{count},\"lead\":1.0,\
                 \"ownership\":\"{}\"}}\n",
                moves[..count].join(" "),
                "YSMGA".chars().cycle().skip(count).take(36).collect::<String>()
            )
        })
        .collect();
    let bytes = lines.concat();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    std::fs::write(&path, ruzstd::encoding::compress_to_vec(bytes.as_bytes(), level)).unwrap();
    path
}

#[test]
fn calibration_is_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let labels = labels(&folder);
    let labels = labels.to_str().unwrap();
    let svg = folder.path().join("plot.svg");
    let default = tengen::params::Params::for_size(9).playout.capture;
    let playout = format!("--playout=rules,rules:capture={default},light");
    let report = |threads: &str, seed: &str| {
        let common = ["calibrate", labels, &playout, "--playouts=40", "--json"];
        let changing = ["--threads", threads, "--seed", seed, "--svg", svg.to_str().unwrap()];
        let mut report = json(&tengen(&[&common[..], &changing].concat()));
        for policy in report["files"][0]["policies"].as_array_mut().unwrap() {
            let speed = policy.as_object_mut().unwrap().remove("playouts_per_second").unwrap();
            assert!(speed.as_f64().unwrap() > 100.0);
        }
        report
    };
    let one = report("1", "1");
    assert_eq!(one, report("3", "1"));
    assert_ne!(one["files"], report("1", "2")["files"]);
    assert_eq!(one["files"][0]["file"], "judged");
    let policies = one["files"][0]["policies"].as_array().unwrap();
    let all = &policies[0]["phases"][0];
    assert_eq!((&all["phase"], &all["positions"]), (&Value::from("all"), &Value::from(12)));
    for figure in ["ownership_correlation", "ownership_squared_error", "log_loss"] {
        assert!(all[figure].as_f64().unwrap().is_finite());
    }
    // The same policy with the same seeds and its own default differs in nothing.
    assert_eq!(policies[1]["phases"], policies[0]["phases"]);
    assert_eq!(policies[1]["change"]["winrate_squared_error"]["mean"], 0.0);
    assert_ne!(policies[2]["change"]["winrate_squared_error"]["mean"], 0.0);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("as it should be"));
}

#[test]
fn calibration_prints_figures_by_phase() {
    let folder = tempfile::tempdir().unwrap();
    let labels = labels(&folder);
    let output = tengen(&["calibrate", labels.to_str().unwrap(), "--playouts", "20"]);
    let output = text(&output.stdout);
    for line in [
        "judged speed, light: ",
        "judged all positions, all policies: 12\n",
        "judged opening positions, all policies: 10\n",
        "judged middle positions, all policies: 2\n",
        "judged all winrate squared error, light: 0.",
        "judged middle ownership correlation, light: ",
    ] {
        assert!(output.contains(line), "{line} is not in {output}");
    }
    assert!(!output.contains("endgame"), "{output}");
}
