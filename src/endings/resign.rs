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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::params::Params;
    use crate::types::{Color, Move, Point};

    fn report(winrate: f64, score: f64, extra_komi: f64) -> Report {
        let empty = Report::empty(Color::Black);
        Report { visits: 100, playouts: 100, winrate, score, extra_komi, ..empty }
    }

    fn late_game() -> Game {
        let mut game = Game::new(9, Rules::CHINESE);
        for color in [Color::Black, Color::White].repeat(20) {
            game.play(Move::new(color, Point::PASS)).unwrap();
        }
        game
    }

    /// Do these turns in a row end in resignation?
    fn resigns(game: &Game, set: &[(&str, &str)], turns: &[Report]) -> bool {
        let mut params = Params::for_size(9);
        for (name, value) in set {
            params.set(name, value).unwrap();
        }
        let mut resigner = Resigner::default();
        turns.iter().any(|report| resigner.consider(report, game, &params.resign))
    }

    #[test]
    fn all_four_limits_count() {
        let game = late_game();
        let lost = report(0.02, -20.0, 0.0);
        let turns = [lost.clone(), lost.clone(), lost.clone()];
        assert!(resigns(&game, &[], &turns));
        assert!(!resigns(&game, &[], &turns[..2]), "two turns are not three");
        assert!(!resigns(&game, &[("resign.enabled", "false")], &turns));
        assert!(!resigns(&game, &[("resign.winrate", "0.01")], &turns));
        assert!(!resigns(&game, &[("resign.turns", "4")], &turns));
        assert!(!resigns(&game, &[("resign.margin", "30")], &turns));
        assert!(!resigns(&game, &[("resign.earliest", "0.6")], &turns), "move 40 of 81 points");
        assert!(!resigns(&Game::new(9, Rules::CHINESE), &[], &turns), "the first move");
        let hope = report(0.4, -20.0, 0.0);
        let broken = [lost.clone(), lost.clone(), hope, lost.clone(), lost];
        assert!(!resigns(&game, &[], &broken), "not in a row");
    }

    #[test]
    fn a_step_of_dynamic_komi_does_not_count() {
        let game = late_game();
        let with = |extra| report(0.02, -20.0, extra);
        assert!(!resigns(&game, &[], &[with(0.0), with(5.0), with(10.0), with(15.0)]));
        assert!(resigns(&game, &[], &[with(5.0), with(10.0), with(10.0), with(10.0)]));
    }
}
