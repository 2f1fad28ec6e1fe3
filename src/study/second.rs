//! The value beside the Monte Carlo mean: RAVE, and locally weighted regression with You's kernels (4.2 to 4.4, A.2).
//!
//! A regression gives every sibling a share of a result, by how similar it is to the move that was made:
//!
//! ```text
//! Q^(s, a) = sum_n k(a, a_n) z_n / sum_n k(a, a_n)                                       (4.30)
//! ```
//!
//! RAVE is the regression whose kernel asks the playout: 1 if both moves occurred in it, else 0 (4.32).

use crate::types::Point;

/// A weighted sum of results.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sum {
    /// Sum of the weights.
    pub weight: f64,
    /// Sum of weight times result.
    pub value: f64,
}

impl Sum {
    /// Adds a result.
    pub fn add(&mut self, weight: f64, result: f64) {
        self.weight += weight;
        self.value += weight * result;
    }

    /// The weighted mean, if anything was added.
    pub fn mean(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.value / self.weight)
    }
}

/// (16 - |dx| - |dy|) / 18: 16 is the longest way on 9x9. The thesis prints `(16 - |dx| + |dy|) / 18`, which
/// treats columns and rows differently and reaches beyond 1; the sum of both distances is what its text describes.
pub fn manhattan(a: Point, b: Point, size: usize) -> f64 {
    if a.is_pass() || b.is_pass() {
        return f64::from(u8::from(a == b));
    }
    let distance = a.column().abs_diff(b.column()) + a.row().abs_diff(b.row());
    let longest = 2 * (size - 1);
    (longest - distance) as f64 / (longest + 2) as f64
}

/// 1 - |difference of the winning rates|.
pub fn winrate(a: f64, b: f64) -> f64 {
    1.0 - (a - b).abs()
}

/// How often two points were played in the same simulation below a node, by whoever (K of A.2): a point that both
/// colours have played, which only `amaf=any` sees, counts twice.
#[derive(Clone, Debug)]
pub struct Pairs {
    size: usize,
    counts: Vec<u32>,
}

impl Pairs {
    /// None yet.
    pub fn new(size: usize) -> Pairs {
        Pairs { size, counts: vec![0; size.pow(4)] }
    }

    fn place(&self, point: Point) -> Option<usize> {
        (!point.is_pass()).then(|| (point.row() - 1) * self.size + point.column() - 1)
    }

    /// Adds a simulation in which these points were played, each named once for each colour that did.
    pub fn add(&mut self, played: &[Point]) {
        let points = self.size * self.size;
        let places: Vec<usize> = played.iter().filter_map(|&point| self.place(point)).collect();
        for &a in &places {
            for &b in &places {
                self.counts[a * points + b] += 1;
            }
        }
    }

    /// K(s, a, b).
    pub fn count(&self, a: Point, b: Point) -> f64 {
        match (self.place(a), self.place(b)) {
            (Some(a), Some(b)) => f64::from(self.counts[a * self.size * self.size + b]),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_by_hand() {
        let (a, b) = (Point::new(3, 4), Point::new(5, 1));
        assert_eq!(manhattan(a, a, 9), 16.0 / 18.0);
        assert_eq!(manhattan(a, b, 9), 11.0 / 18.0);
        assert_eq!(manhattan(a, b, 9), manhattan(b, a, 9));
        assert_eq!(manhattan(Point::new(1, 1), Point::new(9, 9), 9), 0.0);
        assert!((winrate(0.75, 0.25) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_regression_by_hand() {
        // Results 1, 0, 1 of moves at distances 0, 2, 4: kernels 16/18, 14/18, 12/18.
        let at = |column| Point::new(column, 5);
        let mut sum = Sum::default();
        for (column, result) in [(5, 1.0), (3, 0.0), (9, 1.0)] {
            sum.add(manhattan(at(5), at(column), 9), result);
        }
        assert!((sum.mean().unwrap() - 28.0 / 42.0).abs() < 1e-12);
        assert_eq!(Sum::default().mean(), None);
    }

    #[test]
    fn pairs_count_simulations_with_both() {
        let [a, b, c] = [1, 2, 3].map(|column| Point::new(column, 2));
        let mut pairs = Pairs::new(5);
        pairs.add(&[a, b, Point::PASS]);
        pairs.add(&[b, c]);
        assert_eq!(
            [pairs.count(a, b), pairs.count(b, a), pairs.count(b, b), pairs.count(a, c)],
            [1.0, 1.0, 2.0, 0.0]
        );
        assert_eq!(pairs.count(Point::PASS, a), 0.0);
        // (1 + 1) (1 + 0), and its own square.
        pairs.add(&[a, a, c]);
        assert_eq!([pairs.count(a, c), pairs.count(c, a), pairs.count(a, a)], [2.0, 2.0, 5.0]);
    }
}
