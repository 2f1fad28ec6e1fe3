//! The manifest of a model: where it comes from and how good it is, as `NAME.json` beside the file.
//!
//! `tengen train` writes it, so that what it says is what was done. Folders are left out of the
//! command: the names of the files tell a reader what is needed, the places differ by machine.

use super::evaluate::Accuracy;
use crate::workshop::tools::date::today;
use crate::workshop::tools::figures::rounded;
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Ranks whose shares are written.
pub const TOPS: [usize; 6] = [1, 2, 3, 5, 10, 20];

/// What every manifest begins with.
#[derive(Clone, Debug, Serialize)]
pub struct Origin {
    /// The file it belongs to.
    pub model: String,
    /// The command line.
    pub command: String,
    /// The version of the program.
    pub program: String,
    /// The day it was written (UTC).
    pub date: String,
    /// The files that were learned from, without their folders.
    pub data: Vec<String>,
}

impl Origin {
    /// Of a model that this command has made today.
    pub fn new(model: &Path, data: &[PathBuf]) -> Origin {
        Origin {
            model: file_name(model),
            command: command(std::env::args()),
            program: format!("tengen {}", crate::version::BUILD),
            date: today(),
            data: file_names(data),
        }
    }
}

/// What was learned from, how, and how well.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
    /// Games learned from in each pass.
    pub games: usize,
    /// One game in so many was kept for validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_out: Option<usize>,
    /// Passes over the games at most.
    pub passes: usize,
    /// Part of the positions used in each pass.
    pub sample: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// Large patterns in the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patterns: Option<usize>,
    /// Seconds of training, validation included.
    pub seconds: u64,
    /// How well the file predicts games it was not trained on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Measured>,
}

/// Prediction accuracy on a set of games.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The games.
    pub on: String,
    /// How many.
    pub games: usize,
    /// Positions in them.
    pub positions: usize,
    /// Percent of the positions in which the played move was among the first n.
    pub top: BTreeMap<usize, f64>,
    /// Mean logarithm of the played move's probability.
    pub mean_log_probability: f64,
}

impl Measured {
    /// The figures of a manifest from what was counted on some games.
    pub fn new(on: String, accuracy: &Accuracy) -> Measured {
        Measured {
            on,
            games: accuracy.games,
            positions: accuracy.positions,
            top: TOPS.iter().map(|&n| (n, rounded(100.0 * accuracy.top(n), 2))).collect(),
            mean_log_probability: rounded(accuracy.mean_log_probability(), 4),
        }
    }
}

/// Writes the manifest of a model beside its file: `NAME.json` for `NAME.tgm`.
pub fn write(manifest: &impl Serialize, model: &Path) -> Result<()> {
    let path = model.with_extension("json");
    let text = serde_json::to_string_pretty(manifest)? + "\n";
    std::fs::write(&path, text).with_context(|| format!("cannot write '{}'", path.display()))
}

/// The name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Names of files for a sentence.
pub fn file_names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| file_name(path)).collect()
}

/// A command line without folders.
fn command(arguments: impl Iterator<Item = String>) -> String {
    let bare = |argument: String| match argument.rsplit_once('/') {
        Some((_, name)) if !name.is_empty() => name.to_owned(),
        _ => argument,
    };
    let words: Vec<String> = arguments.skip(1).map(bare).collect();
    format!("tengen {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_lose_their_folders() {
        let words = ["/usr/bin/tengen", "train", "fbt", "/data/a.sgfs.zst", "--out", "x/y.tgm"];
        let text = command(words.iter().map(|word| (*word).to_owned()));
        assert_eq!(text, "tengen train fbt a.sgfs.zst --out y.tgm");
    }

    #[test]
    fn figures_are_rounded_and_written_beside_the_model() {
        let mut accuracy = Accuracy { games: 2, positions: 3, ..Accuracy::default() };
        accuracy.ranks = vec![1, 0, 1];
        accuracy.log_probability = -2.0;
        let measured = Measured::new("x.sgfs".to_owned(), &accuracy);
        assert_eq!((measured.top[&1], measured.top[&2], measured.top[&20]), (33.33, 33.33, 66.67));
        assert_eq!(measured.mean_log_probability, -0.6667);
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest {
            origin: Origin::new(Path::new("m.tgm"), &[PathBuf::from("/a/b.sgfs")]),
            games: 2,
            hold_out: None,
            passes: 1,
            sample: 1.0,
            seed: 1,
            patterns: None,
            seconds: 0,
            accuracy: Some(measured),
        };
        write(&manifest, &folder.path().join("m.tgm")).unwrap();
        let text = std::fs::read_to_string(folder.path().join("m.json")).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["data"][0], "b.sgfs");
        assert_eq!(value["accuracy"]["top"]["20"], 66.67);
        assert!(value.get("hold_out").is_none(), "what was not done is not written");
        assert!(write(&manifest, &folder.path().join("none/m.tgm")).is_err());
    }
}
