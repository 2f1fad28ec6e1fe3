//! The signature: one number a configuration, and one for all, that change when play changes.
//!
//! Each line is a hash of what one configuration does with fixed seeds on one thread: the visits at the
//! root of a search, the moves and results of playouts, the engine's decision in positions where a game
//! ends, with the status of all stones. `tests/signature.txt` holds the expected lines, a test compares
//! them. A clean-up leaves them alone; a commit that changes play changes the file and names the sum.

use super::search::{of_playouts, run};
use crate::board::Diagram;
use crate::engine::{Choice, Engine};
use crate::game::{Game, Rules};
use crate::params::Overrides;
use crate::playout::{Limits, by_params};
use crate::search::{Interrupt, Search};
use crate::types::{Color, Move, Point, Rng, points};

/// Playouts of each search.
const SEARCH_PLAYOUTS: u64 = 1000;
/// Playouts of each policy from each position.
const PLAYOUTS: u64 = 50;
/// Playouts of each decision.
const DECISION_PLAYOUTS: u64 = 300;

/// A position: board size and moves, Black first.
type Line = (usize, &'static str);

const EMPTY_8: Line = (8, "");
const EMPTY_9: Line = (9, "");
const EMPTY_10: Line = (10, "");
const CORNER_9: Line = (9, "E5 E3 C4 G6 F4 F3 G4 G3 H4");
const MIDDLE_9: Line = (9, "C3 G7 G3 C7 D7 D8 E8 C8 E7 E2 F2 F3 G2 E3 C5 B5 B4 B6");
const OPENING_11: Line = (11, "D4 H8 H4 D8 F9 C6");
const OPENING_13: Line = (13, "D4 K10 K4 D10 F11 C8");
const OPENING_19: Line = (19, "Q16 D4 Q4 D16 F17 C14 R10 K3");
const FIGHT_19: Line = (
    19,
    "Q16 D4 Q4 D16 F17 C14 R10 K3 O3 F3 D10 D8 F10 C10 C11 C9 D11 G16 G17 H16 H17 J16 E15 D15 E14 D14 E13",
);

/// What a configuration does in one position.
enum Work {
    /// Searches: all visits at the root.
    Search(&'static [Line]),
    /// Plays out: every result and final position.
    Playouts(&'static [Line]),
    /// Decides and judges: the move, the pass or resignation, dead stones, sekis, the score.
    Decide(&'static [(&'static str, Color)]),
}

/// One line of the signature: its name, the parameters that are not default, what it does.
type Configuration = (&'static str, &'static [(&'static str, &'static str)], Work);

const CONFIGURATIONS: &[Configuration] = &[
    ("search 9x9", CLASSIC, Work::Search(&[EMPTY_9, CORNER_9, MIDDLE_9])),
    ("search 13x13", CLASSIC, Work::Search(&[OPENING_13])),
    ("search 19x19", CLASSIC, Work::Search(&[OPENING_19, FIGHT_19])),
    ("search without model 9x9", WITHOUT_MODEL, Work::Search(&[CORNER_9, MIDDLE_9])),
    ("search without model 19x19", WITHOUT_MODEL, Work::Search(&[OPENING_19])),
    ("search dynamic komi 13x13", SHIFTED_KOMI, Work::Search(&[OPENING_13])),
    ("playouts light", &[("playout.policy", "light")], Work::Playouts(&[MIDDLE_9, FIGHT_19])),
    ("playouts rules", &[("playout.policy", "rules")], Work::Playouts(&[MIDDLE_9, FIGHT_19])),
    ("playouts gamma", &[("playout.policy", "gamma")], Work::Playouts(&[MIDDLE_9, FIGHT_19])),
    ("decisions 9x9", CLASSIC, Work::Decide(&[SETTLED, DEAD_INSIDE, SEKI, LOST])),
    ("decisions strict 9x9", STRICT, Work::Decide(&[SETTLED, DEAD_INSIDE])),
    ("search with network 9x9", NETWORK, Work::Search(&[EMPTY_9, CORNER_9, MIDDLE_9])),
    ("search with network 13x13", NETWORK, Work::Search(&[OPENING_13])),
    ("search with network 19x19", NETWORK, Work::Search(&[FIGHT_19])),
    ("search by default 8x8 to 11x11", DEFAULT, Work::Search(&[EMPTY_8, EMPTY_10, OPENING_11])),
    (
        "decisions with network 9x9",
        JUDGED_ENDINGS,
        Work::Decide(&[SETTLED, DEAD_INSIDE, SEKI, LOST]),
    ),
];

/// What `--classic` sets.
const CLASSIC: &[(&str, &str)] = &[("value.network", "false")];
const WITHOUT_MODEL: &[(&str, &str)] = &[("value.network", "false"), ("prior.model", "false")];
const STRICT: &[(&str, &str)] = &[("value.network", "false"), ("pass.mode", "strict")];
/// The network says the same everywhere, so it is asked on slow machines too.
const NETWORK: &[(&str, &str)] = &[("value.network", "true"), ("value.anyway", "true")];
/// Whether a network is asked on a size, and which, is part of what plays.
const DEFAULT: &[(&str, &str)] = &[NETWORK[1]];
/// These boards are fuller than those that the network is asked about by default.
const JUDGED_ENDINGS: &[(&str, &str)] = &[NETWORK[0], NETWORK[1], ("value.until", "1")];

/// Dynamic komi with a band that an even position is not in, so that it has to move.
const SHIFTED_KOMI: &[(&str, &str)] =
    &[CLASSIC[0], ("komi.dynamic", "situational"), ("komi.low", "0.6"), ("komi.high", "0.7")];

/// All is decided: a pass.
const SETTLED: (&str, Color) = (
    ". . X O O . O . .
     . . X O O . O . .
     . X . X X O . . .
     . X X X X O O O O
     . . X O O O X X O
     X X O O X X X O O
     X O O X X . . X O
     O O X X X O X X X
     . O O O X . . . .",
    Color::White,
);

/// Dead stones of both colours are left.
const DEAD_INSIDE: (&str, Color) = (
    ". . X . . . X O .
     . . X . X . X X X
     . O . X X . X O X
     . . . X X X O O X
     X X X X X O O O O
     X O O X O O O . O
     X O . O O X X O .
     X O . O X O X O O
     O O . . . . . X .",
    Color::White,
);

/// Two chains that share their last liberties.
const SEKI: (&str, Color) = (
    ". X O . X O . O .
     X X O O X O O O O
     O O O X X X X O O
     X X X X . X X X O
     . . . . X . . X X
     . . . . . . . . .
     . . X X X X X X X
     X X X O O O O O O
     . X O O . . . . .",
    Color::Black,
);

/// White has nothing left to hope for.
const LOST: (&str, Color) = (
    ". . X . . . . . .
     . . X . X . X . .
     . . . X X . X X X
     . . . X X X X X O
     X X X X O X O O O
     X O O X O O O . .
     X O . O O X . O .
     X O . X X X X X X
     . X X . . . . X .",
    Color::White,
);

/// A line of the signature.
pub(crate) struct Part {
    pub name: &'static str,
    pub value: u32,
}

/// Every line, in order.
pub(crate) fn parts(given: &Overrides) -> impl Iterator<Item = Part> + '_ {
    CONFIGURATIONS.iter().map(|(name, settings, work)| {
        let overrides = fixed(given, settings);
        let mut hash = Fnv::default();
        match work {
            Work::Search(lines) => {
                lines.iter().for_each(|line| search(line, &overrides, SEARCH_PLAYOUTS, &mut hash));
            }
            Work::Playouts(lines) => {
                lines.iter().for_each(|line| play(line, &overrides, &mut hash));
            }
            Work::Decide(endings) => {
                endings.iter().for_each(|ending| decide(ending, &overrides, &mut hash));
            }
        }
        Part { name, value: hash.0 }
    })
}

/// One number for all lines.
pub(crate) fn sum(parts: &[Part]) -> u32 {
    let mut hash = Fnv::default();
    parts.iter().for_each(|part| hash.mix(part.value));
    hash.0
}

/// A number made of the visits of one short search: the same twice unless something is broken.
pub(crate) fn visits_of_a_search(playouts: u64) -> u32 {
    let mut hash = Fnv::default();
    search(&CORNER_9, &fixed(&Overrides::default(), &[]), playouts, &mut hash);
    hash.0
}

/// One thread, a fixed seed, enough memory, every playout played, and what a configuration sets.
fn fixed(given: &Overrides, settings: &[(&str, &str)]) -> Overrides {
    let mut overrides = given.clone();
    for (param, value) in FIXED.iter().chain(settings) {
        // The names and values are constants, and a test goes through them.
        let _ = overrides.insert(param, value);
    }
    overrides
}

const FIXED: [(&str, &str); 4] = [
    ("search.threads", "1"),
    ("search.seed", "1"),
    ("search.memory", "256"),
    ("search.early_stop", "false"),
];

fn search(line: &Line, overrides: &Overrides, playouts: u64, hash: &mut Fnv) {
    let mut search = Search::new(overrides.resolve(line.0), line.0);
    run(&mut search, &position(line), playouts);
    let visits = search.root_visits();
    points(line.0).chain([Point::PASS]).for_each(|point| hash.mix(visits[point]));
}

fn play(line: &Line, overrides: &Overrides, hash: &mut Fnv) {
    let params = overrides.resolve(line.0).playout;
    let mut policy = by_params(&params);
    let limits = Limits::by_params(&params, line.0);
    let start = position(line).board().clone();
    let mut board = start.clone();
    let mut rng = Rng::new(1);
    for _ in 0..PLAYOUTS {
        board.copy_from(&start);
        let outcome = policy.play_out(&mut board, &mut rng, limits);
        hash.mix(outcome.score as u32);
        hash.mix(outcome.moves as u32);
        hash.mix(board.hash() as u32);
    }
}

fn decide((diagram, color): &(&str, Color), overrides: &Overrides, hash: &mut Fnv) {
    let Ok(Diagram { mut board, .. }) = Diagram::parse(diagram) else { return };
    board.set_to_play(*color);
    for rules in [Rules::CHINESE, Rules::JAPANESE] {
        let mut engine = Engine::new(overrides.clone());
        engine.set_game(Game::from_board(board.clone(), rules));
        let request = of_playouts(DECISION_PLAYOUTS);
        let decision = engine.generate(*color, &request, &Interrupt::default(), &mut |_| ());
        match decision.choice {
            Choice::Play(point) => hash.mix(point.index() as u32),
            Choice::Resign => hash.mix(u32::MAX),
        }
        let standing = engine.standing();
        for point in points(board.size()) {
            let dead = u32::from(standing.dead.contains(point));
            hash.mix(2 * dead + u32::from(standing.seki.contains(point)));
        }
        engine.game().score(&standing).to_string().bytes().for_each(|byte| hash.mix(byte.into()));
    }
}

/// A position of the list. Its moves are legal: a test plays them.
fn position(&(size, moves): &Line) -> Game {
    let mut game = Game::new(size, Rules::default());
    for vertex in moves.split_whitespace() {
        let point = Point::parse_gtp(vertex, size).unwrap_or(Point::PASS);
        let _ = game.play(Move::new(game.board().to_play(), point));
    }
    game
}

/// FNV-1a.
struct Fnv(u32);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x811C_9DC5)
    }
}

impl Fnv {
    fn mix(&mut self, value: u32) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;

    #[test]
    fn play_is_what_the_file_says() {
        let lines: Vec<_> = parts(&Overrides::default()).collect();
        let mut found: String =
            lines.iter().map(|part| format!("{}: {}\n", part.name, part.value)).collect();
        found += &format!("sum: {}\n", sum(&lines));
        let hint =
            "if play was meant to change: tengen bench --what signature > tests/signature.txt";
        assert_eq!(found, crate::version::SIGNATURE, "{hint}");
    }

    #[test]
    fn every_position_and_setting_is_possible() {
        for (name, settings, work) in CONFIGURATIONS {
            for (param, value) in FIXED.iter().chain(*settings) {
                Params::check(param, value).unwrap();
            }
            let lines = match work {
                Work::Search(lines) | Work::Playouts(lines) => lines,
                Work::Decide(endings) => {
                    endings
                        .iter()
                        .for_each(|(text, _)| assert!(Diagram::parse(text).is_ok(), "{name}"));
                    continue;
                }
            };
            for line in *lines {
                let played = position(line);
                let stones = played.moves().iter().filter(|play| !play.point.is_pass()).count();
                assert_eq!(stones, line.1.split_whitespace().count(), "{name}: {}", line.1);
            }
        }
    }
}
