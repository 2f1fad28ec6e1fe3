//! Dynamic komi: the search plays for more or fewer points than needed, so that good and bad moves
//! still make a difference when the game is nearly won or lost (Baudis' slides, "Black in
//! Handicap"). The extra komi is counted from Black's side: positive makes it harder for Black.
//!
//! The situational komi of a player goes on from move to move. It began at 0 in every search at
//! first, and with a few hundred playouts a move never got further than two steps; in a 13x13 game
//! with four stones and 250 playouts it now takes a dozen moves to 25 points by steps of one, and
//! three by average-score steps.

use crate::game::Game;
use crate::params::{DynamicKomi, KomiParams};
use crate::types::Color;

/// The extra komi of a search, adjusted as results come in.
#[derive(Clone, Debug)]
pub(super) struct ExtraKomi {
    params: KomiParams,
    color: Color,
    extra: f32,
    /// Once the komi had to be given back at this value, it does not rise there again.
    ceiling: f32,
}

impl ExtraKomi {
    /// The extra komi at the start of a search.
    pub(super) fn new(params: &KomiParams, game: &Game) -> ExtraKomi {
        let mut komi = ExtraKomi {
            params: params.clone(),
            color: game.board().to_play(),
            extra: 0.0,
            ceiling: f32::INFINITY,
        };
        komi.follow(game);
        komi
    }

    /// Goes on to a later position of the same game with the same player to move. `situational`
    /// keeps its value: a search of a few hundred playouts has time for a step or two only, and the
    /// tree that is kept was counted at this komi.
    pub(super) fn follow(&mut self, game: &Game) {
        if self.params.dynamic == DynamicKomi::Linear {
            self.extra = linear(&self.params, game);
        }
    }

    /// Points that Black must win by in addition.
    pub(super) fn value(&self) -> f32 {
        self.extra
    }

    /// Takes over the value of another search.
    pub(super) fn adopt(&mut self, extra: f32) {
        self.extra = extra;
    }

    /// Does it follow the results of the search?
    pub(super) fn is_situational(&self) -> bool {
        self.params.dynamic == DynamicKomi::Situational
    }

    /// Looks at the win rate (at the shifted komi) and mean score (at the true komi) of the player
    /// to move since the last look; true if the komi changed.
    pub(super) fn adjust(&mut self, winrate: f64, score: f64) -> bool {
        if !self.is_situational() {
            return false;
        }
        let sign = self.color.sign() as f32;
        let mut burden = self.extra * sign; // how many points more the player must win by
        if winrate > self.params.high {
            burden += self.step(score - f64::from(burden));
            burden = burden.min(self.ceiling);
        } else if winrate < self.params.low {
            if self.params.ratchet && burden > 0.0 {
                self.ceiling = burden - 1.0;
            }
            burden -= self.step(f64::from(burden) - score);
        } else {
            return false;
        }
        let changed = burden * sign != self.extra;
        self.extra = burden * sign;
        changed
    }

    fn step(&self, lead: f64) -> f32 {
        match self.params.step {
            0.0 => (lead.abs() / 2.0).clamp(0.5, 15.0).round() as f32,
            step => step as f32,
        }
    }
}

/// K = c H (1 - m / M) for the first M moves.
fn linear(params: &KomiParams, game: &Game) -> f32 {
    let (moves, fade) = (game.moves().len() as f64, params.fade as f64);
    let left = (1.0 - moves / fade).max(0.0);
    (params.per_stone * game.handicap() as f64 * left).round() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, fixed_handicap};
    use crate::params::Params;

    fn komi(settings: &[(&str, &str)], game: &Game) -> ExtraKomi {
        let mut params = Params::for_size(game.size());
        for (name, value) in settings {
            params.set(name, value).unwrap();
        }
        ExtraKomi::new(&params.komi, game)
    }

    #[test]
    fn linear_komi_fades_with_the_game() {
        let mut game = Game::new(19, Rules::CHINESE);
        game.place_handicap(&fixed_handicap(19, 4).unwrap()).unwrap();
        let settings = [("komi.dynamic", "linear")];
        assert_eq!(komi(&settings, &game).value(), 32.0);
        for _ in 0..50 {
            for color in [Color::White, Color::Black] {
                game.play(crate::types::Move::new(color, crate::types::Point::PASS)).unwrap();
            }
        }
        assert_eq!(komi(&settings, &game).value(), 16.0);
        assert_eq!(komi(&[("komi.dynamic", "off")], &game).value(), 0.0);
    }

    #[test]
    fn situational_komi_keeps_the_band_and_the_ratchet() {
        let game = Game::new(9, Rules::CHINESE);
        let settings =
            [("komi.dynamic", "situational"), ("komi.step", "2"), ("komi.ratchet", "true")];
        let mut extra = komi(&settings, &game);
        assert!(!extra.adjust(0.45, 3.0), "inside the band");
        assert!(extra.adjust(0.9, 10.0) && extra.adjust(0.9, 10.0));
        assert_eq!(extra.value(), 4.0, "Black is ahead and has to win by more");
        assert!(extra.adjust(0.2, 1.0));
        assert_eq!(extra.value(), 2.0);
        assert!(extra.adjust(0.9, 10.0) && !extra.adjust(0.9, 10.0));
        assert_eq!(extra.value(), 3.0, "the ratchet holds below 4");
    }

    #[test]
    fn average_score_steps_are_half_the_lead() {
        let game = Game::new(9, Rules::CHINESE);
        let mut extra = komi(&[("komi.dynamic", "situational"), ("komi.step", "0")], &game);
        extra.adjust(0.95, 12.0);
        assert_eq!(extra.value(), 6.0);
    }
}
