//! From SGF text to a [`Record`].
//!
//! Files in the wild bend the format; this is what happens to them:
//! - setup nodes before the first move are merged into the start position, later ones become
//!   steps of their own;
//! - a node with setup and a move places the stones first; a node with two moves plays both in the
//!   order in which they stand;
//! - a comment on a node that does nothing joins the comment of the node before it;
//! - game information is taken from wherever it first stands;
//! - text that is not UTF-8 is read as Latin-1, value by value.

use super::scan::{Charset, Scanner, Token, board_size, canonical, excerpt, values};
use super::{Action, Record, Setup, SgfError, Step};
use crate::types::{Color, MAX_SIZE, Move, Point, PointMap, points};
use sgf_parse::go::{self, Prop};
use sgf_parse::{SgfProp, SimpleText};

/// Setup points a text may name. A square of points can stand for 52 * 52 of them.
const MAX_STONES: usize = 2_000_000;

/// Nodes and properties between two looks at whether to go on.
const LOOK_EVERY: usize = 4096;

impl Record {
    /// The main line of the first game in a text. It need not be UTF-8.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Record, SgfError> {
        Record::parse_while(text.as_ref(), &|| true)
    }

    /// The same, as long as `go_on` says so.
    pub(super) fn parse_while(bytes: &[u8], go_on: &dyn Fn() -> bool) -> Result<Record, SgfError> {
        if bytes.contains(&0) {
            return Err(SgfError::NotText);
        }
        let mut scanner = Scanner::new(bytes)?;
        let charset = scanner.charset();
        let mut reader = Reader::new(board_size(&scanner)?);
        let mut tokens: usize = 0;
        while let Some(token) = scanner.next()? {
            if tokens.is_multiple_of(LOOK_EVERY) && !go_on() {
                return Err(SgfError::Interrupted);
            }
            tokens += 1;
            match token {
                Token::Node => reader.end_node(),
                Token::Property { name, raw } => {
                    let name = canonical(name);
                    if let Some(kind) = kind(&name) {
                        reader.property(name, kind, values(raw, charset), charset)?;
                    }
                }
            }
        }
        reader.end_node();
        Ok(reader.record)
    }
}

/// How the values of a property are to be read; none for those that a record does not keep.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Points, numbers, colours: white space around them does not count.
    Word,
    /// One or more points or rectangles.
    Points,
    /// Text in one line.
    Line,
    /// Text with line breaks.
    Text,
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "B" | "W" | "PL" | "KM" | "HA" | "GM" => Kind::Word,
        "AB" | "AW" | "AE" => Kind::Points,
        "RU" | "RE" | "PB" | "PW" | "BR" | "WR" | "DT" | "EV" | "RO" | "PC" | "GN" => Kind::Line,
        "C" => Kind::Text,
        _ => return None,
    })
}

/// A node under construction, and the record of all nodes before it.
struct Reader {
    record: Record,
    stones: PointMap<Option<Option<Color>>>,
    has_stones: bool,
    to_play: Option<Color>,
    plays: Vec<Move>,
    comment: String,
    stone_budget: usize,
}

impl Reader {
    fn new(size: usize) -> Reader {
        Reader {
            record: Record::new(size),
            stones: PointMap::filled(None),
            has_stones: false,
            to_play: None,
            plays: Vec::new(),
            comment: String::new(),
            stone_budget: MAX_STONES,
        }
    }

    fn property<'a>(
        &mut self,
        name: String,
        kind: Kind,
        values: impl Iterator<Item = &'a [u8]>,
        charset: Charset,
    ) -> Result<(), SgfError> {
        let read = |value: &[u8]| match kind {
            Kind::Word | Kind::Points => decode(value.trim_ascii().to_vec()),
            Kind::Line => text(value, false, charset),
            Kind::Text => text(value, true, charset),
        };
        if kind == Kind::Points {
            let values: Vec<String> = values.map(read).filter(|value| !value.is_empty()).collect();
            if values.is_empty() {
                return Ok(()); // `AB[]` adds nothing
            }
            let named: usize =
                values.iter().map(|v| if v.contains(':') { 52 * 52 } else { 1 }).sum();
            self.stone_budget =
                self.stone_budget.checked_sub(named).ok_or(SgfError::TooManyStones)?;
            return self.understood(Prop::new(name, values));
        }
        // More than one value is against the format for all of these; the first one counts, as in
        // most programs, except for moves, where leaving one out would change the game.
        let moves = name == "B" || name == "W";
        let values = values.take(if moves { 2 } else { 1 }).map(read).collect();
        self.understood(Prop::new(name, values))
    }

    /// Takes over one property that sgf-parse has read.
    fn understood(&mut self, property: Prop) -> Result<(), SgfError> {
        fn keep(field: &mut Option<String>, value: SimpleText) {
            if field.is_none() && !value.text.is_empty() {
                *field = Some(value.text);
            }
        }
        let record = &mut self.record;
        match property {
            Prop::B(play) => return self.play(Color::Black, play),
            Prop::W(play) => return self.play(Color::White, play),
            Prop::AB(points) => return self.place("AB", points, Some(Color::Black)),
            Prop::AW(points) => return self.place("AW", points, Some(Color::White)),
            Prop::AE(points) => return self.place("AE", points, None),
            Prop::PL(color) => {
                self.to_play = Some(match color {
                    sgf_parse::Color::Black => Color::Black,
                    sgf_parse::Color::White => Color::White,
                });
            }
            Prop::C(comment) => append(&mut self.comment, &comment.text),
            Prop::GM(1) => {}
            Prop::GM(game) => return Err(SgfError::NotGo(game.to_string())),
            Prop::KM(points) => record.komi = record.komi.or(komi(points)),
            Prop::HA(stones) => {
                let fits = |&stones: &usize| stones < record.size * record.size;
                record.handicap = usize::try_from(stones).ok().filter(fits).unwrap_or(0);
            }
            Prop::RU(value) => keep(&mut record.rules, value),
            Prop::RE(value) => keep(&mut record.result, value),
            Prop::PB(value) => keep(&mut record.black_name, value),
            Prop::PW(value) => keep(&mut record.white_name, value),
            Prop::BR(value) => keep(&mut record.black_rank, value),
            Prop::WR(value) => keep(&mut record.white_rank, value),
            Prop::DT(value) => keep(&mut record.date, value),
            Prop::EV(value) => keep(&mut record.event, value),
            Prop::RO(value) => keep(&mut record.round, value),
            Prop::PC(value) => keep(&mut record.place, value),
            Prop::GN(value) => keep(&mut record.game_name, value),
            Prop::Invalid(name, values) => return self.misunderstood(&name, &values),
            _ => {}
        }
        Ok(())
    }

    /// A property whose value sgf-parse refuses.
    fn misunderstood(&mut self, name: &str, values: &[String]) -> Result<(), SgfError> {
        let value = values.first().map_or("", String::as_str);
        match name {
            "B" | "W" | "AB" | "AW" | "AE" => {
                let is_point = |value: &&String| value.parse::<go::Point>().is_err();
                let culprit = values.iter().find(is_point).map_or(value, String::as_str);
                return Err(self.bad_point(name, culprit.as_bytes()));
            }
            "GM" if !value.is_empty() => return Err(SgfError::NotGo(excerpt(value.as_bytes()))),
            // Not FF[4], but seen: PL[white], PL[w], and PL[1] for Black.
            "PL" => {
                self.to_play = Color::parse_gtp(value).or(match value {
                    "1" => Some(Color::Black),
                    "2" => Some(Color::White),
                    _ => None,
                })
            }
            "KM" => {
                let points = value.replace(',', ".").parse().ok();
                self.record.komi = self.record.komi.or(points.and_then(komi));
            }
            _ => {} // HA[0] and the like
        }
        Ok(())
    }

    fn play(&mut self, color: Color, play: go::Move) -> Result<(), SgfError> {
        let point = match play {
            go::Move::Pass => Point::PASS,
            go::Move::Move(go::Point { x: 19, y: 19 }) => Point::PASS, // `tt`, the old pass
            go::Move::Move(point) => self
                .on_board(point)
                .ok_or_else(|| self.bad_point(&color.letter().to_string(), &letters(point)))?,
        };
        self.plays.push(Move::new(color, point));
        Ok(())
    }

    fn place(
        &mut self,
        name: &str,
        points: impl IntoIterator<Item = go::Point>,
        stone: Option<Color>,
    ) -> Result<(), SgfError> {
        // The set has no order: look for the first culprit, so that the message is always the same.
        let mut culprit = None;
        for point in points {
            match self.on_board(point) {
                Some(point) => self.stones[point] = Some(stone),
                None => culprit = culprit.max(Some((point.y, point.x))),
            }
        }
        self.has_stones = true;
        match culprit {
            Some((y, x)) => Err(self.bad_point(name, &letters(go::Point { x, y }))),
            None => Ok(()),
        }
    }

    fn on_board(&self, point: go::Point) -> Option<Point> {
        let (x, y, size) = (usize::from(point.x), usize::from(point.y), self.record.size);
        (x < size && y < size).then(|| Point::new(x + 1, size - y))
    }

    fn bad_point(&self, property: &str, value: &[u8]) -> SgfError {
        SgfError::Point {
            property: property.to_owned(),
            value: excerpt(value),
            size: self.record.size,
        }
    }

    /// Adds what the node did to the record.
    fn end_node(&mut self) {
        let record = &mut self.record;
        let mut acted = false;
        if std::mem::take(&mut self.has_stones) || self.to_play.is_some() {
            let stones = self.stones;
            let stones = points(record.size)
                .filter_map(|point| stones[point].map(|stone| Setup { point, stone }));
            if record.steps.is_empty() {
                // The start position: keep the stones of all its nodes until the first move.
                record.setup = stones.filter(|setup| setup.stone.is_some()).collect();
                record.first_player = self.to_play.or(record.first_player);
            } else {
                let action = Action::Setup { stones: stones.collect(), to_play: self.to_play };
                record.steps.push(Step { action, comment: String::new() });
                acted = true;
            }
            self.to_play = None;
        }
        for play in self.plays.drain(..) {
            record.push_move(play);
            acted = true;
        }
        if acted {
            self.stones.fill(None);
        }
        let comment = match record.steps.last_mut() {
            Some(step) => &mut step.comment,
            None => &mut record.comment,
        };
        append(comment, &self.comment);
        self.comment.clear();
    }
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// SGF letters of a point that may lie outside every board.
fn letters(point: go::Point) -> [u8; 2] {
    [point.x, point.y].map(|n| if n < 26 { b'a' + n } else { b'A' + n - 26 })
}

/// Komi in points. Some Asian servers write hundredths: `KM[650]` for 6.5 points, and `KM[375]` for
/// 3.75 stones by Chinese counting, which are 7.5 points. What exceeds every board is no komi.
pub(crate) fn komi(value: f64) -> Option<f32> {
    let points = match value {
        200.0..400.0 => value / 100.0 * 2.0,
        400.0..1000.0 => value / 100.0,
        _ => value,
    };
    (points.abs() <= (MAX_SIZE * MAX_SIZE) as f64).then_some(points as f32)
}

/// Text without its escapes: white space becomes a space, line breaks of all kinds become `\n` (a
/// space in one-line text), and an escaped line break disappears.
fn text(value: &[u8], keep_lines: bool, charset: Charset) -> String {
    let mut out = Vec::with_capacity(value.len());
    let mut position = 0;
    while let Some(&byte) = value.get(position) {
        position += 1;
        match byte {
            b'\\' => match value.get(position) {
                Some(b'\r' | b'\n') => position += line_break(&value[position..]),
                Some(b'\t' | 0x0B | 0x0C) => {
                    out.push(b' ');
                    position += 1;
                }
                // A backslash before a two-byte character: the loop copies that character.
                Some(&next) if charset.is_lead(next) => {}
                Some(&next) => {
                    out.push(next);
                    position += 1;
                }
                None => {}
            },
            b'\r' | b'\n' => {
                position += line_break(&value[position - 1..]) - 1;
                out.push(if keep_lines { b'\n' } else { b' ' });
            }
            b'\t' | 0x0B | 0x0C => out.push(b' '),
            _ => {
                out.push(byte);
                if charset.is_lead(byte) {
                    out.extend(value.get(position));
                    position += 1;
                }
            }
        }
    }
    decode(out)
}

/// Bytes of the line break at the start: one, or two for `\r\n` and `\n\r`.
fn line_break(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        _ => 1,
    }
}

fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn reading_a_long_text_can_be_interrupted() {
        let text = format!("(;SZ[9]{})", ";B[];W[]".repeat(50_000));
        let asked = Cell::new(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            asked.get() < 3
        };
        assert_eq!(Record::parse_while(text.as_bytes(), &go_on), Err(SgfError::Interrupted));
        assert_eq!(asked.get(), 3);
        assert_eq!(Record::parse_while(text.as_bytes(), &|| true), Record::parse(&text));
    }
}
