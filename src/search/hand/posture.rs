//! How a move stands among the eight points around it: the words of Go for 3x3 shapes.
//!
//! What decides is how many own and enemy stones it touches, and what stands at the corner between two of
//! them, or beside a single one.

use crate::board::Shape;
use crate::params::HandParams;
use crate::types::{Cell, Color};

/// The four directions in turn around the point, as numbers of [`Shape::cell`].
const AROUND: [usize; 4] = [0, 2, 3, 1];
/// The corner between each of these directions and the next.
const CORNERS: [usize; 4] = [5, 7, 6, 4];

/// The strength of a move of this colour among these neighbours; 1 for what has no name here.
pub(super) fn strength(params: &HandParams, shape: Shape, color: Color) -> f64 {
    let (own, enemy) = (Cell::from(color), Cell::from(color.opponent()));
    let sides = AROUND.map(|direction| shape.cell(direction));
    let corners = CORNERS.map(|direction| shape.cell(direction));
    let count = |cells: &[Cell], cell: Cell| cells.iter().filter(|&&c| c == cell).count();
    // The corners beside the only stone that it touches.
    let beside = |stone: Cell| {
        let at = sides.iter().position(|&side| side == stone).unwrap_or(0);
        [corners[at], corners[(at + 3) % 4]]
    };
    // What is at the corner between two stones that it touches: none if they are opposite each other.
    let between = |a: Cell, b: Cell| {
        (0..4).find_map(|i| {
            let pair = [sides[i], sides[(i + 1) % 4]];
            (pair == [a, b] || pair == [b, a]).then_some(corners[i])
        })
    };
    match (count(&sides, own), count(&sides, enemy)) {
        (0, 0) => match (count(&corners, own), count(&corners, enemy)) {
            (1.., 0) => params.diagonal,
            (0, 1) => params.shoulder,
            (0, 2..) => params.waist,
            _ => 1.0,
        },
        (0, 1) => match (count(&beside(enemy), own), count(&beside(enemy), enemy)) {
            (2, _) => params.hane_both,
            (1, 0) => params.hane,
            (1, 1) => params.hane_wall,
            (0, 0) => params.touch,
            (0, _) => params.touch_wall,
            _ => 1.0,
        },
        (1, 0) if beside(own).contains(&enemy) => params.stretch_along,
        (1, 0) if !corners.contains(&enemy) => params.stretch,
        (1, 1) => match between(own, enemy) {
            None if beside(own).contains(&enemy) => params.across,
            None => params.opposite,
            Some(corner) => {
                // What is on the other sides of the two stones.
                let beyond = |stone| count(&beside(stone), own) > usize::from(corner == own);
                match corner {
                    _ if beyond(enemy) => params.link,
                    Cell::Empty => params.block,
                    corner if corner == own && beside(enemy).contains(&enemy) => params.turn,
                    corner if corner == enemy && beyond(own) => params.heavy,
                    corner if corner == enemy => params.crawl,
                    _ => 1.0,
                }
            }
        },
        (2, 0) => match between(own, own) {
            Some(corner) if corner == enemy => params.protect,
            Some(_) => 1.0,
            None => params.join,
        },
        (0, 2) => match between(enemy, enemy) {
            Some(corner) if corner == own => params.cut,
            Some(_) => params.peep,
            None => 1.0,
        },
        (0, 3) => params.mouth,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::params::Params;

    /// The strength of Black's move at `a`, and that of White's with the colours exchanged.
    fn at(rows: [&str; 3]) -> f64 {
        let params = Params::for_size(19).hand;
        let frame = ". . . . .";
        let text = format!("{frame}\n. {} .\n. {} .\n. {} .\n{frame}", rows[0], rows[1], rows[2]);
        let diagram = Diagram::parse(&text).unwrap();
        let shape = diagram.board.shape(diagram.mark('a'));
        let black = strength(&params, shape, Color::Black);
        for symmetry in 0..8 {
            let turned = shape.transform(symmetry);
            assert_eq!(strength(&params, turned, Color::Black), black, "{text}");
            assert_eq!(strength(&params, turned.swap_colors(), Color::White), black, "{text}");
        }
        black
    }

    #[test]
    fn shapes_have_their_names_in_every_orientation_and_colour() {
        let params = Params::for_size(19).hand;
        let shapes = [
            (["X . .", ". a .", ". . ."], params.diagonal),
            (["X . O", ". a .", ". . ."], 1.0),
            (["O . .", ". a .", ". . ."], params.shoulder),
            (["O . O", ". a .", ". . ."], params.waist),
            (["X O .", ". a .", ". . ."], params.hane),
            (["X O O", ". a .", ". . ."], params.hane_wall),
            (["X O X", ". a .", ". . ."], params.hane_both),
            ([". O .", ". a .", ". . ."], params.touch),
            (["O O .", ". a .", "X . ."], params.touch_wall),
            ([". X .", ". a .", ". . ."], params.stretch),
            (["O X .", ". a .", ". . ."], params.stretch_along),
            ([". X .", ". a .", ". . O"], 1.0),
            (["O O .", "X a .", ". . ."], params.crawl),
            ([". O .", "X a .", ". . ."], params.block),
            (["O X X", "O a .", ". . ."], params.heavy),
            (["X O .", "X a .", ". . ."], 1.0),
            (["X O O", "X a .", ". . ."], params.turn),
            (["X O X", "X a .", ". . ."], params.link),
            (["O O X", "X a .", ". . ."], params.link),
            ([". O X", "X a .", ". . ."], params.link),
            ([". O .", ". a .", ". X ."], params.opposite),
            ([". O .", ". a .", ". X O"], params.across),
            (["O X .", "X a .", ". . ."], params.protect),
            ([". X .", "X a .", ". . ."], 1.0),
            ([". X .", ". a .", ". X ."], params.join),
            (["X O .", "O a .", ". . ."], params.cut),
            ([". O .", "O a .", ". . ."], params.peep),
            ([". O .", ". a .", ". O ."], 1.0),
            ([". O .", "O a O", ". . ."], params.mouth),
        ];
        for (rows, strength) in shapes {
            assert_eq!(at(rows), strength, "{rows:?}");
        }
    }
}
