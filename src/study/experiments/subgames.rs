//! Lew chapter 5: the toy sum by Monte Carlo, TD, CG-TD and exactly, with figures 5.6, 5.7 and 5.10.

use crate::study::command::StudyArgs;
use crate::study::report::{Line, Report};
use crate::study::subgames::game::{Player, Sum};
use crate::study::subgames::linear::{Learner, Learning, from_optimal_play, greedy};
use crate::study::subgames::strategy::{Strategy, Table};
use crate::study::subgames::thermograph::{Thermograph, all, triangles};
use crate::study::subgames::{cgtd, linear};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use anyhow::bail;

/// The subgames whose moves are followed, by their positions.
const MOVES: [(&str, usize); 4] = [("G", 0), ("H", 3), ("I", 6), ("I^R", 8)];

/// Epochs of the linear learners.
const EPOCHS: usize = 200;
/// Playouts of CG-TD(0) and its learning rate, which the thesis does not give.
const PLAYOUTS: u32 = 3000;
const RATE: f64 = 0.2;

/// By the method that was asked for.
pub fn run(args: &StudyArgs) -> anyhow::Result<Report> {
    match args.method.as_deref().unwrap_or("exact") {
        "exact" => exact(),
        "mc" => linear_model(args, Learner::MonteCarlo),
        "td" => linear_model(args, Learner::Temporal),
        "cg-td" => learned(args),
        other => bail!("--method {other} is not known: give mc, td, cg-td or exact"),
    }
}

fn exact() -> anyhow::Result<Report> {
    let sum = Sum::default();
    let (graphs, flat) = (all(&sum), triangles(&sum));
    let mut report = Report::new("Lew 5.1, 5.6, 5.7: the toy sum, exactly");
    let value = sum.optimal(&sum.start, Player::Left);
    report.exact("result of optimal play, Left first", "2", value, "points");
    report.exact("states", "45", sum.states().len() as f64, "");
    report.exact("weights", "11", sum.positions.len() as f64, "");
    let mut plot = Plot::new("Thermographs of G, H and I (figure 5.7)")
        .x(Axis::new("value, large for Left").range(-6.0, 6.0))
        .y(Axis::new("tax").range(0.0, 6.0));
    for (name, position) in MOVES {
        let (graph, triangle) = (&graphs[position], flat[position]);
        let stops = [graph.left.at(0.0), graph.right.at(0.0)];
        let paper = if name == "I" { "stops 3 and 0" } else { "" };
        let mut line = Line::new(format!("{name}: temperature, mean, left and right stop"), paper);
        for value in [graph.temperature, graph.mean, stops[0], stops[1]] {
            line = line.exact(value, "");
        }
        let same = triangle.temperature == graph.temperature && triangle.mean == graph.mean;
        let is = if same { "is the same" } else { "differs" };
        report.lines.push(line.note(format!("the triangle {is}")));
        if name != "I^R" {
            plot = plot.series(outline(name, graph));
        }
    }
    let table = Table::new(&sum, &graphs);
    for (name, strategy) in Strategy::ALL {
        let (count, faults) = table.faults(strategy);
        let paper = if strategy == Strategy::Hot { "all, in all 45 states" } else { "" };
        let states: Vec<String> = faults
            .iter()
            .map(|(state, player)| format!("{} {player:?}", sum.name(state)))
            .collect();
        let line =
            Line::new(format!("{name}: optimal of {count} states and players to move"), paper)
                .exact((count - faults.len()) as f64, "");
        report.lines.push(match states.is_empty() {
            true => line,
            false => line.note(format!("not in {}", states.join("; "))),
        });
    }
    report.notes.push(
        "The value of I^RR is only in a figure that the text does not have; `subgames/game.rs` derives that it is below -8, \
         and -10 stands for it."
            .to_owned(),
    );
    Ok(report.with_plot(&plot.size(640.0, 480.0)))
}

/// Both walls of a thermograph and its mast, as one line.
fn outline(name: &str, graph: &Thermograph) -> Series {
    let mut line = Series::line(name);
    for &(t, value) in graph.left.corners() {
        line = line.point(value, t);
    }
    line = line.point(graph.mean, 6.0);
    for &(t, value) in graph.right.corners().iter().rev() {
        line = line.point(value, t);
    }
    line
}

fn linear_model(args: &StudyArgs, learner: Learner) -> anyhow::Result<Report> {
    let sum = Sum::default();
    let title = match learner {
        Learner::MonteCarlo => "Lew 5.3: Algorithm 2, Monte Carlo policy iteration",
        Learner::Temporal => "Lew 5.3: Algorithm 3, TD(0.9)",
    };
    let mut report = Report::new(title);
    let mut learning = Learning::new(&sum, learner, args.seed);
    let mut lines: Vec<Series> =
        MOVES.iter().map(|(name, _)| Series::line(&format!("Left in {name}"))).collect();
    let (mut firsts, mut optimal) = (Vec::new(), 0);
    for epoch in 0..EPOCHS {
        learning.epoch();
        for (line, incentive) in lines.iter_mut().zip(learning.incentives()) {
            *line = line.clone().point(epoch as f64, incentive);
        }
        firsts.push(greedy(&sum, &learning.weights, &sum.start, Player::Left));
        optimal += u32::from(plays_principal_variation(&sum, &learning.weights));
    }
    let changes = firsts.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let late = firsts[EPOCHS / 2..].windows(2).filter(|pair| pair[0] != pair[1]).count();
    report.exact("epochs of 1000 playouts", "not given", EPOCHS as f64, "");
    report.exact("changes of the first move", "oscillates", changes as f64, "epochs");
    report.exact("changes in the second half", "oscillates", late as f64, "epochs");
    let name = "policies that play the principal variation";
    report.exact(name, "none settles", f64::from(optimal), "epochs");
    let weights = from_optimal_play(&sum, 0.01, 50_000);
    for (name, a, c) in [("w_a from w_c", 0, 2), ("w_p from w_r", 6, 8), ("w_k from w_l", 3, 4)] {
        let distance = ((weights[a] - weights[c]).abs() * 1e6).round() / 1e6;
        let name = format!("distance of {name} after learning from optimal play");
        report.exact(name, "0", distance, "");
    }
    let mut plot = Plot::new(&format!("{title}: incentives (figure 5.6)"))
        .x(Axis::new("epoch"))
        .y(Axis::new("change of the value by Left's move"));
    for line in lines {
        plot = plot.series(line);
    }
    Ok(report.with_plot(&plot.size(760.0, 420.0)))
}

/// Does the greedy policy of some weights play H^L, I^R, I^RL, G^R?
fn plays_principal_variation(sum: &Sum, weights: &linear::Weights) -> bool {
    let (mut state, mut player) = (sum.start, Player::Left);
    while let Some(game) = greedy(sum, weights, &state, player) {
        if !sum.optimal_moves(&state, player).contains(&game) {
            return false;
        }
        state = sum.after(&state, game, player);
        player = player.other();
    }
    true
}

fn learned(args: &StudyArgs) -> anyhow::Result<Report> {
    let sum = Sum::default();
    let exact = all(&sum);
    let mut learner = cgtd::Learner::new(&sum, RATE, args.seed);
    let mut lines: Vec<Series> = MOVES.iter().map(|(name, _)| Series::line(name)).collect();
    let mut settled = [0; 4];
    for playout in 1..=PLAYOUTS {
        learner.playout();
        for (index, (_, position)) in MOVES.into_iter().enumerate() {
            let found = learner.triangles[position].temperature;
            if (found - exact[position].temperature).abs() > 0.2 {
                settled[index] = playout;
            }
            if playout % 20 == 0 {
                lines[index] = lines[index].clone().point(f64::from(playout), found);
            }
        }
    }
    let mut report = Report::new("Lew 5.8: CG-TD(0), Algorithms 4 to 6");
    for (index, (name, position)) in MOVES.into_iter().enumerate() {
        let line = Line::new(
            format!("temperature of {name} after {PLAYOUTS} playouts"),
            format!("converges, exactly {}", exact[position].temperature),
        );
        let rounded = (learner.triangles[position].temperature * 1000.0).round() / 1000.0;
        report.lines.push(
            line.exact(rounded, "").note(format!("within 0.2 after {} playouts", settled[index])),
        );
    }
    report.notes.push(format!("Learning rate {RATE}; the thesis gives none."));
    let mut plot = Plot::new("CG-TD(0): temperatures (figure 5.10)")
        .x(Axis::new("playouts"))
        .y(Axis::new("temperature").range(0.0, 6.0));
    for line in lines {
        plot = plot.series(line);
    }
    Ok(report.with_plot(&plot.size(760.0, 420.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_reports_and_draws() {
        for method in ["exact", "mc", "td", "cg-td"] {
            let args =
                StudyArgs { method: Some(method.to_owned()), seed: 1, ..StudyArgs::default() };
            let report = run(&args).unwrap();
            assert!(report.lines.len() >= 4, "{method}");
            assert!(report.svg.is_some_and(|svg| svg.starts_with("<svg")));
        }
        let args = StudyArgs { method: Some("soup".to_owned()), ..StudyArgs::default() };
        let error = run(&args).unwrap_err().to_string();
        assert_eq!(error, "--method soup is not known: give mc, td, cg-td or exact");
    }
}
