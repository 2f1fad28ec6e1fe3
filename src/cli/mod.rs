//! The command line: one subcommand per tool.
//!
//! Each subcommand is a clap struct and a `run` function that live with the tool they start; this
//! file only lists them, so that adding a tool is two lines here.

mod manual;
#[cfg(feature = "mpi")]
mod ranks;

use crate::frontend::analysis::{self, AnalysisArgs};
use crate::frontend::gtp::{self, GtpArgs};
use crate::frontend::params::{self as params, ListArgs as ParamsArgs};
use crate::frontend::play::{self, PlayArgs};
use crate::frontend::review::{self, ReviewArgs};
use crate::frontend::web::{self, WebArgs};
use crate::input::nearest;
#[cfg(feature = "study")]
use crate::study::{self, StudyArgs};
use crate::workshop::arena;
use crate::workshop::bench::{self, BenchArgs};
use crate::workshop::label::{self, LabelArgs};
use crate::workshop::measure::calibrate::{self, CalibrateArgs};
use crate::workshop::measure::cluster::{self as cluster_sizes, ClusterArgs};
use crate::workshop::measure::quality::{self, QualityArgs};
use crate::workshop::measure::verdicts::{self, VerdictsArgs};
use crate::workshop::perft::{self, PerftArgs};
use crate::workshop::selfcheck::{self, SelfcheckArgs};
use crate::workshop::train::command as train;
use crate::workshop::train::options::TrainArgs;
use crate::workshop::train::predict::{self, PredictArgs};
use crate::workshop::train::show::{self as features, FeaturesArgs};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use manual::{CompletionsArgs, ManArgs};
use std::ffi::OsString;
use std::process::ExitCode;

/// A Go engine that speaks GTP.
#[derive(Parser, Debug)]
#[command(name = "tengen", version = crate::version::long(), about, long_about = None)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    gtp: GtpArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Answer the JSON queries of KaTrain and Ogatak on standard input
    Analysis(AnalysisArgs),
    /// Measure how fast this build runs on this machine
    Bench(BenchArgs),
    /// Compare playouts with a referee's winrate and ownership
    Calibrate(CalibrateArgs),
    /// Measure by simulation what a search loses that is spread over many machines
    Cluster(Box<ClusterArgs>),
    /// Print the script by which a shell completes commands and options
    Completions(CompletionsArgs),
    /// Rate the players of one or more matches together
    Elo(arena::elo_list::EloArgs),
    /// Show the features and the probability of every move of a position
    Features(FeaturesArgs),
    /// Speak GTP on standard input and output (also the default)
    Gtp(Box<GtpArgs>),
    /// Let a referee judge positions of games, to train and measure with
    Label(LabelArgs),
    /// Print the licenses of the libraries in this program
    Licenses,
    /// Print a manual page, of tengen or of one command
    Man(ManArgs),
    /// Play many games between two GTP programs and say which one is stronger
    Match(Box<arena::options::MatchArgs>),
    /// Print every parameter with its default, range and meaning
    Params(ParamsArgs),
    /// Count the legal sequences of stones from the empty board
    Perft(PerftArgs),
    /// Play against tengen in this terminal
    Play(Box<PlayArgs>),
    /// Measure how well a model predicts the moves of games
    Predict(PredictArgs),
    /// Measure what an engine's moves lose on positions that a referee has judged
    Quality(QualityArgs),
    /// Run regression suites (GTP commands with expected answers) against a program
    Regress(arena::regress::RegressArgs),
    /// Judge every move of a game and write what was better beside it
    Review(Box<ReviewArgs>),
    /// Check quickly that this build works on this machine
    Selfcheck(SelfcheckArgs),
    /// Repeat an experiment of the papers and set its figure beside theirs
    #[cfg(feature = "study")]
    Study(StudyArgs),
    /// Learn a model of good players' moves from games
    Train(Box<TrainArgs>),
    /// Measure how well the verdicts of `tengen review` agree with a referee
    Verdicts(VerdictsArgs),
    /// Play in the browser, on a page of this machine
    Web(WebArgs),
}

/// Runs the command line; bad arguments and failures are one sentence on stderr and exit code 2.
pub fn main() -> ExitCode {
    end_with_the_reader();
    let words = analysis::katago_options(std::env::args_os());
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            eprintln!("tengen: {}", one_sentence(&error, &words));
            return ExitCode::from(2);
        }
        Err(help_or_version) => help_or_version.exit(),
    };
    #[cfg(feature = "mpi")]
    if crate::cluster::mpi::is_started() {
        return crate::cluster::mpi::run(|link| exit_code(ranks::run(cli, link)));
    }
    exit_code(run(cli))
}

/// When nobody reads standard output any more (`tengen features ... | head -1`), the program ends without a word.
/// Rust ignores the signal that would end it, and printing panics instead.
fn end_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if message.is_some_and(|message| message.starts_with("failed printing to stdout")) {
            std::process::exit(0);
        }
        usual(panic);
    }));
}

fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        None => speak_gtp(&cli.gtp),
        Some(Command::Analysis(args)) => analysis::run(&args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Calibrate(args)) => calibrate::run(&args),
        Some(Command::Label(args)) => label::run(&args),
        Some(Command::Cluster(args)) => cluster_sizes::run(&args),
        Some(Command::Completions(args)) => manual::completions(&args),
        Some(Command::Elo(args)) => arena::elo_list::run(&args),
        Some(Command::Features(args)) => features::run(&args),
        Some(Command::Gtp(args)) => speak_gtp(&args),
        Some(Command::Licenses) => manual::licenses(),
        Some(Command::Man(args)) => manual::man(&args),
        Some(Command::Match(args)) => arena::contest::run(&args),
        Some(Command::Params(args)) => params::run(&args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Predict(args)) => predict::run(&args),
        Some(Command::Quality(args)) => quality::run(&args),
        Some(Command::Regress(args)) => arena::regress::run(&args),
        Some(Command::Review(args)) => review::run(&args),
        Some(Command::Selfcheck(args)) => selfcheck::run(&args),
        #[cfg(feature = "study")]
        Some(Command::Study(args)) => study::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Verdicts(args)) => verdicts::run(&args),
        Some(Command::Web(args)) => web::run(&args),
    }
}

/// A failure is one sentence on stderr and exit code 2.
fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen: {}", with_causes(&error));
            ExitCode::from(2)
        }
    }
}

/// The engine, or a player of the papers.
fn speak_gtp(args: &GtpArgs) -> anyhow::Result<()> {
    match args.player() {
        None => gtp::run(args),
        #[cfg(feature = "study")]
        Some(player) => study::gtp::run(&player),
        #[cfg(not(feature = "study"))]
        Some(_) => anyhow::bail!("this build has no --player: build it with the feature `study`"),
    }
}

/// An error and its causes, each said once: the library's errors tell their cause themselves.
fn with_causes(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// The whole command line, as completions and manual pages describe it.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// The first paragraph of clap's message, which says what is wrong, on one line, and what was
/// probably meant.
fn one_sentence(error: &clap::Error, words: &[OsString]) -> String {
    let message = error.to_string();
    let paragraph = message.trim_start_matches("error: ").split("\n\n").next().unwrap_or(&message);
    let sentence: Vec<&str> = paragraph.split_whitespace().collect();
    let advice = match meant(error, words) {
        Some(name) => format!("did you mean '{name}'?"),
        None => "see --help".to_owned(),
    };
    format!("{}; {advice}", sentence.join(" "))
}

/// The subcommand or option that was probably meant: clap's guess, or the nearest one, as clap
/// does not see that letters were exchanged.
fn meant(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.last().cloned(), // the best one is last
        _ => None,
    };
    let suggested = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg];
    if let Some(name) = suggested.into_iter().find_map(text) {
        return Some(name);
    }
    let whole = command();
    if let Some(name) = text(ContextKind::InvalidSubcommand) {
        let names = whole.get_subcommands().map(|command| command.get_name());
        return nearest(&name, names).map(str::to_owned);
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let option = text(ContextKind::InvalidArg)?;
    let subcommand = words.get(1).and_then(|word| whole.find_subcommand(word));
    let options = subcommand.unwrap_or(&whole).get_arguments().filter_map(|arg| arg.get_long());
    nearest(option.strip_prefix("--")?, options).map(|name| format!("--{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tools::words::split_words;
    use std::path::Path;

    fn refused(line: &str) -> String {
        let words: Vec<OsString> =
            ["tengen"].into_iter().chain(line.split(' ')).map(OsString::from).collect();
        one_sentence(&Cli::try_parse_from(&words).unwrap_err(), &words)
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn what_was_meant_is_said() {
        for (line, sentence) in [
            ("gpt", "unrecognized subcommand 'gpt'; did you mean 'gtp'?"),
            ("mathc --games 3", "unrecognized subcommand 'mathc'; did you mean 'match'?"),
            ("baduk", "unrecognized subcommand 'baduk'; see --help"),
            ("--plyouts 3", "unexpected argument '--plyouts' found; did you mean '--playouts'?"),
            ("gtp --tmie 3", "unexpected argument '--tmie' found; did you mean '--time'?"),
            ("match --gmes 3", "unexpected argument '--gmes' found; did you mean '--games'?"),
        ] {
            assert_eq!(refused(line), sentence);
        }
    }

    #[test]
    fn impossible_numbers_get_a_sentence_of_their_own() {
        let time = "give the seconds a move, from 0.001 to 86400";
        let playouts = "give a whole number from 1 to 1000000000; --time S thinks by the clock";
        for (line, advice) in [
            ("--time -1", time),
            ("gtp --time 0", time),
            ("gtp --time soon", time),
            ("--playouts 0", playouts),
            ("gtp --playouts -5", playouts),
            ("analysis --playouts 0", playouts),
            ("--threads 0", "give auto or a whole number from 1 to 256"),
        ] {
            let sentence = refused(line);
            assert!(sentence.starts_with("invalid value '"), "{line}: {sentence}");
            assert!(sentence.ends_with(&format!("{advice}; see --help")), "{line}: {sentence}");
        }
    }

    #[test]
    fn the_help_says_how_a_game_is_repeated() {
        for name in [None, Some("gtp")] {
            let mut whole = command();
            let described = match name {
                None => &mut whole,
                Some(name) => whole.find_subcommand_mut(name).unwrap(),
            };
            let help = described.render_help().to_string();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                help.contains("repeats exactly with --threads 1 --playouts N --seed S"),
                "{help}"
            );
        }
    }

    /// Every command of the README parses, and the files that it names are there.
    #[test]
    fn the_commands_of_the_readme_can_be_typed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        let lines = readme.lines().filter_map(|line| line.strip_prefix("    "));
        let commands: Vec<&str> = lines.filter(|line| line.starts_with("tengen ")).collect();
        assert!(commands.len() >= 3, "{commands:?}");
        for line in commands {
            // What stands after a # is said to people.
            let words = split_words(line.split(" #").next().unwrap()).unwrap();
            assert!(Cli::try_parse_from(&words).is_ok(), "{line}");
            let inputs = words.iter().filter(|word| word.contains(".jsonl"));
            for file in inputs {
                assert!(root.join(file).exists(), "{line}: there is no {file}");
            }
        }
    }
}
