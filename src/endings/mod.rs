//! The end of a game: who lives, when to pass, when to resign.
//!
//! `status` tells alive, dead and seki apart, with `benson` for what is certain and `reading` for
//! what must be read, and `tiny` for 2x2; `closing` makes the last decision of a move: `passing` decides whether
//! to pass, by what `view` finds still worth a move, `cleanup` captures dead stones, `resign` gives up. The counting itself is [`crate::game::Game::score`]. See `docs/endings.md`.

mod benson;
mod cleanup;
mod closing;
mod passing;
mod reading;
mod resign;
mod status;
mod tiny;
mod view;

pub use benson::{Scope, secure_points};
pub use cleanup::capture_move;
pub use closing::{Choice, Closer, Turn};
pub use passing::{Action, Manner, Plan, looks_settled, plan};
pub use reading::{Goal, LocalReader, Verdict};
pub use resign::Resigner;
pub use status::{Assessment, assess};
