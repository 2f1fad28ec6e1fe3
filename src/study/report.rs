//! What an experiment found: the paper's figure beside ours, line by line, and a picture.

use crate::workshop::tools::plot::Plot;
use crate::workshop::tools::statistics::Mean;
use crate::workshop::tools::statistics::Tally;
use serde::Serialize;
use std::fmt::Write as _;

/// A figure of ours.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Value {
    /// The figure.
    pub value: f64,
    /// The 95 % interval, if it is an estimate.
    pub interval: Option<(f64, f64)>,
    /// In what.
    pub unit: &'static str,
}

impl Value {
    /// An exact figure.
    pub fn exact(value: f64, unit: &'static str) -> Value {
        Value { value, interval: None, unit }
    }

    /// A winning rate in per cent; none without games.
    pub fn of_tally(tally: &Tally) -> Option<Value> {
        let (low, high) = tally.interval();
        let value = 100.0 * tally.score()?;
        Some(Value { value, interval: Some((100.0 * low, 100.0 * high)), unit: "%" })
    }

    /// A mean; none of fewer than two values.
    pub fn of_mean(mean: &Mean, unit: &'static str) -> Option<Value> {
        let known = mean.count > 1;
        known.then(|| Value { value: mean.mean, interval: Some(mean.interval()), unit })
    }

    fn show(&self) -> String {
        let digits = match self.interval {
            Some(_) => 1,
            None if self.value.fract() == 0.0 => 0,
            None => 3,
        };
        let mut text = format!("{:.digits$}", self.value);
        if !self.unit.is_empty() {
            let _ = write!(text, " {}", self.unit);
        }
        if let Some((low, high)) = self.interval {
            let _ = write!(text, " ({low:.digits$} .. {high:.digits$})");
        }
        text
    }
}

/// One line: a cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// What was measured.
    pub name: String,
    /// What the paper says.
    pub paper: String,
    /// What we found; nothing if it was not yet run.
    pub ours: Vec<Value>,
    /// Games behind it.
    pub games: Option<u32>,
    /// Where it differs, or how it is.
    pub note: String,
}

impl Line {
    /// A line without a figure of ours.
    pub fn new(name: impl Into<String>, paper: impl Into<String>) -> Line {
        let (name, paper) = (name.into(), paper.into());
        Line { name, paper, ours: vec![], games: None, note: String::new() }
    }

    /// The line with an exact figure.
    pub fn exact(mut self, value: f64, unit: &'static str) -> Line {
        self.ours.push(Value::exact(value, unit));
        self
    }

    /// The line with a remark.
    pub fn note(mut self, note: impl Into<String>) -> Line {
        self.note = note.into();
        self
    }
}

/// All that an experiment found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The cells.
    pub lines: Vec<Line>,
    /// What there is to say.
    pub notes: Vec<String>,
    /// The picture.
    #[serde(skip)]
    pub svg: Option<String>,
}

impl Report {
    /// An empty report.
    pub fn new(title: &str) -> Report {
        Report { title: title.to_owned(), ..Report::default() }
    }

    /// Adds a line with an exact figure.
    pub fn exact(&mut self, name: impl Into<String>, paper: &str, value: f64, unit: &'static str) {
        self.lines.push(Line::new(name, paper).exact(value, unit));
    }

    /// The report with a picture.
    pub fn with_plot(mut self, plot: &Plot) -> Report {
        self.svg = Some(plot.to_svg());
        self
    }

    /// A table as text; Markdown reads it as one too.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", self.title);
        if !self.lines.is_empty() {
            text += "| cell | paper | ours | games | note |\n|---|---|---|---|---|\n";
        }
        for line in &self.lines {
            let ours: Vec<String> = line.ours.iter().map(Value::show).collect();
            let ours = match ours.is_empty() {
                false => ours.join(", "),
                true if line.games == Some(0) => "not yet run".to_owned(),
                true => String::new(),
            };
            let games =
                line.games.filter(|&games| games > 0).map_or(String::new(), |n| n.to_string());
            let Line { name, paper, note, .. } = line;
            let _ = writeln!(text, "| {name} | {paper} | {ours} | {games} | {note} |");
        }
        for note in &self.notes {
            let _ = write!(text, "\n{note}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_was_not_run() {
        let mut report = Report::new("Table 5.1");
        let tally = Tally { wins: 3, losses: 7, draws: 0 };
        let ours = Value::of_tally(&tally).into_iter().collect();
        report.lines.push(Line { games: Some(10), ours, ..Line::new("k = 1500", "14.1 %") });
        report.lines.push(Line { games: Some(0), ..Line::new("k = 3000", "-") });
        report.lines.push(Line::new("t(G)", "2").exact(2.0, ""));
        let text = report.to_text();
        for line in [
            "| k = 1500 | 14.1 % | 30.0 % (10.8 .. 60.3) | 10 |  |",
            "| k = 3000 | - | not yet run |  |  |",
            "| t(G) | 2 | 2 |  |  |",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(Value::of_tally(&Tally::default()), None);
    }
}
