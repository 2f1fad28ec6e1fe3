//! The declaration of all parameters.

use super::model::TreeModel;
use super::threads::Threads;
use super::value::{Value, choice};
use super::{ParamError, Parameter};

choice! {
    /// How a child's own value and its RAVE value are mixed.
    Mix {
        /// Minimum mean squared error: n~ / (n + n~ + 4 n n~ b^2).
        Mse = "mse",
        /// Hand-picked schedule: sqrt(k / (3 N + k)).
        Hand = "hand",
        /// Bayesian model averaging, binomial likelihoods.
        Bma = "bma",
        /// Bayesian model averaging, Gaussian likelihoods.
        BmaGauss = "bma-gauss",
        /// RAVE value only.
        Rave = "rave",
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
    }
}

choice! {
    /// How several threads search.
    Parallel {
        /// All in one tree.
        Tree = "tree",
        /// Each in its own, votes added.
        Root = "root",
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

/// A default for boards up to 11x11 and one for larger ones.
fn by_board(small: f64, large: f64) -> impl Fn(usize) -> f64 {
    move |size| if size <= 11 { small } else { large }
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
        /// How threads share the work.
        parallel: Parallel = |_| Parallel::Tree, ();
        /// How a child's own value and its RAVE value are mixed.
        mix: Mix = |_| Mix::Mse, ();
        /// Visits at which own value and RAVE value weigh the same, 1 / (4 b^2), for mix `mse`.
        rave_equivalence: f64 = |_| 1000.0, 1.0..=1e9;
        /// k of mix `hand`.
        rave_hand_k: f64 = |_| 1000.0, 1.0..=1e9;
        /// Prior odds of the RAVE model against the Monte Carlo model for the `bma` mixes.
        bma_odds: f64 = |_| 1.0, 1e-6..=1e6;
        /// How much less a move counts for RAVE when it comes at the end of the playout.
        rave_discount: f64 = |_| 0.5, 0.0..=1.0;
        /// c1, the weight of the exploration term sqrt(log N / n).
        exploration: f64 = |_| 0.0, 0.0..=10.0;
        /// Value of a child without visits, RAVE or prior.
        first_play_urgency: f64 = |_| 1.0, 0.0..=10.0;
        /// How knowledge enters the choice of a child beyond prior visits; on large boards in the
        /// form that fades no faster than the noise of the results, or long searches drift from it.
        bias: Bias = |size| if size <= 11 { Bias::None } else { Bias::Puct }, ();
        /// c2, the weight of the knowledge term.
        bias_weight: f64 = |size| if size <= 11 { 0.5 } else { 1.0 }, 0.0..=100.0;
        /// Lower cut of the move probabilities in the `puct` bias.
        bias_cut: f64 = |_| 0.001, 0.0..=1.0;
        /// Visits of a leaf before its children are made.
        expand_visits: u64 = |size| if size <= 11 { 2 } else { 8 }, 1..=10_000;
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
        /// Ask the learned model; off uses playout knowledge alone.
        model: bool = |_| true, ();
        /// Visits of a node before the model is asked about its children, if they are made earlier.
        model_after: u64 = |_| 0, 0..=10_000;
        /// Visits won for a move that the model is sure of; the rest in proportion to the square
        /// root of its probability.
        model_visits: f64 = |_| 90.0, 0.0..=1000.0;
        /// Visits of an even game.
        even: f64 = |size| if size <= 9 { 7.0 } else { 14.0 }, 0.0..=1000.0;
        /// As model_visits, for a move that the hand-written knowledge is sure of.
        hand_visits: f64 = |size| if size <= 11 { 150.0 } else { 200.0 }, 0.0..=1000.0;
        /// Playouts that show the hand-written knowledge whose the points are before a new root's children
        /// are made; few, as no clock is looked at meanwhile.
        owner_playouts: u64 = |size| if size <= 11 { 0 } else { 32 }, 0..=200;
    }
    /// Hand-written strengths of moves, used where the model is not asked; 1 is neutral.
    hand: HandParams {
        /// A move that touches the last one, falling to 1 with the logarithm of the distance.
        near: f64 = by_board(1.6, 1.9), 1e-6..=1e4;
        /// The last move touches an own chain with two liberties: so much more for moves near it.
        near_two: f64 = by_board(2.8, 2.7), 1e-6..=1e4;
        /// The last move touches an own chain with three liberties: so much more for moves near it.
        near_three: f64 = by_board(4.0, 3.0), 1e-6..=1e4;
        /// The last move touches an own chain with more liberties: so much more for moves near it.
        near_touch: f64 = by_board(3.5, 3.2), 1e-6..=1e4;
        /// The last move has no stone within four lines: so much more for moves near it.
        near_alone: f64 = by_board(0.38, 0.069), 1e-6..=1e4;
        /// The last move left the one before it alone: so much more for moves near it.
        near_new: f64 = by_board(2.0, 3.1), 1e-6..=1e4;
        /// The last move took a ko: so much more for moves near it.
        near_ko: f64 = by_board(0.2, 0.033), 1e-6..=1e4;
        /// A move that touches the last but one, falling likewise.
        near_second: f64 = by_board(2.0, 3.9), 1e-6..=1e4;
        /// A move that touches the opponent's last but one, falling likewise.
        near_third: f64 = by_board(1.4, 2.0), 1e-6..=1e4;
        /// A liberty of the last move's chain, falling to 1 with the steps to it, where stones of a chain are one place.
        near_path: f64 = by_board(1.5, 2.5), 1e-6..=1e4;
        /// Three to five such steps away on the first or second line.
        near_low: f64 = by_board(1.2, 1.7), 1e-6..=1e4;
        /// Capture of a chain that puts an own one into atari, times the square root of its size.
        rescue: f64 = by_board(1.8, 2.2), 1e-6..=1e4;
        /// Taking back a ko.
        retake: f64 = by_board(9.6, 33.0), 1e-6..=1e4;
        /// Capture of another chain that could escape, times the square root of its size.
        capture: f64 = by_board(1.9, 1.4), 1e-6..=1e4;
        /// Capture of a chain that cannot escape, times the square root of its size.
        capture_dead: f64 = by_board(0.47, 0.54), 1e-6..=1e4;
        /// Saving a chain that the last move put into atari, times the square root of its size.
        save: f64 = by_board(23.0, 19.0), 1e-6..=1e4;
        /// Saving a chain that was in atari before, times the square root of its size.
        save_late: f64 = by_board(4.0, 2.2), 1e-6..=1e4;
        /// Catching a chain in a ladder, times the square root of its size.
        ladder: f64 = by_board(1.8, 1.9), 1e-6..=1e4;
        /// Saving a chain from a ladder, times the square root of its size.
        escape: f64 = by_board(1.8, 1.3), 1e-6..=1e4;
        /// Any other atari, times the square root of the chain's size.
        atari: f64 = by_board(2.1, 2.2), 1e-6..=1e4;
        /// The vital point of an eyespace.
        vital: f64 = by_board(3.5, 2.4), 1e-6..=1e4;
        /// A bad self-atari.
        self_atari: f64 = by_board(0.14, 0.08), 1e-6..=1e4;
        /// A self-atari that may be good, beside a chain of the opponent's that is not in atari.
        sacrifice: f64 = by_board(0.17, 0.077), 1e-6..=1e4;
        /// A 3x3 pattern beside the last move.
        pattern_near: f64 = by_board(4.0, 3.5), 1e-6..=1e4;
        /// A 3x3 pattern elsewhere.
        pattern: f64 = by_board(3.0, 3.3), 1e-6..=1e4;
        /// Touching an own chain without giving it a liberty.
        clumsy: f64 = by_board(0.93, 0.68), 1e-6..=1e4;
        /// Two more liberties for an own chain of at most three.
        strengthen: f64 = by_board(1.8, 1.5), 1e-6..=1e4;
        /// Beside own stones only, diagonal to the last move.
        stretch_near: f64 = by_board(1.1, 1.7), 1e-6..=1e4;
        /// Beside several own stones and none of the opponent's.
        solid: f64 = by_board(0.78, 0.86), 1e-6..=1e4;
        /// Joining own chains with stones of the opponent's around.
        connect: f64 = by_board(0.64, 0.59), 1e-6..=1e4;
        /// The same beside the last move.
        connect_near: f64 = by_board(1.3, 1.7), 1e-6..=1e4;
        /// Joining own chains with no stone of the opponent's around.
        connect_idly: f64 = by_board(0.18, 0.047), 1e-6..=1e4;
        /// Beside a stone of the opponent's.
        contact: f64 = |_| 1.7, 1e-6..=1e4;
        /// Diagonal to own stones only.
        diagonal: f64 = by_board(0.57, 0.58), 1e-6..=1e4;
        /// Diagonal to one stone of the opponent's and no other.
        shoulder: f64 = by_board(0.65, 0.9), 1e-6..=1e4;
        /// Diagonal to several stones of the opponent's and no own one.
        waist: f64 = by_board(1.3, 1.9), 1e-6..=1e4;
        /// Around a stone of the opponent's: beside it and diagonal to an own one beside it.
        hane: f64 = by_board(1.5, 1.4), 1e-6..=1e4;
        /// Around the end of a row of the opponent's stones, diagonal to an own stone.
        hane_wall: f64 = by_board(1.4, 1.3), 1e-6..=1e4;
        /// Between two own stones at the head of one of the opponent's.
        hane_both: f64 = by_board(2.4, 3.2), 1e-6..=1e4;
        /// Beside a single stone of the opponent's with nothing beside that.
        touch: f64 = by_board(1.9, 1.4), 1e-6..=1e4;
        /// Beside a stone of the opponent's in a row of them.
        touch_wall: f64 = by_board(0.53, 0.3), 1e-6..=1e4;
        /// From an own stone where the opponent has none around.
        stretch: f64 = by_board(0.32, 0.17), 1e-6..=1e4;
        /// From an own stone along one of the opponent's or between two.
        stretch_along: f64 = by_board(1.1, 1.5), 1e-6..=1e4;
        /// Beside a stone of each, with one of the opponent's at the corner between.
        crawl: f64 = by_board(1.0, 0.86), 1e-6..=1e4;
        /// Beside a stone of each, with nothing at the corner between.
        block: f64 = by_board(1.5, 1.4), 1e-6..=1e4;
        /// Beside a stone of each, with an own one at the corner between and another of the opponent's beyond.
        turn: f64 = by_board(0.4, 0.47), 1e-6..=1e4;
        /// Beside a stone of each, with an own one on the other side of the opponent's.
        link: f64 = by_board(2.1, 2.4), 1e-6..=1e4;
        /// Beside a stone of each in two rows side by side, behind the own.
        heavy: f64 = by_board(0.53, 0.33), 1e-6..=1e4;
        /// Between a stone of each, with another of the opponent's diagonal beside the own.
        across: f64 = by_board(1.6, 2.0), 1e-6..=1e4;
        /// Between a stone of each, nothing of that kind around.
        opposite: f64 = by_board(0.6, 0.7), 1e-6..=1e4;
        /// Joining two stones diagonally where the opponent stands at the corner.
        protect: f64 = by_board(2.1, 1.8), 1e-6..=1e4;
        /// Between two own stones.
        join: f64 = by_board(2.1, 1.6), 1e-6..=1e4;
        /// Beside two stones of the opponent's, with an own one at the corner between.
        cut: f64 = by_board(0.59, 0.53), 1e-6..=1e4;
        /// Beside two stones of the opponent's that touch diagonally, without an own one at the corner between.
        peep: f64 = by_board(0.58, 0.68), 1e-6..=1e4;
        /// Beside three stones of the opponent's.
        mouth: f64 = by_board(0.59, 0.63), 1e-6..=1e4;
        /// Beside a chain of the opponent's that has three liberties; the square root of it for four.
        press: f64 = |_| 1.8, 1e-6..=1e4;
        /// Beside stones of the opponent's without an own stone around.
        alone: f64 = by_board(0.45, 0.6), 1e-6..=1e4;
        /// A move beside own stones that leaves their chain two liberties.
        two_left: f64 = by_board(1.1, 1.3), 1e-6..=1e4;
        /// A move beside a chain of the opponent's with four liberties or more that leaves the own one two.
        thin: f64 = by_board(0.51, 0.38), 1e-6..=1e4;
        /// The same beside a chain with three liberties.
        thin_three: f64 = by_board(0.44, 0.38), 1e-6..=1e4;
        /// A large knight's move from an own stone, touching none.
        large_keima: f64 = by_board(1.4, 1.3), 1e-6..=1e4;
        /// Two points in both directions from an own stone, touching none.
        diagonal_jump: f64 = by_board(0.54, 0.69), 1e-6..=1e4;
        /// A large knight's move from a stone of the opponent's, touching none.
        enemy_large_keima: f64 = by_board(0.8, 0.88), 1e-6..=1e4;
        /// Beside several stones of the opponent's and no own one.
        pocket: f64 = by_board(2.1, 2.6), 1e-6..=1e4;
        /// Two points from an own stone, touching none.
        jump: f64 = by_board(1.9, 2.0), 1e-6..=1e4;
        /// A knight's move from an own stone, touching none.
        keima: f64 = by_board(2.6, 1.5), 1e-6..=1e4;
        /// Three points from an own stone, touching none.
        long_jump: f64 = by_board(1.4, 1.5), 1e-6..=1e4;
        /// Two points from a stone of the opponent's, touching none.
        enemy_jump: f64 = by_board(1.6, 1.7), 1e-6..=1e4;
        /// A knight's move from a stone of the opponent's, touching none.
        enemy_keima: f64 = by_board(1.4, 1.5), 1e-6..=1e4;
        /// A point that stones near it give to one side, by how clearly they do.
        settled: f64 = by_board(0.26, 0.44), 1e-6..=1e4;
        /// A point that is own in all playouts, if it is no answer to the last move.
        owned: f64 = by_board(1.0, 0.12), 1e-6..=1e4;
        /// The same if it answers the last move.
        owned_near: f64 = by_board(1.0, 1.5), 1e-6..=1e4;
        /// A point that is the opponent's in all playouts.
        lost: f64 = by_board(1.0, 0.27), 1e-6..=1e4;
        /// Near own stones whose fate is open in playouts.
        rally: f64 = by_board(1.0, 3.2), 1e-6..=1e4;
        /// Near stones of the opponent's whose fate is open in playouts.
        attack: f64 = by_board(1.9, 2.2), 1e-6..=1e4;
        /// The first line.
        first_line: f64 = by_board(0.18, 0.24), 1e-6..=1e4;
        /// The first line with the board full, in proportion to how full it is.
        first_line_late: f64 = by_board(18.0, 14.0), 1e-6..=1e4;
        /// The first line with no stone around.
        first_line_open: f64 = by_board(0.015, 0.028), 1e-6..=1e4;
        /// The first line beside no stone, but with some around.
        first_line_loose: f64 = by_board(0.4, 0.42), 1e-6..=1e4;
        /// The first line from an own stone, beside no other.
        descent: f64 = by_board(0.61, 0.36), 1e-6..=1e4;
        /// The second line with no stone around.
        second_line_open: f64 = by_board(0.2, 0.42), 1e-6..=1e4;
        /// The third line.
        third_line: f64 = by_board(1.2, 1.4), 1e-6..=1e4;
        /// The third line with no stone around.
        third_line_open: f64 = by_board(2.9, 4.6), 1e-6..=1e4;
        /// The fourth line with no stone around.
        fourth_line_open: f64 = by_board(10.0, 2.2), 1e-6..=1e4;
        /// Higher lines with no stone within two.
        centre_open: f64 = by_board(110.0, 0.088), 1e-6..=1e4;
        /// A 3-3 or 3-4 point of an empty corner of a large board.
        corner: f64 = |_| 61.0, 1e-6..=1e4;
        /// The 4-4 point of an empty corner of a large board.
        corner_star: f64 = |_| 450.0, 1e-6..=1e4;
        /// The next move of a joseki.
        joseki: f64 = |_| 7.9, 1e-6..=1e4;
        /// A joseki move of the corner that the last move was played in, times its strength as one.
        joseki_reply: f64 = |_| 4.5, 1e-6..=1e4;
        /// Another move that is joseki.
        joseki_other: f64 = |_| 2.5, 1e-6..=1e4;
        /// Third or fourth line, the next own stone along the side two or three points away.
        side_own_near: f64 = |_| 0.62, 1e-6..=1e4;
        /// The same four or five points away.
        side_own: f64 = |_| 1.2, 1e-6..=1e4;
        /// A pass; never nothing, so that there is always something to choose.
        pass: f64 = |_| 0.1, 1e-6..=1e4;
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
        overspend: f64 = |_| 2.0, 1.0..=10.0;
        /// Moves that main time is shared among from the middle game on, as a share of the points.
        spread: f64 = |_| 0.22, 0.01..=10.0;
        /// The move from which on most time is used, as a share of the points.
        peak: f64 = |_| 0.22, 0.0..=10.0;
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
