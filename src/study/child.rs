//! A move from a node of the textbook tree and what is known of it.

use super::mix::Evidence;
use super::second::Sum;
use crate::types::{Point, Rng};

/// A move from a node and what is known of it. Results are those of the player who makes the move.
#[derive(Clone, Debug)]
pub struct Child {
    /// The move.
    pub point: Point,
    /// N(s, a).
    pub visits: u32,
    /// Wins among them.
    pub wins: f64,
    /// The second value.
    pub second: Sum,
    /// The third model of an average over three.
    pub third: Sum,
    /// Imagined results that count as the child's own.
    pub prior: Sum,
    /// Between mean and maximum of the node below (Coulom), if that is wanted.
    pub(super) backed: Option<f64>,
    /// Decides between equals.
    pub(super) noise: f64,
    pub(super) node: Option<usize>,
}

impl Child {
    /// A move that nobody has made yet.
    pub fn new(point: Point, rng: &mut Rng) -> Child {
        let [second, third, prior] = [Sum::default(); 3];
        let noise = rng.unit();
        Child { point, visits: 0, wins: 0.0, second, third, prior, backed: None, noise, node: None }
    }

    /// Visits, imagined ones included.
    pub fn weight(&self) -> f64 {
        f64::from(self.visits) + self.prior.weight
    }

    /// Q(s, a) (3.1); optimistic as long as there is neither a visit nor a prior.
    pub fn mean(&self) -> f64 {
        match self.backed {
            Some(value) => value,
            None if self.weight() == 0.0 => 1.0,
            None => (self.wins + self.prior.value) / self.weight(),
        }
    }

    /// What the mixes need to know of a child with a visit or a prior.
    pub fn evidence(&self, parent: u32) -> Evidence {
        let (mean, visits) = (self.mean(), self.weight());
        Evidence {
            parent: f64::from(parent),
            visits,
            wins: mean * visits,
            second_visits: self.second.weight,
            second: self.second.mean().unwrap_or(mean),
            third: self.third.mean().unwrap_or(mean),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imagined_results_count_like_others() {
        let mut child = Child::new(Point::new(1, 1), &mut Rng::new(1));
        assert_eq!(child.mean(), 1.0, "optimistic at first");
        child.prior.add(4.0, 0.5);
        assert_eq!((child.mean(), child.weight()), (0.5, 4.0));
        (child.visits, child.wins) = (4, 4.0);
        assert_eq!((child.mean(), child.weight()), (0.75, 8.0));
        assert_eq!(child.evidence(9).wins, 6.0);
    }
}
