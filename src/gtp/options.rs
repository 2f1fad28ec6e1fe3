//! The command line of `tengen gtp`, and of `tengen` alone.

use super::input::Inbox;
use super::output::Output;
use super::session::{Session, Settings};
use crate::game::Rules;
use crate::params::Overrides;
use anyhow::{Context, anyhow};
use clap::Args;
use std::path::PathBuf;

/// The options of the GTP loop.
#[derive(Args, Debug, Default)]
pub struct GtpArgs {
    /// Playouts a move when there is no clock
    #[arg(long, value_name = "N", conflicts_with = "time")]
    playouts: Option<u64>,
    /// Seconds a move when there is no clock
    #[arg(long, value_name = "S")]
    time: Option<f64>,
    /// Threads that search
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Memory for the tree, in MB
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Playout policy
    #[arg(long, value_name = "P")]
    playout: Option<String>,
    /// Rules: chinese, japanese, tromp-taylor, aga, new-zealand, ...
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// White's compensation until the client sets another
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    komi: Option<f32>,
    /// Play lost games to the end
    #[arg(long)]
    no_resign: bool,
    /// Set a parameter (see `tengen params`); may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Read parameters from a file of name = value lines
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// Name to answer, for clients that know only some programs
    #[arg(long, value_name = "NAME")]
    override_name: Option<String>,
    /// Version to answer
    #[arg(long, value_name = "V")]
    override_version: Option<String>,
    /// Offer kgs-chat (kgsGtp 3.5.20 and later crash if it is offered)
    #[arg(long)]
    kgs_chat: bool,
}

impl GtpArgs {
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut overrides = Overrides::default();
        if let Some(file) = &self.params {
            let name = file.display();
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read the parameter file {name}"))?;
            overrides
                .add_file(&text)
                .map_err(|(line, error)| anyhow!("{name}, line {line}: {error}"))?;
        }
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        for (name, value) in [
            ("search.playouts", number(self.playouts)),
            ("search.time", self.time.map(|time| time.to_string())),
            ("search.threads", number(self.threads)),
            ("search.memory", number(self.memory)),
            ("search.seed", number(self.seed)),
            ("playout.policy", self.playout.clone()),
            ("resign.enabled", self.no_resign.then(|| "false".to_owned())),
        ] {
            if let Some(value) = value {
                overrides.insert(name, &value)?;
            }
        }
        for assignment in &self.set {
            overrides.add(assignment)?;
        }
        let mut rules = Rules::default();
        if let Some(name) = &self.rules {
            rules = parse_rules(name)?;
        }
        Ok(Settings {
            overrides,
            rules,
            komi: self.komi,
            name: self.override_name.clone(),
            version: self.override_version.clone(),
            kgs_chat: self.kgs_chat,
            chatter: true,
        })
    }
}

fn parse_rules(name: &str) -> anyhow::Result<Rules> {
    let known = || Rules::NAMED.map(|(name, _)| name).join(", ");
    Rules::parse(name)
        .ok_or_else(|| anyhow!("'{name}' are no rules I know: give one of {}", known()))
}

/// Speaks GTP on standard input and output until `quit` or the end of the input.
pub fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let settings = args.settings()?;
    let inbox = Inbox::read(std::io::stdin());
    let output = Output::new(Box::new(std::io::stdout()), false);
    Session::new(settings, inbox, output).run();
    Ok(())
}
