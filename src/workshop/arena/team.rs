//! The programs of one worker: started when needed, kept from game to game.
//!
//! Starting a program costs more than a game between fast ones, so a worker keeps its programs. One
//! that died is started again, and one whose command has a seed in it is started for every game.

use super::bout::{Bout, Played};
use super::options::{Plan, Referee};
use super::outcome::GameResult;
use super::pairing::Fixture;
use crate::workshop::tools::fault::{Fault, FaultKind};
use crate::workshop::tools::player::{Player, Program};
use anyhow::{Result, ensure};
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;

/// The programs of one worker.
#[derive(Debug, Default)]
pub struct Team {
    /// A and B.
    pub players: [Option<Player>; 2],
    referee: Option<Player>,
    leaving: Vec<JoinHandle<()>>,
}

impl Team {
    /// Starts all programs, as for the first game.
    pub fn start(plan: &Plan) -> Result<Team> {
        let seeds = plan.pairing.fixture(0).seeds;
        let mut team = Team::default();
        for side in [0, 1] {
            let program = &plan.programs[side];
            team.players[side] = Some(Player::start(program, seeds[side], None, plan.timeout)?);
        }
        if let Referee::Program(program) = &plan.referee {
            team.referee = Some(Player::start(program, 0, None, plan.timeout)?);
        }
        Ok(team)
    }

    /// Can they play this match?
    pub fn check(&mut self, plan: &Plan) -> Result<()> {
        let Plan { pairing, conditions, .. } = plan;
        for player in self.players.iter_mut().chain([&mut self.referee]).flatten() {
            for request in [format!("boardsize {}", pairing.size), "clear_board".to_owned()] {
                player.demand(&request)?;
            }
        }
        let needed = |player: &Player, name: &str, why: &str| {
            let command = &player.command;
            ensure!(player.knows(name), "the program '{command}' does not know '{name}', so {why}");
            Ok(())
        };
        if let Some(time) = conditions.time {
            let (name, why) = (time.to_gtp().0, format!("it cannot play with --time {time}"));
            self.players.iter().flatten().try_for_each(|player| needed(player, name, &why))?;
        }
        let mut referee = self.referee.iter();
        referee.try_for_each(|player| needed(player, "final_score", "it can be no referee"))
    }

    fn dismiss(&mut self, player: Option<Player>) {
        self.leaving.extend(player.map(Player::retire));
        self.leaving.retain(|handle| !handle.is_finished());
    }

    /// Sees to it that a program runs; false if it ran before.
    fn hire(&mut self, plan: &Plan, fixture: &Fixture, side: usize) -> Result<bool, Fault> {
        let program = &plan.programs[side];
        // The programs that were started to see whether they can play are those of game 0.
        let unused = self.players[side].as_ref().is_some_and(|player| player.games() == 0);
        let anew = (plan.fresh || program.wants_seed()) && !(unused && fixture.game == 0);
        if anew || self.players[side].as_mut().is_some_and(|player| !player.is_alive()) {
            let old = self.players[side].take();
            self.dismiss(old);
        }
        if self.players[side].is_some() {
            return Ok(false);
        }
        let player =
            Player::start(program, fixture.seeds[side], None, plan.timeout).map_err(start_fault)?;
        self.players[side] = Some(player);
        Ok(true)
    }

    /// Plays a game; `None` if it was stopped before its end.
    pub fn play(&mut self, plan: &Plan, fixture: &Fixture, stop: &AtomicBool) -> Option<Played> {
        let mut second_try = false;
        let mut played = loop {
            let mut new = [false; 2];
            let mut failed = None;
            for side in [0, 1] {
                match self.hire(plan, fixture, side) {
                    Ok(started) => new[side] = started,
                    Err(fault) => failed = failed.or(Some((side, fault))),
                }
            }
            if let Some((side, fault)) = failed {
                break Played::forfeit(&plan.conditions, fixture, side, &fault);
            }
            let [Some(a), Some(b)] = &mut self.players else { return None };
            let mut bout = Bout::new(&plan.conditions, fixture, [a, b]);
            let ready = [0, 1]
                .into_iter()
                .try_for_each(|side| bout.set_up(side).map_err(|fault| (side, fault)));
            match &ready {
                // It died after its last game and before this one: nobody's fault.
                Err((side, fault))
                    if fault.kind == FaultKind::Crash && !new[*side] && !second_try =>
                {
                    second_try = true;
                }
                _ => break bout.play(ready, stop)?,
            }
        };
        if played.needs_referee() {
            match self.judge(plan, &played) {
                Some(Ok(result)) => played.set_referee(result),
                Some(Err(fault)) => played.row.message = format!("the referee failed, {fault}"),
                None => {}
            }
        }
        Some(played)
    }

    /// What the referee says; a referee that fails gets a second chance.
    fn judge(&mut self, plan: &Plan, played: &Played) -> Option<Result<GameResult, Fault>> {
        let program = match &plan.referee {
            Referee::None => return None,
            Referee::Area => return Some(Ok(played.area_result())),
            Referee::Program(program) => program,
        };
        let mut result = self.ask_referee(plan, program, played);
        if result.is_err() {
            let failed = self.referee.take();
            self.dismiss(failed);
            result = self.ask_referee(plan, program, played);
        }
        Some(result)
    }

    fn ask_referee(
        &mut self,
        plan: &Plan,
        program: &Program,
        played: &Played,
    ) -> Result<GameResult, Fault> {
        let referee = match &mut self.referee {
            Some(referee) => referee,
            none => {
                let started = Player::start(program, 0, None, plan.timeout).map_err(start_fault)?;
                none.insert(started)
            }
        };
        referee.new_game(plan.pairing.size, plan.conditions.komi)?;
        referee.set_position(&plan.conditions.handicap, played.game.moves())?;
        let text = referee.order("final_score")?;
        GameResult::parse(&text)
            .ok_or_else(|| Fault::new(FaultKind::Protocol, format!("'{text}' is no score")))
    }

    /// Ends all programs and waits for them.
    pub fn retire(mut self) {
        let [a, b] = std::mem::take(&mut self.players);
        let referee = self.referee.take();
        for player in [a, b, referee] {
            self.dismiss(player);
        }
        for handle in self.leaving {
            let _ = handle.join();
        }
    }
}

/// The fault of a program that could not be started for a game.
fn start_fault(error: anyhow::Error) -> Fault {
    let kind = error.downcast_ref().map_or(FaultKind::Crash, |fault: &Fault| fault.kind);
    Fault::new(kind, format!("at the start: {error:#}"))
}
