//! The Gaussian prior over the moves of one node (You 4.1): arms that are similar learn from each other.
//!
//! The means of the arms are jointly normal with covariance K before anything is seen; a result of arm b is its mean
//! plus noise of variance s. After each result the covariance follows by Sherman and Morrison's formula (4.28) with
//! `u = v = e_b / sigma`, and the means by (4.29), which is a step along the covariance's column b. Both cost the
//! square of the number of moves: You leaves it at the derivation, and so it serves the root only.

/// Jointly normal means.
#[derive(Clone, Debug)]
pub struct Gauss {
    covariance: Vec<f64>,
    mean: Vec<f64>,
    noise: f64,
}

impl Gauss {
    /// Means that are zero, with this covariance and the variance of one result.
    pub fn new(arms: usize, covariance: impl Fn(usize, usize) -> f64, noise: f64) -> Gauss {
        let cells = (0..arms * arms).map(|cell| covariance(cell / arms, cell % arms));
        Gauss { covariance: cells.collect(), mean: vec![0.0; arms], noise }
    }

    /// A result of an arm.
    pub fn observe(&mut self, arm: usize, result: f64) {
        let arms = self.mean.len();
        let column: Vec<f64> = (0..arms).map(|i| self.covariance[i * arms + arm]).collect();
        // 1 + v S u = (noise + S_bb) / noise.
        let scale = 1.0 / (self.noise + column[arm]);
        for i in 0..arms {
            let factor = column[i] * scale;
            let row = &mut self.covariance[i * arms..(i + 1) * arms];
            row.iter_mut().zip(&column).for_each(|(cell, there)| *cell -= factor * there);
        }
        let error = result - self.mean[arm];
        for (mean, there) in self.mean.iter_mut().zip(&column) {
            *mean += there * scale * error;
        }
    }

    /// The mean of an arm.
    pub fn mean(&self, arm: usize) -> f64 {
        self.mean[arm]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_arms_by_hand() {
        // K = [[1, 1/2], [1/2, 1]], noise 1. After the result 1 of arm 0:
        // S = K - column column^T / 2 = [[1/2, 1/4], [1/4, 7/8]], m = [1/2, 1/4].
        let kernel = |i, j| if i == j { 1.0 } else { 0.5 };
        let mut gauss = Gauss::new(2, kernel, 1.0);
        gauss.observe(0, 1.0);
        assert_eq!(gauss.covariance, [0.5, 0.25, 0.25, 0.875]);
        assert_eq!(gauss.mean, [0.5, 0.25]);
    }

    #[test]
    fn the_steps_are_the_inverse_of_the_summed_precisions() {
        // S^-1 = C^-1 + K^-1 and m = S C^-1 a (4.11, 4.12), two arms, solved directly.
        let (k, noise) = (0.6, 0.25);
        let mut gauss = Gauss::new(2, |i, j| if i == j { 1.0 } else { k }, noise);
        let data = [(0, 0.5), (1, -0.5), (0, 0.5), (0, -0.5), (1, 0.5), (0, 0.5)];
        data.iter().for_each(|&(arm, result)| gauss.observe(arm, result));
        let (n, sum) = ([4.0, 2.0], [1.0, 0.0]);
        let det = 1.0 - k * k;
        let [a, d] = n.map(|n| n / noise + 1.0 / det);
        let b = -k / det;
        let whole = a * d - b * b;
        let inverse = [d / whole, -b / whole, -b / whole, a / whole];
        for (found, expected) in gauss.covariance.iter().zip(inverse) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let expected =
            [0, 1].map(|i| (inverse[2 * i] * sum[0] + inverse[2 * i + 1] * sum[1]) / noise);
        for (found, expected) in gauss.mean.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
