//! The experiments, by document.

mod flat;
mod policies;
mod subgames;
mod sweep;
mod xiao;
mod you;
mod zero;

use super::command::StudyArgs;
use super::report::Report;

/// An experiment of a document.
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// Where the document has it.
    pub source: &'static str,
    /// What it measures.
    pub about: &'static str,
    /// Runs it.
    pub run: fn(&StudyArgs) -> anyhow::Result<Report>,
}

const fn experiment(
    name: &'static str,
    source: &'static str,
    about: &'static str,
    run: fn(&StudyArgs) -> anyhow::Result<Report>,
) -> Experiment {
    Experiment { name, source, about, run }
}

/// Every experiment.
pub const EXPERIMENTS: &[Experiment] = &[
    experiment("spread", "Lew 3.2.2", "how much one playout says", flat::spread),
    experiment(
        "amaf",
        "Lew 3.2.4, 3.3.1, Hsu",
        "AMAF, flat, pruning, depth-i by margin",
        flat::amaf,
    ),
    experiment("tree", "Lew 3.3.2, Hsu", "UCT, Coulom's backup, RAVE, expansion", flat::tree),
    experiment("subgames", "Lew 5", "the toy sum; --method exact, mc, td or cg-td", subgames::run),
    experiment("pruning", "Lew 3.2.5, Hsu", "progressive pruning by margin", flat::pruning),
    experiment("temperature", "Hsu", "e^(K v) in playouts, annealing", flat::temperature),
    experiment("together", "Hsu", "everything before the tree against GNU Go", flat::together),
    experiment(
        "players",
        "Baudis",
        "random, playout, montecarlo, uct, and variants",
        flat::players,
    ),
    experiment("priors", "Baudis, Xiao 4.2.1", "priors into which value, Fuego's", flat::priors),
    experiment("handicap", "Baudis", "Black with handicap: adaptive komi, passes", flat::handicap),
    experiment("you-mixes", "You 4.2, 5.1-5.5", "mixes of MC and RAVE against GNU Go", you::mixes),
    experiment("you-policy", "You 3.3.1", "the default policy's rules (--data)", policies::rules),
    experiment("adaptive", "Lew 5.2", "what adaptive patterns learn (--data)", policies::adaptive),
    experiment("you-kernels", "You 4.1", "regression kernels against GNU Go", you::kernels),
    experiment(
        "you-variants",
        "You 4.1, 5.2, A",
        "limits, weights, priors, more models",
        you::variants,
    ),
    experiment(
        "you-weight",
        "You 5.5, 5.8",
        "weight of MC in a node over the iterations",
        you::weight,
    ),
    experiment(
        "you-likelihood",
        "You 5.6, 5.7",
        "what more samples do to the weight of RAVE",
        you::likelihood,
    ),
    experiment("xiao-tables", "Xiao 4.1, 4.2", "FBT and LFR on three sets (--data)", xiao::tables),
    experiment("xiao-sampling", "Xiao 4.3", "the sampled gradient (--data)", xiao::sampling),
    experiment("xiao-phases", "Xiao figure 4.1", "largest pattern by phase (--data)", xiao::phases),
    experiment("sweep", "Xiao 4.5", "a grid of the engine's parameters (--param)", sweep::sweep),
    experiment("zero", "Hsu", "AlphaGo Zero from nothing on 7x7, --games rounds", zero::run),
    experiment("engine", "Baudis", "parts of the engine, komi as Black", sweep::engine_rows),
];
