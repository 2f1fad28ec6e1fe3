//! What is alive, dead or in seki, and whose the points are.

use super::command::Reply;
use super::info::vertices;
use super::parse::SYNTAX_ERROR;
use super::session::Session;
use crate::board::Board;
use crate::game::Standing;
use crate::types::{Color, Marker, Point, PointMap};

/// The status of one point, as GNU Go names it.
pub fn of_point(session: &mut Session, point: Point) -> &'static str {
    let standing = session.assess().standing;
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
    let standing = session.assess().standing;
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
            let same = |p: &Point| board.cell(*p) == board.cell(point);
            open.extend(member.neighbors().into_iter().filter(same));
        }
        group.sort_unstable();
        lines.push(vertices(&group));
    }
    Ok(lines.join("\n"))
}
