//! The declaration of all parameters.

use super::model::{TreeModel, TreeNetwork};
use super::threads::Threads;
use super::value::{Value, choice};
use super::{ParamError, Parameter};
use crate::types::is_small;

choice! {
    /// How a child's own value and its RAVE value are mixed.
    Mix {
        /// Minimum mean squared error: n~ / (n + n~ + 4 n n~ b^2).
        Mse = "mse",
        /// Own value only.
        Mc = "mc",
    }
}

choice! {
    /// How knowledge enters the choice of a child.
    Bias {
        /// Not at all (beyond prior visits).
        None = "none",
        /// Progressive Bias: c2 K / (n + 1).
        Progressive = "progressive",
        /// The PUCT form of Xiao section 3.4, with a lower cut.
        Puct = "puct",
        /// The PUCT form of AlphaGo: c2 P sqrt(N) / (n + 1).
        AlphaGo = "alphago",
    }
}

choice! {
    /// Which playouts evaluate leaves.
    PlayoutKind {
        /// Uniformly random.
        Light = "light",
        /// Hand-written rules.
        Rules = "rules",
        /// Learned gammas.
        Gamma = "gamma",
        /// 3x3 patterns that learn from playouts (for study).
        Adaptive = "adaptive",
    }
}

choice! {
    /// How komi is shifted inside the search.
    DynamicKomi {
        /// True komi always.
        Off = "off",
        /// In proportion to the handicap, fading out over the game.
        Linear = "linear",
        /// So that the win rate stays in a band.
        Situational = "situational",
    }
}

choice! {
    /// When to pass.
    PassMode {
        /// When the board is settled: dead stones are agreed on afterwards.
        Friendly = "friendly",
        /// When the board wins as it stands: dead stones are captured first.
        Strict = "strict",
    }
}

macro_rules! declare {
    ($($(#[doc = $group_doc:literal])* $group:ident: $Group:ident {
        $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr, $range:expr;)*
    })*) => {
        $(
            $(#[doc = $group_doc])*
            #[derive(Clone, PartialEq, Debug)]
            pub struct $Group { $($(#[doc = $doc])+ pub $name: $type,)* }
        )*

        /// A full set of parameters for one board size.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Params {
            $($(#[doc = $group_doc])* pub $group: $Group,)*
            /// The model that the tree asks.
            pub tree_model: TreeModel,
            /// The network that the tree asks.
            pub tree_network: TreeNetwork,
        }

        impl Params {
            /// The defaults for a board size.
            pub fn for_size(size: usize) -> Params {
                fn by_size<T>(size: usize, default: impl Fn(usize) -> T) -> T {
                    default(size)
                }
                Params {
                    $($group: $Group { $($name: by_size(size, $default),)* },)*
                    tree_model: TreeModel::default(),
                    tree_network: TreeNetwork::default(),
                }
            }

            /// Every parameter, in the order of declaration.
            pub const TABLE: &'static [Parameter] = &[$($(Parameter {
                name: concat!(stringify!($group), ".", stringify!($name)),
                doc: concat!($($doc,)+).trim_ascii(),
                allowed: || <$type as Value>::allowed(&$range),
                choices: <$type as Value>::choices,
                get: |params| params.$group.$name.show(),
                set: |params, text| match <$type as Value>::read(text, &$range) {
                    Some(value) => { params.$group.$name = value; true }
                    None => false,
                },
            },)*)*];
        }
    };
}

declare! {
    /// The tree search.
    search: SearchParams {
        /// Playouts a move when no clock and no other limit is given; 0 means by time.
        playouts: u64 = |_| 0, 0..=1_000_000_000;
        /// Seconds a move when no clock and no other limit is given.
        time: f64 = |_| 5.0, 0.001..=86400.0;
        /// Threads that search; `auto` is one for each core that this process may use.
        threads: Threads = |_| Threads::Auto, Threads::RANGE;
        /// Memory for the tree in MB.
        memory: u64 = |_| 512, 1..=1_000_000;
        /// Seed of the random numbers; 0 takes a new one from the system for every process.
        seed: u64 = |_| 0, 0..=u64::MAX;
        /// How a child's own value and its RAVE value are mixed.
        mix: Mix = |_| Mix::Mse, ();
        /// Visits at which own value and RAVE value weigh the same, 1 / (4 b^2), for mix `mse`; 2.5e11 is a bias b of 1e-6.
        rave_equivalence: f64 = |_| 1000.0, 1.0..=1e12;
        /// How much less a move counts for RAVE when it comes at the end of the playout.
        rave_discount: f64 = |_| 0.5, 0.0..=1.0;
        /// c1, the weight of the exploration term sqrt(log N / n).
        exploration: f64 = |_| 0.0, 0.0..=10.0;
        /// Value of a child without visits, RAVE or prior.
        first_play_urgency: f64 = |_| 1.0, 0.0..=10.0;
        /// How knowledge enters the choice of a child beyond prior visits; on large boards in the
        /// form that fades no faster than the noise of the results, or long searches drift from it.
        bias: Bias = |size| if is_small(size) { Bias::None } else { Bias::Puct }, ();
        /// c2, the weight of the knowledge term.
        bias_weight: f64 = |size| if is_small(size) { 0.5 } else { 1.0 }, 0.0..=100.0;
        /// Lower cut of the move probabilities in the `puct` bias.
        bias_cut: f64 = |_| 0.001, 0.0..=1.0;
        /// Visits of a leaf before its children are made.
        expand_visits: u64 = |size| if is_small(size) { 2 } else { 8 }, 1..=10_000;
        /// Children considered at first under progressive widening; 0 turns widening off.
        widen_start: u64 = |_| 0, 0..=400;
        /// One more child is considered each time the visits grow by this factor.
        widen_factor: f64 = |_| 1.4, 1.01..=10.0;
        /// Visits that a search in progress counts as lost, so that threads spread out.
        virtual_loss: u64 = |_| 1, 0..=100;
        /// Weight of the score term in a playout's result.
        score_weight: f64 = |_| 0.0, 0.0..=1.0;
        /// Weight of a point's criticality as additional RAVE visits won.
        criticality: f64 = |_| 0.0, 0.0..=100.0;
        /// Save time when the second move cannot catch up any more.
        early_stop: bool = |_| true, ();
        /// Think on the opponent's time.
        ponder: bool = |_| false, ();
    }
    /// Prior visits of new nodes.
    prior: PriorParams {
        /// Ask the learned model; off gives simple hints instead.
        model: bool = |_| true, ();
        /// Visits of a node before the model is asked about its children, if they are made earlier.
        model_after: u64 = |_| 0, 0..=10_000;
        /// Visits won for a move that the model is sure of; the rest in proportion to the square
        /// root of its probability.
        model_visits: f64 = |_| 90.0, 0.0..=1000.0;
        /// Visits of an even game.
        even: f64 = |size| if size <= 9 { 7.0 } else { 14.0 }, 0.0..=1000.0;
        /// Visits won for the capture of one stone, twice as many for three, where the model is not asked.
        capture: f64 = |_| 15.0, 0.0..=1000.0;
        /// Visits won for saving one stone in atari, twice as many for three, where the model is not asked.
        save: f64 = |_| 15.0, 0.0..=1000.0;
        /// Visits won for an atari on one stone, twice as many for three, where the model is not asked.
        atari: f64 = |_| 15.0, 0.0..=1000.0;
        /// Visits lost for a bad self-atari, where the model is not asked.
        self_atari: f64 = |_| 15.0, 0.0..=1000.0;
        /// Visits won for a 3x3 pattern, where the model is not asked.
        pattern: f64 = |_| 10.0, 0.0..=1000.0;
        /// Visits won beside the last move's chain, fewer up to a common-fate distance of three, where
        /// the model is not asked.
        near: f64 = |_| 12.0, 0.0..=1000.0;
        /// Visits lost on the first line, won on the third, on an open part of the board, where the
        /// model is not asked.
        border: f64 = |_| 10.0, 0.0..=1000.0;
    }
    /// What the network's judgement of positions counts; without a network nothing.
    value: ValueParams {
        /// Ask the network; off plays the classic way. On where it has won matches in equal time.
        network: bool = |size| size >= 9, ();
        /// Weight of the network's win rate against the playout's result.
        weight: f64 = |size| if is_small(size) { 0.75 } else { 0.9 }, 0.0..=1.0;
        /// Stones on the board, as a share of its points, up to which the network is asked; beyond that the
        /// search is the classic one, which reads fights better.
        until: f64 = |size| if (12..=15).contains(&size) { 0.6 } else { 0.33 }, 0.0..=1.0;
        /// Weight of the network's opinion on moves on top of the model's.
        policy: f64 = |_| 1.0, 0.0..=4.0;
        /// Visits of a node before the network is asked about it.
        visits: u64 = |_| 1, 0..=10_000;
        /// Weight of what is expected of a move, in AlphaGo's form, where the network is asked.
        exploration: f64 = |_| 1.0, 0.0..=100.0;
        /// Visits of an even game where the network is asked.
        even: f64 = |_| 1.0, 0.0..=1000.0;
        /// How much worse than the position itself a move without visits is taken to be, where the network
        /// is asked.
        reduction: f64 = |_| 0.2, 0.0..=1.0;
        /// Ask the network also where this processor lacks the vectors that make it fast.
        anyway: bool = |_| false, ();
    }
    /// Playouts.
    playout: PlayoutParams {
        /// Which policy plays.
        policy: PlayoutKind = |_| PlayoutKind::Rules, ();
        /// Probability to answer an atari by capturing or saving.
        capture: f64 = |_| 0.95, 0.0..=1.0;
        /// Probability to capture what the own last move put into atari, if it is still there.
        follow_up: f64 = |_| 0.5, 0.0..=1.0;
        /// Moves of a chain's owner after which a ladder counts as broken.
        ladder: u64 = |_| 6, 0..=200;
        /// Probability to play at two-liberty chains.
        two_liberties: f64 = |_| 0.5, 0.0..=1.0;
        /// Probability to play the vital point of an eyespace.
        nakade: f64 = |_| 0.2, 0.0..=1.0;
        /// Probability to play a 3x3 pattern near the last move.
        pattern: f64 = |_| 0.98, 0.0..=1.0;
        /// Probability to play a 3x3 pattern near the move before the last.
        pattern_second: f64 = |_| 0.0, 0.0..=1.0;
        /// Probability to refuse a bad self-atari.
        self_atari: f64 = |_| 0.95, 0.0..=1.0;
        /// Stones of advantage that end a playout, as a share of the board; 1 turns mercy off.
        mercy: f64 = |_| 0.35, 0.05..=1.0;
    }
    /// Dynamic komi.
    komi: KomiParams {
        /// How komi is shifted.
        dynamic: DynamicKomi = |_| DynamicKomi::Off, ();
        /// Points per handicap stone for `linear`.
        per_stone: f64 = |_| 8.0, 0.0..=50.0;
        /// Moves over which `linear` fades out.
        fade: u64 = |size| (200 * size * size / 361) as u64, 1..=1000;
        /// Lower end of the win rate band for `situational`.
        low: f64 = |_| 0.4, 0.0..=1.0;
        /// Upper end of the win rate band for `situational`.
        high: f64 = |_| 0.5, 0.0..=1.0;
        /// Points of a step for `situational`; 0 takes the average score.
        step: f64 = |_| 1.0, 0.0..=50.0;
        /// Never raise the komi again after it had to be lowered.
        ratchet: bool = |_| true, ();
    }
    /// Passing.
    pass: PassParams {
        /// When to pass: friendly (dead stones are agreed on) or strict (all stones count).
        mode: PassMode = |_| PassMode::Friendly, ();
        /// Winrate that a pass, or a move which ends the game in order, may cost against the search's
        /// own choice.
        concession: f64 = |_| 0.02, 0.0..=1.0;
    }
    /// The status of stones: alive, dead or seki.
    status: StatusParams {
        /// Playouts that tell who owns what, and of a sample of playouts.
        playouts: u64 = |size| if size <= 9 { 1000 } else { 600 }, 2..=1_000_000;
        /// Positions that reading one chain may look at.
        nodes: u64 = |_| 20_000, 1..=10_000_000;
        /// Positions that reading all chains may look at.
        total_nodes: u64 = |_| 100_000, 1..=100_000_000;
    }
    /// Resigning.
    resign: ResignParams {
        /// Resign at all.
        enabled: bool = |_| true, ();
        /// Win rate below which a game is lost.
        winrate: f64 = |_| 0.1, 0.0..=0.5;
        /// Turns in a row that it must be so.
        turns: u64 = |_| 3, 1..=100;
        /// Points one must be behind.
        margin: f64 = |_| 5.0, 0.0..=400.0;
        /// Earliest move, as a share of the points of the board.
        earliest: f64 = |_| 0.25, 0.0..=10.0;
    }
    /// Time on the clock.
    clock: ClockParams {
        /// Seconds kept in reserve for lag at every move.
        lag: f64 = |_| 0.1, 0.0..=60.0;
        /// How many times longer than planned an unsettled move may take.
        overspend: f64 = |_| 1.5, 1.0..=10.0;
        /// Moves that main time is shared among from the middle game on, as a share of the points.
        spread: f64 = |_| 0.1, 0.01..=10.0;
        /// The move from which on most time is used, as a share of the points.
        peak: f64 = |_| 0.25, 0.0..=10.0;
        /// Share of the planned time that searches are expected to give back because they are decided.
        give_back: f64 = |_| 0.4, 0.0..=0.9;
    }
    /// The first moves of a game.
    opening: OpeningParams {
        /// Choose by the seed among first moves that are about equal, so that games do not begin alike; on where
        /// people play, off in analysis and matches.
        vary: bool = |_| false, ();
        /// Moves of a game that may vary, both players' counted.
        moves: u64 = |size| if size <= 11 { 4 } else { 10 }, 0..=400;
        /// Winrate by which a move may seem worse than the best one and still be about equal.
        margin: f64 = |_| 0.02, 0.0..=1.0;
    }
    /// Analysis for graphical clients.
    analysis: AnalysisParams {
        /// Visits after which analysis and pondering idle.
        max_visits: u64 = |_| 10_000_000, 1..=1_000_000_000;
        /// Seconds after which analysis and pondering idle.
        max_time: f64 = |_| 600.0, 0.01..=1e9;
    }
}

impl Params {
    /// Checks a value without keeping it.
    pub fn check(name: &str, value: &str) -> Result<(), ParamError> {
        Params::for_size(19).set(name, value)
    }
}
