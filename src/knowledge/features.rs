//! The features of a move, declared once: name, meaning, and the values each can have.
//!
//! A feature is a group of mutually exclusive values, spanned by up to four axes; a move has at
//! most one value of each group. Numbers and names, by which a model file is read, follow from the
//! declaration. Crossed axes (a capture by size *and* by whether
//! the chain holds the last stone) are what a linear model needs to see that one matters only
//! with the other.

use crate::board::Shape;
use crate::types::Cell;
use std::sync::LazyLock;

/// The number of a feature value: dense, below [`COUNT`].
pub type FeatureId = u16;

/// A group of mutually exclusive feature values.
#[derive(Debug)]
pub struct Group {
    /// The name in listings and documentation.
    pub name: &'static str,
    /// What it says of a move.
    pub doc: &'static str,
    /// Axis names and the names of their values.
    pub axes: &'static [(&'static str, &'static [&'static str])],
    /// The number of the first value.
    pub first: FeatureId,
    /// How many values there are.
    pub values: u16,
    radix: [u16; 4],
}

impl Group {
    const fn new(
        name: &'static str,
        doc: &'static str,
        axes: &'static [(&'static str, &'static [&'static str])],
        first: FeatureId,
    ) -> Group {
        let mut radix = [1; 4];
        let mut values = 1;
        let mut i = 0;
        while i < axes.len() {
            radix[i] = axes[i].1.len() as u16;
            values *= radix[i];
            i += 1;
        }
        Group { name, doc, axes, first, values, radix }
    }

    /// The feature at these coordinates; missing axes are 0.
    #[inline(always)]
    pub(super) const fn at(&self, a: usize, b: usize, c: usize, d: usize) -> FeatureId {
        debug_assert!(a < self.radix[0] as usize && b < self.radix[1] as usize);
        debug_assert!(c < self.radix[2] as usize && d < self.radix[3] as usize);
        let [_, y, z, w] = self.radix;
        self.first + ((a as u16 * y + b as u16) * z + c as u16) * w + d as u16
    }

    /// The names of the coordinates of a feature of this group.
    fn describe(&self, id: FeatureId) -> String {
        let mut rest = id - self.first;
        let mut parts = vec![String::new(); self.axes.len()];
        for (i, (name, values)) in self.axes.iter().enumerate().rev() {
            let value = rest % self.radix[i];
            rest /= self.radix[i];
            parts[i] = format!("{name}={}", values[value as usize]);
        }
        format!("{}({})", self.name, parts.join(", "))
    }
}

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $constant:ident = $name:literal {
        $($axis:ident: [$($value:literal),+ $(,)?]),+ $(,)?
    })+) => {
        features!(@constants 0; $($constant = $name, concat!($($doc),+), [$(($axis, [$($value),+])),+];)+);

        /// All groups, in the order of their numbers.
        pub static GROUPS: &[&Group] = &[$(&$constant),+];
    };
    (@constants $first:expr;) => {
        const DECLARED: FeatureId = $first;
    };
    (@constants $first:expr; $constant:ident = $name:literal, $doc:expr,
        [$(($axis:ident, [$($value:literal),+])),+]; $($rest:tt)*) => {
        #[doc = $doc]
        pub const $constant: Group =
            Group::new($name, $doc, &[$((stringify!($axis), &[$($value),+])),+], $first);
        features!(@constants $constant.first + $constant.values; $($rest)*);
    };
}

features! {
    /// The pass: after a move or another pass, by game phase.
    PASS = "pass" {
        after: ["move", "pass"],
        phase: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
    }
    /// Captures a chain: one whose capture rescues an own chain in atari, one that could escape, or
    /// one that is caught in a ladder anyway; its stones; whether it holds the last move; and whether the capture makes a ko.
    CAPTURE = "capture" {
        kind: ["rescue", "open", "hopeless"],
        stones: ["1", "2", "3", "4-6", "7+"],
        target: ["other", "last", "third last"],
        ko: ["no", "yes"],
    }
    /// Extends an own chain in atari: what comes of it, the chain's stones, and whether the last move gave the atari.
    EXTENSION = "extension" {
        result: ["still atari", "caught", "safe", "3+ liberties"],
        stones: ["1", "2", "3-5", "6+"],
        cause: ["old", "last"],
    }
    /// Gives atari: whether a ladder then catches the chain, its stones, whether it holds the last move, and the liberties of the new stone's chain.
    ATARI = "atari" {
        ladder: ["caught", "open"],
        stones: ["1", "2", "3-5", "6+"],
        target: ["other", "last"],
        own: ["1", "2", "3+"],
    }
    /// Defends an own chain with two liberties that a ladder would catch: liberties after the move, stones, and whether the last move touches the chain.
    DEFENCE = "defence" {
        after: ["1", "2", "3", "4+"],
        stones: ["1", "2", "3-5", "6+"],
        cause: ["old", "last"],
    }
    /// Puts itself into atari without capturing: stones of the chain, whether the last move is next to it, and whether an enemy chain next to it has two liberties or less.
    SELF_ATARI = "self-atari" {
        stones: ["1", "2", "3", "4", "5-6", "7+"],
        near: ["no", "last"],
        enemy: ["strong", "weak"],
    }
    /// Liberties of the chain after the move, with the numbers of own and enemy chains it touches.
    LIBERTIES = "liberties" {
        after: ["1", "2", "3", "4", "5", "6+"],
        own: ["0", "1", "2+"],
        enemy: ["0", "1", "2+"],
    }
    /// The weakest own chain it touches: liberties before and after the move, and stones.
    OWN_CHAIN = "own chain" {
        before: ["1", "2", "3", "4", "5+"],
        after: ["1", "2", "3", "4", "5", "6+"],
        stones: ["1", "2", "3-5", "6+"],
    }
    /// The weakest enemy chain it touches: liberties before the move, stones, and the liberties of the new stone's chain.
    ENEMY_CHAIN = "enemy chain" {
        before: ["1", "2", "3", "4", "5+"],
        stones: ["1", "2", "3-5", "6+"],
        own: ["1", "2", "3", "4+"],
    }
    /// Distance to the edge, by game phase.
    LINE = "line" {
        line: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
        phase: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
    }
    /// Distances to the nearest and the other edge, by opening, middle game and endgame.
    PLACE = "place" {
        line: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
        position: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
        stage: ["opening", "middle", "end"],
    }
    /// Distance |dx| + |dy| + max to the last move, by the liberties of the last move's chain.
    LAST_DISTANCE = "distance to last" {
        distance: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17+"],
        liberties: ["1", "2", "3", "4+"],
    }
    /// The same distance to the move before the last one, by how far the last one is.
    SECOND_DISTANCE = "distance to second last" {
        distance: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17+"],
        last: ["touching", "near", "middle", "far"],
    }
    /// Displacement from the last move: the longer and the shorter of |dx| and |dy|, up to eight, by stage.
    LAST_OFFSET = "offset from last" {
        long: ["0", "1", "2", "3", "4", "5", "6", "7", "8"],
        short: ["0", "1", "2", "3", "4", "5", "6", "7", "8"],
        stage: ["opening", "middle", "end"],
    }
    /// Displacement from the move before the last one, the same way.
    SECOND_OFFSET = "offset from second last" {
        long: ["0", "1", "2", "3", "4", "5", "6", "7", "8"],
        short: ["0", "1", "2", "3", "4", "5", "6", "7", "8"],
    }
    /// Displacement from the opponent's move before the last one, up to six.
    THIRD_OFFSET = "offset from third last" {
        long: ["0", "1", "2", "3", "4", "5", "6"],
        short: ["0", "1", "2", "3", "4", "5", "6"],
        last: ["touching", "near", "middle", "far"],
    }
    /// Displacement from the own move before that, the same way.
    FOURTH_OFFSET = "offset from fourth last" {
        long: ["0", "1", "2", "3", "4", "5", "6"],
        short: ["0", "1", "2", "3", "4", "5", "6"],
        last: ["touching", "near", "middle", "far"],
    }
    /// What the opponent would have here: liberties after his move, the chains it joins, and the liberties
    /// of the weakest of them before.
    ENEMY_MOVE = "opponent's move" {
        after: ["0-1", "2", "3", "4", "5+"],
        joins: ["1", "2+"],
        before: ["1", "2", "3", "4", "5+"],
    }
    /// A race: liberties of the weakest enemy chain it touches and of the weakest own chain next to
    /// that one, and its stones.
    ENEMY_RACE = "race" {
        enemy: ["1", "2", "3", "4", "5+"],
        own: ["none", "1", "2", "3", "4", "5+"],
        stones: ["1", "2", "3-5", "6+"],
    }
    /// The same for the weakest own chain it touches, with its liberties after the move.
    OWN_RACE = "own race" {
        own: ["1", "2", "3", "4", "5+"],
        enemy: ["none", "1", "2", "3", "4", "5+"],
        after: ["1", "2", "3", "4", "5+"],
    }
    /// Common-fate distance to the last move (stones of a chain are one place), by line.
    LAST_PATH = "path to last" {
        steps: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10+"],
        line: ["1", "2", "3+"],
    }
    /// Common-fate distance to the move before the last one.
    SECOND_PATH = "path to second last" {
        steps: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10+"],
    }
    /// Extension on the third or fourth line: the nearest stones to both sides along the edge.
    SIDE = "side" {
        line: ["3", "4"],
        one: ["own 1-2", "own 3", "own 4", "own 5-6", "own 7+", "enemy 1-2", "enemy 3", "enemy 4", "enemy 5-6", "enemy 7+", "none"],
        other: ["own 1-2", "own 3", "own 4", "own 5-6", "own 7+", "enemy 1-2", "enemy 3", "enemy 4", "enemy 5-6", "enemy 7+", "none"],
    }
    /// First move into a 7x7 corner without stones: distances to the two edges.
    CORNER = "empty corner" {
        line: ["1", "2", "3", "4", "5", "6", "7"],
        position: ["1", "2", "3", "4", "5", "6", "7"],
    }
    /// Ko: a move while a ko is forbidden (threat or not), or one that fills an own ko.
    KO = "ko" {
        state: ["threat", "fill"],
        kind: ["quiet", "atari", "capture"],
    }
    /// Whose area it is: influence that spreads from the stones, by line and stage.
    INFLUENCE = "influence" {
        level: ["enemy's", "-3", "-2", "-1", "0", "+1", "+2", "+3", "own"],
        line: ["1", "2", "3-4", "5+"],
        stage: ["opening", "middle", "end"],
    }
    /// Steps over empty points to the nearest own and the nearest enemy stone, by stage.
    NEAREST = "nearest stones" {
        own: ["1", "2", "3", "4", "5", "6+"],
        enemy: ["1", "2", "3", "4", "5", "6+"],
        stage: ["opening", "middle", "end"],
    }
    /// Takes a liberty of the last move's chain: its liberties and stones, and those of the new stone.
    LAST_CHAIN = "last chain" {
        liberties: ["1", "2", "3", "4", "5+"],
        stones: ["1", "2", "3-5", "6+"],
        own: ["1", "2", "3+"],
    }
    /// Liberty of an own chain that the last move touches: liberties before and after, stones.
    THREATENED = "threatened chain" {
        before: ["1", "2", "3", "4", "5+"],
        after: ["1", "2", "3", "4", "5+"],
        stones: ["1", "2", "3-5", "6+"],
    }
    /// Liberty of the chain of the own last stone: its liberties, and how far the enemy answered.
    SECOND_CHAIN = "second-last chain" {
        liberties: ["1", "2", "3", "4", "5+"],
        last: ["touching", "near", "middle", "far"],
    }
    /// Distinct own and enemy chains it touches, and whether the last move is a neighbour.
    CONTACT = "contact" {
        own: ["0", "1", "2", "3+"],
        enemy: ["0", "1", "2", "3+"],
        last: ["no", "beside", "diagonal"],
    }
    /// Phase of the game, in twelfths of the usual length; matters through interactions.
    PHASE = "phase" {
        phase: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
    }
    /// What the last move did: liberties of its chain and of the weakest chain it touches, and whether it
    /// took a ko. Matters through interactions.
    LAST_STATE = "last move" {
        liberties: ["1", "2", "3", "4+"],
        touches: ["none", "1", "2", "3+"],
        ko: ["no", "yes"],
    }
    /// How the last moves followed each other: how far the last was from the one before, and that
    /// from the one before it, by stage. Matters through interactions.
    FLOW = "flow" {
        last: ["touching", "near", "middle", "far"],
        before: ["touching", "near", "middle", "far"],
        stage: ["opening", "middle", "end"],
    }
    /// Who owns the point at the end of playouts, in ninths; only where somebody plays them (`train --owner`).
    OWNER = "owner" {
        share: ["enemy's", "-3", "-2", "-1", "0", "+1", "+2", "+3", "own"],
        stage: ["opening", "middle", "end"],
    }
    /// Size of the largest known pattern of stones.
    MATCH_PLAIN = "largest shape" {
        size: ["none", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"],
        stage: ["opening", "middle", "end"],
    }
    /// Size of the largest known pattern that holds the last move.
    MATCH_LAST = "largest shape with last move" {
        size: ["none", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"],
        stage: ["opening", "middle", "end"],
    }
    /// Size of the largest known pattern with liberties.
    MATCH_LIBERTIES = "largest shape with liberties" {
        size: ["none", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"],
    }
}

/// Distinct 3x3 shapes under symmetry: 954 inside, 135 on the edge, 18 in the corner, and one for
/// those that only boards narrower than three have.
pub const SHAPES: u16 = 954 + 135 + 18 + 1;

/// Number of the first 3x3 shape; shapes follow the declared groups.
pub const FIRST_SHAPE: FeatureId = DECLARED;

/// How many features there are.
pub const COUNT: usize = (DECLARED + SHAPES) as usize;

struct ShapeTable {
    index: Vec<u16>,
    codes: Vec<u16>,
}

static SHAPE_TABLE: LazyLock<ShapeTable> = LazyLock::new(|| {
    let mut codes: Vec<u16> = (0..=u16::MAX)
        .filter(|&code| is_on_a_board(Shape::from_code(code)))
        .filter(|&code| Shape::from_code(code).canonical().code() == code)
        .collect();
    codes.sort_unstable();
    let mut index = vec![SHAPES - 1; 1 << 16];
    for (i, &code) in codes.iter().enumerate() {
        for symmetry in 0..8 {
            index[usize::from(Shape::from_code(code).transform(symmetry).code())] = i as u16;
        }
    }
    ShapeTable { index, codes }
});

/// Can the border cells of this shape be those of a point on a board of three rows or more?
fn is_on_a_board(shape: Shape) -> bool {
    // In code order: north, west, east, south, and the diagonals between them.
    const SIDES: [&[usize]; 9] = [
        &[],
        &[0, 4, 5],
        &[1, 4, 6],
        &[2, 5, 7],
        &[3, 6, 7],
        &[0, 1, 4, 5, 6],
        &[0, 2, 4, 5, 7],
        &[1, 3, 4, 6, 7],
        &[2, 3, 5, 6, 7],
    ];
    let border: Vec<usize> = (0..8).filter(|&d| shape.cell(d) == Cell::Border).collect();
    SIDES.contains(&&border[..])
}

/// The table from 3x3 codes, own stones as black, to the class of the shape.
pub fn shape_classes() -> &'static [u16] {
    &SHAPE_TABLE.index
}

/// The smallest code of a class of shapes, if it is a real one.
pub fn shape_of_class(class: u16) -> Option<Shape> {
    SHAPE_TABLE.codes.get(usize::from(class)).map(|&code| Shape::from_code(code))
}

/// A readable name of a feature.
pub fn describe(id: FeatureId) -> String {
    if let Some(class) = id.checked_sub(FIRST_SHAPE) {
        return match shape_of_class(class) {
            Some(shape) => format!("3x3({})", draw(shape)),
            None => "3x3(narrow board)".to_owned(),
        };
    }
    let group = GROUPS.partition_point(|group| group.first + group.values <= id);
    GROUPS.get(group).map_or_else(|| format!("feature {id}"), |group| group.describe(id))
}

/// The group of a feature: its place in [`GROUPS`], or their number for a 3x3 shape.
pub fn group_of(id: FeatureId) -> usize {
    GROUPS.partition_point(|group| group.first + group.values <= id)
}

/// A shape as three rows: `x` own, `o` enemy, `.` empty, `#` border, `+` the move.
fn draw(shape: Shape) -> String {
    let letter = |direction| match shape.cell(direction) {
        Cell::Empty => '.',
        Cell::Black => 'x',
        Cell::White => 'o',
        Cell::Border => '#',
    };
    let rows = [[4, 0, 5], [1, 8, 2], [6, 3, 7]];
    let row = |row: &[usize; 3]| -> String {
        row.iter().map(|&d| if d == 8 { '+' } else { letter(d) }).collect()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_described() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.first, next, "{}", group.name);
            assert!(!group.doc.is_empty() && group.axes.len() <= 4);
            next += group.values;
        }
        assert_eq!(next, FIRST_SHAPE);
        let names: std::collections::HashSet<String> =
            (0..COUNT as FeatureId).map(describe).collect();
        assert_eq!(names.len(), COUNT, "every feature has a name of its own");
        assert_eq!(
            describe(CAPTURE.at(1, 0, 1, 0)),
            "capture(kind=open, stones=1, target=last, ko=no)"
        );
        assert_eq!(group_of(PASS.at(0, 0, 0, 0)), 0);
        assert_eq!(group_of(FIRST_SHAPE + 5), GROUPS.len());
    }

    #[test]
    fn there_are_1107_shapes() {
        let classes: std::collections::HashSet<u16> = shape_classes().iter().copied().collect();
        assert_eq!(classes.len(), usize::from(SHAPES));
        assert!(shape_of_class(SHAPES - 2).is_some() && shape_of_class(SHAPES - 1).is_none());
        let code = shape_of_class(700).unwrap();
        for symmetry in 0..8 {
            assert_eq!(shape_classes()[usize::from(code.transform(symmetry).code())], 700);
        }
    }
}
