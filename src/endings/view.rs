//! The end of a game from the side of the player to move: which points are still worth a move.
//!
//! A useful point is a move that the search may find good and that is neither inside territory that is clear, its own
//! or the opponent's, nor beside a seki. Under area rules a neutral point is worth one point to whoever takes it.
//! Under territory rules it is worth nothing and costs nothing: it is taken while the opponent plays on, and left when
//! he passes, unless it threatens a chain.

use super::status::Assessment;
use crate::game::{Game, Scoring, Standing};
use crate::search::Report;
use crate::tactics::is_bad_self_atari;
use crate::types::{Color, Move, Point, PointMap};

/// Ownership from which on an open point, which both colours reach, is clear.
const CLEAR: f32 = 0.85;
/// Ownership from which on territory inside a closed border is clear. Playouts invade large
/// territories now and then with success, a player does not.
const CLEAR_INSIDE: f32 = 0.4;

/// The position from the side of the player to move.
pub(super) struct View<'a> {
    pub(super) game: &'a Game,
    pub(super) report: &'a Report,
    pub(super) assessment: &'a Assessment,
    pub(super) color: Color,
    /// Who owns each point by the borders alone, dead stones taken off.
    borders: PointMap<Option<Color>>,
    /// Points within two steps of a chain that whoever plays first decides.
    near_unsettled: PointMap<bool>,
}

impl<'a> View<'a> {
    pub(super) fn new(game: &'a Game, report: &'a Report, assessment: &'a Assessment) -> View<'a> {
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
        let color = board.to_play();
        let borders = board.area_without(&assessment.standing.dead);
        View { game, report, assessment, color, borders, near_unsettled }
    }

    /// The result in points for the player to move.
    pub(super) fn result(&self, standing: &Standing) -> f32 {
        self.game.score(standing).0 * self.color.sign() as f32
    }

    pub(super) fn opponent_passed(&self) -> bool {
        let last = self.game.moves().last();
        last.is_some_and(|last| last.color == self.color.opponent() && last.point.is_pass())
    }

    /// May a move here gain anything?
    pub(super) fn is_useful(&self, point: Point) -> bool {
        let board = self.game.board();
        if point.is_pass()
            || self.assessment.is_beside_seki(point)
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
        let value = self.assessment.ownership[point];
        let clear = match self.borders[point] {
            Some(owner) => value * owner.sign() as f32 >= CLEAR_INSIDE,
            None => {
                value.abs() >= CLEAR && !self.is_favourite(point) && !self.is_open_border(point)
            }
        };
        if held || clear {
            return false;
        }
        match self.game.rules().scoring {
            Scoring::Area => true,
            Scoring::Territory => {
                !self.opponent_passed() || !self.is_between(point) || self.threatens(point)
            }
        }
    }

    /// Is this the search's own choice, where a stone costs nothing? Playouts are sure of borders
    /// that one good move pushes in; the search finds the move.
    fn is_favourite(&self, point: Point) -> bool {
        let free = self.game.rules().scoring == Scoring::Area || !self.opponent_passed();
        free && self.report.candidates.first().is_some_and(|best| best.point == point)
    }

    /// Is this a point of a border that is not closed, worth a move whoever seems to own it? To pass
    /// first before it is closed gives points away.
    fn is_open_border(&self, point: Point) -> bool {
        let free = self.game.rules().scoring == Scoring::Area || !self.opponent_passed();
        free && self.is_between(point)
    }

    /// Would a stone here leave a living chain of the opponent with one liberty or none?
    fn threatens(&self, point: Point) -> bool {
        let board = self.game.board();
        let dead = &self.assessment.standing.dead;
        point.neighbors().into_iter().any(|p| {
            board.is_stone(p, self.color.opponent())
                && board.liberty_count(p) <= 2
                && !dead.contains(p)
        })
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
    pub(super) fn best_useful(&self) -> Option<Point> {
        self.report.candidates.iter().map(|c| c.point).find(|&point| self.is_useful(point))
    }

    /// The search's move, unless it passes or wastes a stone in what is the player's own anyway or
    /// in a seki.
    pub(super) fn searched_move(&self) -> Option<Point> {
        let best = self.report.candidates.first()?.point;
        let own = self.borders[best] == Some(self.color);
        (!best.is_pass() && !self.assessment.is_beside_seki(best) && !own).then_some(best)
    }

    /// The stones of the opponent that are dead.
    pub(super) fn dead_enemies(&self) -> usize {
        let enemy = self.color.opponent();
        let dead = &self.assessment.standing.dead;
        let board = self.game.board();
        board.points().filter(|&p| board.is_stone(p, enemy) && dead.contains(p)).count()
    }

    pub(super) fn what_is_open(&self, point: Point) -> String {
        if self.near_unsettled[point] {
            let chains: Vec<String> =
                self.assessment.unsettled.iter().map(Point::to_string).collect();
            return format!("stones are unsettled at {}", chains.join(" "));
        }
        let open = self.game.board().points().filter(|&p| self.is_useful(p)).count();
        format!("{open} points are open, {point} among them")
    }
}
