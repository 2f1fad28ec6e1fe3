//! Which moves the rules allow, and which a playout spares.

use super::Board;
use crate::types::{Color, Point};

impl Board {
    /// May this colour play at this point (not a pass)? Occupation, suicide and simple ko count;
    /// superko does not. False for anything that is no point of the board.
    #[inline(always)]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.is_empty(point)
            && !self.is_suicide(color, point)
            && (point != self.ko || color != self.to_play)
    }

    /// Would a stone on this empty point be without liberties?
    #[inline(always)]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        !self.shapes[point].has_empty_neighbor() && !self.breathes_through_chains(color, point)
    }

    /// With no empty neighbour, a stone lives by capturing a chain in atari or by joining one
    /// that is not.
    #[inline]
    fn breathes_through_chains(&self, color: Color, point: Point) -> bool {
        let shape = self.shapes[point];
        point.neighbors().into_iter().enumerate().any(|(direction, neighbor)| {
            let in_atari = self.chains[self.heads[neighbor]].liberties() == 1;
            shape.is_stone(direction, color) && !in_atari
                || shape.is_stone(direction, color.opponent()) && in_atari
        })
    }

    /// Is this empty point a one-point eye of this colour, which only a fool would fill?
    #[inline(always)]
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        self.shapes[point].is_eye(color)
    }
}
