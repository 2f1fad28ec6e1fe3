//! Every number that influences play, declared once: name, type, default by board size, range and
//! meaning. The command line (`--set`), parameter files, GTP and the documentation all read the
//! one table that the declaration in `table.rs` makes.

mod model;
mod seed;
mod table;
mod threads;
mod value;

pub use model::{TreeModel, TreeNetwork};
pub use seed::{asks_for_seed, random_seed};
pub use table::{
    AnalysisParams, Bias, ClockParams, DynamicKomi, KomiParams, Mix, OpeningParams, Params,
    PassMode, PassParams, PlayoutKind, PlayoutParams, PriorParams, ResignParams, SearchParams,
    StatusParams, ValueParams,
};
pub use threads::{Threads, cores, processors};
pub use value::Value;

use crate::input::nearest;
use crate::knowledge::ModelError;
use std::path::Path;
use thiserror::Error;

/// One declared parameter.
pub struct Parameter {
    /// `group.name`.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// The allowed values, in words.
    pub allowed: fn() -> String,
    /// The allowed values one by one, if they can be listed.
    pub choices: fn() -> Vec<&'static str>,
    /// The value in a set of parameters.
    pub get: fn(&Params) -> String,
    set: fn(&mut Params, &str) -> bool,
}

/// A parameter that cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParamError {
    /// No such name.
    #[error("there is no parameter '{0}'; {hint}", hint = hint(.0))]
    Unknown(String),
    /// The value is of the wrong type or out of range.
    #[error("'{value}' is no value for {name}: give {allowed}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// Text without `=`.
    #[error("'{0}' is not of the form name=value")]
    Syntax(String),
}

/// What to do about a parameter that does not exist.
fn hint(name: &str) -> String {
    let names = || Params::TABLE.iter().map(|parameter| parameter.name);
    let short = |name: &'static str| name.split_once('.').map_or(name, |(_, short)| short);
    let without_group = || {
        let meant = nearest(name, names().map(short))?;
        names().find(|name| short(name) == meant)
    };
    let meant =
        nearest(name, names()).or_else(|| (!name.contains('.')).then(without_group).flatten());
    match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => "`tengen params` lists them all".to_owned(),
    }
}

impl Params {
    /// Finds a declared parameter.
    pub fn find(name: &str) -> Result<&'static Parameter, ParamError> {
        let found = Params::TABLE.iter().find(|parameter| parameter.name == name);
        found.ok_or_else(|| ParamError::Unknown(name.chars().take(60).collect()))
    }

    /// Sets one parameter from text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let parameter = Params::find(name)?;
        if (parameter.set)(self, value.trim()) {
            return Ok(());
        }
        Err(ParamError::Value {
            name: parameter.name,
            value: value.chars().take(60).collect(),
            allowed: (parameter.allowed)(),
        })
    }
}

/// What a user has changed: kept as text and applied again whenever the board size, and with it
/// the defaults, change.
#[derive(Clone, Default, Debug)]
pub struct Overrides {
    assignments: Vec<(String, String)>,
    tree_model: TreeModel,
    tree_network: TreeNetwork,
}

impl Overrides {
    /// Adds `name=value`, after checking it.
    pub fn add(&mut self, assignment: &str) -> Result<(), ParamError> {
        let syntax = || ParamError::Syntax(assignment.chars().take(60).collect());
        let (name, value) = assignment.split_once('=').ok_or_else(syntax)?;
        self.insert(name.trim(), value.trim())
    }

    /// Sets a parameter, after checking it; a later value replaces an earlier one.
    pub fn insert(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        Params::for_size(19).set(name, value)?;
        self.assignments.retain(|(known, _)| known != name);
        self.assignments.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// The value that was set, if one was.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.assignments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Adds every `name = value` line of a file; `#` begins a comment. The error names the line.
    pub fn add_file(&mut self, text: &str) -> Result<(), (usize, ParamError)> {
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                self.add(line).map_err(|error| (number + 1, error))?;
            }
        }
        Ok(())
    }

    /// Lets the tree ask the model of a file, on boards of every size. Gives what its features do not
    /// share with this program's, in words, if anything.
    pub fn load_model(&mut self, path: &Path) -> Result<Option<String>, ModelError> {
        self.tree_model = TreeModel::load(path)?;
        Ok(self.tree_model.for_size(19).difference.clone())
    }

    /// Lets the tree ask the network of a file, on boards of every size that a network can judge.
    pub fn load_network(&mut self, path: &Path) -> Result<(), ModelError> {
        self.tree_network = TreeNetwork::load(path)?;
        Ok(())
    }

    /// The parameters for a board size.
    pub fn resolve(&self, size: usize) -> Params {
        let mut params = Params::for_size(size);
        params.tree_model = self.tree_model.clone();
        params.tree_network = self.tree_network.clone();
        for (name, value) in &self.assignments {
            // Checked when it was inserted.
            let _ = params.set(name, value);
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_a_doc_and_accepts_its_own_default() {
        for size in [9, 13, 19] {
            let mut params = Params::for_size(size);
            for parameter in Params::TABLE {
                let value = (parameter.get)(&params);
                assert!(
                    !parameter.doc.is_empty() && parameter.doc.ends_with('.'),
                    "{}",
                    parameter.name
                );
                assert_eq!(params.set(parameter.name, &value), Ok(()), "{}", parameter.name);
                assert_eq!((parameter.get)(&params), value);
            }
        }
        let mut names: Vec<_> = Params::TABLE.iter().map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Params::TABLE.len());
    }

    #[test]
    fn overrides_survive_a_change_of_size() {
        let mut overrides = Overrides::default();
        overrides.add("search.mix = mse").unwrap();
        overrides.add("search.mix=mc").unwrap();
        for size in [9, 19] {
            assert_eq!(overrides.resolve(size).search.mix, Mix::Mc);
        }
        overrides.add_file("# tuned\nsearch.threads = 2 # both\n\n").unwrap();
        assert_eq!(overrides.resolve(9).search.threads, Threads::Fixed(2));
    }

    #[test]
    fn bad_values_name_what_is_allowed() {
        let mut overrides = Overrides::default();
        let message = |result: Result<(), ParamError>| result.unwrap_err().to_string();
        assert_eq!(
            message(overrides.add("search.threads=0")),
            "'0' is no value for search.threads: give auto or a whole number from 1 to 256"
        );
        assert_eq!(
            message(overrides.add("search.mix=magic")),
            "'magic' is no value for search.mix: give mse or mc"
        );
        for (name, hint) in [
            ("search.playout", "did you mean search.playouts?"),
            ("serach.seed", "did you mean search.seed?"),
            ("threads", "did you mean search.threads?"),
            ("nonsense", "`tengen params` lists them all"),
        ] {
            let expected = format!("there is no parameter '{name}'; {hint}");
            assert_eq!(message(overrides.insert(name, "1")), expected);
        }
        assert!(message(overrides.add("nonsense")).contains("name=value"));
        assert!(message(overrides.add("search.exploration=nan")).contains("a number from"));
        assert_eq!(overrides.add_file("search.mix=mse\nx").unwrap_err().0, 2);
    }
}
