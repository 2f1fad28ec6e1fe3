//! Positions as the trainer wants them: what the network sees and what it should say, from the side of
//! the player to move. Judged positions are small enough that all of them stay in memory.

use crate::board::Board;
use crate::knowledge::net::grid::Grid;
use crate::knowledge::net::math::ln;
use crate::knowledge::net::planes::{self, Expected, Marks, Viewer};
use crate::knowledge::net::shape::MIN_SIZE;
use crate::knowledge::{Model, Scratch};
use crate::types::Point;
use crate::workshop::measure::labels::{Needs, Position, fields, for_each_line, in_range};
use anyhow::{Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Looks at positions as the network does; the model of moves for the size says what is expected.
#[derive(Default)]
pub struct Looker {
    viewer: Viewer,
    scratch: Scratch,
    expected: Expected,
}

impl Looker {
    /// What the network sees of a position, and the model's log-probabilities of all moves.
    pub fn look(&mut self, board: &Board) -> Seen {
        let model = Model::embedded(board.size());
        self.expected.fill(0.0);
        model.expect(board, &mut self.scratch, &mut self.expected);
        let mut marks = Vec::with_capacity(board.size() * board.size());
        self.viewer.look(board, Some(&self.expected), |_, seen| marks.push(seen));
        let moves = board.points().chain([Point::PASS]);
        Seen { marks, strengths: moves.map(|point| ln(self.expected[point].max(1e-6))).collect() }
    }
}

/// What is seen of a position before it is judged. Points are numbered row by row from the bottom left;
/// the number after the last one is a pass.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The planes that are set at each point.
    pub marks: Vec<Marks>,
    /// What the network's logits are added to, the pass last.
    pub strengths: Vec<f32>,
}

/// The number of a point.
pub fn number(point: Point, size: usize) -> u16 {
    let number = match point.is_pass() {
        true => size * size,
        false => (point.row() - 1) * size + point.column() - 1,
    };
    number as u16
}

/// A position and its judgement. Points are numbered row by row from the bottom left; the number
/// after the last one is a pass.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Points per side.
    pub size: usize,
    /// Stones on the board, to tell the phases of a game apart.
    pub stones: usize,
    /// What the network sees.
    pub seen: Seen,
    /// Expected owners, in twelfths; empty for a position of which only the game is known.
    pub owners: Vec<i8>,
    /// Expected margin without komi.
    pub margin: f32,
    /// What the player to move needs on the board to win.
    pub komi: f32,
    /// The winning probability.
    pub winrate: f32,
    /// Probabilities of the likeliest moves, the likeliest first.
    pub moves: Vec<(u16, f32)>,
}

/// The fields that other measurements do not need.
#[derive(Deserialize)]
struct Rest {
    lead: f64,
    policy: BTreeMap<String, f32>,
}

impl Sample {
    /// Reads a line of a file of labels.
    pub fn parse(line: &str, looker: &mut Looker) -> Result<Sample> {
        let position = Position::parse(line, Needs::Judgement)?;
        let rest: Rest = fields(line)?;
        ensure!(
            position.size >= MIN_SIZE,
            "a network learns boards from {MIN_SIZE}x{MIN_SIZE} on, not {0}x{0}",
            position.size
        );
        in_range("lead", rest.lead, -2000.0, 2000.0)?;
        let board = position.board();
        let side = position.to_play.sign() as f32;
        let mut moves = Vec::with_capacity(rest.policy.len());
        for (vertex, &probability) in &rest.policy {
            in_range("policy", probability.into(), 0.0, 1.001)?;
            let point = Point::parse_gtp(vertex, position.size)?;
            moves.push((number(point, position.size), probability));
        }
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let winrate = position.winrate as f32;
        let owner = |point| (12.0 * position.owner(point)) as f32 * side;
        Ok(Sample {
            size: position.size,
            stones: board.size() * board.size() - board.empty_points().len(),
            seen: looker.look(&board),
            owners: board.points().map(|point| owner(point).round() as i8).collect(),
            margin: (rest.lead as f32 + position.komi) * side,
            komi: position.komi * side,
            winrate: if side > 0.0 { winrate } else { 1.0 - winrate },
            moves,
        })
    }

    /// Did a referee judge it? Else it is a position of a game: its move and its result are known.
    pub fn is_judged(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Writes what the network sees under one of the eight symmetries, as marks of all cells with a
    /// border and as numbers.
    pub fn set_planes(&self, symmetry: usize, cells: &mut [Marks], grid: &mut Grid) {
        for (index, &marks) in self.seen.marks.iter().enumerate() {
            let (column, row) = turn(self.size, symmetry, index);
            cells[(row + 1) * (self.size + 2) + column + 1] = marks;
            let place = grid.at(column + 1, row + 1);
            for (plane, value) in grid.cells[place..place + planes::COUNT].iter_mut().enumerate() {
                *value = (marks >> plane & 1) as f32;
            }
        }
    }
}

/// Column and row, from 0, of a point under one of the eight symmetries.
#[inline]
pub fn turn(size: usize, symmetry: usize, index: usize) -> (usize, usize) {
    let (mut column, mut row) = (index % size, index / size);
    if symmetry & 1 != 0 {
        column = size - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 4 != 0 {
        std::mem::swap(&mut column, &mut row);
    }
    (column, row)
}

/// Reads files of labels; of more than `limit` positions the first ones.
pub fn read(paths: &[impl AsRef<Path>], limit: usize) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut looker = Looker::default();
    for path in paths.iter().take_while(|_| limit > 0) {
        for_each_line(path.as_ref(), |_, line| {
            if samples.len() < limit {
                samples.push(Sample::parse(line, &mut looker)?);
            }
            Ok(samples.len() < limit)
        })?;
    }
    Ok(samples)
}

/// Positions for tests: the moves of a random game, with made-up judgements.
#[cfg(test)]
pub(crate) fn made_up(count: usize, size: usize, seed: u64) -> Vec<Sample> {
    let mut rng = crate::types::Rng::new(seed);
    let mut board = Board::new(size);
    let mut samples = vec![];
    while samples.len() < count {
        let empty = board.empty_points();
        let point = empty[rng.below(empty.len() as u32) as usize];
        let legal = board.is_legal(board.to_play(), point);
        board.play_legal(if legal { point } else { Point::PASS });
        let seen = Looker::default().look(&board);
        let legal = (0..size * size).filter(|&index| planes::is_legal(seen.marks[index]));
        let mut moves: Vec<(u16, f32)> =
            legal.take(3).map(|index| (index as u16, 0.2 * rng.unit() as f32)).collect();
        moves.push(((size * size) as u16, 0.1));
        samples.push(Sample {
            size,
            stones: 0,
            owners: seen.marks.iter().map(|_| rng.below(25) as i8 - 12).collect(),
            seen,
            margin: 40.0 * rng.unit() as f32 - 20.0,
            komi: 7.0,
            winrate: rng.unit() as f32,
            moves,
        });
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const LINE: &str = r#"{"size": 7, "komi": 7.5, "moves": "D4 E5 A1", "first": "B", "to_play": "W",
        "winrate": 0.75, "lead": 1.5, "policy": {"C1": 0.125, "pass": 0.5},
        "ownership": "YMAYYYGMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMYS", "game": 3}"#;

    #[test]
    fn a_line_is_turned_to_the_player_to_move() {
        let sample = Sample::parse(LINE, &mut Looker::default()).unwrap();
        assert_eq!((sample.margin, sample.komi, sample.winrate), (-9.0, -7.5, 0.25));
        assert_eq!(sample.moves, [(49, 0.5), (2, 0.125)]);
        // The ownership begins at the top left, the sample at the bottom left.
        assert_eq!(sample.owners[42..45], [-12, 0, 12]);
        assert_eq!(sample.owners[4..7], [0, -12, -6]);
        assert_eq!(sample.stones, 3);
        let own = sample.seen.marks[4 * 7 + 4];
        assert!(own & 0b1000 != 0 && sample.seen.marks[3 * 7 + 3] & 0b1000_0000 != 0);
        let bad = LINE.replace("\"lead\": 1.5", "\"lead\": 1e9");
        assert!(
            Sample::parse(&bad, &mut Looker::default())
                .unwrap_err()
                .to_string()
                .contains("out of range")
        );
        let bad = LINE.replace("\"policy\"", "\"p\"");
        assert!(Sample::parse(&bad, &mut Looker::default()).is_err());
    }

    #[test]
    fn there_are_eight_symmetries() {
        for size in [7, 9] {
            let images: BTreeSet<Vec<(usize, usize)>> = (0..8)
                .map(|symmetry| (0..size * size).map(|i| turn(size, symmetry, i)).collect())
                .collect();
            assert_eq!(images.len(), 8);
            for image in images {
                assert_eq!(image.iter().collect::<BTreeSet<_>>().len(), size * size);
            }
        }
    }
}
