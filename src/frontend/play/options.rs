//! The command line of `tengen play`, and the conversation.

use super::command::{Command, SHORT_HELP};
use super::drawing::Style;
use super::lines::{Lines, Output, Pipe, Terminal, Typed};
use super::strength::Strength;
use super::table::{Reply, Setup, Table};
use crate::frontend::{EngineArgs, read_komi, read_playouts, read_seconds};
use crate::game::Rules;
use crate::params::Overrides;
use crate::search::Interrupt;
use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, anyhow};
use clap::Args;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// The options of a game.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Board size, 2 to 19
    #[arg(long, value_name = "N", default_value_t = 9)]
    size: usize,
    /// White's compensation [default: the usual one]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = read_komi::<f32>)]
    komi: Option<f32>,
    /// Black's handicap stones, 2 to 9
    #[arg(long, value_name = "N", default_value_t = 0)]
    handicap: usize,
    /// Your colour: black, white or both
    #[arg(long, visible_alias = "colour", value_name = "C", default_value = "black")]
    color: String,
    /// How strong tengen plays: a rank from 25k to 9d, a level from 1 to 10, or full [default: full]
    #[arg(long, visible_alias = "level", value_name = "R", conflicts_with_all = ["playouts", "time"])]
    rank: Option<String>,
    /// Seconds a move [default: 2]
    #[arg(long, value_name = "S", value_parser = read_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// Playouts a move instead
    #[arg(long, value_name = "N", conflicts_with = "time")]
    #[arg(value_parser = read_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Rules: chinese, japanese, tromp-taylor, aga, new-zealand, ...
    #[arg(long, value_name = "R", default_value = "chinese")]
    rules: Rules,
    /// Go on with the game of an SGF file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Draw the board with letters, for terminals without Unicode
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    params: EngineArgs,
}

impl PlayArgs {
    fn setup(&self) -> anyhow::Result<Setup> {
        // The same words mean the same at the prompt.
        let asked = |word: &str, value: &str| {
            Command::parse(&format!("{word} {value}"), 19)
                .map_err(|error| anyhow!("--{word} {value}: {error}"))
        };
        asked("size", &self.size.to_string())?;
        asked("handicap", &self.handicap.to_string())?;
        if let Some(komi) = self.komi {
            asked("komi", &komi.to_string())?;
        }
        let Command::Color(side) = asked("color", &self.color)? else {
            return Err(anyhow!("give a colour"));
        };
        let strength = match (&self.rank, self.playouts, self.time) {
            (Some(rank), ..) => Strength::parse(rank)?,
            (_, Some(playouts), _) => Strength::Playouts(playouts),
            (_, _, Some(time)) => Strength::Time(time),
            _ => Strength::default(),
        };
        let PlayArgs { size, rules, komi, handicap, .. } = *self;
        Ok(Setup { size, rules, komi, handicap, side, strength })
    }
}

/// Plays games until the person leaves.
pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let setup = args.setup()?;
    let mut overrides = Overrides::default();
    // Against people, no two games should begin alike, unless the options say so.
    overrides.insert("opening.vary", "true")?;
    let strength = setup.strength.settings().into_iter().map(|(name, value)| (name, Some(value)));
    args.params.apply(&mut overrides, &strength.collect::<Vec<_>>())?;
    overrides.settle_seed();
    let interrupt = Interrupt::default();
    let colors = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let style = Style { colors, ascii: args.ascii };
    let mut table =
        Table::new(overrides, setup, style, interrupt.clone()).map_err(|text| anyhow!(text))?;
    if let Some(file) = &args.load {
        table.execute(Command::Load(file.clone())).map_err(|text| anyhow!(text))?;
    }
    let mut lines: Box<dyn Lines> = if io::stdin().is_terminal() {
        let raised = interrupt.clone();
        // While the engine thinks, ctrl-C ends its thinking; the conversation then asks what is meant.
        ctrlc::set_handler(move || raised.raise()).context("cannot listen to ctrl-C")?;
        Box::new(Terminal::new().context("cannot edit lines at this terminal")?)
    } else {
        Box::new(Pipe(io::stdin().lock()))
    };
    let mut talk = Conversation { table, interrupt, out: Box::new(anstream::stdout()) };
    match talk.run(&mut *lines) {
        // Whoever closes the window has left.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to the terminal"),
    }
}

/// Between a person and a table.
struct Conversation {
    table: Table,
    interrupt: Interrupt,
    out: Output,
}

impl Conversation {
    fn run(&mut self, lines: &mut dyn Lines) -> io::Result<()> {
        self.say(SHORT_HELP)?;
        let mut changed = true;
        loop {
            if self.table.is_engines_turn() {
                if !self.engine_moves(lines)? {
                    return Ok(());
                }
                changed = true;
            }
            if std::mem::take(&mut changed) {
                let board = self.table.draw().join("\n");
                self.say(&board)?;
            }
            let command = match lines.ask(&self.table.prompt()) {
                Typed::Line(line) => Command::parse(&line, self.table.size()),
                Typed::TooLong => {
                    self.say("The line is too long.")?;
                    continue;
                }
                Typed::NoText => {
                    self.say("The line is no text in UTF-8; type it again.")?;
                    continue;
                }
                Typed::Interrupt if self.wants_to_leave(lines) => return Ok(()),
                Typed::Interrupt => continue,
                Typed::End => return self.say(""),
            };
            self.interrupt.reset();
            let reply = command.map_err(|error| error.to_string());
            match reply.and_then(|command| self.table.execute(command)) {
                Ok(Reply::Leave) => return Ok(()),
                Ok(Reply::Say(text)) if text.is_empty() => {}
                Ok(Reply::Say(text)) => self.say(&text)?,
                Ok(Reply::Changed(text)) => {
                    changed = true;
                    if !text.is_empty() {
                        self.say(&text)?;
                    }
                }
                Err(sentence) => self.say(&sentence)?,
            }
        }
    }

    /// The engine moves; false if the person left meanwhile.
    fn engine_moves(&mut self, lines: &mut dyn Lines) -> io::Result<bool> {
        // Before the person reads that it thinks: a ctrl-C from then on is meant for this move.
        self.interrupt.reset();
        if lines.is_terminal() {
            write!(self.out, "tengen thinks ...\r")?;
            self.out.flush()?;
        }
        let said = self.table.engine_moves();
        // Wide enough to cover what stood there.
        self.say(&format!("{said:<17}"))?;
        Ok(!self.interrupt.is_raised() || !self.wants_to_leave(lines))
    }

    fn wants_to_leave(&mut self, lines: &mut dyn Lines) -> bool {
        self.interrupt.reset();
        lines.forget();
        match lines.ask("Leave the game? (y/n) ") {
            Typed::Line(line) => line.trim().to_lowercase().starts_with('y'),
            Typed::TooLong | Typed::NoText => false,
            Typed::Interrupt | Typed::End => true,
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", text.trim_end())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::Side;
    use super::*;
    use crate::types::Color;

    /// A person who presses ctrl-C as soon as it is written that the engine thinks, then leaves.
    struct Impatient(Interrupt);

    impl Lines for Impatient {
        fn ask(&mut self, _: &str) -> Typed {
            Typed::End
        }
        fn is_terminal(&self) -> bool {
            true
        }
    }

    impl Write for Impatient {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if bytes.starts_with(b"tengen thinks") {
                self.0.raise();
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn ctrl_c_is_not_lost_between_the_message_and_the_search() {
        let interrupt = Interrupt::default();
        let strength = Strength::Playouts(1_000_000_000);
        let (size, rules) = (9, Rules::CHINESE);
        let side = Side::Person(Color::White);
        let setup = Setup { size, rules, komi: None, handicap: 0, side, strength };
        let style = Style { colors: false, ascii: true };
        let mut overrides = Overrides::default();
        for (name, value) in strength.settings() {
            overrides.insert(name, &value).expect("a known parameter");
        }
        let table = Table::new(overrides, setup, style, interrupt.clone()).expect("a table");
        let out = Box::new(Impatient(interrupt.clone()));
        let mut talk = Conversation { table, interrupt: interrupt.clone(), out };
        // Without the ctrl-C this would take hours.
        talk.run(&mut Impatient(interrupt)).expect("nothing that cannot be written");
    }
}
