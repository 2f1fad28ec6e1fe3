//! A person at a terminal instead of a program: a greeting, and advice where a program gets two words.
//!
//! GTP is a language for programs. Who starts tengen to see what it is sees nothing at all, types
//! `hello` or `e5`, and gets `? unknown command`. Programs still get exactly that: they compare it.

use super::session::Session;
use crate::input::nearest;
use crate::types::Point;

/// What a person reads first, on standard error.
pub const GREETING: [&str; 2] = [
    "tengen plays Go. It waits for commands of GTP, the language of Go programs, one a line: try",
    "`boardsize 9`, `genmove black`, `play white e5`, `showboard`, `help`, `quit`. To play \
     yourself, start `tengen web` (a page to click on) or `tengen play` (in this terminal).",
];

/// What a person needs to play a game.
const EVERYDAY: [&str; 12] = [
    "boardsize",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "clear_board",
    "final_score",
    "loadsgf",
    "printsgf",
    "level",
    "quit",
];

/// The commands of a game, in some lines instead of a hundred.
pub fn short_help(session: &Session) -> String {
    let everyday = EVERYDAY.iter().filter_map(|name| session.find(name));
    let mut lines: Vec<String> = everyday.map(|command| command.describe()).collect();
    lines.push("help NAME tells what a command does, help all lists every command.".to_owned());
    lines.join("\n")
}

/// The answer to a command that there is not.
pub fn unknown_command(session: &Session, name: &str) -> String {
    const ANSWER: &str = "unknown command";
    if !session.settings.person {
        return ANSWER.to_owned();
    }
    if let Ok(point) = Point::parse_gtp(name, session.size()) {
        let color = session.to_play();
        return format!(
            "{ANSWER}: `play {color} {point}` plays it, `genmove {}` lets tengen answer",
            color.opponent()
        );
    }
    let names = session.listed().map(|command| command.name);
    match nearest(name, names) {
        Some(meant) => format!("{ANSWER}: did you mean `{meant}`?"),
        None => format!("{ANSWER}: try `genmove black`, `showboard`, or `help`"),
    }
}

#[cfg(test)]
mod tests {
    use crate::frontend::gtp::input::Inbox;
    use crate::frontend::gtp::output::Output;
    use crate::frontend::gtp::session::{Session, Settings};
    use crate::logging::{Chatter, Kept};

    fn answers(person: bool, input: &'static str) -> Vec<String> {
        let mut settings = Settings { person, ..Settings::default() };
        settings.overrides.add_file("search.memory=1\nsearch.threads=1").unwrap();
        let sink = Kept::default();
        let output = Output::new(Box::new(sink.clone()));
        Session::new(settings, Inbox::read(input.as_bytes()), output, Chatter::silent()).run();
        sink.text().split_terminator("\n\n").map(str::to_owned).collect()
    }

    #[test]
    fn a_person_gets_advice() {
        let input = "hello\ne5\ngenmov b\nplay b e5\nE4\nhelp genmov\nhelp play\n";
        let said = answers(true, input);
        assert_eq!(said[0], "? unknown command: try `genmove black`, `showboard`, or `help`");
        assert_eq!(
            said[1],
            "? unknown command: `play black E5` plays it, `genmove white` lets tengen answer"
        );
        assert_eq!(said[2], "? unknown command: did you mean `genmove`?");
        assert!(said[4].contains("`play white E4`"), "{}", said[4]);
        assert_eq!(said[5], "? unknown command: did you mean `genmove`?");
        assert_eq!(said[6], "= play COLOR VERTEX: Plays a move.");
    }

    #[test]
    fn a_program_gets_what_programs_compare() {
        let said = answers(false, "hello\ne5\ngenmov b\nhelp nonsense\n");
        assert_eq!(said, ["? unknown command"; 4]);
    }

    #[test]
    fn help_is_short_for_people_and_whole_when_asked_for() {
        let lengths = |person, input| {
            let said = answers(person, input);
            said[0].lines().count()
        };
        assert_eq!(lengths(true, "help\n"), super::EVERYDAY.len() + 1);
        assert!(lengths(true, "help all\n") > 80);
        assert_eq!(lengths(false, "help\n"), lengths(true, "help all\n"));
    }
}
