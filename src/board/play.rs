//! The one move routine.

use super::{Board, Chain};
use crate::types::{Cell, Color, DIAGONALS, ORTHOGONALS, Point, zobrist_stone};

/// Sees what a move changes. The unit type sees nothing and costs nothing; the gamma sampler
/// listens to re-rate just the points whose surroundings changed.
pub trait Observer {
    /// A stone was put on the board.
    fn placed(&mut self, _point: Point, _color: Color) {}
    /// A stone was captured.
    fn removed(&mut self, _point: Point, _color: Color) {}
    /// The liberties of the chain with this head changed, or it was merged or newly made. A head
    /// may be reported more than once, and may have been captured or merged since; it is PASS for
    /// neighbours without a stone.
    fn liberties_changed(&mut self, _head: Point) {}
}

impl Observer for () {}

impl Board {
    /// Plays a move that is known to be legal, or passes, for the player to move.
    #[inline]
    pub fn play_legal(&mut self, point: Point) {
        self.play_observed(self.to_play, point, &mut ());
    }

    /// Plays a legal move or pass for a colour and tells an observer what changed.
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, color: Color, point: Point, observer: &mut O) {
        debug_assert!(point.is_pass() || self.is_legal(color, point));
        self.last = [point, self.last[0], self.last[1], self.last[2]];
        self.moves += 1;
        self.to_play = color.opponent();
        self.ko = Point::PASS;
        if !point.is_pass() {
            self.put_stone(color, point, observer);
        }
    }

    /// Puts a stone of the starting position on the board: not a move, so that neither the last
    /// moves nor the turn change. The point must be empty and the stone must not be a suicide.
    pub fn put_setup_stone(&mut self, color: Color, point: Point) {
        debug_assert!(self.is_empty(point) && !self.is_suicide(color, point));
        self.put_stone(color, point, &mut ());
        self.ko = Point::PASS;
    }

    #[inline]
    fn put_stone<O: Observer>(&mut self, color: Color, point: Point, observer: &mut O) {
        let enemy = color.opponent();
        let shape = self.shapes[point];
        self.set_cell(point, color);
        self.remove_empty(point);
        self.stones[color] += 1;
        observer.placed(point, color);

        // The point is a liberty of its neighbours no more. Each distinct chain once.
        let neighbors = point.neighbors();
        let heads = neighbors.map(|neighbor| self.heads[neighbor]);
        self.change_distinct(heads, |chain, keep| *chain -= Chain::liberty(point).only_if(keep));
        for head in heads {
            observer.liberties_changed(head);
        }

        let mut captured = 0;
        for (direction, neighbor) in neighbors.into_iter().enumerate() {
            if shape.is_stone(direction, enemy)
                && self.chains[heads[direction]].liberties() == 0
                && !self.is_empty(neighbor)
            {
                captured += self.capture(enemy, heads[direction], observer);
            }
        }

        // The new stone joins the largest friendly neighbour; the others are merged into it.
        let mut target = Point::PASS;
        let mut most_stones = 0;
        for (direction, head) in heads.into_iter().enumerate() {
            if shape.is_stone(direction, color) && self.chains[head].stones() > most_stones {
                most_stones = self.chains[head].stones();
                target = head;
            }
        }
        if target.is_pass() {
            self.found_chain(point);
            if captured == 1 && self.chains[point].liberties() == 1 {
                self.ko = self.chains[point].only_liberty();
            }
            observer.liberties_changed(point);
        } else {
            self.chains[target] += Chain::STONE;
            self.gain_liberties(point, target);
            self.heads[point] = target;
            self.next[point] = self.next[target];
            self.next[target] = point;
            for (direction, neighbor) in neighbors.into_iter().enumerate() {
                if shape.is_stone(direction, color) {
                    let head = self.heads[neighbor];
                    if head != target {
                        self.merge(head, target);
                    }
                }
            }
            observer.liberties_changed(target);
        }
    }

    /// Changes the cell of a stone and all that follows from the colour alone.
    #[inline(always)]
    fn set_cell(&mut self, point: Point, color: Color) {
        self.cells[point] = Cell::from(color);
        self.toggle(point, color);
    }

    /// Adds a stone to, or takes it from, the hash and its neighbours' shapes: both by XOR.
    #[inline(always)]
    fn toggle(&mut self, point: Point, color: Color) {
        self.hash ^= zobrist_stone(color, point);
        let bits = color as u16;
        for i in 0..4 {
            // Seen from the neighbour in direction i, this point is in the opposite direction 3 - i.
            self.shapes[point.offset(ORTHOGONALS[i])].0 ^= bits << (2 * (3 - i));
            self.shapes[point.offset(DIAGONALS[i])].0 ^= bits << (8 + 2 * (3 - i));
        }
    }

    /// Applies a change once to each distinct chain among four. The sentinel is changed too: its
    /// value is never read, and a store costs less than a branch that guesses.
    #[inline(always)]
    fn change_distinct(&mut self, [a, b, c, d]: [Point; 4], change: impl Fn(&mut Chain, bool)) {
        change(&mut self.chains[a], true);
        change(&mut self.chains[b], b != a);
        change(&mut self.chains[c], c != a && c != b);
        change(&mut self.chains[d], d != a && d != b && d != c);
    }

    /// Makes a chain of a lone stone.
    #[inline(always)]
    fn found_chain(&mut self, point: Point) {
        let empty = self.shapes[point].empty_neighbors();
        let mut chain = Chain::STONE;
        for (direction, neighbor) in point.neighbors().into_iter().enumerate() {
            chain += Chain::liberty(neighbor).only_if(empty >> (2 * direction) & 1 == 1);
        }
        self.chains[point] = chain;
        self.heads[point] = point;
        self.next[point] = point;
    }

    /// Adds to a chain the liberties that a stone, not yet part of it, brings along.
    #[inline(always)]
    fn gain_liberties(&mut self, stone: Point, chain: Point) {
        let mut empty = self.shapes[stone].empty_neighbors();
        while empty != 0 {
            let direction = empty.trailing_zeros() as usize / 2;
            empty &= empty - 1;
            let liberty = stone.offset(ORTHOGONALS[direction & 3]);
            let [a, b, c, d] = liberty.neighbors().map(|p| self.heads[p] == chain);
            self.chains[chain] += Chain::liberty(liberty).only_if(!(a | b | c | d));
        }
    }

    /// Moves the stones of one chain into another.
    fn merge(&mut self, from: Point, into: Point) {
        let mut stone = from;
        loop {
            self.chains[into] += Chain::STONE;
            self.gain_liberties(stone, into);
            self.heads[stone] = into;
            stone = self.next[stone];
            if stone == from {
                break;
            }
        }
        let after = self.next[into];
        self.next[into] = self.next[from];
        self.next[from] = after;
    }

    /// Removes a chain from the board; returns the number of its stones.
    fn capture<O: Observer>(&mut self, color: Color, head: Point, observer: &mut O) -> u32 {
        let count = self.chains[head].stones();
        self.stones[color] -= count as u16;
        self.prisoners[color.opponent()] += count;
        let mut stone = head;
        loop {
            self.cells[stone] = Cell::Empty;
            self.heads[stone] = Point::PASS;
            self.toggle(stone, color);
            self.push_empty(stone);
            observer.removed(stone, color);
            stone = self.next[stone];
            if stone == head {
                break;
            }
        }
        // Neighbours of a captured stone are captured stones, whose head is the sentinel by now,
        // border, or stones of the capturer, who gains a liberty.
        loop {
            let heads = stone.neighbors().map(|neighbor| self.heads[neighbor]);
            self.change_distinct(heads, |chain, keep| {
                *chain += Chain::liberty(stone).only_if(keep)
            });
            for head in heads {
                observer.liberties_changed(head);
            }
            stone = self.next[stone];
            if stone == head {
                break;
            }
        }
        count
    }
}
