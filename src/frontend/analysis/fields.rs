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

/// A number, if there is one.
pub(super) fn number(fields: &Fields, field: &'static str) -> Result<Option<f64>, QueryError> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => wrong(field, "must be a number"),
        },
    }
}

/// An integer, if there is one.
pub(super) fn integer(fields: &Fields, field: &'static str) -> Result<Option<i64>, QueryError> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_i64() {
            Some(number) => Ok(Some(number)),
            None => wrong(field, "must be an integer"),
        },
    }
}

/// A list of numbers that must be there.
pub(super) fn numbers(fields: &Fields, field: &'static str) -> Result<Vec<usize>, QueryError> {
    let list = fields.get(field).and_then(Value::as_array);
    let entry = |value: &Value| value.as_u64().map(|number| number as usize);
    match list.and_then(|list| list.iter().map(entry).collect()) {
        Some(list) => Ok(list),
        None => wrong(field, "must be a list of non-negative integers"),
    }
}

/// A switch, off if it is not there.
pub(super) fn boolean(fields: &Fields, field: &'static str) -> Result<bool, QueryError> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(false),
        Some(value) => match value.as_bool() {
            Some(flag) => Ok(flag),
            None => wrong(field, "must be true or false"),
        },
    }
}

/// A list of `["B", "C4"]`.
pub(super) fn move_list(
    fields: &Fields,
    field: &'static str,
    size: usize,
    passes: bool,
) -> Result<Vec<Move>, QueryError> {
    let Some(value) = fields.get(field) else {
        return if passes { wrong(field, "is required") } else { Ok(Vec::new()) };
    };
    let parse = |entry: &Value| {
        let [color, vertex] = entry.as_array()?.as_slice() else {
            return None;
        };
        let color = Color::parse_gtp(color.as_str()?)?;
        let point = Point::parse_gtp(vertex.as_str()?, size).ok()?;
        (passes || !point.is_pass()).then(|| Move::new(color, point))
    };
    let list: Option<Vec<Move>> =
        value.as_array().and_then(|entries| entries.iter().map(parse).collect());
    match list {
        Some(list) => Ok(list),
        None => wrong(field, "must be a list of pairs like [\"B\",\"C4\"] on the board"),
    }
}

/// `avoidMoves` and `allowMoves`. The search restricts moves at the root only.
pub(super) fn restricted(
    fields: &Fields,
    field: &'static str,
    size: usize,
) -> Result<Vec<Move>, QueryError> {
    let Some(value) = fields.get(field) else {
        return Ok(Vec::new());
    };
    let mut restricted = Vec::new();
    let mut parse = || {
        for entry in value.as_array()? {
            let color = Color::parse_gtp(entry.get("player")?.as_str()?)?;
            let depth = entry.get("untilDepth")?.as_u64()?;
            for vertex in entry.get("moves")?.as_array()? {
                let point = Point::parse_gtp(vertex.as_str()?, size).ok()?;
                if depth > 0 {
                    restricted.push(Move::new(color, point));
                }
            }
        }
        Some(())
    };
    match parse() {
        Some(()) => Ok(restricted),
        None => wrong(field, "must be a list of objects with player, moves and untilDepth"),
    }
}
