//! Local tactics: what a chain in trouble can do, and what stones near it are worth.
//!
//! Every routine answers one question about one place on the board, for playouts, priors and
//! learned features alike. None allocates.

mod atari;
mod distance;
mod ladder;
mod nakade;
mod self_atari;
mod two_liberties;

pub use atari::{capture_point, saves};
pub use distance::{FAR, common_fate_distance};
pub use ladder::Reader;
pub use nakade::{has_one_eye, is_killing_shape, vital_point};
pub use self_atari::is_bad_self_atari;
pub use two_liberties::{attacks, defenses};

use crate::board::PointList;

/// Room for the candidate moves of one tactical question.
pub type Candidates = PointList<24>;
