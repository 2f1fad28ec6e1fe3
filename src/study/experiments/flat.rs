//! Lew 3.2 and 3.3, Hsu's domain independent refinements, Baudis' simple players: methods against each other, by the
//! mean margin as Bouzy measured them.
//!
//! The figures of Hsu's slides are Bouzy and Helmstetter's, on 9x9 with up to 10,000 playouts for each move. Here a
//! player has a fixed number of playouts a move, which the cells name; `--size` and `--playouts` change both.

use crate::board::Board;
use crate::playout::{Light, Limits, play_out};
use crate::study::command::StudyArgs;
use crate::study::flat::Stat;
use crate::study::report::Report;
use crate::study::versus::{Cell, Measure, player, run, words};
use crate::types::{Color, Marker, Rng};

/// A cell between two study players: its name, what the paper says, and both.
fn cell(args: &StudyArgs, name: &str, paper: &str, a: &str, b: &str) -> Cell {
    let suffix = match args.size {
        9 => String::new(),
        size => format!("-{size}x{size}"),
    };
    Cell::between(&format!("{name}{suffix}"), paper, player(a), player(b), args.size)
}

fn cells(args: &StudyArgs, rows: &[[&str; 4]]) -> Vec<Cell> {
    rows.iter().map(|[name, paper, a, b]| cell(args, name, paper, a, b)).collect()
}

/// Hsu, progressive pruning 4/5 (Bouzy and Helmstetter): the width of the interval and the deviation for equality.
pub fn pruning(args: &StudyArgs) -> anyhow::Result<Report> {
    let with = |own: &str| format!("pruning playouts=5000 least=20 {own}");
    let cells = [
        ["rd2", "+5.6", "rd=2", "rd=1"],
        ["rd4", "+7.3", "rd=4", "rd=1"],
        ["rd8", "+9.0", "rd=8", "rd=1"],
        ["sigma0.5", "-0.7", "sigma=0.5", "sigma=0.2"],
        ["sigma1", "-6.7", "sigma=1", "sigma=0.2"],
        ["soft", "none", "soft=true", "soft=false"],
    ]
    .map(|[name, paper, a, b]| {
        cell(args, &format!("hsu-pruning-{name}"), paper, &with(a), &with(b))
    });
    let title = "Hsu: progressive pruning, margin against r_d = 1 and sigma_e = 0.2";
    run(args, title, &cells, Measure::Margin)
}

/// Hsu, temperature 2/2.
pub fn temperature(args: &StudyArgs) -> anyhow::Result<Report> {
    let with = |k: &str| format!("amaf playouts=1000 temperature={k}");
    let mut cells: Vec<Cell> = [("0", "-8.1"), ("5", "+2.6"), ("10", "-4.9"), ("20", "-11.3")]
        .map(|(k, paper)| cell(args, &format!("hsu-temperature-{k}"), paper, &with(k), &with("2")))
        .into();
    let annealed = "annealing playouts=1000 temperature=5";
    cells.push(cell(args, "hsu-temperature-annealed", "no gain", annealed, &with("5")));
    let title = "Hsu: temperature e^(K v), margin against K = 2; annealed against K = 5";
    run(args, title, &cells, Measure::Margin)
}

/// Hsu, AMAF results and depth-i; Lew 3.2.4, 3.3.1.
pub fn amaf(args: &StudyArgs) -> anyhow::Result<Report> {
    let (flat, amaf, ten) = ("flat playouts=5000", "amaf playouts=5000", "amaf playouts=10000");
    let (worse, best) = ("worse, about -2 (Lew)", "best of Bouzy's, with Indigo's moves");
    let rows = [
        ["hsu-amaf-basic", "+13.7", flat, amaf],
        ["hsu-amaf-pruning", "+4.0", "pruning playouts=5000 least=20", amaf],
        ["hsu-amaf-1000", "-12.7", "amaf playouts=1000", ten],
        ["hsu-amaf-100000", "+3.2", "amaf playouts=100000", ten],
        ["hsu-depth-2", worse, "depth playouts=25000 depth=2", flat],
        ["lew-depth-3", best, "depth playouts=25000 depth=3", flat],
    ];
    let title = "Hsu and Lew: basic, pruning and depth against AMAF and flat";
    run(args, title, &cells(args, &rows), Measure::Margin)
}

/// Lew 3.3.2 and Hsu: what the tree does with the same playouts.
pub fn tree(args: &StudyArgs) -> anyhow::Result<Report> {
    let uct = "uct playouts=1000";
    let rows = [
        ["lew-uct-flat", "the tree is better", uct, "montecarlo playouts=1000"],
        ["lew-coulom-uct", "UCT is better", "coulom playouts=1000", uct],
        ["hsu-alpha", "RAVE helps", "uct playouts=1000 mix=alpha unvisited=second", uct],
        ["hsu-expand-all", "worse than transition", "uct playouts=1000 expansion=all", uct],
        ["hsu-expand-transition", "best", "uct playouts=1000 expansion=transition", uct],
    ];
    run(args, "Lew 3.3.2, Hsu: trees against each other", &cells(args, &rows), Measure::Wins)
}

/// Baudis' players and variants.
pub fn players(args: &StudyArgs) -> anyhow::Result<Report> {
    let (uct, flat) = ("uct playouts=1000", "montecarlo playouts=1000");
    let rave = "uct playouts=1000 mix=mse bias=0.009 unvisited=second";
    let rows = [
        ["baudis-playout", "none", "playout", "random"],
        ["baudis-montecarlo", "none", flat, "playout"],
        ["baudis-uct", "none", uct, flat],
        ["baudis-egreedy", "UCB is the better bandit", "egreedy playouts=1000", uct],
        ["baudis-rave", "30 -> 70 %", rave, uct],
        ["baudis-leaf", "small improvement", "uct playouts=2000 leaf=2", uct],
    ];
    let title = "Baudis: simple players, each against the one before";
    run(args, title, &cells(args, &rows), Measure::Wins)
}

/// Baudis' prior values: an even game, hints, and into which value they go; Fuego's prior (Xiao, formulas 4.1, 4.2).
pub fn priors(args: &StudyArgs) -> anyhow::Result<Report> {
    let with = |own: &str| format!("uct playouts=500 mix=mse bias=0.009 unvisited=second {own}");
    let (hints, into) = ("prior=hints prior_into=amaf", "amaf or uct: small difference");
    let cells = [
        ["baudis-prior-even", "important", "prior=even prior_into=amaf", ""],
        ["baudis-prior-hints", "none", hints, ""],
        ["baudis-prior-into", into, hints, "prior=hints prior_into=uct"],
        ["xiao-fuego-prior", "none", "prior=fuego prior_into=uct", ""],
    ]
    .map(|[name, paper, a, b]| cell(args, name, paper, &with(a), &with(b)));
    run(args, "Baudis, Xiao 4.2.1: priors of new children", &cells, Measure::Wins)
}

/// Black with two stones against a player with four times the playouts: adaptive komi and artificial passes.
pub fn handicap(args: &StudyArgs) -> anyhow::Result<Report> {
    let cells =
        [("off", ""), ("adaptive", "komi_low=0.8 komi_high=0.85"), ("passes", "passes=0.1")].map(
            |(name, own)| {
                let (name, a) = (format!("baudis-black-{name}"), format!("uct playouts=500 {own}"));
                let mut cell = cell(args, &name, "figure only", &a, "uct playouts=2000");
                cell.conditions.extend(words("--handicap 2 --colors a-black"));
                cell
            },
        );
    run(args, "Baudis: Black with two stones and a quarter of the playouts", &cells, Measure::Wins)
}

/// Hsu, putting everything together: two versions against GNU Go.
pub fn together(args: &StudyArgs) -> anyhow::Result<Report> {
    let cells = [
        ("hsu-together-pruning", "pruning playouts=10000 least=20 rd=1 sigma=0.2"),
        ("hsu-together-amaf", "amaf playouts=10000 temperature=2"),
    ]
    .map(|(name, own)| Cell::against_gnugo(name, "worse than -30", player(own)));
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
    for (name, paper, value, unit) in [
        ("standard deviation of a result", "about 45 points on 9x9", deviation, "points"),
        ("of the mean of 2000", "about 1 point", deviation / 2000f64.sqrt(), "points"),
        ("share of moves that a playout updates", "about half", shares.mean(), ""),
    ] {
        report.exact(name, paper, round(value), unit);
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
