//! A position as a picture: stones, who will own each point, and the likeliest moves, as SVG.
//!
//! `tengen features --svg` draws what the network says. An SVG is text; it can be looked at in any browser.

use crate::board::{Board, is_star};
use crate::knowledge::net::Judgement;
use crate::types::{Cell, Point};
use std::fmt::Write as _;

/// Pixels from point to point, and from the edge of the picture to the first line.
const STEP: usize = 30;
const MARGIN: usize = 36;
const WOOD: &str = "#e3b663";
const BLACK: &str = "#1b1b1d";
const WHITE: &str = "#fdfcf8";
const LINE: &str = "#5d4310";
const MOVE: &str = "#2f7fd6";
/// Owners that are less sure are not drawn, nor moves that are less likely.
const LEAST_OWNER: f32 = 0.1;
const LEAST_MOVE: f32 = 0.02;

/// Draws a position. A square says who will own a point, the larger and the darker the surer; a disk has
/// the probability of a move in percent.
pub fn draw(board: &Board, judgement: Option<&Judgement>, moves: &[(Point, f32)]) -> String {
    let mut picture = Picture { board, svg: String::new() };
    picture.wood();
    board.points().for_each(|point| picture.stone(point));
    if let Some(judgement) = judgement {
        board.points().for_each(|point| picture.owner(point, judgement.black_owner(point)));
    }
    moves.iter().for_each(|&(point, probability)| picture.expected(point, probability));
    picture.svg + "</svg>\n"
}

struct Picture<'a> {
    board: &'a Board,
    svg: String,
}

impl Picture<'_> {
    fn add(&mut self, element: std::fmt::Arguments) {
        let _ = writeln!(self.svg, "{element}"); // a string takes everything
    }

    /// Where a point is, from the left and from the top.
    fn place(&self, point: Point) -> (usize, usize) {
        let from_top = self.board.size() - point.row();
        (MARGIN + STEP * (point.column() - 1), MARGIN + STEP * from_top)
    }

    fn wood(&mut self) {
        let size = self.board.size();
        let (first, last) = (MARGIN, MARGIN + STEP * (size - 1));
        let side = last + MARGIN;
        self.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" \
             viewBox=\"0 0 {side} {side}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
             <rect width=\"{side}\" height=\"{side}\" rx=\"6\" fill=\"{WOOD}\"/>"
        ));
        for number in 1..=size {
            let (column, _) = self.place(Point::new(number, 1));
            let (_, row) = self.place(Point::new(1, number));
            self.add(format_args!(
                "<path d=\"M{column} {first}V{last}M{first} {row}H{last}\" stroke=\"{LINE}\"/>"
            ));
            let name = Point::new(number, 1).to_string();
            let letter = name.trim_end_matches('1');
            for (x, y, text) in [
                (column, MARGIN / 2, letter),
                (column, side - MARGIN / 2, letter),
                (MARGIN / 2, row, &number.to_string()),
                (side - MARGIN / 2, row, &number.to_string()),
            ] {
                let y = y + 4;
                self.add(format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"{LINE}\">{text}</text>"));
            }
        }
        for star in self.board.points().filter(|&point| is_star(point, size)) {
            let (x, y) = self.place(star);
            self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{LINE}\"/>"));
        }
    }

    fn stone(&mut self, point: Point) {
        let (fill, mark) = match self.board.cell(point) {
            Cell::Black => (BLACK, WHITE),
            Cell::White => (WHITE, BLACK),
            _ => return,
        };
        let ((x, y), radius) = (self.place(point), STEP as f32 * 0.47);
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{BLACK}\" \
             stroke-width=\"0.7\"/>"
        ));
        if self.board.last_move() == point {
            self.add(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{:.1}\" fill=\"none\" stroke=\"{mark}\" stroke-width=\"2\"/>",
                0.6 * radius
            ));
        }
    }

    /// On a stone only if it is not sure to live.
    fn owner(&mut self, point: Point, owner: f32) {
        let sure = owner.abs();
        let own = match self.board.cell(point) {
            Cell::Black => owner > 0.5,
            Cell::White => owner < -0.5,
            _ => sure < LEAST_OWNER,
        };
        if own {
            return;
        }
        let (x, y) = self.place(point);
        let side = 4.0 + 10.0 * sure;
        let (left, top) = (x as f32 - side / 2.0, y as f32 - side / 2.0);
        let (fill, edge) = if owner > 0.0 { (BLACK, WHITE) } else { (WHITE, BLACK) };
        self.add(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{fill}\" \
             stroke=\"{edge}\" stroke-width=\"0.7\" opacity=\"{:.2}\"/>",
            0.3 + 0.65 * sure
        ));
    }

    fn expected(&mut self, point: Point, probability: f32) {
        if point.is_pass() || probability < LEAST_MOVE {
            return;
        }
        let (x, y) = self.place(point);
        let (percent, text) = (100.0 * probability, y + 4);
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"11.5\" fill=\"{MOVE}\"/>\n\
             <text x=\"{x}\" y=\"{text}\" fill=\"#fff\">{percent:.0}</text>"
        ));
    }
}

/// How people say a lead: `Black leads by 2.5`.
pub fn lead_in_words(black_lead: f32) -> String {
    let leader = if black_lead >= 0.0 { "Black" } else { "White" };
    format!("{leader} leads by {:.1}", black_lead.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_owners_and_moves_are_drawn() {
        let mut board = Board::new(7);
        board.play_legal(Point::new(3, 3));
        board.play_legal(Point::new(5, 4));
        let mut judgement = Judgement::default(); // Black is to move
        judgement.owners[Point::new(1, 1)] = 0.9;
        judgement.owners[Point::new(5, 4)] = 0.8; // a dead stone
        judgement.owners[Point::new(3, 3)] = 0.8; // a living one
        let moves = [(Point::new(2, 6), 0.42), (Point::PASS, 0.5), (Point::new(1, 2), 0.001)];
        let svg = draw(&board, Some(&judgement), &moves);
        assert_eq!(svg.matches("<rect").count(), 3, "the wood and two owners");
        assert_eq!(svg.matches("<path").count(), 7);
        assert!(svg.contains(">42</text>") && !svg.contains(">50</text>"));
        let (x, y) = (MARGIN + 4 * STEP, MARGIN + 3 * STEP);
        assert_eq!(
            svg.matches(&format!("<circle cx=\"{x}\" cy=\"{y}\"")).count(),
            2,
            "a last move"
        );
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        assert_eq!(lead_in_words(-14.5), "White leads by 14.5");
    }
}
