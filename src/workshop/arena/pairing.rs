//! Who plays whom from which position: game number n of a match, the same whenever it is asked.
//!
//! Games come in pairs: an opening is played twice, with colours exchanged, so that an opening that
//! favours one side favours nobody. Everything about a game (opening, colours, seeds) follows from
//! the match's seed and the number of the game. A match that was killed can therefore go on, and
//! any number of games at once gives the same games.

use crate::game::{Game, Rules};
use crate::types::{Color, Move, Point, Rng};
use anyhow::{Result, anyhow, ensure};
use clap::ValueEnum;

/// Who plays Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colors {
    /// Program A in even games (from 0), program B in odd ones.
    Alternate,
    /// Always program A.
    ABlack,
    /// Always program B.
    BBlack,
}

/// Moves from which a game starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Opening {
    /// Where it comes from, for the record.
    pub name: String,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Reads openings written as GTP moves. A line is an opening: `B D4 W F6`, or `D4 F6` with colours
/// in turn. Lines `play b D4` belong to one opening until a blank line or `clear_board`. `#` starts
/// a comment.
pub fn parse_gtp_openings(text: &str, size: usize, first: Color) -> Result<Vec<Opening>> {
    let mut openings: Vec<Opening> = Vec::new();
    let mut in_commands = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = line.split([' ', '\t', ',', ';', '\r']).collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let name = format!("opening in line {}", index + 1);
        let command = words.first().is_some_and(|word| word.eq_ignore_ascii_case("play"));
        match words[..] {
            [] => in_commands = false,
            ["clear_board" | "boardsize" | "komi", ..] => in_commands = false,
            _ if command && in_commands => {
                if let Some(opening) = openings.last_mut() {
                    parse_moves(&words[1..], size, &name, opening, first)?;
                }
            }
            _ => {
                let mut opening = Opening { name: name.clone(), moves: Vec::new() };
                parse_moves(&words[usize::from(command)..], size, &name, &mut opening, first)?;
                openings.push(opening);
                in_commands = command;
            }
        }
    }
    Ok(openings)
}

fn parse_moves(
    words: &[&str],
    size: usize,
    name: &str,
    opening: &mut Opening,
    first: Color,
) -> Result<()> {
    let mut color = opening.moves.last().map_or(first, |play| play.color.opponent());
    for word in words {
        if let Some(named) = Color::parse_gtp(word) {
            color = named;
            continue;
        }
        let point = Point::parse_gtp(word, size).map_err(|error| anyhow!("{name}: {error}"))?;
        opening.moves.push(Move::new(color, point));
        color = color.opponent();
    }
    Ok(())
}

/// One game of a match, before it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub game: u32,
    /// Does program A play White?
    pub swapped: bool,
    /// The opening.
    pub opening: Opening,
    /// Seeds of A and B.
    pub seeds: [u32; 2],
}

impl Fixture {
    /// The index (A 0, B 1) of the program that plays this colour.
    pub fn side(&self, color: Color) -> usize {
        usize::from((color == Color::Black) == self.swapped)
    }

    /// The colour of program A (0) or B (1).
    pub fn color(&self, side: usize) -> Color {
        if (side == 0) == self.swapped { Color::White } else { Color::Black }
    }
}

/// All games of a match.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// Points per side.
    pub size: usize,
    /// Rules, for the legality of random moves.
    pub rules: Rules,
    /// Black's stones before the first move.
    pub handicap: Vec<Point>,
    /// Openings, used one after another; none means the empty board.
    pub openings: Vec<Opening>,
    /// Random moves after the opening.
    pub random_plies: usize,
    /// Seed of the match.
    pub seed: u64,
    /// Who plays Black.
    pub colors: Colors,
}

impl Pairing {
    /// The board before the opening.
    pub fn start(&self) -> Game {
        let mut game = Game::new(self.size, self.rules);
        if !self.handicap.is_empty() {
            // The points come from `game::fixed_handicap`, which names no point twice.
            let _ = game.place_handicap(&self.handicap);
        }
        game
    }

    /// Are all openings legal?
    pub fn check(&self) -> Result<()> {
        for Opening { name, moves } in &self.openings {
            let mut game = self.start();
            for (index, &play) in moves.iter().enumerate() {
                game.play(play).map_err(|error| {
                    let (number, play) = (index + 1, play.to_gtp());
                    anyhow!("{name}: move {number}, {play}, is illegal: {error}")
                })?;
            }
            ensure!(!game.is_over(), "{name}: the game is over after these moves");
        }
        Ok(())
    }

    /// Game number `game`.
    pub fn fixture(&self, game: u32) -> Fixture {
        let (pair, swapped) = match self.colors {
            Colors::Alternate => (game / 2, game % 2 == 1),
            Colors::ABlack => (game, false),
            Colors::BBlack => (game, true),
        };
        let mut opening = match self.openings.len() {
            0 => Opening::default(),
            count => self.openings[pair as usize % count].clone(),
        };
        if self.random_plies > 0 {
            self.add_random_plies(&mut opening, pair);
        }
        let seed = |side: u64| (self.rng(2 * u64::from(game) + side + 1).bits() >> 33) as u32;
        Fixture { game, swapped, opening, seeds: [seed(0), seed(1)] }
    }

    /// An independent stream of numbers for each purpose.
    fn rng(&self, purpose: u64) -> Rng {
        // Two rounds, so that neighbouring seeds and purposes share nothing.
        let mixed = Rng::new(self.seed).bits() ^ purpose.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Rng::new(mixed)
    }

    /// Uniformly random legal moves that fill no eye.
    fn add_random_plies(&self, opening: &mut Opening, pair: u32) {
        let mut rng = self.rng(1 << 40 | u64::from(pair));
        let mut game = self.start();
        for &play in &opening.moves {
            let _ = game.play(play); // checked when the match began
        }
        for _ in 0..self.random_plies {
            let color = game.board().to_play();
            let mut points: Vec<Point> = game.board().empty_points().to_vec();
            points.sort_unstable();
            rng.shuffle(&mut points);
            let play = points
                .into_iter()
                .filter(|&point| !game.board().is_eye(color, point))
                .map(|point| Move::new(color, point))
                .find(|&play| game.is_legal(play));
            let Some(play) = play else { break };
            let _ = game.play(play);
            opening.moves.push(play);
        }
        if !opening.name.is_empty() {
            opening.name += ", ";
        }
        opening.name += &format!("{} random moves of pair {pair}", self.random_plies);
    }
}

#[cfg(test)]
impl Pairing {
    /// Even games on 9x9 with nothing played before, for tests.
    pub(super) fn plain() -> Pairing {
        Pairing {
            size: 9,
            rules: Rules::default(),
            handicap: vec![],
            openings: vec![],
            random_plies: 0,
            seed: 1,
            colors: Colors::Alternate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn gtp(opening: &Opening) -> String {
        opening.moves.iter().map(|play| play.to_gtp()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn openings_are_read_in_all_forms() {
        let text = "# a comment\nB D4 W f6\nd4 F6 g3 # another\n\nplay black D4\nplay w F6\n\n\
                    play b E5\nclear_board\nplay b E4\r\nw C3 W D3\n";
        let openings = parse_gtp_openings(text, 9, Color::Black).unwrap();
        let moves: Vec<String> = openings.iter().map(gtp).collect();
        assert_eq!(
            moves,
            ["B D4 W F6", "B D4 W F6 B G3", "B D4 W F6", "B E5", "B E4", "W C3 W D3"]
        );
        assert_eq!(openings[1].name, "opening in line 3");
        let handicap = parse_gtp_openings("D4 F6", 9, Color::White).unwrap();
        assert_eq!(gtp(&handicap[0]), "W D4 B F6");
        let error = parse_gtp_openings("D4\nD4 K10", 9, Color::Black).unwrap_err();
        assert_eq!(error.to_string(), "opening in line 2: 'K10' is outside the 9x9 board");
        assert!(parse_gtp_openings("hello", 9, Color::Black).is_err());
    }

    #[test]
    fn openings_are_played_twice_with_colours_exchanged() {
        let openings = parse_gtp_openings("D4\nE5\nF6", 9, Color::Black).unwrap();
        let pairing = Pairing { openings, ..Pairing::plain() };
        let games: Vec<Fixture> = (0..8).map(|game| pairing.fixture(game)).collect();
        let moves: Vec<String> = games.iter().map(|game| gtp(&game.opening)).collect();
        assert_eq!(moves, ["B D4", "B D4", "B E5", "B E5", "B F6", "B F6", "B D4", "B D4"]);
        assert!(games.iter().all(|game| game.swapped == (game.game % 2 == 1)));
        assert_eq!((games[0].side(Color::Black), games[0].side(Color::White)), (0, 1));
        assert_eq!((games[1].side(Color::Black), games[1].side(Color::White)), (1, 0));
        for game in &games {
            assert!([0, 1].iter().all(|&side| game.side(game.color(side)) == side));
        }
        let fixed = Pairing { colors: Colors::BBlack, ..pairing };
        assert_eq!(gtp(&fixed.fixture(1).opening), "B E5");
        assert!(fixed.fixture(0).swapped && fixed.fixture(1).swapped);
    }

    #[test]
    fn random_plies_and_seeds_are_fixed_by_the_seed() {
        let random = Pairing { random_plies: 6, ..Pairing::plain() };
        assert_eq!(random.fixture(4), random.fixture(4));
        assert_eq!(random.fixture(4).opening, random.fixture(5).opening);
        assert_ne!(random.fixture(4).opening, random.fixture(6).opening);
        let other = Pairing { seed: 2, ..random.clone() };
        assert_ne!(random.fixture(4).opening, other.fixture(4).opening);
        let seeds: HashSet<u32> = (0..500).flat_map(|game| random.fixture(game).seeds).collect();
        assert_eq!(seeds.len(), 1000);
        for game in 0..200 {
            let opening = random.fixture(game).opening;
            assert_eq!(opening.moves.len(), 6);
            let mut replay = Game::new(9, Rules::default());
            assert!(opening.moves.iter().all(|&play| replay.play(play).is_ok()));
        }
        // A board that is too small for so many moves does no harm.
        let small = Pairing { size: 2, random_plies: 50, ..Pairing::plain() };
        assert!(small.fixture(0).opening.moves.len() < 50);
    }

    #[test]
    fn illegal_openings_are_found() {
        let check = |text: &str| {
            let openings = parse_gtp_openings(text, 9, Color::Black).unwrap();
            Pairing { openings, ..Pairing::plain() }.check().map_err(|error| error.to_string())
        };
        assert_eq!(check("D4 E5"), Ok(()));
        assert_eq!(
            check("D4\nE5 E5"),
            Err("opening in line 2: move 2, W E5, is illegal: the point is occupied".to_owned())
        );
        assert_eq!(
            check("E5 pass pass"),
            Err("opening in line 1: the game is over after these moves".to_owned())
        );
    }

    #[test]
    fn handicap_gives_white_the_first_move() {
        let handicap = crate::game::fixed_handicap(9, 2).unwrap();
        let pairing = Pairing { handicap, random_plies: 2, ..Pairing::plain() };
        let moves = pairing.fixture(0).opening.moves;
        assert_eq!([moves[0].color, moves[1].color], [Color::White, Color::Black]);
        assert_eq!(pairing.start().handicap(), 2);
    }
}
