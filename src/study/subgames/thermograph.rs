//! Thermographs: the stops of a subgame when every move costs a tax t (Lew 5.6), exact and as triangles (5.7).
//!
//! ```text
//! LS_t({G^L | G^R}) = max(RS_t(G^L) - t, m(G))                                              (5.1)
//! RS_t({G^L | G^R}) = min(LS_t(G^R) + t, m(G))                                              (5.2)
//! ```
//!
//! where (t(G), m(G)) is where `RS_t(G^L) - t` and `LS_t(G^R) + t` meet; above that the mast is vertical.

use super::game::Sum;

/// A wall: points (t, value) by rising t with straight lines between them; constant beyond the last.
#[derive(Clone, PartialEq, Debug)]
pub struct Wall(Vec<(f64, f64)>);

impl Wall {
    /// The value at a tax.
    pub fn at(&self, t: f64) -> f64 {
        for pair in self.0.windows(2) {
            let ((t0, v0), (t1, v1)) = (pair[0], pair[1]);
            if t <= t1 {
                return v0 + (v1 - v0) * (t - t0) / (t1 - t0);
            }
        }
        self.0.last().map_or(0.0, |&(_, value)| value)
    }

    /// The corners.
    pub fn corners(&self) -> &[(f64, f64)] {
        &self.0
    }
}

/// The thermograph of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Thermograph {
    /// LS_t.
    pub left: Wall,
    /// RS_t.
    pub right: Wall,
    /// m(G).
    pub mean: f64,
    /// t(G), 0 for a number.
    pub temperature: f64,
}

impl Thermograph {
    /// A number: a mast from the ground.
    fn number(value: f64) -> Thermograph {
        let wall = Wall(vec![(0.0, value)]);
        Thermograph { left: wall.clone(), right: wall, mean: value, temperature: 0.0 }
    }

    /// {left | right} by 5.1 and 5.2, one option each: RS_t of Left's, LS_t of Right's.
    fn of(left: &Wall, right: &Wall) -> Thermograph {
        // Both taxed walls are straight between these taxes, and the last one lies above where they meet.
        let mut taxes = vec![0.0];
        taxes.extend(left.0.iter().chain(&right.0).map(|&(t, _)| t));
        let highest = taxes.iter().copied().fold(0.0, f64::max);
        let gap = |t: f64| (left.at(t) - t) - (right.at(t) + t);
        taxes.push(highest + gap(highest).max(0.0) / 2.0 + 1.0);
        taxes.sort_by(f64::total_cmp);
        taxes.dedup();
        let mut meeting = 0.0;
        for pair in taxes.windows(2) {
            let (low, high) = (gap(pair[0]), gap(pair[1]));
            if low > 0.0 && high <= 0.0 {
                meeting = pair[0] + (pair[1] - pair[0]) * low / (low - high);
            }
        }
        taxes.retain(|&t| t < meeting);
        taxes.push(meeting);
        let mean = left.at(meeting) - meeting;
        let wall =
            |value: &dyn Fn(f64) -> f64| Wall(taxes.iter().map(|&t| (t, value(t))).collect());
        Thermograph {
            left: wall(&|t| (left.at(t) - t).max(mean)),
            right: wall(&|t| (right.at(t) + t).min(mean)),
            mean,
            temperature: meeting,
        }
    }
}

/// The thermographs of all positions of a sum, which come before their options.
pub fn all(sum: &Sum) -> Vec<Thermograph> {
    let mut found: Vec<Thermograph> =
        sum.positions.iter().map(|position| Thermograph::number(position.value)).collect();
    for (index, position) in sum.positions.iter().enumerate().rev() {
        if let Some([left, right]) = position.options {
            found[index] = Thermograph::of(&found[left].right, &found[right].left);
        }
    }
    found
}

/// A thermograph as four numbers (5.7): straight walls from the stops to the foot of the mast.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Triangle {
    /// m(G).
    pub mean: f64,
    /// t(G).
    pub temperature: f64,
    /// LS(G).
    pub left: f64,
    /// RS(G).
    pub right: f64,
}

impl Triangle {
    /// A number.
    pub(super) fn number(value: f64) -> Triangle {
        Triangle { mean: value, temperature: 0.0, left: value, right: value }
    }

    /// {left | right} from the triangles of the options: the taxed walls are straight up to the option's temperature
    /// and a mast above it.
    fn of(left: &Triangle, right: &Triangle) -> Triangle {
        let wall = |triangle: &Triangle, stop: f64| {
            let mast = Some((triangle.temperature, triangle.mean)).filter(|mast| mast.0 > 0.0);
            Wall([(0.0, stop)].into_iter().chain(mast).collect())
        };
        let whole = Thermograph::of(&wall(left, left.right), &wall(right, right.left));
        Triangle {
            mean: whole.mean,
            temperature: whole.temperature,
            left: left.right.max(whole.mean),
            right: right.left.min(whole.mean),
        }
    }
}

/// The triangles of all positions of a sum.
pub fn triangles(sum: &Sum) -> Vec<Triangle> {
    let mut found: Vec<Triangle> =
        sum.positions.iter().map(|position| Triangle::number(position.value)).collect();
    for (index, position) in sum.positions.iter().enumerate().rev() {
        if let Some([left, right]) = position.options {
            found[index] = Triangle::of(&found[left], &found[right]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subgames_by_hand() {
        let sum = Sum::default();
        let graphs = all(&sum);
        let found = |index: usize| (graphs[index].temperature, graphs[index].mean);
        assert_eq!(found(0), (2.0, 0.0), "G");
        assert_eq!(found(3), (4.0, 0.0), "H");
        assert_eq!(found(8), (5.0, -5.0), "I^R");
        assert_eq!(found(6), (3.0, 0.0), "I: Left's wall 3 - t meets the vertical wall at 0");
        let i = &graphs[6];
        assert_eq!((i.left.at(0.0), i.left.at(1.0), i.left.at(9.0)), (3.0, 2.0, 0.0));
        assert_eq!((i.right.at(0.0), i.right.at(2.5), i.right.at(9.0)), (0.0, 0.0, 0.0));
    }

    #[test]
    fn a_gote_follow_up_bends_the_wall() {
        // {4 | {-4 | -10}} has temperature 11/2 and mean -3/2: the wall is vertical up to 3, then slants.
        let number = |value| Wall(vec![(0.0, value)]);
        let follow_up = Thermograph::of(&number(-4.0), &number(-10.0));
        assert_eq!((follow_up.temperature, follow_up.mean), (3.0, -7.0));
        let game = Thermograph::of(&number(4.0), &follow_up.left);
        assert_eq!((game.temperature, game.mean), (5.5, -1.5));
        assert_eq!(
            (game.right.at(0.0), game.right.at(3.0), game.right.at(5.0)),
            (-4.0, -4.0, -2.0)
        );
    }

    #[test]
    fn triangles_are_exact_where_walls_are_straight() {
        let sum = Sum::default();
        for (triangle, exact) in triangles(&sum).iter().zip(all(&sum)) {
            assert!((triangle.temperature - exact.temperature).abs() < 1e-12);
            assert!((triangle.mean - exact.mean).abs() < 1e-12);
            assert_eq!((triangle.left, triangle.right), (exact.left.at(0.0), exact.right.at(0.0)));
        }
    }
}
