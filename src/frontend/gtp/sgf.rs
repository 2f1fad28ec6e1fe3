//! Game records in and out.

use super::command::{Call, Command, Reply};
use super::input::Until;
use super::session::Session;
use crate::game::Game;
use crate::game::sgf::Record;
use crate::input;
use std::path::PathBuf;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new(
        "loadsgf",
        "FILE [MOVE]",
        "Loads a game record, up to the position before a move.",
        load,
    ),
    Command::new("printsgf", "[FILE]", "The game record, or writes it to a file.", print),
];

fn load(session: &mut Session, call: &mut Call) -> Reply {
    let cannot = |error: &dyn std::fmt::Display| format!("cannot load file: {error}");
    let (file, before_move) = file_and_number(call.args.raw());
    let file = file.ok_or_else(|| cannot(&"give its name"))?;
    // A long file takes seconds, and whoever named it by mistake does not want to wait.
    let interrupt = session.inbox.begin(Until::Unwanted, call.arrived);
    let go_on = || !call.interrupted && !interrupt.is_raised();
    let record = Record::open_regular(&file, &go_on).map_err(|error| cannot(&error))?;
    // What the client set holds for every game; what a record says, for its own.
    let rules = session.settings.rules.or(record.rule_set()).unwrap_or_default();
    let mut game =
        Game::replay(&record, rules, before_move, &go_on).map_err(|error| cannot(&error))?;
    if let (None, Some(komi)) = (record.komi, session.settings.komi) {
        game.set_komi(komi);
    }
    session.replace_game(game);
    session.clock.restart();
    Ok(String::new())
}

fn print(session: &mut Session, call: &mut Call) -> Reply {
    let text = session.engine.game().to_record().to_sgf();
    match unquoted(call.args.raw()) {
        None => Ok(text),
        Some(file) => {
            let cannot = |error| format!("cannot write file: {error}");
            input::check_writable(&file).map_err(cannot)?;
            std::fs::write(file, text).map_err(|error| format!("cannot write file: {error}"))?;
            Ok(String::new())
        }
    }
}

/// A file name, which may contain spaces and may be quoted, and the number after it.
fn file_and_number(args: &[u8]) -> (Option<PathBuf>, Option<usize>) {
    let split = args.iter().rposition(|&b| b == b' ');
    let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse().ok();
    match split.map(|at| (&args[..at], number(&args[at + 1..]))) {
        Some((file, Some(number))) => (unquoted(file), Some(number)),
        _ => (unquoted(args), None),
    }
}

fn unquoted(name: &[u8]) -> Option<PathBuf> {
    let name = name.trim_ascii();
    let inner = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    let name = inner.unwrap_or(name);
    (!name.is_empty()).then(|| path(name))
}

#[cfg(unix)]
fn path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::gtp::input::Inbox;
    use crate::frontend::gtp::output::Output;
    use crate::frontend::gtp::parse::parse;
    use crate::frontend::gtp::session::Settings;
    use crate::logging::Chatter;
    use std::time::Instant;

    #[test]
    fn file_names_with_spaces_quotes_and_numbers() {
        let read = |text: &str| {
            let (file, number) = file_and_number(text.as_bytes());
            (file.map(|file| file.display().to_string()).unwrap_or_default(), number)
        };
        assert_eq!(read("a.sgf"), ("a.sgf".into(), None));
        assert_eq!(read("a.sgf 42"), ("a.sgf".into(), Some(42)));
        assert_eq!(read("my game.sgf 3"), ("my game.sgf".into(), Some(3)));
        assert_eq!(read("\"my game.sgf\""), ("my game.sgf".into(), None));
        assert_eq!(read("\"my game.sgf\" 7"), ("my game.sgf".into(), Some(7)));
        assert_eq!(read(""), (String::new(), None));
    }

    #[test]
    fn an_interrupted_load_leaves_the_game_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("long.sgf");
        std::fs::write(&file, "(;SZ[9];B[aa])").unwrap();
        let (inbox, output) = (Inbox::default(), Output::new(Box::new(std::io::sink())));
        let mut session = Session::new(Settings::default(), inbox, output, Chatter::silent());
        let args = parse(format!("loadsgf {}", file.display()).as_bytes()).unwrap().args;
        let mut load = |interrupted| {
            let arrived = Instant::now();
            let mut call = Call { id: "", args: &args, arrived, interrupted, streaming: false };
            load(&mut session, &mut call).map(|_| session.size())
        };
        let refusal = load(true).unwrap_err();
        assert!(refusal.ends_with("long.sgf: interrupted"), "{refusal}");
        assert_eq!(load(false), Ok(9));
    }
}
