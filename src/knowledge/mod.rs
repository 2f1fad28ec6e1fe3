//! What good players choose: features of moves, large patterns, and models learned from games.
//!
//! [`features`] declares what is seen of a move, [`Extractor`] sees it, [`diamond`] and [`dictionary`] are
//! the large patterns, [`Model`] turns it all into probabilities. [`gammas`] is the small model of the
//! playouts. The trainers are in [`crate::workshop::train`]; `docs/learning.md` tells the whole story with its
//! figures.
//!
//! ```
//! use tengen::board::Board;
//! use tengen::knowledge::{Scratch, Model};
//!
//! let model = Model::embedded(19);
//! let mut scratch = Scratch::new(); // one per thread
//! let moves = model.evaluate(&Board::new(19), &mut scratch);
//! let (best, probability) = moves.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
//! assert!(best.line(19) >= 3 && *probability > 0.01);
//! ```

mod batch;
mod chains;
mod critic;
pub mod diamond;
pub mod dictionary;
mod embed;
pub mod extract;
pub mod features;
mod format;
pub mod gammas;
mod groups;
mod model;
pub mod net;
mod scan;
mod spread;

pub use critic::Critic;
pub use dictionary::Dictionary;
pub use embed::check_embedded;
pub use extract::{Extractor, Sink};
pub use features::FeatureId;
pub use format::ModelError;
pub(crate) use format::{Reader, envelope, open_envelope, write_file};
pub use gammas::Gammas;
pub use model::{Kind, MAX_FACTORS, Model, Scratch};
