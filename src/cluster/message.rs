//! What ranks say to each other.
//!
//! A task says all that a rank must know to search: the game from its start, the parameters, the limits. So a rank
//! that missed something knows everything again with the next one, and undo, new games and changed rules need no
//! messages of their own.

use crate::game::{Game, HandicapBonus, KoRule, Rules, Scoring};
use crate::params::Params;
use crate::search::{Digest, Request, position_key};
use crate::types::{Color, Move, Point};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A message between ranks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// Rank 0: search this.
    Task(Box<Task>),
    /// To rank 0: no, and why.
    Refused {
        /// The task.
        search: u64,
        /// The reason.
        why: String,
    },
    /// What was counted near the root.
    #[serde(skip)]
    Digest {
        /// The task.
        search: u64,
        /// Is the search of the sender over?
        last: bool,
        /// The counts.
        digest: Digest,
    },
    /// Rank 0: stop searching.
    Stop {
        /// The task.
        search: u64,
    },
    /// Rank 0: the work is over.
    Quit,
    /// Rank 0: play this game of the match.
    Play {
        /// Its number.
        game: u32,
    },
    /// To rank 0: a game of the match.
    Played {
        /// Its number.
        game: u32,
        /// Its line of the table.
        row: String,
        /// Its record.
        sgf: String,
        /// Equal for equal games.
        hash: u64,
    },
    /// To rank 0: the programs cannot play here.
    Useless {
        /// The reason.
        why: String,
    },
}

const DIGEST: u8 = 1;

impl Message {
    /// As bytes: digests, which are many, in their own form, the rest as JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Message::Digest { search, last, digest } => {
                let mut bytes = vec![DIGEST, u8::from(*last)];
                bytes.extend(search.to_le_bytes());
                bytes.extend(digest.to_bytes());
                bytes
            }
            other => serde_json::to_vec(other).unwrap_or_default(),
        }
    }

    /// From bytes; None if they are no message.
    pub fn from_bytes(bytes: &[u8]) -> Option<Message> {
        match bytes {
            [DIGEST, last, rest @ ..] => {
                let (search, digest) = rest.split_at_checked(8)?;
                let search = u64::from_le_bytes(search.try_into().ok()?);
                Some(Message::Digest {
                    search,
                    last: *last != 0,
                    digest: Digest::from_bytes(digest)?,
                })
            }
            other => serde_json::from_slice(other).ok(),
        }
    }
}

/// A position, how it is to be searched, and how long.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Counts the searches of rank 0.
    pub search: u64,
    /// Changes when what was found before is to be forgotten.
    pub generation: u64,
    /// The key of the position, by [`position_key`].
    pub position: u64,
    size: usize,
    rules: [u8; 3],
    komi: f32,
    /// Are the stones at the start a handicap?
    handicap: bool,
    /// Moves as `BD4 Wpass`.
    start: String,
    start_to_play: char,
    moves: String,
    to_play: char,
    /// Parameters that are not the default.
    params: Vec<(String, String)>,
    playouts: Option<u64>,
    milliseconds: Option<u64>,
    avoid: String,
    allow: String,
}

const KO_RULES: [KoRule; 3] = [KoRule::Simple, KoRule::Positional, KoRule::Situational];
const SCORINGS: [Scoring; 2] = [Scoring::Area, Scoring::Territory];
const BONUSES: [HandicapBonus; 3] =
    [HandicapBonus::None, HandicapBonus::Stones, HandicapBonus::StonesButOne];

fn index_of<T: PartialEq>(list: &[T], wanted: &T) -> u8 {
    list.iter().position(|item| item == wanted).unwrap_or(0) as u8
}

fn moves_to_text(moves: impl Iterator<Item = Move>) -> String {
    let words: Vec<String> =
        moves.map(|play| format!("{}{}", play.color.letter(), play.point)).collect();
    words.join(" ")
}

fn points_to_text(points: &[Point]) -> String {
    let words: Vec<String> = points.iter().map(ToString::to_string).collect();
    words.join(" ")
}

impl Task {
    /// The task of a search on rank 0.
    pub fn new(game: &Game, params: &Params, request: &Request) -> Task {
        let start = game.start();
        let of = |color| {
            let points = start.points().filter(move |&point| start.is_stone(point, color));
            points.map(move |point| Move::new(color, point))
        };
        let stones: Vec<Move> = Color::BOTH.into_iter().flat_map(of).collect();
        let handicap = !stones.is_empty()
            && stones.len() == game.handicap()
            && stones.iter().all(|stone| stone.color == Color::Black)
            && start.to_play() == Color::White;
        let usual = Params::for_size(game.size());
        let changed = Params::TABLE.iter().filter_map(|parameter| {
            let value = (parameter.get)(params);
            (value != (parameter.get)(&usual)).then(|| (parameter.name.to_owned(), value))
        });
        let rules = game.rules();
        Task {
            search: 0,
            generation: 0,
            position: position_key(game),
            size: game.size(),
            rules: [
                index_of(&KO_RULES, &rules.ko),
                index_of(&SCORINGS, &rules.scoring),
                index_of(&BONUSES, &rules.handicap_bonus),
            ],
            komi: game.komi(),
            handicap,
            start: moves_to_text(stones.into_iter()),
            start_to_play: start.to_play().letter(),
            moves: moves_to_text(game.moves().iter().copied()),
            to_play: game.board().to_play().letter(),
            params: changed.collect(),
            playouts: request.limit.playouts,
            milliseconds: request.limit.maximum.map(|time| time.as_millis() as u64 + 1),
            avoid: points_to_text(&request.avoid),
            allow: points_to_text(&request.allow),
        }
    }

    /// The position, or why it cannot be set up.
    pub fn game(&self) -> Result<Game, String> {
        if !(crate::types::MIN_SIZE..=crate::types::MAX_SIZE).contains(&self.size) {
            return Err(format!("there is no board of size {}", self.size));
        }
        let [ko, scoring, handicap_bonus] = self.rules.map(usize::from);
        let rules = Rules {
            ko: *KO_RULES.get(ko).ok_or("unknown rules")?,
            scoring: *SCORINGS.get(scoring).ok_or("unknown rules")?,
            handicap_bonus: *BONUSES.get(handicap_bonus).ok_or("unknown rules")?,
        };
        let mut game = Game::new(self.size, rules);
        game.set_komi(self.komi);
        let stones = self.read_moves(&self.start)?;
        let to_play = read_color(self.start_to_play)?;
        if self.handicap {
            let points: Vec<Point> = stones.iter().map(|stone| stone.point).collect();
            game.place_handicap(&points).map_err(|error| error.to_string())?;
        } else if !stones.is_empty() || to_play != Color::Black {
            game.set_up(&stones, to_play).map_err(|error| error.to_string())?;
        }
        for play in self.read_moves(&self.moves)? {
            game.play(play).map_err(|error| format!("{}: {error}", play.to_gtp()))?;
        }
        game.set_to_play(read_color(self.to_play)?);
        if position_key(&game) != self.position {
            return Err("it sees another position".to_owned());
        }
        Ok(game)
    }

    /// The parameters, on the ground of those that hold what is no number: the model.
    pub fn params(&self, own: &Params, rank: usize) -> Result<Params, String> {
        let mut params = Params::for_size(self.size);
        params.tree_model = own.tree_model.clone();
        params.tree_network = own.tree_network.clone();
        for (name, value) in &self.params {
            params.set(name, value).map_err(|error| error.to_string())?;
        }
        params.search.seed = super::rank_seed(params.search.seed, rank);
        Ok(params)
    }

    /// Points per side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What to search. Rank 0 ends it; the limits are for the case that it cannot.
    pub fn request(&self) -> Result<Request, String> {
        let points = |text: &str| {
            let words = text.split_ascii_whitespace();
            let read = |word| Point::parse_gtp(word, self.size).map_err(|error| error.to_string());
            words.map(read).collect::<Result<Vec<Point>, String>>()
        };
        let mut request = Request {
            avoid: points(&self.avoid)?,
            allow: points(&self.allow)?,
            exhaustive: true,
            ..Request::default()
        };
        request.limit.playouts = self.playouts;
        request.limit.maximum = self.milliseconds.map(Duration::from_millis);
        Ok(request)
    }

    fn read_moves(&self, text: &str) -> Result<Vec<Move>, String> {
        let read = |word: &str| {
            let mut letters = word.chars();
            let color = read_color(letters.next().unwrap_or(' '))?;
            let point = Point::parse_gtp(letters.as_str(), self.size);
            Ok(Move::new(color, point.map_err(|error| error.to_string())?))
        };
        text.split_ascii_whitespace().map(read).collect()
    }
}

fn read_color(letter: char) -> Result<Color, String> {
    Color::parse_gtp(&letter.to_string()).ok_or_else(|| format!("'{letter}' is no colour"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixed_handicap;
    use crate::params::TreeNetwork;

    fn there_and_back(game: &Game, params: &Params, request: &Request) -> Task {
        let message = Message::Task(Box::new(Task::new(game, params, request)));
        match Message::from_bytes(&message.to_bytes()) {
            Some(Message::Task(task)) => *task,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_task_says_the_whole_position() {
        let mut handicap = Game::new(19, Rules::AGA);
        handicap.place_handicap(&fixed_handicap(19, 5).unwrap()).unwrap();
        handicap.set_komi(0.5);
        handicap.play(Move::new(Color::White, Point::new(3, 3))).unwrap();
        handicap.play(Move::new(Color::Black, Point::PASS)).unwrap();
        handicap.set_to_play(Color::Black);
        let mut set_up = Game::new(9, Rules::JAPANESE);
        let stones =
            [Move::new(Color::White, Point::new(5, 5)), Move::new(Color::Black, Point::new(5, 6))];
        set_up.set_up(&stones, Color::White).unwrap();
        for game in [handicap, set_up, Game::new(13, Rules::TROMP_TAYLOR)] {
            let task = there_and_back(&game, &Params::for_size(game.size()), &Request::default());
            let there = task.game().unwrap();
            assert_eq!(position_key(&there), position_key(&game));
            assert_eq!((there.rules(), there.total_komi()), (game.rules(), game.total_komi()));
            assert_eq!((there.handicap(), there.moves()), (game.handicap(), game.moves()));
        }
    }

    #[test]
    fn a_rank_that_sees_another_position_says_so() {
        let mut game = Game::new(9, Rules::CHINESE);
        game.play(Move::new(Color::Black, Point::new(5, 5))).unwrap();
        let task = there_and_back(&game, &Params::for_size(9), &Request::default());
        let wrong = |change: fn(&mut Task)| {
            let mut task = task.clone();
            change(&mut task);
            task.game().unwrap_err()
        };
        assert_eq!(wrong(|task| task.komi = 5.5), "it sees another position");
        assert_eq!(wrong(|task| task.to_play = 'B'), "it sees another position");
        assert_eq!(wrong(|task| task.moves = "BE5 WE5".to_owned()), "W E5: the point is occupied");
        assert!(wrong(|task| task.size = 40).contains("size 40"));
        assert!(wrong(|task| task.moves = "BZ99".to_owned()).contains("Z99"));
    }

    #[test]
    fn parameters_and_limits_travel_and_the_seed_is_each_ranks_own() {
        let game = Game::new(9, Rules::CHINESE);
        let mut params = Params::for_size(9);
        params.set("search.seed", "7").unwrap();
        params.set("search.threads", "3").unwrap();
        params.set("komi.dynamic", "situational").unwrap();
        let mut request =
            Request { avoid: vec![Point::new(1, 1), Point::PASS], ..Request::default() };
        request.limit.playouts = Some(40);
        request.limit.maximum = Some(Duration::from_millis(1500));
        let task = there_and_back(&game, &params, &request);
        let there = task.params(&Params::for_size(9), 0).unwrap();
        assert_eq!(there, params);
        assert_ne!(task.params(&params, 1).unwrap().search.seed, 7);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.tgn");
        crate::knowledge::net::random_network(8, 1, 1).save(&file).unwrap();
        let own = TreeNetwork::load(&file).unwrap();
        let own = Params { tree_network: own, ..Params::for_size(9) };
        assert_eq!(task.params(&own, 1).unwrap().tree_network, own.tree_network);
        let asked = task.request().unwrap();
        assert_eq!((asked.avoid, asked.limit.playouts), (request.avoid, Some(40)));
        assert!(asked.exhaustive && asked.limit.maximum > request.limit.maximum);
    }

    #[test]
    fn bytes_that_are_no_message_are_none() {
        for bytes in [&b""[..], b"x", b"{}", &[DIGEST, 0, 1, 2], &[DIGEST; 40]] {
            assert_eq!(Message::from_bytes(bytes), None, "{bytes:?}");
        }
    }
}
