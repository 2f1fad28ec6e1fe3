//! Levels that a person can beat: players of a rank, 25 kyu to 9 dan.
//!
//! A weak player does not play like a strong one that throws stones away: he sees other moves, and reads less. So a
//! level is two things. [`model`] says how likely players of a rank are to choose each move, learned from their
//! games; [`ladder`] says how many of these moves a level thinks of and how far it reads them. [`RankPlayer`] puts them
//! together and lets the engine's endings decide when to pass and to resign. `docs/levels.md` has what was measured.
//!
//! ```
//! use tengen::engine::{Choice, Color};
//! use tengen::game::{Game, Rules};
//! use tengen::params::Overrides;
//! use tengen::rank::{Rank, RankPlayer};
//!
//! let mut player = RankPlayer::new(Rank::parse("20k").unwrap(), &Overrides::default());
//! let game = Game::new(9, Rules::CHINESE);
//! let Choice::Play(point) = player.genmove(&game, Color::Black).choice else { panic!() };
//! assert!(point.is_on_board(9));
//! ```

pub mod ladder;
pub mod model;
mod player;

pub use crate::types::{Rank, RankError};
pub use ladder::{RUNGS, STRONGEST, Skill, WEAKEST, of_level, parse};
pub use model::RankModel;
pub use player::RankPlayer;
