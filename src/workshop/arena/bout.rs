//! One game between two programs, from the empty board to a row of the table.
//!
//! The tool keeps the game itself, so it knows an illegal move without asking anybody. A program
//! that commits a fault loses; whatever it does, the game ends with a result.

use super::clock::{Clock, TimeSettings};
use super::outcome::GameResult;
use super::pairing::Fixture;
use super::table::Row;
use crate::engine::Choice;
use crate::game::sgf::Margin;
use crate::game::{Game, Standing};
use crate::types::{Color, Move, Point};
use crate::workshop::tools::fault::{Fault, FaultKind};
use crate::workshop::tools::player::{Player, color_word, read_choice};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Message in the row of a game that reached the move limit.
pub const MOVE_LIMIT: &str = "move limit";

/// What holds for every game of a match.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The position before the opening, with its rules.
    pub start: Game,
    /// Black's stones before the first move.
    pub handicap: Vec<Point>,
    /// White's compensation.
    pub komi: f64,
    /// Clocks, if there are any.
    pub time: Option<TimeSettings>,
    /// The game is counted as it stands after so many moves.
    pub max_moves: usize,
}

/// Why the moves ended.
#[derive(Clone, PartialEq, Debug)]
enum End {
    Passes,
    MoveLimit,
    Resignation(Color),
    Fault(usize, Fault),
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its row of the table.
    pub row: Row,
    /// For each move, what the program that played it wrote to standard error about it.
    pub comments: Vec<String>,
    /// All moves, the opening included, and the final position, for a referee.
    pub game: Game,
}

impl Played {
    /// A game that could not begin because a program did not start.
    pub fn forfeit(
        conditions: &Conditions,
        fixture: &Fixture,
        side: usize,
        fault: &Fault,
    ) -> Played {
        let mut game = conditions.start.clone();
        for &play in &fixture.opening.moves {
            let _ = game.play(play); // checked when the match began
        }
        let length = game.moves().len();
        let row = Row {
            game: fixture.game,
            swapped: fixture.swapped,
            length: length as u32,
            error: true,
            message: fault.to_string(),
            ..Row::default()
        };
        let mut played = Played { row, comments: vec![String::new(); length], game };
        played.set_referee(GameResult::of_fault(fault, fixture.color(side)));
        played
    }

    /// Does this game need a referee? It does when it was played out and the programs do not give
    /// the same score.
    pub fn needs_referee(&self) -> bool {
        let row = &self.row;
        row.result_referee.is_none()
            && (row.results[0].is_none() || row.results[0] != row.results[1])
    }

    /// Enters what the referee says.
    pub fn set_referee(&mut self, result: GameResult) {
        self.row.result_referee = Some(if self.row.swapped { result.swapped() } else { result });
    }

    /// The score of the position as it stands: every stone is alive, area counts.
    pub fn area_result(&self) -> GameResult {
        GameResult::of_points(self.game.score(&Standing::as_it_stands()).0)
    }
}

/// A program at the board.
struct Seat<'a> {
    player: &'a mut Player,
    clock: Option<Clock>,
    seconds: f64,
    cpu_before: f64,
    /// Index of its last move, about which its standard error speaks.
    last_move: Option<usize>,
}

/// A game being played.
pub struct Bout<'a> {
    conditions: &'a Conditions,
    fixture: &'a Fixture,
    seats: [Seat<'a>; 2],
    game: Game,
    comments: Vec<String>,
}

impl<'a> Bout<'a> {
    /// A game of these two programs, A first.
    pub fn new(
        conditions: &'a Conditions,
        fixture: &'a Fixture,
        players: [&'a mut Player; 2],
    ) -> Bout<'a> {
        let mut game = conditions.start.clone();
        game.set_komi(conditions.komi as f32);
        let clock = conditions.time.map(Clock::new);
        let seats = players.map(|player| Seat {
            player,
            clock,
            seconds: 0.0,
            cpu_before: 0.0,
            last_move: None,
        });
        Bout { conditions, fixture, seats, game, comments: Vec::new() }
    }

    /// Tells a program what will be played.
    pub fn set_up(&mut self, side: usize) -> Result<(), Fault> {
        let Bout { conditions, fixture, .. } = *self;
        let seat = &mut self.seats[side];
        let player = &mut *seat.player;
        player.new_game(conditions.start.size(), conditions.komi)?;
        player.offer("set_random_seed", &format!("set_random_seed {}", fixture.seeds[side]))?;
        if let Some(time) = conditions.time {
            let (name, command) = time.to_gtp();
            player.offer(name, &command)?;
        }
        player.set_position(&conditions.handicap, &fixture.opening.moves)?;
        seat.cpu_before = player.cpu_seconds()?.unwrap_or(0.0);
        player.take_stderr();
        Ok(())
    }

    /// Plays the game after both programs were set up (`ready`) or failed to be; `None` if `stop`
    /// was raised before it was over.
    pub fn play(mut self, ready: Result<(), (usize, Fault)>, stop: &AtomicBool) -> Option<Played> {
        for &play in &self.fixture.opening.moves {
            let _ = self.game.play(play); // checked when the match began
            self.comments.push(String::new());
        }
        let end = match ready {
            Ok(()) => self.play_moves(stop)?,
            Err((side, fault)) => End::Fault(side, fault),
        };
        Some(self.finish(end))
    }

    fn play_moves(&mut self, stop: &AtomicBool) -> Option<End> {
        loop {
            if self.game.is_over() {
                return Some(End::Passes);
            }
            if self.game.moves().len() >= self.conditions.max_moves {
                return Some(End::MoveLimit);
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let color = self.game.board().to_play();
            let side = self.fixture.side(color);
            let point = match self.ask_move(side, color) {
                Ok(Choice::Play(point)) => point,
                Ok(Choice::Resign) => return Some(End::Resignation(color)),
                Err(fault) => return Some(End::Fault(side, fault)),
            };
            let play = Move::new(color, point);
            if let Err(error) = self.game.play(play) {
                let number = self.game.moves().len() + 1;
                let text = format!("{} as move {number}: {error}", play.to_gtp());
                return Some(End::Fault(side, Fault::new(FaultKind::IllegalMove, text)));
            }
            self.comments.push(String::new());
            self.seats[side].last_move = Some(self.comments.len() - 1);
            if self.game.is_over() {
                return Some(End::Passes); // the opponent is told in `scores`
            }
            if let Err(fault) = self.seats[1 - side].player.play(play) {
                return Some(End::Fault(1 - side, fault));
            }
        }
    }

    /// Asks for a move on the clock.
    fn ask_move(&mut self, side: usize, color: Color) -> Result<Choice, Fault> {
        self.collect_comment(side);
        let size = self.game.size();
        let seat = &mut self.seats[side];
        let mut timeout = seat.player.timeout();
        let mut allowed = f64::INFINITY;
        if let Some(clock) = &seat.clock {
            allowed = clock.allowed();
            timeout += Duration::from_secs_f64(allowed);
            let left = clock.to_gtp(color);
            seat.player.offer("time_left", &left)?;
        }
        let started = Instant::now();
        let answer = seat.player.ask_for(&format!("genmove {}", color_word(color)), timeout);
        let answer = answer.inspect_err(|_| seat.seconds += started.elapsed().as_secs_f64())?;
        let seconds = answer.at.saturating_duration_since(started).as_secs_f64();
        seat.seconds += seconds;
        if seat.clock.as_mut().is_some_and(|clock| !clock.spend(seconds)) {
            let text = format!("{seconds:.3} s used, {allowed:.3} s left");
            return Err(Fault::new(FaultKind::Time, text));
        }
        read_choice(&answer, size)
    }

    /// Gives a program's standard error to the move it is about.
    fn collect_comment(&mut self, side: usize) {
        let seat = &self.seats[side];
        if let Some(index) = seat.last_move {
            self.comments[index].push_str(&seat.player.take_stderr());
        }
    }

    /// The same at the end of a game, when there is no later chance: who is known to speak may do so
    /// after its answer.
    fn collect_last_comment(&mut self, side: usize) {
        self.collect_comment(side);
        let player = &self.seats[side].player;
        let Some(index) = self.seats[side].last_move else { return };
        for _ in 0..20 {
            if !self.comments[index].is_empty() || !player.has_spoken() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
            self.comments[index] = player.take_stderr();
        }
    }

    /// What both programs make of the final position, with the true colours; a fault is a forfeit
    /// even now.
    fn scores(&mut self) -> Result<[Option<GameResult>; 2], (usize, Fault)> {
        if self.game.is_over() {
            // The program that passed last knows; the other one has to be told.
            if let Some(&last) = self.game.moves().last() {
                let other = 1 - self.fixture.side(last.color);
                self.seats[other].player.play(last).map_err(|fault| (other, fault))?;
            }
        }
        let mut scores = [None; 2];
        for (side, score) in scores.iter_mut().enumerate() {
            let player = &mut *self.seats[side].player;
            if player.knows("final_score") {
                let answer = player.ask("final_score").map_err(|fault| (side, fault))?;
                *score = if answer.success { GameResult::parse(&answer.text) } else { None };
            }
        }
        Ok(scores)
    }

    fn finish(mut self, mut end: End) -> Played {
        let mut scores = [None; 2];
        if matches!(end, End::Passes | End::MoveLimit) {
            match self.scores() {
                Ok(said) => scores = said,
                Err((side, fault)) => end = End::Fault(side, fault),
            }
        }
        let swapped = self.fixture.swapped;
        let as_programs = |result: GameResult| if swapped { result.swapped() } else { result };
        let mut row = Row {
            game: self.fixture.game,
            results: scores.map(|score| score.map(as_programs)),
            swapped,
            length: self.game.moves().len() as u32,
            seconds: self.seats.each_ref().map(|seat| seat.seconds),
            ..Row::default()
        };
        match &end {
            End::Passes => {}
            End::MoveLimit => row.message = MOVE_LIMIT.to_owned(),
            End::Resignation(color) => {
                let result = GameResult::win(color.opponent(), Margin::Resign);
                let result = Some(as_programs(result));
                (row.results, row.result_referee) = ([result; 2], result);
            }
            End::Fault(side, fault) => {
                let result = GameResult::of_fault(fault, self.fixture.color(*side));
                row.result_referee = Some(as_programs(result));
                row.error = true;
                row.message = fault.to_string();
            }
        }
        for (side, seconds) in row.cpu_seconds.iter_mut().enumerate() {
            let seat = &mut self.seats[side];
            let before = seat.cpu_before;
            if seat.player.is_alive() {
                let now = seat.player.cpu_seconds().ok().flatten();
                *seconds = now.map_or(0.0, |now| (now - before).max(0.0));
            }
            self.collect_last_comment(side);
        }
        Played { row, comments: self.comments, game: self.game }
    }
}
