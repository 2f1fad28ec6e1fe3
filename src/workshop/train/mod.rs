//! Learning from games: datasets, the trainers, and how well models predict.
//!
//! [`dataset`] reads games, [`stream`] turns them into [`position`]s by features, [`harvest`] finds the large
//! patterns, [`learner`] drives a trainer ([`mm`], [`lmp`], [`lmp_teams`], [`lfr`], [`fbt`]) with validation and
//! checkpoints, [`playout`] learns the small model of the playouts, [`balance`] makes it end right on average,
//! [`net`] is the network, [`evaluate`] measures, [`manifest`] writes down where a model comes from. The tools are
//! `tengen train`, `tengen predict` and `tengen features`.

pub mod balance;
mod checkpoint;
pub mod command;
mod curve;
pub mod dataset;
pub mod evaluate;
pub mod fbt;
pub mod harvest;
pub mod learner;
pub mod lfr;
pub mod lmp;
pub mod lmp_teams;
pub mod manifest;
pub mod mm;
pub mod net;
pub mod options;
pub mod owner;
pub mod picture;
pub mod playout;
pub mod position;
pub mod predict;
pub mod show;
pub mod stream;
pub mod subset;

use crate::knowledge::{Model, ModelError};
use std::path::Path;

/// Reads a model, and says on stderr which of its features this program does not share.
fn load_model(path: &Path) -> Result<Model, ModelError> {
    let model = Model::load(path)?;
    if let Some(difference) = &model.difference {
        let name = path.display();
        eprintln!("tengen: {name} has other features than this program; {difference}");
    }
    Ok(model)
}
