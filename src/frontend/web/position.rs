//! Games as the page sends them.
//!
//! The page keeps the game with its variations; the server is told the way to one position and keeps nothing. So a
//! reload, a second tab or a restarted server lose no game.

use super::http::Refusal;
use crate::game::sgf::{Action, Record, Setup};
use crate::game::{Game, Rules, UnknownRules};
use crate::types::{Color, MAX_SIZE, MIN_SIZE, Move, Point};
use serde::Deserialize;

/// Most moves of a game.
const MAX_MOVES: usize = 2000;
/// Komi beyond this decides every game.
const MAX_KOMI: f32 = 1000.0;

/// A game on its way to one position.
#[derive(Clone, Deserialize, Debug)]
pub struct GameText {
    size: usize,
    komi: f32,
    rules: String,
    #[serde(default)]
    handicap: usize,
    /// Black's stones before the first move.
    #[serde(default)]
    black: Vec<String>,
    /// White's stones before the first move.
    #[serde(default)]
    white: Vec<String>,
    /// Who plays first, `b` or `w`.
    first: Option<String>,
    /// `B E5`, `W pass`.
    moves: Vec<String>,
    /// The players' names and the result, for a review.
    #[serde(default)]
    black_name: String,
    #[serde(default)]
    white_name: String,
    #[serde(default)]
    result: String,
}

impl GameText {
    /// The game as a record.
    pub fn record(&self) -> Result<Record, Refusal> {
        let size = self.size;
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(Refusal::bad(format!(
                "boards are {MIN_SIZE}x{MIN_SIZE} to {MAX_SIZE}x{MAX_SIZE}"
            )));
        }
        if !self.komi.is_finite() || self.komi.abs() > MAX_KOMI {
            return Err(Refusal::bad("the komi is no sensible number"));
        }
        if self.moves.len() > MAX_MOVES || self.black.len() + self.white.len() > size * size {
            return Err(Refusal::bad(format!("a game has at most {MAX_MOVES} moves")));
        }
        let wrong = |error: crate::types::ParseError| Refusal::bad(error.to_string());
        let mut record = Record::new(size);
        record.komi = Some(self.komi);
        record.rules = Some(self.rules.clone());
        record.handicap = self.handicap;
        for (stones, color) in [(&self.black, Color::Black), (&self.white, Color::White)] {
            for text in stones {
                let point = Point::parse_gtp(text, size).map_err(wrong)?;
                record.setup.push(Setup { point, stone: Some(color) });
            }
        }
        let first = |text: &String| {
            Color::parse_gtp(text).ok_or_else(|| Refusal::bad("the first player is b or w"))
        };
        record.first_player = self.first.as_ref().map(first).transpose()?;
        for text in &self.moves {
            let play = Move::parse_gtp(text, size).map_err(wrong)?;
            record.first_player.get_or_insert(play.color);
            record.push_move(play);
        }
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        record.black_name = text(&self.black_name);
        record.white_name = text(&self.white_name);
        record.result = text(&self.result);
        Ok(record)
    }

    /// The rules.
    pub fn rules(&self) -> Result<Rules, Refusal> {
        self.rules.parse().map_err(|error: UnknownRules| Refusal::bad(error.to_string()))
    }

    /// The game, played to its position. The last move must be legal in every respect; earlier ones are history,
    /// which may repeat positions.
    pub fn game(&self) -> Result<Game, Refusal> {
        let mut record = self.record()?;
        let last = record.steps.pop().map(|step| step.action);
        let impossible = |error: &dyn std::fmt::Display| Refusal::new(409, error.to_string());
        let mut game =
            Game::from_record(&record, self.rules()?, None).map_err(|error| impossible(&error))?;
        if let Some(Action::Play(play)) = last {
            game.play(play).map_err(|error| impossible(&error))?;
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(json: &str) -> Result<Game, Refusal> {
        serde_json::from_str::<GameText>(json).unwrap().game()
    }

    #[test]
    fn a_game_is_played_to_its_position() {
        let found = game(
            r#"{"size":9,"komi":6.5,"rules":"chinese","handicap":2,"black":["G7","C3"],
                "moves":["W E5","B E4"]}"#,
        )
        .unwrap();
        assert_eq!((found.size(), found.komi(), found.handicap()), (9, 6.5, 2));
        assert_eq!(found.moves().len(), 2);
        assert_eq!(found.board().to_play(), Color::White);
        let empty = game(r#"{"size":9,"komi":0.5,"rules":"japanese","first":"w","moves":[]}"#);
        assert_eq!(empty.unwrap().board().to_play(), Color::White);
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_sentence() {
        for (fields, status) in [
            (r#""size":1,"komi":0,"rules":"chinese","moves":[]"#, 400),
            (r#""size":99,"komi":0,"rules":"chinese","moves":[]"#, 400),
            (r#""size":9,"komi":1e9,"rules":"chinese","moves":[]"#, 400),
            (r#""size":9,"komi":0,"rules":"chess","moves":[]"#, 400),
            (r#""size":9,"komi":0,"rules":"chinese","moves":["B Z1"]"#, 400),
            (r#""size":9,"komi":0,"rules":"chinese","first":"x","moves":[]"#, 400),
            (r#""size":9,"komi":0,"rules":"chinese","moves":["B E5","W E5"]"#, 409),
            (r#""size":9,"komi":0,"rules":"chinese","black":["E5","E5"],"moves":[]"#, 409),
        ] {
            let refusal = game(&format!("{{{fields}}}")).unwrap_err();
            assert_eq!(refusal.status, status, "{fields}: {}", refusal.sentence);
        }
    }

    #[test]
    fn only_the_last_move_is_held_to_superko() {
        let ko = r#""B B3","W C3","B A2","W D2","B B1","W C1","B C2","W B2""#;
        let text =
            |more: &str| format!(r#"{{"size":5,"komi":0,"rules":"chinese","moves":[{ko}{more}]}}"#);
        assert!(game(&text("")).is_ok());
        let refusal = game(&text(r#","B C2""#)).unwrap_err();
        assert!(refusal.sentence.contains("ko"), "{}", refusal.sentence);
    }
}
