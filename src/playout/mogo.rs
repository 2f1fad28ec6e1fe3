//! The 3x3 patterns of MoGo: hane, cut, connection and edge moves around the last stone.
//!
//! Written as in Lew's figures 3.5 to 3.7 (Gelly et al. 2006): `X` and `O` are stones of the two
//! colours, `.` is empty, `x` is X or empty (his half empty stone), `o` is O or empty, `?` is any of
//! the three, `#` is the edge. A pattern is good for both players, and in all rotations and
//! reflections. Other programs write `x` for *not X*: their `o` is the `x` of this file.
//!
//! Only the patterns of figure 3.7 are on the edge, none is in a corner. Elsewhere `?` and `x` may be the
//! edge too; what that adds was tried pattern by pattern, the first-line cut `XO? O.. ###` and four
//! patterns of the corner, and changes the errors of playouts by less than their intervals
//! (`docs/experiments/0011-patterns.md`). `XOX ... ###` and `?X? O.O ###` are among
//! those of figure 3.7.

use crate::board::Shape;
use crate::types::Cell;
use std::sync::LazyLock;

const PATTERNS: [&str; 13] = [
    // Hane: enclosing, non-cutting, and two of the magari kind.
    "XOX ... ???",
    "XO. ... ?.?",
    "XO? X.. o.?",
    ".O. X.. ...",
    // Cut or connection where the cutting stone cannot be taken at once, and the peeped cut.
    "XO? O.x ?x?",
    "XO? O.X ???",
    // The push between two stones that are not linked behind, and the cut of a knight's move.
    "?X? O.O xxx",
    "OX? x.O ???",
    // On the edge: two blocks, the descent, the cut from below, the throw-in.
    "X.? O.? ###",
    "OX? X.O ###",
    "?X? o.O ###",
    "?XO o.o ###",
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

    /// A named figure of three rows with the point in the middle; `#` below is the edge.
    type Figure = (&'static str, &'static str);

    /// Figures 3.5 and 3.6: moves away from the edge.
    const MIDDLE: [Figure; 14] = [
        ("enclosing hane", "XOX .a. ..."),
        ("enclosing hane before stones", "XOX .a. XOX"),
        ("non-cutting hane", "XO. .a. ..."),
        ("magari", "XO. Xa. ..."),
        ("magari against a stone below", "XO. Xa. O.."),
        ("diagonal attachment", ".O. Xa. ..."),
        ("cut", "XO. Oa. ..."),
        ("cut with help beside it", "XO. OaX ..."),
        ("cut with help on both sides", "XO. OaX .X."),
        ("cut past diagonal stones", "XOO Oa. O.."),
        ("push between two stones", ".X. OaO ..."),
        ("push with help below", ".X. OaO XXX"),
        ("cut of a knight's move", "OX. .aO ..."),
        ("cut of a knight's move with help", "OX. XaO O.O"),
    ];

    /// Figure 3.7: moves on the edge.
    const EDGE: [Figure; 13] = [
        ("block of a cut", "X.. Oa. ###"),
        ("block of a cut before stones", "X.O OaX ###"),
        ("block of a connection", "OX. XaO ###"),
        ("descent", ".X. .aO ###"),
        ("descent between two stones", ".X. OaO ###"),
        ("descent behind a wall", "XXO .aO ###"),
        ("cut below", ".XO .a. ###"),
        ("cut below beside a stone", ".XO Oa. ###"),
        ("cut below beside the other stone", ".XO .aO ###"),
        ("cut below between two stones", "XXO OaO ###"),
        ("enclosing hane below", "XOX .a. ###"),
        ("throw-in", ".OX XaO ###"),
        ("throw-in past a stone", "OOX XaO ###"),
    ];

    /// What the figures leave out: the cutting stone can be taken at once, the push is already
    /// stopped, the move is linked already, or there is nothing to do.
    const NONE: [Figure; 15] = [
        ("cut into a tiger's mouth", "XO. OaO ..."),
        ("cut into a tiger's mouth past a stone", "XO. OaO X.."),
        ("cut into four stones", "XO. OaO .O."),
        ("push against a wall", ".X. OaO .O."),
        ("push against a stone below", ".X. OaO O.."),
        ("push against a row", ".X. OaO OOO"),
        ("knight's move that is closed", "OX. OaO O.."),
        ("magari that is linked below", "XO. Xa. X.."),
        ("descent that is linked", ".X. XaO ###"),
        ("cut below that is linked", ".XO Xa. ###"),
        ("cut below that is linked on the other side", ".XO .aX ###"),
        ("nothing", "... .a. ..."),
        ("nothing on the edge", "... .a. ###"),
        ("a bend of one colour", "XX. Xa. ..."),
        ("a wall on the edge", "XXX .a. ###"),
    ];

    /// The figure on a board of 7x7, in the middle or on the lower edge.
    fn board(figure: &str) -> Vec<Vec<char>> {
        let mut rows = vec![vec!['.'; 7]; 7];
        let on_edge = figure.contains('#');
        let top = if on_edge { 5 } else { 2 };
        for (y, row) in figure.split(' ').enumerate() {
            for (x, cell) in row.chars().enumerate().filter(|(_, cell)| *cell != '#') {
                rows[top + y][2 + x] = cell;
            }
        }
        rows
    }

    fn turn(rows: &[Vec<char>]) -> Vec<Vec<char>> {
        let size = rows.len();
        (0..size).map(|y| (0..size).map(|x| rows[x][size - 1 - y]).collect()).collect()
    }

    /// In how many of the eight orientations and two colours the marked point matches.
    fn count(mut rows: Vec<Vec<char>>) -> usize {
        let mut found = 0;
        for symmetry in 0..8 {
            rows = turn(&rows);
            if symmetry == 4 {
                rows.iter_mut().for_each(|row| row.reverse());
            }
            let lines: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
            let text = lines.join("\n");
            let exchange = |c: char| match c {
                'X' => 'O',
                'O' => 'X',
                c => c,
            };
            for text in [text.clone(), text.chars().map(exchange).collect()] {
                let diagram = Diagram::parse(&text).unwrap();
                let shape = diagram.board.shape(diagram.mark('a'));
                found += usize::from(MogoPatterns::get().matches(shape));
            }
        }
        found
    }

    #[test]
    fn every_named_figure_matches_in_all_orientations_and_both_colours() {
        for (name, figure) in MIDDLE.into_iter().chain(EDGE) {
            assert_eq!(count(board(figure)), 16, "{name}: {figure}");
        }
    }

    #[test]
    fn what_the_figures_leave_out_does_not_match() {
        for (name, figure) in NONE {
            assert_eq!(count(board(figure)), 0, "{name}: {figure}");
        }
    }

    #[test]
    fn figures_of_the_middle_do_not_reach_over_the_edge() {
        // `?` is a stone or empty in Lew's captions. A cut at the edge with nothing below it and
        // the corner are in none of the figures.
        let rows = |text: &str| text.lines().map(|line| line.chars().collect()).collect();
        let corners = ["XO\nOa", "X.\nOa", ".X\nOa", "OX\n.a"];
        for corner in corners {
            let (above, beside) = corner.split_once('\n').unwrap();
            let text = format!(".....\n.....\n.....\n...{above}\n...{beside}");
            assert_eq!(count(rows(&text)), 0, "{text}");
        }
        assert_eq!(count(board("XO. Oa. ###")), 0);
        assert_eq!(count(board("XO. OaX ###")), 16, "this one is in figure 3.7");
    }

    #[test]
    fn the_thirteen_patterns_stand_for_3314_shapes() {
        let matching = (0..=u16::MAX).map(Shape::from_code);
        let patterns = MogoPatterns::get();
        assert_eq!(matching.filter(|&shape| patterns.matches(shape)).count(), 3314);
    }
}
