//! Strategies that play a sum by its thermographs: HOTSTRAT, THERMOSTRAT and SENTESTRAT (Lew 5.6, Winning Ways).
//!
//! HOTSTRAT plays where it is hottest. SENTESTRAT answers where the opponent just moved if that has become hotter than
//! everything was so far, else it plays as HOTSTRAT. THERMOSTRAT adds up the walls of the other player and the widest
//! subgame at each tax, finds the tax at which that is best, and plays in the subgame that is widest there.

use super::game::{Player, State, Sum};
use super::thermograph::Thermograph;

/// A strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// The hottest subgame.
    Hot,
    /// The compound thermograph.
    Thermo,
    /// Answers, else the hottest.
    Sente,
}

impl Strategy {
    /// Each with its name.
    pub const ALL: [(&'static str, Strategy); 3] = [
        ("HOTSTRAT", Strategy::Hot),
        ("THERMOSTRAT", Strategy::Thermo),
        ("SENTESTRAT", Strategy::Sente),
    ];
}

/// What a strategy remembers of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Memory {
    /// The coldest of the hottest subgames so far.
    ambient: f64,
    /// Where the last move was.
    last: Option<usize>,
}

/// A sum and its thermographs.
pub struct Table<'a> {
    sum: &'a Sum,
    graphs: &'a [Thermograph],
}

impl<'a> Table<'a> {
    /// A sum with the thermographs of its positions.
    pub fn new(sum: &'a Sum, graphs: &'a [Thermograph]) -> Table<'a> {
        Table { sum, graphs }
    }

    fn temperature(&self, state: &State, game: usize) -> f64 {
        self.graphs[state[game]].temperature
    }

    fn hottest(&self, state: &State, open: &[usize]) -> Option<usize> {
        let hotter = |a: &&usize, b: &&usize| {
            self.temperature(state, **a).total_cmp(&self.temperature(state, **b))
        };
        open.iter().max_by(hotter).copied()
    }

    fn choose(
        &self,
        strategy: Strategy,
        state: &State,
        player: Player,
        memory: Memory,
    ) -> Option<usize> {
        let open = self.sum.open(state);
        match strategy {
            Strategy::Hot => self.hottest(state, &open),
            Strategy::Sente => {
                let answer = memory.last.filter(|&game| {
                    open.contains(&game) && self.temperature(state, game) > memory.ambient
                });
                answer.or_else(|| self.hottest(state, &open))
            }
            Strategy::Thermo => self.thermo(state, &open, player),
        }
    }

    /// The subgame that is widest at the tax where the compound is best for the player.
    fn thermo(&self, state: &State, open: &[usize], player: Player) -> Option<usize> {
        let graph = |game: usize| &self.graphs[state[game]];
        let width = |game: usize, t: f64| graph(game).left.at(t) - graph(game).right.at(t);
        let sign = if player == Player::Left { 1.0 } else { -1.0 };
        let worth = |t: f64| {
            let walls: f64 = (0..3)
                .map(|game| match player {
                    Player::Left => graph(game).right.at(t),
                    Player::Right => graph(game).left.at(t),
                })
                .sum();
            let widest = open.iter().map(|&game| width(game, t)).fold(0.0, f64::max);
            sign * walls + widest
        };
        // The best tax, the smallest among equals; the walls of the toy games bend at quarters.
        let mut best = (0.0, worth(0.0));
        for step in 1..=80 {
            let t = f64::from(step) / 8.0;
            if worth(t) > best.1 + 1e-9 {
                best = (t, worth(t));
            }
        }
        let t = best.0;
        open.iter().copied().max_by(|&a, &b| width(a, t).total_cmp(&width(b, t)))
    }

    /// What a strategy gets for sure: its opponent plays the best answer to it.
    pub fn guaranteed(&self, strategy: Strategy, state: &State, player: Player) -> f64 {
        let open = self.sum.open(state);
        let ambient = open.iter().map(|&game| self.temperature(state, game)).fold(0.0, f64::max);
        self.play(strategy, player, state, player, Memory { ambient, last: None })
    }

    fn play(
        &self,
        strategy: Strategy,
        own: Player,
        state: &State,
        to_move: Player,
        memory: Memory,
    ) -> f64 {
        let open = self.sum.open(state);
        let hottest = open.iter().map(|&game| self.temperature(state, game)).fold(0.0, f64::max);
        let follow = |game: usize| {
            let after = self.sum.after(state, game, to_move);
            let memory = Memory { ambient: memory.ambient.min(hottest), last: Some(game) };
            self.play(strategy, own, &after, to_move.other(), memory)
        };
        if open.is_empty() {
            return self.sum.result(state);
        }
        if to_move == own {
            return self.choose(strategy, state, own, memory).map_or(0.0, follow);
        }
        let answers = open.iter().map(|&game| follow(game));
        match to_move {
            Player::Left => answers.fold(f64::NEG_INFINITY, f64::max),
            Player::Right => answers.fold(f64::INFINITY, f64::min),
        }
    }

    /// States and players in which there is a move, and those of them where the strategy gets less than is possible.
    pub fn faults(&self, strategy: Strategy) -> (usize, Vec<(State, Player)>) {
        let mut faults = Vec::new();
        let mut count = 0;
        for state in self.sum.states() {
            if self.sum.open(&state).is_empty() {
                continue;
            }
            for player in [Player::Left, Player::Right] {
                count += 1;
                let got = self.guaranteed(strategy, &state, player);
                if (got - self.sum.optimal(&state, player)).abs() > 1e-9 {
                    faults.push((state, player));
                }
            }
        }
        (count, faults)
    }
}

#[cfg(test)]
mod tests {
    use super::super::thermograph::all;
    use super::*;

    #[test]
    fn hotstrat_plays_the_principal_variation_but_not_every_state() {
        let sum = Sum::default();
        let graphs = all(&sum);
        let table = Table::new(&sum, &graphs);
        assert_eq!(table.guaranteed(Strategy::Hot, &sum.start, Player::Left), 2.0);
        // G + I, Left to move, H settled: I^L and then G^R is 1, G^L and then I^R, I^RL is 2.
        let state = [0, 4, 6];
        assert_eq!(sum.optimal(&state, Player::Left), 6.0);
        assert_eq!(table.guaranteed(Strategy::Hot, &state, Player::Left), 5.0);
        assert_eq!(table.guaranteed(Strategy::Thermo, &state, Player::Left), 6.0);
    }

    #[test]
    fn no_lost_leaf_makes_hotstrat_optimal_and_the_principal_variation_true() {
        for threat in (-20..=2).map(f64::from) {
            let sum = Sum::with_threat(threat);
            let graphs = all(&sum);
            let (_, faults) = Table::new(&sum, &graphs).faults(Strategy::Hot);
            let as_told = sum.optimal(&sum.start, Player::Left) == 2.0;
            assert!(!(as_told && faults.is_empty()), "{threat}");
        }
    }

    #[test]
    fn in_a_sum_of_switches_all_strategies_are_optimal() {
        let sum = Sum::default();
        let graphs = all(&sum);
        let table = Table::new(&sum, &graphs);
        for (_, strategy) in Strategy::ALL {
            for state in sum.states().into_iter().filter(|state| state[2] >= 7) {
                for player in [Player::Left, Player::Right] {
                    let got = table.guaranteed(strategy, &state, player);
                    assert_eq!(
                        got,
                        sum.optimal(&state, player),
                        "{strategy:?} {}",
                        sum.name(&state)
                    );
                }
            }
        }
    }
}
