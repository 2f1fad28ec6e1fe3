//! What may be set of a study player: one list for all of them, with a sentence each.
//!
//! These are not the engine's parameters (`params/table.rs`): a study player is a method of a paper and has the
//! constants of that paper. `tengen gtp --player NAME --set mix=hand --set k=1500` sets them, a file of
//! `name = value` lines (`study/goyui.params`) sets several.

use super::mix::Mix;
use super::prior::{Prior, PriorInto};
use crate::input::nearest;
use crate::knowledge::Gammas;
use std::fmt::Display;
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

/// Declares the settings once: each with its type, its default, how it is read, and what it is.
macro_rules! settings {
    ($($name:ident: $type:ty = $default:expr, $read:expr, $about:literal;)+) => {
        /// The settings of a study player.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Settings {
            $(#[doc = $about] pub $name: $type,)+
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { $($name: $default,)+ }
            }
        }

        /// Every setting and what it is.
        pub const NAMES: &[(&str, &str)] = &[$((stringify!($name), $about),)+];

        impl Settings {
            /// Sets one thing.
            pub fn set(&mut self, name: &str, text: &str) -> Result<(), SettingError> {
                $(if name == stringify!($name) {
                    self.$name = read(stringify!($name), text, $read)?;
                    return Ok(());
                })+
                let meant = nearest(name, NAMES.iter().map(|&(known, _)| known));
                Err(SettingError::Unknown { name: name.to_owned(), meant })
            }
        }
    };
}

settings! {
    playouts: u32 = 3000, whole(1), "playouts a move";
    policy: PolicyKind = PolicyKind::Light, one_of(PolicyKind::ALL),
        "how playouts choose: light, goyui, bare, captures, patterns or gamma";
    exploration: f64 = 0.1, positive, "c of Q + c sqrt(2 ln N(s) / N(s,a))";
    expand: u32 = 6, whole(1), "visits at which a leaf gets children";
    expansion: Expansion = Expansion::Visits, one_of(Expansion::ALL),
        "visits, all or transition: how it is decided that a leaf gets children";
    unvisited: Unvisited = Unvisited::First, one_of(Unvisited::ALL),
        "first: every child once before one twice; second: by its second value";
    mix: Mix = Mix::Mc, one_of(Mix::ALL), "mc, hand, mse, rave, bma, bma-gauss, bma-many or alpha";
    k: f64 = 1500.0, positive, "the hand schedule's k: visits at which both values count the same";
    bias: f64 = 1e-5, share, "b of minimum MSE";
    odds: f64 = 100.0, positive, "P(RAVE) / P(MC) of the Bayesian averages";
    third_odds: f64 = 1.0, positive, "P(Manhattan) / P(MC) of bma-many";
    alpha_visits: f64 = 10_000.0, positive, "visits at which alpha's weight of Monte Carlo is one";
    second: Second = Second::Rave, one_of(Second::ALL),
        "rave, rave-kernel, manhattan, winrate, root-rave or weighted";
    amaf: Amaf = Amaf::First, one_of(Amaf::ALL),
        "first: a move counts if its colour played first at the point; any: always";
    visit_limit: u32 = 0, whole(0), "most visits of a child, 0 for any number";
    root: RootValue = RootValue::Tree, one_of(RootValue::ALL),
        "tree or gauss: how the root's moves are valued";
    coulom: f64 = 0.0, positive,
        "visits at which a value is half mean, half maximum; 0 for the mean";
    leaf: u32 = 1, range(1, 1000), "playouts from each leaf that is reached";
    epsilon: f64 = 0.0, share, "probability of a random child instead of the best";
    pass_below: f64 = 0.0, share, "passes when the best move wins less often";
    pass_above: f64 = 0.9, share, "passes after a pass when it wins more often";
    worth: Worth = Worth::Score, one_of(Worth::ALL),
        "score or win: what a playout of a flat player is worth";
    rd: f64 = 2.0, positive, "progressive pruning: standard errors to each side of a mean";
    sigma: f64 = 0.2, positive,
        "progressive pruning: standard error below which moves may be equal";
    soft: bool = false, one_of(&[("true", true), ("false", false)]),
        "progressive pruning: true if a pruned move may come back";
    least: u32 = 100, whole(2),
        "progressive pruning: playouts of each move before one is pruned";
    temperature: f64 = 0.0, range(0.0, 1000.0), "K of e^(K v), the weight of a move in playouts";
    depth: u32 = 2, range(1, 4), "depth of the enumeration, 1 to 4";
    prior: Prior = Prior::None, one_of(Prior::ALL),
        "none, even, hints or fuego: what a new child is believed to be worth";
    prior_into: PriorInto = PriorInto::Uct, one_of(PriorInto::ALL),
        "uct or amaf: which value the prior goes into";
    prior_visits: f64 = 10.0, positive, "imagined playouts of a prior; c of Fuego's";
    komi_low: f64 = 0.0, share, "adaptive komi: the win rate to hold at least";
    komi_high: f64 = 1.0, share,
        "adaptive komi: the win rate to hold at most; 1 for the true komi";
    passes: f64 = 0.0, share, "probability that Black passes in a playout, with handicap";
    gammas: String = String::new(), gammas_file,
        "file of gammas for policy=gamma (of tengen train playout or balance)";
}

/// Reads a value, or says what may be given.
fn read<T>(
    name: &'static str,
    text: &str,
    reader: impl Fn(&str) -> Result<T, String>,
) -> Result<T, SettingError> {
    let refused = |possible| SettingError::Value { name, value: text.to_owned(), possible };
    reader(text).map_err(refused)
}

fn number<T: FromStr + PartialOrd>(
    text: &str,
    low: T,
    high: T,
    possible: &str,
) -> Result<T, String> {
    let value = text.parse().ok().filter(|value| (&low..=&high).contains(&value));
    value.ok_or_else(|| possible.to_owned())
}

fn whole(low: u32) -> impl Fn(&str) -> Result<u32, String> {
    move |text| number(text, low, 1_000_000_000, "a whole number")
}

fn share(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1.0, "a number from 0 to 1")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, 0.0, 1e12, "a number that is not negative")
}

fn range<T: FromStr + PartialOrd + Copy + Display>(
    low: T,
    high: T,
) -> impl Fn(&str) -> Result<T, String> {
    move |text| number(text, low, high, &format!("{low} to {high}"))
}

fn one_of<T: Copy>(all: &[(&'static str, T)]) -> impl Fn(&str) -> Result<T, String> {
    move |text| {
        let found = all.iter().find(|(known, _)| *known == text).map(|&(_, value)| value);
        found.ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|&(name, _)| name).collect();
            format!("one of {}", names.join(", "))
        })
    }
}

/// The name of a file that can be read.
fn gammas_file(text: &str) -> Result<String, String> {
    match Gammas::load(Path::new(text)) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("a file of gammas ({error})")),
    }
}

impl Settings {
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
