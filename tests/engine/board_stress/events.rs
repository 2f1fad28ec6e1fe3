//! What moves do: the board's reports to an observer, and a count of the events that make Go hard.

use super::oracle::{Chain, Oracle};
use std::collections::BTreeSet;
use tengen::board::{Board, Observer};
use tengen::types::{Color, Point};

/// Writes down what the board reports.
#[derive(Default)]
pub struct Recorder {
    placed: Vec<(Point, Color)>,
    removed: Vec<(Point, Color)>,
    changed: BTreeSet<Point>,
}

impl Observer for Recorder {
    fn placed(&mut self, point: Point, color: Color) {
        self.placed.push((point, color));
    }

    fn removed(&mut self, point: Point, color: Color) {
        self.removed.push((point, color));
    }

    fn liberties_changed(&mut self, head: Point) {
        self.changed.insert(head);
    }
}

impl Recorder {
    /// Compares the reports with the difference of the positions before and after a move.
    pub fn check(mut self, before: &Oracle, after: &Oracle, board: &Board, play: (Color, Point)) {
        let (color, point) = play;
        if point.is_pass() {
            assert!(self.placed.is_empty() && self.removed.is_empty() && self.changed.is_empty());
            return;
        }
        assert_eq!(self.placed, [(point, color)]);
        let gone =
            |&at: &usize| before.board.stone(at).is_some() && after.board.stone(at).is_none();
        let mut removed: Vec<_> =
            before.all().filter(gone).map(|at| (before.point(at), !color)).collect();
        removed.sort_unstable();
        self.removed.sort_unstable();
        assert_eq!(self.removed, removed);
        for chain in &after.chains {
            let Some(&first) = chain.stones.first() else { unreachable!("a chain has stones") };
            let reported = self.changed.contains(&board.head(after.point(first)));
            let changed = before.chain(first) != Some(chain);
            assert_eq!(reported, changed, "report on the chain at {}\n{board}", after.point(first));
        }
    }
}

/// How often what happened.
#[derive(Clone, Copy, Default, Debug)]
pub struct Events {
    pub games: usize,
    pub moves: usize,
    pub passes: usize,
    pub captures: usize,
    /// Captures of more than one chain by one stone.
    pub multi_chain_captures: usize,
    pub kos: usize,
    pub snapbacks: usize,
    pub merges_of_three: usize,
    pub merges_of_four: usize,
    /// Moves that only the ban on repetition forbids.
    pub superko_hits: usize,
    /// Bad moves offered to the game: every one was refused.
    pub refused: usize,
    /// Moves tried on the naive board and compared point for point.
    pub probes: usize,
}

impl Events {
    pub fn add(&mut self, other: Events) {
        self.games += other.games;
        self.moves += other.moves;
        self.passes += other.passes;
        self.captures += other.captures;
        self.multi_chain_captures += other.multi_chain_captures;
        self.kos += other.kos;
        self.snapbacks += other.snapbacks;
        self.merges_of_three += other.merges_of_three;
        self.merges_of_four += other.merges_of_four;
        self.superko_hits += other.superko_hits;
        self.refused += other.refused;
        self.probes += other.probes;
    }
}

/// Follows a game and counts its events.
#[derive(Default)]
pub struct Watcher {
    last_move: Option<usize>,
    last_captured: Vec<usize>,
}

impl Watcher {
    /// Sees a move; returns how many stones it took.
    pub fn see(
        &mut self,
        before: &Oracle,
        color: Color,
        at: Option<usize>,
        events: &mut Events,
    ) -> usize {
        events.moves += 1;
        let Some(at) = at else {
            events.passes += 1;
            *self = Watcher::default();
            return 0;
        };
        let around = before.chains_around(at);
        let taken: Vec<&Chain> = around
            .iter()
            .filter(|chain| chain.color != color && chain.liberties.len() == 1)
            .copied()
            .collect();
        let captured: Vec<usize> =
            taken.iter().flat_map(|chain| chain.stones.iter().copied()).collect();
        events.captures += usize::from(!taken.is_empty());
        events.multi_chain_captures += usize::from(taken.len() > 1);
        // A snapback: the stone that was just taken is replaced, and now takes its capturer and
        // more.
        let retakes = self.last_captured == [at];
        let takes_capturer = self.last_move.is_some_and(|stone| captured.contains(&stone));
        events.snapbacks += usize::from(retakes && takes_capturer && captured.len() > 1);
        match around.iter().filter(|chain| chain.color == color).count() {
            3 => events.merges_of_three += 1,
            4 => events.merges_of_four += 1,
            _ => {}
        }
        self.last_move = Some(at);
        self.last_captured = captured;
        self.last_captured.len()
    }
}
