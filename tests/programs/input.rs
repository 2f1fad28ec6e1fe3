//! Input that would hang the program or fill its memory: it is refused, and the session goes on.

use crate::harness;
use crate::helpers;

use harness::Program;
use helpers::{TENGEN, assert_refused};
use std::path::Path;
use std::process::{Command, Stdio};

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn gtp_reads_and_writes_regular_files_only() {
    let folder = tempfile::tempdir().unwrap();
    mkfifo(&folder.path().join("pipe"));
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    let mut program = Program::start(&[], folder.path());
    for (name, kind) in [
        ("-", "standard input"),
        ("/dev/stdin", "standard input"),
        ("/dev/fd/0", "standard input"),
        ("pipe", "a pipe"),
        ("folder", "a directory"),
        ("/dev/zero", "a device"),
    ] {
        let answer = program.ask(&format!("1 loadsgf {name}"));
        assert_eq!(answer, format!("?1 cannot load file: '{name}' is {kind}; give a file"));
        // The line after it was not read as a game.
        assert_eq!(program.expect_success("protocol_version"), "2");
    }
    for (name, kind) in [("pipe", "a pipe"), ("folder", "a directory"), ("/dev/null", "a device")] {
        let answer = program.ask(&format!("2 printsgf {name}"));
        assert_eq!(answer, format!("?2 cannot write file: '{name}' is {kind}; give a file"));
    }
    for _ in 0..2 {
        program.expect_success("printsgf new.sgf"); // new, then there already
        program.expect_success("loadsgf new.sgf");
    }
}

#[test]
fn a_line_without_end_is_refused_and_the_session_goes_on() {
    let long = vec![b'x'; 40 << 20];
    let mut gtp = Program::new(&[]);
    gtp.send_bytes(b"17 ");
    gtp.send_bytes(&long);
    gtp.send_bytes(b"\n# ");
    gtp.send_bytes(&long); // a comment is not answered, however long it is
    gtp.send_bytes(b"\n18 protocol_version\n");
    assert_eq!(gtp.response(), "?17 the line is longer than 16 MB");
    assert_eq!(gtp.response(), "=18 2");

    let mut analysis = Program::new(&["analysis", "--analysis-threads", "1"]);
    analysis.send_bytes(b"{\"id\":\"a\",");
    analysis.send_bytes(&long);
    analysis.send_bytes(b"\n{\"id\":\"b\",\"action\":\"query_version\"}\n");
    assert_eq!(analysis.line().unwrap(), "{\"error\":\"a line is longer than 16 MB\"}");
    assert!(analysis.line().unwrap().contains("\"id\":\"b\""));
}

#[test]
fn a_byte_order_mark_before_the_first_query_is_skipped() {
    let mut analysis = Program::new(&["analysis", "--analysis-threads", "1"]);
    analysis.send_bytes("\u{feff}{\"id\":\"a\",\"action\":\"query_version\"}\n".as_bytes());
    assert!(analysis.line().unwrap().contains("\"id\":\"a\""));
}

#[cfg(unix)]
#[test]
fn tools_refuse_devices_and_directories() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().to_str().unwrap();
    let file = |option: &'static str| [&["gtp", option][..], &["X"]].concat();
    for command in [
        file("--params"),
        file("--model"),
        vec!["analysis", "--params", "X"],
        vec!["elo", "X"],
        vec!["regress", "X"],
        vec!["regress", "@X"],
        vec!["quality", "X"],
        vec!["calibrate", "X"],
    ] {
        for (name, expected) in
            [("/dev/zero", "is a device; give a file"), (directory, "is a directory; give a file")]
        {
            let replaced: Vec<String> =
                command.iter().map(|word| word.replace('X', name)).collect();
            let words: Vec<&str> = replaced.iter().map(String::as_str).collect();
            assert_refused(&words, expected);
        }
    }
    assert_refused(
        &["match", "--a", helpers::mover(), "--games", "2", "--openings", "/dev/zero"],
        "is a device; give a file",
    );
    for option in ["--params", "--model"] {
        for name in ["-", "/dev/stdin"] {
            assert_refused(&["gtp", option, name], "is standard input; give a file");
        }
    }
}

#[cfg(unix)]
#[test]
fn tools_read_pipes_and_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    mkfifo(&pipe);
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, "search.playouts = 7\n")
    });
    let mut program = Program::start(&["--params", "pipe"], folder.path());
    assert_eq!(program.expect_success("kata-get-param search.playouts"), "7");
    writer.join().unwrap().unwrap();

    // Nobody will ever write to it.
    for arguments in [&["--params"][..], &["elo"], &["regress"], &["quality"]] {
        let mut waiting = Command::new(TENGEN)
            .args(arguments)
            .arg(&pipe)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let kill = format!("kill -TERM {}", waiting.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert_eq!(waiting.wait().unwrap().code(), None, "{arguments:?}: ended by the signal");
    }
}

#[test]
fn compressed_files_that_ask_for_too_much_memory_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.zst");
    let name = path.to_str().unwrap();
    // A window of 2 TB, then blocks of 128 KB of one letter.
    let header = [0x28, 0xB5, 0x2F, 0xFD, 0, 31 << 3];
    std::fs::write(&path, [&header[..], &[0x02, 0x00, 0x10, b'x'].repeat(12_000)].concat())
        .unwrap();
    for command in ["elo", "quality", "calibrate", "regress"] {
        assert_refused(&[command, name], "its compression window of 2097152 MB is above 128 MB");
    }
    let mut gtp = Program::start(&[], folder.path());
    let answer = gtp.ask("loadsgf x.zst");
    assert!(answer.starts_with("? cannot load file: cannot read 'x.zst': its compression window"));
}

#[test]
fn komi_must_be_a_number_of_points() {
    for komi in ["nan", "inf", "-inf", "1e39", "-1e39", "much"] {
        assert_refused(&["gtp", &format!("--komi={komi}")], "give a number of points");
    }
    let mut program = Program::new(&["--komi", "-3.5"]);
    assert_eq!(program.expect_success("get_komi"), "-3.5");
    for komi in ["nan", "inf", "1e400"] {
        assert_eq!(program.ask(&format!("komi {komi}")), "? syntax error");
    }
    let refusal = "? komi must be from -1000000 to 1000000";
    assert_eq!(program.ask("komi 1e39"), refusal);
    let mut analysis = Program::new(&["analysis", "--analysis-threads", "1"]);
    analysis.send(
        r#"{"id":"k","rules":"chinese","komi":1e39,"boardXSize":9,"boardYSize":9,"moves":[]}"#,
    );
    let answer = analysis.line().unwrap();
    assert!(answer.contains(r#""field":"komi""#) && answer.contains(r#""id":"k""#), "{answer}");
}
