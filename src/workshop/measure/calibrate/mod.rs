//! `tengen calibrate`: how far the mean of playouts is from a referee's judgement.
//!
//! A better playout is one whose average result is nearer to the truth, not one that plays better
//! moves. Here every policy plays N playouts from each position; the share that Black wins and the
//! mean owner of each point are compared with the winrate and ownership of the referee. Playouts end
//! as they do in the search, so with the mercy rule if the parameters say so.
//!
//! N playouts have noise of their own: p (1 - p) / N is part of the squared error, at most 0.00025
//! for the default of 1,000. Every position has its own seed, the same for all policies, so results
//! do not depend on the number of threads.

mod figures;
mod mixed;
mod net;
mod variant;

use figures::{Opinion, Phase, PolicyReport, Sample};
use variant::{SizedPolicy, Variant};

use super::labels::{Labels, Needs, Position};
use crate::playout::Ownership;
use crate::types::{Rng, points};
use crate::workshop::tools::plot::Plot;
use crate::workshop::tools::work::{in_parallel, position_seed, progress_bar};
use anyhow::ensure;
use clap::Args;
use cpu_time::ThreadTime;
use serde::Serialize;
use std::path::PathBuf;

/// The options of the measurement.
#[derive(Args, Debug)]
pub struct CalibrateArgs {
    /// Files of positions with the referee's winrate and ownership (JSON lines, plain or .zst)
    #[arg(required = true, value_name = "LABELS")]
    labels: Vec<PathBuf>,
    /// Playout policies, as in light,rules,rules:pattern=0.5; later ones are also compared with the
    /// first, and each may set parameters of its own after colons. `net` is the network, and
    /// net+rules a mixture of both with weights fitted by phase
    #[arg(long, visible_alias = "judge", value_name = "NAME,...", value_delimiter = ',')]
    #[arg(default_value = "light")]
    playout: Vec<String>,
    /// The network that `net` stands for [default: the built-in one of the first position's size]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Set a parameter of all policies (see `tengen params`); may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Playouts per position
    #[arg(long, value_name = "N", default_value_t = 1000)]
    playouts: usize,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// At most so many positions of each file, spread evenly over it
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Seed; every position gets one of its own that follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write a reliability plot
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CalibrationReport {
    playouts: usize,
    seed: u64,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    policies: Vec<PolicyReport>,
}

/// Runs the command.
pub fn run(args: &CalibrateArgs) -> anyhow::Result<()> {
    ensure!(args.playouts >= 1, "--playouts must be at least 1");
    ensure!(args.playouts <= 1_000_000_000, "--playouts must be at most 1,000,000,000");
    ensure!(args.threads >= 1, "--threads must be at least 1");
    ensure!(args.limit != Some(0), "--limit must be at least 1");
    let judges = args.playout.iter().map(|text| Judge::parse(text, &args.set));
    let judges: Vec<Judge> = judges.collect::<Result<_, _>>()?;
    let files = args.labels.iter().map(|path| Labels::read(path, Needs::Judgement, args.limit));
    let files: Vec<Labels> = files.collect::<Result<_, _>>()?;

    let judge_by_net = |labels: &Labels| {
        net::judge(labels, &net::find(args.net.as_deref(), labels)?, args.threads)
    };
    let play = |variant: &Variant, labels: &Labels| {
        play_all(labels, variant, args.playouts, args.threads, args.seed)
    };
    let mut report = CalibrationReport { playouts: args.playouts, seed: args.seed, files: vec![] };
    for labels in &files {
        let samples = judges.iter().map(|judge| match judge {
            Judge::Playouts(variant) => Ok(samples(labels, args.playouts, &play(variant, labels))),
            Judge::Net => Ok(samples(labels, 1, &judge_by_net(labels)?)),
            Judge::Mixed(variant) => {
                let (judged, played) = (judge_by_net(labels)?, play(variant, labels));
                let (mixed, weights) = mixed::mix(labels, &judged, &played);
                eprintln!("{}", mixed::describe(&labels.name, &weights));
                Ok(samples(labels, args.playouts, &mixed))
            }
        });
        let samples: Vec<Vec<Sample>> = samples.collect::<anyhow::Result<_>>()?;
        let reports = judges.iter().zip(&samples).enumerate().map(|(index, (judge, own))| {
            PolicyReport::new(judge.name(), own, (index > 0).then(|| &samples[0][..]))
        });
        report.files.push(FileReport { file: labels.name.clone(), policies: reports.collect() });
    }
    if let Some(path) = &args.svg {
        report.plot().save(path)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        let mut text = String::new();
        for file in &report.files {
            figures::write(&mut text, &file.file, &file.policies);
        }
        print!("{text}");
    }
    Ok(())
}

/// Who judges the positions.
enum Judge {
    Playouts(Variant),
    Net,
    Mixed(Variant),
}

impl Judge {
    fn parse(text: &str, set: &[String]) -> anyhow::Result<Judge> {
        Ok(match text.split_once('+') {
            _ if text == "net" => Judge::Net,
            Some(("net", policy)) => {
                let mut variant = Variant::parse(policy, set)?;
                text.clone_into(&mut variant.name);
                Judge::Mixed(variant)
            }
            _ => Judge::Playouts(Variant::parse(text, set)?),
        })
    }

    fn name(&self) -> &str {
        match self {
            Judge::Playouts(variant) | Judge::Mixed(variant) => &variant.name,
            Judge::Net => "net",
        }
    }
}

/// The opinions beside the referee's, in the order of the positions.
fn samples(labels: &Labels, playouts: usize, opinions: &[Opinion]) -> Vec<Sample> {
    let pairs = labels.positions.iter().zip(opinions);
    pairs.map(|(position, opinion)| Sample::new(position, playouts, opinion)).collect()
}

/// Plays from every position.
fn play_all(
    labels: &Labels,
    variant: &Variant,
    playouts: usize,
    threads: usize,
    seed: u64,
) -> Vec<Opinion> {
    let bar = progress_bar(labels.positions.len(), &format!("{} {}", labels.name, variant.name));
    let start = || variant.policy(labels.positions.first().map_or(19, |position| position.size));
    let opinions = in_parallel(labels.positions.len(), threads, start, |policy, index| {
        let position = &labels.positions[index];
        // What learns from playouts begins anew with every position.
        if policy.size != position.size || variant.adapts(position.size) {
            *policy = variant.policy(position.size);
        }
        let mut rng = Rng::new(position_seed(seed, position.line));
        let opinion = play(policy, position, playouts, &mut rng);
        bar.inc(1);
        opinion
    });
    bar.finish_and_clear();
    opinions
}

/// The playouts from one position.
fn play(player: &mut SizedPolicy, position: &Position, playouts: usize, rng: &mut Rng) -> Opinion {
    let SizedPolicy { policy, limits, .. } = player;
    let started = ThreadTime::now();
    let start = position.board();
    let mut board = start.clone();
    let mut ownership = Ownership::new();
    let mut half_wins = 0u64;
    for _ in 0..playouts {
        board.copy_from(&start);
        let score = policy.play_out(&mut board, rng, *limits).score as f32 - position.komi;
        half_wins += if score == 0.0 { 1 } else { 2 * u64::from(score > 0.0) };
        ownership.add(&board);
    }
    let seconds = started.elapsed().as_secs_f64();
    let owners = points(position.size).map(|point| ownership.value(point)).collect();
    Opinion { winrate: half_wins as f64 / 2.0 / playouts as f64, owners, seconds }
}

impl CalibrationReport {
    fn plot(&self) -> Plot {
        let several = self.files.len() > 1;
        figures::plot(self.files.iter().flat_map(|file| {
            file.policies.iter().map(move |report| match several {
                true => (format!("{}, {}", report.policy, file.file), report),
                false => (report.policy.clone(), report),
            })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::figures::Figures;
    use super::*;

    #[test]
    fn samples_do_not_depend_on_the_number_of_threads() {
        let mut labels = Labels { name: "made".to_owned(), positions: vec![] };
        for (line, moves) in ["", "C3", "C3 B2 D4", "A1 pass", "C3 C2 D2"].iter().enumerate() {
            let text = format!(
                r#"{{"size":5,"komi":1,"moves":"{moves}","winrate":0.5,"ownership":"{}"}}"#,
                "M".repeat(25)
            );
            let mut position = Position::parse(&text, Needs::Judgement).unwrap();
            position.line = line + 1;
            labels.positions.push(position);
        }
        let figures = |threads, seed| {
            let variant = Variant::parse("rules", &[]).unwrap();
            let samples = samples(&labels, 50, &play_all(&labels, &variant, 50, threads, seed));
            Figures::of(&samples, Phase::All)
        };
        assert_eq!(figures(1, 5), figures(3, 5));
        assert_ne!(figures(1, 5), figures(1, 6));
        assert_eq!(figures(2, 5).positions, 5);
    }

    #[test]
    fn a_decided_position_is_won_and_owned() {
        // Black has two eyes and all but them of the board.
        let line = r#"{"size":3,"komi":7,"moves":"A2 pass B2 pass C2 pass B1 pass B3","first":"B",
            "winrate":1,"ownership":"YYYYYYYYY"}"#;
        let position = Position::parse(line, Needs::Judgement).unwrap();
        let mut policy = Variant::parse("light:mercy=1", &[]).unwrap().policy(3);
        let opinion = play(&mut policy, &position, 20, &mut Rng::new(1));
        let sample = Sample::new(&position, 20, &opinion);
        let figures = Figures::of(&[sample], Phase::All);
        assert!(figures.winrate_squared_error.mean < 1e-12, "{figures:?}");
        assert!(figures.ownership_squared_error < 1e-12, "{figures:?}");
    }
}
