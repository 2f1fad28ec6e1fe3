//! `tengen params`: every parameter with its default, range and meaning.

use crate::params::{Parameter, Params};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The board sizes for which defaults are shown.
const SIZES: [usize; 3] = [9, 13, 19];

/// The options of `tengen params`.
#[derive(Args, Debug, Default)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print only the parameters whose name begins like this
    prefix: Option<String>,
}

/// Prints the parameters.
pub fn run(args: &ListArgs) -> anyhow::Result<()> {
    let prefix = args.prefix.as_deref().unwrap_or_default();
    let text = if args.json { as_json(prefix)? } else { as_text(prefix) };
    anyhow::ensure!(!text.is_empty(), "no parameter begins with '{prefix}'");
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// The defaults on 9x9, 13x13 and 19x19.
fn defaults(parameter: &Parameter) -> [String; 3] {
    SIZES.map(|size| (parameter.get)(&Params::for_size(size)))
}

fn chosen(prefix: &str) -> impl Iterator<Item = &'static Parameter> {
    Params::TABLE.iter().filter(move |parameter| parameter.name.starts_with(prefix))
}

/// `name = default` first, so that the output can be edited into a file for `--params`.
fn as_text(prefix: &str) -> String {
    let entry = |parameter: &Parameter| {
        let [small, middle, large] = defaults(parameter);
        let sizes = if small == large && middle == large {
            String::new()
        } else {
            format!("; {small} on 9x9, {middle} on 13x13, {large} on 19x19")
        };
        let allowed = (parameter.allowed)();
        format!("{} = {large}\n#   {} Give {allowed}{sizes}.", parameter.name, parameter.doc)
    };
    chosen(prefix).map(entry).collect::<Vec<_>>().join("\n")
}

fn as_json(prefix: &str) -> anyhow::Result<String> {
    let entry = |parameter: &Parameter| {
        let [small, middle, large] = defaults(parameter);
        json!({
            "name": parameter.name,
            "doc": parameter.doc,
            "allowed": (parameter.allowed)(),
            "default": { "9": small, "13": middle, "19": large },
        })
    };
    let entries: Vec<Value> = chosen(prefix).map(entry).collect();
    Ok(if entries.is_empty() { String::new() } else { serde_json::to_string_pretty(&entries)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Overrides;

    #[test]
    fn the_text_is_a_parameter_file() {
        let text = as_text("");
        assert_eq!(text.lines().count(), 2 * Params::TABLE.len());
        let mut overrides = Overrides::default();
        overrides.add_file(&text).unwrap();
        assert_eq!(overrides.resolve(19), Params::for_size(19));
    }

    #[test]
    fn the_json_names_the_defaults_by_size() {
        let list: Vec<Value> = serde_json::from_str(&as_json("search.ex").unwrap()).unwrap();
        assert_eq!(list[0]["name"], "search.exploration");
        assert!(list.iter().any(|entry| entry["default"]["9"] != entry["default"]["19"]));
        assert!(as_text("nonsense").is_empty() && as_json("nonsense").unwrap().is_empty());
    }
}
