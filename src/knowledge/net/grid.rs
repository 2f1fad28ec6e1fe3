//! The numbers that go through a network: points with their channels, and what is done to each by itself.
//!
//! Convolutions are in [`super::kernel`]; here are the maps between them (no negative numbers, sums,
//! pooling) and their gradients. They are plain loops inside a function that has the machine's
//! vectors, which is all that the compiler needs.

use fearless_simd::Simd;

/// The points of a board with a border of zeros, each with its channels side by side.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Points per side.
    pub size: usize,
    /// Numbers of a point.
    pub channels: usize,
    /// Row by row from the bottom left corner of the border.
    pub cells: Vec<f32>,
}

impl Grid {
    /// All zero.
    pub fn new(size: usize, channels: usize) -> Grid {
        Grid { size, channels, cells: vec![0.0; (size + 2) * (size + 2) * channels] }
    }

    /// Where the channels of a point begin; column and row count from 1, 0 is the border.
    #[inline(always)]
    pub fn at(&self, column: usize, row: usize) -> usize {
        (row * (self.size + 2) + column) * self.channels
    }

    /// The channels of the points of a row, side by side.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f32] {
        let start = self.at(1, row);
        &self.cells[start..start + self.size * self.channels]
    }

    /// The same, to change.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let start = self.at(1, row);
        &mut self.cells[start..start + self.size * self.channels]
    }
}

/// Negative numbers become zero.
pub fn relu<S: Simd>(simd: S, from: &Grid, to: &mut Grid) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (to, from) in to.cells.iter_mut().zip(&from.cells) {
                *to = from.max(0.0);
            }
        },
    );
}

/// Negative numbers become zero where they stand.
pub fn relu_in_place<S: Simd>(simd: S, values: &mut [f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            for value in values {
                *value = value.max(0.0);
            }
        },
    );
}

/// The largest number; nought if all are negative.
pub fn largest<S: Simd>(simd: S, grid: &Grid) -> f32 {
    simd.vectorize(
        #[inline(always)]
        || {
            // Lanes of their own, so that nothing waits for the number before.
            let (lines, rest) = grid.cells.as_chunks::<32>();
            let mut largest = [0f32; 32];
            for line in lines {
                for (largest, value) in largest.iter_mut().zip(line) {
                    *largest = largest.max(*value);
                }
            }
            largest.iter().chain(rest).fold(0.0, |a, b| b.max(a))
        },
    )
}

/// Adds one grid to another.
pub fn add<S: Simd>(simd: S, to: &mut Grid, from: &Grid) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (to, from) in to.cells.iter_mut().zip(&from.cells) {
                *to += from;
            }
        },
    );
}

/// Adds the same numbers to every point of the board.
pub fn add_everywhere<S: Simd>(simd: S, to: &mut Grid, what: &[f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            for row in 1..=to.size {
                let channels = to.channels;
                for point in to.row_mut(row).chunks_exact_mut(channels) {
                    for (to, what) in point.iter_mut().zip(what) {
                        *to += what;
                    }
                }
            }
        },
    );
}

/// The mean of every channel over the board, then the maximum of every channel or zero.
pub fn pool<S: Simd>(simd: S, grid: &Grid, pooled: &mut [f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (sums, rest) = pooled.split_at_mut(grid.channels);
            let largest = &mut rest[..grid.channels];
            sums.fill(0.0);
            largest.fill(0.0);
            for row in 1..=grid.size {
                for point in grid.row(row).chunks_exact(grid.channels) {
                    for ((sum, largest), value) in
                        sums.iter_mut().zip(largest.iter_mut()).zip(point)
                    {
                        *sum += value;
                        *largest = largest.max(*value);
                    }
                }
            }
            let points = (grid.size * grid.size) as f32;
            for sum in sums {
                *sum /= points;
            }
        },
    );
}

/// Sums of every channel over the board.
pub fn sum<S: Simd>(simd: S, grid: &Grid, sums: &mut [f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            sums.fill(0.0);
            for row in 1..=grid.size {
                for point in grid.row(row).chunks_exact(grid.channels) {
                    for (sum, value) in sums.iter_mut().zip(point) {
                        *sum += value;
                    }
                }
            }
        },
    );
}

/// A gradient passes only where the number was positive.
pub fn mask<S: Simd>(simd: S, gradient: &mut [f32], values: &[f32]) {
    simd.vectorize(
        #[inline(always)]
        || {
            for (gradient, value) in gradient.iter_mut().zip(values) {
                *gradient = if *value > 0.0 { *gradient } else { 0.0 };
            }
        },
    );
}

/// Adds the gradient of pooled numbers to that of the grid they were pooled from: an equal part of
/// the mean's to every point, all of the maximum's to the point or points that have it.
pub fn pool_back<S: Simd>(
    simd: S,
    to_pooled: &[f32],
    pooled: &[f32],
    grid: &Grid,
    gradient: &mut Grid,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let channels = grid.channels;
            let (to_mean, to_largest) = to_pooled.split_at(channels);
            let largest = &pooled[channels..2 * channels];
            let share = 1.0 / (grid.size * grid.size) as f32;
            for row in 1..=grid.size {
                let points = gradient.row_mut(row).chunks_exact_mut(channels);
                for (to, values) in points.zip(grid.row(row).chunks_exact(channels)) {
                    for channel in 0..channels {
                        let is_largest = values[channel] == largest[channel];
                        let from_largest = if is_largest { to_largest[channel] } else { 0.0 };
                        to[channel] += share * to_mean[channel] + from_largest;
                    }
                }
            }
        },
    );
}
