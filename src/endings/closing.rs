//! The last decision of a move: the search's choice, a pass, a move that ends the game in order, or
//! resignation.
//!
//! The search plays on while all moves win or all lose, so near the end of a game the position is
//! assessed and [`plan`] may prefer something else. What it prefers is put to the search once more
//! before it replaces the search's own choice: the search sees the one defence that keeps a territory,
//! which counts as owned already.

use super::cleanup::capture_move;
use super::passing::{Action, Manner, Plan, looks_settled, plan};
use super::resign::Resigner;
use super::status::{Assessment, assess};
use crate::game::Game;
use crate::params::Params;
use crate::search::{Interrupt, Limit, Report, Request, Search};
use crate::tactics::is_bad_self_atari;
use crate::types::{Hash, Point};
use std::time::Instant;

/// A move that the end of the game asks for is checked with one in so many of the search's playouts:
/// enough to see a blunder, little enough to keep within the time left for it.
const CHECK_SHARE: u64 = 4;
/// The least playouts of such a check: below it a winrate deviates by more than 5 %.
const CHECK_PLAYOUTS: u64 = 100;

/// What the engine wants to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Play here, or pass.
    Play(Point),
    /// Give up.
    Resign,
}

/// A turn after its search.
pub struct Turn<'a> {
    /// The game, the player who decides to move.
    pub game: &'a Game,
    /// What the search found.
    pub report: &'a Report,
    /// How the end is played.
    pub manner: Manner,
    /// The parameters in force.
    pub params: &'a Params,
    /// Ends the check of a move early.
    pub interrupt: &'a Interrupt,
    /// When the decision must be there.
    pub deadline: Option<Instant>,
}

impl Turn<'_> {
    /// The search's own choice.
    fn best(&self) -> Point {
        self.report.candidates.first().map_or(Point::PASS, |best| best.point)
    }

    /// Did the opponent pass, so that a pass ends the game?
    fn is_asked(&self) -> bool {
        let color = self.game.board().to_play();
        let last = self.game.moves().last();
        last.is_some_and(|last| last.color != color && last.point.is_pass())
    }
}

/// Closes moves, and remembers what a game needs for it.
#[derive(Default)]
pub struct Closer {
    resigner: Resigner,
    /// The last assessment and the situation it is of.
    assessed: Option<(Hash, Assessment)>,
}

impl Closer {
    /// Forgets the last assessment, because parameters changed.
    pub fn forget(&mut self) {
        self.assessed = None;
    }

    /// Life and death, ownership and safe territory of a position. The same position gets the same
    /// answer, unless a deadline cuts the playouts short.
    pub fn assess(
        &mut self,
        game: &Game,
        params: &Params,
        deadline: Option<Instant>,
    ) -> Assessment {
        let situation = game.situation();
        if let Some((of, known)) = &self.assessed
            && *of == situation
        {
            return known.clone();
        }
        let assessment = assess(game, params, deadline);
        if deadline.is_none_or(|deadline| Instant::now() < deadline) {
            self.assessed = Some((situation, assessment.clone()));
        }
        assessment
    }

    /// What to do, and why it passes, or does not although it was asked to or thought of it.
    pub fn close(&mut self, turn: &Turn, search: &mut Search) -> (Choice, Option<String>) {
        let resigns = self.resigner.consider(turn.report, turn.game, &turn.params.resign);
        let best = turn.best();
        let (point, note) = match self.plan(turn) {
            Some((plan, assessment)) => follow(&plan, &assessment, turn, search),
            None => (best, None),
        };
        // Who can pass on a counted board has no need to resign.
        let choice = if resigns && !point.is_pass() { Choice::Resign } else { Choice::Play(point) };
        (choice, note)
    }

    /// What the end of the game asks for, if it is near.
    fn plan(&mut self, turn: &Turn) -> Option<(Plan, Assessment)> {
        let Turn { game, report, manner, params, deadline, .. } = *turn;
        let best = turn.best();
        let ending = turn.is_asked()
            || best.is_pass()
            || manner == Manner::Cleanup
            || looks_settled(game, report);
        // When all moves win or all lose, the search does not mind breaking up a seki.
        let doubtful = is_bad_self_atari(game.board(), game.board().to_play(), best);
        if !ending && !doubtful {
            return None;
        }
        let assessment = self.assess(game, params, deadline);
        (ending || assessment.is_beside_seki(best))
            .then(|| (plan(game, report, &assessment, manner), assessment))
    }
}

/// The move of a plan, unless the search needs its own more; and what is said about passing.
fn follow(
    plan: &Plan,
    assessment: &Assessment,
    turn: &Turn,
    search: &mut Search,
) -> (Point, Option<String>) {
    let (best, asked) = (turn.best(), turn.is_asked());
    let mut choice = match plan.action {
        Action::Pass => Point::PASS,
        Action::Play(point) => point,
        Action::CaptureDead => {
            capture_move(turn.game, assessment, turn.params, turn.deadline).unwrap_or(Point::PASS)
        }
    };
    // After the opponent's pass the game ends by counting, which is not the search's.
    let asks_search = choice != best && !best.is_pass() && !asked && turn.manner != Manner::Cleanup;
    if asks_search && is_mistake(choice, turn, search) {
        log::info!(target: "pass", "the search needs {best} more than {choice}");
        choice = best;
    }
    let verb = if choice.is_pass() { "pass" } else { "no pass" };
    let said = format!("{verb}: {}", plan.reason);
    let worth_saying = choice.is_pass() || asked || best.is_pass();
    if worth_saying {
        log::info!(target: "pass", "{said}");
    }
    (choice, worth_saying.then_some(said))
}

/// Is a move, or a pass, clearly worse than the search's own choice when the search looks at it
/// alone?
fn is_mistake(choice: Point, turn: &Turn, search: &mut Search) -> bool {
    let left = turn.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
    let playouts = (turn.report.playouts / CHECK_SHARE).max(CHECK_PLAYOUTS);
    let limit =
        Limit { playouts: Some(playouts), planned: left, maximum: left, ..Limit::default() };
    let request = Request { limit, allow: vec![choice], exhaustive: true, ..Request::default() };
    let check = search.run(turn.game, &request, turn.interrupt, &mut |_| ());
    let Some(only) = check.candidates.first().filter(|only| only.visits > 0) else {
        return true;
    };
    let deviation = (only.winrate * (1.0 - only.winrate) / only.visits as f64).sqrt();
    only.winrate + 2.0 * deviation + turn.params.pass.concession < turn.report.winrate
}
