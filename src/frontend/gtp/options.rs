//! The command line of `tengen gtp`, and of `tengen` alone.

use super::gomill::threads_in_words;
use super::input::Inbox;
use super::output::Output;
use super::person;
use super::session::{Session, Settings};
use crate::frontend::{EngineArgs, read_komi, read_playouts, read_seconds};
use crate::game::Rules;
use crate::logging;
use crate::params::Overrides;
use crate::rank::ladder::parse_skill;
use crate::rank::{self, Rank, Skill};
use crate::search::Partner;
use clap::Args;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The options of the GTP loop.
#[derive(Args, Debug, Default)]
pub struct GtpArgs {
    /// Play as a method of the papers: goyui, flat, amaf, random, ... (`tengen study --list`)
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Playouts a move; with a clock, the most
    #[arg(long, value_name = "N", conflicts_with = "time")]
    #[arg(value_parser = read_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,
    /// Seconds a move; with a clock, the most
    #[arg(long, value_name = "S", value_parser = read_seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    #[command(flatten)]
    params: EngineArgs,
    /// Playout policy
    #[arg(long, value_name = "P")]
    playout: Option<String>,
    /// Rules: chinese, japanese, tromp-taylor, aga, new-zealand, ...
    #[arg(long, value_name = "R")]
    rules: Option<Rules>,
    /// White's compensation until the client sets another
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = read_komi::<f32>)]
    komi: Option<f32>,
    /// Play lost games to the end
    #[arg(long)]
    no_resign: bool,
    /// Name to answer, for clients that know only some programs
    #[arg(long, value_name = "NAME")]
    override_name: Option<String>,
    /// Version to answer
    #[arg(long, value_name = "V")]
    override_version: Option<String>,
    /// Play like a person of a rank, 25k to 9d; full is the default (docs/levels.md)
    #[arg(long, value_name = "RANK", conflicts_with = "playouts", value_parser = read_rank)]
    rank: Option<AskedRank>,
    /// Moves drawn and playouts in place of those of the rank, such as 2.5,40: to find out what they are worth
    #[arg(long, value_name = "DRAWS,PLAYOUTS", requires = "rank", value_parser = parse_skill)]
    skill: Option<Skill>,
    /// Another name for some ranks: 1 is 25k, 10 is 3d
    #[arg(long, value_name = "L", conflicts_with_all = ["playouts", "rank"], value_parser = read_level)]
    level: Option<Rank>,
    /// Play on KGS through kgsGtp
    #[arg(long, group = "preset")]
    kgs: bool,
    /// Play on the Computer Go Server: Tromp-Taylor rules, dead stones are captured, pondering, a
    /// second of lag
    #[arg(long, group = "preset")]
    cgos: bool,
    /// Play on OGS through gtp2ogs: dead stones are captured, what was thought goes to the game's
    /// chat
    #[arg(long, group = "preset")]
    ogs: bool,
    /// Append a log with the GTP conversation to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Offer kgs-chat (kgsGtp 3.5.20 and later crash if it is offered)
    #[arg(long)]
    kgs_chat: bool,
}

/// A player that is not the engine, and what was asked of it.
#[derive(Clone, Default, Debug)]
pub struct PlayerRequest {
    /// Its name.
    pub name: String,
    /// Playouts a move.
    pub playouts: Option<u64>,
    /// Seed of its random numbers.
    pub seed: u64,
    /// A file of settings.
    pub params: Option<PathBuf>,
    /// Settings as `name=value`.
    pub set: Vec<String>,
}

impl GtpArgs {
    /// The player that is asked for, if it is not the engine.
    pub fn player(&self) -> Option<PlayerRequest> {
        let name = self.player.clone()?;
        let (seed, params, set) = self.params.for_player();
        Some(PlayerRequest { name, playouts: self.playouts, seed, params, set })
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let mut overrides = Overrides::default();
        let preset = self.preset();
        for (name, value) in preset.params {
            overrides.insert(name, value)?;
        }
        let person = std::io::stdin().is_terminal();
        if person {
            // Programs that drive this one play matches and analyze; who types moves is a person.
            overrides.insert("opening.vary", "true")?;
        }
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        let options = [
            ("search.playouts", number(self.playouts)),
            ("search.playouts", self.time.map(|_| "0".to_owned())),
            ("search.time", self.time.map(|time| time.to_string())),
            ("playout.policy", self.playout.clone()),
            ("resign.enabled", self.no_resign.then(|| "false".to_owned())),
        ];
        self.params.apply(&mut overrides, &options)?;
        Ok(Settings {
            overrides,
            rules: self.rules.or(preset.rules),
            komi: self.komi,
            skill: self.skill,
            rank: self.level.or(self.rank.and_then(|asked| asked.0)),
            name: self.override_name.clone(),
            version: self.override_version.clone().or(preset.version),
            kgs_chat: self.kgs_chat,
            malkovich: self.ogs,
            person,
        })
    }

    /// The parameters that the options set, for a rank that only thinks along.
    #[cfg(feature = "mpi")]
    pub fn overrides(&self) -> anyhow::Result<Overrides> {
        Ok(self.settings()?.overrides)
    }
}

/// What `--rank` asks for: a rank, or full strength.
#[derive(Clone, Copy, Debug)]
struct AskedRank(Option<Rank>);

fn read_rank(text: &str) -> Result<AskedRank, String> {
    rank::parse(text).map(AskedRank).map_err(|error| error.to_string())
}

fn read_level(text: &str) -> Result<Rank, String> {
    let level = text.parse().ok().and_then(rank::of_level);
    level.ok_or_else(|| "give 1 to 10, or --rank 25k to 9d".to_owned())
}

/// What playing on a server needs.
#[derive(Default)]
struct Preset {
    rules: Option<Rules>,
    params: &'static [(&'static str, &'static str)],
    version: Option<String>,
}

impl GtpArgs {
    fn preset(&self) -> Preset {
        let mut preset = Preset::default();
        if self.kgs {
            preset.params = &[("search.ponder", "true"), ("clock.lag", "0.5")];
            // kgsGtp says name and version to the opponent when a game begins.
            let version = crate::version::BUILD;
            preset.version = Some(format!("{version}, a program. Have a good game!"));
        }
        if self.cgos {
            preset.rules = Some(Rules::TROMP_TAYLOR);
            preset.params =
                &[("search.ponder", "true"), ("clock.lag", "1"), ("pass.mode", "strict")];
        }
        if self.ogs {
            preset.params = &[("clock.lag", "0.5"), ("pass.mode", "strict")];
        }
        preset
    }
}

/// Speaks GTP on standard input and output until `quit` or the end of the input.
pub fn run(args: &GtpArgs) -> anyhow::Result<()> {
    run_with(args, None, |_| ())
}

/// The same with others who take part in the searches; `watch` gets the input, to end it early.
pub fn run_with(
    args: &GtpArgs,
    partner: Option<Box<dyn Partner>>,
    watch: impl FnOnce(Inbox),
) -> anyhow::Result<()> {
    let mut settings = args.settings()?;
    let chatter = logging::begin(args.log.as_deref())?;
    if settings.malkovich {
        // gtp2ogs looks for this name before it reads variations in this style.
        chatter.say("variations are written in the style of KataGo");
    }
    let seed = settings.overrides.settle_seed();
    let threads = settings.overrides.resolve(19).search.threads.count();
    let build = crate::version::BUILD;
    log::info!("tengen {build}, {}, seed {seed}", threads_in_words(threads));
    if settings.person {
        person::GREETING.iter().for_each(|line| chatter.raw(line));
    }
    let inbox = Inbox::read(std::io::stdin());
    watch(inbox.clone());
    let output = Output::new(Box::new(std::io::stdout()));
    let mut session = Session::new(settings, inbox, output, chatter);
    session.set_partner(partner);
    session.run();
    session.set_partner(None);
    // The process ends here; to free a large tree first would only delay the answer to `quit`.
    std::mem::forget(session);
    Ok(())
}
