//! The models that come with the program.
//!
//! They are part of the binary, so the engine loads nothing from disk; `patterns/README.md` says how
//! each was made. A model is unpacked when it is first asked for, once per process.

use super::format::ModelError;
use super::gammas::Gammas;
use super::model::Model;
use super::net::Network;
use super::net::shape::MIN_SIZE;
use crate::types::is_small;
use std::sync::{Arc, LazyLock};

const LARGE_FILE: &[u8] = include_bytes!("../../patterns/tree19.tgm");
const NINE_FILE: &[u8] = include_bytes!("../../patterns/tree9.tgm");
const LARGE_NETWORK_FILE: &[u8] = include_bytes!("../../patterns/net19.tgn");
const NINE_NETWORK_FILE: &[u8] = include_bytes!("../../patterns/net9.tgn");
const PLAYOUT_FILE: &[u8] = include_bytes!("../../patterns/playout.tgm");

static LARGE: LazyLock<Arc<Model>> = LazyLock::new(|| model(LARGE_FILE));
static NINE: LazyLock<Arc<Model>> = LazyLock::new(|| model(NINE_FILE));
static LARGE_NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| network(LARGE_NETWORK_FILE));
static NINE_NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| network(NINE_NETWORK_FILE));
static PLAYOUT: LazyLock<Arc<Gammas>> = LazyLock::new(|| gammas(PLAYOUT_FILE));

/// Reads all embedded files again, checksums included; gives their bytes together.
pub fn check_embedded() -> Result<usize, ModelError> {
    Model::parse(LARGE_FILE)?;
    Model::parse(NINE_FILE)?;
    Gammas::parse(PLAYOUT_FILE)?;
    Network::parse(LARGE_NETWORK_FILE)?;
    Network::parse(NINE_NETWORK_FILE)?;
    let networks = LARGE_NETWORK_FILE.len() + NINE_NETWORK_FILE.len();
    Ok(LARGE_FILE.len() + NINE_FILE.len() + PLAYOUT_FILE.len() + networks)
}

/// The files are checked by a test, so they can always be read.
fn model(bytes: &[u8]) -> Arc<Model> {
    Arc::new(Model::parse(bytes).unwrap_or_else(|error| panic!("embedded model: {error}")))
}

fn gammas(bytes: &[u8]) -> Arc<Gammas> {
    Arc::new(Gammas::parse(bytes).unwrap_or_else(|error| panic!("embedded gammas: {error}")))
}

fn network(bytes: &[u8]) -> Arc<Network> {
    Arc::new(Network::parse(bytes).unwrap_or_else(|error| panic!("embedded network: {error}")))
}

impl Network {
    /// The network for boards of this size: one for 7x7 to 11x11, one for larger boards.
    pub fn embedded(size: usize) -> Option<Arc<Network>> {
        let network = if is_small(size) { &NINE_NETWORK } else { &LARGE_NETWORK };
        (size >= MIN_SIZE).then(|| Arc::clone(network))
    }
}

impl Model {
    /// The model for boards of this size: one for up to 11x11, one for larger boards.
    pub fn embedded(size: usize) -> Arc<Model> {
        Arc::clone(if is_small(size) { &NINE } else { &LARGE })
    }
}

impl Gammas {
    /// The gammas of the playouts.
    pub fn embedded() -> Arc<Gammas> {
        Arc::clone(&PLAYOUT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::knowledge::Scratch;

    #[test]
    fn the_embedded_models_can_be_read_and_know_an_opening() {
        for size in [9, 13, 19] {
            let model = Model::embedded(size);
            assert_eq!(model.difference, None, "the shipped files know just these features");
            let mut scratch = Scratch::new();
            let moves = model.evaluate(&Board::new(size), &mut scratch);
            assert_eq!(moves.len(), size * size + 1);
            let sum: f32 = moves.iter().map(|m| m.1).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
            let best = moves.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            assert!((3..=5).contains(&best.0.line(size)), "{size}: first move {}", best.0);
        }
        let gammas = Gammas::embedded();
        assert!(gammas.shape.iter().any(|&gamma| gamma != 1.0));
        assert!(gammas.locals[0] > 2.0, "captures are good moves");
    }

    #[test]
    fn together_they_take_at_most_12_megabytes() {
        let bytes = check_embedded().unwrap();
        assert!(bytes <= 12 << 20, "{bytes} bytes");
    }
}
