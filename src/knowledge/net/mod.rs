//! Judgement: a network small enough for one core.
//!
//! [`planes`] is what it sees, [`shape`] what it is made of, [`mod@reference`] how it thinks in plain loops,
//! `grid`, `kernel`, `winograd`, `integer`, `runner` and `evaluator` the same for play, [`mod@format`] its file. `tengen train net` makes one.
//!
//! ```
//! use tengen::board::Board;
//! use tengen::knowledge::net::{Evaluator, Network, Shape};
//!
//! let shape = Shape::new(16, 2).unwrap();
//! let parameters = vec![0.0; shape.parameters];
//! let network = Network::new(shape, parameters).unwrap(); // one for all threads
//! let mut evaluator = Evaluator::new(network.shape(), 9); // one per thread
//! let judgement = evaluator.judge(&network, &Board::new(9), None).unwrap();
//! assert_eq!(judgement.winrate(0.0), 0.5); // it knows nothing yet
//! ```

mod evaluator;
pub mod format;
pub(crate) mod grid;
mod half;
mod integer;
pub(crate) mod kernel;
pub mod math;
mod network;
pub mod planes;
pub mod reference;
pub(crate) mod runner;
pub mod shape;
pub(crate) mod winograd;

pub use evaluator::{Evaluator, strength};
pub use network::{Judgement, Network};
pub use shape::Shape;

/// Has this machine the vectors that make a network worth its time?
pub fn network_is_fast() -> bool {
    kernel::is_fast(fearless_simd::Level::new())
}

/// A network of random numbers of a reasonable size, for tests.
#[cfg(test)]
pub(crate) fn random_network(channels: usize, blocks: usize, seed: u64) -> Network {
    let shape = Shape::new(channels, blocks).unwrap();
    let mut rng = crate::types::Rng::new(seed);
    let mut parameters = vec![0.0; shape.parameters];
    for layer in shape.layers() {
        let scale = (3.0 / (layer.taps() * layer.inputs) as f64).sqrt();
        for parameter in &mut parameters[layer.start..layer.biases().end] {
            *parameter = (scale * (2.0 * rng.unit() - 1.0)) as f32;
        }
    }
    Network::new(shape, parameters).unwrap()
}
