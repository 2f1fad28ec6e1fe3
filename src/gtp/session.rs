//! A GTP session: the loop, and the state that commands share.

use super::command::{self, Call, Command, Listing, Reply};
use super::input::{Inbox, Line};
use super::output::Output;
use super::parse;
use crate::engine::Engine;
use crate::game::{Game, Rules};
use crate::params::Overrides;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a session is set up.
#[derive(Clone, Default)]
pub struct Settings {
    /// Changed parameters.
    pub overrides: Overrides,
    /// The rules to begin with.
    pub rules: Rules,
    /// The komi to begin with; the usual one of rules and size if None.
    pub komi: Option<f32>,
    /// What `name` answers.
    pub name: Option<String>,
    /// What `version` answers.
    pub version: Option<String>,
    /// Offer `kgs-chat`.
    pub kgs_chat: bool,
    /// One line a move on stderr.
    pub chatter: bool,
}

/// A GTP session.
pub struct Session {
    pub(super) engine: Engine,
    pub(super) settings: Settings,
    pub(super) inbox: Inbox,
    pub(super) quit: bool,
    output: Output,
    broken: bool,
}

impl Session {
    /// A session at the start of a 19x19 game.
    pub fn new(settings: Settings, inbox: Inbox, output: Output) -> Session {
        let engine = Engine::new(settings.overrides.clone());
        let mut session = Session { engine, settings, inbox, quit: false, output, broken: false };
        session.new_game(19);
        session
    }

    /// Executes commands until `quit`, the end of the input, or a closed output.
    pub fn run(&mut self) {
        while !self.quit && !self.broken {
            let Some(line) = self.inbox.next() else {
                break;
            };
            self.execute(&line);
        }
    }

    fn execute(&mut self, line: &Line) {
        let Some(parsed) = parse::parse(&line.bytes) else {
            return;
        };
        log::debug!(target: "gtp", "> {}", String::from_utf8_lossy(line.bytes.trim_ascii()));
        let mut call = Call {
            id: &parsed.id,
            args: &parsed.args,
            arrived: line.arrived,
            interrupted: line.interrupted,
            streaming: false,
        };
        let reply = match self.find(&parsed.name) {
            Some(command) => self.guarded(command, &mut call),
            None => Err("unknown command".to_owned()),
        };
        self.inbox.end();
        let written = match (&reply, call.streaming) {
            (Ok(last) | Err(last), true) => self.output.end_stream(last),
            (reply, false) => self.output.respond(call.id, reply),
        };
        self.note(written);
    }

    /// A bug in a handler costs one answer, not the game: the engine is made anew from the game.
    fn guarded(&mut self, command: &Command, call: &mut Call) -> Reply {
        let run = AssertUnwindSafe(|| (command.run)(self, call));
        catch_unwind(run).unwrap_or_else(|_| {
            let game = self.engine.game().clone();
            self.engine = Engine::new(self.settings.overrides.clone());
            self.engine.set_game(game);
            Err("internal error".to_owned())
        })
    }

    /// Finds a command that this session offers.
    pub(super) fn find(&self, name: &str) -> Option<&'static Command> {
        command::all().find(|command| command.name == name && self.offers(command))
    }

    fn offers(&self, command: &Command) -> bool {
        command.listing != Listing::KgsChat || self.settings.kgs_chat
    }

    /// The commands to tell of.
    pub(super) fn listed(&self) -> impl Iterator<Item = &'static Command> + use<'_> {
        command::all().filter(|command| command.listing != Listing::Hidden && self.offers(command))
    }

    /// An empty board of this size; komi and rules stay.
    pub(super) fn new_game(&mut self, size: usize) {
        let mut game = Game::new(size, self.settings.rules);
        if let Some(komi) = self.settings.komi {
            game.set_komi(komi);
        }
        self.engine.set_game(game);
    }

    /// Points per side.
    pub(super) fn size(&self) -> usize {
        self.engine.game().size()
    }

    /// Sends a line of a response that is not finished yet.
    pub(super) fn stream(&mut self, call: &mut Call, line: &str) {
        if !call.streaming {
            call.streaming = true;
            let written = self.output.begin_stream(call.id);
            self.note(written);
        }
        let written = self.output.stream(line);
        self.note(written);
    }

    fn note(&mut self, written: io::Result<()>) {
        if written.is_err() {
            self.broken = true;
        }
    }
}
