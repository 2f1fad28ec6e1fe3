//! Local reading: is a chain captured when both sides play well around it?
//!
//! Playouts decide most stones at the end of a game, and are unsure of exactly the shapes that
//! textbooks are sure of: nakade, bent four, seki, snapback. There the eyespace is small, so the
//! answer can be read: alternating play, passes included, inside a [`Scope`] whose surroundings
//! are taken for alive, until the target is secure for one side (Benson) or both pass.
//!
//! A ko is given to the attacker, who may retake at once, and a repeated position counts for the
//! attacker: that is what "bent four in the corner is dead" says, and what a board without ko
//! threats says. Unless the defender passed on the way: who throws in two stones and takes one back
//! gets nowhere.
//!
//! Depth-first with iterative deepening and a table of proven positions. A result that rests on a
//! repetition belongs to its path and is not kept. Positions of textbook size (up to some ten empty
//! points) take 50 to 5,000 nodes of some 5 microseconds.

use super::benson::{Scope, only_eyespace, secure_points};
use crate::board::Board;
use crate::tactics::has_one_eye;
use crate::types::{Color, Hash, Point, zobrist_to_play};
use std::collections::HashMap;
use std::time::Instant;

/// What the defender wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A stone stands on the target when both have passed, be it in seki.
    Stay,
    /// The target is unconditionally alive.
    Independence,
}

/// What reading says of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Cannot be captured.
    Alive,
    /// Cannot be saved.
    Dead,
    /// Cannot be captured, nor live by itself.
    Seki,
    /// Whoever plays first decides.
    Unsettled,
    /// Too much to read.
    Unknown,
}

/// Depths of the iterations.
const DEPTHS: [u32; 5] = [5, 9, 14, 20, 30];

/// Reads local fights.
#[derive(Default)]
pub struct LocalReader {
    table: HashMap<Hash, Entry>,
    /// Situations from the root to the present node, and whether the defender's pass led to them.
    path: Vec<(Hash, bool)>,
    nodes_left: u32,
    depth_reached: bool,
    /// When reading must end.
    deadline: Option<Instant>,
}

/// Positions between two looks at the clock.
const LOOK_EVERY: u32 = 256;

#[derive(Clone, Copy)]
struct Entry {
    /// Does the defender reach the goal? None: not with this depth.
    value: Option<bool>,
    depth: u32,
}

/// A value, and whether it rests on a repetition.
#[derive(Clone, Copy)]
struct Finding {
    value: Option<bool>,
    by_repetition: bool,
}

impl Finding {
    fn sure(value: bool) -> Finding {
        Finding { value: Some(value), by_repetition: false }
    }
}

struct Question<'a> {
    scope: &'a Scope,
    target: Point,
    defender: Color,
    goal: Goal,
}

impl LocalReader {
    /// A reader that gives up at a deadline, if there is one.
    pub fn new(deadline: Option<Instant>) -> LocalReader {
        LocalReader { deadline, ..LocalReader::default() }
    }

    /// What becomes of the chain at a point when both sides play inside the scope, and how many
    /// positions it took. Each of the two questions this takes may look at so many.
    pub fn judge(
        &mut self,
        board: &Board,
        target: Point,
        scope: &Scope,
        nodes: u32,
    ) -> (Verdict, u32) {
        let Some(defender) = board.cell(target).color() else {
            return (Verdict::Unknown, 0);
        };
        let mut used = 0;
        let mut ask = |first: Color, goal: Goal| {
            let question = Question { scope, target, defender, goal };
            let answer = self.ask(board, &question, first, nodes);
            used += nodes - self.nodes_left;
            answer
        };
        let verdict = match ask(defender.opponent(), Goal::Stay) {
            Some(true) => match ask(defender, Goal::Independence) {
                Some(false) => Verdict::Seki,
                Some(true) | None => Verdict::Alive,
            },
            Some(false) => match ask(defender, Goal::Stay) {
                Some(false) => Verdict::Dead,
                Some(true) => Verdict::Unsettled,
                None => Verdict::Unknown,
            },
            None => Verdict::Unknown,
        };
        (verdict, used)
    }

    fn ask(
        &mut self,
        board: &Board,
        question: &Question,
        first: Color,
        nodes: u32,
    ) -> Option<bool> {
        self.table.clear();
        self.nodes_left = nodes;
        let mut start = board.clone();
        // A ko from before is open: the fight is about the position, not about its history.
        start.set_to_play(first.opponent());
        start.set_to_play(first);
        for depth in DEPTHS {
            self.path.clear();
            self.depth_reached = false;
            let found = self.search(&start, question, 0, depth);
            if found.value.is_some() {
                return found.value;
            }
            if !self.depth_reached || self.nodes_left == 0 {
                return None;
            }
        }
        None
    }

    fn search(&mut self, board: &Board, question: &Question, passes: u8, depth: u32) -> Finding {
        if let Some(value) = is_decided(board, question, passes) {
            return Finding::sure(value);
        }
        let situation = board.hash() ^ zobrist_to_play(board.to_play());
        let defender_passed = passes > 0 && board.to_play() != question.defender;
        if let Some(first) = self.path.iter().position(|&(before, _)| before == situation) {
            let waited = self.path[first + 1..].iter().any(|&(_, passed)| passed);
            return Finding { value: Some(waited || defender_passed), by_repetition: true };
        }
        let key = key(board, situation, passes);
        if let Some(entry) = self.table.get(&key)
            && (entry.value.is_some() || entry.depth >= depth)
        {
            self.depth_reached |= entry.value.is_none();
            return Finding { value: entry.value, by_repetition: false };
        }
        if depth == 0 || self.nodes_left == 0 {
            self.depth_reached = true;
            return Finding { value: None, by_repetition: false };
        }
        self.path.push((situation, defender_passed));
        let found = self.try_moves(board, question, passes, depth);
        self.path.pop();
        if !found.by_repetition {
            self.table.insert(key, Entry { value: found.value, depth });
        }
        found
    }

    /// The mover needs one move that reaches its end; else the value is unknown if any move's is.
    fn try_moves(&mut self, board: &Board, question: &Question, passes: u8, depth: u32) -> Finding {
        let color = board.to_play();
        let wanted = color == question.defender;
        let mut value = Some(!wanted);
        let mut by_repetition = false;
        for point in moves(board, question) {
            self.nodes_left = self.nodes_left.saturating_sub(1);
            if self.nodes_left.is_multiple_of(LOOK_EVERY)
                && self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                self.nodes_left = 0;
            }
            let mut next = board.clone();
            next.play_legal(point);
            if next.to_play() != question.defender && !next.ko().is_pass() {
                // The attacker may retake: giving the turn away and back opens the ko.
                next.set_to_play(question.defender);
                next.set_to_play(question.defender.opponent());
            }
            let passes = if point.is_pass() { passes + 1 } else { 0 };
            let found = self.search(&next, question, passes, depth - 1);
            match found.value {
                Some(reached) if reached == wanted => return found,
                Some(_) => {}
                None => value = None,
            }
            by_repetition |= found.by_repetition;
        }
        Finding { value, by_repetition }
    }
}

/// Situation, ko and passes in one number.
fn key(board: &Board, situation: Hash, passes: u8) -> Hash {
    let rest = (board.ko().index() as u64) << 2 | u64::from(passes);
    situation ^ rest.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Does the position decide the question? True is the defender's success.
fn is_decided(board: &Board, question: &Question, passes: u8) -> Option<bool> {
    let &Question { scope, target, defender, goal } = question;
    let stands = board.is_stone(target, defender);
    if stands
        && (scope.is_safe(board, target) || secure_points(board, defender, scope).contains(target))
    {
        return Some(true);
    }
    if passes >= 2 {
        return Some(stands && goal == Goal::Stay);
    }
    if !stands && is_given_up(board, question) {
        return Some(false);
    }
    if secure_points(board, defender.opponent(), scope).contains(target) {
        return Some(false);
    }
    let is_one_eye = |eyespace: Vec<Point>| {
        let attacked = |point: Point| board.is_stone(point, defender.opponent());
        has_one_eye(&eyespace, attacked)
    };
    let lost = stands && only_eyespace(board, defender, scope).is_some_and(is_one_eye);
    lost.then_some(false)
}

/// The target is captured, and all around the hole are chains taken for alive. Coming back to life
/// inside is left out: it takes a captured chain of seven stones and more.
fn is_given_up(board: &Board, question: &Question) -> bool {
    let attacker = question.defender.opponent();
    let mut hole = vec![question.target];
    let mut next = 0;
    while next < hole.len() {
        for neighbor in hole[next].neighbors() {
            if board.is_stone(neighbor, attacker) {
                if !question.scope.is_safe(board, neighbor) {
                    return false;
                }
            } else if neighbor.is_on_board(board.size()) && !hole.contains(&neighbor) {
                if !question.scope.contains(neighbor) {
                    return false;
                }
                hole.push(neighbor);
            }
        }
        next += 1;
    }
    true
}

/// Moves inside the scope, likely ones first; a pass comes before what throws stones away.
fn moves(board: &Board, question: &Question) -> Vec<Point> {
    let color = board.to_play();
    let mut rated: Vec<(i32, Point)> = Vec::new();
    for &point in question.scope.points() {
        if board.is_legal(color, point) && !board.is_eye(color, point) {
            rated.push((rate(board, question, color, point), point));
        }
    }
    rated.push((-20, Point::PASS));
    rated.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    rated.into_iter().map(|(_, point)| point).collect()
}

fn rate(board: &Board, question: &Question, color: Color, point: Point) -> i32 {
    let mut rating = 0;
    let liberties = board.liberties_after::<3>(color, point).len() as i32;
    for neighbor in point.neighbors() {
        if board.is_empty(neighbor) {
            rating += 8;
        } else if board.is_stone(neighbor, color) {
            if board.is_in_atari(neighbor) && liberties > 1 {
                rating += 40;
            }
        } else if board.is_stone(neighbor, color.opponent()) {
            match board.liberty_count(neighbor) {
                1 => rating += 80 + board.chain_size(neighbor) as i32,
                2 => rating += 10,
                _ => {}
            }
        }
        if board.head(neighbor) == board.head(question.target) && !board.head(neighbor).is_pass() {
            rating += 5;
        }
    }
    if liberties <= 1 && rating < 80 {
        rating -= 60;
    }
    rating
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Diagram;
    use crate::types::Marker;

    /// Judges the chain at a point on a board where the other colour's stones that are not named
    /// as unsafe are taken for alive.
    fn judge(diagram: &str, target: (usize, usize), inner: &[(usize, usize)]) -> Verdict {
        let board = Diagram::parse(diagram).unwrap().board;
        let target = Point::new(target.0, target.1);
        let attacker = board.cell(target).color().unwrap().opponent();
        let inner: Vec<Point> = inner.iter().map(|&(x, y)| board.head(Point::new(x, y))).collect();
        let mut safe = Marker::new();
        let mut points = Vec::new();
        for point in board.points() {
            if board.is_stone(point, attacker) && !inner.contains(&board.head(point)) {
                safe.insert(point);
            } else if reaches(&board, target, point, attacker, &inner) {
                points.push(point);
            }
        }
        let scope = Scope::new(points, safe);
        LocalReader::new(None).judge(&board, target, &scope, 50_000).0
    }

    /// Is there a way from the target that crosses no outer stone of the attacker?
    fn reaches(board: &Board, from: Point, to: Point, attacker: Color, inner: &[Point]) -> bool {
        let mut list = vec![from];
        let mut next = 0;
        while next < list.len() {
            for neighbor in list[next].neighbors() {
                let wall =
                    board.is_stone(neighbor, attacker) && !inner.contains(&board.head(neighbor));
                if neighbor.is_on_board(board.size()) && !wall && !list.contains(&neighbor) {
                    list.push(neighbor);
                }
            }
            next += 1;
        }
        list.contains(&to)
    }

    #[test]
    fn shapes_of_three_and_four() {
        let straight_three = ". . . X O\nX X X X O\nO O O O O\n. . . . .\n. . . . .";
        assert_eq!(judge(straight_three, (1, 4), &[]), Verdict::Unsettled);
        let square = ". . X O .\n. . X O .\nX X X O .\nO O O O .\n. . . . .";
        assert_eq!(judge(square, (1, 3), &[]), Verdict::Dead);
        let straight_four =
            ". . . . X O\nX X X X X O\nO O O O O O\n. . . . . .\n. . . . . .\n. . . . . .";
        assert_eq!(judge(straight_four, (1, 5), &[]), Verdict::Alive);
    }
}
