//! What the ranks of an MPI job do: one engine, one match; any other command is rank 0's alone.

use super::{Cli, Command};
use crate::cluster::follower::follow;
use crate::cluster::leader::Leader;
use crate::cluster::link::Link;
use crate::frontend::gtp::input::Inbox;
use crate::frontend::gtp::{self, GtpArgs};
use crate::workshop::arena::{away, contest};
use anyhow::Context;
use signal_hook::consts::SIGTERM;
use signal_hook::iterator::Signals;
use std::thread;
use std::time::Duration;

/// How long the answer may take when the job is being ended; MPI kills what is left after a second or so.
const LAST_WORDS: Duration = Duration::from_millis(900);

/// Runs a command as one rank of several.
pub(super) fn run(cli: Cli, link: Box<dyn Link>) -> anyhow::Result<()> {
    let is_first = link.rank() == 0;
    match cli.command {
        None => speak_gtp(&cli.gtp, link),
        Some(Command::Gtp(args)) => speak_gtp(&args, link),
        Some(Command::Match(args)) if is_first => contest::run_with(&args, Some(link)),
        Some(Command::Match(args)) => away::serve(&args, link),
        _ if is_first => super::run(cli),
        _ => Ok(()),
    }
}

fn speak_gtp(args: &GtpArgs, link: Box<dyn Link>) -> anyhow::Result<()> {
    if link.rank() > 0 {
        // What is wrong with the options is said by rank 0.
        if let Ok(overrides) = args.overrides() {
            follow(link, overrides);
        }
        return Ok(());
    }
    let mut signals = Signals::new([SIGTERM]).context("signals cannot be watched")?;
    let watch = |inbox: Inbox| {
        thread::spawn(move || {
            if signals.forever().next().is_some() {
                eprintln!(
                    "tengen: MPI ends the job, a rank has probably died; the move so far is given. Start the program \
                     again and replay the game"
                );
                inbox.close();
                thread::sleep(LAST_WORDS);
                std::process::exit(1);
            }
        });
    };
    gtp::run_with(args, Some(Box::new(Leader::new(link))), watch)
}
