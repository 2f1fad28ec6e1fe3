//! `tengen params`: every parameter with its default, range and meaning.

use crate::params::{Parameter, Params};
use clap::Args;
use serde_json::{Value, json};

/// The board sizes for which defaults are shown.
const SIZES: [usize; 3] = [9, 13, 19];

/// What to do with the list.
const HEAD: &str = "# The parameters and their defaults, for `tengen --params FILE`: take the first # away\n\
                    # from a line `name = value` and change the value, which then holds on all boards.";

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
    if text.is_empty() {
        // Says what was probably meant.
        Params::find(prefix)?;
    }
    super::print(&format!("{text}\n"))
}

/// The defaults on 9x9, 13x13 and 19x19.
fn defaults(parameter: &Parameter) -> [String; 3] {
    SIZES.map(|size| (parameter.get)(&Params::for_size(size)))
}

fn chosen(prefix: &str) -> impl Iterator<Item = &'static Parameter> {
    Params::TABLE.iter().filter(move |parameter| parameter.name.starts_with(prefix))
}

/// A file for `--params` in which every default is a comment: some defaults depend on the size of
/// the board, and a file that named them would pin those of one size on all. Read back unchanged,
/// it changes nothing.
fn as_text(prefix: &str) -> String {
    let entry = |parameter: &Parameter| {
        let [small, middle, large] = defaults(parameter);
        let sizes = if small == large && middle == large {
            String::new()
        } else {
            format!("; {small} on 9x9, {middle} on 13x13, {large} on 19x19")
        };
        let allowed = (parameter.allowed)();
        format!("# {} = {large}\n#   {} Give {allowed}{sizes}.", parameter.name, parameter.doc)
    };
    let entries: Vec<String> = chosen(prefix).map(entry).collect();
    if entries.is_empty() { String::new() } else { format!("{HEAD}\n{}", entries.join("\n")) }
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
    use crate::types::{MAX_SIZE, MIN_SIZE};

    #[test]
    fn the_list_read_back_changes_nothing_on_any_board() {
        let text = as_text("");
        assert_eq!(text.lines().count(), 2 * Params::TABLE.len() + HEAD.lines().count());
        let mut overrides = Overrides::default();
        overrides.add_file(&text).unwrap();
        for size in MIN_SIZE..=MAX_SIZE {
            assert_eq!(overrides.resolve(size), Params::for_size(size), "{size}x{size}");
        }
    }

    #[test]
    fn every_line_of_the_list_can_be_made_a_setting() {
        for parameter in Params::TABLE {
            let text = as_text(parameter.name);
            let start = format!("# {} = ", parameter.name);
            let setting = text.lines().find(|line| line.starts_with(&start)).unwrap();
            let mut overrides = Overrides::default();
            overrides.add_file(&text.replace(setting, &setting[2..])).unwrap();
            assert_eq!(overrides.resolve(19), Params::for_size(19), "{}", parameter.name);
            assert!(overrides.get(parameter.name).is_some(), "{}", parameter.name);
        }
    }

    #[test]
    fn the_json_names_the_defaults_by_size() {
        let list: Vec<Value> = serde_json::from_str(&as_json("search.ex").unwrap()).unwrap();
        assert_eq!(list[0]["name"], "search.exploration");
        assert!(list.iter().any(|entry| entry["default"]["9"] != entry["default"]["19"]));
        assert!(as_text("nonsense").is_empty() && as_json("nonsense").unwrap().is_empty());
    }
}
