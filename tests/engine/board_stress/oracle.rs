//! A position and everything about it by definition: nothing here is kept from move to move.

use std::collections::{BTreeSet, HashMap};
use tengen::board::naive::NaiveBoard;
use tengen::game::{KoRule, PlayError};
use tengen::types::{Color, Hash, Point, zobrist_stone};

/// The naive board and what follows from it.
pub struct Oracle {
    pub size: usize,
    pub board: NaiveBoard,
    pub chains: Vec<Chain>,
    /// The index into `chains` for every stone.
    chain_of: Vec<Option<usize>>,
}

/// A chain: its stones and its liberties, as points of the naive board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    pub color: Color,
    pub stones: Vec<usize>,
    pub liberties: Vec<usize>,
}

impl Oracle {
    pub fn new(size: usize, board: NaiveBoard) -> Oracle {
        let mut chains = Vec::new();
        let mut chain_of = vec![None; board.len()];
        for at in 0..board.len() {
            if let (Some(color), None) = (board.stone(at), chain_of[at]) {
                let (stones, liberties) = board.chain(at);
                for &stone in &stones {
                    chain_of[stone] = Some(chains.len());
                }
                chains.push(Chain { color, stones, liberties });
            }
        }
        Oracle { size, board, chains, chain_of }
    }

    pub fn point(&self, at: usize) -> Point {
        Point::new(at % self.size + 1, at / self.size + 1)
    }

    pub fn at(&self, point: Point) -> Option<usize> {
        let on_board = point.is_on_board(self.size);
        on_board.then(|| (point.row() - 1) * self.size + point.column() - 1)
    }

    pub fn all(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.board.len()
    }

    pub fn chain(&self, at: usize) -> Option<&Chain> {
        self.chain_of[at].map(|index| &self.chains[index])
    }

    /// The chains next to a point, each once.
    pub fn chains_around(&self, at: usize) -> Vec<&Chain> {
        let indices = self.board.neighbors(at).filter_map(|n| self.chain_of[n]);
        BTreeSet::from_iter(indices).into_iter().map(|index| &self.chains[index]).collect()
    }

    /// A point where a stone may be without liberties, or capture. Any other move is on an empty
    /// point with an empty neighbour and takes nothing, so it is legal.
    pub fn is_delicate(&self, at: usize) -> bool {
        let crowded = self.board.neighbors(at).all(|n| self.board.stone(n).is_some());
        crowded || self.chains_around(at).iter().any(|chain| chain.liberties.len() == 1)
    }

    pub fn stones(&self, color: Color) -> usize {
        self.chains
            .iter()
            .filter(|chain| chain.color == color)
            .map(|chain| chain.stones.len())
            .sum()
    }

    pub fn hash(&self) -> Hash {
        let key = |at| self.board.stone(at).map_or(0, |color| zobrist_stone(color, self.point(at)));
        self.all().map(key).fold(0, |hash, key| hash ^ key)
    }

    /// The shape code as documented: two bits a neighbour, in the order north, west, east, south,
    /// north-west, north-east, south-west, south-east; empty 0, black 1, white 2, border 3.
    pub fn shape_code(&self, at: usize) -> u16 {
        const OFFSETS: [(isize, isize); 8] =
            [(0, 1), (-1, 0), (1, 0), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];
        let (x, y) = (at % self.size, at / self.size);
        let mut code = 0;
        for (i, (dx, dy)) in OFFSETS.into_iter().enumerate() {
            let range = 0..self.size;
            let (nx, ny) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            let value = if range.contains(&nx) && range.contains(&ny) {
                match self.board.stone(ny * self.size + nx) {
                    None => 0,
                    Some(Color::Black) => 1,
                    Some(Color::White) => 2,
                }
            } else {
                3
            };
            code |= value << (2 * i);
        }
        code
    }

    /// A one-point eye: all neighbours are stones of the colour, and the opponent has none of the
    /// diagonal points at the edge, or at most one elsewhere.
    pub fn is_eye(&self, color: Color, at: usize) -> bool {
        let (x, y) = (at % self.size, at / self.size);
        let mut diagonals = Vec::new();
        for nx in [x.wrapping_sub(1), x + 1] {
            for ny in [y.wrapping_sub(1), y + 1] {
                if nx < self.size && ny < self.size {
                    diagonals.push(self.board.stone(ny * self.size + nx));
                }
            }
        }
        let hostile = diagonals.iter().filter(|&&stone| stone == Some(!color)).count();
        let allowed = if diagonals.len() == 4 { 1 } else { 0 };
        let mut neighbors = self.board.neighbors(at);
        self.board.stone(at).is_none()
            && neighbors.all(|n| self.board.stone(n) == Some(color))
            && hostile <= allowed
    }

    /// Stones, and empty points that reach stones of one colour only, from Black's side.
    pub fn area_score(&self) -> i32 {
        let mut score = 0;
        let mut counted = vec![false; self.board.len()];
        for start in self.all() {
            if let Some(color) = self.board.stone(start) {
                score += color.sign();
            } else if !counted[start] {
                let (region, reached) = self.region(start);
                region.iter().for_each(|&at| counted[at] = true);
                if reached[0] != reached[1] {
                    let owner = if reached[0] { Color::Black } else { Color::White };
                    score += owner.sign() * region.len() as i32;
                }
            }
        }
        score
    }

    /// The empty region of a point, and the colours that it reaches.
    fn region(&self, start: usize) -> (Vec<usize>, [bool; 2]) {
        let mut seen = vec![false; self.board.len()];
        seen[start] = true;
        let mut region = vec![start];
        let mut reached = [false; 2];
        let mut next = 0;
        while next < region.len() {
            for neighbor in self.board.neighbors(region[next]) {
                match self.board.stone(neighbor) {
                    Some(color) => reached[color.index()] = true,
                    None if !seen[neighbor] => {
                        seen[neighbor] = true;
                        region.push(neighbor);
                    }
                    None => {}
                }
            }
            next += 1;
        }
        (region, reached)
    }

    /// What the rules say to a move, and where it would lead if repetition did not matter.
    pub fn judge(&self, color: Color, point: Point, history: &History, ko: KoRule) -> Verdict {
        if point.is_pass() {
            return Verdict { error: None, after: Some(self.board.pass()) };
        }
        let refuse = |error| Verdict { error: Some(error), after: None };
        let Some(at) = self.at(point) else {
            return refuse(PlayError::Outside);
        };
        if self.board.stone(at).is_some() {
            return refuse(PlayError::Occupied);
        }
        if let Some(after) = self.board.play(color, at) {
            let repeats = history.forbids(&after, !color, ko);
            return Verdict { error: repeats.then_some(PlayError::Superko), after: Some(after) };
        }
        match self.board.pass().play(color, at) {
            None => refuse(PlayError::Suicide),
            after => Verdict { error: Some(PlayError::Ko), after },
        }
    }
}

/// The answer to a move.
pub struct Verdict {
    /// Why the move is refused, if it is.
    pub error: Option<PlayError>,
    /// The board after the move, if only suicide were forbidden.
    pub after: Option<NaiveBoard>,
}

/// The positions of a game so far, each with the players who were to move in it.
#[derive(Default)]
pub struct History(HashMap<Vec<u8>, [bool; 2]>);

impl History {
    pub fn add(&mut self, board: &NaiveBoard, to_play: Color) {
        self.0.entry(stones(board)).or_default()[to_play.index()] = true;
    }

    fn forbids(&self, after: &NaiveBoard, to_play: Color, ko: KoRule) -> bool {
        let seen = || self.0.get(&stones(after)).copied().unwrap_or_default();
        match ko {
            KoRule::Simple => false,
            KoRule::Positional => seen() != [false; 2],
            KoRule::Situational => seen()[to_play.index()],
        }
    }
}

fn stones(board: &NaiveBoard) -> Vec<u8> {
    board.cells().iter().map(|stone| stone.map_or(0, |color| color as u8)).collect()
}
