//! The command table: `list_commands`, `known_command`, `help` and dispatch all read it.

use super::parse::Args;
use super::session::Session;
use super::{analyze, cgos, gnugo, gogui, gomill, kata, kgs, playouts, raw_nn, sgf, standard};
use std::time::Instant;

/// What a command answers: text after `=`, or after `?`.
pub type Reply = Result<String, String>;

/// A command being executed.
pub struct Call<'a> {
    /// Its id, for streamed responses.
    pub id: &'a str,
    /// Its arguments.
    pub args: &'a Args,
    /// When the line arrived: thinking time counts from here.
    pub arrived: Instant,
    /// Was it asked to end before it began?
    pub interrupted: bool,
    /// Has a streamed response begun?
    pub streaming: bool,
}

/// Who gets to know of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// Everybody.
    Listed,
    /// Nobody, but it works: clients would prefer it to a better one.
    Hidden,
    /// Works and is listed only with `--kgs-chat`: kgsGtp 3.5.20 and later crash if it is listed.
    KgsChat,
}

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, as `help` shows them.
    pub usage: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Who gets to know of it.
    pub listing: Listing,
    /// Executes it.
    pub run: fn(&mut Session, &mut Call) -> Reply,
}

impl Command {
    /// A listed command.
    pub const fn new(
        name: &'static str,
        usage: &'static str,
        doc: &'static str,
        run: fn(&mut Session, &mut Call) -> Reply,
    ) -> Command {
        Command { name, usage, doc, listing: Listing::Listed, run }
    }

    /// The command, its arguments and what it does, in one line.
    pub fn describe(&self) -> String {
        let space = if self.usage.is_empty() { "" } else { " " };
        format!("{}{space}{}: {}", self.name, self.usage, self.doc)
    }
}

/// Every command, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static Command> {
    let tables = [
        standard::COMMANDS,
        sgf::COMMANDS,
        gnugo::COMMANDS,
        gogui::COMMANDS,
        playouts::COMMANDS,
        kgs::COMMANDS,
        cgos::COMMANDS,
        analyze::COMMANDS,
        kata::COMMANDS,
        raw_nn::COMMANDS,
        gomill::COMMANDS,
    ];
    tables.into_iter().flatten()
}
