//! You's tables: GoYui with 3,000 playouts against GNU Go 3.8 level 10 on 9x9, and the figures of one search.

use crate::game::{Game, Rules};
use crate::study::command::StudyArgs;
use crate::study::mix::{self, Evidence, Mix};
use crate::study::players::find;
use crate::study::report::{Line, Report};
use crate::study::settings::Settings;
use crate::study::tree::Tree;
use crate::study::versus::{Cell, Measure, player, run};
use crate::types::{Color, Move, Point};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use anyhow::bail;

fn cell(name: &str, paper: &str, settings: &str) -> Cell {
    Cell::against_gnugo(&format!("you-{name}"), paper, player(&format!("goyui {settings}")))
}

/// Tables 4.2 and 5.1 to 5.5.
pub fn mixes(args: &StudyArgs) -> anyhow::Result<Report> {
    let mut cells = vec![
        cell("mc", "3.2 % of 620", "mix=mc"),
        cell("hand", "14.1 % of 1806", "mix=hand k=1500"),
        cell("rave", "20.0 % of 14411", "mix=rave"),
        cell("bma-gauss", "15.4 % of 1934", "mix=bma-gauss odds=10000"),
    ];
    for (odds, paper) in [
        ("10", "14.8 % of 1952"),
        ("20", "18.6 % of 2245"),
        ("30", "20.9 % of 1919"),
        ("50", "21.0 % of 1460"),
        ("70", "22.6 % of 1175"),
        ("100", "22.7 % of 5287"),
        ("1000", "22.0 % of 2353"),
        ("10000", "21.0 % of 1000"),
    ] {
        cells.push(cell(&format!("bma-{odds}"), paper, &format!("mix=bma odds={odds}")));
    }
    for (bias, paper) in [
        ("0.2", "3.8 % of 1755"),
        ("0.02", "7.2 % of 2000"),
        ("0.01", "7.7 % of 1000"),
        ("0.005", "8.7 % of 2007"),
        ("0.002", "13.6 % of 1867"),
        ("0.0005", "18.8 % of 1835"),
        ("0.0001", "21.9 % of 1772"),
        ("0.00001", "23.3 % of 2059"),
        ("0.000001", "23.2 % of 2664"),
        ("0", "around 20 %"),
    ] {
        cells.push(cell(&format!("mse-{bias}"), paper, &format!("mix=mse bias={bias}")));
    }
    let title = "You, tables 4.2 and 5.1 to 5.5: GoYui against GNU Go level 10";
    run(args, title, &cells, Measure::Wins)
}

/// Table 4.1.
pub fn kernels(args: &StudyArgs) -> anyhow::Result<Report> {
    let kernel =
        |name: &str, paper: &str| cell(name, paper, &format!("mix=hand k=1500 second={name}"));
    let cells = [
        kernel("manhattan", "3.4 % of 1000"),
        kernel("winrate", "1.2 % of 1000"),
        kernel("root-rave", "9.3 % of 1000"),
    ];
    run(args, "You, table 4.1: kernels of the regression", &cells, Measure::Wins)
}

/// Appendix A, and what the thesis derives without measuring it.
pub fn variants(args: &StudyArgs) -> anyhow::Result<Report> {
    let (limited, weighted) = ("18.7 %, standard error 2.2", "20.0 %, standard error 6.7");
    let cells = [
        ["limited", limited, "visit_limit=500", "k = 500 is ours"],
        ["weighted", weighted, "second=weighted", ""],
        ["gauss", "none", "root=gauss", "derived in 4.1, not measured"],
        ["many", "none", "mix=bma-many", "MC, RAVE and Manhattan by 5.9 and 5.10"],
        ["eager", "none", "unvisited=second", "bma-100 without every child once before any twice"],
    ]
    .map(|[name, paper, own, note]| Cell { note: note.to_owned(), ..cell(name, paper, own) });
    run(
        args,
        "You, appendix A and what the thesis derives without measuring",
        &cells,
        Measure::Wins,
    )
}

/// A middle game for the figures; the thesis does not say which it has.
fn middle_game() -> anyhow::Result<Game> {
    let mut game = Game::new(9, Rules::CHINESE);
    let moves = ["E5", "C4", "G4", "C6", "G6", "D3", "F3", "D7", "F7", "E8", "E7", "D8"];
    for (number, name) in moves.into_iter().enumerate() {
        let color = if number % 2 == 0 { Color::Black } else { Color::White };
        let point = Point::parse_gtp(name, 9)?;
        if let Err(error) = game.play(Move::new(color, point)) {
            bail!("{name}: {error}");
        }
    }
    Ok(game)
}

/// Figures 5.5 and 5.8: the weight of the Monte Carlo value in the node that is chosen in the end.
pub fn weight(args: &StudyArgs) -> anyhow::Result<Report> {
    let game = middle_game()?;
    let mut report =
        Report::new("You, figures 5.5 and 5.8: weight of MC in the move that is chosen");
    let mut plot = Plot::new("Weight of MC, and both values, in the chosen node")
        .x(Axis::new("samples at the root"))
        .y(Axis::new("").range(0.0, 1.0));
    let Some(goyui) = find("goyui") else { bail!("there is no goyui") };
    for odds in [70.0, 100.0] {
        let playouts = args.one_playouts()?.unwrap_or(3000);
        let settings = Settings { odds, playouts, ..goyui.settings() };
        let mut tree = Tree::new(&game, settings.clone(), args.seed);
        tree.run(|_| ());
        let best = tree.best();
        let mut tree = Tree::new(&game, settings.clone(), args.seed);
        let name = format!("P(RAVE)/P(MC) = {odds}");
        let mut lines =
            [Series::line(&format!("weight, {name}")), Series::line("Q"), Series::line("Q~")];
        let (mut above, mut last) = (0, None);
        let step = (playouts / 150).max(1);
        tree.run(|tree| {
            let child = &tree.moves()[best];
            if child.visits == 0 {
                return;
            }
            let evidence = child.evidence(tree.visits());
            let weight = 1.0 - mix::beta(&settings, &evidence);
            above += u32::from(weight > 0.5);
            last = Some((weight, evidence));
            if tree.visits() % step == 0 {
                let x = f64::from(tree.visits());
                let values = [weight, evidence.mean(), evidence.second];
                for (line, y) in lines.iter_mut().zip(values) {
                    *line = line.clone().point(x, y);
                }
            }
        });
        let [weights, own, rave] = lines;
        plot = plot.series(weights);
        if odds == 100.0 {
            plot = plot.series(own).series(rave);
        }
        if let Some((weight, evidence)) = last {
            let at_end = format!("weight of MC at the end, {name}");
            report.exact(at_end, "0 to 1, falls and rises", weight, "");
            let both = Line::new("Q, Q~ at the end", "").exact(evidence.mean(), "");
            report.lines.push(both.exact(evidence.second, ""));
            let name = "iterations with more weight on MC";
            report.exact(name, "there are some", f64::from(above), "");
        }
    }
    Ok(report.with_plot(&plot.size(760.0, 420.0)))
}

/// Figures 5.6 and 5.7: the same distance between both values weighs more with more samples.
pub fn likelihood(_: &StudyArgs) -> anyhow::Result<Report> {
    let mut report = Report::new("You, figures 5.6 and 5.7: likelihood by the number of samples");
    let mut plot = Plot::new("x^w (1-x)^(n-w) over its maximum, w = 0.6 n")
        .x(Axis::new("x").range(0.0, 1.0))
        .y(Axis::new("").range(0.0, 1.0));
    let settings = Settings { mix: Mix::Bma, odds: 1.0, ..Settings::default() };
    for visits in [10.0, 50.0, 200.0] {
        let wins = 0.6 * visits;
        let evidence = |second| Evidence {
            parent: visits,
            visits,
            wins,
            second_visits: visits,
            second,
            third: second,
        };
        let mut line = Series::line(&format!("n = {visits}"));
        for step in 1..100 {
            let x = f64::from(step) / 100.0;
            // With even priors beta / (1 - beta) is the ratio of the likelihoods.
            let beta = mix::beta(&settings, &evidence(x));
            line = line.point(x, beta / (1.0 - beta));
        }
        plot = plot.series(line);
        let beta = mix::beta(&Settings { odds: 100.0, ..settings.clone() }, &evidence(0.45));
        let name = format!("weight of MC at Q = 0.6, Q~ = 0.45, n = {visits}, odds 100");
        report.exact(name, "rises with n", 1.0 - beta, "");
    }
    Ok(report.with_plot(&plot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_monte_carlo_rises_with_samples() {
        let report = likelihood(&StudyArgs::default()).unwrap();
        let weights: Vec<f64> = report.lines.iter().map(|line| line.ours[0].value).collect();
        assert!(weights.is_sorted() && weights[0] < 0.1 && weights[2] > 0.9, "{weights:?}");
    }

    #[test]
    fn the_figures_of_one_search_are_drawn() {
        let args = StudyArgs { playouts: vec![300], seed: 1, ..StudyArgs::default() };
        let report = weight(&args).unwrap();
        assert_eq!(report.lines.len(), 6);
        assert!(report.svg.is_some_and(|svg| svg.starts_with("<svg")));
    }
}
