//! The 3x3 patterns of MoGo: hane, cut, connection and edge moves around the last stone.
//!
//! Written as in Lew's figures 3.5 to 3.7 (Gelly et al. 2006): `X` and `O` are stones of the two
//! colours, `.` is empty, `x` is X or empty, `o` is O or empty, `?` is any of the three, `#` is the
//! edge. A pattern is good for both players, and in all rotations and reflections.

use crate::board::Shape;
use crate::types::Cell;
use std::sync::LazyLock;

const PATTERNS: [&str; 13] = [
    // Hane: enclosing, non-cutting, and two of the magari kind.
    "XOX ... ???",
    "XO. ... ?.?",
    "XO? X.. o.?",
    ".O. X.. ...",
    // Cut of an unprotected diagonal, and the push between two stones.
    "XO? O.o ?o?",
    "XO? O.X ???",
    "?X? O.O ooo",
    "OX? o.O ???",
    // On the edge.
    "X.? O.? ###",
    "OX? X.O ###",
    "?X? x.O ###",
    "?XO x.x ###",
    "?OX X.O ###",
];

/// One bit per shape code.
struct Matches([u64; 1024]);

static MATCHES: LazyLock<Box<Matches>> = LazyLock::new(|| {
    let mut matches = Box::new(Matches([0; 1024]));
    for pattern in PATTERNS {
        let cells: Vec<char> = pattern.chars().filter(|c| *c != ' ').collect();
        // Order of the code: north, west, east, south, then the diagonals.
        let order = [1, 3, 5, 7, 0, 2, 6, 8].map(|i| cells[i]);
        add(&mut matches, order, 0, 0);
    }
    matches
});

/// Adds every code that a pattern stands for, from direction `at` on.
fn add(matches: &mut Matches, pattern: [char; 8], at: usize, code: u16) {
    if at == 8 {
        for symmetry in 0..8 {
            let shape = Shape::from_code(code).transform(symmetry);
            for shape in [shape, shape.swap_colors()] {
                matches.0[shape.code() as usize / 64] |= 1 << (shape.code() % 64);
            }
        }
        return;
    }
    let cells: &[Cell] = match pattern[at] {
        'X' => &[Cell::Black],
        'O' => &[Cell::White],
        'x' => &[Cell::Black, Cell::Empty],
        'o' => &[Cell::White, Cell::Empty],
        '.' => &[Cell::Empty],
        '#' => &[Cell::Border],
        _ => &[Cell::Black, Cell::White, Cell::Empty],
    };
    for &cell in cells {
        add(matches, pattern, at + 1, code | (cell as u16) << (2 * at));
    }
}

/// The table of matching shapes.
#[derive(Clone, Copy)]
pub struct MogoPatterns(&'static Matches);

impl MogoPatterns {
    /// The table, built at the first call.
    pub fn get() -> MogoPatterns {
        MogoPatterns(&MATCHES)
    }

    /// Does an empty point with these surroundings match?
    #[inline(always)]
    pub fn matches(self, shape: Shape) -> bool {
        self.0.0[shape.code() as usize / 64] >> (shape.code() % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    fn matches(diagram: &str) -> bool {
        let diagram = Diagram::parse(diagram).unwrap();
        MogoPatterns::get().matches(diagram.board.shape(diagram.mark('a')))
    }

    #[test]
    fn good_shape_matches_in_every_orientation_and_colour() {
        assert!(matches(". . . . .\n. X O X .\n. . a . .\n. . . . .\n. . . . ."), "hane");
        assert!(matches(". . . . .\n. O . . .\n. X a . .\n. O . . .\n. . . . ."), "turned");
        assert!(matches(". . . . .\n. X O . .\n. O a . .\n. . . . .\n. . . . ."), "cut");
        assert!(matches("O . . . .\nX a . . .\n. . . . .\n. . . . .\n. . . . ."), "edge");
    }

    #[test]
    fn empty_and_crowded_surroundings_do_not() {
        assert!(!matches(". . . . .\n. . . . .\n. . a . .\n. . . . .\n. . . . ."));
        assert!(!matches(". . . . .\n. X X . .\n. X a . .\n. . . . .\n. . . . ."));
    }
}
