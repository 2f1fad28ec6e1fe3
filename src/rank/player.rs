//! A player of a rank: draws moves as players of the rank do, reads as far as the rank reads, and ends games in order.
//!
//! It has a search and a closer of its own, on one thread and without the network, so that a level stays what it was
//! when it was measured, on any machine: its strength is a number of playouts, not a time. A clock still holds.

use super::Rank;
use super::ladder::{Skill, skill};
use super::model::{RankModel, draw};
use crate::endings::{Choice, Closer, Manner, Turn, looks_settled};
use crate::engine::Decision;
use crate::game::Game;
use crate::params::{Overrides, Params};
use crate::search::{Interrupt, Limit, Report, Request, Search};
use crate::types::{Color, Move, Point, Rng};
use std::time::Instant;

/// Playouts by which a level sees whether the game is at its end; enough to tell owned points from open ones.
const LOOK: u64 = 64;
/// Owned by so much, a point is settled: a level plays elsewhere once the board looks settled.
const SETTLED: f32 = 0.85;
/// What is always set: a level must not depend on the machine or on a network that may change.
const FIXED: [(&str, &str); 4] = [
    ("search.threads", "1"),
    ("search.memory", "64"),
    ("search.ponder", "false"),
    ("value.network", "false"),
];

/// A player of a rank.
pub struct RankPlayer {
    rank: Rank,
    /// In place of the rank's own.
    skill: Option<Skill>,
    overrides: Overrides,
    rng: Rng,
    /// What depends on the board's size, made when the size is known.
    seat: Option<Seat>,
}

/// All that a player needs at a board of one size.
struct Seat {
    size: usize,
    skill: Skill,
    params: Params,
    model: RankModel,
    search: Search,
    closer: Closer,
    /// Moves of the game when the player last decided, to notice a new game.
    moves: usize,
}

impl RankPlayer {
    /// A player of this rank. Its random numbers follow from `search.seed`; other parameters hold as for the engine,
    /// but for threads, memory and the network, which are fixed.
    pub fn new(rank: Rank, overrides: &Overrides) -> RankPlayer {
        let rng = Rng::new(overrides.resolve(19).search.seed);
        RankPlayer { rank, skill: None, overrides: overrides.clone(), rng, seat: None }
    }

    /// The same player with a skill that is not that of the rank, to find out what it is worth.
    pub fn with_skill(self, skill: Option<Skill>) -> RankPlayer {
        RankPlayer { skill, seat: None, ..self }
    }

    /// Chooses a move for a colour, without playing it.
    pub fn genmove(&mut self, game: &Game, color: Color) -> Decision {
        self.decide(game, color, false, &Request::default(), &Interrupt::default())
    }

    /// Chooses a move for a colour, without playing it. Of the request, time limits and the moves to avoid or allow
    /// hold; playouts are the rank's. With `cleanup`, dead stones are captured before it passes.
    pub fn decide(
        &mut self,
        game: &Game,
        color: Color,
        cleanup: bool,
        request: &Request,
        interrupt: &Interrupt,
    ) -> Decision {
        let mut game = game.clone();
        game.set_to_play(color);
        let known = self.seat.take().filter(|seat| seat.fits(&game));
        let mut seat =
            known.unwrap_or_else(|| Seat::new(self.rank, self.skill, &self.overrides, game.size()));
        let decision = seat.decide(&game, cleanup, request, interrupt, &mut self.rng);
        self.seat = Some(seat);
        decision
    }
}

impl Seat {
    fn decide(
        &mut self,
        game: &Game,
        cleanup: bool,
        request: &Request,
        interrupt: &Interrupt,
        rng: &mut Rng,
    ) -> Decision {
        let deadline = request.limit.maximum.map(|maximum| Instant::now() + maximum);
        self.moves = game.moves().len();
        let manner = if cleanup { Manner::Cleanup } else { Manner::Play(self.params.pass.mode) };
        let look = self.look(game, cleanup, request, interrupt);
        let mut settled = false;
        let mut note = None;
        if let Some(report) = &look {
            let params = &self.params;
            let turn = Turn { game, report, manner, params, interrupt, deadline };
            let (choice, said) = self.closer.close(&turn, &mut self.search);
            note = said;
            let best = report.candidates.first().map(|best| best.point);
            let own = match choice {
                Choice::Resign => false,
                Choice::Play(point) => Some(point) == best && !point.is_pass() && !cleanup,
            };
            // A pass, a resignation, or a move that the end of the game asks for.
            if !own || self.skill.sees_all() {
                let report = report.clone().shown();
                return Decision { choice, report, note };
            }
            settled = looks_settled(game, report) || opponent_passed(game);
        }
        let open = look.as_ref().filter(|_| settled);
        let drawn = self.think_of(game, open, request, rng);
        let mut report = self.compare(game, &drawn, request, interrupt);
        if drawn.is_empty() && look.is_none() {
            // Nothing that people play is allowed here: any move is better than a pass on an open board.
            report = Some(self.search(game, LOOK, request, interrupt));
        }
        let first = |report: &Report| report.candidates.first().map(|best| best.point);
        let report = report.or(look).unwrap_or_else(|| Report::empty(game.board().to_play()));
        let point = match &drawn[..] {
            [] => first(&report).unwrap_or(Point::PASS),
            [only] => *only,
            [likeliest, ..] => first(&report).unwrap_or(*likeliest),
        };
        Decision { choice: Choice::Play(point), report: report.shown(), note }
    }

    fn new(rank: Rank, own: Option<Skill>, overrides: &Overrides, size: usize) -> Seat {
        let mut params = overrides.resolve(size);
        for (name, value) in FIXED {
            // Names and values are checked by a test.
            let _ = params.set(name, value);
        }
        Seat {
            size,
            skill: own.unwrap_or_else(|| skill(rank, size)),
            model: RankModel::new(rank, size),
            search: Search::new(params.clone(), size),
            closer: Closer::default(),
            params,
            moves: 0,
        }
    }

    /// Is this still the game that the player sat down to? What the closer remembers is of one game.
    fn fits(&self, game: &Game) -> bool {
        game.size() == self.size && game.moves().len() >= self.moves
    }

    /// A search of all moves, if the level sees them all or the game may be at its end.
    fn look(
        &mut self,
        game: &Game,
        cleanup: bool,
        request: &Request,
        interrupt: &Interrupt,
    ) -> Option<Report> {
        let board = game.board();
        let stones: usize = Color::BOTH.iter().map(|&color| board.stone_count(color)).sum();
        let late = 5 * stones >= 2 * game.size() * game.size();
        let playouts = if self.skill.sees_all() {
            self.skill.playouts as u64
        } else if late || cleanup || opponent_passed(game) {
            LOOK
        } else {
            return None;
        };
        Some(self.search(game, playouts, request, interrupt))
    }

    /// A search of what the request allows. Its tree is kept only by who sees everything anyway.
    fn search(
        &mut self,
        game: &Game,
        playouts: u64,
        request: &Request,
        interrupt: &Interrupt,
    ) -> Report {
        let request = Request { limit: limit(playouts, request), ..request.clone() };
        if !self.skill.sees_all() {
            self.search.clear();
        }
        self.search.run(game, &request, interrupt, &mut |_| ())
    }

    /// The moves that the player thinks of, each once; on a settled board only where something is open.
    fn think_of(
        &mut self,
        game: &Game,
        settled: Option<&Report>,
        request: &Request,
        rng: &mut Rng,
    ) -> Vec<Point> {
        let color = game.board().to_play();
        let mut likely = self.model.likely_moves(game.board());
        likely.retain(|&(point, _)| {
            game.is_legal(Move::new(color, point))
                && !request.avoid.contains(&point)
                && (request.allow.is_empty() || request.allow.contains(&point))
                && settled.is_none_or(|report| report.ownership[point].abs() < SETTLED)
        });
        for (_, probability) in &mut likely {
            *probability = probability.powf(self.skill.power as f32);
        }
        let one_more = rng.unit() < self.skill.draws.fract();
        let mut drawn = Vec::new();
        for _ in 0..self.skill.draws as usize + usize::from(one_more) {
            let Some(point) = draw(&likely, rng) else { break };
            if !drawn.contains(&point) {
                drawn.push(point);
            }
        }
        drawn
    }

    /// Searches some moves, if there is anything to compare.
    fn compare(
        &mut self,
        game: &Game,
        moves: &[Point],
        request: &Request,
        interrupt: &Interrupt,
    ) -> Option<Report> {
        if moves.len() < 2 {
            return None;
        }
        let request = Request { allow: moves.to_vec(), ..request.clone() };
        Some(self.search(game, self.skill.playouts as u64, &request, interrupt))
    }
}

/// So many playouts, within the time of a request.
fn limit(playouts: u64, request: &Request) -> Limit {
    Limit { playouts: Some(playouts.max(1)), visits: None, ..request.limit }
}

fn opponent_passed(game: &Game) -> bool {
    let color = game.board().to_play();
    game.moves().last().is_some_and(|last| last.color != color && last.point.is_pass())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_fixed_can_be_set() {
        let mut params = Params::for_size(9);
        for (name, value) in FIXED {
            assert_eq!(params.set(name, value), Ok(()));
        }
    }
}
