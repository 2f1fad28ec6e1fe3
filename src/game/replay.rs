//! Between a game and its record.
//!
//! A record is history: a move that repeats a position was allowed by whoever let it be played, so
//! superko is not checked while a record is replayed, only the rules that the board itself knows.
//! The positions of the replayed moves count for superko afterwards.
//!
//! Setup in the middle of a game starts it anew from the changed position: the moves before it
//! cannot be taken back.

use super::sgf::{Action, Record, Setup};
use super::{Game, KoRule, PlayError, Rules, SetupError, fixed_handicap};
use crate::types::{Cell, Color, Move, Point, points};
use thiserror::Error;

/// Why a record cannot be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The setup stones make no position.
    #[error("setup before move {before_move}: {source}")]
    Setup {
        /// The move that would have come next, from 1.
        before_move: usize,
        /// What is wrong with the stones.
        source: SetupError,
    },
    /// A move is not possible.
    #[error("move {number} ({} {}): {source}", play.color, play.point)]
    Play {
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        play: Move,
        /// Why it is not possible.
        source: PlayError,
    },
    /// Whoever asked for it does not want it any more.
    #[error("interrupted")]
    Interrupted,
}

/// Steps between two looks at whether to go on.
const LOOK_EVERY: usize = 256;

impl Record {
    /// The rule set that the record names, if it is a known one.
    pub fn rule_set(&self) -> Option<Rules> {
        match self.rules.as_deref()? {
            "GOE" => Rules::parse("ing"), // SGF's word for Ing's rules
            name => Rules::parse(name),
        }
    }
}

impl Game {
    /// Replays a record under these rules, up to the position before move `before_move` (counted
    /// from 1) as in GTP's `loadsgf`, or to its end.
    ///
    /// Komi is the record's or, if it has none, the usual one. A handicap without stones is placed
    /// on the fixed points when White makes the first move. Where a next move is recorded, its
    /// colour is on turn.
    pub fn from_record(
        record: &Record,
        rules: Rules,
        before_move: Option<usize>,
    ) -> Result<Game, ReplayError> {
        Game::replay(record, rules, before_move, &|| true)
    }

    /// The same, as long as `go_on` says so.
    pub fn replay(
        record: &Record,
        rules: Rules,
        before_move: Option<usize>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Game, ReplayError> {
        let free_repetition = Rules { ko: KoRule::Simple, ..rules };
        let mut game = Game::new(record.size, free_repetition);
        game.komi = record.komi.unwrap_or(rules.usual_komi(record.size));
        let fixed = record.fixed_handicap_points();
        let stones: Vec<Move> = record
            .setup
            .iter()
            .filter_map(|setup| setup.stone.map(|color| Move::new(color, setup.point)))
            .chain(fixed.into_iter().map(|point| Move::new(Color::Black, point)))
            .collect();
        game.set_up(&stones, record.to_play())
            .map_err(|source| ReplayError::Setup { before_move: 1, source })?;
        // What the file counts and does not show is no handicap, and one stone is only Black's move.
        let black = stones.iter().filter(|stone| stone.color == Color::Black).count();
        game.handicap = if black >= 2 { record.handicap.min(black) } else { 0 };

        let mut number = 1;
        let last = before_move.unwrap_or(usize::MAX);
        for (index, step) in record.steps.iter().enumerate() {
            if index.is_multiple_of(LOOK_EVERY) && !go_on() {
                return Err(ReplayError::Interrupted);
            }
            match &step.action {
                Action::Play(play) if number >= last => {
                    game.set_to_play(play.color);
                    break;
                }
                &Action::Play(play) => {
                    game.play(play).map_err(|source| ReplayError::Play { number, play, source })?;
                    number += 1;
                }
                Action::Setup { stones, to_play } => {
                    let to_play = to_play.unwrap_or(game.board.to_play());
                    game.change_stones(stones, to_play)
                        .map_err(|source| ReplayError::Setup { before_move: number, source })?;
                }
            }
        }
        game.set_rules(rules);
        Ok(game)
    }

    /// The record of the game so far.
    pub fn to_record(&self) -> Record {
        let mut record = Record::new(self.size());
        record.komi = Some(self.komi);
        record.rules = sgf_rules_name(self.rules).map(str::to_owned);
        record.handicap = self.handicap();
        record.setup = points(self.size())
            .filter_map(|point| self.start.cell(point).color().map(|color| (point, color)))
            .map(|(point, color)| Setup { point, stone: Some(color) })
            .collect();
        for &play in &self.moves {
            record.push_move(play);
        }
        if record.to_play() != self.start.to_play() {
            record.first_player = Some(self.start.to_play());
        }
        record
    }

    /// Goes on from the present position with some stones changed.
    fn change_stones(&mut self, changes: &[Setup], to_play: Color) -> Result<(), SetupError> {
        let stone_at = |point: Point| match changes.iter().find(|change| change.point == point) {
            Some(change) => change.stone.map_or(Cell::Empty, Cell::from),
            None => self.board.cell(point),
        };
        let stones: Vec<Move> = points(self.size())
            .filter_map(|point| stone_at(point).color().map(|color| Move::new(color, point)))
            .collect();
        let mut game = Game::new(self.size(), self.rules);
        game.komi = self.komi;
        game.handicap = self.handicap;
        game.set_up(&stones, to_play)?;
        *self = game;
        Ok(())
    }
}

impl Record {
    /// The stones of a handicap that the record only counts. Black stones in the setup or Black's
    /// own first move show that they were placed otherwise.
    fn fixed_handicap_points(&self) -> Vec<Point> {
        if self.setup.is_empty() && self.to_play() == Color::White {
            fixed_handicap(self.size, self.handicap).unwrap_or_default()
        } else {
            Vec::new()
        }
    }
}

/// The names that the format prescribes for `RU`, and our own where it has none.
fn sgf_rules_name(rules: Rules) -> Option<&'static str> {
    match rules {
        Rules::CHINESE => Some("Chinese"),
        Rules::TROMP_TAYLOR => Some("Tromp-Taylor"),
        Rules::AGA => Some("AGA"),
        Rules::NEW_ZEALAND => Some("NZ"),
        Rules::JAPANESE => Some("Japanese"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rng;
    use std::cell::Cell as Counter;

    fn load(text: &str, before_move: Option<usize>) -> Result<Game, ReplayError> {
        Game::from_record(&Record::parse(text).unwrap(), Rules::CHINESE, before_move)
    }

    fn stones(game: &Game) -> String {
        let stone = |point| {
            let color = game.board().cell(point).color()?;
            Some(format!("{}{point}", color.letter()))
        };
        game.board().points().filter_map(stone).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn before_move_is_the_position_before_that_move() {
        let text = "(;SZ[9]KM[6.5];B[aa];W[ba];AB[ii];B[];B[cc])";
        for (before, expected, next) in [
            (Some(0), "", Color::Black),
            (Some(1), "", Color::Black),
            (Some(2), "BA9", Color::White),
            (Some(3), "BJ1 BA9 WB9", Color::Black),
            (Some(4), "BJ1 BA9 WB9", Color::Black),
            (Some(5), "BJ1 BC7 BA9 WB9", Color::White),
            (Some(99), "BJ1 BC7 BA9 WB9", Color::White),
            (None, "BJ1 BC7 BA9 WB9", Color::White),
        ] {
            let game = load(text, before).unwrap();
            assert_eq!(stones(&game), expected, "{before:?}");
            assert_eq!(game.board().to_play(), next, "{before:?}");
            assert_eq!((game.komi(), game.rules()), (6.5, Rules::CHINESE));
        }
        assert_eq!(load("(;SZ[9])", None).unwrap().komi(), 7.5);
    }

    #[test]
    fn setup_and_handicap() {
        let game = load("(;SZ[9]HA[2]AB[gc][cg];W[ee])", Some(1)).unwrap();
        assert_eq!((stones(&game).as_str(), game.handicap()), ("BC3 BG7", 2));
        assert_eq!(game.board().to_play(), Color::White);
        let game = load("(;SZ[9]HA[3])", None).unwrap();
        assert_eq!((stones(&game).as_str(), game.handicap()), ("BC3 BC7 BG7", 3));
        let game = load("(;SZ[9]HA[2];B[aa];B[bb];W[cc])", None).unwrap();
        assert_eq!((stones(&game).as_str(), game.handicap()), ("WC7 BB8 BA9", 2));
        // What is counted and does not stand there is no handicap.
        for (text, handicap) in [
            ("(;SZ[9]HA[80]AB[aa])", 0),
            ("(;SZ[9]HA[80]AB[aa][bb])", 2),
            ("(;SZ[9]HA[2]AB[aa][bb][cc]AW[dd])", 2),
            ("(;SZ[9]HA[80])", 0),
            ("(;SZ[9]HA[80];W[aa])", 0),
        ] {
            let game = Game::from_record(&Record::parse(text).unwrap(), Rules::AGA, None).unwrap();
            assert_eq!(game.handicap(), handicap, "{text}");
        }
        let game = load("(;SZ[9]AB[aa]AW[bb]PL[W])", None).unwrap();
        assert_eq!((stones(&game).as_str(), game.board().to_play()), ("WB8 BA9", Color::White));
        let game = load("(;SZ[9];B[aa];W[bb];AE[aa]AB[bb]PL[B])", None).unwrap();
        assert_eq!((stones(&game).as_str(), game.board().to_play()), ("BB8", Color::Black));
    }

    #[test]
    fn impossible_records_are_refused_with_the_move() {
        let error = load("(;SZ[9];B[aa];W[bb];B[aa])", None).unwrap_err();
        assert_eq!(error.to_string(), "move 3 (black A9): the point is occupied");
        assert!(load("(;SZ[9];B[aa];W[bb];B[aa])", Some(3)).is_ok());
        let error = load("(;SZ[5];B[ab];B[ba];W[aa])", None).unwrap_err();
        assert_eq!(error.to_string(), "move 3 (white A5): suicide is not allowed");
        let error = load("(;SZ[5]AB[ab][ba]AW[aa])", None).unwrap_err().to_string();
        assert!(error.starts_with("setup before move 1: the stone at "), "{error}");
        let error = load("(;SZ[5];B[ab];B[ba];AW[aa])", None).unwrap_err().to_string();
        assert!(error.starts_with("setup before move 3: the stone at "), "{error}");
    }

    #[test]
    fn a_long_record_can_be_interrupted() {
        let text = format!("(;SZ[9]{})", ";B[];W[]".repeat(50_000));
        let record = Record::parse(&text).unwrap();
        let asked = Counter::new(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            asked.get() < 5
        };
        let replayed = Game::replay(&record, Rules::CHINESE, None, &go_on);
        assert_eq!(replayed.unwrap_err(), ReplayError::Interrupted);
        assert_eq!(asked.get(), 5);
    }

    #[test]
    fn repetitions_in_a_record_are_history_but_forbidden_afterwards() {
        let mut rng = Rng::new(4);
        let mut repetitions = 0;
        for _ in 0..300 {
            // On 2x2 without superko positions repeat all the time.
            let mut game = Game::new(2, Rules::JAPANESE);
            for _ in 0..20 {
                let play = Move::new(
                    game.board().to_play(),
                    Point::new(1 + rng.below(2) as usize, 1 + rng.below(2) as usize),
                );
                let Ok(()) = game.play(play) else { continue };
                let record = game.to_record();
                let number = game.moves().len();
                let whole = Game::from_record(&record, Rules::CHINESE, None).unwrap();
                assert_eq!(whole.moves(), game.moves());
                let mut before = Game::from_record(&record, Rules::CHINESE, Some(number)).unwrap();
                let repeats =
                    game.situations[..number].iter().any(|s| s.stones == game.board.hash());
                let expected = if repeats { Err(PlayError::Superko) } else { Ok(()) };
                assert_eq!(before.play(play), expected);
                repetitions += usize::from(repeats);
            }
        }
        assert!(repetitions > 50, "{repetitions}");
    }

    /// Random legal moves and passes under a rule set.
    fn random_game(rng: &mut Rng, rules: Rules) -> Game {
        let size = 2 + rng.below(8) as usize;
        let mut game = Game::new(size, rules);
        game.set_komi(rng.below(20) as f32 / 2.0);
        if rng.below(2) == 0 && size >= 7 {
            let points = fixed_handicap(size, 2 + rng.below(3) as usize).unwrap();
            game.place_handicap(&points).unwrap();
        }
        for _ in 0..rng.below(120) {
            let color = game.board().to_play();
            let all: Vec<Point> = points(size).chain([Point::PASS]).collect();
            let point = all[rng.below(all.len() as u32) as usize];
            let _refused = game.play(Move::new(color, point));
        }
        game
    }

    #[test]
    fn games_survive_their_record() {
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let sets = [Rules::CHINESE, Rules::JAPANESE, Rules::AGA, Rules::TROMP_TAYLOR];
            let rules = sets[rng.below(4) as usize];
            let game = random_game(&mut rng, rules);
            let text = game.to_record().to_sgf();
            let record = Record::parse(&text).unwrap();
            assert_eq!(record.rule_set(), Some(rules), "{text}");
            let again = Game::from_record(&record, rules, None).unwrap();
            assert_eq!(again.moves(), game.moves(), "{text}");
            assert_eq!(again.situation(), game.situation(), "{text}");
            assert_eq!((again.komi(), again.handicap()), (game.komi(), game.handicap()));
            assert_eq!(again.start().to_play(), game.start().to_play(), "{text}");
            assert_eq!(stones(&again), stones(&game));
            assert_eq!(again.to_record(), record);
        }
    }
}
