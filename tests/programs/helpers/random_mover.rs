//! A GTP program that moves at once and at random, and misbehaves on demand: the opponent in the
//! tests and the bench of the match tool.
//!
//! ```text
//! random_mover [--seed N] [--fault KIND] [--at-move N] [--chance P] [--startup-dies]
//! ```
//!
//! KIND is one of die, hang, illegal, huge, garbage, refuse, slow, late, resign, chatter,
//! wrong-score and dies-in-score. The fault happens at the program's Nth own move of a game, or at
//! each move with probability P in percent.

use cpu_time::ProcessTime;
use std::io::{BufRead, Write};
use std::time::Duration;
use tengen::game::{Game, Rules, Standing};
use tengen::types::{Color, Move, Point, Rng};

struct Mover {
    game: Game,
    rng: Rng,
    fault: String,
    at_move: usize,
    chance: f64,
    own_moves: usize,
}

const COMMANDS: &str = "boardsize\nclear_board\ncputime\nfinal_score\ngenmove\nkata-time_settings\n\
                        komi\nlist_commands\nloadsgf\nname\nplay\nprotocol_version\nquit\nreg_genmove\n\
                        set_free_handicap\nset_random_seed\ntime_left\ntime_settings\nversion";

impl Mover {
    fn strikes(&mut self) -> bool {
        self.own_moves == self.at_move || self.rng.unit() * 100.0 < self.chance
    }

    /// A random legal move that fills no eye, else a pass.
    fn choose(&mut self, color: Color) -> Point {
        let board = self.game.board();
        let mut points = board.empty_points().to_vec();
        points.sort_unstable();
        while !points.is_empty() {
            let point = points.swap_remove(self.rng.below(points.len() as u32) as usize);
            if !board.is_eye(color, point) && self.game.is_legal(Move::new(color, point)) {
                return point;
            }
        }
        Point::PASS
    }

    fn genmove(&mut self, color: Color) -> Result<String, String> {
        self.own_moves += 1;
        eprintln!("move {} of {color}", self.own_moves);
        if !self.fault.is_empty() && self.strikes() {
            match self.fault.as_str() {
                "die" => std::process::exit(7),
                "hang" => loop {
                    std::thread::sleep(Duration::from_secs(1000));
                },
                "illegal" => return Ok(self.occupied().to_string()),
                "huge" => return Ok("x".repeat(1 << 20)),
                "garbage" => {
                    println!("Segmentation ~~ \u{1b}[31m fault\nnot = gtp\n");
                    return Ok("banana".to_owned());
                }
                "refuse" => return Err("I do not want to".to_owned()),
                "slow" => std::thread::sleep(Duration::from_millis(1)),
                "late" => std::thread::sleep(Duration::from_millis(1500)),
                "resign" => return Ok("resign".to_owned()),
                "chatter" => println!("thinking...\n\n\nstill thinking"),
                _ => {}
            }
        }
        let point = self.choose(color);
        let _ = self.game.play(Move::new(color, point));
        Ok(point.to_string())
    }

    /// An occupied point, or one off the board as long as there is none.
    fn occupied(&self) -> Point {
        let board = self.game.board();
        board.points().find(|&point| !board.is_empty(point)).unwrap_or(Point::new(10, 10))
    }

    fn final_score(&mut self) -> String {
        if self.fault == "dies-in-score" {
            std::process::exit(8);
        }
        let score = self.game.score(&Standing::as_it_stands());
        match self.fault.as_str() {
            "wrong-score" if score.0 > 0.0 => "W+99".to_owned(),
            "wrong-score" => "B+99".to_owned(),
            _ => score.to_string(),
        }
    }

    fn handle(&mut self, command: &str, arguments: &[&str]) -> Result<String, String> {
        let size = self.game.size();
        let first = arguments.first().copied().unwrap_or("");
        match command {
            "name" => Ok("random mover".to_owned()),
            "version" => Ok("1".to_owned()),
            "protocol_version" => Ok("2".to_owned()),
            "list_commands" => Ok(COMMANDS.to_owned()),
            "boardsize" => match first.parse() {
                Ok(size @ 2..=19) => {
                    self.game = Game::new(size, Rules::default());
                    Ok(String::new())
                }
                _ => Err("unacceptable size".to_owned()),
            },
            "clear_board" => {
                let komi = self.game.komi();
                self.game = Game::new(size, Rules::default());
                self.game.set_komi(komi);
                self.own_moves = 0;
                Ok(String::new())
            }
            "komi" => {
                self.game.set_komi(first.parse().map_err(|_| "syntax error")?);
                Ok(String::new())
            }
            "set_random_seed" => {
                self.rng = Rng::new(first.parse().map_err(|_| "syntax error")?);
                Ok(String::new())
            }
            "set_free_handicap" => {
                let points: Result<Vec<Point>, _> =
                    arguments.iter().map(|word| Point::parse_gtp(word, size)).collect();
                let points = points.map_err(|error| error.to_string())?;
                self.game.place_handicap(&points).map_err(|error| error.to_string())?;
                Ok(String::new())
            }
            "play" => {
                let play = Move::parse_gtp(&arguments.join(" "), size);
                let play = play.map_err(|error| error.to_string())?;
                self.game.play(play).map_err(|_| "illegal move".to_owned())?;
                Ok(String::new())
            }
            "genmove" => self.genmove(Color::parse_gtp(first).ok_or("syntax error")?),
            "reg_genmove" => match self.fault.as_str() {
                "die" => std::process::exit(7),
                _ => Ok("pass".to_owned()),
            },
            "loadsgf" if std::path::Path::new(first).exists() => Ok(String::new()),
            "loadsgf" => Err("cannot load file".to_owned()),
            "final_score" => Ok(self.final_score()),
            "cputime" => Ok(format!("{:.6}", ProcessTime::now().as_duration().as_secs_f64())),
            "time_settings" | "kata-time_settings" | "time_left" => Ok(String::new()),
            "quit" => Ok(String::new()),
            _ => Err("unknown command".to_owned()),
        }
    }
}

fn main() {
    let mut mover = Mover {
        game: Game::new(19, Rules::default()),
        rng: Rng::new(1),
        fault: String::new(),
        at_move: usize::MAX,
        chance: 0.0,
        own_moves: 0,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        match word.as_str() {
            "--seed" => mover.rng = Rng::new(value().parse().unwrap_or(0)),
            "--fault" => mover.fault = value(),
            "--at-move" => mover.at_move = value().parse().unwrap_or(1),
            "--chance" => mover.chance = value().parse().unwrap_or(0.0),
            "--startup-dies" => std::process::exit(9),
            other => {
                eprintln!("random_mover: unknown argument {other}");
                std::process::exit(2);
            }
        }
    }
    let stdin = std::io::stdin().lock();
    for line in stdin.lines().map_while(Result::ok) {
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        let mut id = "";
        if let Some(first) = words.first().filter(|word| word.parse::<u64>().is_ok()) {
            id = first;
            words.remove(0);
        }
        let Some((command, arguments)) = words.split_first() else { continue };
        let answer = match mover.handle(command, arguments) {
            Ok(text) => format!("={id} {text}\n\n"),
            Err(text) => format!("?{id} {text}\n\n"),
        };
        let mut out = std::io::stdout().lock();
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
        if *command == "quit" {
            return;
        }
    }
}
