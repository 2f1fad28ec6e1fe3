//! Zobrist keys: a position's hash is the XOR of one random number per stone.
//!
//! The keys are constants, so that the same position has the same hash in every process.

use super::{CELLS, Color, Point};

/// Hash of a position.
pub type Hash = u64;

const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

static STONES: [[Hash; 2]; CELLS] = {
    let mut table = [[0; 2]; CELLS];
    let mut index = 0;
    while index < CELLS {
        table[index] = [split_mix(2 * index as u64 + 1), split_mix(2 * index as u64 + 2)];
        index += 1;
    }
    table
};

const WHITE_TO_PLAY: Hash = split_mix(u64::MAX);

/// The key of a stone.
#[inline(always)]
pub fn zobrist_stone(color: Color, point: Point) -> Hash {
    STONES[point.index()][color.index()]
}

/// The key of the side to play, for situational superko: the same stones with another player to
/// move are another situation.
#[inline]
pub fn zobrist_to_play(color: Color) -> Hash {
    match color {
        Color::Black => 0,
        Color::White => WHITE_TO_PLAY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_distinct() {
        let keys: HashSet<Hash> =
            STONES.iter().flatten().copied().chain([0, WHITE_TO_PLAY]).collect();
        assert_eq!(keys.len(), 2 * CELLS + 2);
    }
}
