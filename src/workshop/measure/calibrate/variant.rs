//! Policies to compare, as the command line names them.

use crate::params::{Overrides, PlayoutKind, PlayoutParams};
use crate::playout::{DynPolicy, Limits, by_params};
use anyhow::{Result, bail};

/// A policy with its parameters: `rules`, or `rules:pattern=0.5:capture=1`.
#[derive(Clone, Debug)]
pub struct Variant {
    /// As it was written.
    pub name: String,
    overrides: Overrides,
}

impl Variant {
    /// Reads a policy and what it changes; `common` are changes that hold for all policies. The
    /// names of parameters may leave out `playout.`.
    pub fn parse(text: &str, common: &[String]) -> Result<Variant> {
        let (policy, changes) = text.split_once(':').unwrap_or((text, ""));
        let mut overrides = Overrides::default();
        let common = common.iter().map(String::as_str);
        for change in common.chain(changes.split(':').filter(|change| !change.is_empty())) {
            let name = change.split('=').next().unwrap_or_default().trim();
            match name.split_once('.') {
                None => overrides.add(&format!("playout.{}", change.trim()))?,
                Some(("playout", _)) => overrides.add(change.trim())?,
                Some(_) => {
                    let name: String = name.chars().take(60).collect();
                    bail!(
                        "the parameter '{name}' does not change playouts; those that do begin with 'playout.'"
                    );
                }
            }
        }
        overrides.insert("playout.policy", policy)?;
        Ok(Variant { name: text.to_owned(), overrides })
    }

    /// The parameters on a board of this size.
    pub fn params(&self, size: usize) -> PlayoutParams {
        self.overrides.resolve(size).playout
    }

    /// Does the policy learn from its playouts?
    pub fn adapts(&self, size: usize) -> bool {
        self.params(size).policy == PlayoutKind::Adaptive
    }

    /// Gets ready to play on boards of this size.
    pub fn policy(&self, size: usize) -> SizedPolicy {
        let params = self.params(size);
        let limits = Limits::by_params(&params, size);
        SizedPolicy { policy: by_params(&params), size, limits }
    }
}

/// A policy for one board size, because parameters may depend on it.
pub struct SizedPolicy {
    /// Plays.
    pub policy: Box<dyn DynPolicy>,
    /// The size.
    pub size: usize,
    /// When it ends.
    pub limits: Limits,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_and_their_parameters() {
        let plain = Variant::parse("light", &[]).unwrap().params(9);
        assert_eq!(plain.policy, PlayoutKind::Light);
        let common = ["playout.capture=0.25".to_owned(), "nakade=0.5".to_owned()];
        let variant = Variant::parse("rules:pattern=0.75:playout.nakade=1", &common).unwrap();
        assert_eq!(variant.name, "rules:pattern=0.75:playout.nakade=1");
        let params = variant.params(19);
        assert_eq!(params.policy, PlayoutKind::Rules);
        assert_eq!((params.capture, params.pattern, params.nakade), (0.25, 0.75, 1.0));
    }

    #[test]
    fn bad_ones_are_refused() {
        let error = |text: &str| Variant::parse(text, &[]).unwrap_err().to_string();
        assert!(error("magic").starts_with("'magic' is no value for playout.policy: give light"));
        assert!(error("rules:pattern=7").starts_with("'7' is no value for playout.pattern"));
        assert!(error("rules:colour=7").starts_with("there is no parameter 'playout.colour'"));
        assert!(error("rules:pattern").contains("not of the form name=value"));
        assert!(error("rules:search.seed=7").contains("'search.seed' does not change playouts"));
        assert!(error("").starts_with("'' is no value for playout.policy"));
    }
}
