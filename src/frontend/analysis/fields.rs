//! The fields of a query: reading one, and what is said when it cannot be read.

use crate::types::{Color, Move, Point};
use serde_json::{Map, Value};

/// What is wrong with a query.
#[derive(Clone, PartialEq, Debug)]
pub struct QueryError {
    /// The field that is to blame, if it is one.
    pub field: Option<&'static str>,
    /// What is wrong with it.
    pub message: String,
}

/// A query as JSON.
pub type Fields = Map<String, Value>;

/// The error of a field.
pub(super) fn wrong<T>(field: &'static str, message: impl Into<String>) -> Result<T, QueryError> {
    Err(QueryError { field: Some(field), message: message.into() })
}

/// What a field says, if it is there and not null.
pub(super) fn optional<T>(
    fields: &Fields,
    field: &'static str,
    must: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Result<Option<T>, QueryError> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match read(value) {
            None => wrong(field, must),
            found => Ok(found),
        },
    }
}

/// A number, if there is one.
pub(super) fn number(fields: &Fields, field: &'static str) -> Result<Option<f64>, QueryError> {
    optional(fields, field, "must be a number", Value::as_f64)
}

/// An integer, if there is one.
pub(super) fn integer(fields: &Fields, field: &'static str) -> Result<Option<i64>, QueryError> {
    optional(fields, field, "must be an integer", Value::as_i64)
}

/// A list of turns, if there is one.
pub(super) fn turn_list(
    fields: &Fields,
    field: &'static str,
) -> Result<Option<Vec<usize>>, QueryError> {
    optional(fields, field, "must be a list of non-negative integers", |list| {
        list.as_array()?.iter().map(|turn| turn.as_u64().map(|turn| turn as usize)).collect()
    })
}

/// A switch, off if it is not there.
pub(super) fn boolean(fields: &Fields, field: &'static str) -> Result<bool, QueryError> {
    Ok(optional(fields, field, "must be true or false", Value::as_bool)?.unwrap_or(false))
}

/// A list of `["B", "C4"]`, if there is one.
pub(super) fn move_list(
    fields: &Fields,
    field: &'static str,
    size: usize,
    passes: bool,
) -> Result<Option<Vec<Move>>, QueryError> {
    let parse = |entry: &Value| {
        let [color, vertex] = entry.as_array()?.as_slice() else {
            return None;
        };
        let color = Color::parse_gtp(color.as_str()?)?;
        let point = Point::parse_gtp(vertex.as_str()?, size).ok()?;
        (passes || !point.is_pass()).then(|| Move::new(color, point))
    };
    optional(fields, field, "must be a list of pairs like [\"B\",\"C4\"] on the board", |list| {
        list.as_array()?.iter().map(parse).collect()
    })
}

/// `avoidMoves` and `allowMoves`. The search restricts moves at the root only.
pub(super) fn restricted(
    fields: &Fields,
    field: &'static str,
    size: usize,
) -> Result<Vec<Move>, QueryError> {
    let parse = |list: &Value| {
        let mut restricted = Vec::new();
        for entry in list.as_array()? {
            let color = Color::parse_gtp(entry.get("player")?.as_str()?)?;
            let depth = entry.get("untilDepth")?.as_u64()?;
            for vertex in entry.get("moves")?.as_array()? {
                let point = Point::parse_gtp(vertex.as_str()?, size).ok()?;
                if depth > 0 {
                    restricted.push(Move::new(color, point));
                }
            }
        }
        Some(restricted)
    };
    let must = "must be a list of objects with player, moves and untilDepth";
    Ok(optional(fields, field, must, parse)?.unwrap_or_default())
}
