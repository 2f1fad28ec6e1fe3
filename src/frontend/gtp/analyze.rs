//! Analysis: `lz-analyze`, `kata-analyze` and their relatives.
//!
//! Arguments are `[color] [interval] {key value}`, where color and interval come in either order
//! or as a key. A key that is not known is an error, because LizGoban finds out what an engine can do by
//! trying. `analyze` and `genmove_analyze` work but are not listed: Sabaki prefers them to `kata-analyze` and
//! then reads their win rates as integers.

use super::command::{Call, Command, Listing, Reply};
use super::info::{Dialect, InfoFormat};
use super::parse::{Args, SYNTAX_ERROR, parse_boolean};
use super::session::Session;
use super::think::Task;
use crate::engine::{Choice, Decision};
use crate::types::{Color, Point};
use std::time::Duration;

/// The table.
pub const COMMANDS: &[Command] = &[
    Command::new("lz-analyze", OPTIONS, "Analyzes until there is input.", |session, call| {
        analyze(session, call, Dialect::Leela)
    }),
    Command::new(
        "lz-genmove_analyze",
        OPTIONS,
        "Chooses and plays a move, with analysis.",
        |session, call| genmove_analyze(session, call, Dialect::Leela),
    ),
    Command::new(
        "kata-analyze",
        KATA_OPTIONS,
        "Analyzes until there is input.",
        |session, call| analyze(session, call, Dialect::Kata),
    ),
    Command::new(
        "kata-genmove_analyze",
        KATA_OPTIONS,
        "Chooses and plays a move, with analysis.",
        |session, call| genmove_analyze(session, call, Dialect::Kata),
    ),
    Command::new(
        "kata-search",
        "[COLOR]",
        "Chooses a move without playing it.",
        |session, call| search(session, call, false),
    ),
    Command::new(
        "kata-search_cancellable",
        "[COLOR]",
        "Chooses a move without playing it; any input cancels.",
        |session, call| search(session, call, true),
    ),
    Command::new(
        "kata-search_analyze",
        KATA_OPTIONS,
        "Chooses a move without playing it, with analysis.",
        |session, call| search_analyze(session, call, false),
    ),
    Command::new(
        "kata-search_analyze_cancellable",
        KATA_OPTIONS,
        "Chooses a move without playing it, with analysis; any input cancels.",
        |session, call| search_analyze(session, call, true),
    ),
    Command::new("stop", "", "Ends pondering, analysis or the search that runs.", |session, _| {
        session.pondering = None;
        Ok(String::new())
    }),
    Command {
        name: "analyze",
        usage: KATA_OPTIONS,
        doc: "Like kata-analyze.",
        listing: Listing::Hidden,
        run: |session, call| analyze(session, call, Dialect::Kata),
    },
    Command {
        name: "genmove_analyze",
        usage: KATA_OPTIONS,
        doc: "Like kata-genmove_analyze.",
        listing: Listing::Hidden,
        run: |session, call| genmove_analyze(session, call, Dialect::Kata),
    },
];

const OPTIONS: &str =
    "[COLOR] [INTERVAL] [minmoves N] [maxmoves N] [avoid|allow COLOR VERTEX,... DEPTH]";
const KATA_OPTIONS: &str = "[COLOR] [INTERVAL] [minmoves N] [maxmoves N] [rootInfo true] \
                            [ownership true] [ownershipStdev true] [movesOwnership true] \
                            [movesOwnershipStdev true] [pvVisits true] [pvEdgeVisits true] \
                            [avoid|allow COLOR VERTEX,... DEPTH]";

/// How often lines come if the client does not say.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);

fn analyze(session: &mut Session, call: &mut Call, dialect: Dialect) -> Reply {
    let (color, task) = options(session, call.args, dialect)?;
    session.analyze(call, color, &task);
    Ok(String::new())
}

fn genmove_analyze(session: &mut Session, call: &mut Call, dialect: Dialect) -> Reply {
    let (color, task) = options(session, call.args, dialect)?;
    session.begin_stream(call);
    let decision = session.choose(call, color, &task);
    let decision = decision.ok_or_else(|| "cancelled".to_owned())?;
    Ok(format!("play {}", session.commit(color, &decision)))
}

fn search(session: &mut Session, call: &mut Call, cancellable: bool) -> Reply {
    let color = match call.args.get(0) {
        Some(_) => call.args.color(0)?,
        None => session.to_play(),
    };
    let task = Task { cancellable, ..Task::default() };
    Ok(found(session, call, color, &task))
}

fn search_analyze(session: &mut Session, call: &mut Call, cancellable: bool) -> Reply {
    let (color, mut task) = options(session, call.args, Dialect::Kata)?;
    task.cancellable = cancellable;
    session.begin_stream(call);
    Ok(format!("play {}", found(session, call, color, &task)))
}

/// A move that is not played, or `cancelled`.
pub fn found(session: &mut Session, call: &Call, color: Color, task: &Task) -> String {
    let decision = session.choose(call, color, task);
    session.clock.pause();
    match decision {
        None => "cancelled".to_owned(),
        Some(Decision { choice: Choice::Resign, .. }) => "resign".to_owned(),
        Some(Decision { choice: Choice::Play(point), .. }) => point.to_string(),
    }
}

/// Reads the arguments.
fn options(session: &Session, args: &Args, dialect: Dialect) -> Result<(Color, Task), String> {
    let syntax = || SYNTAX_ERROR.to_owned();
    let size = session.size();
    let mut color = None;
    let mut interval = None;
    let mut format = InfoFormat { dialect, ..InfoFormat::default() };
    let mut restrictions: Vec<(&str, Color, Vec<Point>)> = Vec::new();
    let mut words = args.words();
    let mut positional = true;
    while let Some(word) = words.next() {
        if let Some(player) = Color::parse_gtp(word).filter(|_| positional && color.is_none()) {
            color = Some(player);
            continue;
        }
        if let Some(every) = parse_interval(word).filter(|_| positional && interval.is_none()) {
            interval = Some(every);
            continue;
        }
        positional = false;
        let value = words.next().ok_or_else(syntax)?;
        let number = || value.parse::<usize>().map_err(|_| syntax());
        let kata = dialect == Dialect::Kata;
        match word {
            "interval" => interval = Some(parse_interval(value).ok_or_else(syntax)?),
            // Only moves with visits say something, so there are no more to list.
            "minmoves" => drop(number()?),
            "maxmoves" => format.max_moves = Some(number()?),
            "rootInfo" if kata => format.root_info = flag(value)?,
            "ownership" if kata => format.ownership = flag(value)?,
            "ownershipStdev" if kata => format.ownership_deviation = flag(value)?,
            "movesOwnership" if kata => format.moves_ownership = flag(value)?,
            "movesOwnershipStdev" if kata => format.moves_ownership_deviation = flag(value)?,
            "pvVisits" if kata => format.variation_visits = flag(value)?,
            "pvEdgeVisits" if kata => format.variation_edge_visits = flag(value)?,
            "noResultValue" if kata => {
                // Asking not to have what we do not have is fine.
                if flag(value)? {
                    return Err(format!("{word} is not supported"));
                }
            }
            "avoid" | "allow" => {
                let player = Color::parse_gtp(value).ok_or_else(syntax)?;
                let list = words.next().ok_or_else(syntax)?;
                let depth: u32 = words.next().and_then(|d| d.parse().ok()).ok_or_else(syntax)?;
                let vertex = |text: &str| Point::parse_gtp(text, size).map_err(|_| syntax());
                let points = list.split(',').map(vertex).collect::<Result<Vec<_>, _>>()?;
                // The search restricts moves at the root only, which is what every client asks for.
                if depth > 0 {
                    restrictions.push((word, player, points));
                }
            }
            _ => return Err(format!("unknown key {word}")),
        }
    }
    let color = color.unwrap_or(session.to_play());
    let every = interval.unwrap_or(DEFAULT_INTERVAL);
    let mut task = Task { stream: Some((format, every)), ..Task::default() };
    for (word, _, points) in restrictions.into_iter().filter(|(_, player, _)| *player == color) {
        let list = if word == "avoid" { &mut task.avoid } else { &mut task.allow };
        list.extend(points);
    }
    Ok((color, task))
}

/// Centiseconds, not less than one.
fn parse_interval(text: &str) -> Option<Duration> {
    let centiseconds: u64 = text.parse().ok()?;
    Some(Duration::from_millis(centiseconds.clamp(1, 100_000_000) * 10))
}

fn flag(value: &str) -> Result<bool, String> {
    parse_boolean(value).ok_or_else(|| SYNTAX_ERROR.to_owned())
}
