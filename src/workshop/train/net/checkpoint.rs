//! The state of a training after a pass, from which it goes on exactly.

use super::super::learner::floats;
use super::optimizer::Adam;
use super::session::State;
use crate::knowledge::{ModelError, Reader, envelope, open_envelope, write_file};
use anyhow::ensure;
use std::path::Path;

const MAGIC: &[u8; 8] = b"TENGENNC";
/// Largest file that is read: three numbers for each parameter of the largest network, and the curve.
const MAX_BYTES: u64 = 256 << 20;

/// Writes the state, by way of a temporary file. The fingerprint is of the settings and the data: another
/// training does not go on from here.
pub(super) fn save(path: &Path, fingerprint: u64, state: &State) -> Result<(), ModelError> {
    let State { network, adam, done, curve } = state;
    let parameters = network.parameters();
    let mut body = Vec::new();
    for number in [fingerprint, *done as u64, adam.step] {
        body.extend(number.to_le_bytes());
    }
    body.extend((parameters.len() as u32).to_le_bytes());
    for numbers in [parameters, &adam.means, &adam.squares] {
        body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let curve = serde_json::to_vec(curve)
        .map_err(|_| ModelError::Content("the learning curve cannot be written"))?;
    body.extend(curve);
    write_file(path, &envelope(MAGIC, &body))
}

/// Takes up the state of a training with this fingerprint.
pub(super) fn load(path: &Path, fingerprint: u64, state: &mut State) -> anyhow::Result<()> {
    let bytes = crate::input::read_bytes(path, MAX_BYTES)?;
    let mut reader = Reader { bytes: open_envelope(&bytes, MAGIC)? };
    let (owner, done, step) = (reader.u64()?, reader.u64()? as usize, reader.u64()?);
    let count = reader.u32()? as usize;
    ensure!(
        owner == fingerprint && count == state.network.parameters().len(),
        "'{}' is the checkpoint of another training; remove it or name another file",
        path.display()
    );
    let mut numbers = || -> Result<Vec<f32>, ModelError> {
        let numbers = floats(reader.take(4 * count)?);
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err(ModelError::Content("a number is not finite")),
        }
    };
    let (saved, means, squares) = (numbers()?, numbers()?, numbers()?);
    state.curve = serde_json::from_slice(reader.bytes)
        .map_err(|_| ModelError::Content("the learning curve cannot be read"))?;
    state.network.update(|parameters| parameters.copy_from_slice(&saved));
    (state.adam, state.done) = (Adam { step, means, squares }, done);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::Shape;
    use crate::knowledge::net::shape::{MAX_BLOCKS, MAX_CHANNELS};

    #[test]
    fn the_checkpoint_of_the_largest_network_can_be_read() {
        let shape = Shape::new(MAX_CHANNELS, MAX_BLOCKS).unwrap();
        assert!(3 * 4 * shape.parameters as u64 + (16 << 20) < MAX_BYTES);
    }
}
