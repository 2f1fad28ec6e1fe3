//! Which stones are alive, dead or in seki.
//!
//! Three judges, each asked only where the one before is unsure:
//! 1. Benson: what is unconditionally alive, and what is enclosed by it;
//! 2. ownership over fresh playouts, a fixed number from a fixed seed, half of them with each side
//!    to move first, so that the same position gets the same answer whoever passed before;
//! 3. local reading ([`super::reading`]) of chains that the playouts are unsure of, that have one
//!    or two liberties, or that have few and face others with few: sekis look alive to playouts.
//!
//! A chain that whoever plays first decides (both sides overlooked it) belongs to the player to
//! move; a stone that only a ko captures, to its owner. A chain that cannot be read is what the
//! playouts say.

use super::benson::{Scope, secure_points};
use super::reading::{LocalReader, Verdict};
use super::tiny;
use crate::board::Board;
use crate::game::{Game, Standing};
use crate::params::{Params, PlayoutParams};
use crate::playout::{Limits, Ownership, RulePolicy, play_out};
use crate::tactics::Reader;
use crate::types::{Color, ColorMap, Marker, Point, PointMap, Rng};
use std::time::Instant;

/// Ownership from which on a chain's fate is taken for clear.
const CLEAR: f32 = 0.9;
/// Ownership from which on a chain serves as a wall for reading beside it.
const WALL: f32 = 0.8;
/// Ownership from which on an empty point that both colours can reach is somebody's.
const CLAIM: f32 = 0.7;
/// A chain with more liberties is in no seki.
const SEKI_LIBERTIES: u32 = 6;
/// Empty points beyond which a fight is not read.
const MAX_EMPTY: usize = 13;
/// The playouts' random numbers.
const SEED: u64 = 0x656E_6469_6E67;

/// What is known of a position at or near the end.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Dead stones and sekis, and who owns open points.
    pub standing: Standing,
    /// Mean owner of each point over the playouts, from Black's side.
    pub ownership: PointMap<f32>,
    /// The points that each colour holds unconditionally.
    pub secure: ColorMap<Marker>,
    /// A stone of each chain that whoever plays first decides.
    pub unsettled: Vec<Point>,
    /// A stone of each chain that could not be read and that the playouts are not sure of.
    pub doubtful: Vec<Point>,
}

impl Assessment {
    /// The worst that can happen to a colour: what is unsettled is lost, what is open is the
    /// opponent's.
    pub fn worst_for(&self, game: &Game, color: Color) -> Standing {
        let board = game.board();
        let is_unsettled = |point: Point| self.unsettled.contains(&board.head(point));
        let mut worst = self.standing.clone();
        worst.dead.clear();
        for point in board.points() {
            let lost = match (is_unsettled(point), board.is_stone(point, color)) {
                (true, own) => own,
                (false, _) => self.standing.dead.contains(point),
            };
            if lost && !board.is_empty(point) {
                worst.dead.insert(point);
            }
            let own = self.ownership[point] * color.sign() as f32;
            if own < CLEAR {
                worst.claims[point] = Some(color.opponent());
            }
        }
        worst
    }

    /// Is this a liberty of a stone in seki?
    pub fn is_beside_seki(&self, point: Point) -> bool {
        !point.is_pass() && point.neighbors().iter().any(|&p| self.standing.seki.contains(p))
    }
}

/// Assesses a position. Without a deadline the answer depends on nothing but the stones, the
/// player to move and the parameters.
pub fn assess(game: &Game, params: &Params, deadline: Option<Instant>) -> Assessment {
    let board = game.board();
    let ownership = sample(board, params, deadline);
    let whole = Scope::whole(board);
    let secure = ColorMap(Color::BOTH.map(|color| secure_points(board, color, &whole)));
    let mut judge = Judge {
        board,
        ownership: &ownership,
        secure: &secure,
        reader: LocalReader::new(deadline),
        ladders: Reader::new(),
        nodes: params.status.nodes as u32,
        nodes_left: params.status.total_nodes as u32,
        deadline,
    };
    let rulings: Vec<Ruling> = chains(board).map(|head| judge.rule(head)).collect();
    let (mut standing, unsettled) = collect(board, &rulings, &ownership);
    if game.size() == 2 {
        standing = tiny::standing(game);
    }
    let doubtful = rulings.iter().filter(|ruling| ruling.doubtful).map(|ruling| ruling.head);
    let doubtful = doubtful.collect();
    Assessment { standing, ownership, secure, unsettled, doubtful }
}

/// The heads of all chains.
fn chains(board: &Board) -> impl Iterator<Item = Point> + '_ {
    board.points().filter(|&point| board.head(point) == point)
}

/// Mean ownership over playouts from both sides to move.
fn sample(board: &Board, params: &Params, deadline: Option<Instant>) -> PointMap<f32> {
    // No self-atari but the good kinds: the others would break up sekis.
    let careful = PlayoutParams { self_atari: 1.0, ..params.playout.clone() };
    let mut policy = RulePolicy::new(&careful);
    let mut rng = Rng::new(SEED);
    let mut ownership = Ownership::new();
    let limits = Limits::for_size(board.size());
    let mut start = board.clone();
    // Two passes: neither the last moves nor a ko matter to what the stones are.
    start.play_legal(Point::PASS);
    start.play_legal(Point::PASS);
    let mut playout = start.clone();
    for number in 0..params.status.playouts {
        if number % 16 == 8 && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        playout.copy_from(&start);
        playout.set_to_play(Color::BOTH[number as usize % 2]);
        play_out(&mut policy, &mut playout, &mut rng, limits, |_, _| ());
        ownership.add(&playout);
    }
    let mut map = PointMap::filled(0.0);
    board.points().for_each(|point| map[point] = ownership.value(point));
    map
}

/// What was found of one chain.
struct Ruling {
    head: Point,
    verdict: Verdict,
    /// Do the playouts disagree, and is it too much to read?
    open: bool,
    /// Are they at least unsure, and is it too much to read?
    doubtful: bool,
    /// Enemy chains that took part in the fight that was read.
    opponents: Vec<Point>,
}

struct Judge<'a> {
    board: &'a Board,
    ownership: &'a PointMap<f32>,
    secure: &'a ColorMap<Marker>,
    reader: LocalReader,
    ladders: Reader,
    nodes: u32,
    nodes_left: u32,
    deadline: Option<Instant>,
}

impl Judge<'_> {
    fn rule(&mut self, head: Point) -> Ruling {
        let mut ruling = Ruling {
            head,
            verdict: Verdict::Alive,
            open: false,
            doubtful: false,
            opponents: vec![],
        };
        let Some(color) = self.board.cell(head).color() else {
            return ruling;
        };
        if self.secure[color].contains(head) {
            return ruling;
        }
        ruling.verdict = Verdict::Dead;
        if self.secure[color.opponent()].contains(head) {
            return ruling;
        }
        let strength = self.strength(head);
        if strength >= 0.0 {
            ruling.verdict = Verdict::Alive;
        }
        let in_danger = self.board.liberty_count(head) <= 2;
        if strength.abs() < CLEAR || in_danger || self.may_be_seki(head) {
            self.read(&mut ruling, strength);
        }
        ruling
    }

    fn read(&mut self, ruling: &mut Ruling, strength: f32) {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let verdict = match self.scope(ruling.head) {
            Some(scope) if !late && self.nodes_left > 0 => {
                let nodes = self.nodes.min(self.nodes_left);
                let (verdict, used) = self.reader.judge(self.board, ruling.head, &scope, nodes);
                self.nodes_left = self.nodes_left.saturating_sub(used);
                let enemy = |&&point: &&Point| {
                    self.board.head(point) == point
                        && self.board.cell(point) != self.board.cell(ruling.head)
                };
                ruling.opponents = scope.points().iter().filter(enemy).copied().collect();
                verdict
            }
            _ => Verdict::Unknown,
        };
        match verdict {
            Verdict::Unknown => {
                ruling.open = strength.abs() < 0.5 || self.can_be_caught(ruling.head);
                ruling.doubtful = strength.abs() < WALL;
            }
            verdict => ruling.verdict = verdict,
        }
    }

    /// Does a ladder capture a chain of two liberties that looks alive?
    fn can_be_caught(&mut self, head: Point) -> bool {
        self.board.liberty_count(head) == 2
            && self.ladders.capture_by_ladder(self.board, head).is_some()
    }

    /// How much a chain's owner owns it, -1 to 1.
    fn strength(&self, head: Point) -> f32 {
        let sign = self.board.cell(head).color().map_or(0, Color::sign) as f32;
        let stones = self.board.chain_size(head) as f32;
        sign * self.board.chain(head).map(|stone| self.ownership[stone]).sum::<f32>() / stones
    }

    fn is_secure(&self, head: Point) -> bool {
        Color::BOTH.iter().any(|&color| self.secure[color].contains(head))
    }

    /// The chains of few liberties, none of them secure, that share a liberty with a chain.
    fn neighbors(&self, head: Point) -> Vec<Point> {
        let board = self.board;
        let liberties = board.liberties::<8>(head);
        let around = liberties.iter().flat_map(|liberty| liberty.neighbors());
        around
            .filter(|&point| board.cell(point).color().is_some())
            .map(|point| board.head(point))
            .filter(|&other| board.liberty_count(other) <= SEKI_LIBERTIES && !self.is_secure(other))
            .collect()
    }

    /// Those of them that are hostile.
    fn rivals(&self, head: Point) -> Vec<Point> {
        let mut rivals = self.neighbors(head);
        rivals.retain(|&other| self.board.cell(other) != self.board.cell(head));
        rivals
    }

    /// The rivals of a chain, and what stands by them: a stone between two chains in a seki may be all that
    /// either shares a liberty with.
    fn side_of_rivals(&self, head: Point) -> Vec<Point> {
        let rivals = self.rivals(head);
        let friends = rivals.iter().flat_map(|&rival| self.neighbors(rival));
        let hostile = friends.filter(|&other| self.board.cell(other) != self.board.cell(head));
        rivals.iter().copied().chain(hostile).collect()
    }

    /// Has a chain of few liberties a rival, neither of them dead?
    fn may_be_seki(&self, head: Point) -> bool {
        let lives = |head: Point| self.strength(head) > -0.5;
        self.board.liberty_count(head) <= SEKI_LIBERTIES
            && lives(head)
            && self.rivals(head).into_iter().any(lives)
    }

    /// The surroundings in which the fate of a chain is decided: wide first, with all neighbours of few
    /// liberties in it, then with its rivals, then narrow.
    fn scope(&self, head: Point) -> Option<Scope> {
        let board = self.board;
        let is_wall = |other: Point, liberties: u32| {
            self.is_secure(other)
                || self.strength(other) >= WALL && board.liberty_count(other) >= liberties
        };
        let wide = flood(board, head, &|other| is_wall(other, 5));
        let rivals = self.side_of_rivals(head);
        wide.or_else(|| flood(board, head, &|other| is_wall(other, 0) && !rivals.contains(&other)))
            .or_else(|| flood(board, head, &|other| is_wall(other, 0)))
    }
}

/// All points reached from a chain without crossing a wall, unless they are too many. A wall that
/// has no liberty beyond them is part of the fight.
fn flood(board: &Board, head: Point, is_wall: &dyn Fn(Point) -> bool) -> Option<Scope> {
    let mut points: Vec<Point> = board.chain(head).collect();
    let mut seen = Marker::new();
    points.iter().for_each(|&point| {
        seen.insert(point);
    });
    let mut walls: Vec<Point> = Vec::new();
    let mut empty = 0;
    let mut next = 0;
    loop {
        while next < points.len() {
            for neighbor in points[next].neighbors() {
                if !neighbor.is_on_board(board.size()) || !seen.insert(neighbor) {
                    continue;
                }
                if board.is_empty(neighbor) {
                    empty += 1;
                    points.push(neighbor);
                } else if is_wall(board.head(neighbor)) {
                    walls.push(board.head(neighbor));
                    board.chain(neighbor).for_each(|stone| {
                        seen.insert(stone);
                    });
                } else {
                    points.push(neighbor);
                }
            }
            if empty > MAX_EMPTY {
                return None;
            }
            next += 1;
        }
        // Liberties that were reached are seen, and are no stones.
        let beyond = |wall: Point| {
            let around = board.chain(wall).flat_map(|stone| stone.neighbors());
            around.into_iter().any(|point| board.is_empty(point) && !seen.contains(point))
        };
        let Some(locked) = walls.iter().position(|&wall| !beyond(wall)) else {
            break;
        };
        points.extend(board.chain(walls.swap_remove(locked)));
    }
    let mut safe = Marker::new();
    for wall in walls {
        for stone in board.chain(wall) {
            safe.insert(stone);
        }
    }
    Some(Scope::new(points, safe))
}

/// Puts the rulings together.
fn collect(board: &Board, rulings: &[Ruling], ownership: &PointMap<f32>) -> (Standing, Vec<Point>) {
    let mut standing = Standing::as_it_stands();
    let mut unsettled = Vec::new();
    let is_seki = |head: &Point| {
        rulings.iter().any(|ruling| ruling.head == *head && ruling.verdict == Verdict::Seki)
    };
    for ruling in rulings {
        let color = board.cell(ruling.head).color();
        let dead = match ruling.verdict {
            Verdict::Dead => true,
            Verdict::Alive => false,
            Verdict::Seki => {
                // A seki takes two.
                if ruling.opponents.iter().any(is_seki) {
                    for stone in board.chain(ruling.head) {
                        standing.seki.insert(stone);
                    }
                }
                false
            }
            Verdict::Unsettled | Verdict::Unknown => color != Some(board.to_play()),
        };
        if ruling.open || ruling.verdict == Verdict::Unsettled {
            unsettled.push(ruling.head);
        }
        if dead {
            for stone in board.chain(ruling.head) {
                standing.dead.insert(stone);
            }
        }
    }
    hold_kos(board, &mut standing);
    claim(board, &mut standing, ownership);
    (standing, unsettled)
}

/// Takes stones that only a ko captures for alive. Whoever took the last ko holds it when the game
/// ends: the opponent may not retake at once, and passed instead. Of 1,500 counted games 32 ended with
/// such a stone of the player who was not to move: 25 count right with it alive, none with it dead.
fn hold_kos(board: &Board, standing: &mut Standing) {
    let held: Vec<Point> =
        chains(board).filter(|&head| holds_a_ko(board, standing, head)).collect();
    let dead = std::mem::take(&mut standing.dead);
    for stone in board.points().filter(|&p| dead.contains(p) && !held.contains(&p)) {
        standing.dead.insert(stone);
    }
}

/// Is this one stone in atari, and would the stone that captures it stand in atari among living stones?
fn holds_a_ko(board: &Board, standing: &Standing, stone: Point) -> bool {
    let liberties = board.liberties::<2>(stone);
    let [liberty] = liberties[..] else {
        return false;
    };
    let is_shut = |point: Point| {
        !point.is_on_board(board.size())
            || board.cell(point) == board.cell(stone)
                && (point == stone || !standing.dead.contains(point))
    };
    board.chain_size(stone) == 1 && liberty.neighbors().into_iter().all(is_shut)
}

/// Gives open points, which both colours reach, to whom the playouts give them; points that touch
/// living stones of both stay neutral.
fn claim(board: &Board, standing: &mut Standing, ownership: &PointMap<f32>) {
    let owner = board.area_without(&standing.dead);
    let living =
        |point: Point, color: Color| board.is_stone(point, color) && !standing.dead.contains(point);
    let mut claims = PointMap::filled(None);
    for point in board.points().filter(|&point| owner[point].is_none()) {
        let beside = |color: Color| point.neighbors().iter().any(|&p| living(p, color));
        let between = beside(Color::Black) && beside(Color::White);
        claims[point] = match ownership[point] {
            _ if between => None,
            value if value >= CLAIM => Some(Color::Black),
            value if value <= -CLAIM => Some(Color::White),
            _ => None,
        };
    }
    standing.claims = claims;
}
