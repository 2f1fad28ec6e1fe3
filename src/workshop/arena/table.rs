//! The results table of a match, in the format of gogui-twogtp's `.dat` files.
//!
//! Lines `# Key: value` describe the match, a line of column names follows, then one line per
//! game with fields separated by tabs. GoGui names the two programs Black and White whatever
//! colour they play: `B+3` in a row means that the first program won, and `ALT` is 1 when it
//! played White. A game lost by a fault has `ERR` 1, the fault in `ERR_MSG` and the result in
//! `RES_R`; GoGui's own analysis leaves such games out.

use super::outcome::GameResult;
use crate::game::sgf::Margin;
use crate::types::Color;
use crate::workshop::tools::fault::Fault;
use anyhow::{Context, Result, anyhow};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The columns, in GoGui's order.
const COLUMNS: [&str; 13] = [
    "GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W",
    "ERR", "ERR_MSG",
];

/// How a game was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecidedBy {
    /// Both programs' scores name the same winner.
    Agreement,
    /// The referee's score.
    Referee,
    /// A program resigned.
    Resignation,
    /// A program committed a fault.
    Forfeit,
    /// Nobody knows who won.
    None,
}

/// One game. `a` is the first program, `b` the second; results name `a` Black.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Row {
    /// Number of the game, from 0.
    pub game: u32,
    /// What the two programs said.
    pub results: [Option<GameResult>; 2],
    /// What the referee said, if it was asked; also the result by resignation or forfeit.
    pub result_referee: Option<GameResult>,
    /// Did the first program play White?
    pub swapped: bool,
    /// An earlier game with the same moves.
    pub duplicate: Option<u32>,
    /// Number of moves, the opening and passes included.
    pub length: u32,
    /// Seconds that the two programs thought.
    pub seconds: [f64; 2],
    /// Their processor seconds.
    pub cpu_seconds: [f64; 2],
    /// Did something go wrong?
    pub error: bool,
    /// What went wrong.
    pub message: String,
}

impl Row {
    /// The fault that ended the game.
    pub fn fault(&self) -> Option<Fault> {
        if self.error { Fault::parse(&self.message) } else { None }
    }

    /// The result that counts, with the first program as Black.
    pub fn result(&self) -> Option<GameResult> {
        if self.error {
            // GoGui's errors leave a game undecided; only a forfeit is a result.
            return self
                .result_referee
                .filter(|result| matches!(result.margin, Margin::Time | Margin::Forfeit));
        }
        if self.result_referee.is_some() {
            return self.result_referee;
        }
        let [Some(a), Some(b)] = self.results else { return None };
        (a.winner == b.winner).then_some(match a == b {
            true => a,
            false => GameResult { winner: a.winner, margin: Margin::Unknown },
        })
    }

    /// 1 if the first program won, 0 if the second did, 1/2 if nobody did.
    pub fn score(&self) -> Option<f64> {
        self.result().map(|result| result.score(Color::Black))
    }

    /// How it was decided.
    pub fn decision(&self) -> DecidedBy {
        match self.result() {
            None => DecidedBy::None,
            Some(_) if self.error => DecidedBy::Forfeit,
            Some(result) if result.margin == Margin::Resign => DecidedBy::Resignation,
            Some(_) if self.result_referee.is_some() => DecidedBy::Referee,
            Some(_) => DecidedBy::Agreement,
        }
    }

    /// The row as a line of the file, with its line end.
    pub fn to_line(&self) -> String {
        let result = |result: Option<GameResult>| match result {
            Some(result) => result.to_string(),
            None => "?".to_owned(),
        };
        let message: String = self
            .message
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .take(200)
            .collect();
        format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.6}\t{:.6}\t{:.6}\t{:.6}\t{}\t{}\n",
            self.game,
            result(self.results[0]),
            result(self.results[1]),
            result(self.result_referee),
            u8::from(self.swapped),
            self.duplicate.map_or("-".to_owned(), |game| game.to_string()),
            self.length,
            self.seconds[0],
            self.seconds[1],
            self.cpu_seconds[0],
            self.cpu_seconds[1],
            u8::from(self.error),
            message.trim()
        )
    }
}

/// A whole table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// What describes the match, in the order of the file.
    pub properties: Vec<(String, String)>,
    /// The games, in the order of the file.
    pub rows: Vec<Row>,
}

impl Table {
    /// A property of the match.
    pub fn property(&self, key: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The head of a file: properties and column names.
    pub fn head(properties: &[(String, String)]) -> String {
        let mut head = String::new();
        for (key, value) in properties {
            let value: String =
                value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = writeln!(head, "# {key}: {}", value.trim());
        }
        let _ = writeln!(head, "#\n#{}", COLUMNS.join("\t"));
        head
    }

    /// Reads a file. A last line without line end was being written when the writer was killed: it
    /// is left out, and so is a second row for the same game.
    pub fn parse(text: &str) -> Result<Table> {
        let mut table = Table::default();
        let mut columns: Option<Vec<usize>> = None;
        let mut properties_end = false;
        let mut games = HashSet::new();
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        for (index, line) in complete.lines().enumerate() {
            let line = line.trim_end_matches('\r');
            if let Some(comment) = line.strip_prefix('#') {
                let comment = comment.trim();
                if comment.is_empty() {
                    properties_end = true;
                } else if comment.starts_with("GAME\t") && columns.is_none() {
                    columns = Some(find_columns(comment)?);
                } else if let (false, Some((key, value))) =
                    (properties_end, comment.split_once(':'))
                {
                    table.properties.push((key.trim().to_owned(), value.trim().to_owned()));
                }
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            let columns = columns.as_ref().context(NO_COLUMNS)?;
            let row = parse_row(line, columns, index + 1)?;
            if games.insert(row.game) {
                table.rows.push(row);
            }
        }
        columns.context(NO_COLUMNS)?;
        Ok(table)
    }
}

const NO_COLUMNS: &str = "it has no line of column names (#GAME RES_B ...)";

/// Where in a line our columns are.
fn find_columns(line: &str) -> Result<Vec<usize>> {
    let names: Vec<&str> = line.split('\t').map(str::trim).collect();
    let place = |column: &&str| {
        let place = names.iter().position(|name| name == column);
        place.with_context(|| format!("it has no column {column}"))
    };
    COLUMNS.iter().map(place).collect()
}

fn parse_row(line: &str, columns: &[usize], number: usize) -> Result<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let field = |index: usize| fields.get(columns[index]).copied().unwrap_or("").trim();
    let invalid = |index: usize| {
        let value: String = field(index).chars().take(40).collect();
        anyhow!("line {number}: '{value}' is not a valid {}", COLUMNS[index])
    };
    let integer = |index: usize| field(index).parse::<u32>().map_err(|_| invalid(index));
    let seconds = |index: usize| {
        let value = field(index).parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0);
        value.ok_or_else(|| invalid(index))
    };
    Ok(Row {
        game: integer(0)?,
        results: [1, 2].map(|index| GameResult::parse(field(index))),
        result_referee: GameResult::parse(field(3)),
        swapped: integer(4)? != 0,
        // GoGui marks games that are the same in part with a question mark: those count.
        duplicate: field(5).parse().ok(),
        length: integer(6)?,
        seconds: [seconds(7)?, seconds(8)?],
        cpu_seconds: [seconds(9)?, seconds(10)?],
        error: integer(11)? != 0,
        message: field(12).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tools::fault::FaultKind;

    fn row() -> Row {
        Row {
            game: 3,
            results: [GameResult::parse("B+3.5"); 2],
            swapped: true,
            length: 57,
            seconds: [1.25, 0.000_031],
            cpu_seconds: [1.0, 0.0],
            ..Row::default()
        }
    }

    fn table(rows: &[Row]) -> String {
        let properties = [("Black", "GNU Go"), ("WhiteCommand", "a: b\nc"), ("Size", "9")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()));
        let mut text = Table::head(&properties);
        for row in rows {
            text += &row.to_line();
        }
        text
    }

    #[test]
    fn tables_round_trip() {
        let forfeit = Row {
            game: 4,
            result_referee: GameResult::parse("W+F"),
            duplicate: Some(1),
            error: true,
            message: "crash: it\ndied\t(9)".to_owned(),
            ..row()
        };
        let text = table(&[row(), forfeit.clone()]);
        let read = Table::parse(&text).unwrap();
        assert_eq!(read.property("WhiteCommand"), Some("a: b c"));
        assert_eq!(read.property("Size"), Some("9"));
        assert_eq!(read.rows[0], row());
        let message = "crash: it died (9)".to_owned();
        assert_eq!(read.rows[1], Row { message, ..forfeit });
        assert!(text.contains(
            "#\n#GAME\tRES_B\tRES_W\tRES_R\tALT\tDUP\tLEN\tTIME_B\tTIME_W\tCPU_B\tCPU_W\tERR\tERR_MSG\n"
        ));
        assert!(text.contains(
            "\n3\tB+3.5\tB+3.5\t?\t1\t-\t57\t1.250000\t0.000031\t1.000000\t0.000000\t0\t\n"
        ));
    }

    #[test]
    fn a_torn_last_line_and_a_second_row_are_left_out() {
        let second = Row { length: 99, ..row() };
        let text = table(&[row(), second, Row { game: 4, ..row() }]);
        let read = Table::parse(&text).unwrap();
        assert_eq!(read.rows.iter().map(|row| row.game).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(read.rows[0].length, 57);
        for cut in 1..20 {
            let torn = &text[..text.len() - cut];
            assert_eq!(Table::parse(torn).unwrap().rows.len(), 1, "{cut} bytes missing");
        }
    }

    #[test]
    fn gogui_files_are_read() {
        let text = "# Black: GNU Go\r\n# Komi: 6.5\n#\n\
                    #GAME\tRES_B\tRES_W\tRES_R\tALT\tDUP\tLEN\tTIME_B\tTIME_W\tCPU_B\tCPU_W\tERR\tERR_MSG\n\
                    0\tB+3.5\tB+4.5\t?\t0\t-\t30\t1.1\t2\t0\t0\t0\t\n\
                    1\tW+R\tW+R\tW+R\t1\t0\t30\t1.1\t2\t0\t0\t0\n\
                    2\tB+3.5\tW+4.5\t?\t0\t-\t30\t1.1\t2\t0\t0\t0\t\n\
                    3\tB+3.5\tW+4.5\tW+1\t0\t1?\t30\t1.1\t2\t0\t0\t0\t\n\
                    4\tB+3.5\tB+3.5\tB+3.5\t0\t-\t30\t1.1\t2\t0\t0\t1\tmove limit exceeded\n";
        let table = Table::parse(text).unwrap();
        let scores: Vec<_> = table.rows.iter().map(Row::score).collect();
        assert_eq!(scores, [Some(1.0), Some(0.0), None, Some(0.0), None]);
        let decisions: Vec<_> = table.rows.iter().map(Row::decision).collect();
        use DecidedBy::{Agreement, None as Nobody, Referee, Resignation};
        assert_eq!(decisions, [Agreement, Resignation, Nobody, Referee, Nobody]);
        assert_eq!(table.rows[1].duplicate, Some(0));
        assert_eq!(table.rows[3].duplicate, None);
    }

    #[test]
    fn forfeits_are_results() {
        let row = Row {
            result_referee: GameResult::parse("W+T"),
            error: true,
            message: "time: 3 s used".to_owned(),
            ..row()
        };
        assert_eq!((row.score(), row.decision()), (Some(0.0), DecidedBy::Forfeit));
        assert_eq!(row.fault().unwrap().kind, FaultKind::Time);
    }

    #[test]
    fn bad_files_are_refused() {
        let error = |text: &str| Table::parse(text).unwrap_err().to_string();
        assert_eq!((error("hello\n"), error("")), (NO_COLUMNS.to_owned(), NO_COLUMNS.to_owned()));
        assert_eq!(error("#GAME\tRES_B\n"), "it has no column RES_W");
        let text = table(&[row()]).replace("\t57\t", "\tlong\t");
        assert_eq!(error(&text), "line 6: 'long' is not a valid LEN");
    }
}
