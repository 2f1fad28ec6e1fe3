//! A grid of settings of the engine against its defaults (Xiao, figure 4.5: the PUCT constant by playouts), and the rows of
//! Baudis' slides that are parameters of the engine.

use crate::params::Overrides;
use crate::study::command::StudyArgs;
use crate::study::report::Report;
use crate::study::versus::{Cell, GNUGO, Measure, REFEREE, run, words};
use anyhow::{Context, ensure};

/// Most cells of a grid.
const MOST: usize = 400;
/// Playouts a move as Black with handicap: so few that GNU Go wins some games.
const EVEN: u32 = 100;

fn engine(playouts: u32, set: &[String]) -> String {
    let set: String = set.iter().map(|setting| format!(" --set {setting}")).collect();
    format!("tengen gtp --playouts {playouts}{set} --no-resign --seed %SEED")
}

fn cell(name: String, paper: &str, a: String, b: String, size: usize) -> Cell {
    let conditions = words(&format!("--size {size} --komi 7.5 --random-plies 2 --referee area"));
    Cell { name, paper: paper.to_owned(), a, b, conditions, note: String::new() }
}

/// The values of `NAME=V1,V2,...`, each a setting that the engine takes.
fn values(text: &str) -> anyhow::Result<Vec<String>> {
    let (name, list) =
        text.split_once('=').with_context(|| format!("--param {text}: write NAME=V1,V2,..."))?;
    let mut found = Vec::new();
    for value in list.split(',') {
        Overrides::default().insert(name, value).with_context(|| format!("--param {text}"))?;
        found.push(format!("{name}={value}"));
    }
    Ok(found)
}

/// Every combination of the parameters' values at every number of playouts.
fn grid(args: &StudyArgs) -> anyhow::Result<Vec<Cell>> {
    ensure!(!args.param.is_empty(), "give --param NAME=V1,V2,... (see `tengen params`)");
    let mut combinations: Vec<Vec<String>> = vec![vec![]];
    for param in &args.param {
        let values = values(param)?;
        combinations = combinations
            .iter()
            .flat_map(|before| {
                values.iter().map(|value| [before.clone(), vec![value.clone()]].concat())
            })
            .collect();
        ensure!(combinations.len() <= MOST, "this grid has more than {MOST} cells");
    }
    let playouts = if args.playouts.is_empty() { vec![1000] } else { args.playouts.clone() };
    ensure!(combinations.len() * playouts.len() <= MOST, "this grid has more than {MOST} cells");
    let mut cells = Vec::new();
    for &playouts in &playouts {
        for set in &combinations {
            let name =
                format!("sweep-{}-{playouts}-{}", args.size, set.join("-").replace('=', "-"));
            cells.push(cell(name, "", engine(playouts, set), engine(playouts, &[]), args.size));
        }
    }
    Ok(cells)
}

/// `tengen study sweep`.
pub fn sweep(args: &StudyArgs) -> anyhow::Result<Report> {
    let cells = grid(args)?;
    let args = StudyArgs { playouts: Vec::new(), ..args.clone() };
    run(&args, "A grid of settings, each against the defaults", &cells, Measure::Wins)
}

/// Baudis' rows: parts of the engine switched on or off, and dynamic komi as Black with handicap on 19x19.
pub fn engine_rows(args: &StudyArgs) -> anyhow::Result<Report> {
    // What the slides speak of are playouts: no network judges.
    let classic = |playouts: u32, set: &str| engine(playouts, &words(set)) + " --classic";
    let asked = args.one_playouts()?;
    let pair = |name: &str, paper: &str, a: &str, b: &str| {
        let (name, playouts) = (format!("baudis-engine-{name}"), asked.unwrap_or(1000));
        cell(name, paper, classic(playouts, a), classic(playouts, b), 9)
    };
    let mut cells = vec![
        pair("rave", "30 -> 70 %", "", "search.mix=mc"),
        pair("criticality", "49 -> 54 %", "search.criticality=1", ""),
        pair("situational", "57 % in self-play", "komi.dynamic=situational", ""),
        pair("patterns", "38 -> 90 %", "", "prior.model=false playout.pattern=0"),
    ];
    for handicap in [2, 4, 6] {
        for (name, komi) in [
            ("off", "off"),
            ("linear", "linear"),
            ("situational", "situational"),
            // The slides' adaptive komi: the win rate stays between 0.80 and 0.85.
            ("adaptive", "situational komi.low=0.8 komi.high=0.85"),
        ] {
            let conditions =
                format!("--size 19 --komi 0.5 --handicap {handicap} --colors a-black --referee");
            let mut conditions = words(&conditions);
            conditions.push(REFEREE.to_owned());
            cells.push(Cell {
                name: format!("baudis-handicap-{handicap}-{name}"),
                paper: "figure only".to_owned(),
                a: classic(asked.unwrap_or(EVEN), &format!("komi.dynamic={komi}")),
                b: GNUGO.to_owned(),
                conditions,
                note: "Black, 19x19".to_owned(),
            });
        }
    }
    run(args, "Baudis: parts of the engine, and dynamic komi as Black", &cells, Measure::Wins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(param: &[&str], playouts: &[u32]) -> StudyArgs {
        let param = param.iter().map(|&text| text.to_owned()).collect();
        StudyArgs { param, playouts: playouts.to_vec(), size: 9, ..StudyArgs::default() }
    }

    #[test]
    fn a_grid_has_every_combination() {
        let asked = args(&["search.exploration=0,0.1,0.2", "search.mix=mse,mc"], &[100, 1000]);
        let cells = grid(&asked).unwrap();
        assert_eq!(cells.len(), 12);
        assert_eq!(cells[0].name, "sweep-9-100-search.exploration-0-search.mix-mse");
        assert!(
            cells[11]
                .a
                .contains("--playouts 1000 --set search.exploration=0.2 --set search.mix=mc")
        );
    }

    #[test]
    fn impossible_grids_get_a_sentence() {
        let refused = |param: &[&str]| format!("{:#}", grid(&args(param, &[])).unwrap_err());
        assert!(refused(&[]).starts_with("give --param NAME=V1,V2,..."));
        assert!(refused(&["search.mix"]).contains("write NAME=V1,V2,..."));
        assert!(refused(&["search.mixx=mc"]).contains("search.mixx"));
        assert!(refused(&["search.mix=mc,soup"]).contains("soup"));
        let many: Vec<String> = (0..30).map(|i| format!("0.{i:02}")).collect();
        let many = format!("search.exploration={}", many.join(","));
        assert!(refused(&[&many, &many]).contains("more than 400 cells"));
    }
}
