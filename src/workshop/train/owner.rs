//! Monte Carlo owner (Baudis' slides, pattern features): who owns a point at the end of playouts.
//!
//! Light playouts from a position give every point its mean owner, and a move the feature `owner` of the point where it
//! is made. The engine does not compute it, because it costs as much as the playouts do; `train --owner N` and `predict
//! --owner N` measure what it would be worth (`docs/papers.md`).

use crate::board::Board;
use crate::playout::{Light, Limits, Ownership, play_out};
use crate::types::{PointMap, Rng};

/// Computes owners; keeps its working memory between positions.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    playouts: u32,
    sums: Ownership,
}

impl Owners {
    /// From so many playouts; 0 for none.
    pub fn new(playouts: u32) -> Owners {
        Owners { playouts, sums: Ownership::new() }
    }

    /// The mean owner of every point, 1 for Black, -1 for White; nothing without playouts. The same position always
    /// gets the same random numbers.
    pub fn look(&mut self, start: &Board) -> Option<PointMap<f32>> {
        if self.playouts == 0 {
            return None;
        }
        self.sums.reset();
        let mut rng = Rng::new(start.hash());
        let mut board = start.clone();
        for _ in 0..self.playouts {
            board.copy_from(start);
            play_out(&mut Light, &mut board, &mut rng, Limits::for_size(start.size()), |_, _| ());
            self.sums.add(&board);
        }
        let mut owners = PointMap::filled(0.0);
        for point in start.points() {
            owners[point] = self.sums.value(point);
        }
        Some(owners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;

    #[test]
    fn owners_are_those_of_playouts() {
        let diagram = Diagram::parse(
            "a X O . O
             X X O O O
             X X O . O
             . X O O O
             X X O . b",
        )
        .unwrap();
        assert!(Owners::new(0).look(&diagram.board).is_none());
        let mut owners = Owners::new(20);
        let found = owners.look(&diagram.board).unwrap();
        assert_eq!((found[diagram.mark('a')], found[diagram.mark('b')]), (1.0, -1.0));
        assert_eq!(
            owners.look(&diagram.board).unwrap(),
            found,
            "the same position, the same owners"
        );
    }
}
