//! A set of points that is emptied in one step.

use super::{Point, PointMap};

/// A set of points. Each cell remembers the epoch in which it was added; `clear` starts a new
/// epoch instead of walking the array.
#[derive(Clone, Debug)]
pub struct Marker {
    epoch: u32,
    added: PointMap<u32>,
}

impl Default for Marker {
    fn default() -> Self {
        Marker { epoch: 1, added: PointMap::filled(0) }
    }
}

impl Marker {
    /// An empty set.
    pub fn new() -> Marker {
        Marker::default()
    }

    /// Removes everything.
    #[inline]
    pub fn clear(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.added.fill(0);
            self.epoch = 1;
        }
    }

    /// Adds a point; true if it was not yet there.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let cell = &mut self.added[point];
        let new = *cell != self.epoch;
        *cell = self.epoch;
        new
    }

    /// Is the point in the set?
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.added[point] == self.epoch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insert_contains_clear() {
        let mut set = Marker::new();
        let point = Point::new(3, 3);
        assert!(!set.contains(point) && set.insert(point) && !set.insert(point));
        assert!(set.contains(point) && !set.contains(Point::new(3, 4)));
        set.clear();
        assert!(!set.contains(point));
        set.epoch = u32::MAX; // the next epoch would be 0, the mark of cells never added
        set.insert(point);
        set.clear();
        assert!(!set.contains(point) && !set.contains(Point::new(1, 1)));
    }
}
