//! Xiao's figure 4.4: how well FBT predicts after how long, by the gradient that it follows.
//!
//! Each curve is what a training prints as it goes, kept in `study/trainings`; a curve that is there is not made again. The
//! thesis has 1,000 games and a point every half minute, we a point every pass.

use super::xiao::trainer;
use crate::study::command::StudyArgs;
use crate::study::report::{Line, Report};
use crate::study::versus::words;
use crate::workshop::tools::plot::{Axis, Plot, Series};
use anyhow::{Context, ensure};

/// Name, what the thesis says, options of the trainer.
const GRADIENTS: [(&str, &str, &str); 6] = [
    ("full", "32.56 %, about an hour", "--gradient exact"),
    ("sampled-5", "30.04 %, at most 15 minutes", "--gradient sampled --draws 5"),
    ("sampled-10", "30.81 %, at most 15 minutes", "--gradient sampled --draws 10"),
    ("sampled-20", "31.06 %, at most 15 minutes", "--gradient sampled --draws 20"),
    ("sampled-30", "31.78 %, 15 minutes", "--gradient sampled --draws 30"),
    ("pruned", "ours: exact for likely moves only", "--gradient pruned"),
];

/// The figure.
pub fn gradients(args: &StudyArgs) -> anyhow::Result<Report> {
    ensure!(args.scale >= 1.0 && args.scale <= 1000.0, "--scale must be 1 to 1000");
    let games = (1000.0 / args.scale).ceil() as u32;
    let folder = args.out.with_file_name("trainings");
    let mut report =
        Report::new("Xiao, figure 4.4: accuracy over time by gradient, k = 5, F_small");
    let mut plot = Plot::new("Best accuracy so far on the validation games")
        .x(Axis::new("seconds of training").log())
        .y(Axis::new("top-1, %"));
    for (name, paper, options) in &args.chosen(&GRADIENTS, |(name, ..)| name)? {
        let file = folder.join(format!("curve-{name}-{games}.tsv"));
        if let (Some(data), false) = (&args.data, file.exists()) {
            let valid = args.valid.as_ref().context("give --valid, games to measure on")?;
            let model = file.with_extension("tgm");
            let output = trainer("fbt", (data, valid), &model, games, 1)?
                .args(words("--factors 5 --features small --validate-every"))
                .arg(games.to_string())
                .args(words(options))
                .output()
                .context("cannot start the training")?;
            ensure!(output.status.success(), "the training of '{name}' failed ({})", output.status);
            for made in [model.clone(), model.with_extension("json")] {
                std::fs::remove_file(&made)
                    .with_context(|| format!("cannot remove {}", made.display()))?;
            }
            std::fs::write(&file, output.stdout)
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        let curve = match std::fs::read_to_string(&file) {
            Ok(text) => best_so_far(&text),
            Err(_) => vec![],
        };
        let mut line = Line::new(*name, *paper);
        line.games = Some(if curve.is_empty() { 0 } else { games });
        let mut series = Series::line(name);
        for &(seconds, top) in &curve {
            series = series.point(seconds, top);
        }
        if let Some(&(_, best)) = curve.last() {
            let reached = curve.iter().find(|(_, top)| *top == best).map_or(0.0, |point| point.0);
            line = line.exact(best, "%").exact(reached, "s");
            plot = plot.series(series);
        }
        report.lines.push(line);
    }
    Ok(report.with_plot(&plot))
}

/// Seconds and the best accuracy until then, of each line of a learning curve that was measured.
fn best_so_far(text: &str) -> Vec<(f64, f64)> {
    let mut best = 0.0f64;
    let measured = text.lines().filter_map(|line| {
        let mut fields = line.split('\t').skip(1);
        let seconds: f64 = fields.next()?.parse().ok()?;
        let top: f64 = fields.nth(1)?.parse().ok()?;
        best = best.max(top);
        Some((seconds.max(1.0), best))
    });
    measured.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_the_best_so_far() {
        let text = "games: 50\ngames\tseconds\tloss\ttop-1 %\ttop-5 %\n50\t4\t2.9\t28.10\t60\n\
                    100\t8\t2.8\t27.90\t61\n110\t9\t2.8\t-\t-\n150\t12\t2.7\t29.00\t62\n";
        assert_eq!(best_so_far(text), [(4.0, 28.1), (8.0, 28.1), (12.0, 29.0)]);
        let args = StudyArgs { scale: 20.0, out: "no/such/games".into(), ..StudyArgs::default() };
        let report = gradients(&args).unwrap();
        assert!(report.to_text().contains("| sampled-30 | 31.78 %, 15 minutes | not yet run |"));
    }
}
