//! The toy sum of figure 5.2: G = {2 | -2}, H = {4 | -4}, I = {3 | {0 | X}}.
//!
//! The text gives every leaf but I^RR, which only the lost figure shows. What it says of optimal play bounds it:
//!
//! 1. The principal variation ends with 2: H^L, I^R, I^RL, G^R. Left answers I^R only if that is not worse than G^L and
//!    then I^RR, which is 2 + 4 + X: so X is at most -4.
//! 2. I is sente (figure 5.7): its thermograph has a vertical right wall up to the temperature 3, so I^R = {0 | X} is
//!    hotter than 3: X is below -6.
//! 3. Right's threat is answered whatever else is open, as "sente" says: I^R is hotter than H, so X is below -8.
//!
//! Any such X gives the same optimal moves and temperatures of G, H and I (a test tries -9 to -20); it is -10 here.

/// The value of I^RR.
pub const THREAT: f64 = -10.0;

/// Who plays: Left wants much, Right little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The maximizer.
    Left,
    /// The minimizer.
    Right,
}

impl Player {
    /// The other one.
    pub fn other(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

/// A position of a subgame: a leaf with a value, or one option for each player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Position {
    /// Its name as the thesis writes it.
    pub name: &'static str,
    /// Indices of the options of Left and Right; none at a leaf.
    pub options: Option<[usize; 2]>,
    /// What a leaf is worth.
    pub value: f64,
}

/// A state: the position of each subgame, as indices of [`Sum::positions`].
pub type State = [usize; 3];

/// The sum of games.
#[derive(Clone, PartialEq, Debug)]
pub struct Sum {
    /// The 11 positions, three of G, three of H, five of I.
    pub positions: Vec<Position>,
    /// The roots.
    pub start: State,
}

impl Sum {
    /// The sum with this value of I^RR.
    pub fn with_threat(threat: f64) -> Sum {
        let leaf = |name, value| Position { name, options: None, value };
        let node = |name, left, right| Position { name, options: Some([left, right]), value: 0.0 };
        let positions = vec![
            node("G", 1, 2),
            leaf("G^L", 2.0),
            leaf("G^R", -2.0),
            node("H", 4, 5),
            leaf("H^L", 4.0),
            leaf("H^R", -4.0),
            node("I", 7, 8),
            leaf("I^L", 3.0),
            node("I^R", 9, 10),
            leaf("I^RL", 0.0),
            leaf("I^RR", threat),
        ];
        Sum { positions, start: [0, 3, 6] }
    }

    /// All 45 states.
    pub fn states(&self) -> Vec<State> {
        let mut states = Vec::new();
        for g in 0..3 {
            for h in 3..6 {
                states.extend((6..11).map(|i| [g, h, i]));
            }
        }
        states
    }

    /// The subgames in which there is a move.
    pub fn open(&self, state: &State) -> Vec<usize> {
        (0..3).filter(|&game| self.positions[state[game]].options.is_some()).collect()
    }

    /// The state after a player's move in a subgame; the same state if there is none.
    pub fn after(&self, state: &State, game: usize, player: Player) -> State {
        let mut state = *state;
        if let Some(options) = self.positions[state[game]].options {
            state[game] = options[player as usize];
        }
        state
    }

    /// The sum of the leaves of a final state.
    pub fn result(&self, state: &State) -> f64 {
        state.iter().map(|&position| self.positions[position].value).sum()
    }

    /// The result of optimal play.
    pub fn optimal(&self, state: &State, player: Player) -> f64 {
        let values = self
            .open(state)
            .into_iter()
            .map(|game| self.optimal(&self.after(state, game, player), player.other()));
        let best = match player {
            Player::Left => values.reduce(f64::max),
            Player::Right => values.reduce(f64::min),
        };
        best.unwrap_or_else(|| self.result(state))
    }

    /// The subgames in which a player's move is optimal.
    pub fn optimal_moves(&self, state: &State, player: Player) -> Vec<usize> {
        let best = self.optimal(state, player);
        let value = |game| self.optimal(&self.after(state, game, player), player.other());
        self.open(state).into_iter().filter(|&game| value(game) == best).collect()
    }

    /// A state in words: `G+H^L+I`.
    pub fn name(&self, state: &State) -> String {
        state.map(|position| self.positions[position].name).join("+")
    }
}

impl Default for Sum {
    fn default() -> Sum {
        Sum::with_threat(THREAT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optimal_play_is_the_principal_variation_of_the_text() {
        let sum = Sum::default();
        assert_eq!(sum.states().len(), 45);
        let line = [
            ("H", Player::Left, "G+H^L+I"),
            ("I", Player::Right, "G+H^L+I^R"),
            ("I", Player::Left, "G+H^L+I^RL"),
            ("G", Player::Right, "G^R+H^L+I^RL"),
        ];
        let mut state = sum.start;
        for (game, player, after) in line {
            let index = ["G", "H", "I"].iter().position(|&name| name == game).unwrap();
            assert_eq!(sum.optimal_moves(&state, player), [index], "{}", sum.name(&state));
            state = sum.after(&state, index, player);
            assert_eq!(sum.name(&state), after);
        }
        assert_eq!((sum.result(&state), sum.optimal(&sum.start, Player::Left)), (2.0, 2.0));
    }

    #[test]
    fn the_lost_leaf_follows_from_the_text() {
        // Above -4 the principal variation is worth more than 2: Left does not answer the threat.
        for threat in [-3.0, -1.0, 0.0] {
            let sum = Sum::with_threat(threat);
            assert!(sum.optimal(&sum.start, Player::Left) > 2.0);
        }
        // Below -8 nothing changes any more.
        let moves = |threat: f64| {
            let sum = Sum::with_threat(threat);
            let of = |state: &State| {
                [Player::Left, Player::Right].map(|player| sum.optimal_moves(state, player))
            };
            sum.states().iter().map(of).collect::<Vec<_>>()
        };
        for threat in 9..=20 {
            assert_eq!(moves(-f64::from(threat)), moves(THREAT));
        }
        assert_ne!(moves(-7.0), moves(THREAT));
    }

    #[test]
    fn the_example_of_the_figure_is_worth_one() {
        let sum = Sum::default();
        let mut state = sum.start;
        for (game, player) in [(2, Player::Left), (1, Player::Right), (0, Player::Left)] {
            state = sum.after(&state, game, player);
        }
        assert_eq!((sum.name(&state).as_str(), sum.result(&state)), ("G^L+H^R+I^L", 1.0));
        assert!(sum.open(&state).is_empty());
    }
}
