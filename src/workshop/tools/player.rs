//! A GTP program as the tools see it: how it is started, what it can do, what it is asked.

use super::answer::Answer;
use super::fault::{Fault, FaultKind};
use super::process::Process;
use super::words::{join_words, split_words, with_one_thread};
use crate::engine::Choice;
use crate::types::{Color, Move, ParseError, Point};
use anyhow::{Result, ensure};
use std::collections::HashSet;
use std::fmt::Display;
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Placeholders for the seed of a game in a command line; the second is gogui-twogtp's.
const SEED_WORDS: [&str; 2] = ["%SEED", "%SRAND"];

/// A program as the user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    words: Vec<String>,
}

impl Program {
    /// A program from its command line.
    pub fn parse(command: &str) -> Result<Program> {
        Ok(Program { words: split_words(command)? })
    }

    /// A program from the words of its command line.
    pub fn from_words(words: Vec<String>) -> Program {
        Program { words }
    }

    /// The program with more arguments.
    pub fn with_arguments(mut self, arguments: impl IntoIterator<Item = String>) -> Program {
        self.words.extend(arguments);
        self
    }

    /// The program as the tools start it: tengen on one thread unless it is told otherwise.
    pub fn with_one_thread(self) -> Program {
        Program { words: with_one_thread(self.words) }
    }

    /// The words of the command line.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The command line, with placeholders.
    pub fn command(&self) -> String {
        join_words(&self.words)
    }

    /// Does the command line want a seed? Such a program is started anew for every game.
    pub fn wants_seed(&self) -> bool {
        self.words.iter().any(|word| SEED_WORDS.iter().any(|seed| word.contains(seed)))
    }

    /// The words without the seed and the option in front of it.
    fn words_without_seed(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for word in &self.words {
            if !SEED_WORDS.iter().any(|seed| word.contains(seed)) {
                words.push(word.clone());
            } else if words.last().is_some_and(|last| last.starts_with('-'))
                && !word.starts_with('-')
            {
                words.pop();
            }
        }
        words
    }

    /// The words with a seed in place of the placeholders.
    fn words_with_seed(&self, seed: u32) -> Vec<String> {
        let seed = seed.to_string();
        let fill = |word: &String| {
            SEED_WORDS.iter().fold(word.clone(), |word, name| word.replace(name, &seed))
        };
        self.words.iter().map(fill).collect()
    }
}

/// A running program and what it said about itself.
#[derive(Debug)]
pub struct Player {
    process: Process,
    /// The command line with its seed.
    pub command: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    commands: HashSet<String>,
    /// How long it may stay silent.
    timeout: Duration,
    alive: bool,
    games: u32,
}

impl Player {
    /// Starts a program and asks who it is. The error of one that starts and says nothing is a [`Fault`].
    pub fn start(
        program: &Program,
        seed: u32,
        directory: Option<&Path>,
        timeout: Duration,
    ) -> Result<Player> {
        let words = program.words_with_seed(seed);
        let mut player = Player {
            process: Process::start(&words, directory)?,
            command: join_words(&words),
            name: String::new(),
            version: String::new(),
            commands: HashSet::new(),
            timeout,
            alive: true,
            games: 0,
        };
        let mut about = |request: &str| -> Result<String> {
            let answer =
                player.process.send(request, timeout).map_err(|fault| player.silent(fault))?;
            Ok(if answer.success { answer.text } else { String::new() })
        };
        let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (name, version) = (one_line(about("name")?), one_line(about("version")?));
        let commands = about("list_commands")?;
        player.commands = commands.split_whitespace().map(str::to_owned).collect();
        player.name = if name.is_empty() { "unnamed".to_owned() } else { name };
        player.version = version;
        Ok(player)
    }

    /// Does it list this command? A program without a list is asked for everything.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.is_empty() || self.commands.contains(command)
    }

    /// Is this command in its list?
    pub fn lists(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Sends a command; the answer may be a refusal.
    pub fn ask(&mut self, command: &str) -> Result<Answer, Fault> {
        self.ask_for(command, self.timeout)
    }

    /// Sends a command that may take this long and the usual silence besides.
    pub fn ask_for(&mut self, command: &str, timeout: Duration) -> Result<Answer, Fault> {
        self.process.send(command, timeout).inspect_err(|_| self.alive = false)
    }

    /// Is it still running, as far as is known without asking it?
    pub fn is_alive(&mut self) -> bool {
        self.alive = self.alive && self.process.is_running();
        self.alive
    }

    /// How long it may stay silent.
    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Sends a command without which nothing can begin; the error says who refuses it.
    pub fn demand(&mut self, command: &str) -> Result<()> {
        let answer = self.ask(command).map_err(|fault| self.silent(fault))?;
        let Answer { success, text, .. } = answer;
        ensure!(success, "the program '{}' refuses '{command}': {text}", self.command);
        Ok(())
    }

    /// Sends a command that must succeed.
    pub fn order(&mut self, command: &str) -> Result<String, Fault> {
        let answer = self.ask(command)?;
        if answer.success {
            return Ok(answer.text);
        }
        let text: String = answer.text.chars().take(80).collect();
        Err(Fault::new(FaultKind::Protocol, format!("'? {text}' to '{command}'")))
    }

    /// Sends a command if the program lists it; a refusal does no harm.
    pub fn offer(&mut self, name: &str, command: &str) -> Result<(), Fault> {
        if self.knows(name) {
            self.ask(command)?;
        }
        Ok(())
    }

    /// Games begun since it was started.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Clears the board for a game of this size and komi.
    pub fn new_game(&mut self, size: usize, komi: impl Display) -> Result<(), Fault> {
        self.games += 1;
        self.order(&format!("boardsize {size}"))?;
        self.order("clear_board")?;
        self.order(&format!("komi {komi}"))?;
        Ok(())
    }

    /// Places handicap stones and plays moves.
    pub fn set_position(&mut self, handicap: &[Point], moves: &[Move]) -> Result<(), Fault> {
        if !handicap.is_empty() {
            let points: Vec<String> = handicap.iter().map(Point::to_string).collect();
            if self.knows("set_free_handicap") {
                self.order(&format!("set_free_handicap {}", points.join(" ")))?;
            } else {
                for &point in handicap {
                    self.play(Move::new(Color::Black, point))?;
                }
            }
        }
        if moves.len() > 1 && self.lists("gogui-play_sequence") {
            let sequence: Vec<String> = moves.iter().map(|play| play.to_gtp()).collect();
            self.order(&format!("gogui-play_sequence {}", sequence.join(" ")))?;
        } else {
            for play in moves {
                self.play(*play)?;
            }
        }
        Ok(())
    }

    /// Plays a move.
    pub fn play(&mut self, play: Move) -> Result<(), Fault> {
        self.order(&format!("play {} {}", color_word(play.color), play.point)).map(drop)
    }

    /// Processor seconds so far: by `cputime`, else from the system, if that tells them.
    pub fn cpu_seconds(&mut self) -> Result<Option<f64>, Fault> {
        if self.lists("cputime") {
            let answer = self.ask("cputime")?;
            if let Some(seconds) = answer.text.parse().ok().filter(|s: &f64| s.is_finite()) {
                return Ok(Some(seconds));
            }
        }
        Ok(self.process.cpu_seconds())
    }

    /// The program's standard error since the last call.
    pub fn take_stderr(&self) -> String {
        self.process.take_stderr()
    }

    /// The last line on standard error as an end of a sentence: it often says why a program ended. It
    /// comes through a pipe of its own and may be a moment late.
    pub fn last_words(&self) -> String {
        let mut text = self.take_stderr();
        for _ in 0..5 {
            if !text.is_empty() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
            text = self.take_stderr();
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let said: String = last.unwrap_or("").trim().chars().take(200).collect();
        if said.is_empty() { said } else { format!(", saying '{said}'") }
    }

    /// The error of a program that does not speak GTP.
    fn silent(&self, fault: Fault) -> anyhow::Error {
        let (command, said) = (&self.command, self.last_words());
        let about = format!("the program '{command}' does not answer GTP commands{said}");
        anyhow::Error::new(fault).context(about)
    }

    /// Has it written to standard error since it was started?
    pub fn has_spoken(&self) -> bool {
        self.process.has_spoken()
    }

    /// Asks it to end; the handle waits for that.
    pub fn retire(self) -> JoinHandle<()> {
        self.process.retire()
    }
}

/// What an answer to `genmove` means on a board of this size.
pub fn read_choice(answer: &Answer, size: usize) -> Result<Choice, Fault> {
    let text: String = answer.text.chars().take(60).collect();
    if !answer.success {
        return Err(Fault::new(FaultKind::Protocol, format!("'? {text}' to genmove")));
    }
    if answer.text.eq_ignore_ascii_case("resign") {
        return Ok(Choice::Resign);
    }
    match Point::parse_gtp(&answer.text, size) {
        Ok(point) => Ok(Choice::Play(point)),
        Err(error @ ParseError::Outside(..)) => {
            Err(Fault::new(FaultKind::IllegalMove, error.to_string()))
        }
        Err(_) => {
            let bytes = answer.text.len();
            let text = format!("an answer of {bytes} bytes to genmove is no move: '{text}'");
            Err(Fault::new(FaultKind::Protocol, text))
        }
    }
}

/// `b` or `w`.
pub fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

/// Short names for two programs: name and version, or if these are equal, the words that differ
/// in their commands (`GNU Go 3.8 --level 8`).
pub fn labels(
    [(program_a, player_a), (program_b, player_b)]: [(&Program, &Player); 2],
) -> [String; 2] {
    let full = |player: &Player| match player.version.chars().count() {
        1..=40 => format!("{} {}", player.name, player.version),
        _ => player.name.clone(),
    };
    let names = [full(player_a), full(player_b)];
    if names[0] != names[1] {
        return names;
    }
    let [name, _] = names;
    let (a, b) = (&program_a.words_without_seed()[..], &program_b.words_without_seed()[..]);
    let mut start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let shorter = a.len().min(b.len());
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let end = end.min(shorter - start);
    if a == b {
        return [format!("{name} (A)"), format!("{name} (B)")];
    }
    // `--level 8` says more than `8`.
    let is_value = |words: &[String]| words.get(start).is_some_and(|word| !word.starts_with('-'));
    if start > 0 && a[start - 1].starts_with('-') && is_value(a) && is_value(b) {
        start -= 1;
    }
    let label = |words: &[String]| {
        let words = &words[start..words.len() - end];
        match words {
            [] => format!("{name} (plain)"),
            words => format!("{name} {}", words.join(" ")),
        }
    };
    [label(a), label(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(20);

    fn player(program: &Program, seed: u32) -> Player {
        Player::start(program, seed, None, TIMEOUT).unwrap()
    }

    fn named(name: &str, version: &str) -> Player {
        let script = format!(
            "while read x; do case $x in name) echo '= {name}';; version) echo '= {version}';; \
             play*) echo '? illegal';; *) echo = $0;; esac; echo; done"
        );
        let words = ["sh", "-c", &script, "seed%SEED.%SRAND"].map(str::to_owned).to_vec();
        player(&Program::from_words(words), 17)
    }

    #[test]
    fn a_player_introduces_itself_and_gets_its_seed() {
        let mut player = named("dummy", "1.0");
        assert_eq!((player.name.as_str(), player.version.as_str()), ("dummy", "1.0"));
        assert!(player.knows("seed17.17") && !player.knows("final_score"));
        assert!(player.command.ends_with(" seed17.17"));
        assert_eq!(player.order("boardsize 9").unwrap(), "seed17.17");
        let fault = player.order("play b D4").unwrap_err();
        assert_eq!(fault.to_string(), "protocol: '? illegal' to 'play b D4'");
        let program = Program::parse("gnugo --seed %SEED").unwrap();
        assert!(program.wants_seed() && !Program::parse("gnugo").unwrap().wants_seed());
    }

    #[test]
    fn programs_that_are_no_gtp_programs_are_refused() {
        let dead = Program::parse("sh -c 'exit 1'").unwrap();
        let error = Player::start(&dead, 0, None, TIMEOUT).unwrap_err();
        assert!(error.to_string().contains("does not answer GTP commands"), "{error}");
        assert_eq!(error.downcast_ref::<Fault>().unwrap().kind, FaultKind::Crash);
        let missing = Program::parse("/no/such/program").unwrap();
        let error = Player::start(&missing, 0, None, TIMEOUT).unwrap_err();
        assert!(error.to_string().starts_with("cannot start"), "{error}");
    }

    #[test]
    fn labels_say_what_differs() {
        let gnugo = named("GNU Go", "3.8");
        let label = |a: &str, b: &str| {
            let (a, b) = (Program::parse(a).unwrap(), Program::parse(b).unwrap());
            labels([(&a, &gnugo), (&b, &gnugo)])
        };
        assert_eq!(
            label("g --mode gtp --level 1 --x", "g --mode gtp --level 8 --x"),
            ["GNU Go 3.8 --level 1", "GNU Go 3.8 --level 8"]
        );
        assert_eq!(label("g -a", "g"), ["GNU Go 3.8 -a", "GNU Go 3.8 (plain)"]);
        assert_eq!(label("g -a", "g -b -a"), ["GNU Go 3.8 (plain)", "GNU Go 3.8 -b"]);
        assert_eq!(label("g", "g"), ["GNU Go 3.8 (A)", "GNU Go 3.8 (B)"]);
        assert_eq!(
            label("g --seed %SEED -x", "g -y --seed=%SRAND"),
            ["GNU Go 3.8 -x", "GNU Go 3.8 -y"]
        );
        assert_eq!(label("g", "h"), ["GNU Go 3.8 g", "GNU Go 3.8 h"]);
        let other = named("other", "");
        let program = Program::parse("x").unwrap();
        assert_eq!(labels([(&program, &gnugo), (&program, &other)]), ["GNU Go 3.8", "other"]);
    }
}
