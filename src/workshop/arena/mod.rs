//! The arena: matches between GTP programs, rating lists, regression suites.
//!
//! Strength is measured here. `tengen match` ([`contest`]) plays two programs, `tengen elo`
//! ([`elo_list`]) rates the players of many matches, `tengen regress` ([`regress`]) asks a program
//! for its answers to known positions. All three drive GTP programs of any origin as child
//! processes ([`process`](super::tools::process)) and expect the worst of them: garbage, death, silence and illegal moves
//! end in a counted forfeit or a failed test, never in the end of the tool.
//!
//! Reading order: [`process`](super::tools::process) and [`player`](super::tools::player) (a program), [`bout`] (a game), [`pairing`] (which
//! games), [`contest`] (all of them at once), [`table`] and [`store`] (what is kept), [`statistics`](super::tools::statistics) and
//! [`elo`] (what it means).

pub mod away;
pub mod bout;
pub mod clock;
pub mod contest;
pub mod elo;
pub mod elo_list;
pub mod elo_lmp;
mod lock;
pub mod openings;
pub mod options;
pub mod outcome;
pub mod pairing;
mod record;
pub mod regress;
pub mod report;
pub mod store;
pub mod suite;
pub mod table;
pub mod team;
