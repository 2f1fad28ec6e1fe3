//! `tengen play` as people meet it: at a terminal, and with lines from a pipe.

use crate::harness::PATIENCE;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tengen::game::sgf::Record;

const QUICK: [&str; 8] = ["--playouts", "30", "--threads", "1", "--memory", "8", "--seed", "3"];

/// What tengen says to lines from a pipe.
fn piped(arguments: &[&str], folder: &Path, lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("play")
        .args(QUICK)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("tengen reads");
    let output = child.wait_with_output().expect("tengen ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn a_game_through_a_pipe_is_plain_text_and_counted_at_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = "color both\nsize 5\nc3\nb2\npass\npass\ne5\nsave game\nundo\nd4\nnew\n";
    let text = piped(&[], folder.path(), lines);
    assert!(!text.contains('\x1b'), "no colours and no line editor: {text}");
    for said in [
        "You play both colours.",
        "5x5.",
        " 3 ├─┼(●)┼─┤  3",
        " 2 ├(○)┼─┼─┤  2",
        "Both passed: ",
        "The game is over. `new` begins another game",
        "Saved as game.sgf.",
        "1 move taken back.",
        "A new game.",
        "● Black: you, captured 0",
        "komi 7.5, chinese rules",
    ] {
        assert!(text.contains(said), "'{said}' is not in:\n{text}");
    }
    let record = Record::open(&folder.path().join("game.sgf")).expect("a record");
    assert_eq!((record.size, record.moves().count()), (5, 4));
    assert!(record.result.is_some_and(|result| result.contains('+')));
}

#[test]
fn who_plays_both_takes_back_a_resignation_and_no_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = piped(&["--color", "both"], folder.path(), "e5\nc3\nresign\nundo\nundo\n");
    let (_, after) = text.split_once("You resign: white wins.").expect("a resignation");
    let (before, after) = after.split_once("You play on.").expect("no move is taken back");
    assert!(!before.contains("taken back") && after.contains("1 move taken back."), "{text}");
    assert!(after.contains("Move 3: black to play"), "{after}");
}

#[test]
fn bad_input_gets_a_sentence_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.sgf"), "(;SZ[9];B[aa];W[aa])").expect("a file");
    std::fs::write(folder.path().join("there.sgf"), "mine").expect("a file");
    let exchanges = [
        ("undo", "There is no move of yours to take back."),
        ("e10", "'e10' is outside the 9x9 board"),
        ("i5", "'i5' is no point and no command"),
        ("hnit", "did you mean `hint`?"),
        ("size 40", "give a whole number from 2 to 19"),
        ("handicap 1", "On 9x9 a handicap is 2 to 9 stones, or 0."),
        ("komi plenty", "give points in halves"),
        ("color green", "give your colour"),
        ("level 99", "there is no level 99"),
        ("load nowhere.sgf", "cannot open 'nowhere.sgf'"),
        ("load bad.sgf", "'bad.sgf' cannot be played: move 2 (white A9): the point is occupied"),
        ("load .", "'.' is a directory"),
        ("save no/such/folder/game.sgf", "cannot write 'no/such/folder/game.sgf'"),
        ("save there.sgf", "'there.sgf' exists already: `save there.sgf overwrite` replaces it."),
        ("e5 e6", "type the point alone"),
        ("\u{7}\u{1b}]0;x", "is no point and no command"),
        ("\u{fc}\u{df}", "is no point and no command"),
    ];
    let lines: String = exchanges.iter().map(|(line, _)| format!("{line}\n")).collect();
    let text = piped(&[], folder.path(), &lines);
    for (line, said) in exchanges {
        assert!(text.contains(said), "{line}: '{said}' is not in:\n{text}");
    }
    assert!(!text.contains('\x1b') && !text.contains('\u{7}'), "{text:?}");
    assert_eq!(text.matches("Move 1: black to play").count(), 1, "drawn once:\n{text}");
    let kept = std::fs::read_to_string(folder.path().join("there.sgf")).expect("a file");
    assert_eq!(kept, "mine");
}

#[test]
fn handicap_colours_and_loading() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        piped(&["--size", "13", "--handicap", "4", "--color", "white"], folder.path(), "save h\n");
    assert!(text.contains("komi 0.5") && text.contains("white to play"), "{text}");
    let record = Record::open(&folder.path().join("h.sgf")).expect("a record");
    assert_eq!((record.size, record.handicap, record.setup.len()), (13, 4, 4));
    // With the other colour it is the engine's turn in the same game.
    let text = piped(&["--load", "h.sgf", "--ascii"], folder.path(), "resign\nhelp\n");
    assert!(text.contains("tengen plays") && text.contains("You resign: white wins."), "{text}");
    assert!(text.contains(" X ") && text.contains("save FILE"), "{text}");
    std::fs::write(folder.path().join("one.sgf"), "(;SZ[9];B[ee])").expect("a file");
    let text = piped(&["--color", "both"], folder.path(), "load one.sgf\n");
    assert!(text.contains("one.sgf: 1 move.\n"), "{text}");
    crate::helpers::assert_refused(&["play", "--size", "1"], "--size 1: give a whole number");
    crate::helpers::assert_refused(&["play", "--color", "red"], "--color red: give your colour");
    crate::helpers::assert_refused(&["play", "--level", "0"], "there is no level 0");
    crate::helpers::assert_refused(&["play", "--load", "nowhere.sgf"], "cannot open 'nowhere.sgf'");
}

#[cfg(unix)]
mod terminal {
    use super::*;
    use std::fs::File;
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::process::Child;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Instant;

    /// tengen at a terminal of 80 columns and 24 lines.
    struct Terminal {
        child: Child,
        keys: File,
        screen: Receiver<Vec<u8>>,
        seen: String,
        /// Up to where the screen was compared with what was expected.
        place: usize,
    }

    impl Terminal {
        fn start(arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> Terminal {
            let (pty, pts) = pty_process::blocking::open().expect("a pseudo-terminal");
            pty.resize(pty_process::Size::new(24, 80)).expect("a size");
            let child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_tengen"))
                .arg("play")
                .args(QUICK)
                .args(arguments)
                .current_dir(folder)
                .env_remove("NO_COLOR")
                .env("TERM", "xterm-256color")
                .envs(environment.iter().copied())
                .spawn(pts)
                .expect("tengen starts");
            let keys = File::from(OwnedFd::from(pty));
            let mut output = keys.try_clone().expect("a second handle");
            let (sender, screen) = channel();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    if sender.send(bytes[..count].to_vec()).is_err() {
                        break;
                    }
                }
            });
            Terminal { child, keys, screen, seen: String::new(), place: 0 }
        }

        fn press(&mut self, keys: &str) {
            self.press_bytes(keys.as_bytes());
        }

        fn press_bytes(&mut self, keys: &[u8]) {
            self.keys.write_all(keys).expect("tengen reads");
        }

        /// Waits until this is written after what was last expected.
        fn expect(&mut self, text: &str) {
            let deadline = Instant::now() + PATIENCE;
            loop {
                if let Some(at) = self.seen[self.place..].find(text) {
                    self.place += at + text.len();
                    return;
                }
                let left = deadline.saturating_duration_since(Instant::now());
                let Ok(bytes) = self.screen.recv_timeout(left) else {
                    panic!("'{text}' does not come after:\n{}", &self.seen[self.place..]);
                };
                self.seen.push_str(&String::from_utf8_lossy(&bytes));
            }
        }

        /// Types a line at the prompt and waits for the answer and the next prompt.
        fn exchange(&mut self, line: &str, answer: &str) {
            self.press(&format!("{line}\r"));
            self.expect(answer);
            self.expect("> ");
        }

        fn ends(&mut self) {
            let deadline = Instant::now() + PATIENCE;
            while Instant::now() < deadline {
                if let Some(status) = self.child.try_wait().expect("a child") {
                    assert!(status.success(), "{status}");
                    return;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            panic!("tengen does not end");
        }
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    #[test]
    fn a_game_with_everything_that_can_be_typed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut terminal = Terminal::start(&[], folder.path(), &[]);
        terminal.expect("Type a point such as e5");
        terminal.expect("\x1b[48;5;179m");
        terminal.expect("black> ");
        terminal.exchange("e5", "tengen plays ");
        for (line, answer) in [
            ("e5", "E5: the point is occupied"),
            ("k9", "'k9' is outside the 9x9 board"),
            ("what", "is no point and no command"),
            ("size 99", "give a whole number"),
            ("size 13", "13x13 from the next game on; `new` begins it."),
            ("komi x", "give points in halves"),
            ("level 0", "there is no level 0"),
            ("level 1", "tengen plays at 25k."),
            ("level full", "tengen plays at 2 s a move."),
            ("level 20k", "tengen plays at 20k."),
            ("load nowhere.sgf", "cannot open"),
            ("hint", "tengen would play:"),
            ("score", "leads by about"),
            ("undo", "2 moves taken back."),
            ("undo", "There is no move of yours"),
            ("c3", "tengen plays "),
            ("help", "write the game as SGF"),
        ] {
            terminal.exchange(line, answer);
        }
        // The first letters and a tab, and the line before by the arrow up.
        terminal.exchange("sav\t my.sgf", "Saved as my.sgf.");
        terminal.exchange("\x1b[A", "Saved as my.sgf.");
        terminal.exchange("resign", "You resign: white wins.");
        terminal.exchange("new", "A new game.");
        let record = Record::open(&folder.path().join("my.sgf")).expect("a record");
        assert_eq!(record.moves().count(), 2);
        terminal.press("\x03");
        terminal.expect("Leave the game? (y/n) ");
        terminal.exchange("n", "");
        terminal.press("\x03");
        terminal.expect("Leave the game? (y/n) ");
        terminal.press("y\r");
        terminal.ends();
    }

    #[test]
    fn a_key_of_another_encoding_does_not_end_the_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut terminal = Terminal::start(&["--color", "both"], folder.path(), &[]);
        terminal.expect("black> ");
        terminal.press_bytes(b"gr\xfc");
        terminal.expect("The line is no text in UTF-8; type it again.");
        terminal.expect("black> ");
        terminal.press("e5\r");
        terminal.expect("white> ");
        terminal.press("quit\r");
        terminal.ends();
    }

    #[test]
    fn lines_that_come_before_they_are_asked_for_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let slow = ["--color", "white", "--set", "search.playouts=0", "--set", "search.time=1"];
        let mut terminal = Terminal::start(&slow, folder.path(), &[]);
        terminal.expect("tengen thinks ...");
        terminal.press("komi 5.5\rkomi 4.5\rcolor both\r");
        terminal.expect("tengen plays ");
        terminal.expect("white> komi 5.5");
        terminal.expect("The komi is 5.5.");
        terminal.expect("The komi is 4.5.");
        terminal.expect("You play both colours.");
        terminal.expect("white> ");
        // A paste, as terminals mark it.
        terminal.press("\x1b[200~a1\rb1\ra2\x1b[201~\r");
        terminal.expect("Move 5: black to play");
        terminal.press("quit\r");
        terminal.ends();
    }

    #[test]
    fn ctrl_c_ends_thinking_and_asks() {
        let folder = tempfile::tempdir().expect("a folder");
        // It would think for hours.
        let long = ["--color", "white", "--set", "search.playouts=1000000000"];
        let mut terminal = Terminal::start(&long, folder.path(), &[]);
        terminal.expect("tengen thinks ...");
        terminal.press("\x03");
        terminal.expect("tengen plays ");
        terminal.expect("Leave the game? (y/n) ");
        terminal.press("\x04");
        terminal.ends();
    }

    #[test]
    fn without_colours_the_largest_board_fits() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut terminal = Terminal::start(&["--size", "19"], folder.path(), &[("NO_COLOR", "1")]);
        terminal.expect("19 ┌─┬");
        terminal.expect("└─┴");
        terminal.expect("black> ");
        let begin = terminal.seen.find("   A B C").expect("the letters");
        let board = &terminal.seen[begin..];
        assert!(!board.lines().take(21).any(|line| line.contains('\x1b')), "{board}");
        let lines: Vec<&str> = board.lines().take(21).collect();
        assert!(lines[20].starts_with("   A B C"), "{board}");
        assert!(lines.iter().all(|line| line.trim_end().chars().count() <= 80), "{board}");
        terminal.press("quit\r");
        terminal.ends();
    }
}
