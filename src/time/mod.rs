//! Time: what is left on the clocks, and how much of it to spend on a move.

mod budget;
mod clock;

pub use budget::Budget;
pub use clock::{Clock, Left, TimeSystem};
