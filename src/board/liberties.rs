//! Questions about chains and liberties.

use super::Board;
use crate::types::{Cell, Color, Point};

/// A short list of distinct points on the stack.
#[derive(Clone, Copy, Debug)]
pub struct PointList<const N: usize> {
    points: [Point; N],
    len: usize,
}

impl<const N: usize> Default for PointList<N> {
    fn default() -> Self {
        PointList { points: [Point::PASS; N], len: 0 }
    }
}

impl<const N: usize> PointList<N> {
    /// Adds a point that is known not to be in the list, if there is room.
    #[inline]
    pub fn push(&mut self, point: Point) {
        if self.len < N {
            self.points[self.len] = point;
            self.len += 1;
        }
    }

    /// Adds a point unless it is there already or the list is full; true if it was added.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let fits = self.len < N && !self.contains(&point);
        if fits {
            self.push(point);
        }
        fits
    }

    /// Has the list as many points as it can hold?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.len == N
    }
}

impl<const N: usize> Extend<Point> for PointList<N> {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl<const N: usize> std::ops::Deref for PointList<N> {
    type Target = [Point];
    #[inline]
    fn deref(&self) -> &[Point] {
        &self.points[..self.len]
    }
}

impl Board {
    /// The head of the chain of a stone: one of its stones, the same for all of them. PASS for
    /// cells without a stone.
    #[inline(always)]
    pub fn head(&self, stone: Point) -> Point {
        self.heads[stone]
    }

    /// Distinct liberties of the chain of a stone.
    #[inline(always)]
    pub fn liberty_count(&self, stone: Point) -> u32 {
        self.chains[self.heads[stone]].liberties()
    }

    /// Stones of the chain of a stone.
    #[inline(always)]
    pub fn chain_size(&self, stone: Point) -> u32 {
        self.chains[self.heads[stone]].stones()
    }

    /// Is there a stone here whose chain has one liberty?
    #[inline(always)]
    pub fn is_in_atari(&self, stone: Point) -> bool {
        let head = self.heads[stone];
        !head.is_pass() && self.chains[head].liberties() == 1
    }

    /// The liberty of a chain in atari.
    #[inline(always)]
    pub fn atari_liberty(&self, stone: Point) -> Point {
        debug_assert!(self.is_in_atari(stone));
        self.chains[self.heads[stone]].only_liberty()
    }

    /// Both liberties of a chain that has two.
    #[inline(always)]
    pub fn two_liberties(&self, stone: Point) -> [Point; 2] {
        debug_assert!(self.liberty_count(stone) == 2);
        self.chains[self.heads[stone]].two_liberties()
    }

    /// The stones of the chain of a stone.
    #[inline]
    pub fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let head = self.heads[stone];
        let mut at = if head.is_pass() { None } else { Some(head) };
        std::iter::from_fn(move || {
            let stone = at?;
            let next = self.next[stone];
            at = (next != head).then_some(next);
            Some(stone)
        })
    }

    /// Up to N liberties of the chain of a stone. One or two take no walk; more walk the chain
    /// until all or N are found.
    pub fn liberties<const N: usize>(&self, stone: Point) -> PointList<N> {
        let mut list = PointList::default();
        self.collect_liberties(stone, &mut list);
        list
    }

    #[inline]
    fn collect_liberties<const N: usize>(&self, stone: Point, list: &mut PointList<N>) {
        match self.liberty_count(stone) {
            1 => {
                list.insert(self.atari_liberty(stone));
            }
            2 => {
                for liberty in self.two_liberties(stone) {
                    list.insert(liberty);
                }
            }
            count => {
                let mut seen = 0;
                for stone in self.chain(stone) {
                    for neighbor in stone.neighbors() {
                        if self.is_empty(neighbor) && list.insert(neighbor) {
                            seen += 1;
                            if list.is_full() || seen == count {
                                return;
                            }
                        }
                    }
                }
            }
        }
    }

    /// The first N liberties, captures included, that a chain would have after this colour
    /// played at an empty point. The caller asks `N` as large as it needs to know: a self-atari
    /// test takes 2.
    pub fn liberties_after<const N: usize>(&self, color: Color, point: Point) -> PointList<N> {
        let mut list = PointList::default();
        let shape = self.shapes[point];
        let neighbors = point.neighbors();
        for (direction, neighbor) in neighbors.into_iter().enumerate() {
            if shape.empty_neighbors() >> (2 * direction) & 1 == 1 {
                list.insert(neighbor);
            }
        }
        if list.is_full() {
            return list;
        }
        for (direction, neighbor) in neighbors.into_iter().enumerate() {
            if shape.is_stone(direction, color) {
                self.other_liberties(neighbor, point, &mut list);
            } else if shape.is_stone(direction, color.opponent()) && self.is_in_atari(neighbor) {
                for stone in self.chain(neighbor) {
                    let touches = |p: Point| {
                        p == point
                            || self.is_stone(p, color)
                                && neighbors.iter().any(|&n| self.heads[n] == self.heads[p])
                    };
                    if stone.neighbors().into_iter().any(touches) {
                        list.insert(stone);
                    }
                }
            }
            if list.is_full() {
                break;
            }
        }
        list
    }

    /// Adds the liberties of a chain except one of them.
    #[inline]
    fn other_liberties<const N: usize>(
        &self,
        stone: Point,
        except: Point,
        list: &mut PointList<N>,
    ) {
        let chain = self.chains[self.heads[stone]];
        match chain.liberties() {
            1 => {}
            2 => {
                list.insert(chain.other_liberty(except));
            }
            _ => {
                for stone in self.chain(stone) {
                    for neighbor in stone.neighbors() {
                        if neighbor != except && self.is_empty(neighbor) {
                            list.insert(neighbor);
                        }
                    }
                    if list.is_full() {
                        return;
                    }
                }
            }
        }
    }

    /// Would this colour's stone here have at most one liberty, counting captures?
    #[inline]
    pub fn is_self_atari(&self, color: Color, point: Point) -> bool {
        self.only_liberty_after(color, point).is_some()
    }

    /// The one liberty that a stone of this colour here would have, counting captures; PASS if it
    /// would have none, and nothing if it would have more than one.
    #[inline]
    pub fn only_liberty_after(&self, color: Color, point: Point) -> Option<Point> {
        let shape = self.shapes[point];
        if shape.empty_neighbors().count_ones() >= 2 {
            return None;
        }
        // All liberties must be one and the same point.
        let mut only = Point::PASS;
        for (direction, neighbor) in point.neighbors().into_iter().enumerate() {
            let chain = self.chains[self.heads[neighbor]];
            let (liberties, stone) = (chain.liberties(), shape.bits(direction));
            let liberty = if stone == 0 {
                neighbor
            } else if stone == color as u16 {
                match liberties {
                    1 => continue,
                    2 => chain.other_liberty(point),
                    _ => return None,
                }
            } else if stone == Cell::Border as u16 || liberties > 1 {
                continue;
            } else if chain.stones() == 1 {
                neighbor
            } else {
                // Only a captured chain of several stones gives more than one at once.
                let liberties = self.liberties_after::<2>(color, point);
                return (!liberties.is_full())
                    .then(|| liberties.first().copied().unwrap_or_default());
            };
            if !only.is_pass() && liberty != only {
                return None;
            }
            only = liberty;
        }
        Some(only)
    }
}
