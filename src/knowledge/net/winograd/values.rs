//! The values of inputs, and where they go: as they are, or in pairs of 16 bits.

#![expect(
    clippy::needless_range_loop,
    reason = "vectors in arrays stay in registers when indices are constants"
)]

use super::{IN, OUT, VALUES, each_group, places, turned};
use crate::knowledge::net::grid::Grid;
use crate::knowledge::net::integer::{Pairs, Round};
use fearless_simd::{Simd, f32x8, f32x16, prelude::*};

/// Where the values of inputs go.
pub(super) trait Values {
    /// Takes one value of a tile, for the channels of a vector from `first` on.
    fn put<S: Simd, F: Round<S>>(
        &mut self,
        simd: S,
        value: usize,
        tile: usize,
        first: usize,
        of: F,
    );
}

/// As they are.
pub(super) struct Exact<'a> {
    pub(super) values: &'a mut [f32],
    pub(super) stride: usize,
    pub(super) channels: usize,
}

impl Values for Exact<'_> {
    #[inline(always)]
    fn put<S: Simd, F: Round<S>>(&mut self, _: S, value: usize, tile: usize, first: usize, of: F) {
        let place = value * self.stride + tile * self.channels + first;
        of.store_slice(&mut self.values[place..place + F::LEN]);
    }
}

/// In pairs of 16 bits.
pub(super) struct Rounded<'a> {
    pub(super) values: &'a mut [Pairs],
    /// Tiles of the board.
    pub(super) count: usize,
    pub(super) scales: [f32; VALUES],
}

impl Values for Rounded<'_> {
    #[inline(always)]
    fn put<S: Simd, F: Round<S>>(
        &mut self,
        simd: S,
        value: usize,
        tile: usize,
        first: usize,
        of: F,
    ) {
        let pairs = &mut self.values[value * self.count + tile];
        of.round_to_pairs(simd, self.scales[value], first, pairs);
    }
}

/// The values of the inputs of all tiles.
#[inline(always)]
pub(super) fn values_of<S: Simd, V: Values>(simd: S, input: &Grid, values: &mut V) {
    each_group::<S>(input.channels, |first, wide| match wide {
        true => values_of_group::<S, f32x16<S>, V>(simd, first, input, values),
        false => values_of_group::<S, f32x8<S>, V>(simd, first, input, values),
    });
}

/// The same for the channels of one vector.
#[inline(always)]
fn values_of_group<S: Simd, F: Round<S>, V: Values>(
    simd: S,
    first: usize,
    input: &Grid,
    values: &mut V,
) {
    let along = input.size.div_ceil(OUT);
    for (tile, (down, right)) in places(along).enumerate() {
        let mut lines = [[F::simd_from(simd, 0.0); IN]; IN];
        for row in 0..IN {
            let mut line = [F::simd_from(simd, 0.0); IN];
            // A tile at the edge may reach beyond the border.
            if OUT * down + row <= input.size + 1 {
                let start = input.at(OUT * right, OUT * down + row);
                for column in 0..IN.min(input.size + 2 - OUT * right) {
                    let place = start + column * input.channels + first;
                    line[column] = F::from_slice(simd, &input.cells[place..place + F::LEN]);
                }
            }
            lines[row] = values_of_line(simd, line);
        }
        let columns = turned(simd, &lines);
        for column in 0..IN {
            let line = values_of_line(simd, columns[column]);
            for row in 0..IN {
                values.put(simd, row * IN + column, tile, first, line[row]);
            }
        }
    }
}

/// `B' d`.
#[inline(always)]
fn values_of_line<S: Simd, F: SimdFloat<S, Element = f32>>(simd: S, d: [F; IN]) -> [F; IN] {
    let (two, three) = (F::simd_from(simd, 2.0), F::simd_from(simd, 3.0));
    let last = d[3] - d[1];
    [
        last + two * (d[0] - d[2]),
        last - (d[1] + d[2]),
        last + three * (d[1] - d[2]),
        last,
        (d[4] - d[2]) - two * last,
    ]
}
