//! The vocabulary: colours, cells, points, moves, and the small tools every other module needs.
//!
//! Nothing here knows the rules of Go.

mod color;
mod marker;
mod moves;
mod point;
mod rank;
mod rng;
mod zobrist;

pub use color::{Cell, Color, ColorMap};
pub use marker::Marker;
pub use moves::{Move, ParseError};
pub use point::{
    CELLS, DIAGONALS, MAX_SIZE, MIN_SIZE, ORTHOGONALS, Point, PointMap, STRIDE, is_small, points,
};
pub use rank::{Rank, RankError};
pub use rng::Rng;
pub use zobrist::{Hash, zobrist_stone, zobrist_to_play};
