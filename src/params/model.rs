//! Which model the tree asks: the embedded one of the board size, or one from a file.
//!
//! A model is too large to be a value like the others, and a file must not be read again at every
//! change of the board size: so it is read once and shared.

use crate::knowledge::{Model, ModelError};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The model of the tree; by default the embedded one of the board size.
#[derive(Clone, Default)]
pub struct TreeModel(Option<Arc<Model>>);

impl TreeModel {
    /// The model of a file, plain or `.zst`, for boards of every size: model files do not say which
    /// size they were trained on, and their features have the same meaning on all.
    pub fn load(path: &Path) -> Result<TreeModel, ModelError> {
        Ok(TreeModel(Some(Arc::new(Model::load(path)?))))
    }

    /// The model for boards of a size.
    pub fn for_size(&self, size: usize) -> Arc<Model> {
        self.0.clone().unwrap_or_else(|| Model::embedded(size))
    }
}

/// The same model, not one with the same numbers.
impl PartialEq for TreeModel {
    fn eq(&self, other: &TreeModel) -> bool {
        self.0.as_ref().map(Arc::as_ptr) == other.0.as_ref().map(Arc::as_ptr)
    }
}

impl fmt::Debug for TreeModel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.0.is_some() { "from a file" } else { "embedded" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn a_bad_file_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bad.tgm");
        std::fs::write(&file, b"no model").unwrap();
        let mut overrides = Overrides::default();
        assert!(overrides.load_model(&file).is_err());
        assert_eq!(overrides.resolve(9).tree_model, TreeModel::default());
    }
}
