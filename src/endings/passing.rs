//! Whether to pass, decided from what the search and the assessment say, and nothing else.
//!
//! Friendly (KGS, people): dead stones are agreed on after the game, so a settled board is passed
//! on, won or lost. Strict (CGOS, Tromp-Taylor): every stone counts as alive, so a pass must win on
//! the board as it stands, and dead stones are captured until it does. Cleanup (kgsGtp, after a
//! dispute): all dead stones are captured, then it passes.
//!
//! What keeps the game going is a useful point: a move that the search may find good and that is
//! neither inside territory that is clear, its own or the opponent's, nor beside a seki. Under area
//! rules a neutral point is worth one point to whoever takes it; under territory rules nothing.

use super::status::Assessment;
use crate::game::{Game, Scoring, Standing};
use crate::params::PassMode;
use crate::search::Report;
use crate::tactics::is_bad_self_atari;
use crate::types::{Color, Move, Point, PointMap};

/// Ownership from which on territory is clear.
const CLEAR: f32 = 0.85;
/// Share of points that may still be open for a board to look settled.
const OPEN_SHARE: f32 = 0.12;

/// How the end is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// An ordinary move.
    Play(PassMode),
    /// Dead stones are to be captured before the next pass.
    Cleanup,
}

/// What to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Pass.
    Pass,
    /// Play here.
    Play(Point),
    /// Capture dead stones.
    CaptureDead,
}

/// What to do, and why it is or is not a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What.
    pub action: Action,
    /// Why, as a phrase.
    pub reason: String,
}

impl Plan {
    fn new(action: Action, reason: impl Into<String>) -> Plan {
        Plan { action, reason: reason.into() }
    }
}

/// Does a search's ownership say that an assessment is worth making?
pub fn looks_settled(game: &Game, report: &Report) -> bool {
    let board = game.board();
    let open = board.points().filter(|&point| report.ownership[point].abs() < 0.7).count();
    open as f32 <= OPEN_SHARE * (game.size() * game.size()) as f32
}

/// Decides for the player to move.
pub fn plan(game: &Game, report: &Report, assessment: &Assessment, manner: Manner) -> Plan {
    let view = View::new(game, report, assessment);
    match manner {
        Manner::Play(PassMode::Friendly) => view.friendly(),
        Manner::Play(PassMode::Strict) => view.strict(),
        Manner::Cleanup => view.cleanup(),
    }
}

/// The position from the side of the player to move.
struct View<'a> {
    game: &'a Game,
    report: &'a Report,
    assessment: &'a Assessment,
    color: Color,
    /// Points within two steps of a chain that whoever plays first decides.
    near_unsettled: PointMap<bool>,
    /// Liberties of stones in seki.
    beside_seki: PointMap<bool>,
}

impl<'a> View<'a> {
    fn new(game: &'a Game, report: &'a Report, assessment: &'a Assessment) -> View<'a> {
        let board = game.board();
        let mut near_unsettled = PointMap::filled(false);
        for &head in &assessment.unsettled {
            for stone in board.chain(head) {
                for near in stone.neighbors() {
                    near_unsettled[near] = true;
                    if near.is_on_board(game.size()) {
                        near.neighbors().into_iter().for_each(|p| near_unsettled[p] = true);
                    }
                }
            }
        }
        let mut beside_seki = PointMap::filled(false);
        for stone in board.points().filter(|&p| assessment.standing.seki.contains(p)) {
            stone.neighbors().into_iter().for_each(|p| beside_seki[p] = true);
        }
        let color = board.to_play();
        View { game, report, assessment, color, near_unsettled, beside_seki }
    }

    /// The result in points for the player to move.
    fn result(&self, standing: &Standing) -> f32 {
        self.game.score(standing).0 * self.color.sign() as f32
    }

    fn opponent_passed(&self) -> bool {
        let last = self.game.moves().last();
        last.is_some_and(|last| last.color == self.color.opponent() && last.point.is_pass())
    }

    /// May a move here gain anything?
    fn is_useful(&self, point: Point) -> bool {
        let board = self.game.board();
        if point.is_pass()
            || self.beside_seki[point]
            || !self.game.is_legal(Move::new(self.color, point))
            || is_bad_self_atari(board, self.color, point)
        {
            return false;
        }
        if self.near_unsettled[point] {
            return true;
        }
        let secure = &self.assessment.secure;
        let held = Color::BOTH.iter().any(|&color| secure[color].contains(point));
        if held || self.assessment.ownership[point].abs() >= CLEAR {
            return false;
        }
        match self.game.rules().scoring {
            Scoring::Area => true,
            Scoring::Territory => !self.is_between(point),
        }
    }

    /// Does an empty point touch living stones of both colours?
    fn is_between(&self, point: Point) -> bool {
        let dead = &self.assessment.standing.dead;
        let board = self.game.board();
        let beside = |color: Color| {
            point.neighbors().iter().any(|&p| board.is_stone(p, color) && !dead.contains(p))
        };
        Color::BOTH.into_iter().all(beside)
    }

    /// The useful move that the search likes best.
    fn best_useful(&self) -> Option<Point> {
        self.report.candidates.iter().map(|c| c.point).find(|&point| self.is_useful(point))
    }

    /// The search's move, unless it passes or wastes a stone in what is the player's own anyway or
    /// in a seki.
    fn searched_move(&self) -> Option<Point> {
        let own = |point: Point| self.assessment.ownership[point] * self.color.sign() as f32;
        let best = self.report.candidates.first()?.point;
        (!best.is_pass() && !self.beside_seki[best] && own(best) < CLEAR).then_some(best)
    }

    /// The stones of the opponent that are dead.
    fn dead_enemies(&self) -> usize {
        let enemy = self.color.opponent();
        let dead = &self.assessment.standing.dead;
        let board = self.game.board();
        board.points().filter(|&p| board.is_stone(p, enemy) && dead.contains(p)).count()
    }

    fn friendly(&self) -> Plan {
        if let Some(point) = self.best_useful() {
            return Plan::new(Action::Play(point), self.what_is_open(point));
        }
        let result = self.result(&self.assessment.standing);
        if result < 0.0
            && self.report.winrate > 0.5
            && let Some(point) = self.searched_move()
        {
            let reason = format!("the count is {} behind, but the search likes {point}", -result);
            return Plan::new(Action::Play(point), reason);
        }
        let who = if self.opponent_passed() { "the opponent passed and " } else { "" };
        Plan::new(Action::Pass, format!("{who}nothing is left to gain"))
    }

    fn strict(&self) -> Plan {
        let as_it_stands = self.result(&Standing::as_it_stands());
        if self.opponent_passed() && as_it_stands > 0.0 {
            return Plan::new(Action::Pass, "the board wins as it stands");
        }
        if let Some(point) = self.best_useful() {
            return Plan::new(Action::Play(point), self.what_is_open(point));
        }
        if as_it_stands > 0.0 {
            return Plan::new(Action::Pass, "the board wins as it stands, nothing is left to gain");
        }
        let dead = self.dead_enemies();
        if dead > 0 {
            let reason = format!("{dead} dead stones would count as alive");
            return Plan::new(Action::CaptureDead, reason);
        }
        if self.report.winrate > 0.3
            && let Some(point) = self.searched_move()
        {
            let reason = "the board loses as it stands, and the search sees a chance";
            return Plan::new(Action::Play(point), reason);
        }
        Plan::new(Action::Pass, "nothing can change the result")
    }

    fn cleanup(&self) -> Plan {
        let dead = self.dead_enemies();
        if dead > 0 {
            return Plan::new(Action::CaptureDead, format!("{dead} dead stones are on the board"));
        }
        match self.best_useful() {
            Some(point) => Plan::new(Action::Play(point), self.what_is_open(point)),
            None => Plan::new(Action::Pass, "no dead stones are left"),
        }
    }

    fn what_is_open(&self, point: Point) -> String {
        if self.near_unsettled[point] {
            let chains: Vec<String> =
                self.assessment.unsettled.iter().map(Point::to_string).collect();
            return format!("stones are unsettled at {}", chains.join(" "));
        }
        let open = self.game.board().points().filter(|&p| self.is_useful(p)).count();
        format!("{open} points are open, {point} among them")
    }
}
