//! The features of what a move does to the chains around it: captures, atari, liberties, races.

use super::diamond;
use super::extract::{Sink, offset};
use super::features as f;
use super::scan::Scan;
use crate::board::Board;
use crate::types::Point;

/// A move and the chains next to it: up to four distinct ones.
pub(super) struct Chains<'a> {
    board: &'a Board,
    scan: &'a Scan,
    point: Point,
    own: [Point; 4],
    own_count: usize,
    enemy: [Point; 4],
    enemy_count: usize,
    captures: bool,
    /// Liberties after the move, at least one.
    after: usize,
    /// The distance class of the last move.
    last_class: usize,
    /// Is the last move beside (1) or diagonal to (2) this one?
    last_side: usize,
}

/// A chain and its liberties, the fewest of several.
type Weakest = (u32, Point);

/// What the enemy chains around a move are together.
struct Enemies {
    gives_atari: bool,
    weakest: Weakest,
}

/// What the own chains around a move are together.
struct Own {
    weakest: Weakest,
    /// The weakest of those that the last move touched.
    threatened: Weakest,
    /// With the new one.
    stones: u32,
    in_atari: bool,
}

const NOBODY: Weakest = (u32::MAX, Point::PASS);

impl<'a> Chains<'a> {
    #[inline(always)]
    pub(super) fn around(
        board: &'a Board,
        scan: &'a Scan,
        point: Point,
        last_class: usize,
    ) -> Chains<'a> {
        let nobody = [Point::PASS; 4];
        let mut chains = Chains {
            board,
            scan,
            point,
            own: nobody,
            own_count: 0,
            enemy: nobody,
            enemy_count: 0,
            captures: false,
            after: 1,
            last_class,
            last_side: 0,
        };
        for neighbor in point.neighbors() {
            let head = board.head(neighbor);
            if head.is_pass() {
                continue;
            }
            if board.is_stone(neighbor, scan.color) {
                if !chains.own().contains(&head) {
                    chains.own[chains.own_count] = head;
                    chains.own_count += 1;
                }
            } else if !chains.enemy().contains(&head) {
                chains.enemy[chains.enemy_count] = head;
                chains.enemy_count += 1;
            }
        }
        chains.captures = chains.enemy().iter().any(|&head| board.liberty_count(head) == 1);
        let after = if chains.own_count == 0 && !chains.captures {
            point.neighbors().iter().filter(|&&n| board.is_empty(n)).count()
        } else {
            board.liberties_after::<6>(scan.color, point).len()
        };
        // A legal move has a liberty, but one that captures may find it only where stones stood.
        chains.after = after.max(1);
        chains.last_side = match board.last_move() {
            last if last.is_pass() => 0,
            last => match diamond::distance(offset(point, last).0, offset(point, last).1) {
                2 => 1,
                3 => 2,
                _ => 0,
            },
        };
        chains
    }

    #[inline(always)]
    fn own(&self) -> &[Point] {
        &self.own[..self.own_count]
    }

    #[inline(always)]
    fn enemy(&self) -> &[Point] {
        &self.enemy[..self.enemy_count]
    }

    /// All features.
    #[inline(always)]
    pub(super) fn tell<S: Sink>(&self, sink: &mut S) {
        let enemies = self.enemy_chains(sink);
        let own = self.own_chains(sink);
        self.contacts(&own, &enemies, sink);
        self.dangers(&own, &enemies, sink);
    }

    /// Each enemy chain.
    #[inline(always)]
    fn enemy_chains<S: Sink>(&self, sink: &mut S) -> Enemies {
        let Chains { board, scan, point, after, .. } = *self;
        let own_class = after.min(3) - 1;
        let last_head = scan.last.map_or(Point::PASS, |last| board.head(last));
        let third_head = scan.third_last.map_or(Point::PASS, |third| board.head(third));
        let mut gives_atari = false;
        let mut weakest = NOBODY;
        for &head in self.enemy() {
            let liberties = board.liberty_count(head);
            let stones = board.chain_size(head);
            let tactics = &scan.tactics[head];
            let holds_last = usize::from(head == last_head);
            if (liberties, u32::MAX - stones) < (weakest.0, u32::MAX) {
                weakest = (liberties, head);
            }
            if liberties == 1 {
                let kind = match (tactics.rescues, tactics.escapes) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => 2,
                };
                let ko = usize::from(stones == 1 && after == 1 && self.own_count == 0);
                let target = match head {
                    head if head == last_head => 1,
                    head if head == third_head => 2,
                    _ => 0,
                };
                sink.feature(f::CAPTURE.at(kind, capture_size(stones), target, ko));
            } else if liberties == 2 {
                gives_atari = true;
                let open = usize::from(!tactics.caught_at.contains(&point));
                sink.feature(f::ATARI.at(open, size_class(stones), holds_last, own_class));
            }
            if holds_last == 1 {
                let liberties = liberties.min(5) as usize - 1;
                sink.feature(f::LAST_CHAIN.at(liberties, size_class(stones), own_class, 0));
            }
        }
        Enemies { gives_atari, weakest }
    }

    /// Each own chain.
    #[inline(always)]
    fn own_chains<S: Sink>(&self, sink: &mut S) -> Own {
        let Chains { board, scan, after, .. } = *self;
        let mut all = Own { weakest: NOBODY, threatened: NOBODY, stones: 1, in_atari: false };
        let second_head = scan.second_last.map_or(Point::PASS, |second| board.head(second));
        for &head in self.own() {
            let liberties = board.liberty_count(head);
            let stones = board.chain_size(head);
            all.stones += stones;
            let tactics = &scan.tactics[head];
            let touched = usize::from(tactics.touched);
            if liberties < all.weakest.0 {
                all.weakest = (liberties, head);
            }
            if tactics.touched && liberties < all.threatened.0 {
                all.threatened = (liberties, head);
            }
            if liberties == 1 {
                all.in_atari = true;
                let result = match (after, tactics.escapes) {
                    (1, _) => 0,
                    (2, false) => 1,
                    (2, true) => 2,
                    _ => 3,
                };
                sink.feature(f::EXTENSION.at(result, size_class(stones), touched, 0));
            } else if liberties == 2 && tactics.caught_at != [Point::PASS; 2] {
                sink.feature(f::DEFENCE.at(after.min(4) - 1, size_class(stones), touched, 0));
            }
            if head == second_head {
                let liberties = liberties.min(5) as usize - 1;
                sink.feature(f::SECOND_CHAIN.at(liberties, self.last_class, 0, 0));
            }
        }
        all
    }

    /// Liberties, contact, and the weakest chains of both sides.
    #[inline(always)]
    fn contacts<S: Sink>(&self, own: &Own, enemies: &Enemies, sink: &mut S) {
        let Chains { board, scan, point, after, own_count, enemy_count, .. } = *self;
        sink.feature(f::LIBERTIES.at(after - 1, own_count.min(2), enemy_count.min(2), 0));
        sink.feature(f::CONTACT.at(own_count.min(3), enemy_count.min(3), self.last_side, 0));
        if own_count > 0 {
            let (before, head) = own.weakest;
            let stones = size_class(board.chain_size(head));
            let before = before.min(5) as usize - 1;
            sink.feature(f::OWN_CHAIN.at(before, after - 1, stones, 0));
            let rival = usize::from(scan.tactics[head].rival);
            if before < 4 {
                sink.feature(f::OWN_RACE.at(before, rival, after.min(5) - 1, 0));
            }
        }
        if enemy_count > 0 {
            let (before, head) = enemies.weakest;
            let stones = size_class(board.chain_size(head));
            let own = after.min(4) - 1;
            sink.feature(f::ENEMY_CHAIN.at(before.min(5) as usize - 1, stones, own, 0));
            if before < 5 {
                let rival = usize::from(scan.tactics[head].rival);
                sink.feature(f::ENEMY_RACE.at(before as usize - 1, rival, stones, 0));
            }
            let his = board.liberties_after::<5>(scan.color.opponent(), point).len().max(1) - 1;
            let joins = enemy_count.min(2) - 1;
            sink.feature(f::ENEMY_MOVE.at(his, joins, before.min(5) as usize - 1, 0));
        }
    }

    /// Threats of the last move, self-atari and ko.
    #[inline(always)]
    fn dangers<S: Sink>(&self, own: &Own, enemies: &Enemies, sink: &mut S) {
        let Chains { board, scan, point, after, captures, .. } = *self;
        if !own.threatened.1.is_pass() {
            let (before, head) = own.threatened;
            let stones = size_class(board.chain_size(head));
            let after = after.min(5) - 1;
            sink.feature(f::THREATENED.at(before.min(5) as usize - 1, after, stones, 0));
        }
        if after == 1 && !captures {
            let stones = match own.stones {
                n @ 1..=4 => n as usize - 1,
                5..=6 => 4,
                _ => 5,
            };
            let near = usize::from(self.last_side == 1);
            sink.feature(f::SELF_ATARI.at(stones, near, usize::from(enemies.weakest.0 <= 2), 0));
        }
        let kind = match (captures, enemies.gives_atari) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        if !board.ko().is_pass() {
            sink.feature(f::KO.at(0, kind, 0, 0));
        }
        if own.in_atari
            && own.weakest.0 == 1
            && board.chain_size(own.weakest.1) == 1
            && board.shape(point).is_surrounded_by(scan.color)
        {
            sink.feature(f::KO.at(1, kind, 0, 0));
        }
    }
}

#[inline(always)]
fn size_class(stones: u32) -> usize {
    match stones {
        ..=1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

#[inline(always)]
fn capture_size(stones: u32) -> usize {
    match stones {
        ..=3 => stones.max(1) as usize - 1,
        4..=6 => 3,
        _ => 4,
    }
}
