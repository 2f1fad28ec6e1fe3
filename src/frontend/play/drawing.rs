//! The picture of a board.
//!
//! Two columns of text for a point: a connecting line and the point itself. The last move stands in brackets, which
//! take the place of the lines beside it and need no colour. 19x19 with both rows of letters is 21 lines high and 44
//! columns wide, so that it fits 80x24 with what is beside and below it.

use crate::board::is_star;
use crate::game::Game;
use crate::types::{Color, Point, PointMap};

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// ANSI colours: a wooden board with black and white stones.
    pub colors: bool,
    /// Letters instead of drawn lines and stones.
    pub ascii: bool,
}

/// Who owns the points, to be shown on the board, and which stones are dead.
pub struct Territory {
    /// The owners.
    pub owners: PointMap<Option<Color>>,
    /// Dead stones.
    pub dead: Vec<Point>,
}

/// Wood, black and white of the 256 colours.
const WOOD: &str = "\x1b[48;5;179m";
const LINE: &str = "\x1b[38;5;94m";
const BLACK: &str = "\x1b[38;5;16m";
const WHITE: &str = "\x1b[38;5;231m";
const LAST: &str = "\x1b[38;5;160m";
const RESET: &str = "\x1b[0m";

/// The board line by line, with `beside` to its right.
pub fn board(
    game: &Game,
    style: Style,
    territory: Option<&Territory>,
    beside: &[String],
) -> Vec<String> {
    let size = game.size();
    let letters = letters(size);
    let mut lines = vec![letters.clone()];
    let picture = Picture { game, style, territory };
    lines.extend((1..=size).rev().map(|row| picture.row(row)));
    lines.push(letters);
    for (line, text) in lines.iter_mut().skip(1).zip(beside) {
        line.push_str("  ");
        line.push_str(text);
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

fn letters(size: usize) -> String {
    let name = |column| Point::new(column, 1).to_string();
    let letter = |column| format!(" {}", name(column).trim_end_matches('1'));
    format!("  {}    ", (1..=size).map(letter).collect::<String>())
}

struct Picture<'a> {
    game: &'a Game,
    style: Style,
    territory: Option<&'a Territory>,
}

impl Picture<'_> {
    fn row(&self, row: usize) -> String {
        let size = self.game.size();
        let mut line = format!("{row:>2}");
        if self.style.colors {
            line.push_str(WOOD);
        }
        for column in 1..=size + 1 {
            line.push_str(&self.between(column, row));
            if column <= size {
                line.push_str(&self.point(Point::new(column, row)));
            }
        }
        if self.style.colors {
            line.push_str(RESET);
        }
        line + &format!("{row:>2}")
    }

    /// What stands left of a point: a line, the edge, or a bracket of the last move.
    fn between(&self, column: usize, row: usize) -> String {
        let last = self.game.moves().last().map(|last| last.point).filter(|point| !point.is_pass());
        let is_last = |column: usize| last == Some(Point::new(column, row));
        let inside = (2..=self.game.size()).contains(&column);
        let line = if inside && !self.style.ascii { "─" } else { " " };
        if is_last(column) {
            self.colored(LAST, "(")
        } else if column > 1 && is_last(column - 1) {
            self.colored(LAST, ")")
        } else {
            self.colored(LINE, line)
        }
    }

    fn point(&self, point: Point) -> String {
        let board = self.game.board();
        let dead = self.territory.is_some_and(|territory| territory.dead.contains(&point));
        match board.cell(point).color() {
            Some(color) if !dead => self.stone(color),
            stone => match self.territory.and_then(|territory| territory.owners[point]) {
                Some(owner) => self.owned(owner, stone.is_some()),
                None => self.empty(point),
            },
        }
    }

    fn stone(&self, color: Color) -> String {
        let (stone, code) = stone_and_code(color, self.style);
        self.colored(code, stone)
    }

    /// A point of territory, or a dead stone that stands in it.
    fn owned(&self, owner: Color, dead_stone: bool) -> String {
        let code = if owner == Color::Black { BLACK } else { WHITE };
        let mark = match (owner, self.style.ascii) {
            _ if dead_stone && self.style.ascii => "%",
            _ if dead_stone => "×",
            (Color::Black, true) => "x",
            (Color::White, true) => "o",
            (Color::White, false) if !self.style.colors => "▫",
            (_, false) => "▪",
        };
        self.colored(code, mark)
    }

    fn empty(&self, point: Point) -> String {
        let star = is_star(point, self.game.size());
        if self.style.ascii {
            return self.colored(LINE, if star { "+" } else { "." });
        }
        let size = self.game.size();
        let (left, right) = (point.column() == 1, point.column() == size);
        let (bottom, top) = (point.row() == 1, point.row() == size);
        let cross = match (left, right, bottom, top) {
            (true, _, _, true) => "┌",
            (_, true, _, true) => "┐",
            (true, _, true, _) => "└",
            (_, true, true, _) => "┘",
            (true, ..) => "├",
            (_, true, ..) => "┤",
            (_, _, true, _) => "┴",
            (.., true) => "┬",
            _ if star => "╋",
            _ => "┼",
        };
        self.colored(LINE, cross)
    }

    fn colored(&self, code: &str, text: &str) -> String {
        if self.style.colors { format!("{code}{text}") } else { text.to_owned() }
    }
}

fn stone_and_code(color: Color, style: Style) -> (&'static str, &'static str) {
    match (color, style) {
        (Color::Black, Style { ascii: true, .. }) => ("X", BLACK),
        (Color::White, Style { ascii: true, .. }) => ("O", WHITE),
        (Color::Black, _) => ("●", BLACK),
        (Color::White, Style { colors: true, .. }) => ("●", WHITE),
        (Color::White, _) => ("○", WHITE),
    }
}

/// The sign of a colour as it is drawn, for the legend.
pub fn sign(color: Color, style: Style) -> String {
    let (sign, code) = stone_and_code(color, style);
    if style.colors { format!("{WOOD}{code} {sign} {RESET}") } else { sign.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::types::Move;

    const PLAIN: Style = Style { colors: false, ascii: false };

    fn game(size: usize, moves: &[&str]) -> Game {
        let mut game = Game::new(size, Rules::CHINESE);
        for text in moves {
            game.play(Move::parse_gtp(text, size).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_small_board() {
        let lines = board(&game(5, &["b c3", "w a1", "b e5"]), PLAIN, None, &["beside".to_owned()]);
        let expected = [
            "   A B C D E",
            " 5 ┌─┬─┬─┬(●) 5  beside",
            " 4 ├─┼─┼─┼─┤  4",
            " 3 ├─┼─●─┼─┤  3",
            " 2 ├─┼─┼─┼─┤  2",
            " 1 ○─┴─┴─┴─┘  1",
            "   A B C D E",
        ];
        assert_eq!(lines, expected);
        let ascii = Style { colors: false, ascii: true };
        let lines = board(&game(9, &["b c3", "w a9"]), ascii, None, &[]);
        assert_eq!(lines[1], " 9(O). . . . . . . .  9");
        assert_eq!(lines[7], " 3 . . X . . . + . .  3");
        assert_eq!(lines[5], " 5 . . . . + . . . .  5");
    }

    #[test]
    fn the_largest_board_fits_a_small_terminal() {
        let beside: Vec<String> = vec!["x".repeat(34); 6];
        let lines = board(&game(19, &["b q16", "w t19"]), PLAIN, None, &beside);
        assert_eq!(lines.len(), 21, "with two lines and a prompt it is 24");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
        let numbered = |line: &String| line.starts_with("19 ") && line.contains("(○)19");
        assert!(numbered(&lines[1]), "{}", lines[1]);
    }

    #[test]
    fn colours_are_only_codes_around_the_same_places() {
        let played = game(9, &["b e5", "w c3"]);
        let colored = board(&played, Style { colors: true, ascii: false }, None, &[]);
        let plain = board(&played, PLAIN, None, &[]);
        for (colored, plain) in colored.iter().zip(&plain) {
            let mut stripped = String::new();
            let mut code = false;
            for c in colored.chars() {
                match c {
                    '\x1b' => code = true,
                    'm' if code => code = false,
                    c if !code => stripped.push(c),
                    _ => {}
                }
            }
            assert_eq!(stripped, plain.replace('○', "●"));
        }
    }

    #[test]
    fn territory_and_dead_stones_are_marked() {
        let played = game(3, &["b b1", "w a3", "b b2", "w c3", "b b3"]);
        let mut owners = PointMap::filled(None);
        for point in played.board().points().filter(|point| point.column() != 2) {
            owners[point] = Some(Color::Black);
        }
        let territory = Territory { owners, dead: vec![Point::new(1, 3), Point::new(3, 3)] };
        let lines = board(&played, PLAIN, Some(&territory), &[]);
        assert_eq!(lines[1], " 3 ×(●)×  3");
        assert_eq!(lines[2], " 2 ▪─●─▪  2");
    }
}
