//! How a game ended: results as text.

use crate::game::sgf::{Margin, Outcome};
use crate::types::Color;
use crate::workshop::tools::fault::{Fault, FaultKind};
use std::fmt;

/// A result as `final_score` answers it: `B+3.5`, `W+R`, `W+T`, `B+F`, `0`. Unlike [`Outcome`], which makes the best of
/// what records hold, it is one or it is not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameResult {
    /// Who won; nobody in a drawn game.
    pub winner: Option<Color>,
    /// By how much.
    pub margin: Margin,
}

impl GameResult {
    /// A win.
    pub fn win(winner: Color, margin: Margin) -> GameResult {
        GameResult { winner: Some(winner), margin }
    }

    /// A score in points from Black's side.
    pub fn of_points(points: f32) -> GameResult {
        let winner = match points {
            p if p > 0.0 => Some(Color::Black),
            p if p < 0.0 => Some(Color::White),
            _ => None,
        };
        GameResult { winner, margin: Margin::Points(points.abs()) }
    }

    /// The result of a game that this colour lost by a fault.
    pub fn of_fault(fault: &Fault, at_fault: Color) -> GameResult {
        let margin = match fault.kind {
            FaultKind::Time => Margin::Time,
            _ => Margin::Forfeit,
        };
        GameResult::win(at_fault.opponent(), margin)
    }

    /// Reads a result; `None` for `?`, `Void` and text that is no result.
    pub fn parse(text: &str) -> Option<GameResult> {
        let text = text.trim();
        if ["0", "draw", "jigo"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Some(GameResult { winner: None, margin: Margin::Points(0.0) });
        }
        let (winner, margin) = text.split_once('+')?;
        let winner = Color::parse_gtp(winner)?;
        let margin = match margin.to_ascii_lowercase().as_str() {
            "r" | "resign" => Margin::Resign,
            "t" | "time" => Margin::Time,
            "f" | "forfeit" => Margin::Forfeit,
            "" | "?" => Margin::Unknown,
            number => match number.parse::<f32>() {
                Ok(0.0) => return Some(GameResult::of_points(0.0)),
                Ok(points) if points.is_finite() && points > 0.0 => Margin::Points(points),
                _ => return None,
            },
        };
        Some(GameResult::win(winner, margin))
    }

    /// The result with the colours exchanged.
    pub fn swapped(self) -> GameResult {
        GameResult { winner: self.winner.map(Color::opponent), ..self }
    }

    /// 1 if this colour won, 0 if it lost, 1/2 if nobody did.
    pub fn score(self, color: Color) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == color)),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let outcome = self.winner.map_or(Outcome::Draw, |winner| Outcome::Win(winner, self.margin));
        outcome.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_written() {
        for text in ["B+3.5", "W+2", "B+R", "W+T", "B+F", "0", "W+"] {
            assert_eq!(GameResult::parse(text).unwrap().to_string(), text);
        }
        let parse = |text| GameResult::parse(text).map(|result| result.to_string());
        assert_eq!(parse("B+3.50").as_deref(), Some("B+3.5"));
        assert_eq!(parse(" w+Resign\n").as_deref(), Some("W+R"));
        assert_eq!(parse("White+12.0").as_deref(), Some("W+12"));
        assert_eq!(parse("B+0").as_deref(), Some("0"));
        assert_eq!(parse("Jigo").as_deref(), Some("0"));
        for text in ["?", "", "Void", "B", "B+inf", "B+-3", "X+3", "B+3x", "cannot score"] {
            assert_eq!(GameResult::parse(text), None, "{text}");
        }
        let win = GameResult::parse("B+3").unwrap();
        assert_eq!(win.swapped().to_string(), "W+3");
        assert_eq!((win.score(Color::Black), win.score(Color::White)), (1.0, 0.0));
        assert_eq!(GameResult::of_points(0.0).score(Color::White), 0.5);
    }

    #[test]
    fn faults_lose_games() {
        let result = |kind, color| GameResult::of_fault(&Fault::new(kind, ""), color).to_string();
        assert_eq!(result(FaultKind::Time, Color::Black), "W+T");
        assert_eq!(result(FaultKind::Crash, Color::White), "B+F");
    }
}
