//! When to give up: the search's win rate at the true komi is low for several turns in a row, not
//! early in the game, and by more than a few points. A turn on which dynamic komi moved does not
//! count: its numbers come from two different games.

use crate::game::Game;
use crate::params::ResignParams;
use crate::search::Report;
use crate::types::ColorMap;

/// Remembers how long a game has looked lost, for either colour.
#[derive(Clone, Debug, Default)]
pub struct Resigner {
    lost_turns: ColorMap<u64>,
    extra_komi: ColorMap<Option<f64>>,
}

impl Resigner {
    /// Looks at a finished search; true if it is time to resign.
    pub fn consider(&mut self, report: &Report, game: &Game, params: &ResignParams) -> bool {
        let color = report.to_play;
        let stepped = self.extra_komi[color].is_some_and(|before| before != report.extra_komi);
        self.extra_komi[color] = Some(report.extra_komi);
        let points = (game.size() * game.size()) as f64;
        let lost = report.visits > 0
            && report.winrate < params.winrate
            && report.score <= -params.margin
            && game.moves().len() as f64 >= params.earliest * points;
        if !lost {
            self.lost_turns[color] = 0;
        } else if !stepped {
            self.lost_turns[color] += 1;
        }
        params.enabled && self.lost_turns[color] >= params.turns
    }
}
