//! Queries as they come in.

use super::fields::{
    Fields, QueryError, boolean, integer, move_list, number, optional, restricted, turn_list, wrong,
};
use crate::frontend::client_komi;
use crate::frontend::gtp::parse_rules;
use crate::game::{Game, HandicapBonus};
use crate::params::Params;
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Move, Point};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// A line of input.
#[derive(Clone, Debug)]
pub enum Line {
    /// Positions to analyze.
    Query(Box<Query>),
    /// Something else to do.
    Action(Action),
}

/// Something else than an analysis.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Tell the version.
    QueryVersion,
    /// Tell the networks.
    QueryModels,
    /// Forget what was found.
    ClearCache,
    /// End analysis.
    Terminate {
        /// Of this query; of all if None.
        id: Option<String>,
        /// Of these turns; of all if None.
        turns: Option<Vec<usize>>,
    },
}

/// From whose side values are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Always the same.
    Of(Color),
    /// The player to move.
    ToMove,
}

/// Positions of a game to analyze.
#[derive(Clone, Debug)]
pub struct Query {
    /// The name that answers carry.
    pub id: String,
    /// The position before the first move.
    pub start: Game,
    /// The moves.
    pub moves: Vec<Move>,
    /// The turns to analyze, with their priorities.
    pub turns: Vec<(usize, i64)>,
    /// When to stop.
    pub max_visits: Option<u64>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// What to tell beside the moves.
    pub include: Include,
    /// Moves of a variation after the first, at most.
    pub variation_length: usize,
    /// From whose side.
    pub side: Side,
    /// Moves not to consider, by colour.
    pub avoid: Vec<Move>,
    /// The only moves to consider, by colour.
    pub allow: Vec<Move>,
    /// Tell intermediate results so often.
    pub report_every: Option<Duration>,
    /// Parameters changed for this query.
    pub params: Vec<(String, String)>,
    /// Fields that are not understood, with a reason.
    pub warnings: Vec<(String, String)>,
}

/// What an answer tells on request.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Include {
    /// Who owns what.
    pub ownership: bool,
    /// How far the owners of single playouts spread.
    pub ownership_deviation: bool,
    /// Who owns what after every move.
    pub moves_ownership: bool,
    /// How far those spread.
    pub moves_ownership_deviation: bool,
    /// What the model expects.
    pub policy: bool,
    /// The visits of every move of a variation.
    pub variation_visits: bool,
}

/// Fields of KataGo's queries that are understood, or that mean nothing without a network.
const FIELDS: [&str; 29] = [
    "action",
    "allowMoves",
    "analysisPVLen",
    "analyzeTurns",
    "avoidMoves",
    "boardXSize",
    "boardYSize",
    "id",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includeOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
    "includePolicy",
    "initialPlayer",
    "initialStones",
    "komi",
    "maxVisits",
    "moves",
    "overrideSettings",
    "priorities",
    "priority",
    "reportDuringSearchEvery",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "rules",
    "whiteHandicapBonus",
    "terminateId",
    "turnNumbers",
];

/// Settings of KataGo's search that clients send with every query and that mean nothing here:
/// what it does to make its network look at more moves, or at more of the game.
const IDLE_SETTINGS: [&str; 5] = [
    "ignorePreRootHistory",
    "rootFpuReductionMax",
    "rootNumSymmetriesToSample",
    "rootPolicyTemperature",
    "wideRootNoise",
];

/// The id of a line, for answers to lines that are no queries.
pub fn id_of(fields: &Fields) -> Option<String> {
    fields.get("id").and_then(Value::as_str).map(str::to_owned)
}

/// What is wrong with a line that is no JSON object, and its id if it can be made out: a number
/// beyond all bounds spoils the line, but not the fields beside it.
pub fn unreadable(line: &[u8], error: &serde_json::Error) -> (Option<String>, QueryError) {
    #[derive(Deserialize)]
    struct OnlyId {
        id: String,
    }
    let id = serde_json::from_slice::<OnlyId>(line).ok().map(|only| only.id);
    let message = format!("a line must be a JSON object: {error}");
    (id, QueryError { field: None, message })
}

/// Reads a line.
pub fn parse(fields: &Fields) -> Result<Line, QueryError> {
    match fields.get("action") {
        None => Ok(Line::Query(Box::new(parse_query(fields)?))),
        Some(action) => parse_action(fields, action.as_str().unwrap_or_default()),
    }
}

fn parse_action(fields: &Fields, action: &str) -> Result<Line, QueryError> {
    let turns = turn_list(fields, "turnNumbers")?;
    let action = match action {
        "query_version" => Action::QueryVersion,
        "query_models" => Action::QueryModels,
        "clear_cache" => Action::ClearCache,
        "terminate_all" => Action::Terminate { id: None, turns },
        "terminate" => match fields.get("terminateId").and_then(Value::as_str) {
            Some(id) => Action::Terminate { id: Some(id.to_owned()), turns },
            None => return wrong("terminateId", "must be a string"),
        },
        _ => {
            let known = "query_version, query_models, clear_cache, terminate or terminate_all";
            return wrong("action", format!("must be {known}"));
        }
    };
    Ok(Line::Action(action))
}

fn parse_query(fields: &Fields) -> Result<Query, QueryError> {
    let Some(id) = id_of(fields) else {
        return wrong("id", "must be a string");
    };
    let size = board_size(fields)?;
    let Some(moves) = move_list(fields, "moves", size, true)? else {
        return wrong("moves", "is required");
    };
    let start = start(fields, size, &moves)?;
    check_moves(&start, &moves)?;
    let turns = turns(fields, moves.len())?;
    let (avoid, allow) =
        (restricted(fields, "avoidMoves", size)?, restricted(fields, "allowMoves", size)?);
    let mut query = Query {
        id,
        start,
        moves,
        turns,
        max_visits: match number(fields, "maxVisits")? {
            Some(visits) if visits < 1.0 => return wrong("maxVisits", "must be at least 1"),
            visits => visits.map(|visits| visits as u64),
        },
        max_time: None,
        include: Include {
            ownership: boolean(fields, "includeOwnership")?,
            ownership_deviation: boolean(fields, "includeOwnershipStdev")?,
            moves_ownership: boolean(fields, "includeMovesOwnership")?,
            moves_ownership_deviation: boolean(fields, "includeMovesOwnershipStdev")?,
            policy: boolean(fields, "includePolicy")?,
            variation_visits: boolean(fields, "includePVVisits")?,
        },
        variation_length: match integer(fields, "analysisPVLen")? {
            None => usize::MAX,
            Some(length) => length.clamp(0, 1000) as usize,
        },
        side: Side::Of(Color::Black),
        avoid,
        allow,
        report_every: number(fields, "reportDuringSearchEvery")?
            .filter(|seconds| *seconds > 0.0)
            .map(|seconds| Duration::from_secs_f64(seconds.clamp(0.01, 1e6))),
        params: Vec::new(),
        warnings: unknown_fields(fields),
    };
    settings(fields, &mut query)?;
    Ok(query)
}

/// A word on every field that is not understood, as KataGo has it: the query is answered anyway.
fn unknown_fields(fields: &Fields) -> Vec<(String, String)> {
    let unknown = fields.keys().filter(|field| !FIELDS.contains(&field.as_str()));
    unknown
        .map(|field| (field.clone(), "unknown or unused field: is it a typo?".to_owned()))
        .collect()
}

fn board_size(fields: &Fields) -> Result<usize, QueryError> {
    let size = |field: &'static str| match fields.get(field).and_then(Value::as_u64) {
        Some(size) if (MIN_SIZE as u64..=MAX_SIZE as u64).contains(&size) => Ok(size as usize),
        _ => wrong(field, format!("must be an integer from {MIN_SIZE} to {MAX_SIZE}")),
    };
    let (width, height) = (size("boardXSize")?, size("boardYSize")?);
    if width != height {
        return wrong("boardYSize", "must equal boardXSize: only square boards are supported");
    }
    Ok(width)
}

/// The game before its first move. Black stones before White's first move are a handicap.
fn start(fields: &Fields, size: usize, moves: &[Move]) -> Result<Game, QueryError> {
    let mut rules = match fields.get("rules") {
        Some(Value::String(name)) => parse_rules(name),
        Some(Value::Object(object)) => parse_rules(&Value::Object(object.clone()).to_string()),
        _ => Err("must be a name or an object".to_owned()),
    }
    .or_else(|message| wrong("rules", message))?;
    let bonus = optional(fields, "whiteHandicapBonus", "must be 0, N or N-1", |bonus| match bonus
        .to_string()
        .trim_matches('"')
    {
        "0" => Some(HandicapBonus::None),
        "N" => Some(HandicapBonus::Stones),
        "N-1" => Some(HandicapBonus::StonesButOne),
        _ => None,
    });
    rules.handicap_bonus = bonus?.unwrap_or(rules.handicap_bonus);
    let stones = move_list(fields, "initialStones", size, false)?.unwrap_or_default();
    let color = |player: &Value| Color::parse_gtp(player.as_str()?);
    let first = optional(fields, "initialPlayer", "must be \"B\" or \"W\"", color)?;
    let first = first.or(moves.first().map(|first| first.color)).unwrap_or(Color::Black);
    let mut game = Game::new(size, rules);
    let only_black = stones.len() > 1 && stones.iter().all(|stone| stone.color == Color::Black);
    let points: Vec<Point> = stones.iter().map(|stone| stone.point).collect();
    let placed = match only_black && first == Color::White {
        true => game.place_handicap(&points),
        false => game.set_up(&stones, first),
    };
    placed.or_else(|error| wrong("initialStones", error.to_string()))?;
    if let Some(komi) = number(fields, "komi")? {
        game.set_komi(client_komi(komi).or_else(|must| wrong("komi", must))?);
    }
    Ok(game)
}

fn turns(fields: &Fields, last: usize) -> Result<Vec<(usize, i64)>, QueryError> {
    let turns = turn_list(fields, "analyzeTurns")?.unwrap_or_else(|| vec![last]);
    if turns.is_empty() {
        return wrong("analyzeTurns", "must name at least one turn, or be left out");
    }
    if turns.iter().any(|&turn| turn > last) {
        return wrong("analyzeTurns", "names a turn after the last move");
    }
    let priority = integer(fields, "priority")?.unwrap_or(0);
    let list = |list: &Value| list.as_array()?.iter().map(Value::as_i64).collect();
    let priorities = optional(fields, "priorities", "must be a list of integers", list)?;
    let priorities: Vec<i64> = priorities.unwrap_or_else(|| vec![priority; turns.len()]);
    if priorities.len() != turns.len() {
        return wrong("priorities", "must be as long as analyzeTurns");
    }
    let mut list: Vec<(usize, i64)> = Vec::new();
    for (turn, priority) in turns.into_iter().zip(priorities) {
        // Each turn gets one answer, however often it is named.
        match list.iter_mut().find(|(known, _)| *known == turn) {
            Some(known) => known.1 = priority,
            None => list.push((turn, priority)),
        }
    }
    Ok(list)
}

/// The moves must be possible, so that every turn can be reached.
fn check_moves(start: &Game, moves: &[Move]) -> Result<(), QueryError> {
    let mut game = start.clone();
    for (number, &play) in moves.iter().enumerate() {
        if let Err(error) = game.play(play) {
            // KaTrain looks for these two words.
            let message = format!("Illegal move {}: {}: {error}", number + 1, play.to_gtp());
            return wrong("moves", message);
        }
    }
    Ok(())
}

/// Settings of KataGo that mean something here, and parameters of our own.
fn settings(fields: &Fields, query: &mut Query) -> Result<(), QueryError> {
    let object = |settings: &Value| settings.as_object().cloned();
    let settings = optional(fields, "overrideSettings", "must be an object", object)?;
    let refuse = |text: String| wrong("overrideSettings", text);
    for (name, value) in &settings.unwrap_or_default() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match name.as_str() {
            "reportAnalysisWinratesAs" => {
                query.side = match text.to_ascii_uppercase().as_str() {
                    "BLACK" | "B" => Side::Of(Color::Black),
                    "WHITE" | "W" => Side::Of(Color::White),
                    "SIDETOMOVE" => Side::ToMove,
                    _ => return refuse(format!("{name} must be BLACK, WHITE or SIDETOMOVE")),
                }
            }
            "maxTime" => match value.as_f64().filter(|seconds| *seconds > 0.0) {
                Some(seconds) => query.max_time = Some(Duration::from_secs_f64(seconds.min(1e9))),
                None => return refuse(format!("{name} must be a number of seconds")),
            },
            "maxVisits" | "maxPlayouts" => match value.as_f64().filter(|visits| *visits >= 1.0) {
                Some(visits) => query.max_visits = Some(visits as u64),
                None => return refuse(format!("{name} must be a positive number")),
            },
            "numSearchThreads" => query.params.push(("search.threads".to_owned(), text)),
            _ if Params::find(name).is_ok() => query.params.push((name.clone(), text)),
            _ if IDLE_SETTINGS.contains(&name.as_str()) => (),
            _ if value.as_f64() == Some(0.0) => (), // asks not to do what we do not do
            _ => {
                let warning = format!("{name} is not supported");
                query.warnings.push(("overrideSettings".to_owned(), warning));
            }
        }
    }
    for (name, value) in &query.params {
        Params::check(name, value).or_else(|error| refuse(error.to_string()))?;
    }
    Ok(())
}
