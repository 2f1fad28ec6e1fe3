//! Positions with a referee's judgement, one JSON object per line.
//!
//! `size`, `komi`, `moves` (GTP vertices from the empty board, colours alternating from `first`) and
//! `to_play` give the position. The referee's values are from Black's side: `winrate`, `ownership` (a
//! letter per point from the top left, row by row: `M` is nobody's, `Y` surely Black's, `A` surely
//! White's) and `after`, which maps moves to `[lead, winrate]` after them. Which of the three there
//! are depends on what the file is for; fields with other names are left alone.
//!
//! A file is read and checked as a whole before anything is measured: a bad line is an error that
//! names it, never a position that is silently left out.

use crate::board::Board;
use crate::input::{self, Found};
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Move, ParseError, Point};
use anyhow::{Result, anyhow, bail, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

/// Most bytes of a file, uncompressed: positions are held in memory.
const MAX_FILE: u64 = 4 << 30;

/// Which of the referee's values a measurement cannot do without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// `winrate` and `ownership`, for playouts.
    Judgement,
    /// `after`, for moves.
    Moves,
    /// The position alone.
    Nothing,
}

/// The referee's values after a move, from Black's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct After {
    /// Black's lead in points.
    pub lead: f64,
    /// Black's winning probability.
    pub winrate: f64,
}

/// A position and what the referee thinks of it, from Black's side.
#[derive(Clone, Debug)]
pub struct Position {
    /// Its line in the file, from 1: a name that does not change when fewer positions are used.
    pub line: usize,
    /// Points per side.
    pub size: usize,
    /// White's compensation.
    pub komi: f32,
    /// The moves that lead to it.
    pub moves: Vec<Move>,
    /// Who is to move.
    pub to_play: Color,
    /// Black's winning probability; 1/2 where the file has none.
    pub winrate: f64,
    /// A letter per point from the top left; empty where the file has none.
    ownership: Vec<u8>,
    /// The values after the moves that the referee judged, in the order of their points.
    pub after: Vec<(Point, After)>,
}

/// A line as it is written.
#[derive(Deserialize)]
struct Line {
    size: usize,
    komi: f32,
    moves: String,
    first: Option<String>,
    to_play: Option<String>,
    winrate: Option<f64>,
    ownership: Option<String>,
    #[serde(default)]
    after: BTreeMap<String, (f64, f64)>,
}

impl Position {
    /// Reads a position from the text of a line.
    pub fn parse(line: &str, needs: Needs) -> Result<Position> {
        let line: Line = fields(line)?;
        let size = line.size;
        ensure!(
            (MIN_SIZE..=MAX_SIZE).contains(&size),
            "the board size {size} is not in {MIN_SIZE}..={MAX_SIZE}"
        );
        in_range("komi", line.komi.into(), -1000.0, 1000.0)?;
        let color = |text: Option<String>, default| match text {
            None => Ok(default),
            Some(text) => Color::parse_gtp(&text).ok_or(ParseError::Color(text)),
        };
        let mut to_play = color(line.first, Color::Black)?;
        let mut moves = Vec::new();
        for vertex in line.moves.split_ascii_whitespace() {
            moves.push(Move::new(to_play, Point::parse_gtp(vertex, size)?));
            to_play = to_play.opponent();
        }
        let mut after = Vec::with_capacity(line.after.len());
        for (vertex, (lead, winrate)) in &line.after {
            let lead = in_range("lead", *lead, -2000.0, 2000.0)?;
            let winrate = in_range("winrate", *winrate, 0.0, 1.0)?;
            after.push((Point::parse_gtp(vertex, size)?, After { lead, winrate }));
        }
        after.sort_by_key(|&(point, _)| point);
        let ownership = line.ownership.unwrap_or_default().into_bytes();
        match needs {
            Needs::Moves if after.is_empty() => bail!(missing("after")),
            Needs::Judgement if line.winrate.is_none() => bail!(missing("winrate")),
            Needs::Judgement if ownership.is_empty() => bail!(missing("ownership")),
            _ => {}
        }
        let letters = |bytes: &[u8]| bytes.iter().all(|byte| (b'A'..=b'Y').contains(byte));
        ensure!(
            ownership.is_empty() || (ownership.len() == size * size && letters(&ownership)),
            "ownership must be {} letters from A to Y",
            size * size
        );
        let position = Position {
            line: 1,
            size,
            komi: line.komi,
            moves,
            to_play: color(line.to_play, to_play)?,
            winrate: in_range("winrate", line.winrate.unwrap_or(0.5), 0.0, 1.0)?,
            ownership,
            after,
        };
        position.replay()?;
        Ok(position)
    }

    fn replay(&self) -> Result<Board> {
        let mut board = Board::new(self.size);
        for (index, &Move { color, point }) in self.moves.iter().enumerate() {
            board.set_to_play(color);
            let legal = |point| board.is_empty(point) && board.is_legal(color, point);
            let number = index + 1;
            ensure!(point.is_pass() || legal(point), "move {number}, {point}, is not legal");
            board.play_legal(point);
        }
        board.set_to_play(self.to_play);
        Ok(board)
    }

    /// The position on a board, `to_play` to move.
    pub fn board(&self) -> Board {
        // The moves were played when the line was read, so this cannot fail.
        self.replay().unwrap_or_else(|_| Board::new(self.size))
    }

    /// The expected owner of a point: 1 is surely Black's, -1 surely White's; 0 where the file
    /// does not say.
    pub fn owner(&self, point: Point) -> f64 {
        let index = (self.size - point.row()) * self.size + point.column() - 1;
        let letter = self.ownership.get(index).copied().unwrap_or(b'M');
        (f64::from(letter) - f64::from(b'M')) / 12.0
    }
}

/// The fields that are wanted of a line.
pub fn fields<T: DeserializeOwned>(line: &str) -> Result<T> {
    serde_json::from_str(line).map_err(|error| anyhow!("not a position in JSON ({error})"))
}

/// A number, if it lies between two others.
pub fn in_range(name: &str, value: f64, low: f64, high: f64) -> Result<f64> {
    ensure!((low..=high).contains(&value), "{name} {value} is out of range");
    Ok(value)
}

fn missing(field: &str) -> String {
    format!("the field '{field}' is missing or empty, and this measurement needs it")
}

/// Calls a function with the number, from 1, and the text of every line of a plain or compressed file,
/// until it says false; blank lines are skipped. What it refuses is an error that names the line.
pub fn for_each_line(path: &Path, mut see: impl FnMut(usize, &str) -> Result<bool>) -> Result<()> {
    let unreadable = |error: &dyn Display| anyhow!("the line cannot be read ({error})");
    let mut input = input::open(path, MAX_FILE)?;
    let (mut bytes, mut empty) = (Vec::new(), true);
    for number in 1.. {
        let seen = match input::read_line(&mut input, &mut bytes) {
            Ok(Found::End) => break,
            Ok(Found::Line) if bytes.trim_ascii().is_empty() => continue,
            Ok(Found::Line) => match std::str::from_utf8(&bytes) {
                Ok(line) => see(number, line),
                Err(error) => Err(unreadable(&error)),
            },
            Ok(Found::TooLong) => {
                Err(anyhow!("the line is longer than {} MB", input::MAX_LINE >> 20))
            }
            Err(error) => Err(unreadable(&error)),
        };
        empty = false;
        if !seen.map_err(|reason| anyhow!("'{}', line {number}: {reason}", path.display()))? {
            break;
        }
    }
    ensure!(
        !empty,
        "'{}' holds no positions; give a file with one JSON object per line",
        path.display()
    );
    Ok(())
}

/// A file of positions.
#[derive(Clone, Debug)]
pub struct Labels {
    /// The name of the file without folder and ending, for reports.
    pub name: String,
    /// The positions in the order of the file.
    pub positions: Vec<Position>,
}

impl Labels {
    /// Reads a plain or compressed file. With a limit, keeps at most that
    /// many positions, spread evenly over the file: neighbours are often from one game.
    pub fn read(path: &Path, needs: Needs, limit: Option<usize>) -> Result<Labels> {
        let mut positions = Vec::new();
        for_each_line(path, |line, text| {
            positions.push(Position { line, ..Position::parse(text, needs)? });
            Ok(true)
        })?;
        if let Some(limit) = limit.filter(|&limit| limit < positions.len()) {
            let all = positions.len();
            let kept = (0..limit).map(|index| positions[index * all / limit].clone());
            positions = kept.collect();
        }
        let file = path.file_name().map_or_else(Default::default, |name| name.to_string_lossy());
        let name = file.split('.').find(|part| !part.is_empty()).unwrap_or("-");
        Ok(Labels { name: name.to_owned(), positions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"size": 3, "komi": 0.5, "moves": "B2 A1 pass", "first": "B",
        "to_play": "W", "winrate": 0.75, "lead": 1.5, "policy": {"C1": 1.0},
        "ownership": "YMAYYYGSM", "after": {"C3": [1.0, 0.5], "pass": [2.5, 0.9]}}"#;

    #[test]
    fn a_line_becomes_a_position() {
        let position = Position::parse(LINE, Needs::Judgement).unwrap();
        assert_eq!(position.moves.len(), 3);
        assert_eq!((position.size, position.komi, position.winrate), (3, 0.5, 0.75));
        let board = position.board();
        assert_eq!(board.to_play(), Color::White);
        assert!(board.is_stone(Point::new(2, 2), Color::Black));
        assert!(board.is_stone(Point::new(1, 1), Color::White));
        let owner = |column, row| position.owner(Point::new(column, row));
        assert_eq!((owner(1, 3), owner(2, 3), owner(3, 3)), (1.0, 0.0, -1.0));
        assert_eq!((owner(1, 1), owner(2, 1)), (-0.5, 0.5));
        let pass = After { lead: 2.5, winrate: 0.9 };
        assert_eq!(position.after[0], (Point::PASS, pass));
        assert_eq!(position.after.len(), 2);
    }

    #[test]
    fn the_first_player_and_missing_fields() {
        let line = r#"{"size":9,"komi":7,"moves":"E5","first":"white","after":{"A1":[0,0.5]}}"#;
        let position = Position::parse(line, Needs::Moves).unwrap();
        assert_eq!(position.moves, [Move::new(Color::White, Point::new(5, 5))]);
        assert_eq!((position.to_play, position.winrate), (Color::Black, 0.5));
        assert_eq!(position.owner(Point::new(5, 5)), 0.0);
        assert!(Position::parse(line, Needs::Judgement).is_err());
    }

    #[test]
    fn bad_lines_are_told_apart() {
        let error = |from: &str, to: &str| {
            assert!(LINE.contains(from), "{from}");
            Position::parse(&LINE.replace(from, to), Needs::Moves).unwrap_err().to_string()
        };
        for (from, to, message) in [
            ("\"size\": 3", "\"size\": 1", "the board size 1 is not in 2..=19"),
            ("\"size\": 3", "\"size\": 20", "the board size 20 is not in 2..=19"),
            ("A1 pass", "B2 pass", "move 2, B2, is not legal"),
            ("A1 pass", "D4 pass", "'D4' is outside the 3x3 board"),
            ("\"W\"", "\"green\"", "'green' is not a colour (black or white)"),
            ("YMAYYYGSM", "YMAYYYGS", "ownership must be 9 letters from A to Y"),
            ("YMAYYYGSM", "YMAYYYGSZ", "ownership must be 9 letters from A to Y"),
            ("0.75", "1.75", "winrate 1.75 is out of range"),
            ("\"komi\": 0.5", "\"komi\": 1e9", "komi 1000000000 is out of range"),
            ("\"C3\"", "\"I3\"", "'I3' is not a vertex (like D4, or pass)"),
        ] {
            assert_eq!(error(from, to), message);
        }
        assert!(error("\"after\"", "\"later\"").contains("'after' is missing"));
        assert!(error("\"komi\"", "\"comi\"").starts_with("not a position in JSON"));
        assert!(error("}}", "}").starts_with("not a position in JSON"));
    }

    #[test]
    fn files_are_read_and_errors_name_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made.up.jsonl");
        let line = LINE.replace('\n', " ");
        let numbered: Vec<String> =
            (0..10).map(|n| line.replace("0.75", &format!("0.{n}"))).collect();
        std::fs::write(&path, numbered.join("\n\n")).unwrap();
        let labels = Labels::read(&path, Needs::Moves, None).unwrap();
        assert_eq!((labels.name.as_str(), labels.positions.len()), ("made", 10));
        let spread = Labels::read(&path, Needs::Moves, Some(3)).unwrap();
        let winrates: Vec<f64> = spread.positions.iter().map(|p| p.winrate).collect();
        assert_eq!(winrates, [0.0, 0.3, 0.6]);
        let lines: Vec<usize> = spread.positions.iter().map(|p| p.line).collect();
        assert_eq!(lines, [1, 7, 13]);

        std::fs::write(&path, format!("{line}\nrubbish\n")).unwrap();
        let error = Labels::read(&path, Needs::Moves, None).unwrap_err().to_string();
        assert!(error.contains("made.up.jsonl', line 2: not a position"), "{error}");
        std::fs::write(&path, b"\xff\xfe\n").unwrap();
        assert!(Labels::read(&path, Needs::Moves, None).is_err());
        std::fs::write(&path, "\n").unwrap();
        let error = Labels::read(&path, Needs::Moves, None).unwrap_err().to_string();
        assert!(error.contains("holds no positions"), "{error}");
    }

    #[test]
    fn bombs_and_endless_lines_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl.zst");
        let read = |bytes: &[u8]| {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            std::fs::write(&path, ruzstd::encoding::compress_to_vec(bytes, level)).unwrap();
            Labels::read(&path, Needs::Judgement, None).unwrap_err().to_string()
        };
        let error = read(&vec![b' '; input::MAX_LINE + 1]);
        assert!(error.ends_with("line 1: the line is longer than 16 MB"), "{error}");
        let error = read(b"\xff\n");
        assert!(error.contains("line 1: the line cannot be read (invalid utf-8"), "{error}");
        // 128 KB of newlines in four bytes, again and again.
        let block = [0x02, 0x00, 0x10, b'\n'];
        let bomb = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 8 << 3][..], &block.repeat(1 << 14)].concat();
        std::fs::write(&path, bomb).unwrap();
        let error = Labels::read(&path, Needs::Judgement, None).unwrap_err().to_string();
        assert!(error.contains("unpacks to more than 1000 times its size"), "{error}");
    }
}
