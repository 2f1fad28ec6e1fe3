//! CG-TD(0): triangle thermographs learned from playouts (Lew 5.8, Algorithms 4 to 6).
//!
//! Two signs are corrected against the listings. Algorithm 5 prints `m <- m - alpha delta / N` with `delta = R - sum m`,
//! which leads away from the result (a test shows it); Algorithm 6 prints `LS(G) <- t(G) + alpha (lrs - LS(G))` for
//! `LS(G) <- LS(G) + ...`. The policy visits everything: a random subgame, the option of the player to move, who
//! begins is drawn.

use super::game::{Player, Sum};
use super::thermograph::Triangle;
use crate::types::Rng;

/// The learned triangles.
pub struct Learner<'a> {
    sum: &'a Sum,
    alpha: f64,
    rng: Rng,
    /// One for every position.
    pub triangles: Vec<Triangle>,
}

impl<'a> Learner<'a> {
    /// Nothing learned yet.
    pub fn new(sum: &'a Sum, alpha: f64, seed: u64) -> Learner<'a> {
        let triangles = vec![Triangle::default(); sum.positions.len()];
        Learner { sum, alpha, rng: Rng::new(seed), triangles }
    }

    /// One playout of Algorithm 4.
    pub fn playout(&mut self) {
        let mut state = self.sum.start;
        let mut player = if self.rng.below(2) == 0 { Player::Left } else { Player::Right };
        loop {
            let open = self.sum.open(&state);
            if open.is_empty() {
                break;
            }
            let game = open[self.rng.below(open.len() as u32) as usize];
            let position = state[game];
            state = self.sum.after(&state, game, player);
            self.update_thermograph(position);
            player = player.other();
        }
        let result = self.sum.result(&state);
        update_leaves(&mut self.triangles, &state, result, self.alpha);
    }

    /// Algorithm 6.
    fn update_thermograph(&mut self, position: usize) {
        let Some([left, right]) = self.sum.positions[position].options else { return };
        let (alpha, of_left, of_right) = (self.alpha, self.triangles[left], self.triangles[right]);
        let triangle = &mut self.triangles[position];
        let (t, m) = meet_left(&of_left, triangle.mean - triangle.temperature);
        triangle.mean += alpha * (m - triangle.mean);
        triangle.temperature += alpha * (t - triangle.temperature);
        triangle.left += alpha * (of_left.right - triangle.left);
        let (t, m) = meet_right(&of_right, triangle.mean + triangle.temperature);
        triangle.mean += alpha * (m - triangle.mean);
        triangle.temperature += alpha * (t - triangle.temperature);
        triangle.right += alpha * (of_right.left - triangle.right);
    }
}

/// Where Left's taxed option meets the line `rs + t`: the temperature and the mean there.
fn meet_left(option: &Triangle, rs: f64) -> (f64, f64) {
    let Triangle { mean, temperature, right: stop, .. } = *option;
    let mast = (mean - rs) / 2.0;
    let slope = temperature * (stop - rs) / (stop - (mean - 2.0 * temperature));
    let t = first(mast, slope, temperature);
    (t, rs + t)
}

/// Where Right's taxed option meets the line `ls - t`.
fn meet_right(option: &Triangle, ls: f64) -> (f64, f64) {
    let Triangle { mean, temperature, left: stop, .. } = *option;
    let mast = (ls - mean) / 2.0;
    let slope = temperature * (ls - stop) / ((mean + 2.0 * temperature) - stop);
    let t = first(mast, slope, temperature);
    (t, ls - t)
}

/// The first of the intersections with mast and wall; a number has no wall. No game is colder than 0 here.
fn first(mast: f64, slope: f64, temperature: f64) -> f64 {
    let t = if temperature > 0.0 && slope.is_finite() { mast.min(slope) } else { mast };
    t.max(0.0)
}

/// Algorithm 5.
fn update_leaves(triangles: &mut [Triangle], state: &[usize; 3], result: f64, alpha: f64) {
    let predicted: f64 = state.iter().map(|&leaf| triangles[leaf].mean).sum();
    for &leaf in state {
        let mean = triangles[leaf].mean + alpha * (result - predicted) / state.len() as f64;
        triangles[leaf] = Triangle::number(mean);
    }
}

#[cfg(test)]
mod tests {
    use super::super::thermograph::triangles;
    use super::*;

    #[test]
    fn intersections_by_hand() {
        // Left's option is the number 3, G's right line begins at -3: they meet at tax 3 and 0.
        assert_eq!(meet_left(&Triangle::number(3.0), -3.0), (3.0, 0.0));
        // Right's option {0 | -10}: mast at -5 above 5; the wall 0 - t + t is vertical at 0.
        let threat = Triangle { mean: -5.0, temperature: 5.0, left: 0.0, right: -10.0 };
        assert_eq!(meet_right(&threat, 3.0), (3.0, 0.0));
    }

    #[test]
    fn leaves_go_towards_the_result_and_not_away() {
        let mut triangles = vec![Triangle::default(); 3];
        for _ in 0..200 {
            update_leaves(&mut triangles, &[0, 1, 2], 6.0, 0.1);
        }
        assert!(triangles.iter().all(|leaf| (leaf.mean - 2.0).abs() < 1e-2));
        // As printed, with the other sign, the prediction runs away.
        let mut printed = 0.1f64;
        for _ in 0..200 {
            printed -= 0.1 * (6.0 - printed);
        }
        assert!(printed.abs() > 1e6);
    }

    #[test]
    fn temperatures_converge_to_the_exact_ones() {
        let sum = Sum::default();
        let mut learner = Learner::new(&sum, 0.02, 1);
        (0..20_000).for_each(|_| learner.playout());
        let exact = triangles(&sum);
        for position in [0, 3, 6, 8] {
            let (found, there) =
                (learner.triangles[position].temperature, exact[position].temperature);
            assert!((found - there).abs() < 0.25, "{position}: {found} {there}");
        }
    }
}
