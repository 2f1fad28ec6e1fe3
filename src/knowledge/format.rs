//! Model files: small, versioned, checksummed, and read without trust.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TENGENPM` |
//! | 4 | version of the format |
//! | 8 | length of the body |
//! | 8 | checksum of the body (FNV-1a) |
//! | rest | the body |
//!
//! The body: kind, factors, scale, number of patterns; the feature groups by name (`groups.rs`); the weights
//! as 16-bit numbers with one scale; the vectors as 8-bit numbers with one scale; the patterns as
//! ascending keys, each the difference to the one before in 7-bit groups, with an 8-bit weight.
//! That is three bytes a pattern. All numbers are little-endian.
//!
//! Nothing is allocated before the file is known to hold as many bytes as the numbers in it claim.

use super::dictionary::Dictionary;
use super::groups::GroupTable;
use super::model::{Kind, MAX_FACTORS, Model, vector_step};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"TENGENPM";
const VERSION: u32 = 2;
/// Largest file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// Why a model cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// It cannot be read.
    #[error("cannot read the model: {0}")]
    Read(#[from] crate::input::InputError),
    /// It cannot be written.
    #[error("cannot write '{path}': {source}")]
    Write {
        /// The name as given.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not a model file.
    #[error("this is not a tengen model file")]
    NotAModel,
    /// A format that this program does not know.
    #[error("the model has format version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// Shorter or longer than it says.
    #[error("the model file is truncated or has bytes too many")]
    Length,
    /// The content was changed after it was written.
    #[error("the model file is damaged: its checksum does not match")]
    Checksum,
    /// Gammas for other local features than this program computes.
    #[error("the gammas were trained with other features; train them again with this version")]
    Features,
    /// A number that cannot be.
    #[error("the model file is damaged: {0}")]
    Content(&'static str),
}

impl Model {
    /// Reads a model from a file, plain or `.zst`.
    pub fn load(path: &Path) -> Result<Model, ModelError> {
        Model::parse(&crate::input::read_bytes(path, MAX_BYTES)?)
    }

    /// Writes the model to a file, by way of a temporary one, so that it is never half there.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        write_file(path, &self.to_bytes())
    }

    /// Reads a model from bytes.
    pub fn parse(bytes: &[u8]) -> Result<Model, ModelError> {
        let mut reader = Reader { bytes: open_envelope(bytes, MAGIC)? };
        let kind = Kind::from_number(reader.u8()?).ok_or(ModelError::Content("unknown kind"))?;
        let factors = usize::from(reader.u8()?);
        if factors > MAX_FACTORS {
            return Err(ModelError::Content("too many factors"));
        }
        let scale = reader.scale()?;
        let patterns = reader.u32()? as usize;
        let groups = GroupTable::read(&mut reader)?;
        let weight_scale = reader.scale()?;
        let weights = reader.take(2 * groups.count())?;
        let vector_scale = reader.scale()?;
        let vectors = reader.take(factors * groups.count())?;
        let numbers = groups.numbers();
        let weight = |number: &Option<usize>| {
            let pair = number.map_or([0, 0], |at| [weights[2 * at], weights[2 * at + 1]]);
            f32::from(i16::from_le_bytes(pair)) * weight_scale
        };
        let vector = |number: &Option<usize>, q: usize| {
            number.map_or(0.0, |at| f32::from(vectors[at * factors + q] as i8) * vector_scale)
        };
        let weights = numbers.iter().map(weight).collect();
        let vectors =
            numbers.iter().flat_map(|n| (0..factors).map(move |q| vector(n, q))).collect();
        let pattern_scale = reader.scale()?;
        let patterns = reader.patterns(patterns, pattern_scale)?;
        if !reader.bytes.is_empty() {
            return Err(ModelError::Length);
        }
        let patterns = Dictionary::from_sorted(patterns.into_iter());
        let mut model = Model::new(kind, weights, factors, vectors, patterns);
        model.scale = scale;
        model.difference = groups.difference();
        Ok(model)
    }

    /// The bytes of a model file. Weights are rounded to what the format can hold.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = vec![self.kind as u8, self.factors() as u8];
        body.extend(self.scale.to_le_bytes());
        body.extend((self.patterns().len() as u32).to_le_bytes());
        GroupTable::own().write(&mut body);
        let step = quantum(self.weights().iter().copied(), 32767.0);
        body.extend(step.to_le_bytes());
        for weight in self.weights() {
            body.extend(((weight / step).round() as i16).to_le_bytes());
        }
        let step = vector_step(self.vectors());
        body.extend(step.to_le_bytes());
        body.extend(self.vectors().iter().map(|v| (v / step).round() as i8 as u8));
        let step = quantum(self.patterns().iter().map(|(_, slot)| slot.weight), 127.0);
        body.extend(step.to_le_bytes());
        let mut before = 0;
        for (_, slot) in self.patterns().iter() {
            let mut difference = slot.key - before;
            while difference >= 0x80 {
                body.push(difference as u8 | 0x80);
                difference >>= 7;
            }
            body.push(difference as u8);
            body.push((slot.weight / step).round() as i8 as u8);
            before = slot.key;
        }
        envelope(MAGIC, &body)
    }
}

/// The step between neighbouring numbers when the largest becomes `top`.
fn quantum(values: impl Iterator<Item = f32>, top: f32) -> f32 {
    let largest = values.fold(0f32, |largest, value| largest.max(value.abs()));
    if largest > 0.0 { largest / top } else { 1.0 }
}

/// Writes a file by way of a temporary one.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ModelError> {
    let error = |source| ModelError::Write { path: path.display().to_string(), source };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    // On the disk before it takes the old file's place: else a power loss leaves neither.
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&part, path)).map_err(error)
}

/// Puts the header before a body.
pub(crate) fn envelope(magic: &[u8; 8], body: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(checksum(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The body behind a header that is right in every part.
pub(crate) fn open_envelope<'a>(bytes: &'a [u8], magic: &[u8; 8]) -> Result<&'a [u8], ModelError> {
    let mut reader = Reader { bytes };
    if reader.take(8).map_err(|_| ModelError::NotAModel)? != magic {
        return Err(ModelError::NotAModel);
    }
    match reader.u32()? {
        VERSION => {}
        version => return Err(ModelError::Version(version)),
    }
    let (length, sum) = (reader.u64()?, reader.u64()?);
    if length != reader.bytes.len() as u64 {
        return Err(ModelError::Length);
    }
    if checksum(reader.bytes) != sum {
        return Err(ModelError::Checksum);
    }
    Ok(reader.bytes)
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Takes numbers from the front of bytes.
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], ModelError> {
        let (head, tail) = self.bytes.split_at_checked(count).ok_or(ModelError::Length)?;
        self.bytes = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        let (head, tail) = self.bytes.split_first_chunk().ok_or(ModelError::Length)?;
        self.bytes = tail;
        Ok(*head)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ModelError> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ModelError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ModelError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, ModelError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A finite positive number.
    pub(crate) fn scale(&mut self) -> Result<f32, ModelError> {
        let scale = f32::from_le_bytes(self.array()?);
        if scale > 0.0 && scale < 1e6 { Ok(scale) } else { Err(ModelError::Content("bad scale")) }
    }

    /// Ascending keys with their weights.
    fn patterns(&mut self, count: usize, scale: f32) -> Result<Vec<(u32, f32)>, ModelError> {
        if self.bytes.len() < 2 * count {
            return Err(ModelError::Length); // each takes two bytes at least
        }
        let mut patterns = Vec::with_capacity(count);
        let mut key = 0u32;
        for _ in 0..count {
            let mut difference = 0u64;
            for shift in (0..).step_by(7) {
                let byte = self.u8()?;
                difference |= u64::from(byte & 0x7F) << shift;
                if byte & 0x80 == 0 {
                    break;
                }
                if shift >= 28 {
                    return Err(ModelError::Content("a pattern key is too large"));
                }
            }
            let next = u32::try_from(u64::from(key) + difference).ok();
            key = match next {
                Some(next) if next > key => next,
                _ => return Err(ModelError::Content("pattern keys do not ascend")),
            };
            patterns.push((key, f32::from(self.u8()? as i8) * scale));
        }
        Ok(patterns)
    }
}
