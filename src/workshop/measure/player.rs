//! A program that is asked over GTP what it would play in a position.
//!
//! One process answers for many positions. It is asked with `reg_genmove`, which does not play the
//! move, or with `genmove` if it does not list that. If it lists `set_random_seed` (GNU Go, Fuego
//! and tengen do), each position has a seed of its own, so that the answer does not depend on the
//! positions that the same process saw before.
//!
//! Whatever goes wrong is an error of this position only: a program that crashed, hung or flooded
//! its output is started anew for the next one.

use super::labels::Position;
use crate::engine::Choice;
use crate::workshop::tools::fault::Fault;
use crate::workshop::tools::player::{Player, Program, color_word, read_choice};
use anyhow::{Result, anyhow};
use std::time::Duration;

/// An answer and what it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reply {
    /// The move.
    pub choice: Choice,
    /// From the question to the answer.
    pub seconds: f64,
    /// Processor time of the process in between, where that is known.
    pub cpu_seconds: Option<f64>,
}

/// A program, started when it is first asked.
#[derive(Debug)]
pub struct Respondent {
    program: Program,
    /// Seconds per move to be set with `time_settings`, for programs that take no flag for it.
    seconds: Option<u32>,
    /// A program that does not answer a command for so long is given up.
    timeout: Duration,
    player: Option<Player>,
}

impl Respondent {
    /// A program that is not yet started.
    pub fn new(program: Program, seconds: Option<u32>, timeout: Duration) -> Respondent {
        Respondent { program, seconds, timeout, player: None }
    }

    /// Starts the program if it is not running.
    pub fn start(&mut self) -> Result<&mut Player> {
        match &mut self.player {
            Some(player) => Ok(player),
            none => Ok(none.insert(Player::start(&self.program, 0, None, self.timeout)?)),
        }
    }

    /// Sets up a position and asks for a move. A program that has ended is started anew next time.
    pub fn choose(&mut self, position: &Position, seed: u32) -> Result<Reply> {
        let seconds = self.seconds;
        let player = self.start()?;
        let error = match ask(player, position, seed, seconds) {
            Ok(reply) => return Ok(reply),
            Err(fault) if player.is_alive() => return Err(fault.into()),
            Err(fault) => anyhow!("{fault}{}", player.last_words()),
        };
        self.player = None;
        Err(error)
    }
}

impl Drop for Respondent {
    fn drop(&mut self) {
        if let Some(player) = self.player.take() {
            let _ = player.retire().join();
        }
    }
}

fn ask(
    player: &mut Player,
    position: &Position,
    seed: u32,
    seconds: Option<u32>,
) -> Result<Reply, Fault> {
    player.new_game(position.size, position.komi)?;
    if let Some(seconds) = seconds {
        player.order(&format!("time_settings 0 {seconds} 1"))?;
    }
    if player.lists("set_random_seed") {
        player.order(&format!("set_random_seed {seed}"))?;
    }
    player.set_position(&[], &position.moves)?;
    let color = color_word(position.to_play);
    if let Some(seconds) = seconds {
        player.offer("time_left", &format!("time_left {color} {seconds} 1"))?;
    }
    let command = if player.lists("reg_genmove") { "reg_genmove" } else { "genmove" };
    let before = player.cpu_seconds()?;
    let asked = std::time::Instant::now();
    let answer = player.ask(&format!("{command} {color}"))?;
    let seconds = answer.at.saturating_duration_since(asked).as_secs_f64();
    let after = player.cpu_seconds()?;
    let cpu_seconds = before.zip(after).map(|(before, after)| after - before);
    Ok(Reply { choice: read_choice(&answer, position.size)?, seconds, cpu_seconds })
}
