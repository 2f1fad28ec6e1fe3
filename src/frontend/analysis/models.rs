//! The networks that positions are judged by, as `query_models` tells them.

use crate::knowledge::net::{Network, network_is_fast};
use crate::params::Overrides;
use serde_json::{Value, json};
use std::sync::Arc;

/// The built-in networks by a board that each judges.
const BUILT_IN: [(usize, &str); 2] = [(9, "net9.tgn"), (19, "net19.tgn")];

/// The networks that these parameters ask, one for each file; none where only playouts judge.
pub fn in_use(overrides: &Overrides) -> Value {
    let mut known: Vec<Arc<Network>> = Vec::new();
    let mut told = Vec::new();
    for (size, file) in BUILT_IN {
        let params = overrides.resolve(size);
        let is_asked = params.value.network && (network_is_fast() || params.value.anyway);
        let Some(network) = params.tree_network.for_size(size).filter(|_| is_asked) else {
            continue;
        };
        if known.iter().any(|other| Arc::ptr_eq(other, &network)) {
            continue;
        }
        let is_built_in = Network::embedded(size).is_some_and(|own| Arc::ptr_eq(&own, &network));
        // One that was given by --net is the same for all sizes, and its name is not kept.
        told.push(description(&network, if is_built_in { file } else { "net.tgn" }));
        known.push(network);
    }
    Value::Array(told)
}

fn description(network: &Network, name: &str) -> Value {
    let shape = network.shape();
    // The version of the format stands in the file after eight bytes of magic.
    let version = network.to_bytes().get(8).copied().unwrap_or_default();
    json!({
        "name": name,
        "internalName": format!("tengen-b{}c{}", shape.blocks.len(), shape.channels),
        "maxBatchSize": 1,
        "usesHumanSLProfile": false,
        "version": version,
        "usingFP16": "false",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_judges_is_told_and_nothing_else() {
        let told = |setting: &str| {
            let mut overrides = Overrides::default();
            overrides.add_file(setting).unwrap();
            in_use(&overrides)
        };
        assert_eq!(told("value.network=false"), json!([]));
        let models = told("value.network=true\nvalue.anyway=true");
        let names: Vec<&Value> = models.as_array().unwrap().iter().map(|m| &m["name"]).collect();
        assert_eq!(names, ["net9.tgn", "net19.tgn"]);
        assert_eq!((&models[0]["version"], &models[0]["maxBatchSize"]), (&json!(2), &json!(1)));
        assert!(models[1]["internalName"].as_str().unwrap().starts_with("tengen-b"));
    }
}
