//! Which model and which network the tree asks: the embedded ones of the board size, or those of files.
//!
//! They are too large to be values like the others, and a file must not be read again at every
//! change of the board size: so it is read once and shared.

use crate::knowledge::net::Network;
use crate::knowledge::net::shape::MIN_SIZE;
use crate::knowledge::{Model, ModelError};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What a file holds, or nothing: then the embedded one of the board size is meant.
#[derive(Clone)]
pub struct FromFile<T>(Option<Arc<T>>);

/// The model of the tree. Model files do not say which size they were trained on, and their features
/// have the same meaning on all: one from a file serves boards of every size.
pub type TreeModel = FromFile<Model>;

/// The network of the tree; one from a file serves boards of every size that a network can judge.
pub type TreeNetwork = FromFile<Network>;

impl TreeModel {
    /// The model of a file, plain or `.zst`.
    pub fn load(path: &Path) -> Result<TreeModel, ModelError> {
        Ok(FromFile(Some(Arc::new(Model::load(path)?))))
    }

    /// The model for boards of a size.
    pub fn for_size(&self, size: usize) -> Arc<Model> {
        self.0.clone().unwrap_or_else(|| Model::embedded(size))
    }
}

impl TreeNetwork {
    /// The network of a file, plain or `.zst`.
    pub fn load(path: &Path) -> Result<TreeNetwork, ModelError> {
        Ok(FromFile(Some(Arc::new(Network::load(path)?))))
    }

    /// The network for boards of a size, if there is one: none judges the smallest.
    pub fn for_size(&self, size: usize) -> Option<Arc<Network>> {
        let given = self.0.clone().filter(|_| size >= MIN_SIZE);
        given.or_else(|| Network::embedded(size))
    }
}

impl<T> Default for FromFile<T> {
    fn default() -> FromFile<T> {
        FromFile(None)
    }
}

/// The same one, not one with the same numbers.
impl<T> PartialEq for FromFile<T> {
    fn eq(&self, other: &FromFile<T>) -> bool {
        self.0.as_ref().map(Arc::as_ptr) == other.0.as_ref().map(Arc::as_ptr)
    }
}

impl<T> fmt::Debug for FromFile<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.is_some() { "from a file" } else { "embedded" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::net::random_network;
    use crate::params::Overrides;

    #[test]
    fn a_model_from_a_file_serves_all_sizes_and_the_embedded_ones_their_own() {
        let embedded = TreeModel::default();
        assert!(Arc::ptr_eq(&embedded.for_size(9), &Model::embedded(9)));
        assert!(!Arc::ptr_eq(&embedded.for_size(9), &embedded.for_size(19)));

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("nine.tgm");
        Model::embedded(9).save(&file).unwrap();
        let mut overrides = Overrides::default();
        overrides.load_model(&file).unwrap();
        let [nine, large] = [9, 19].map(|size| overrides.resolve(size).tree_model.for_size(size));
        assert!(Arc::ptr_eq(&nine, &large), "read once");
        assert_eq!(large.weights(), Model::embedded(9).weights());
    }

    #[test]
    fn no_network_judges_the_smallest_boards() {
        let network = FromFile(Some(Arc::new(random_network(8, 1, 1))));
        assert!(network.for_size(6).is_none() && network.for_size(7).is_some());
    }

    #[test]
    fn a_bad_file_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bad.tgm");
        std::fs::write(&file, b"no model").unwrap();
        let mut overrides = Overrides::default();
        assert!(overrides.load_model(&file).is_err());
        assert_eq!(overrides.resolve(9).tree_model, TreeModel::default());
    }
}
