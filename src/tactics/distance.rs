//! Distance on the common-fate graph: stones of a chain share their fate, so a step between them
//! is free; every other step costs one.

use crate::board::Board;
use crate::types::{CELLS, Cell, Point, PointMap};

/// The distance of points that are farther than the limit.
pub const FAR: u8 = u8::MAX;

/// A breadth-first search: cells in order of distance, each queued once.
struct Flood {
    distance: PointMap<u8>,
    queue: [Point; CELLS],
    queued: usize,
}

impl Flood {
    /// Queues a cell, with its whole chain if there is a stone.
    fn reach(&mut self, board: &Board, point: Point, steps: u8) {
        if board.cell(point).color().is_some() {
            board.chain(point).for_each(|stone| self.push(stone, steps));
        } else {
            self.push(point, steps);
        }
    }

    fn push(&mut self, point: Point, steps: u8) {
        self.distance[point] = steps;
        self.queue[self.queued] = point;
        self.queued += 1;
    }
}

/// The common-fate distance of every cell from a point, up to a limit; [`FAR`] beyond.
pub fn common_fate_distance(board: &Board, from: Point, limit: u8) -> PointMap<u8> {
    let mut flood =
        Flood { distance: PointMap::filled(FAR), queue: [Point::PASS; CELLS], queued: 0 };
    if from.is_pass() {
        return flood.distance;
    }
    flood.reach(board, from, 0);
    let mut next = 0;
    while next < flood.queued {
        let point = flood.queue[next];
        next += 1;
        let steps = flood.distance[point] + 1;
        if steps > limit {
            break;
        }
        for neighbor in point.neighbors() {
            if flood.distance[neighbor] == FAR && board.cell(neighbor) != Cell::Border {
                flood.reach(board, neighbor, steps);
            }
        }
    }
    flood.distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn chains_shorten_the_way() {
        let diagram = Diagram::parse(
            "a . . . . . .
             b X X X X X c
             . . . . . . d
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . e",
        )
        .unwrap();
        let distance = common_fate_distance(&diagram.board, diagram.mark('b'), 4);
        let at = |mark| distance[diagram.mark(mark)];
        assert_eq!([at('b'), at('a'), at('c'), at('d'), at('e')], [0, 1, 2, 3, FAR]);
        assert_eq!(distance[Point::new(4, 6)], 1);
        assert_eq!(common_fate_distance(&diagram.board, Point::PASS, 4)[Point::new(1, 1)], FAR);
    }
}
