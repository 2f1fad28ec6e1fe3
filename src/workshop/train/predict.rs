//! `tengen predict`: how well models guess the moves of games.
//!
//! Several models are measured on the same games, and drawn side by side.

use super::dataset::{Part, Source};
use super::evaluate::{Accuracy, PHASE, PHASES, evaluate, evaluate_network};
use super::load_model;
use super::manifest::{TOPS, file_name};
use super::options::GameArgs;
use super::playout;
use crate::knowledge::net::Network;
use crate::knowledge::{Gammas, Model};
use crate::workshop::tools::figures::{Figure, Printer, rounded};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use anyhow::{Result, ensure};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Measure how well a model predicts the moves of games.
#[derive(Args, Debug)]
pub struct PredictArgs {
    /// Files of one SGF game per line, plain or .zst.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The model, may be given several times; without it, the one that comes with the program for
    /// the board size of the games.
    #[arg(long)]
    model: Vec<PathBuf>,
    /// Put the weights of each --model on the vectors and patterns of this one, as after
    /// `train fbt --features-only`.
    #[arg(long, value_name = "MODEL", conflicts_with = "playout", requires = "model")]
    on: Option<PathBuf>,
    /// The model is a file of playout gammas; without --model, those that come with the program.
    #[arg(long)]
    playout: bool,
    /// Measure this network on top of the model that comes with the program.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "playout"])]
    net: Option<PathBuf>,
    /// Use so many games only.
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    #[command(flatten)]
    which: GameArgs,
    /// Use every N-th game only, those that `train --hold-out N` keeps out.
    #[arg(long, value_name = "N")]
    hold_out: Option<usize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Draw the accuracy by rank and by phase into PREFIX-rank.svg and PREFIX-phase.svg.
    #[arg(long, value_name = "PREFIX")]
    svg: Option<String>,
}

/// Runs `tengen predict`.
pub fn run(args: &PredictArgs) -> Result<()> {
    ensure!(args.hold_out.is_none_or(|n| n > 0), "--hold-out must be at least 1");
    let source = Source {
        limit: args.limit,
        part: args.hold_out.map_or(Part::All, Part::HeldOut),
        ..args.which.source(&args.games)
    };
    let mut measured: Vec<(String, Accuracy)> = Vec::new();
    let mut printer = Printer::new(std::io::stdout().lock(), args.json);
    let models: Vec<Option<&PathBuf>> = match &args.model[..] {
        [] => vec![None],
        paths => paths.iter().map(Some).collect(),
    };
    for model in &models {
        let accuracy = measure(args, *model, &source)?;
        ensure!(accuracy.positions > 0, "there is no game to predict in the files given");
        let name =
            args.net.as_ref().or(*model).map_or("embedded".to_owned(), |path| file_name(path));
        let before = if models.len() > 1 { format!("{name} ") } else { String::new() };
        for mut figure in figures(&accuracy) {
            figure.name.insert_str(0, &before);
            printer.print(figure)?;
        }
        measured.push((name, accuracy));
    }
    printer.finish()?;
    if let Some(prefix) = &args.svg {
        for (name, plot) in [("rank", by_rank(&measured)), ("phase", by_phase(&measured))] {
            plot.save(format!("{prefix}-{name}.svg").as_ref())?;
        }
    }
    Ok(())
}

fn measure(args: &PredictArgs, model: Option<&PathBuf>, source: &Source) -> Result<Accuracy> {
    if let Some(path) = &args.net {
        evaluate_network(&Arc::new(Network::load(path)?), source)
    } else if args.playout {
        let gammas = match model {
            Some(path) => Gammas::load(path)?.into(),
            None => Gammas::embedded(),
        };
        playout::evaluate(&gammas, source)
    } else {
        let model = match model {
            Some(path) => match &args.on {
                Some(on) => {
                    load_model(on)?.with_weights(load_model(path)?.weights().to_vec()).into()
                }
                None => load_model(path)?.into(),
            },
            None => Model::embedded(first_size(source)?),
        };
        evaluate(&model, source, usize::MAX)
    }
}

fn first_size(source: &Source) -> Result<usize> {
    let mut size = 19;
    source.for_each(|game| {
        size = usize::from(game.size);
        Ok(false)
    })?;
    Ok(size)
}

fn figures(accuracy: &Accuracy) -> Vec<Figure> {
    let mut figures = vec![
        Figure::new("games", accuracy.games as f64, ""),
        Figure::new("positions", accuracy.positions as f64, ""),
    ];
    for n in TOPS {
        figures.push(Figure::new(format!("top-{n}"), rounded(100.0 * accuracy.top(n), 2), "%"));
    }
    for (phase, &(positions, first)) in accuracy.phases.iter().enumerate() {
        if positions > 0 {
            let name = format!("top-1 moves {}", phase_name(phase));
            let share = 100.0 * first as f64 / positions as f64;
            figures.push(Figure::new(name, rounded(share, 2), "%"));
        }
    }
    let worst = accuracy.worst_third as f64 / accuracy.positions.max(1) as f64;
    figures.push(Figure::new("among the worst third", rounded(100.0 * worst, 2), "%"));
    figures.push(Figure::new("mean log-probability", accuracy.mean_log_probability(), ""));
    figures.push(Figure::new("time per position", accuracy.microseconds(), "us"));
    figures
}

fn phase_name(phase: usize) -> String {
    let first = phase * PHASE + 1;
    if phase + 1 == PHASES { format!("{first}+") } else { format!("{first}-{}", first + PHASE - 1) }
}

fn by_rank(measured: &[(String, Accuracy)]) -> Plot {
    let plot = Plot::new("The played move is among the first n")
        .x(Axis::new("n"))
        .y(Axis::new("%").range(0.0, 100.0));
    measured.iter().fold(plot, |plot, (name, accuracy)| {
        let ranks = 1..=accuracy.ranks.len();
        plot.series(
            ranks.fold(Series::line(name), |series, n| {
                series.point(n as f64, 100.0 * accuracy.top(n))
            }),
        )
    })
}

fn by_phase(measured: &[(String, Accuracy)]) -> Plot {
    let mut axis = Axis::new("moves");
    let mut all = Vec::new();
    for (name, accuracy) in measured {
        let mut series = Series::line(name);
        for (phase, &(positions, first)) in accuracy.phases.iter().enumerate() {
            if positions > 0 {
                let share = first as f64 / positions as f64;
                // Two standard deviations of a share.
                let error = 200.0 * (share * (1.0 - share) / positions as f64).sqrt();
                series = series.point_with_error(phase as f64, 100.0 * share, error);
                if all.is_empty() {
                    axis = axis.name(phase as f64, &phase_name(phase));
                }
            }
        }
        all.push(series);
    }
    let plot = Plot::new("The played move is the first, by phase of the game")
        .x(axis)
        .y(Axis::new("%").range(0.0, 100.0))
        .size(900.0, 420.0);
    all.into_iter().fold(plot, Plot::series)
}
