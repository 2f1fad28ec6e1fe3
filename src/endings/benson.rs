//! Unconditional life (Benson 1976): chains that no sequence of moves captures, even if their
//! owner always passes.
//!
//! A chain is unconditionally alive if it belongs to a set of chains each of which has at least
//! two vital regions that only chains of the set enclose. A region is a connected set of points
//! that are not stones of the colour; it is vital to a chain if every empty point of it is a
//! liberty of the chain: the opponent cannot fill it without suicide.
//!
//! The question can be asked of a part of the board, with chains around it taken for alive: that is
//! how the local reader ([`super::reading`]) knows that a fight is over.

use crate::board::Board;
use crate::types::{Color, Marker, Point};

/// A part of the board, and what is taken for granted around it.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The points, stones included, whose fate is open.
    points: Vec<Point>,
    inside: Marker,
    /// Stones of either colour that are taken for alive, inside or outside.
    safe: Marker,
}

impl Scope {
    /// The whole board, nothing taken for granted.
    pub fn whole(board: &Board) -> Scope {
        Scope::new(board.points().collect(), Marker::new())
    }

    /// A part of the board with safe stones around it.
    pub fn new(points: Vec<Point>, safe: Marker) -> Scope {
        let mut inside = Marker::new();
        for &point in &points {
            inside.insert(point);
        }
        Scope { points, inside, safe }
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Is the point part of it?
    pub fn contains(&self, point: Point) -> bool {
        self.inside.contains(point)
    }

    /// Is the stone here taken for alive? A stone played since may have joined it.
    pub(super) fn is_safe(&self, board: &Board, stone: Point) -> bool {
        self.safe.contains(stone) || board.chain(stone).any(|stone| self.safe.contains(stone))
    }
}

/// A connected set of points without stones of the colour.
#[derive(Default)]
struct Region {
    points: Vec<Point>,
    /// Heads of the chains around it.
    border: Vec<Point>,
    /// Heads of the chains it is vital to.
    vital: Vec<Point>,
    /// Does it reach beyond the scope?
    open: bool,
}

/// The points that a colour holds for ever: its unconditionally alive stones, and the regions
/// around which all chains are so and in which the opponent has no room for two eyes.
pub fn secure_points(board: &Board, color: Color, scope: &Scope) -> Marker {
    let mut regions = find_regions(board, color, scope);
    let mut chains: Vec<(Point, bool)> = Vec::new();
    for region in &regions {
        for &head in &region.border {
            if !chains.iter().any(|&(known, _)| known == head) {
                chains.push((head, scope.is_safe(board, head)));
            }
        }
    }
    reduce(&mut chains, &mut regions);
    let mut secure = Marker::new();
    for &(head, _) in &chains {
        for stone in board.chain(head) {
            secure.insert(stone);
        }
    }
    for region in regions.iter().filter(|region| !region.open) {
        if !has_room_for_two_eyes(board, color, &region.points) {
            for &point in &region.points {
                secure.insert(point);
            }
        }
    }
    secure
}

/// The one enclosed region of a colour in a scope, if there is no more than one and next to nothing
/// else to make an eye of: its points, stones of the opponent included. Empty if there is none.
pub(super) fn only_eyespace(board: &Board, color: Color, scope: &Scope) -> Option<Vec<Point>> {
    let mut eyespace = None;
    let mut outside = 0;
    for region in find_regions(board, color, scope) {
        if region.border.iter().any(|&head| scope.is_safe(board, head)) {
            return None;
        }
        if region.open {
            outside += region.points.iter().filter(|&&point| board.is_empty(point)).count();
        } else if eyespace.replace(region.points).is_some() {
            return None;
        }
    }
    (outside <= 2).then(|| eyespace.unwrap_or_default())
}

/// Benson's loop: drops chains with fewer than two vital regions, and regions beside a dropped
/// chain, until nothing changes.
fn reduce(chains: &mut Vec<(Point, bool)>, regions: &mut Vec<Region>) {
    loop {
        let before = chains.len();
        chains.retain(|&(head, safe)| {
            let vital = |region: &&Region| !region.open && region.vital.contains(&head);
            safe || regions.iter().filter(vital).take(2).count() == 2
        });
        if chains.len() == before {
            return;
        }
        let stands = |head: &Point| chains.iter().any(|&(known, _)| known == *head);
        regions.retain(|region| region.border.iter().all(stands));
    }
}

fn find_regions(board: &Board, color: Color, scope: &Scope) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut seen = Marker::new();
    for &start in scope.points() {
        if board.is_stone(start, color) || !seen.insert(start) {
            continue;
        }
        let mut region = Region { points: vec![start], ..Region::default() };
        let mut has_empty = false;
        let mut next = 0;
        while next < region.points.len() {
            let point = region.points[next];
            next += 1;
            let mut beside: Vec<Point> = Vec::new();
            for neighbor in point.neighbors() {
                if board.is_stone(neighbor, color) {
                    let head = board.head(neighbor);
                    insert(&mut region.border, head);
                    insert(&mut beside, head);
                } else if scope.contains(neighbor) {
                    if seen.insert(neighbor) {
                        region.points.push(neighbor);
                    }
                } else if neighbor.is_on_board(board.size()) {
                    region.open = true;
                }
            }
            if board.is_empty(point) {
                if has_empty {
                    region.vital.retain(|head| beside.contains(head));
                } else {
                    region.vital = beside;
                    has_empty = true;
                }
            }
        }
        regions.push(region);
    }
    regions
}

fn insert(list: &mut Vec<Point>, point: Point) {
    if !list.contains(&point) {
        list.push(point);
    }
}

/// Could the opponent ever have two eyes among these points, all of whose neighbours are alive? An
/// eye of the opponent does not touch a stone of the colour, and two eyes do not touch each other.
fn has_room_for_two_eyes(board: &Board, color: Color, region: &[Point]) -> bool {
    let touches = |point: &Point| point.neighbors().iter().any(|&p| board.is_stone(p, color));
    let inner: Vec<Point> = region.iter().copied().filter(|point| !touches(point)).collect();
    let apart = |&a: &Point, &b: &Point| a != b && !a.neighbors().contains(&b);
    inner.len() > 2 || inner.iter().any(|a| inner.iter().any(|b| apart(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    fn secure(diagram: &str, color: Color) -> String {
        let board = Diagram::parse(diagram).unwrap().board;
        let secure = secure_points(&board, color, &Scope::whole(&board));
        let held = board.points().filter(|&point| secure.contains(point));
        held.map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        let two = ". X . X O\nX X X X O\nO O O O O\n. . . . .\n. . . . .";
        assert_eq!(secure(two, Color::Black), "A4 B4 C4 D4 A5 B5 C5 D5");
        assert_eq!(secure(two, Color::White), "");
        let one = ". X X X O\nX X X X O\nO O O O O\n. . . . .\n. . . . .";
        assert_eq!(secure(one, Color::Black), "");
    }

    #[test]
    fn a_large_eyespace_is_not_yet_two_eyes() {
        let shape = ". . . . X\nX X X X X\nO O O O O\n. . . . .\n. . . . .";
        assert_eq!(secure(shape, Color::Black), "");
    }

    #[test]
    fn two_chains_that_share_two_eyes_live_together() {
        // Each of the two chains sees both eyes; a false eye for a third would not do.
        let shape = "
            . X O . .
            X O O . .
            X X O . .
            . X O . .
            X X O . .";
        // A5 is an eye of the corner stones only if B4 cannot be taken: the chain A3-B1 has A2 and
        // A5, the stone at B5 has A5 alone.
        assert_eq!(secure(shape, Color::Black), "");
        let both = "
            . X O . .
            X X O . .
            X . O . .
            X X O . .
            . X O . .";
        assert!(secure(both, Color::Black).starts_with("A1 B1 A2 B2"));
    }

    #[test]
    fn dead_stones_inside_belong_to_the_living() {
        let shape = "
            . X . O X O
            X X O O X O
            X . X X X O
            X X X O O O
            O O O O . O
            . O . O O O";
        let held = secure(shape, Color::White);
        assert!(held.contains("A1") && held.contains("E2"));
        let black = secure(shape, Color::Black);
        assert!(black.contains("B4") && black.contains("A6"), "{black}");
        // The three white stones have one liberty, and no room for two eyes.
        assert!(black.contains("C6") && black.contains("D6") && black.contains("C5"), "{black}");
    }
}
