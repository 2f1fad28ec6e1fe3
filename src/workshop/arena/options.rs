//! The options of `tengen match`, checked and turned into what a match needs.

use super::bout::Conditions;
use super::clock::TimeSettings;
use super::openings::read_openings;
use super::pairing::{Colors, Opening, Pairing};
use crate::frontend::read_komi;
use crate::game::{Rules, fixed_handicap, max_fixed_handicap};
use crate::types::{Color, MAX_SIZE, MIN_SIZE};
use crate::workshop::tools::player::Program;
use crate::workshop::tools::statistics::Sprt;
use anyhow::{Context, bail, ensure};
use clap::Args;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Play many games between two GTP programs and say which one is stronger.
#[derive(Args, Clone, Debug)]
pub struct MatchArgs {
    /// Program A; tengen itself if not given. `tengen` in it is this program, on one thread if it
    /// does not say --threads; %SEED becomes a number of its own in every game
    #[arg(long, value_name = "CMD")]
    pub a: Option<String>,
    /// Program B; the same as A if not given
    #[arg(long, value_name = "CMD")]
    pub b: Option<String>,
    /// Append `--set NAME=VALUE` to both programs (may be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Append `--set NAME=VALUE` to program A (may be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set_a: Vec<String>,
    /// Append `--set NAME=VALUE` to program B (may be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set_b: Vec<String>,
    /// Name of program A in tables
    #[arg(long, value_name = "NAME")]
    pub name_a: Option<String>,
    /// Name of program B in tables
    #[arg(long, value_name = "NAME")]
    pub name_b: Option<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u32,
    /// Games to play at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Board size
    #[arg(long, value_name = "N", default_value_t = 9)]
    pub size: usize,
    /// Komi; what is usual under the rules if not given
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = read_komi::<f64>)]
    pub komi: Option<f64>,
    /// Handicap stones for Black
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub handicap: usize,
    /// Rules that say which moves are legal (chinese: positional superko, japanese: simple ko, aga:
    /// situational superko)
    #[arg(long, value_name = "NAME", default_value = "chinese")]
    pub rules: Rules,
    /// Time for each side: 300 (absolute), 300+30/5 (5 stones in 30 s), 300+3x10 (3 periods of
    /// 10 s), 300+2 (2 s more after each move)
    #[arg(long, value_name = "TIME")]
    pub time: Option<TimeSettings>,
    /// Count the game as it stands after so many moves; 3 times the points of the board if not given
    #[arg(long, value_name = "N")]
    pub max_moves: Option<usize>,
    /// Who plays Black
    #[arg(long, value_enum, default_value_t = Colors::Alternate)]
    pub colors: Colors,
    /// File of openings (SGF, or GTP moves with one opening per line) or directory of SGF files; each
    /// is played twice with colours exchanged
    #[arg(long, value_name = "PATH")]
    pub openings: Option<PathBuf>,
    /// Play only the first moves of each opening
    #[arg(long, value_name = "N", requires = "openings")]
    pub opening_moves: Option<usize>,
    /// Random moves before each pair of games, after the opening
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random_plies: usize,
    /// Seed of the match: random moves and the programs' seeds follow from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Program that counts the games about which A and B disagree; `area` counts the final position
    /// as it stands
    #[arg(long, value_name = "CMD")]
    pub referee: Option<String>,
    /// Seconds after which a silent program is ended and loses the game (its clock comes on top)
    #[arg(long, value_name = "S", default_value_t = 120.0, allow_negative_numbers = true)]
    pub timeout: f64,
    /// Start the programs anew for every game
    #[arg(long)]
    pub fresh: bool,
    /// Stop as soon as it is decided whether A is ELO0 or ELO1 stronger than B
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Error rate of the decision
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        allow_negative_numbers = true,
        requires = "sprt"
    )]
    pub sprt_error: f64,
    /// Write PREFIX.dat (the results) and PREFIX-N.sgf (the games); go on if PREFIX.dat exists
    #[arg(long, value_name = "PREFIX")]
    pub out: Option<PathBuf>,
    /// Overwrite PREFIX.dat instead of going on
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Who decides when the programs do not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Referee {
    /// Nobody.
    None,
    /// The area of the final position.
    Area,
    /// A program.
    Program(Program),
}

impl Referee {
    /// The name in tables; `-` for nobody, as GoGui writes it.
    pub fn name(&self) -> String {
        match self {
            Referee::None => "-".to_owned(),
            Referee::Area => "area".to_owned(),
            Referee::Program(program) => program.command(),
        }
    }
}

/// A match, ready to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Programs A and B.
    pub programs: [Program; 2],
    /// Names the user gave them.
    pub names: [Option<String>; 2],
    /// Referee.
    pub referee: Referee,
    /// The games.
    pub pairing: Pairing,
    /// Where the openings come from.
    pub opening_source: String,
    /// Board, komi and clocks.
    pub conditions: Conditions,
    /// Number of games.
    pub games: u32,
    /// Games at once.
    pub jobs: usize,
    /// How long a program may stay silent.
    pub timeout: Duration,
    /// New processes for every game.
    pub fresh: bool,
    /// Early stop.
    pub sprt: Option<Sprt>,
}

/// tengen itself as a GTP program.
pub fn tengen_itself() -> anyhow::Result<Program> {
    let path = std::env::current_exe().context("cannot find the tengen program itself")?;
    let words = vec![path.to_string_lossy().into_owned(), "gtp".to_owned()];
    Ok(Program::from_words(words))
}

fn with_parameters(program: Program, set: &[String]) -> Program {
    program.with_arguments(set.iter().flat_map(|value| ["--set".to_owned(), value.clone()]))
}

/// Programs A and B with their parameters.
fn programs(args: &MatchArgs) -> anyhow::Result<[Program; 2]> {
    let base = match &args.a {
        Some(command) => Program::parse(command)?.with_one_thread(),
        // A seed of its own in every game, so that no game depends on those before it.
        None => tengen_itself()?
            .with_one_thread()
            .with_arguments(["--seed", "%SEED"].map(str::to_owned)),
    };
    let other = match &args.b {
        Some(command) => Program::parse(command)?.with_one_thread(),
        None => base.clone(),
    };
    Ok([(base, &args.set_a), (other, &args.set_b)]
        .map(|(program, own)| with_parameters(with_parameters(program, &args.set), own)))
}

impl Plan {
    /// Checks the options.
    pub fn new(args: &MatchArgs) -> anyhow::Result<Plan> {
        ensure!(args.games > 0, "--games must be at least 1");
        ensure!((1..=1000).contains(&args.jobs), "--jobs must be 1 to 1000");
        let size = args.size;
        ensure!(
            (MIN_SIZE..=MAX_SIZE).contains(&size),
            "--size must be {MIN_SIZE} to {MAX_SIZE}, not {size}"
        );
        ensure!(
            args.timeout > 0.0 && args.timeout < 1e9,
            "--timeout must be a positive number of seconds"
        );
        let rules = args.rules;
        let komi = args.komi.unwrap_or(f64::from(rules.usual_komi(size)));
        let handicap = match args.handicap {
            0 => Vec::new(),
            stones => fixed_handicap(size, stones).with_context(|| {
                let most = max_fixed_handicap(size);
                format!("--handicap must be 0 or 2 to {most} on a {size}x{size} board")
            })?,
        };
        let max_moves = args.max_moves.unwrap_or(3 * size * size);
        ensure!(max_moves > 0, "--max-moves must be at least 1");
        let referee = match args.referee.as_deref() {
            None => Referee::None,
            Some("area") => Referee::Area,
            Some(command) => Referee::Program(Program::parse(command)?.with_one_thread()),
        };
        let first = if handicap.is_empty() { Color::Black } else { Color::White };
        let mut opening_source = "-".to_owned();
        let openings = match &args.openings {
            None => Vec::new(),
            Some(path) => {
                let needed = match args.colors {
                    Colors::Alternate => args.games.div_ceil(2),
                    _ => args.games,
                };
                let openings =
                    read_openings(path, size, first, args.opening_moves, needed as usize)?;
                opening_source = describe_openings(path, &openings, args.opening_moves);
                openings
            }
        };
        let pairing = Pairing {
            size,
            rules,
            handicap: handicap.clone(),
            openings,
            random_plies: args.random_plies,
            seed: args.seed,
            colors: args.colors,
        };
        pairing.check()?;
        let sprt =
            args.sprt.as_deref().map(|text| parse_sprt(text, args.sprt_error)).transpose()?;
        let conditions =
            Conditions { start: pairing.start(), handicap, komi, time: args.time, max_moves };
        Ok(Plan {
            programs: programs(args)?,
            names: [args.name_a.clone(), args.name_b.clone()],
            referee,
            pairing,
            opening_source,
            conditions,
            games: args.games,
            jobs: args.jobs,
            timeout: Duration::from_secs_f64(args.timeout),
            fresh: args.fresh,
            sprt,
        })
    }
}

/// The name of the file, how much of it is used, and a number that changes when the first opening
/// does.
fn describe_openings(path: &Path, openings: &[Opening], moves: Option<usize>) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut hasher = DefaultHasher::new();
    openings.first().map(|opening| &opening.moves).hash(&mut hasher);
    let cut = moves.map_or(String::new(), |moves| format!(", {moves} moves"));
    format!("{name}{cut} ({:08x})", hasher.finish() >> 32)
}

fn parse_sprt(text: &str, error: f64) -> anyhow::Result<Sprt> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|number| number.trim().parse::<f64>())
        .collect::<Result<_, _>>()
        .with_context(|| format!("--sprt {text}: write two numbers, like 0,30"))?;
    let [elo0, elo1] = numbers[..] else {
        bail!("--sprt {text}: write two numbers, like 0,30");
    };
    ensure!(
        elo0 < elo1 && elo0.abs() < 2000.0 && elo1.abs() < 2000.0,
        "--sprt {text}: write the smaller number first, both between -2000 and 2000"
    );
    ensure!(error > 0.0 && error < 0.5, "--sprt-error must be between 0 and 0.5");
    Ok(Sprt::new(elo0, elo1, error, error))
}
