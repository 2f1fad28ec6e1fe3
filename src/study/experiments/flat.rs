//! Lew 3.2 and 3.3, Hsu's domain independent refinements, Baudis' simple players: methods against each other, by the
//! mean margin as Bouzy measured them.
//!
//! The figures of Hsu's slides are Bouzy and Helmstetter's, on 9x9 with up to 10,000 playouts for each move. Here a
//! player has a fixed number of playouts a move, which the cells name; `--size` and `--playouts` change both.

use crate::board::Board;
use crate::playout::{Light, Limits, play_out};
use crate::study::command::StudyArgs;
use crate::study::flat::Stat;
use crate::study::report::{Line, Report, Value};
use crate::study::versus::{Cell, Measure, player, run};
use crate::types::{Color, Marker, Rng};

/// A cell between two study players, named by the experiment.
fn cell(args: &StudyArgs, name: &str, paper: &str, a: (&str, &[&str]), b: (&str, &[&str])) -> Cell {
    let suffix = match args.size {
        9 => String::new(),
        size => format!("-{size}x{size}"),
    };
    let name = format!("{name}{suffix}");
    Cell::between(&name, paper, player(a.0, a.1), player(b.0, b.1), args.size)
}

/// Hsu, progressive pruning 4/5 (Bouzy and Helmstetter): the width of the interval and the deviation for equality.
pub fn pruning(args: &StudyArgs) -> anyhow::Result<Report> {
    let common = ["playouts=5000", "least=20"];
    let with = |own: &'static str| [common[0], common[1], own];
    let mut cells = Vec::new();
    for (own, paper) in [("rd=2", "+5.6"), ("rd=4", "+7.3"), ("rd=8", "+9.0")] {
        let name = format!("hsu-pruning-{}", own.replace('=', ""));
        cells.push(cell(args, &name, paper, ("pruning", &with(own)), ("pruning", &with("rd=1"))));
    }
    for (own, paper) in [("sigma=0.5", "-0.7"), ("sigma=1", "-6.7")] {
        let name = format!("hsu-pruning-{}", own.replace('=', ""));
        let base = with("sigma=0.2");
        cells.push(cell(args, &name, paper, ("pruning", &with(own)), ("pruning", &base)));
    }
    let soft = cell(
        args,
        "hsu-pruning-soft",
        "none",
        ("pruning", &with("soft=true")),
        ("pruning", &with("soft=false")),
    );
    cells.push(soft);
    run(
        args,
        "Hsu: progressive pruning, margin against r_d = 1 and sigma_e = 0.2",
        &cells,
        Measure::Margin,
    )
}

/// Hsu, temperature 2/2.
pub fn temperature(args: &StudyArgs) -> anyhow::Result<Report> {
    let mut cells = Vec::new();
    for (k, paper) in [("0", "-8.1"), ("5", "+2.6"), ("10", "-4.9"), ("20", "-11.3")] {
        let own = format!("temperature={k}");
        let a: [&str; 2] = ["playouts=1000", &own];
        let b = ["playouts=1000", "temperature=2"];
        cells.push(cell(args, &format!("hsu-temperature-{k}"), paper, ("amaf", &a), ("amaf", &b)));
    }
    let annealed = ["playouts=1000", "temperature=5"];
    let name = "hsu-temperature-annealed";
    cells.push(cell(args, name, "no gain", ("annealing", &annealed), ("amaf", &annealed)));
    run(
        args,
        "Hsu: temperature e^(K v), margin against K = 2; annealed against K = 5",
        &cells,
        Measure::Margin,
    )
}

/// Hsu, AMAF results and depth-i; Lew 3.2.4, 3.3.1.
pub fn amaf(args: &StudyArgs) -> anyhow::Result<Report> {
    let n = ["playouts=5000"];
    let cells = [
        cell(args, "hsu-amaf-basic", "+13.7", ("flat", &n), ("amaf", &n)),
        cell(
            args,
            "hsu-amaf-pruning",
            "+4.0",
            ("pruning", &["playouts=5000", "least=20"]),
            ("amaf", &n),
        ),
        cell(
            args,
            "hsu-amaf-1000",
            "-12.7",
            ("amaf", &["playouts=1000"]),
            ("amaf", &["playouts=10000"]),
        ),
        cell(
            args,
            "hsu-amaf-100000",
            "+3.2",
            ("amaf", &["playouts=100000"]),
            ("amaf", &["playouts=10000"]),
        ),
        cell(
            args,
            "hsu-depth-2",
            "worse, about -2 (Lew)",
            ("depth", &["playouts=25000", "depth=2"]),
            ("flat", &n),
        ),
        cell(
            args,
            "lew-depth-3",
            "best of Bouzy's, with Indigo's moves",
            ("depth", &["playouts=25000", "depth=3"]),
            ("flat", &n),
        ),
    ];
    run(
        args,
        "Hsu and Lew: basic, pruning and depth against AMAF and flat",
        &cells,
        Measure::Margin,
    )
}

/// Lew 3.3.2 and Hsu: what the tree does with the same playouts.
pub fn tree(args: &StudyArgs) -> anyhow::Result<Report> {
    let n = ["playouts=1000"];
    let cells = [
        cell(args, "lew-uct-flat", "the tree is better", ("uct", &n), ("montecarlo", &n)),
        cell(args, "lew-coulom-uct", "UCT is better", ("coulom", &n), ("uct", &n)),
        cell(
            args,
            "hsu-alpha",
            "RAVE helps",
            ("uct", &["playouts=1000", "mix=alpha", "unvisited=second"]),
            ("uct", &n),
        ),
        cell(
            args,
            "hsu-expand-all",
            "worse than transition",
            ("uct", &["playouts=1000", "expansion=all"]),
            ("uct", &n),
        ),
        cell(
            args,
            "hsu-expand-transition",
            "best",
            ("uct", &["playouts=1000", "expansion=transition"]),
            ("uct", &n),
        ),
    ];
    run(args, "Lew 3.3.2, Hsu: trees against each other", &cells, Measure::Wins)
}

/// Baudis' players and variants.
pub fn players(args: &StudyArgs) -> anyhow::Result<Report> {
    let n = ["playouts=1000"];
    let cells = [
        cell(args, "baudis-playout", "none", ("playout", &[]), ("random", &[])),
        cell(args, "baudis-montecarlo", "none", ("montecarlo", &n), ("playout", &[])),
        cell(args, "baudis-uct", "none", ("uct", &n), ("montecarlo", &n)),
        cell(args, "baudis-egreedy", "UCB is the better bandit", ("egreedy", &n), ("uct", &n)),
        cell(
            args,
            "baudis-rave",
            "30 -> 70 % against GNU Go",
            ("uct", &["playouts=1000", "mix=mse", "bias=0.009", "unvisited=second"]),
            ("uct", &n),
        ),
        cell(
            args,
            "baudis-leaf",
            "small improvement",
            ("uct", &["playouts=2000", "leaf=2"]),
            ("uct", &n),
        ),
    ];
    run(args, "Baudis: simple players, each against the one before", &cells, Measure::Wins)
}

/// Baudis' prior values: an even game, hints, and into which value they go; Fuego's prior (Xiao 4.1, 4.2).
pub fn priors(args: &StudyArgs) -> anyhow::Result<Report> {
    const RAVE: [&str; 4] = ["playouts=500", "mix=mse", "bias=0.009", "unvisited=second"];
    let with = |more: &[&'static str]| [&RAVE[..], more].concat();
    let plain = with(&[]);
    let cells = [
        cell(
            args,
            "baudis-prior-even",
            "important",
            ("uct", &with(&["prior=even", "prior_into=amaf"])),
            ("uct", &plain),
        ),
        cell(
            args,
            "baudis-prior-hints",
            "none",
            ("uct", &with(&["prior=hints", "prior_into=amaf"])),
            ("uct", &plain),
        ),
        cell(
            args,
            "baudis-prior-into",
            "amaf or uct: small difference",
            ("uct", &with(&["prior=hints", "prior_into=amaf"])),
            ("uct", &with(&["prior=hints", "prior_into=uct"])),
        ),
        cell(
            args,
            "xiao-fuego-prior",
            "none",
            ("uct", &with(&["prior=fuego", "prior_into=uct"])),
            ("uct", &plain),
        ),
    ];
    run(args, "Baudis, Xiao 4.2.1: priors of new children", &cells, Measure::Wins)
}

/// Black with two stones against a player with four times the playouts: adaptive komi and artificial passes.
pub fn handicap(args: &StudyArgs) -> anyhow::Result<Report> {
    let mut cells = Vec::new();
    for (name, own) in [
        ("off", &[][..]),
        ("adaptive", &["komi_low=0.8", "komi_high=0.85"]),
        ("passes", &["passes=0.1"]),
    ] {
        let a = [&["playouts=500"][..], own].concat();
        let b = ["playouts=2000"];
        let name = format!("baudis-black-{name}");
        let mut cell = cell(args, &name, "figure only", ("uct", &a), ("uct", &b));
        let more = "--handicap 2 --colors a-black";
        cell.conditions.extend(more.split(' ').map(str::to_owned));
        cells.push(cell);
    }
    run(args, "Baudis: Black with two stones and a quarter of the playouts", &cells, Measure::Wins)
}

/// Hsu, putting everything together: two versions against GNU Go.
pub fn together(args: &StudyArgs) -> anyhow::Result<Report> {
    let pruned = ["playouts=10000", "least=20", "rd=1", "sigma=0.2"];
    let warm = ["playouts=10000", "temperature=2"];
    let cells = [
        Cell::against_gnugo("hsu-together-pruning", "worse than -30", player("pruning", &pruned)),
        Cell::against_gnugo("hsu-together-amaf", "worse than -30", player("amaf", &warm)),
    ];
    run(args, "Hsu: everything together against GNU Go level 10", &cells, Measure::Margin)
}

/// Lew 3.2.2: how much one playout says.
pub fn spread(args: &StudyArgs) -> anyhow::Result<Report> {
    let (size, playouts) = (args.size, args.one_playouts()?.unwrap_or(20_000));
    let start = Board::new(size);
    let (mut board, mut rng, mut stat) = (start.clone(), Rng::new(args.seed), Stat::default());
    let (mut shares, mut played) = (Stat::default(), Marker::new());
    for _ in 0..playouts {
        board.copy_from(&start);
        played.clear();
        let mut count = 0;
        let outcome =
            play_out(&mut Light, &mut board, &mut rng, Limits::for_size(size), |color, point| {
                if !point.is_pass() && played.insert(point) {
                    count += u32::from(color == Color::Black);
                }
            });
        stat.add(f64::from(outcome.score));
        shares.add(f64::from(count) / (size * size) as f64);
    }
    let deviation = stat.error() * stat.count.sqrt();
    let mut report = Report::new("Lew 3.2.2: what one light playout says");
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let exact = |value: f64, unit| vec![Value::exact(round(value), unit)];
    for (name, paper, value, unit) in [
        ("standard deviation of a result", "about 45 points on 9x9", deviation, "points"),
        ("of the mean of 2000", "about 1 point", deviation / 2000f64.sqrt(), "points"),
        ("share of moves that a playout updates", "about half", shares.mean(), ""),
    ] {
        report.lines.push(Line { ours: exact(value, unit), ..Line::new(name, paper) });
    }
    report.notes.push(format!("{playouts} playouts from the empty {size}x{size} board."));
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playout_says_little() {
        let args = StudyArgs { size: 9, playouts: vec![2000], seed: 1, ..StudyArgs::default() };
        let report = spread(&args).unwrap();
        let values: Vec<f64> = report.lines.iter().map(|line| line.ours[0].value).collect();
        assert!((25.0..60.0).contains(&values[0]), "{values:?}");
        assert!((0.4..0.6).contains(&values[2]), "{values:?}");
    }
}
