//! `tengen study`: the list of experiments, and one of them.

use super::experiments::EXPERIMENTS;
use super::gtp::describe;
use crate::input::nearest;
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::TypedValueParser;
use std::io::Write;
use std::path::PathBuf;

/// Repeat an experiment of the papers and set its figure beside theirs.
#[derive(Args, Clone, Debug, Default)]
pub struct StudyArgs {
    /// The experiment (see --list)
    pub name: Option<String>,
    /// List the experiments, the players and their settings
    #[arg(long)]
    pub list: bool,
    /// Play until every cell has so many games; without it, report the games that there are
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Only these cells, separated by commas
    #[arg(long, value_name = "NAMES")]
    pub cell: Option<String>,
    /// Playouts a move instead of the paper's (for `sweep` a list); such games have tables of their own
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub playouts: Vec<u32>,
    /// Board size, for experiments between study players; such games have tables of their own
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u8).range(3..=19).map(usize::from))]
    pub size: usize,
    /// Method, for experiments that have several
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// For `sweep`: a parameter of the engine and its values, NAME=V1,V2,...
    #[arg(long, value_name = "NAME=V1,V2,...")]
    pub param: Vec<String>,
    /// Folder of the tables of games
    #[arg(long, value_name = "DIR", default_value = "study/games")]
    pub out: PathBuf,
    /// Games to train on, for the experiments that train
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Games to measure a training on
    #[arg(long, value_name = "FILE")]
    pub valid: Option<PathBuf>,
    /// Runs of each training, with seeds of their own
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub runs: u32,
    /// Train on so many times fewer games than the paper
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    pub scale: f64,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Write the figure as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

impl StudyArgs {
    /// The number of playouts that was asked for, where only one makes sense.
    pub fn one_playouts(&self) -> anyhow::Result<Option<u32>> {
        match self.playouts[..] {
            [] => Ok(None),
            [playouts] => Ok(Some(playouts)),
            _ => bail!("give one number of --playouts here; lists are for `sweep`"),
        }
    }

    /// The cells that `--cell` names; all of them without it.
    pub fn chosen<T: Clone>(&self, cells: &[T], name: fn(&T) -> &str) -> anyhow::Result<Vec<T>> {
        let Some(names) = &self.cell else { return Ok(cells.to_vec()) };
        let find = |wanted: &str| {
            let found = cells.iter().find(|cell| name(cell) == wanted).cloned();
            found.with_context(|| {
                let known: Vec<&str> = cells.iter().map(name).collect();
                format!("there is no cell '{wanted}' here: give some of {}", known.join(","))
            })
        };
        names.split(',').map(find).collect()
    }
}

/// Runs an experiment and prints what it found.
pub fn run(args: &StudyArgs) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if args.list {
        write!(out, "{}", list())?;
        return Ok(());
    }
    let Some(name) = &args.name else {
        bail!("name an experiment, or see `tengen study --list`");
    };
    let Some((.., experiment)) = EXPERIMENTS.iter().find(|experiment| experiment.0 == name) else {
        match nearest(name, EXPERIMENTS.iter().map(|experiment| experiment.0)) {
            Some(meant) => bail!("there is no experiment '{name}'; did you mean '{meant}'?"),
            None => bail!("there is no experiment '{name}'; see `tengen study --list`"),
        }
    };
    let report = experiment(args)?;
    if let Some(file) = &args.svg {
        let svg = report.svg.as_ref().with_context(|| format!("'{name}' draws no figure"))?;
        std::fs::write(file, svg).with_context(|| format!("cannot write {}", file.display()))?;
    }
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        false => write!(out, "{}", report.to_text())?,
    }
    Ok(())
}

/// The experiments, the players and their settings.
pub fn list() -> String {
    let mut text = String::from("experiments (tengen study NAME):\n");
    for (name, source, about, _) in EXPERIMENTS {
        text += &format!("  {name:<16}{source}: {about}\n");
    }
    text + &describe()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_every_experiment_once() {
        let text = list();
        for (name, ..) in EXPERIMENTS {
            assert_eq!(text.matches(&format!("\n  {name:<16}")).count(), 1);
        }
        assert!(text.contains("  goyui ") && text.contains("  exploration "));
    }

    #[test]
    fn unknown_names_get_a_sentence() {
        let ask = |name: &str| {
            let args = StudyArgs { name: Some(name.to_owned()), ..StudyArgs::default() };
            run(&args).unwrap_err().to_string()
        };
        assert_eq!(ask("you-mixs"), "there is no experiment 'you-mixs'; did you mean 'you-mixes'?");
        assert_eq!(ask("zebra"), "there is no experiment 'zebra'; see `tengen study --list`");
    }
}
