//! The state of a training after a pass, from which it goes on exactly.

use super::super::learner::floats;
use super::optimizer::Adam;
use super::session::CurvePoint;
use crate::knowledge::{ModelError, Reader, envelope, open_envelope, write_file};
use std::path::Path;

const MAGIC: &[u8; 8] = b"TENGENNC";
/// Largest file that is read: three numbers for each parameter of the largest network, and the curve.
const MAX_BYTES: u64 = 256 << 20;

/// What is kept.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Of the settings and the data: another training does not go on from here.
    pub fingerprint: u64,
    /// Passes done.
    pub passes: usize,
    /// The parameters.
    pub parameters: Vec<f32>,
    /// The optimizer.
    pub adam: Adam,
    /// The learning curve so far.
    pub curve: Vec<CurvePoint>,
}

impl Checkpoint {
    /// Writes it, by way of a temporary file.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let mut body = Vec::new();
        for number in [self.fingerprint, self.passes as u64, self.adam.step] {
            body.extend(number.to_le_bytes());
        }
        body.extend((self.parameters.len() as u32).to_le_bytes());
        for numbers in [&self.parameters, &self.adam.means, &self.adam.squares] {
            body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let curve = serde_json::to_vec(&self.curve)
            .map_err(|_| ModelError::Content("the learning curve cannot be written"))?;
        body.extend(curve);
        write_file(path, &envelope(MAGIC, &body))
    }

    /// Reads it.
    pub fn load(path: &Path) -> Result<Checkpoint, ModelError> {
        let bytes = crate::input::read_bytes(path, MAX_BYTES)?;
        let mut reader = Reader { bytes: open_envelope(&bytes, MAGIC)? };
        let (fingerprint, passes, step) = (reader.u64()?, reader.u64()? as usize, reader.u64()?);
        let count = reader.u32()? as usize;
        let mut numbers = || -> Result<Vec<f32>, ModelError> {
            let numbers = floats(reader.take(4 * count)?);
            match numbers.iter().all(|number| number.is_finite()) {
                true => Ok(numbers),
                false => Err(ModelError::Content("a number is not finite")),
            }
        };
        let (parameters, means, squares) = (numbers()?, numbers()?, numbers()?);
        let curve = serde_json::from_slice(reader.bytes)
            .map_err(|_| ModelError::Content("the learning curve cannot be read"))?;
        let adam = Adam { step, means, squares };
        Ok(Checkpoint { fingerprint, passes, parameters, adam, curve })
    }
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
