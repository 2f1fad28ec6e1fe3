//! What is alive, dead or in seki, and whose the points are.

use super::command::Reply;
use super::info::vertices;
use super::parse::SYNTAX_ERROR;
use super::session::Session;
use crate::board::Board;
use crate::game::Standing;
use crate::types::{Color, Marker, Point, PointMap};

/// What the rules count: under Tromp-Taylor rules the stones as they stand.
pub fn standing(session: &mut Session) -> Standing {
    if session.engine.game().rules().removes_dead() {
        session.assess().standing
    } else {
        Standing::as_it_stands()
    }
}

/// The status of one point, as GNU Go names it.
pub fn of_point(session: &mut Session, point: Point) -> &'static str {
    let standing = standing(session);
    let game = session.engine.game();
    name(game.board(), &standing, &game.owners(&standing), point)
}

fn name(
    board: &Board,
    standing: &Standing,
    owner: &PointMap<Option<Color>>,
    point: Point,
) -> &'static str {
    match board.cell(point).color() {
        Some(_) if standing.dead.contains(point) => "dead",
        Some(_) if standing.seki.contains(point) => "seki",
        Some(_) => "alive",
        None => match owner[point] {
            Some(Color::Black) => "black_territory",
            Some(Color::White) => "white_territory",
            None => "dame",
        },
    }
}

/// The stones or points of a status, a chain or region a line.
pub fn list(session: &mut Session, status: &str) -> Reply {
    const KNOWN: [&str; 6] =
        ["alive", "dead", "seki", "black_territory", "white_territory", "dame"];
    if !KNOWN.contains(&status) {
        return Err(SYNTAX_ERROR.to_owned());
    }
    let standing = standing(session);
    let board = session.engine.game().board();
    let owner = session.engine.game().owners(&standing);
    let mut seen = Marker::new();
    let mut lines = Vec::new();
    for point in board.points() {
        if seen.contains(point) || name(board, &standing, &owner, point) != status {
            continue;
        }
        let mut group = Vec::new();
        let mut open = vec![point];
        while let Some(member) = open.pop() {
            if !seen.insert(member) {
                continue;
            }
            group.push(member);
            // A region may be territory in part: each point goes where it belongs by itself.
            let same = |p: &Point| {
                board.cell(*p) == board.cell(point) && name(board, &standing, &owner, *p) == status
            };
            open.extend(member.neighbors().into_iter().filter(same));
        }
        group.sort_unstable();
        lines.push(vertices(&group));
    }
    Ok(lines.join("\n"))
}
