//! Boards as text, in both directions.

use super::Board;
use crate::types::{Cell, Color, MAX_SIZE, MIN_SIZE, Point};
use std::fmt;
use thiserror::Error;

/// A board read from a diagram, with the points that were marked by letters or digits.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The stones, Black to play.
    pub board: Board,
    /// Marks in reading order: `a` on an empty point, or any other letter or digit but `X`, `O`.
    pub marks: Vec<(char, Point)>,
}

/// Why a diagram could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DiagramError {
    /// Too few, too many, or unequal rows.
    #[error("the diagram must be a square of 2 to 19 rows; row {0} breaks it")]
    NotSquare(usize),
    /// A chain has no liberty.
    #[error("the stone at {0} has no liberty")]
    NoLiberty(Point),
}

impl Diagram {
    /// Reads rows of `.` (empty), `X` (black), `O` (white) and marks (empty points with a name),
    /// separated by any white space; blank lines and the order of stones do not matter.
    pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
        let rows: Vec<Vec<char>> = text
            .lines()
            .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        let size = rows.len();
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(DiagramError::NotSquare(size));
        }
        let mut diagram = Diagram { board: Board::new(size), marks: Vec::new() };
        for (from_top, row) in rows.iter().enumerate() {
            if row.len() != size {
                return Err(DiagramError::NotSquare(from_top + 1));
            }
            for (column, &c) in row.iter().enumerate() {
                let point = Point::new(column + 1, size - from_top);
                let color = match c {
                    'X' => Color::Black,
                    'O' => Color::White,
                    '.' => continue,
                    mark => {
                        diagram.marks.push((mark, point));
                        continue;
                    }
                };
                // A capture on the way means that the captured chain had no liberty in the end.
                let before = diagram.board.empty_points().len();
                if diagram.board.is_suicide(color, point) {
                    return Err(DiagramError::NoLiberty(point));
                }
                diagram.board.put_setup_stone(color, point);
                if diagram.board.empty_points().len() + 1 != before {
                    return Err(DiagramError::NoLiberty(point));
                }
            }
        }
        Ok(diagram)
    }

    /// The first point with this mark.
    ///
    /// # Panics
    /// If there is none; diagrams are written in tests.
    pub fn mark(&self, mark: char) -> Point {
        let found = self.marks.iter().find(|(c, _)| *c == mark);
        found.unwrap_or_else(|| panic!("no mark '{mark}' in the diagram")).1
    }

    /// All points with this mark, in reading order.
    pub fn marked(&self, mark: char) -> Vec<Point> {
        self.marks.iter().filter(|(c, _)| *c == mark).map(|&(_, point)| point).collect()
    }
}

/// A diagram with coordinates; `+` marks star points, brackets the last move.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let size = self.size();
        let columns: String = (1..=size).map(|x| format!(" {}", column_letter(x))).collect();
        writeln!(f, "  {columns}")?;
        for row in (1..=size).rev() {
            write!(f, "{row:2}")?;
            for column in 1..=size {
                let point = Point::new(column, row);
                let is_last = point == self.last_move();
                let before = if is_last { '(' } else { ' ' };
                let after_last = column > 1 && Point::new(column - 1, row) == self.last_move();
                let stone = match self.cell(point) {
                    Cell::Black => 'X',
                    Cell::White => 'O',
                    _ if is_star(point, size) => '+',
                    _ => '.',
                };
                write!(f, "{}{stone}", if after_last { ')' } else { before })?;
            }
            let close = if Point::new(size, row) == self.last_move() { ')' } else { ' ' };
            writeln!(f, "{close}{row:2}")?;
        }
        write!(f, "  {columns}")
    }
}

fn column_letter(column: usize) -> char {
    Point::new(column, 1).to_string().chars().next().unwrap_or('?')
}

/// Is this one of the points that printed boards mark? On small boards nine would mark every other point.
pub fn is_star(point: Point, size: usize) -> bool {
    let edge = if size >= 13 { 4 } else { 3 };
    let corner = |n: usize| n == edge || n == size + 1 - edge;
    let middle = |n: usize| size > 7 && 2 * n == size + 1;
    match (corner(point.column()), corner(point.row())) {
        (true, true) => size >= 7,
        (true, false) => size >= 13 && middle(point.row()),
        (false, true) => size >= 13 && middle(point.column()),
        (false, false) => middle(point.column()) && middle(point.row()),
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}\n{} to play, ko {}", self.to_play(), self.ko())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_where_printed_boards_have_them() {
        let points = crate::types::points;
        let stars = |size| points(size).filter(|&point| is_star(point, size)).count();
        assert_eq!([5, 7, 8, 9, 10, 13, 14, 19].map(stars), [0, 4, 4, 5, 4, 9, 4, 9]);
        assert!(is_star(Point::new(4, 10), 19) && is_star(Point::new(5, 5), 9));
    }

    #[test]
    fn a_diagram_is_read_and_printed() {
        let diagram = Diagram::parse(". X a\n X O .\n . . b").unwrap();
        let text = diagram.board.to_string();
        assert_eq!(text, "   A B C\n 3 . X .  3\n 2 X O .  2\n 1 . . .  1\n   A B C");
        assert_eq!(diagram.mark('a').to_string(), "C3");
        assert_eq!(diagram.marked('b'), [Point::new(3, 1)]);
        let mut board = diagram.board;
        board.play_legal(diagram.marks[0].1);
        assert!(board.to_string().contains(" 3 . X(X) 3"), "{board}");
    }

    #[test]
    fn bad_diagrams_are_refused() {
        assert_eq!(Diagram::parse("").unwrap_err(), DiagramError::NotSquare(0));
        assert_eq!(Diagram::parse("..\n...").unwrap_err(), DiagramError::NotSquare(2));
        assert!(matches!(Diagram::parse("OX\nXX").unwrap_err(), DiagramError::NoLiberty(_)));
    }
}
