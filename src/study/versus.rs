//! Experiments that are matches: cells of games between two programs, kept in tables that a run goes on with.
//!
//! A cell is a match of the arena with its table `DIR/NAME.dat`, a line a game. Without `--games` nothing is played and
//! the tables say what is known; with it every cell gets that many games, in rounds, so that the intervals of all cells
//! shrink together and a run may be stopped at any time.

use super::command::StudyArgs;
use super::report::{Line, Report, Value};
use crate::input;
use crate::workshop::arena::contest;
use crate::workshop::arena::options::MatchArgs;
use crate::workshop::arena::report::{margins, tally};
use crate::workshop::arena::table::{Row, Table};
use crate::workshop::tools::plot::{Axis, Plot, Series};
use crate::workshop::tools::statistics::Mean;
use anyhow::{Context, ensure};
use clap::Parser;
use std::path::PathBuf;

/// Games of a cell in one round.
const ROUND: u32 = 10;
/// Most bytes of a table.
const MAX_TABLE: u64 = 1 << 28;

/// GNU Go as You, Lew, Hsu and Baudis met it.
pub const GNUGO: &str = "gnugo --mode gtp --level 10 --chinese-rules --seed %SEED";
/// Who counts games with it: the study players do not know dead stones.
pub const REFEREE: &str = "gnugo --mode gtp --chinese-rules";

/// One cell of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Its name, which is also that of its table of games.
    pub name: String,
    /// What the paper says.
    pub paper: String,
    /// The first program.
    pub a: String,
    /// The second program.
    pub b: String,
    /// What differs from the arena's defaults, as words of `tengen match`.
    pub conditions: Vec<String>,
    /// What there is to say.
    pub note: String,
}

impl Cell {
    /// A cell against GNU Go level 10 on 9x9.
    pub fn against_gnugo(name: &str, paper: &str, a: String) -> Cell {
        let mut conditions = words("--size 9 --komi 7.5 --referee");
        conditions.push(REFEREE.to_owned());
        let (name, paper, b) = (name.to_owned(), paper.to_owned(), GNUGO.to_owned());
        Cell { name, paper, a, b, conditions, note: String::new() }
    }

    /// A cell between two study players, who play to the end, so that the area decides.
    pub fn between(name: &str, paper: &str, a: String, b: String, size: usize) -> Cell {
        let conditions = words(&format!("--size {size} --komi 0 --referee area"));
        let (name, paper) = (name.to_owned(), paper.to_owned());
        Cell { name, paper, a, b, conditions, note: String::new() }
    }

    fn path(&self, args: &StudyArgs) -> PathBuf {
        let suffix = args.playouts.first().map_or(String::new(), |playouts| format!("-{playouts}"));
        args.out.join(format!("{}{suffix}", self.name))
    }

    fn match_args(&self, args: &StudyArgs, games: u32) -> anyhow::Result<MatchArgs> {
        #[derive(Parser)]
        struct Words {
            #[command(flatten)]
            args: MatchArgs,
        }
        let mut words = vec!["match".to_owned()];
        let games = games.to_string();
        let out = self.path(args).to_string_lossy().into_owned();
        for (name, value) in
            [("--a", &self.a), ("--b", &self.b), ("--games", &games), ("--out", &out)]
        {
            words.extend([name.to_owned(), value.clone()]);
        }
        words.extend(self.conditions.iter().cloned());
        Ok(Words::try_parse_from(words)?.args)
    }

    /// The games so far.
    fn rows(&self, args: &StudyArgs) -> anyhow::Result<Vec<Row>> {
        let mut path = self.path(args).into_os_string();
        path.push(".dat");
        let path = PathBuf::from(path);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = input::read_text(&path, MAX_TABLE)?;
        let table = Table::parse(&text)
            .with_context(|| format!("'{}' is no results table", path.display()))?;
        Ok(table.rows)
    }
}

/// The words of a command line.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A command line of a study player, given as `NAME SETTING=VALUE ...`, with a seed of its own in every game.
pub fn player(text: &str) -> String {
    let command = words(text).join(" --set ");
    format!("tengen gtp --player {command} --seed %SEED")
}

/// What a cell is measured by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The winning rate.
    Wins,
    /// The mean margin first, then the winning rate.
    Margin,
}

/// Plays what is asked for and reports all cells.
pub fn run(
    args: &StudyArgs,
    title: &str,
    cells: &[Cell],
    measure: Measure,
) -> anyhow::Result<Report> {
    let chosen = chosen(args, cells)?;
    if let Some(games) = args.games {
        ensure!(games > 0, "--games must be at least 1");
        for target in rounds(games) {
            for cell in &chosen {
                contest::play(&cell.match_args(args, target)?, None)
                    .with_context(|| format!("cell '{}'", cell.name))?;
            }
        }
    }
    let mut report = Report::new(title);
    let mut ours = Series::points("ours");
    let (mut axis, mut place) = (Axis::new(""), 0.0);
    for cell in &chosen {
        let rows = cell.rows(args)?;
        let values = values(&rows, measure);
        place += 1.0;
        axis = axis.name(place, &cell.name);
        if let Some(Value { value, interval: Some((low, high)), .. }) = values.first() {
            ours = ours.point_with_interval(place, *value, *low, *high);
        }
        report.lines.push(Line {
            ours: values,
            games: Some(rows.len() as u32),
            ..Line::new(&cell.name, &cell.paper).note(&cell.note)
        });
    }
    let y = match measure {
        Measure::Wins => "wins, %",
        Measure::Margin => "mean margin, points",
    };
    let plot = Plot::new(title).x(axis.range(0.0, place + 1.0)).y(Axis::new(y)).series(ours);
    Ok(report.with_plot(&plot.size(90.0 * place + 200.0, 420.0)))
}

fn values(rows: &[Row], measure: Measure) -> Vec<Value> {
    let wins = Value::of_tally(&tally(rows));
    let margin = Value::of_mean(&Mean::of(margins(rows).into_iter()), "points");
    let both = match measure {
        Measure::Wins => [wins, None],
        Measure::Margin => [margin, wins],
    };
    both.into_iter().flatten().collect()
}

/// Targets up to a number of games.
fn rounds(games: u32) -> Vec<u32> {
    (ROUND..games).step_by(ROUND as usize).chain([games]).collect()
}

/// The cells that `--cell` names, with the playouts that were asked for.
fn chosen(args: &StudyArgs, cells: &[Cell]) -> anyhow::Result<Vec<Cell>> {
    let mut chosen = args.chosen(cells, |cell| &cell.name)?;
    if let Some(playouts) = args.one_playouts()? {
        for cell in &mut chosen {
            for side in [&mut cell.a, &mut cell.b] {
                if side.contains(" --player ") {
                    *side += &format!(" --set playouts={playouts}");
                }
            }
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Vec<Cell> {
        let a = player("flat playouts=50");
        vec![
            Cell::against_gnugo("x-one", "3 %", a.clone()),
            Cell::between("x-two", "0", a.clone(), a, 5),
        ]
    }

    #[test]
    fn cells_become_matches() {
        let args = StudyArgs { out: PathBuf::from("dir"), ..StudyArgs::default() };
        let cells = cells();
        let made = cells[0].match_args(&args, 30).unwrap();
        assert_eq!(
            made.a.as_deref(),
            Some("tengen gtp --player flat --set playouts=50 --seed %SEED")
        );
        assert_eq!((made.games, made.size, made.komi), (30, 9, Some(7.5)));
        assert_eq!(made.out, Some(PathBuf::from("dir/x-one")));
        assert_eq!(made.referee.as_deref(), Some(REFEREE));
        assert_eq!(rounds(25), [10, 20, 25]);
        assert_eq!(rounds(10), [10]);
    }

    #[test]
    fn cells_are_chosen_by_name() {
        let args = |cell: &str| StudyArgs { cell: Some(cell.to_owned()), ..StudyArgs::default() };
        assert_eq!(chosen(&args("x-two,x-one"), &cells()).unwrap().len(), 2);
        let error = chosen(&args("x-three"), &cells()).unwrap_err().to_string();
        assert_eq!(error, "there is no cell 'x-three' here: give some of x-one,x-two");
        let fewer = StudyArgs { playouts: vec![100], ..StudyArgs::default() };
        let changed = chosen(&fewer, &cells()).unwrap();
        assert!(changed[0].a.ends_with(" --set playouts=100"));
        assert_eq!(changed[0].b, GNUGO);
        assert!(changed[0].path(&fewer).ends_with("x-one-100"));
        let engine = Cell { a: "tengen gtp --playouts 9".to_owned(), ..cells().remove(0) };
        let kept = chosen(&fewer, &[engine]).unwrap();
        assert_eq!(kept[0].a, "tengen gtp --playouts 9", "the engine has no such setting");
    }

    #[test]
    fn what_has_no_games_is_not_yet_run() {
        let args = StudyArgs { out: PathBuf::from("no/such/dir"), ..StudyArgs::default() };
        let report = run(&args, "T", &cells(), Measure::Wins).unwrap();
        assert!(report.to_text().contains("| x-one | 3 % | not yet run |"));
    }
}
