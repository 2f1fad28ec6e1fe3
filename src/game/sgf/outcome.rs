//! Results of games: `B+R`, `W+3.5`, `0`, `Void`.

use crate::types::Color;
use std::fmt;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Outcome {
    /// Somebody won.
    Win(Color, Margin),
    /// A drawn game (jigo).
    Draw,
    /// No result, or suspended play.
    Void,
    /// Not given or not understood.
    #[default]
    Unknown,
}

/// How a game was won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Margin {
    /// By so many points.
    Points(f32),
    /// The opponent resigned.
    Resign,
    /// The opponent ran out of time.
    Time,
    /// The opponent forfeited.
    Forfeit,
    /// Not given or not understood.
    Unknown,
}

impl Outcome {
    /// Understands the value of `RE`. Long words (`B+Resign`) and any case are read too.
    pub fn parse(text: &[u8]) -> Outcome {
        let text = text.trim_ascii();
        let is = |name: &str| text.eq_ignore_ascii_case(name.as_bytes());
        if is("0") || is("draw") || is("jigo") {
            return Outcome::Draw;
        }
        if is("void") {
            return Outcome::Void;
        }
        let winner = match text.first() {
            Some(b'B' | b'b') => Color::Black,
            Some(b'W' | b'w') => Color::White,
            _ => return Outcome::Unknown,
        };
        match text.get(1..) {
            Some([b'+', margin @ ..]) => match Margin::parse(margin.trim_ascii()) {
                Margin::Points(0.0) => Outcome::Draw,
                margin => Outcome::Win(winner, margin),
            },
            _ => Outcome::Unknown,
        }
    }

    /// Who won, if anybody did.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win(winner, _) => Some(winner),
            _ => None,
        }
    }
}

impl Margin {
    fn parse(text: &[u8]) -> Margin {
        match text.first() {
            Some(b'R' | b'r') => Margin::Resign,
            Some(b'T' | b't') => Margin::Time,
            Some(b'F' | b'f') => Margin::Forfeit,
            Some(b'0'..=b'9' | b'.') => std::str::from_utf8(text)
                .ok()
                .and_then(|text| text.parse().ok())
                .filter(|points: &f32| points.is_finite())
                .map_or(Margin::Unknown, Margin::Points),
            _ => Margin::Unknown,
        }
    }
}

/// The text SGF prescribes.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (winner, margin) = match *self {
            Outcome::Win(winner, margin) => (winner.letter(), margin),
            Outcome::Draw => return f.write_str("0"),
            Outcome::Void => return f.write_str("Void"),
            Outcome::Unknown => return f.write_str("?"),
        };
        match margin {
            Margin::Points(points) => write!(f, "{winner}+{points}"),
            Margin::Resign => write!(f, "{winner}+R"),
            Margin::Time => write!(f, "{winner}+T"),
            Margin::Forfeit => write!(f, "{winner}+F"),
            Margin::Unknown => write!(f, "{winner}+"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn results_are_understood_in_the_ways_they_are_written() {
        let cases = [
            ("B+R", Outcome::Win(Black, Margin::Resign), "B+R"),
            ("W+Resign", Outcome::Win(White, Margin::Resign), "W+R"),
            (" w+T ", Outcome::Win(White, Margin::Time), "W+T"),
            ("B+Forfeit", Outcome::Win(Black, Margin::Forfeit), "B+F"),
            ("W+3.5", Outcome::Win(White, Margin::Points(3.5)), "W+3.5"),
            ("B+12", Outcome::Win(Black, Margin::Points(12.0)), "B+12"),
            ("B+", Outcome::Win(Black, Margin::Unknown), "B+"),
            ("W+many", Outcome::Win(White, Margin::Unknown), "W+"),
            ("B+1e99", Outcome::Win(Black, Margin::Unknown), "B+"),
            ("0", Outcome::Draw, "0"),
            ("Draw", Outcome::Draw, "0"),
            ("W+0", Outcome::Draw, "0"),
            ("void", Outcome::Void, "Void"),
            ("?", Outcome::Unknown, "?"),
            ("", Outcome::Unknown, "?"),
            ("Black wins", Outcome::Unknown, "?"),
        ];
        for (text, outcome, written) in cases {
            assert_eq!(Outcome::parse(text.as_bytes()), outcome, "{text}");
            assert_eq!(outcome.to_string(), written);
            assert_eq!(Outcome::parse(written.as_bytes()), outcome, "{written}");
        }
        assert_eq!(Outcome::parse(b"W+F").winner(), Some(White));
        assert_eq!(Outcome::Draw.winner(), None);
    }
}
