//! One rating list from the results of many matches: the Bradley-Terry model.
//!
//! A player with rating r beats one with rating s with probability 1 / (1 + 10^((s - r - b) / 400)),
//! where b is what playing Black is worth, plus for Black and minus for White; a draw is half a
//! win. Like Bayes-Elo, every pair that met gets a few virtual draws, so that a player who won all
//! games has a finite rating; the value of Black has a normal prior of 100 Elo, so that it is
//! defined when somebody always played the same colour. The most probable ratings are found by
//! Newton's method, the intervals come from the curvature there. Everything is a matrix of
//! (players + 1)^2 numbers, solved directly.
//!
//! Ratings are relative: they are given with a mean of zero, or relative to an anchor, whose own
//! interval is then nothing. Tests simulate tournaments and count how often the truth is inside.

use crate::workshop::tools::statistics::{Tally, Z95, normal_cdf};
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use std::collections::BTreeMap;

/// Natural logarithm units per Elo point.
const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;
/// Standard deviation of the prior of Black's advantage, in Elo.
const ADVANTAGE_PRIOR: f64 = 100.0;

/// The decided games of a set of players.
#[derive(Clone, Debug, Default)]
pub struct Games {
    players: Vec<String>,
    /// Black's results by (black, white).
    pub(super) tallies: BTreeMap<(usize, usize), Tally>,
}

impl Games {
    /// The number of a player, who is added if new.
    pub fn player(&mut self, name: &str) -> usize {
        match self.players.iter().position(|known| known == name) {
            Some(index) => index,
            None => {
                self.players.push(name.to_owned());
                self.players.len() - 1
            }
        }
    }

    /// The names of the players.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Adds a game: 1 if Black won, 0 if White did, 1/2 for a draw.
    pub fn add(&mut self, black: usize, white: usize, score: f64) {
        self.tallies.entry((black, white)).or_default().add(score);
    }

    /// The opponents of a player with his results, with both colours.
    fn results_of(&self, player: usize) -> impl Iterator<Item = (usize, Tally)> {
        self.tallies.iter().filter_map(move |(&(black, white), &tally)| match player {
            player if player == black => Some((white, tally)),
            player if player == white => {
                Some((black, Tally { wins: tally.losses, losses: tally.wins, ..tally }))
            }
            _ => None,
        })
    }

    /// All games of a player, with both colours.
    pub(super) fn tally(&self, player: usize) -> Tally {
        self.results_of(player).fold(Tally::default(), |sum, (_, tally)| Tally {
            wins: sum.wins + tally.wins,
            losses: sum.losses + tally.losses,
            draws: sum.draws + tally.draws,
        })
    }

    /// Rates the players. `prior` is the number of virtual draws of each pair that met, `anchor` a
    /// player and the rating to give him.
    pub fn rate(&self, prior: f64, anchor: Option<(&str, f64)>) -> Result<Ratings> {
        let anchor = self.check(prior, anchor)?;
        let (theta, covariance) = self.fit(prior);
        Ok(self.list(&theta, &covariance, anchor))
    }

    /// Can the players be rated? Gives the anchor by number.
    pub(super) fn check(
        &self,
        prior: f64,
        anchor: Option<(&str, f64)>,
    ) -> Result<Option<(usize, f64)>> {
        ensure!(!self.tallies.is_empty(), "there is no decided game in the results");
        let met = |a, b| self.tallies.contains_key(&(a, b)) || self.tallies.contains_key(&(b, a));
        if let Some(other) = self.beyond_reach(met) {
            let (first, other) = (&self.players[0], &self.players[other]);
            bail!(
                "'{first}' and '{other}' are not connected by games, directly or through others; rate \
                 them in separate lists"
            );
        }
        // Without virtual draws ratings are finite if points lead from everybody to everybody else.
        let lost = |black, white| {
            let tally = self.tallies.get(&(black, white)).copied().unwrap_or_default();
            f64::from(tally.games()) - tally.points()
        };
        let won = |black, white| self.tallies.get(&(black, white)).map_or(0.0, Tally::points);
        let scored = |a, b| won(a, b) > 0.0 || lost(b, a) > 0.0;
        let apart = self.beyond_reach(scored).or_else(|| self.beyond_reach(|a, b| scored(b, a)));
        if let Some(player) = apart.filter(|_| prior == 0.0) {
            bail!(
                "'{}' has won or lost everything against some others: give --prior above 0, so that \
                 ratings are finite",
                self.players[player]
            );
        }
        let Some((name, elo)) = anchor else { return Ok(None) };
        let player = self.players.iter().position(|known| known == name).with_context(|| {
            format!("the anchor '{name}' is none of the players: {}", self.players.join(", "))
        })?;
        Ok(Some((player, elo)))
    }

    /// A player to whom no steps lead from the first one.
    fn beyond_reach(&self, is_step: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let mut reached = vec![false; self.players.len()];
        let mut waiting = vec![0];
        while let Some(player) = waiting.pop() {
            if !std::mem::replace(&mut reached[player], true) {
                waiting.extend((0..reached.len()).filter(|&other| is_step(player, other)));
            }
        }
        reached.iter().position(|&reached| !reached)
    }

    /// The most probable parameters (ratings, then Black's advantage), in natural units with mean
    /// rating zero, and their covariance.
    fn fit(&self, prior: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let players = self.players.len();
        let count = players + 1;
        let mut theta = vec![0.0; count];
        // (black, white, games, points of Black, weight of the advantage)
        let mut terms: Vec<(usize, usize, f64, f64, f64)> = Vec::new();
        for (&(black, white), tally) in &self.tallies {
            terms.push((black, white, f64::from(tally.games()), tally.points(), 1.0));
            let met = self.tallies.contains_key(&(white, black));
            // A pair that met with both colours shares its virtual draws.
            let draws = if met { prior / 2.0 } else { prior };
            terms.push((black, white, draws, draws / 2.0, 0.0));
        }
        let advantage_precision = (ADVANTAGE_PRIOR * NATURAL).powi(-2);
        let hessian_at = |theta: &[f64], gradient: &mut [f64]| {
            // The sum of ratings is not determined; this term keeps it at zero.
            let mut hessian = vec![vec![0.0; count]; count];
            for row in hessian.iter_mut().take(players) {
                row[..players].fill(1.0);
            }
            let sum: f64 = theta[..players].iter().sum();
            gradient[..players].fill(-sum);
            gradient[players] = -advantage_precision * theta[players];
            hessian[players][players] = advantage_precision;
            for &(black, white, games, points, colour) in &terms {
                let difference = theta[black] - theta[white] + colour * theta[players];
                let expected = 1.0 / (1.0 + (-difference).exp());
                let curvature = games * expected * (1.0 - expected);
                let slopes = [(black, 1.0), (white, -1.0), (players, colour)];
                for (i, slope) in slopes {
                    gradient[i] += slope * (points - games * expected);
                    for (j, other) in slopes {
                        hessian[i][j] += slope * other * curvature;
                    }
                }
            }
            hessian
        };
        let mut gradient = vec![0.0; count];
        for _ in 0..100 {
            let hessian = hessian_at(&theta, &mut gradient);
            let inverse = invert(hessian);
            let mut largest: f64 = 0.0;
            for i in 0..count {
                let step: f64 = inverse[i].iter().zip(&gradient).map(|(h, g)| h * g).sum();
                // Newton's method can overshoot far from the solution; three units are 520 Elo.
                let step = step.clamp(-3.0, 3.0);
                theta[i] += step;
                largest = largest.max(step.abs());
            }
            if largest < 1e-10 {
                break;
            }
        }
        let covariance = invert(hessian_at(&theta, &mut gradient));
        (theta, covariance)
    }

    fn list(
        &self,
        theta: &[f64],
        covariance: &[Vec<f64>],
        anchor: Option<(usize, f64)>,
    ) -> Ratings {
        let players = self.players.len();
        // The reference: the anchor, or the mean of all.
        let weight = |player: usize| match anchor {
            Some((anchor, _)) => f64::from(u8::from(player == anchor)),
            None => 1.0 / players as f64,
        };
        let variance_of = |weights: &dyn Fn(usize) -> f64| -> f64 {
            let mut sum = 0.0;
            for (i, row) in covariance.iter().take(players).enumerate() {
                for (j, value) in row.iter().take(players).enumerate() {
                    sum += weights(i) * weights(j) * value;
                }
            }
            sum.max(0.0)
        };
        let unit = |i: usize, player: usize| f64::from(u8::from(i == player));
        let reference: f64 = (0..players).map(|i| weight(i) * theta[i]).sum();
        let base = anchor.map_or(0.0, |(_, elo)| elo);
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|&i, &j| theta[j].total_cmp(&theta[i]));
        let mut list = Vec::new();
        for (rank, &player) in order.iter().enumerate() {
            let deviation = variance_of(&|i| unit(i, player) - weight(i)).sqrt() / NATURAL;
            let above_next = order.get(rank + 1).map(|&next| {
                let spread = variance_of(&|i| unit(i, player) - unit(i, next)).sqrt();
                normal_cdf((theta[player] - theta[next]) / spread.max(1e-12))
            });
            list.push(Rating {
                player: self.players[player].clone(),
                elo: (theta[player] - reference) / NATURAL + base,
                error: Z95 * deviation,
                tally: self.tally(player),
                opposition: self.opposition(player, theta, reference, base),
                above_next,
            });
        }
        let black = Estimate {
            elo: theta[players] / NATURAL,
            error: Z95 * covariance[players][players].max(0.0).sqrt() / NATURAL,
        };
        Ratings { list, black }
    }

    /// Mean rating of a player's opponents, by games.
    fn opposition(&self, player: usize, theta: &[f64], reference: f64, base: f64) -> f64 {
        let (mut sum, mut games) = (0.0, 0.0);
        for (opponent, tally) in self.results_of(player) {
            let n = f64::from(tally.games());
            sum += n * ((theta[opponent] - reference) / NATURAL + base);
            games += n;
        }
        if games > 0.0 { sum / games } else { f64::NAN }
    }
}

/// A value with half its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The value.
    pub elo: f64,
    /// The truth is within this distance in 95 % of the cases.
    pub error: f64,
}

/// One player of the list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Who.
    pub player: String,
    /// The rating.
    pub elo: f64,
    /// Half the 95 % interval, relative to the anchor or the mean.
    pub error: f64,
    /// Results.
    #[serde(flatten)]
    pub tally: Tally,
    /// Mean rating of the opponents.
    #[serde(rename = "opponents")]
    pub opposition: f64,
    /// Probability of being stronger than the next player of the list.
    #[serde(rename = "los_next")]
    pub above_next: Option<f64>,
}

/// The list, strongest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// The players.
    #[serde(rename = "players")]
    pub list: Vec<Rating>,
    /// What playing Black is worth.
    #[serde(rename = "black_advantage")]
    pub black: Estimate,
}

/// Inverse of a symmetric positive definite matrix, by elimination with pivots.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..n {
        let best = (column..n)
            .max_by(|&i, &j| matrix[i][column].abs().total_cmp(&matrix[j][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, best);
        inverse.swap(column, best);
        let pivot = matrix[column][column];
        let scale = if pivot.abs() < 1e-300 { 0.0 } else { 1.0 / pivot };
        for value in matrix[column].iter_mut().chain(&mut inverse[column]) {
            *value *= scale;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for k in 0..n {
                let (from_matrix, from_inverse) = (matrix[column][k], inverse[column][k]);
                matrix[row][k] -= factor * from_matrix;
                inverse[row][k] -= factor * from_inverse;
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rng;
    use crate::workshop::tools::statistics::score_of_elo;

    fn elo_of(ratings: &Ratings, name: &str) -> f64 {
        ratings.list.iter().find(|rating| rating.player == name).unwrap().elo
    }

    fn games(results: &[(&str, &str, u32, u32)]) -> Games {
        let mut games = Games::default();
        for &(black, white, wins, losses) in results {
            let (black, white) = (games.player(black), games.player(white));
            for game in 0..wins + losses {
                games.add(black, white, f64::from(u8::from(game < wins)));
            }
        }
        games
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        // 75 % with either colour, no prior: 190.85 Elo, no advantage of Black.
        let ratings = games(&[("a", "b", 75, 25), ("b", "a", 25, 75)])
            .rate(0.0, Some(("b", 1000.0)))
            .unwrap();
        assert!((elo_of(&ratings, "a") - 1190.85).abs() < 0.01, "{ratings:?}");
        assert_eq!(elo_of(&ratings, "b"), 1000.0);
        assert!(ratings.black.elo.abs() < 1e-6);
        let [a, b] = &ratings.list[..] else { panic!() };
        assert_eq!((a.player.as_str(), b.error), ("a", 0.0));
        // The variance of a logit is 1 / (n p q).
        let error = Z95 / (200.0 * 0.75 * 0.25f64).sqrt() / NATURAL;
        assert!((a.error - error).abs() < 0.01, "{} {error}", a.error);
        assert!(a.above_next.unwrap() > 0.999_999 && b.above_next.is_none());
        assert_eq!((a.tally.wins, a.tally.losses), (150, 50));
        assert!((a.opposition - 1000.0).abs() < 1e-9);
    }

    #[test]
    fn ratings_add_up_along_a_chain_and_have_mean_zero() {
        let ratings = games(&[
            ("a", "b", 75, 25),
            ("b", "a", 25, 75),
            ("b", "c", 75, 25),
            ("c", "b", 25, 75),
        ])
        .rate(0.0, None)
        .unwrap();
        assert!((elo_of(&ratings, "a") - elo_of(&ratings, "c") - 381.7).abs() < 0.1);
        assert!(ratings.list.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn blacks_advantage_is_found() {
        // Equal players, Black wins 64 %: 100 Elo, pulled a little to zero by the prior.
        let ratings = games(&[("a", "b", 640, 360), ("b", "a", 640, 360)]).rate(2.0, None).unwrap();
        assert!((ratings.black.elo - 100.0).abs() < 3.0, "{:?}", ratings.black);
        assert!((elo_of(&ratings, "a") - elo_of(&ratings, "b")).abs() < 1e-6);
    }

    #[test]
    fn a_clean_sweep_is_finite_and_bad_input_is_refused() {
        let ratings = games(&[("a", "b", 20, 0), ("b", "a", 0, 20)]).rate(2.0, None).unwrap();
        let difference = elo_of(&ratings, "a") - elo_of(&ratings, "b");
        assert!((500.0..1000.0).contains(&difference), "{difference}");
        let error = |results: &[(&str, &str, u32, u32)], prior, anchor| {
            games(results).rate(prior, anchor).unwrap_err().to_string()
        };
        assert_eq!(error(&[], 2.0, None), "there is no decided game in the results");
        let apart = error(&[("a", "b", 1, 1), ("c", "d", 1, 1)], 2.0, None);
        assert!(apart.starts_with("'a' and 'c' are not connected by games"), "{apart}");
        let anchored = error(&[("a", "b", 1, 1)], 2.0, Some(("x", 0.0)));
        assert_eq!(anchored, "the anchor 'x' is none of the players: a, b");
        // Without virtual draws nothing holds two players who won everything against the others.
        let pairs = [("a", "b", 1, 1), ("c", "d", 1, 1), ("a", "c", 3, 0), ("d", "b", 0, 3)];
        let swept = error(&pairs, 0.0, None);
        assert!(swept.ends_with("give --prior above 0, so that ratings are finite"), "{swept}");
        assert!(games(&pairs).rate(1.0, None).is_ok());
    }

    #[test]
    fn the_intervals_cover_the_truth_in_95_percent_of_tournaments() {
        const TRUTH: [f64; 4] = [-150.0, -20.0, 20.0, 150.0]; // mean zero
        const BLACK: f64 = 30.0;
        const TOURNAMENTS: usize = 2000;
        let mut rng = Rng::new(11);
        let (mut inside, mut inside_anchored, mut inside_black) = (0, 0, 0);
        for _ in 0..TOURNAMENTS {
            let mut games = Games::default();
            let names = ["0", "1", "2", "3"];
            for name in names {
                games.player(name);
            }
            for (black, white) in (0..16).map(|n| (n / 4, n % 4)) {
                if black != white {
                    let expected = score_of_elo(TRUTH[black] - TRUTH[white] + BLACK);
                    for _ in 0..40 {
                        games.add(black, white, f64::from(u8::from(rng.unit() < expected)));
                    }
                }
            }
            let free = games.rate(1.0, None).unwrap();
            let anchored = games.rate(1.0, Some(("0", TRUTH[0]))).unwrap();
            for player in 0..4 {
                let near = |ratings: &Ratings| {
                    let found = ratings.list.iter().find(|r| r.player == names[player]).unwrap();
                    usize::from((found.elo - TRUTH[player]).abs() <= found.error)
                };
                inside += near(&free);
                inside_anchored += if player > 0 { near(&anchored) } else { 0 };
            }
            inside_black += usize::from((free.black.elo - BLACK).abs() <= free.black.error);
        }
        for (count, of) in [
            (inside, 4 * TOURNAMENTS),
            (inside_anchored, 3 * TOURNAMENTS),
            (inside_black, TOURNAMENTS),
        ] {
            let coverage = count as f64 / of as f64;
            assert!((0.93..=0.97).contains(&coverage), "coverage {coverage}");
        }
    }

    #[test]
    fn matrices_are_inverted() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let inverse = invert(matrix.clone());
        for (i, j) in (0..9).map(|n| (n / 3, n % 3)) {
            let product: f64 = (0..3).map(|k| matrix[i][k] * inverse[k][j]).sum();
            assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
        }
    }
}
