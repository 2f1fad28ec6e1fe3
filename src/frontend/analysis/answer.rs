//! Search reports as KataGo's analysis engine writes them.

use super::query::{Include, Query, Side};
use crate::frontend::gtp::info::{from_top_left, rounded, utility, visited};
use crate::game::Game;
use crate::search::{Candidate, PointOwners, Report};
use crate::types::{Color, Move, Point, PointMap};
use serde_json::{Value, json};

/// The answer for one turn.
pub fn analysis(query: &Query, turn: usize, game: &Game, report: &Report, during: bool) -> Value {
    let view = View::new(query.side, report.to_play);
    let (size, include) = (game.size(), query.include);
    let info = |(order, candidate): (usize, &Candidate)| {
        let mut info = move_info(order, candidate, report, view);
        details(&mut info, candidate, query, size, view);
        info
    };
    let infos: Vec<Value> = visited(report).enumerate().map(info).collect();
    let mut answer = json!({
        "id": query.id,
        "turnNumber": turn,
        "isDuringSearch": during,
        "moveInfos": infos,
        "rootInfo": root_info(report, game, view),
    });
    if include.ownership {
        answer["ownership"] = point_list(&report.ownership, size, view.of_black());
    }
    if include.ownership_deviation {
        answer["ownershipStdev"] = point_list(&report.ownership_deviation, size, 1.0);
    }
    if include.policy {
        answer["policy"] = policy(report, game);
    }
    answer
}

/// The answer for a turn that was ended before it began.
pub fn no_results(id: &str, turn: usize) -> Value {
    json!({ "id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true })
}

/// Whether values of the player to move are to be turned around.
#[derive(Clone, Copy)]
struct View {
    flip: bool,
    to_play: Color,
}

impl View {
    fn new(side: Side, to_play: Color) -> View {
        View { flip: side == Side::Of(to_play.opponent()), to_play }
    }

    fn share(self, share: f64) -> Value {
        round(if self.flip { 1.0 - share } else { share })
    }

    fn score(self, score: f64) -> Value {
        round(if self.flip { -score } else { score })
    }

    /// 1 if values are told from Black's side, -1 if from White's.
    fn of_black(self) -> f64 {
        f64::from(self.to_play.sign()) * if self.flip { -1.0 } else { 1.0 }
    }
}

/// Six digits are enough, and lines stay short.
fn round(value: f64) -> Value {
    json!(rounded(value, 1e6))
}

/// A value a point from the top left. Three digits are more than playouts can tell.
fn point_list(values: &PointMap<f32>, size: usize, sign: f64) -> Value {
    let value = |point| json!(rounded(f64::from(values[point]) * sign, 1e3));
    from_top_left(size).map(value).collect()
}

/// The variation of a move, and what a query asks for beside it. As there is one way only into a
/// position of the tree, the visits of a move and those of the position after it are the same.
fn details(info: &mut Value, candidate: &Candidate, query: &Query, size: usize, view: View) {
    let length = query.variation_length.saturating_add(1);
    let variation = candidate.variation.iter().take(length);
    info["pv"] = variation.map(Point::to_string).collect();
    let Include { moves_ownership, moves_ownership_deviation, variation_visits, .. } =
        query.include;
    if variation_visits {
        let visits = candidate.variation_visits.iter().take(length);
        let visits: Value = visits.copied().collect();
        info["pvVisits"] = visits.clone();
        info["pvEdgeVisits"] = visits;
    }
    let Some(PointOwners { mean, deviation }) = candidate.owners.as_deref() else { return };
    if moves_ownership {
        info["ownership"] = point_list(mean, size, view.of_black());
    }
    if moves_ownership_deviation {
        info["ownershipStdev"] = point_list(deviation, size, 1.0);
    }
}

fn move_info(order: usize, candidate: &Candidate, report: &Report, view: View) -> Value {
    // The lower bound is the mover's; from the other side it is an upper one, as with KataGo.
    json!({
        "move": candidate.point.to_string(),
        "order": order,
        "visits": candidate.visits,
        "edgeVisits": candidate.visits,
        "weight": candidate.visits,
        "winrate": view.share(candidate.winrate),
        "lcb": view.share(candidate.lower_bound),
        "utility": view.score(utility(candidate.winrate)),
        "utilityLcb": view.score(utility(candidate.lower_bound)),
        "scoreLead": view.score(candidate.score),
        "scoreMean": view.score(candidate.score),
        "scoreSelfplay": view.score(candidate.score),
        "scoreStdev": round(report.score_deviation),
        "prior": round(candidate.prior),
    })
}

fn root_info(report: &Report, game: &Game, view: View) -> Value {
    json!({
        "currentPlayer": report.to_play.letter().to_string(),
        "visits": report.visits,
        "weight": report.visits,
        "winrate": view.share(report.winrate),
        "utility": view.score(utility(report.winrate)),
        "scoreLead": view.score(report.score),
        "scoreSelfplay": view.score(report.score),
        "scoreStdev": round(report.score_deviation),
        "thisHash": format!("{:016X}", game.situation()),
    })
}

/// What the model expects of every point and of a pass, -1 where a move is not legal.
fn policy(report: &Report, game: &Game) -> Value {
    let total: f64 = report.candidates.iter().map(|candidate| candidate.prior).sum();
    let prior = |point: Point| {
        let found = report.candidates.iter().find(|candidate| candidate.point == point);
        match found {
            Some(candidate) => round(candidate.prior / total.max(1e-12)),
            None if game.is_legal(Move::new(report.to_play, point)) => json!(0.0),
            None => json!(-1.0),
        }
    };
    from_top_left(game.size()).chain([Point::PASS]).map(prior).collect()
}
