//! Network files: versioned, checksummed, and read without trust.
//!
//! The envelope is that of the move models (magic, version, length, checksum). The body: channels
//! and blocks; the names of the planes, each with its length before it; the parameters as 16-bit
//! numbers, which is all that a trained network needs. Planes are found by name: one that this program does not know refuses the file, one
//! that the file does not know is not looked at.

use super::half::{from_half, to_half};
use super::network::Network;
use super::planes;
use super::shape::Shape;
use crate::knowledge::{ModelError, Reader, envelope, open_envelope, write_file};
use std::path::Path;

const MAGIC: &[u8; 8] = b"TENGENNH";
/// Largest file that is read.
pub const MAX_BYTES: u64 = 6 << 20;
/// No parameter of a network that was trained is anywhere near this.
const MAX_PARAMETER: f32 = 1e4;

impl Network {
    /// Reads a network from a file, plain or `.zst`.
    pub fn load(path: &Path) -> Result<Network, ModelError> {
        Network::parse(&crate::input::read_bytes(path, MAX_BYTES)?)
    }

    /// Writes the network to a file, by way of a temporary one, so that it is never half there.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        write_file(path, &self.to_bytes())
    }

    /// Reads a network from bytes.
    pub fn parse(bytes: &[u8]) -> Result<Network, ModelError> {
        let mut reader = Reader { bytes: open_envelope(bytes, MAGIC)? };
        let (channels, blocks) = (reader.u32()? as usize, reader.u32()? as usize);
        let shape = Shape::new(channels, blocks)
            .ok_or(ModelError::Content("a network of this shape cannot be"))?;
        let rows = read_planes(&mut reader)?;
        // What the file holds: the input layer has as many rows as the file has planes.
        let missing = 9 * (planes::COUNT - rows.len()) * channels;
        let stored = reader.take(2 * (shape.parameters - missing))?;
        if !reader.bytes.is_empty() {
            return Err(ModelError::Length);
        }
        let mut numbers =
            stored.chunks_exact(2).map(|b| from_half(u16::from_le_bytes([b[0], b[1]])));
        let mut parameters = vec![0.0; shape.parameters];
        for tap in 0..9 {
            for &plane in &rows {
                let start = (tap * planes::COUNT + plane) * channels;
                for (to, from) in parameters[start..start + channels].iter_mut().zip(&mut numbers) {
                    *to = from;
                }
            }
        }
        for (to, from) in parameters[shape.input.weights().end..].iter_mut().zip(&mut numbers) {
            *to = from;
        }
        if !parameters.iter().all(|parameter| parameter.abs() < MAX_PARAMETER) {
            return Err(ModelError::Content("a parameter is not a reasonable number"));
        }
        Network::new(shape, parameters).ok_or(ModelError::Length)
    }

    /// The bytes of a network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend((self.shape().channels as u32).to_le_bytes());
        body.extend((self.shape().blocks.len() as u32).to_le_bytes());
        body.push(planes::COUNT as u8);
        for name in planes::NAMES {
            body.push(name.len() as u8);
            body.extend(name.as_bytes());
        }
        let numbers = self.parameters().iter().map(|&parameter| to_half(parameter));
        body.extend(numbers.flat_map(u16::to_le_bytes));
        envelope(MAGIC, &body)
    }
}

/// The planes of a file as numbers of our own.
fn read_planes(reader: &mut Reader) -> Result<Vec<usize>, ModelError> {
    let count = usize::from(reader.u8()?);
    if count > planes::COUNT {
        return Err(ModelError::Features);
    }
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let length = usize::from(reader.u8()?);
        let name = reader.take(length)?;
        let plane = planes::NAMES.iter().position(|own| own.as_bytes() == name);
        let plane = plane.ok_or(ModelError::Features)?;
        if rows.contains(&plane) {
            return Err(ModelError::Content("a plane stands there twice"));
        }
        rows.push(plane);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::random_network;
    use crate::types::Rng;

    #[test]
    fn a_network_survives_its_file() {
        let network = random_network(16, 3, 2);
        let again = Network::parse(&network.to_bytes()).unwrap();
        for (&read, &written) in again.parameters().iter().zip(network.parameters()) {
            assert!((read - written).abs() <= 0.0005 * written.abs() + 1e-7, "{read} {written}");
        }
        assert_eq!(again.shape(), network.shape());
        let network = again; // what was rounded once stays as it is
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.tgn");
        network.save(&path).unwrap();
        assert_eq!(Network::load(&path).unwrap().parameters(), network.parameters());
    }

    #[test]
    fn planes_are_found_by_name() {
        let bytes = random_network(8, 1, 2).to_bytes();
        let network = Network::parse(&bytes).unwrap();
        let body = &bytes[28..];
        // The same file without its last plane: its name and its row of each tap are gone.
        let names: usize = planes::NAMES.iter().map(|name| name.len() + 1).sum();
        let last = planes::NAMES[planes::COUNT - 1].len() + 1;
        let mut fewer = body[..8].to_vec();
        fewer.push(planes::COUNT as u8 - 1);
        fewer.extend(&body[9..9 + names - last]);
        let numbers = &body[9 + names..];
        let input = 2 * network.shape().input.weights().len();
        for tap in numbers[..input].chunks(input / 9) {
            fewer.extend(&tap[..tap.len() - 2 * 8]);
        }
        fewer.extend(&numbers[input..]);
        let read = Network::parse(&envelope(MAGIC, &fewer)).unwrap();
        let mut expected = network.parameters().to_vec();
        let (input, row) = (network.shape().input.weights().len(), planes::COUNT * 8);
        for tap in expected[..input].chunks_mut(row) {
            tap[row - 8..].fill(0.0);
        }
        assert_eq!(read.parameters(), expected);

        let text = "own stone, 1 liberty";
        let at = body.windows(text.len()).position(|part| part == text.as_bytes()).unwrap();
        let mut unknown = body.to_vec();
        unknown[at] = b'x';
        let error = Network::parse(&envelope(MAGIC, &unknown)).unwrap_err();
        assert!(matches!(error, ModelError::Features), "{error}");
    }

    #[test]
    fn hostile_files_are_refused() {
        let bytes = random_network(8, 1, 2).to_bytes();
        for length in [0, 7, 8, 20, 28, 40, 300, bytes.len() - 1] {
            assert!(Network::parse(&bytes[..length]).is_err(), "{length}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(Network::parse(&longer), Err(ModelError::Length)));
        let mut rng = Rng::new(8);
        for _ in 0..300 {
            let mut body = bytes[28..].to_vec();
            for _ in 0..1 + rng.below(3) {
                let range = if rng.chance(32768) { 320 } else { body.len() as u32 };
                let at = rng.below(range);
                body[at as usize] = rng.bits() as u8;
            }
            let cut = rng.below(3) * rng.below(40);
            body.truncate(body.len() - cut as usize);
            // With a right checksum: whatever is read is a network that can be used.
            if let Ok(network) = Network::parse(&envelope(MAGIC, &body)) {
                assert!(network.parameters().iter().all(|parameter| parameter.is_finite()));
            }
            let mut damaged = bytes.clone();
            damaged[28 + rng.below(bytes.len() as u32 - 28) as usize] ^= 1 + rng.below(255) as u8;
            assert!(matches!(Network::parse(&damaged), Err(ModelError::Checksum)));
        }
        for number in [f32::NAN, f32::INFINITY, -65504.0].map(to_half) {
            let mut body = bytes[28..].to_vec();
            let end = body.len();
            body[end - 2..].copy_from_slice(&number.to_le_bytes());
            assert!(matches!(
                Network::parse(&envelope(MAGIC, &body)),
                Err(ModelError::Content("a parameter is not a reasonable number"))
            ));
        }
    }
}
