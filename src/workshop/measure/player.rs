//! A program that is asked over GTP what it would play in a position.
//!
//! One process answers for many positions. It is asked with `reg_genmove`, which does not play the
//! move, or with `genmove` if it does not know that. If it knows `set_random_seed` (GNU Go, Fuego
//! and tengen do), each position has a seed of its own, so that the answer does not depend on the
//! positions that the same process saw before.
//!
//! Whatever goes wrong is an error of this position only: a program that crashed, hung or flooded
//! its output is started anew for the next one.

use super::labels::Position;
use crate::types::Point;
use crate::workshop::tools::process::{Failure, Process, StartError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a program gave no move.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// It cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It crashed, hung or printed without end.
    #[error("{failure}{}", said(.stderr))]
    Failure {
        /// What happened.
        failure: Failure,
        /// The last line it wrote to standard error.
        stderr: String,
    },
    /// It refused a command that is needed to set up the position or to move.
    #[error("the program refused '{command}' ({text})")]
    Refused {
        /// The command.
        command: String,
        /// Its answer.
        text: String,
    },
    /// It answered with something that is no move.
    #[error("the program answered '{0}', which is no move")]
    NoMove(String),
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(", saying '{stderr}'") }
}

/// How a program is started and how long it may think.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSettings {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Seconds per move to be set with `time_settings`, for programs that take no flag for it.
    pub seconds: Option<u32>,
    /// A program that does not answer a command for so long is given up.
    pub timeout: Duration,
}

/// What a program wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A move or a pass.
    Move(Point),
    /// Give up.
    Resign,
}

/// An answer and what it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reply {
    /// The move.
    pub choice: Choice,
    /// From the question to the answer.
    pub seconds: f64,
    /// Processor time of the process in between, where the system tells it.
    pub cpu_seconds: Option<f64>,
}

/// A program, started when it is first asked.
#[derive(Debug)]
pub struct Player {
    settings: PlayerSettings,
    session: Option<Session>,
}

/// A running process and what it understands.
#[derive(Debug)]
struct Session {
    process: Process,
    ask: &'static str,
    takes_seed: bool,
}

impl Player {
    /// A program that is not yet started.
    pub fn new(settings: PlayerSettings) -> Player {
        Player { settings, session: None }
    }

    /// Starts the program if it is not running.
    pub fn start(&mut self) -> Result<(), PlayerError> {
        if self.session.is_none() {
            self.session = Some(Session::start(&self.settings)?);
        }
        Ok(())
    }

    /// Sets up a position and asks for a move. After an error the program is started anew, except
    /// when it only refused a command or answered with no move.
    pub fn choose(&mut self, position: &Position, seed: u32) -> Result<Reply, PlayerError> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.settings)?,
        };
        let reply = session.choose(position, seed, &self.settings);
        if !matches!(reply, Err(PlayerError::Failure { .. })) {
            self.session = Some(session);
        }
        reply
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            let _ = session.process.retire().join();
        }
    }
}

impl Session {
    fn start(settings: &PlayerSettings) -> Result<Session, PlayerError> {
        let process = Process::start(&settings.words, None)?;
        let mut session = Session { process, ask: "genmove", takes_seed: false };
        if session.knows("reg_genmove", settings.timeout)? {
            session.ask = "reg_genmove";
        }
        session.takes_seed = session.knows("set_random_seed", settings.timeout)?;
        Ok(session)
    }

    fn choose(
        &mut self,
        position: &Position,
        seed: u32,
        settings: &PlayerSettings,
    ) -> Result<Reply, PlayerError> {
        let timeout = settings.timeout;
        self.demand(&format!("boardsize {}", position.size), timeout)?;
        self.demand("clear_board", timeout)?;
        self.demand(&format!("komi {}", position.komi), timeout)?;
        if let Some(seconds) = settings.seconds {
            self.demand(&format!("time_settings 0 {seconds} 1"), timeout)?;
        }
        if self.takes_seed {
            self.demand(&format!("set_random_seed {seed}"), timeout)?;
        }
        for play in &position.moves {
            self.demand(&format!("play {}", play.to_gtp()), timeout)?;
        }
        let color = position.to_play.letter();
        if let Some(seconds) = settings.seconds {
            // Optional in GTP, so a refusal is no fault.
            self.send(&format!("time_left {color} {seconds} 1"), timeout)?;
        }
        let cpu_before = self.process.cpu_seconds();
        let asked = Instant::now();
        let text = self.demand(&format!("{} {color}", self.ask), timeout)?;
        let seconds = asked.elapsed().as_secs_f64();
        let cpu_after = self.process.cpu_seconds();
        let cpu_seconds = cpu_before.zip(cpu_after).map(|(before, after)| after - before);
        let choice = match text.as_str() {
            text if text.eq_ignore_ascii_case("resign") => Choice::Resign,
            text => Choice::Move(
                Point::parse_gtp(text, position.size)
                    .map_err(|_| PlayerError::NoMove(text.chars().take(40).collect()))?,
            ),
        };
        Ok(Reply { choice, seconds, cpu_seconds })
    }

    /// The text of a successful answer.
    fn demand(&mut self, command: &str, timeout: Duration) -> Result<String, PlayerError> {
        match self.send(command, timeout)? {
            (true, text) => Ok(text),
            (false, text) => Err(PlayerError::Refused {
                command: command.to_owned(),
                text: text.lines().next().unwrap_or("").chars().take(80).collect(),
            }),
        }
    }

    /// Does the program know a command? Asks for the list if `known_command` is not known itself.
    fn knows(&mut self, command: &str, timeout: Duration) -> Result<bool, PlayerError> {
        match self.send(&format!("known_command {command}"), timeout)? {
            (true, text) => Ok(text.eq_ignore_ascii_case("true")),
            (false, _) => {
                let (_, list) = self.send("list_commands", timeout)?;
                Ok(list.split_ascii_whitespace().any(|known| known == command))
            }
        }
    }

    fn send(&mut self, command: &str, timeout: Duration) -> Result<(bool, String), PlayerError> {
        match self.process.send(command, timeout) {
            Ok(answer) => Ok((answer.success, answer.text)),
            Err(failure) => {
                let stderr = self.last_words();
                Err(PlayerError::Failure { failure, stderr })
            }
        }
    }

    /// The last line on standard error, which often says why a program ended. It comes through a
    /// pipe of its own and may be a moment late.
    fn last_words(&self) -> String {
        let mut text = self.process.take_stderr();
        for _ in 0..5 {
            if !text.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
            text = self.process.take_stderr();
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        last.unwrap_or("").trim().chars().take(200).collect()
    }
}
