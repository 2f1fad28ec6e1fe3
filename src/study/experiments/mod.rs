//! The experiments, by document.

mod flat;
mod gradients;
mod policies;
mod subgames;
mod sweep;
mod xiao;
mod you;
mod zero;

use super::command::StudyArgs;
use super::report::Report;

/// An experiment of a document: its name, where the document has it, what it measures, how it is run.
pub type Experiment = (&'static str, &'static str, &'static str, Run);
type Run = fn(&StudyArgs) -> anyhow::Result<Report>;

/// Every experiment.
pub const EXPERIMENTS: &[Experiment] = &[
    ("spread", "Lew 3.2.2", "how much one playout says", flat::spread),
    ("amaf", "Lew 3.2.4, 3.3.1, Hsu", "AMAF, flat, pruning, depth-i by margin", flat::amaf),
    ("tree", "Lew 3.3.2, Hsu", "UCT, Coulom's backup, RAVE, expansion", flat::tree),
    ("subgames", "Lew 5", "the toy sum; --method exact, mc, td or cg-td", subgames::run),
    ("pruning", "Lew 3.2.5, Hsu", "progressive pruning by margin", flat::pruning),
    ("temperature", "Hsu", "e^(K v) in playouts, annealing", flat::temperature),
    ("together", "Hsu", "everything before the tree against GNU Go", flat::together),
    ("players", "Baudis", "random, playout, montecarlo, uct, and variants", flat::players),
    ("priors", "Baudis, Xiao 4.2.1", "priors into which value, Fuego's", flat::priors),
    ("handicap", "Baudis", "Black with handicap: adaptive komi, passes", flat::handicap),
    ("you-mixes", "You tables 4.2, 5.1-5.5", "mixes of MC and RAVE against GNU Go", you::mixes),
    ("you-policy", "You 3.3.1", "the default policy's rules (--data)", policies::rules),
    ("adaptive", "Lew 5.2", "what adaptive patterns learn (--data)", policies::adaptive),
    ("you-kernels", "You table 4.1", "regression kernels against GNU Go", you::kernels),
    ("you-variants", "You 4.1, 5.2, A", "limits, weights, priors, more models", you::variants),
    ("you-weight", "You figures 5.5, 5.8", "weight of MC over the iterations", you::weight),
    ("you-likelihood", "You figures 5.6, 5.7", "what samples do to RAVE's weight", you::likelihood),
    ("xiao-tables", "Xiao tables 4.1, 4.2", "FBT and LFR on three sets (--data)", xiao::tables),
    ("xiao-sampling", "Xiao table 4.3", "the sampled gradient (--data)", xiao::sampling),
    ("xiao-phases", "Xiao figure 4.1", "largest pattern by phase (--data)", xiao::phases),
    ("xiao-gradients", "Xiao figure 4.4", "accuracy over time by gradient", gradients::gradients),
    ("sweep", "Xiao figure 4.5", "a grid of the engine's parameters (--param)", sweep::sweep),
    ("zero", "Hsu", "AlphaGo Zero from nothing on 7x7, --games rounds", zero::run),
    ("engine", "Baudis", "parts of the engine, komi as Black", sweep::engine_rows),
];
