//! Nakade: eyespaces of three to six points that one move makes into one eye or two.
//!
//! A shape is recognised by how many neighbours each of its points has inside the shape; for the
//! small shapes that decide life and death this is enough.

use crate::board::{Board, PointList};
use crate::types::{Cell, Color, Point};

/// Neighbours that a point has inside a shape.
fn inner_neighbors(shape: &[Point], point: Point) -> usize {
    point.neighbors().into_iter().filter(|p| shape.contains(p)).count()
}

/// How often each number of inner neighbours occurs: `counts[n]` points have n of them.
fn signature(shape: &[Point]) -> [usize; 5] {
    let mut counts = [0; 5];
    for &point in shape {
        counts[inner_neighbors(shape, point)] += 1;
    }
    counts
}

/// Does a captured chain of this shape leave an eyespace in which the capturer gets only one eye
/// when the opponent plays first? Pairs and threes always; square and pyramid four; bulky and
/// crossed five; rabbity six.
pub fn is_killing_shape(shape: &[Point]) -> bool {
    match shape.len() {
        2 | 3 => true,
        4..=6 => vital_of(shape).is_some() || signature(shape) == [0, 0, 4, 0, 0],
        _ => false,
    }
}

/// The vital point of an eyespace, if it has one that decides between one eye and two.
fn vital_of(shape: &[Point]) -> Option<Point> {
    let with = |n: usize| shape.iter().copied().find(|&p| inner_neighbors(shape, p) == n);
    match (shape.len(), signature(shape)) {
        (3, _) => with(2),
        (4, [0, 3, 0, 1, 0]) => with(3), // pyramid
        (5, [0, 1, 3, 1, 0]) => with(3), // bulky five
        (5, [0, 4, 0, 0, 1]) => with(4), // crossed five
        (6, [0, 2, 3, 0, 1]) => with(4), // rabbity six
        _ => None,
    }
}

/// Does an eyespace give one eye whoever plays first? Up to two points; a square of four; or a shape
/// whose vital point, and nothing else, the attacker holds.
pub fn has_one_eye(eyespace: &[Point], is_attacked: impl Fn(Point) -> bool) -> bool {
    if eyespace.len() <= 2 {
        return true;
    }
    let mut attacked = eyespace.iter().copied().filter(|&point| is_attacked(point));
    match (attacked.next(), attacked.next()) {
        (None, _) => signature(eyespace) == [0, 0, 4, 0, 0],
        (Some(stone), None) => eyespace.len() <= 6 && vital_of(eyespace) == Some(stone),
        _ => false,
    }
}

/// The vital point of the eyespace around an empty point: a region of 3 to 6 empty points that
/// one colour alone surrounds. Gives the point and that colour.
pub fn vital_point(board: &Board, inside: Point) -> Option<(Point, Color)> {
    if board.shape(inside).is_open() {
        return None; // a region of at least seven points, as most are: no need to walk it
    }
    let mut region = PointList::<7>::default();
    region.insert(inside);
    let mut touched = 0u8;
    let mut next = 0;
    while next < region.len() {
        for neighbor in region[next].neighbors() {
            match board.cell(neighbor) {
                Cell::Empty => {
                    region.insert(neighbor);
                }
                Cell::Border => {}
                stone => touched |= stone as u8,
            }
        }
        if region.is_full() || touched == 3 {
            return None;
        }
        next += 1;
    }
    let color = match touched {
        1 => Color::Black,
        2 => Color::White,
        _ => return None,
    };
    vital_of(&region).map(|point| (point, color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    /// The point marked `v` must be vital; `n` marks a point of a region without one.
    fn check(diagram: &str) {
        let diagram = Diagram::parse(diagram).unwrap();
        match diagram.marks[0] {
            ('v', vital) => {
                assert_eq!(vital_point(&diagram.board, vital), Some((vital, Color::White)));
                for &(_, inside) in &diagram.marks {
                    let found = vital_point(&diagram.board, inside);
                    assert_eq!(found, Some((vital, Color::White)), "{}", diagram.board);
                }
            }
            (_, inside) => assert_eq!(vital_point(&diagram.board, inside), None),
        }
    }

    #[test]
    fn three_in_a_row() {
        check(". v . O .\nO O O O .\n. . . . .\n. . . . .\n. . . . .");
    }

    #[test]
    fn three_bent() {
        check("v . O . .\n. O O . .\nO O . . .\n. . . . .\n. . . . .");
    }

    #[test]
    fn pyramid_four() {
        check(". v . O .\nO . O O .\nO O O . .\n. . . . .\n. . . . .");
    }

    #[test]
    fn bulky_five() {
        check(". v . O .\n. . O O .\nO O O . .\n. . . . .\n. . . . .");
    }

    #[test]
    fn crossed_five() {
        check(
            "O O . O O .
             O . v . O .
             O O . O O .
             . O O O . .
             . . . . . .
             . . . . . .",
        );
    }

    #[test]
    fn rabbity_six() {
        check(
            "O . . O O .
             O . v . O .
             O O . O O .
             . O O O . .
             . . . . . .
             . . . . . .",
        );
    }

    #[test]
    fn straight_four_and_square_have_no_vital_point() {
        check("n . . . O\nO O O O O\n. . . . .\n. . . . .\n. . . . .");
        check("n . O . .\n. . O . .\nO O O . .\n. . . . .\n. . . . .");
    }

    #[test]
    fn open_or_mixed_regions_have_none() {
        check("n . . . .\nO O O O .\n. . . . .\n. . . . .\n. . . . .");
        check("n . . X .\nO O O O .\n. . . . .\n. . . . .\n. . . . .");
    }
}
