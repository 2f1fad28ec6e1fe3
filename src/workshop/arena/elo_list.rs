//! `tengen elo`: one rating list, as a table and a plot, from the results tables of many matches.
//!
//! Tables of gogui-twogtp are read too. A player is known by the label in the table; where both
//! players of a table have the same one, by label and command.

use super::elo::{Games, Rating, Ratings};
use super::table::{Row, Table};
use crate::input;
use crate::workshop::tools::plot::{Axis, Plot, Series};
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Largest results table, uncompressed.
const MAX_FILE: u64 = 1 << 30;

/// How ratings are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Method {
    /// The most probable ratings, what playing Black is worth, and intervals.
    Newton,
    /// Laplace marginal propagation (Lew's Algorithm 1): alpha and beta of every player, no intervals.
    Lmp,
}

/// Rate the players of one or more matches together.
#[derive(Args, Clone, Debug)]
pub struct EloArgs {
    /// Results tables (.dat) of tengen match or gogui-twogtp
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// Give this player a rating (0 if only the name is given); without it the mean is 0
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Option<String>,
    /// Virtual draws between players who met, which keep ratings finite
    #[arg(long, value_name = "N", default_value_t = 1.0, allow_negative_numbers = true)]
    prior: f64,
    /// How to compute the ratings
    #[arg(long, value_enum, default_value_t = Method::Newton)]
    method: Method,
    /// Know players by their commands instead of their labels
    #[arg(long)]
    by_command: bool,
    /// Write a plot of the ratings
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// Rates the players and prints the list.
pub fn run(args: &EloArgs) -> anyhow::Result<()> {
    ensure!(args.prior >= 0.0 && args.prior <= 1e6, "--prior must be 0 or more");
    ensure!(
        args.method == Method::Newton || args.svg.is_none(),
        "--svg draws intervals, which --method lmp does not have: leave it out"
    );
    let mut games = Games::default();
    let mut sums = Sums::default();
    let mut files = HashSet::new();
    for path in &args.results {
        let same = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        if !files.insert(same) {
            eprintln!("tengen: '{}' is named twice and counts once", path.display());
            continue;
        }
        let table = read_table(path)?;
        sums.add(&table, &mut games, args.by_command);
    }
    let anchor = args.anchor.as_deref().map(|text| parse_anchor(text, games.players()));
    let anchor = anchor.transpose()?;
    let anchor = anchor.as_ref().map(|(name, elo)| (name.as_str(), *elo));
    let mut out = std::io::stdout().lock();
    let (text, mut list) = match args.method {
        Method::Lmp => {
            let ratings = games.rate_by_lmp(args.prior, anchor)?;
            (ratings.to_text(), ratings.to_json())
        }
        Method::Newton => {
            let ratings = games.rate(args.prior, anchor)?;
            if let Some(path) = &args.svg {
                plot(&ratings).save(path)?;
            }
            (to_text(&ratings), serde_json::to_value(&ratings)?)
        }
    };
    if args.json {
        sums.add_to_json(&mut list);
        writeln!(out, "{}", serde_json::to_string_pretty(&list)?)?;
    } else {
        write!(out, "{text}{}", sums.to_text())?;
    }
    Ok(())
}

fn read_table(path: &Path) -> anyhow::Result<Table> {
    let bytes = input::read_bytes(path, MAX_FILE)?;
    Table::parse(&String::from_utf8_lossy(&bytes))
        .with_context(|| format!("'{}' is no results table", path.display()))
}

/// `NAME` or `NAME=ELO`; a name may itself contain `=`.
fn parse_anchor(text: &str, players: &[String]) -> anyhow::Result<(String, f64)> {
    if players.iter().any(|player| player == text) {
        return Ok((text.to_owned(), 0.0));
    }
    match text.rsplit_once('=').map(|(name, elo)| (name, elo.parse::<f64>())) {
        Some((name, Ok(elo))) if elo.is_finite() => Ok((name.to_owned(), elo)),
        _ => bail!("the anchor '{text}' is none of the players: {}", players.join(", ")),
    }
}

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    files: u32,
    games: u32,
    undecided: u32,
    duplicates: u32,
}

impl Sums {
    fn add(&mut self, table: &Table, games: &mut Games, by_command: bool) {
        let [a, b] = names(table, by_command).map(|name| games.player(&name));
        self.files += 1;
        for row in &table.rows {
            let score = Row::score(row);
            match score {
                Some(_) if row.duplicate.is_some() => self.duplicates += 1,
                None => self.undecided += 1,
                Some(score) => {
                    self.games += 1;
                    match row.swapped {
                        false => games.add(a, b, score),
                        true => games.add(b, a, 1.0 - score),
                    }
                }
            }
        }
    }

    fn to_text(self) -> String {
        format!(
            "files: {}\ngames: {}\nwithout result: {}\nduplicates: {}\n",
            self.files, self.games, self.undecided, self.duplicates
        )
    }

    fn add_to_json(self, list: &mut serde_json::Value) {
        list["files"] = self.files.into();
        list["games"] = self.games.into();
        list["without_result"] = self.undecided.into();
        list["duplicates"] = self.duplicates.into();
    }
}

/// The names of the two players of a table.
fn names(table: &Table, by_command: bool) -> [String; 2] {
    let property = |key: String| table.property(&key).filter(|value| !value.is_empty());
    let sides = ["Black", "White"];
    let commands = sides.map(|side| property(format!("{side}Command")).unwrap_or(side).to_owned());
    if by_command {
        return commands;
    }
    let labels = sides.map(|side| {
        let label = property(format!("{side}Label")).or_else(|| property(side.to_owned()));
        label.unwrap_or(side).to_owned()
    });
    if labels[0] != labels[1] {
        return labels;
    }
    [0, 1].map(|side| format!("{} ({})", labels[side], commands[side]))
}

fn to_text(ratings: &Ratings) -> String {
    let list = &ratings.list;
    let width = list.iter().map(|r| r.player.chars().count()).max().unwrap_or(0).max(6);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "rank  {:<width$}  {:>8}  {:>7}  {:>7}  {:>7}  {:>9}  {:>8}",
        "player", "elo", "+- 95 %", "games", "score", "opponents", "los next"
    );
    for (index, rating) in list.iter().enumerate() {
        let Rating { player, elo, error, tally, opposition, above_next } = rating;
        let score = 100.0 * tally.score().unwrap_or(0.0);
        let los = above_next.map_or("-".to_owned(), |los| format!("{:.1} %", 100.0 * los));
        let _ = writeln!(
            text,
            "{:>4}  {player:<width$}  {elo:>8.1}  {error:>7.1}  {:>7}  {score:>5.1} %  \
             {opposition:>9.1}  {los:>8}",
            index + 1,
            tally.games()
        );
    }
    let _ = writeln!(
        text,
        "black's advantage: {:+.1} Elo\nblack's advantage 95 %: {:+.1} .. {:+.1} Elo",
        ratings.black.elo,
        ratings.black.elo - ratings.black.error,
        ratings.black.elo + ratings.black.error
    );
    text
}

/// One row per player, the strongest on top.
fn plot(ratings: &Ratings) -> Plot {
    let players = ratings.list.len() as f64;
    let mut names = Axis::new("");
    let mut points = Series::points("");
    for (index, rating) in ratings.list.iter().enumerate() {
        let row = players - index as f64;
        let Rating { elo, error, .. } = *rating;
        names = names.name(row, &rating.player);
        points = points.point_with_x_interval(elo, row, elo - error, elo + error);
    }
    let longest = ratings.list.iter().map(|r| r.player.chars().count()).max().unwrap_or(0);
    Plot::new("Ratings with 95 % intervals")
        .x(Axis::new("Elo"))
        .y(names)
        .size(480.0 + 7.0 * longest as f64, 100.0 + 28.0 * players)
        .series(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(labels: [&str; 2], rows: &[(&str, bool)]) -> Table {
        let keys = ["BlackLabel", "WhiteLabel", "BlackCommand", "WhiteCommand"];
        let values = [labels[0], labels[1], "x --level 1", "x --level 2"];
        let properties =
            keys.iter().zip(values).map(|(key, value)| ((*key).to_owned(), value.to_owned()));
        let mut text = Table::head(&properties.collect::<Vec<_>>());
        for (game, (result, swapped)) in rows.iter().enumerate() {
            let swapped = u8::from(*swapped);
            let _ =
                writeln!(text, "{game}\t{result}\t{result}\t?\t{swapped}\t-\t30\t0\t0\t0\t0\t0\t");
        }
        Table::parse(&text).unwrap()
    }

    #[test]
    fn tables_become_games_with_the_right_colours() {
        let mut games = Games::default();
        let mut sums = Sums::default();
        // A wins as Black, wins as White (B+ names the first program), loses as White.
        let results = [("B+1", false), ("B+1", true), ("W+1", true), ("?", false)];
        sums.add(&table(["a", "b"], &results), &mut games, false);
        assert_eq!(sums, Sums { files: 1, games: 3, undecided: 1, duplicates: 0 });
        let ratings = games.rate(1.0, None).unwrap();
        assert_eq!(ratings.list[0].player, "a");
        assert_eq!((ratings.list[0].tally.wins, ratings.list[0].tally.losses), (2, 1));
        let text = to_text(&ratings) + &sums.to_text();
        assert!(text.contains("\n   1  a ") && text.contains("\ngames: 3\n"), "{text}");
        let svg = plot(&ratings).to_svg();
        assert!(svg.contains(">a</text>") && svg.contains("<circle"));
        assert_eq!(serde_json::to_value(&ratings).unwrap()["players"][1]["wins"], 1);
    }

    #[test]
    fn players_are_told_apart() {
        assert_eq!(names(&table(["a", "b"], &[]), false), ["a", "b"]);
        assert_eq!(names(&table(["a", "b"], &[]), true), ["x --level 1", "x --level 2"]);
        assert_eq!(names(&table(["a", "a"], &[]), false), ["a (x --level 1)", "a (x --level 2)"]);
    }

    #[test]
    fn anchors_are_read() {
        let players = ["a".to_owned(), "b=1".to_owned()];
        assert_eq!(parse_anchor("a=1500", &players).unwrap(), ("a".to_owned(), 1500.0));
        assert_eq!(parse_anchor("b=1", &players).unwrap(), ("b=1".to_owned(), 0.0));
        assert_eq!(parse_anchor("b=1=-20.5", &players).unwrap(), ("b=1".to_owned(), -20.5));
        assert!(parse_anchor("c", &players).is_err());
    }
}
