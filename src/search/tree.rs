//! The tree between playouts: its root, what is kept when the game moves on, and compaction.

use super::node::{NewChild, Node};
use super::storage::Storage;
use crate::types::{Point, PointMap};

/// Share of the memory limit that one storage may take: during compaction the old storage (full) and
/// the new one (at most half full) exist together.
const ARENA_SHARE: f64 = 0.6;

/// A search tree.
pub(super) struct Tree {
    pub(super) storage: Storage,
    root: u32,
    bytes: usize,
}

impl Tree {
    /// An empty tree within a memory limit.
    pub(super) fn new(megabytes: u64) -> Tree {
        let bytes = (megabytes as f64 * (1 << 20) as f64 * ARENA_SHARE) as usize;
        let mut tree = Tree { storage: Storage::new(bytes), root: 0, bytes };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.storage = Storage::new(self.bytes);
        self.root = self.storage.allocate(1).unwrap_or(0);
        self.storage.node(self.root).plant(&NewChild::default());
    }

    pub(super) fn root(&self) -> &Node {
        self.storage.node(self.root)
    }

    pub(super) fn root_index(&self) -> u32 {
        self.root
    }

    /// Moves the root along some moves and frees the rest; starts anew, and answers false, if the tree does not know
    /// them.
    pub(super) fn advance(&mut self, moves: &[Point]) -> bool {
        let mut at = Some(self.root);
        for &point in moves {
            at = at.and_then(|index| {
                let (first, count) = self.storage.node(index).children()?;
                let children = self.storage.block(first, count);
                children.iter().position(|child| child.point() == point).map(|i| first + i as u32)
            });
        }
        match at {
            Some(root) if root == self.root => {}
            Some(root) => {
                self.root = root;
                self.compact();
            }
            None => self.clear(),
        }
        at.is_some()
    }

    /// Frees what the root no longer leads to, and makes room in a full storage: children of nodes with few visits are forgotten, so that at
    /// most half of it stays in use.
    pub(super) fn compact(&mut self) {
        let limit = self.storage.capacity() / 2;
        // Visits and number of children of every node that has any.
        let mut parents = Vec::new();
        let mut open = vec![self.root];
        while let Some(index) = open.pop() {
            let node = self.storage.node(index);
            if let Some((first, count)) = node.children() {
                parents.push((node.visits(), count));
                open.extend(first..first + count as u32);
            }
        }
        parents.sort_unstable_by(|a, b| b.cmp(a));
        let mut total = 0;
        let fits = parents.iter().take_while(|(_, count)| {
            total += count;
            total <= limit
        });
        let kept = fits.count();
        // One more visit than the first parent that does not fit.
        let least = parents.get(kept).map_or(0, |(visits, _)| visits + 1);
        self.keep(self.root, least);
    }

    /// Copies the part of the tree below a node into a new storage. Children of nodes with fewer
    /// visits than `least` are left out, except the root's.
    fn keep(&mut self, root: u32, least: u32) {
        let fresh = Storage::new(self.bytes);
        let new_root = fresh.allocate(1).unwrap_or(0);
        fresh.node(new_root).copy_from(self.storage.node(root));
        let mut open = vec![(root, new_root)];
        while let Some((old, new)) = open.pop() {
            let node = self.storage.node(old);
            let Some((first, count)) = node.children() else { continue };
            if old != root && node.visits() < least {
                continue;
            }
            let Some(block) = fresh.allocate(count) else { continue };
            let pairs = self.storage.block(first, count).iter().zip(fresh.block(block, count));
            pairs.for_each(|(from, to)| to.copy_from(from));
            fresh.node(new).publish(block, count, node.asked());
            open.extend((0..count as u32).map(|i| (first + i, block + i)));
        }
        self.storage = fresh;
        self.root = new_root;
    }

    /// The most visited continuation from a node, up to a length.
    pub(super) fn variation<'a>(&'a self, mut node: &'a Node, length: usize) -> Vec<&'a Node> {
        let mut line = Vec::new();
        while line.len() < length {
            let best = self.storage.children(node).iter().max_by_key(|child| child.visits());
            match best {
                Some(child) if child.visits() > 0 => {
                    line.push(child);
                    node = child;
                }
                _ => break,
            }
        }
        line
    }

    /// Visits of the root's children by point.
    pub(super) fn root_visits(&self) -> PointMap<u32> {
        let mut visits = PointMap::filled(0);
        for child in self.storage.children(self.root()) {
            visits[child.point()] = child.visits();
        }
        visits
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::{Asked, WIN};
    use super::*;

    /// A tree whose root has three children, the second of which has three of its own.
    fn small() -> (Tree, [Point; 3]) {
        let tree = Tree::new(4);
        let points = [Point::new(1, 1), Point::new(2, 2), Point::new(3, 3)];
        let grow = |node: u32| {
            let block = tree.storage.allocate(3).unwrap();
            for (child, point) in tree.storage.block(block, 3).iter().zip(points) {
                child.plant(&NewChild { point, ..NewChild::default() });
            }
            tree.storage.node(node).publish(block, 3, Asked::default());
            block
        };
        let first = grow(tree.root);
        let second = grow(first + 1);
        for index in [tree.root, first + 1, second + 2] {
            (0..10).for_each(|_| tree.storage.node(index).add_result(WIN, 1, 0));
        }
        (tree, points)
    }

    fn variation(tree: &Tree) -> Vec<Point> {
        tree.variation(tree.root(), 9).into_iter().map(Node::point).collect()
    }

    #[test]
    fn advancing_keeps_the_subtree() {
        let (mut tree, points) = small();
        assert_eq!(variation(&tree), [points[1], points[2]]);
        tree.advance(&[points[1]]);
        assert_eq!((tree.root().visits(), tree.root().point()), (10, points[1]));
        assert_eq!(tree.storage.children(tree.root()).len(), 3);
        assert_eq!(variation(&tree), [points[2]]);
        assert_eq!(tree.root_visits()[points[2]], 10);
    }

    #[test]
    fn advancing_in_a_full_storage_keeps_half() {
        let (mut tree, points) = small();
        let capacity = tree.storage.capacity();
        // Below the second move stands more than half of what fits.
        let at = tree.storage.node(tree.root).children().unwrap().0 + 1;
        let below = tree.storage.node(at).children().unwrap().0;
        let mut open = vec![below];
        while let (Some(index), Some(block)) = (open.pop(), tree.storage.allocate(300)) {
            tree.storage.node(index).publish(block, 300, Asked::default());
            open.extend(block..block + 300);
        }
        assert!(tree.storage.used() * 10 > capacity * 9);
        tree.advance(&[points[1]]);
        assert!(tree.storage.used() * 2 <= capacity + 600, "{}", tree.storage.used());
        assert_eq!(tree.root().point(), points[1]);
    }

    #[test]
    fn advancing_into_the_unknown_starts_anew() {
        let (mut tree, points) = small();
        tree.advance(&[points[0], points[1]]);
        assert_eq!(tree.root().visits(), 0);
        assert!(tree.storage.children(tree.root()).is_empty());
    }

    #[test]
    fn compaction_keeps_what_is_visited_and_fits_half() {
        let mut tree = Tree::new(2);
        // Fill the storage: a chain of nodes with ever fewer visits, 300 children each.
        let mut at = tree.root;
        let mut depth = 0;
        while let Some(block) = tree.storage.allocate(300) {
            let visits = 2000u32.saturating_sub(depth * 10).max(1);
            let node = tree.storage.node(at);
            (0..visits).for_each(|_| node.add_result(WIN, 0, 0));
            for (i, child) in tree.storage.block(block, 300).iter().enumerate() {
                child.plant(&NewChild {
                    point: Point::new(1 + i % 19, 1 + i / 19),
                    ..NewChild::default()
                });
            }
            node.publish(block, 300, Asked::default());
            at = block + depth % 300;
            depth += 1;
        }
        let before = (tree.root().visits(), tree.storage.used());
        tree.compact();
        assert_eq!(tree.root().visits(), before.0);
        assert!(
            tree.storage.used() * 2 <= tree.storage.capacity() + 600,
            "{}",
            tree.storage.used()
        );
        assert!(tree.storage.used() > 600 && variation(&tree).len() == 9);
        assert!(tree.storage.allocate(300).is_some());
    }
}
