//! What a person types.

use crate::input::nearest;
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Point};
use std::path::PathBuf;
use thiserror::Error;

/// Who plays which colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The person has one colour, the engine the other.
    Person(Color),
    /// The person plays both.
    Both,
}

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Nothing was typed.
    Nothing,
    /// A move or a pass.
    Play(Point),
    /// Take back.
    Undo,
    /// What would you play?
    Hint,
    /// Who is ahead?
    Score,
    /// Give up.
    Resign,
    /// Write the game to a file, over an existing one or not.
    Save(PathBuf, bool),
    /// Read a game from a file.
    Load(PathBuf),
    /// Begin a new game.
    New,
    /// Change the board.
    Size(usize),
    /// Change the komi.
    Komi(f32),
    /// Change the handicap.
    Handicap(usize),
    /// Change sides.
    Color(Side),
    /// Change the strength.
    Level(String),
    /// Draw the board.
    Board,
    /// Say what can be typed.
    Help,
    /// Leave.
    Quit,
}

/// Why a line is no command. One sentence that says what to type.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{0}")]
pub struct CommandError(String);

/// Every command with what follows it and what it does.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("e5", "", "play there (any point)"),
    ("pass", "", "pass; two passes end the game"),
    ("undo", "", "take back your last move"),
    ("hint", "", "what tengen would play"),
    ("score", "", "who is ahead, drawn on the board"),
    ("resign", "", "give up"),
    ("save", "FILE", "write the game as SGF"),
    ("load", "FILE", "go on with a game from an SGF file"),
    ("new", "", "begin a new game"),
    ("size", "N", "board of the next game, 2 to 19"),
    ("handicap", "N", "Black's handicap stones of the next game, 0 to 9"),
    ("komi", "K", "White's compensation"),
    ("color", "C", "your colour: black, white or both"),
    ("level", "L", "strength: 25k to 9d, 1 to 10, or full"),
    ("board", "", "draw the board again"),
    ("help", "", "this list"),
    ("quit", "", "leave"),
];

/// The words that a line can begin with.
pub fn words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|&(name, ..)| name).skip(1)
}

/// The line of help below a new board.
pub const SHORT_HELP: &str =
    "Type a point such as e5, or pass, undo, hint, score, save FILE, help, quit.";

/// The list of commands.
pub fn help() -> String {
    let left = |name: &str, argument: &str| format!("{name} {argument}");
    let line = |&(name, argument, what): &(&str, &str, &str)| {
        format!("  {:<12} {what}", left(name, argument))
    };
    COMMANDS.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl Command {
    /// Understands a line, for a board of this size.
    pub fn parse(line: &str, size: usize) -> Result<Command, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_lowercase(), rest.trim());
        let bare = |command: Command| match rest {
            "" => Ok(command),
            _ => {
                Err(CommandError(format!("`{word}` stands alone; `help` lists what can be typed")))
            }
        };
        let file = |example: &str| match rest {
            "" => Err(CommandError(format!("give a file: `{word} {example}`"))),
            name => Ok(PathBuf::from(name.trim_matches('"'))),
        };
        match word.as_str() {
            "" => Ok(Command::Nothing),
            "undo" | "back" => bare(Command::Undo),
            "hint" => bare(Command::Hint),
            "score" => bare(Command::Score),
            "resign" => bare(Command::Resign),
            "new" => bare(Command::New),
            "board" => bare(Command::Board),
            "help" | "?" => bare(Command::Help),
            "quit" | "exit" => bare(Command::Quit),
            "save" => match rest.strip_suffix(" overwrite") {
                Some(name) => Ok(Command::Save(PathBuf::from(name.trim().trim_matches('"')), true)),
                None => file("game.sgf").map(|file| Command::Save(file, false)),
            },
            "load" => file("game.sgf").map(Command::Load),
            "size" => number(rest, MIN_SIZE, MAX_SIZE, "size 13").map(Command::Size),
            "handicap" => number(rest, 0, 9, "handicap 4").map(Command::Handicap),
            "komi" => komi(rest).map(Command::Komi),
            "color" | "colour" => side(rest).map(Command::Color),
            "level" | "rank" if rest.is_empty() => {
                Err(CommandError("give a level: `level 15k`".to_owned()))
            }
            "level" | "rank" => Ok(Command::Level(rest.to_owned())),
            _ => point(&word, rest, size),
        }
    }
}

fn number(text: &str, low: usize, high: usize, example: &str) -> Result<usize, CommandError> {
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| {
        CommandError(format!("give a whole number from {low} to {high}: `{example}`"))
    })
}

fn komi(text: &str) -> Result<f32, CommandError> {
    let komi = text.parse::<f32>().ok().filter(|komi| komi.abs() <= 1000.0);
    // Points come in halves; anything finer would be a komi that no game ends by.
    let komi = komi.filter(|komi| (2.0 * komi).fract() == 0.0);
    komi.ok_or_else(|| CommandError("give points in halves, such as `komi 6.5`".to_owned()))
}

fn side(text: &str) -> Result<Side, CommandError> {
    match (text.to_lowercase().as_str(), Color::parse_gtp(text)) {
        ("both", _) => Ok(Side::Both),
        (_, Some(color)) => Ok(Side::Person(color)),
        _ => Err(CommandError("give your colour: `color black`, `white` or `both`".to_owned())),
    }
}

/// What is no command is a move, or a mistake.
fn point(word: &str, rest: &str, size: usize) -> Result<Command, CommandError> {
    let shown: String = word.chars().filter(|c| !c.is_control()).take(20).collect();
    match Point::parse_gtp(word, size) {
        Ok(point) if rest.is_empty() => Ok(Command::Play(point)),
        Ok(_) => Err(CommandError(format!("type the point alone: `{shown}`"))),
        Err(error @ crate::types::ParseError::Outside(..)) => Err(CommandError(error.to_string())),
        Err(_) => Err(CommandError(match nearest(word, words()) {
            Some(meant) => format!("'{shown}' is no command: did you mean `{meant}`?"),
            None => format!("'{shown}' is no point and no command; `help` lists what can be typed"),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, command) in [
            ("", Command::Nothing),
            ("  E5 ", Command::Play(Point::new(5, 5))),
            ("pass", Command::Play(Point::PASS)),
            ("UNDO", Command::Undo),
            ("save my game.sgf", Command::Save("my game.sgf".into(), false)),
            ("save \"my game.sgf\" overwrite", Command::Save("my game.sgf".into(), true)),
            ("load a.sgf", Command::Load("a.sgf".into())),
            ("size 13", Command::Size(13)),
            ("komi -0.5", Command::Komi(-0.5)),
            ("handicap 0", Command::Handicap(0)),
            ("color W", Command::Color(Side::Person(Color::White))),
            ("colour both", Command::Color(Side::Both)),
            ("level 3", Command::Level("3".to_owned())),
            ("exit", Command::Quit),
        ] {
            assert_eq!(Command::parse(line, 9), Ok(command), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, said) in [
            ("k10", "'k10' is outside the 9x9 board"),
            ("hnit", "'hnit' is no command: did you mean `hint`?"),
            ("xyzzy", "'xyzzy' is no point and no command"),
            ("e5 e6", "type the point alone: `e5`"),
            ("undo 3", "`undo` stands alone"),
            ("save", "give a file: `save game.sgf`"),
            ("load", "give a file: `load game.sgf`"),
            ("size 20", "give a whole number from 2 to 19: `size 13`"),
            ("size", "give a whole number"),
            ("handicap -1", "give a whole number from 0 to 9"),
            ("komi many", "give points in halves"),
            ("komi nan", "give points in halves"),
            ("komi 6.3", "give points in halves"),
            ("color green", "give your colour"),
            ("level", "give a level"),
            ("\u{1b}[31mred", "'[31mred' is no point"),
        ] {
            let error = Command::parse(line, 9).unwrap_err().to_string();
            assert!(error.starts_with(said), "{line}: {error}");
        }
    }

    #[test]
    fn every_listed_command_is_known() {
        for word in words() {
            let known = Command::parse(&format!("{word} 3"), 9).or(Command::parse(word, 9));
            let known = known.or(Command::parse(&format!("{word} black"), 9));
            assert!(known.is_ok(), "{word}");
        }
    }
}
