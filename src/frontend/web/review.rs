//! The review of a game on the page.

use super::http::Refusal;
use crate::frontend::review::{Review, ReviewError, ReviewSettings, judge};
use crate::game::Rules;
use crate::game::sgf::Record;
use crate::params::Overrides;
use crate::search::Interrupt;

/// Seconds of one thread for a position: somebody waits for it.
const TIME: f64 = 0.3;

/// Judges every move of a game.
pub fn review_game(
    record: &Record,
    rules: Rules,
    overrides: &Overrides,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Review, Refusal> {
    let settings = ReviewSettings {
        rules,
        time: TIME,
        overrides: overrides.clone(),
        ..ReviewSettings::default()
    };
    judge(record, &settings, interrupt, progress).map_err(|error| {
        let status = if error == ReviewError::Interrupted { 503 } else { 409 };
        Refusal::new(status, error.to_string())
    })
}
