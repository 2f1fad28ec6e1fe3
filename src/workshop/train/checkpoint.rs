//! The state of an unfinished training in a file, and which training it belongs to.
//!
//! A checkpoint carries two fingerprints: one of the options that decide what is learned, and one of the
//! bytes of the games. A training takes up only its own; otherwise the manifest of the model
//! would name games, a seed or a rate that it was not learned with.

use super::dataset::Source;
use super::learner::{Learner, Plan};
use crate::knowledge::{ModelError, Reader, envelope, open_envelope, write_file};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const MAGIC: &[u8; 8] = b"TENGENCP";

/// How far a training has come.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Place {
    /// Passes that are complete.
    pub pass: usize,
    /// Games of the pass after them.
    pub games: usize,
}

/// The best model at the end of a pass, as the bytes of its file.
#[derive(Default, Debug)]
pub(super) struct Best {
    pub top: f64,
    pub passes_since: usize,
    pub model: Vec<u8>,
}

/// What a training is: its options and its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprint {
    options: u64,
    games: u64,
}

impl Fingerprint {
    /// The fingerprint of a plan; reads all files of games once.
    pub fn of(plan: &Plan) -> Result<Fingerprint> {
        let choice = |source: &Source| {
            (source.limit, source.size, source.part, source.ranks.clone(), source.seed)
        };
        let options = format!(
            "{} {} {} {} {} {:?} {:?}",
            plan.options,
            plan.passes,
            plan.rate,
            plan.seed,
            plan.patience,
            choice(&plan.source),
            plan.validation.as_ref().map(choice)
        );
        let mut games = Hash::default();
        let sources = [Some(&plan.source), plan.validation.as_ref()];
        for source in sources.into_iter().flatten() {
            games.add(b"source");
            source.files.iter().try_for_each(|path| games.add_file(path))?;
        }
        let mut hash = Hash::default();
        hash.add(options.as_bytes());
        Ok(Fingerprint { options: hash.0, games: games.0 })
    }
}

/// FNV-1a, 64 bits.
pub(super) struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds what is in a file, and that it ends there.
    fn add_file(&mut self, path: &Path) -> Result<()> {
        let name = || format!("cannot read '{}'", path.display());
        let mut file = File::open(path).with_context(name)?;
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let count = file.read(&mut buffer).with_context(name)?;
            if count == 0 {
                break;
            }
            length += count as u64;
            self.add(&buffer[..count]);
        }
        self.add(&length.to_le_bytes());
        Ok(())
    }
}

/// A fingerprint of a file's content.
pub(super) fn file_fingerprint(path: &Path) -> Result<u64> {
    let mut hash = Hash::default();
    hash.add_file(path)?;
    Ok(hash.0)
}

/// Writes the state of a training.
pub(super) fn write(
    path: &Path,
    training: Fingerprint,
    learner: &dyn Learner,
    at: Place,
    best: &Best,
) -> Result<()> {
    let state = learner.state();
    let mut body = Vec::with_capacity(56 + best.model.len() + state.len());
    for number in [training.options, training.games] {
        body.extend(number.to_le_bytes());
    }
    for number in [at.pass, at.games, best.passes_since, best.model.len()] {
        body.extend((number as u64).to_le_bytes());
    }
    body.extend(best.top.to_le_bytes());
    body.extend(&best.model);
    body.extend(state);
    write_file(path, &envelope(MAGIC, &body)).context("the checkpoint is not written")
}

/// Takes up a training where a checkpoint left it; refuses that of another one.
pub(super) fn read(
    path: &Path,
    training: Fingerprint,
    learner: &mut dyn Learner,
) -> Result<(Place, Best)> {
    let name = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read '{name}'"))?;
    let damaged = |error: ModelError| anyhow::anyhow!("{error}; remove '{name}' to start anew");
    let mut reader = Reader { bytes: open_envelope(&bytes, MAGIC).map_err(damaged)? };
    let mut numbers = [0u64; 7];
    for number in &mut numbers {
        *number = reader.u64().map_err(damaged)?;
    }
    let [options, games, pass, game, passes_since, length, top] = numbers;
    let other = match (options == training.options, games == training.games) {
        (true, true) => None,
        (true, false) => Some("with other games"),
        (false, true) => Some("with other options"),
        (false, false) => Some("with other options and games"),
    };
    if let Some(other) = other {
        bail!(
            "'{name}' is a checkpoint of another training, {other}; name another file, or remove \
             '{name}' to start anew"
        );
    }
    let model = reader.take(length as usize).map_err(damaged)?.to_vec();
    if !learner.restore(reader.bytes) {
        bail!("'{name}' does not fit this trainer and its patterns; remove '{name}' to start anew");
    }
    let place = Place { pass: pass as usize, games: game as usize };
    let best = Best { top: f64::from_bits(top), passes_since: passes_since as usize, model };
    Ok((place, best))
}
