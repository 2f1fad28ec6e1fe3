//! A rating list by Laplace marginal propagation: Lew's Algorithm 1 on results of games.
//!
//! A game is a preference of one player out of two, and the mode of the belief about a player's strength,
//! alpha / beta, is his Bradley-Terry gamma: 400 log10 of it is his rating. A draw is half a preference of each, and so
//! are the virtual draws that keep ratings finite; the prior of the beliefs is the uniform one of theorem 1. Results of the same pair are one data point with a weight,
//! which changes nothing but the time.
//!
//! It is here to be compared with: the list of [`elo`](super::elo) knows what playing Black is worth and
//! has intervals. Beliefs of LMP are independent of each other, which the strengths of players who met are
//! not, so no intervals are given; alpha and beta are.

use super::elo::Games;
use crate::workshop::tools::statistics::Tally;
use crate::workshop::train::lmp::{Belief, Lmp, Preference};
use anyhow::Result;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;

/// It ends when no delta changes by more than this part of it.
const SETTLED: f64 = 1e-10;
/// Or after so many passes.
const PASSES: usize = 100_000;

/// One player of the list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rated {
    /// Who.
    pub player: String,
    /// The rating.
    pub elo: f64,
    /// What is believed of his strength.
    #[serde(flatten)]
    pub belief: Belief,
    /// Results.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The list, strongest first.
#[derive(Clone, PartialEq, Debug)]
pub struct LmpRatings {
    /// The players.
    pub list: Vec<Rated>,
    /// Passes over the results.
    pub passes: usize,
}

impl Games {
    /// Rates the players by Algorithm 1, with a prior and an anchor as in [`rate`](Games::rate).
    pub fn rate_by_lmp(&self, prior: f64, anchor: Option<(&str, f64)>) -> Result<LmpRatings> {
        let anchor = self.check(prior, anchor)?;
        let mut pairs: Vec<([usize; 2], usize, f64)> = Vec::new();
        for (&(black, white), tally) in &self.tallies {
            let points = tally.points();
            let met_twice = self.tallies.contains_key(&(white, black));
            let virtual_points = if met_twice { prior / 4.0 } else { prior / 2.0 };
            let lost = f64::from(tally.games()) - points;
            pairs.push(([black, white], black, points + virtual_points));
            pairs.push(([black, white], white, lost + virtual_points));
        }
        let preferences: Vec<Preference> = pairs
            .iter()
            .filter(|(_, _, weight)| *weight > 0.0)
            .map(|(players, chosen, weight)| Preference {
                alternatives: players,
                chosen: *chosen,
                weight: *weight,
            })
            .collect();
        let mut lmp = Lmp::new(self.players().len(), Belief::default());
        let passes = lmp.run(&preferences, SETTLED, PASSES);
        let elo = |belief: Belief| 400.0 * belief.mode().log10();
        let ratings: Vec<f64> = lmp.beliefs().iter().map(|&belief| elo(belief)).collect();
        let shift = match anchor {
            Some((player, given)) => given - ratings[player],
            None => -ratings.iter().sum::<f64>() / ratings.len() as f64,
        };
        let mut list: Vec<Rated> = self
            .players()
            .iter()
            .enumerate()
            .map(|(index, player)| Rated {
                player: player.clone(),
                elo: ratings[index] + shift,
                belief: lmp.beliefs()[index],
                tally: self.tally(index),
            })
            .collect();
        list.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        Ok(LmpRatings { list, passes })
    }
}

impl LmpRatings {
    /// The list as a table.
    pub fn to_text(&self) -> String {
        let names = self.list.iter().map(|rated| rated.player.chars().count());
        let width = names.max().unwrap_or(0).max(6);
        let mut text = String::new();
        let _ = writeln!(
            text,
            "rank  {:<width$}  {:>8}  {:>10}  {:>10}  {:>7}  {:>7}",
            "player", "elo", "alpha", "beta", "games", "score"
        );
        for (index, Rated { player, elo, belief, tally }) in self.list.iter().enumerate() {
            let score = 100.0 * tally.score().unwrap_or(0.0);
            let _ = writeln!(
                text,
                "{:>4}  {player:<width$}  {elo:>8.1}  {:>10.3}  {:>10.3}  {:>7}  {score:>5.1} %",
                index + 1,
                belief.alpha,
                belief.beta,
                tally.games()
            );
        }
        let _ = writeln!(text, "passes: {}", self.passes);
        text
    }

    /// The list as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        json!({ "method": "lmp", "players": self.list, "passes": self.passes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(results: &[(&str, &str, &[f64])]) -> Games {
        let mut games = Games::default();
        for &(black, white, scores) in results {
            let (black, white) = (games.player(black), games.player(white));
            scores.iter().for_each(|&score| games.add(black, white, score));
        }
        games
    }

    #[test]
    fn the_ratings_are_those_of_the_likelihood() {
        // Colours are balanced, so that the value of Black plays no part in the other list.
        let one: &[f64] = &[1.0, 1.0, 0.5, 0.0];
        let back: &[f64] = &[0.0, 0.0, 0.5, 1.0];
        let games = games(&[
            ("a", "b", one),
            ("b", "a", back),
            ("b", "c", one),
            ("c", "b", back),
            ("a", "c", &[1.0, 1.0, 1.0]),
            ("c", "a", &[0.0, 0.0, 0.0]),
        ]);
        for prior in [1.0, 0.0] {
            let expected = games.rate(prior, Some(("b", 100.0))).unwrap();
            let found = games.rate_by_lmp(prior, Some(("b", 100.0))).unwrap();
            assert!(expected.black.elo.abs() < 1e-6);
            for (found, expected) in found.list.iter().zip(&expected.list) {
                assert_eq!((&found.player, found.tally), (&expected.player, expected.tally));
                assert!((found.elo - expected.elo).abs() < 1e-3, "{found:?} {expected:?}");
            }
        }
        let free = games.rate_by_lmp(1.0, None).unwrap();
        assert!(free.list.iter().map(|rated| rated.elo).sum::<f64>().abs() < 1e-9);
        let text = free.to_text();
        // Of a's 14 games eleven points, and half a virtual draw against each of the others.
        assert!(text.contains("alpha") && text.contains("12.000"), "{text}");
        assert_eq!(free.to_json()["players"][0]["alpha"], free.list[0].belief.alpha);
    }

    #[test]
    fn what_cannot_be_rated_is_refused() {
        assert!(games(&[]).rate_by_lmp(1.0, None).is_err());
        let apart = games(&[("a", "b", &[1.0]), ("c", "d", &[0.0])]);
        assert!(apart.rate_by_lmp(1.0, None).is_err());
        let sweep = games(&[("a", "b", &[1.0, 1.0])]);
        let error = sweep.rate_by_lmp(0.0, None).unwrap_err().to_string();
        assert!(error.contains("give --prior above 0"), "{error}");
        let ratings = sweep.rate_by_lmp(1.0, None).unwrap();
        // Two and a half points of three: five to one.
        let difference = ratings.list[0].elo - ratings.list[1].elo;
        assert!((difference - 400.0 * 5f64.log10()).abs() < 1e-3, "{difference}");
    }
}
