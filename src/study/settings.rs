//! What may be set of a study player: one list for all of them, with a sentence each.
//!
//! These are not the engine's parameters (`params/table.rs`): a study player is a method of a paper and has the
//! constants of that paper. `tengen gtp --player NAME --set mix=hand --set k=1500` sets them, a file of
//! `name = value` lines (`study/goyui.params`) sets several.

use super::mix::Mix;
use super::prior::{Prior, PriorInto};
use crate::input::nearest;
use crate::knowledge::Gammas;
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

/// A setting that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingError {
    /// No such setting.
    #[error("study players have no setting '{name}'{}", advice(.meant))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What was probably meant.
        meant: Option<&'static str>,
    },
    /// A value outside what is possible.
    #[error("{name}={value} is not possible: give {possible}")]
    Value {
        /// The setting.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// What may be given.
        possible: String,
    },
    /// No equals sign.
    #[error("'{0}' is no setting: write name=value")]
    Form(String),
}

fn advice(meant: &Option<&'static str>) -> String {
    match meant {
        Some(name) => format!("; did you mean '{name}'?"),
        None => "; `tengen study --list` names them".to_owned(),
    }
}

/// A choice among names.
macro_rules! choices {
    ($(#[$doc:meta])* $type:ident { $($(#[$item_doc:meta])* $item:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type { $($(#[$item_doc])* $item),+ }

        impl $type {
            /// Every choice with its name.
            pub const ALL: &'static [(&'static str, $type)] = &[$(($name, $type::$item)),+];
        }
    };
}
pub(super) use choices;

choices! {
    /// How moves are chosen beyond the tree.
    PolicyKind {
        /// Uniform over legal moves that fill no eye.
        Light = "light",
        /// Light, but saves, captures and 3x3 patterns first (You 3.3.1).
        GoYui = "goyui",
        /// The same without saves.
        Bare = "bare",
        /// Light, but captures first.
        Captures = "captures",
        /// Light, but 3x3 patterns first.
        Patterns = "patterns",
        /// By learned gammas: those of `gammas`, or the engine's.
        Gamma = "gamma",
    }
}

choices! {
    /// The value that stands beside the Monte Carlo mean in a node.
    Second {
        /// All moves as first (You 3.5).
        Rave = "rave",
        /// LWR with kernel 4.32, which is RAVE written as a regression.
        RaveKernel = "rave-kernel",
        /// LWR: points near each other are similar.
        Manhattan = "manhattan",
        /// LWR: moves with similar winning rates are similar.
        Winrate = "winrate",
        /// LWR: the RAVE value at the root as the weight.
        RootRave = "root-rave",
        /// RAVE weighted by how often two moves occurred together (You A.2).
        Weighted = "weighted",
    }
}

choices! {
    /// Which moves of a simulation count as if they had been first.
    Amaf {
        /// Those of the colour that played first at their point (Hsu, recapturing).
        First = "first",
        /// All, also those at points that the other colour played before.
        Any = "any",
    }
}

choices! {
    /// What an unvisited child is worth.
    Unvisited {
        /// More than any other: all are tried before one is tried twice.
        First = "first",
        /// Its second value, as if it had one visit.
        Second = "second",
    }
}

choices! {
    /// How the values of the root's moves are estimated.
    RootValue {
        /// As everywhere in the tree.
        Tree = "tree",
        /// By a Gaussian prior over neighbouring moves (You 4.1).
        Gauss = "gauss",
    }
}

choices! {
    /// When a leaf gets children (Hsu, node expansion).
    Expansion {
        /// At a number of visits.
        Visits = "visits",
        /// At the first visit.
        All = "all",
        /// When it is likely enough to be visited, compared with its siblings.
        Transition = "transition",
    }
}

choices! {
    /// What a playout without a tree is worth.
    Worth {
        /// The points.
        Score = "score",
        /// One for a win, nothing for a loss.
        Win = "win",
    }
}

/// The settings of a study player.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Playouts a move.
    pub playouts: u32,
    /// Playout policy.
    pub policy: PolicyKind,
    /// UCB1's constant.
    pub exploration: f64,
    /// Visits at which a leaf gets children.
    pub expand: u32,
    /// How it is decided that a leaf gets children.
    pub expansion: Expansion,
    /// What an unvisited child is worth.
    pub unvisited: Unvisited,
    /// How the two values of a child are mixed.
    pub mix: Mix,
    /// The hand schedule's k.
    pub k: f64,
    /// The bias of minimum MSE.
    pub bias: f64,
    /// P(RAVE) / P(MC).
    pub odds: f64,
    /// P(third model) / P(MC) of the average over three.
    pub third_odds: f64,
    /// Visits at which Hsu's alpha is one.
    pub alpha_visits: f64,
    /// The second value.
    pub second: Second,
    /// Which moves RAVE counts.
    pub amaf: Amaf,
    /// Most visits of a child, 0 for any number.
    pub visit_limit: u32,
    /// How the root's moves are valued.
    pub root: RootValue,
    /// Visits at which a node's value is half its mean and half its maximum (Coulom), 0 for the mean.
    pub coulom: f64,
    /// Playouts from each leaf that is reached (leaf parallelisation).
    pub leaf: u32,
    /// Probability of a random child (epsilon-greedy).
    pub epsilon: f64,
    /// Passes when the best move wins less often than this.
    pub pass_below: f64,
    /// Passes after a pass when it wins more often than this.
    pub pass_above: f64,
    /// What a playout of a flat player is worth.
    pub worth: Worth,
    /// Progressive pruning: standard errors around a mean.
    pub rd: f64,
    /// Progressive pruning: standard error below which moves may be called equal or inferior.
    pub sigma: f64,
    /// Progressive pruning: may a pruned move come back?
    pub soft: bool,
    /// Progressive pruning: playouts of each move before any is pruned.
    pub least: u32,
    /// Inverse temperature K of e^(K v).
    pub temperature: f64,
    /// Depth of the enumeration.
    pub depth: u32,
    /// Where priors come from.
    pub prior: Prior,
    /// Which value they go into.
    pub prior_into: PriorInto,
    /// Imagined playouts of a prior; Fuego's constant.
    pub prior_visits: f64,
    /// Adaptive komi: the win rate to hold at least.
    pub komi_low: f64,
    /// Adaptive komi: the win rate to hold at most; 1 for the true komi.
    pub komi_high: f64,
    /// Artificial passes: probability at each of Black's moves in playouts with handicap.
    pub passes: f64,
    /// A file of gammas for `policy=gamma`; nothing for the engine's.
    pub gammas: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            playouts: 3000,
            policy: PolicyKind::Light,
            exploration: 0.1,
            expand: 6,
            expansion: Expansion::Visits,
            unvisited: Unvisited::First,
            mix: Mix::Mc,
            k: 1500.0,
            bias: 1e-5,
            odds: 100.0,
            third_odds: 1.0,
            alpha_visits: 10_000.0,
            second: Second::Rave,
            amaf: Amaf::First,
            visit_limit: 0,
            root: RootValue::Tree,
            coulom: 0.0,
            leaf: 1,
            epsilon: 0.0,
            pass_below: 0.0,
            pass_above: 0.9,
            worth: Worth::Score,
            rd: 2.0,
            sigma: 0.2,
            soft: false,
            least: 100,
            temperature: 0.0,
            depth: 2,
            prior: Prior::None,
            prior_into: PriorInto::Uct,
            prior_visits: 10.0,
            komi_low: 0.0,
            komi_high: 1.0,
            passes: 0.0,
            gammas: String::new(),
        }
    }
}

/// Every setting and what it is.
pub const NAMES: &[(&str, &str)] = &[
    ("playouts", "playouts a move"),
    ("policy", "how playouts choose: light, goyui, bare, captures, patterns or gamma"),
    ("exploration", "c of Q + c sqrt(2 ln N(s) / N(s,a))"),
    ("expand", "visits at which a leaf gets children"),
    ("expansion", "visits, all or transition: how it is decided that a leaf gets children"),
    ("unvisited", "first: every child once before one twice; second: by its second value"),
    ("mix", "mc, hand, mse, rave, bma, bma-gauss, bma-many or alpha"),
    ("k", "the hand schedule's k: visits at which both values count the same"),
    ("bias", "b of minimum MSE"),
    ("odds", "P(RAVE) / P(MC) of the Bayesian averages"),
    ("third_odds", "P(Manhattan) / P(MC) of bma-many"),
    ("alpha_visits", "visits at which alpha's weight of Monte Carlo is one"),
    ("second", "rave, rave-kernel, manhattan, winrate, root-rave or weighted"),
    ("amaf", "first: a move counts if its colour played first at the point; any: always"),
    ("visit_limit", "most visits of a child, 0 for any number"),
    ("root", "tree or gauss: how the root's moves are valued"),
    ("coulom", "visits at which a value is half mean, half maximum; 0 for the mean"),
    ("leaf", "playouts from each leaf that is reached"),
    ("epsilon", "probability of a random child instead of the best"),
    ("pass_below", "passes when the best move wins less often"),
    ("pass_above", "passes after a pass when it wins more often"),
    ("worth", "score or win: what a playout of a flat player is worth"),
    ("rd", "progressive pruning: standard errors to each side of a mean"),
    ("sigma", "progressive pruning: standard error below which moves are compared"),
    ("soft", "progressive pruning: true if a pruned move may come back"),
    ("least", "progressive pruning: playouts of each move before one is pruned"),
    ("temperature", "K of e^(K v), the weight of a move in playouts"),
    ("depth", "depth of the enumeration, 1 to 4"),
    ("prior", "none, even, hints or fuego: what a new child is believed to be worth"),
    ("prior_into", "uct or amaf: which value the prior goes into"),
    ("prior_visits", "imagined playouts of a prior; c of Fuego's"),
    ("komi_low", "adaptive komi: the win rate to hold at least"),
    ("komi_high", "adaptive komi: the win rate to hold at most; 1 for the true komi"),
    ("passes", "probability that Black passes in a playout, with handicap"),
    ("gammas", "file of gammas for policy=gamma (of tengen train playout or balance)"),
];

fn number<T: FromStr + PartialOrd>(
    name: &'static str,
    text: &str,
    low: T,
    high: T,
    possible: &str,
) -> Result<T, SettingError> {
    let value = text.parse().ok().filter(|value| (&low..=&high).contains(&value));
    let refused =
        || SettingError::Value { name, value: text.to_owned(), possible: possible.to_owned() };
    value.ok_or_else(refused)
}

fn choice<T: Copy>(
    name: &'static str,
    text: &str,
    all: &[(&'static str, T)],
) -> Result<T, SettingError> {
    let found = all.iter().find(|(known, _)| *known == text).map(|&(_, value)| value);
    found.ok_or_else(|| {
        let possible = all.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(", ");
        SettingError::Value { name, value: text.to_owned(), possible: format!("one of {possible}") }
    })
}

impl Settings {
    /// Sets one thing.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SettingError> {
        let known = NAMES.iter().map(|&(known, _)| known).find(|&known| known == name);
        let Some(name) = known else {
            let meant = nearest(name, NAMES.iter().map(|&(known, _)| known));
            return Err(SettingError::Unknown { name: name.to_owned(), meant });
        };
        let whole = |low: u32| number(name, text, low, 1_000_000_000, "a whole number");
        let share = || number(name, text, 0.0, 1.0, "a number from 0 to 1");
        let positive = || number(name, text, 0.0, 1e12, "a number that is not negative");
        match name {
            "playouts" => self.playouts = whole(1)?,
            "policy" => self.policy = choice(name, text, PolicyKind::ALL)?,
            "exploration" => self.exploration = positive()?,
            "expand" => self.expand = whole(1)?,
            "expansion" => self.expansion = choice(name, text, Expansion::ALL)?,
            "unvisited" => self.unvisited = choice(name, text, Unvisited::ALL)?,
            "mix" => self.mix = choice(name, text, Mix::ALL)?,
            "k" => self.k = positive()?,
            "bias" => self.bias = share()?,
            "odds" => self.odds = positive()?,
            "third_odds" => self.third_odds = positive()?,
            "alpha_visits" => self.alpha_visits = positive()?,
            "second" => self.second = choice(name, text, Second::ALL)?,
            "amaf" => self.amaf = choice(name, text, Amaf::ALL)?,
            "visit_limit" => self.visit_limit = whole(0)?,
            "root" => self.root = choice(name, text, RootValue::ALL)?,
            "coulom" => self.coulom = positive()?,
            "leaf" => self.leaf = number(name, text, 1, 1000, "1 to 1000")?,
            "epsilon" => self.epsilon = share()?,
            "pass_below" => self.pass_below = share()?,
            "pass_above" => self.pass_above = share()?,
            "worth" => self.worth = choice(name, text, Worth::ALL)?,
            "rd" => self.rd = positive()?,
            "sigma" => self.sigma = positive()?,
            "soft" => self.soft = choice(name, text, &[("true", true), ("false", false)])?,
            "least" => self.least = whole(2)?,
            "temperature" => self.temperature = number(name, text, 0.0, 1000.0, "0 to 1000")?,
            "depth" => self.depth = number(name, text, 1, 4, "1 to 4")?,
            "prior" => self.prior = choice(name, text, Prior::ALL)?,
            "prior_into" => self.prior_into = choice(name, text, PriorInto::ALL)?,
            "prior_visits" => self.prior_visits = positive()?,
            "komi_low" => self.komi_low = share()?,
            "komi_high" => self.komi_high = share()?,
            "passes" => self.passes = share()?,
            _ => {
                let refused = |possible: String| SettingError::Value {
                    name: "gammas",
                    value: text.to_owned(),
                    possible,
                };
                Gammas::load(Path::new(text))
                    .map_err(|error| refused(format!("a file of gammas ({error})")))?;
                text.clone_into(&mut self.gammas);
            }
        }
        Ok(())
    }

    /// Sets one thing from `name=value`.
    pub fn assign(&mut self, text: &str) -> Result<(), SettingError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| SettingError::Form(text.to_owned()))?;
        self.set(name.trim(), value.trim())
    }

    /// Sets what a file of `name = value` lines says; the number of the line that is wrong.
    pub fn read(&mut self, text: &str) -> Result<(), (usize, SettingError)> {
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                self.assign(line).map_err(|error| (number + 1, error))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_can_be_set_and_wrong_ones_get_a_sentence() {
        let mut settings = Settings::default();
        for (name, doc) in NAMES {
            assert!(!doc.is_empty());
            let error = settings.set(name, "nonsense").unwrap_err().to_string();
            assert!(error.starts_with(&format!("{name}=nonsense is not possible: give ")));
        }
        settings.assign("mix = hand").unwrap();
        assert_eq!(settings.mix, Mix::Hand);
        let error = settings.assign("mixx=hand").unwrap_err().to_string();
        assert_eq!(error, "study players have no setting 'mixx'; did you mean 'mix'?");
        let error = settings.assign("mix=soup").unwrap_err().to_string();
        assert!(error.starts_with("mix=soup is not possible: give one of mc, hand, "), "{error}");
        assert!(settings.assign("playouts=0").is_err() && settings.assign("playouts").is_err());
        assert!(settings.assign("odds=nan").is_err());
    }

    #[test]
    fn goyui_is_as_you_writes_it() {
        let mut settings = Settings::default();
        settings.read(include_str!("../../study/goyui.params")).unwrap();
        assert_eq!((settings.playouts, settings.exploration, settings.expand), (3000, 0.1, 6));
        assert_eq!((settings.mix, settings.odds, settings.pass_below), (Mix::Bma, 100.0, 0.1));
        assert_eq!(settings.read("playouts = 5\nmixx = 1\n").unwrap_err().0, 2);
    }
}
