//! Figures as the tools print them: one per line as `name: value unit`, or all of them as JSON.

use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// One measured number.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// The number.
    pub value: f64,
    /// In what.
    pub unit: String,
}

impl Figure {
    /// A figure from its parts.
    pub fn new(name: impl Into<String>, value: f64, unit: impl Into<String>) -> Figure {
        Figure { name: name.into(), value, unit: unit.into() }
    }
}

/// Four digits at least, none of them noise: whole numbers are printed whole.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = match self.value.abs() {
            value if value.fract() == 0.0 || value >= 1000.0 => 0,
            value if value >= 10.0 => 1,
            _ => 3,
        };
        write!(f, "{}: {:.digits$}", self.name, self.value)?;
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}

/// A number with so many digits after the point, as files keep it.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round() / unit
}

/// Prints figures as they come, or collects them for one JSON array at the end.
#[derive(Debug)]
pub struct Printer<W: Write> {
    out: W,
    json: Option<Vec<Figure>>,
}

impl<W: Write> Printer<W> {
    /// Prints to `out`, as lines or as JSON.
    pub fn new(out: W, json: bool) -> Printer<W> {
        Printer { out, json: json.then(Vec::new) }
    }

    /// Adds a figure. A line is written at once, so that long work shows how far it is.
    pub fn print(&mut self, figure: Figure) -> io::Result<()> {
        match &mut self.json {
            Some(figures) => figures.push(figure),
            None => {
                writeln!(self.out, "{figure}")?;
                self.out.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the JSON array, if that was asked for.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(figures) = &self.json {
            serde_json::to_writer_pretty(&mut self.out, figures)?;
            writeln!(self.out)?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(json: bool) -> String {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, json);
        printer.print(Figure::new("light 19x19 1 thread", 31200.4, "playouts/s")).unwrap();
        printer.print(Figure::new("top-1", 40.349, "%")).unwrap();
        printer.print(Figure::new("speedup", 1.9312, "times")).unwrap();
        printer.print(Figure::new("depth 1", 9.0, "sequences")).unwrap();
        printer.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_name_value_unit() {
        let lines = "light 19x19 1 thread: 31200 playouts/s\ntop-1: 40.3 %\nspeedup: 1.931 times\n\
                     depth 1: 9 sequences\n";
        assert_eq!(printed(false), lines);
    }

    #[test]
    fn json_holds_the_same_figures() {
        let figures: serde_json::Value = serde_json::from_str(&printed(true)).unwrap();
        assert_eq!(figures.as_array().unwrap().len(), 4);
        assert_eq!(figures[1]["name"], "top-1");
        assert_eq!(figures[1]["value"], 40.349);
        assert_eq!(figures[3]["unit"], "sequences");
    }
}
