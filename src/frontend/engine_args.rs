//! The options by which every front end, and the tools that run the engine themselves, set parameters.

use crate::input;
use crate::knowledge::net::network_is_fast;
use crate::params::{Overrides, Threads, Value, processors, random_seed};
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// Most bytes of a parameter file.
const MAX_FILE: u64 = 1 << 20;

/// Options that set parameters. Later ones win: the file, then options, then `--set`.
#[derive(Args, Clone, PartialEq, Debug, Default)]
pub struct EngineArgs {
    /// Threads that search one position [default: auto, one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    threads: Option<Threads>,
    /// Memory for the tree, in MB
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Seed of the random numbers, 0 for a new one; a game repeats exactly with --threads 1
    /// --playouts N --seed S
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Model of good moves that the tree asks in place of the built-in ones, on boards of any size
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Ask a network that judges positions, on boards of any size from 7x7: `built-in`, or one of a file; from 9x9 on
    /// the built-in one is asked by default
    #[arg(long, value_name = "FILE|built-in")]
    net: Option<PathBuf>,
    /// Play without a network, by playouts and the model of moves alone
    #[arg(long, conflicts_with = "net")]
    classic: bool,
    /// Set a parameter (see `tengen params`); may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Read parameters from a file of name = value lines
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
}

impl EngineArgs {
    /// The threads that were asked for.
    pub fn threads(&self) -> Option<Threads> {
        self.threads
    }

    /// The seed that was asked for.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// These options, on this many threads and from this seed unless they say otherwise.
    pub fn or(self, threads: Threads, seed: Option<u64>) -> EngineArgs {
        EngineArgs { threads: self.threads.or(Some(threads)), seed: self.seed.or(seed), ..self }
    }

    /// These options with others laid over them: what the others give replaces what is here.
    pub fn with(&self, over: &EngineArgs) -> EngineArgs {
        let name = |setting: &str| setting.split('=').next().unwrap_or_default().trim().to_owned();
        let replaced = |setting: &&String| over.set.iter().any(|new| name(new) == name(setting));
        let net = over.net.clone().or(self.net.clone()).filter(|_| !over.classic);
        EngineArgs {
            threads: over.threads.or(self.threads),
            memory: over.memory.or(self.memory),
            seed: over.seed.or(self.seed),
            model: over.model.clone().or(self.model.clone()),
            classic: over.classic || self.classic && over.net.is_none(),
            net,
            set: self.set.iter().filter(|s| !replaced(s)).chain(&over.set).cloned().collect(),
            params: over.params.clone().or(self.params.clone()),
        }
    }

    /// The options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |flag: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [format!("--{flag}"), value]));
        };
        let path = |file: &Option<PathBuf>| file.as_ref().map(|f| f.to_string_lossy().into_owned());
        add("threads", self.threads.map(|threads| threads.show()));
        add("memory", self.memory.map(|n| n.to_string()));
        add("seed", self.seed.map(|n| n.to_string()));
        add("model", path(&self.model));
        add("net", path(&self.net));
        add("params", path(&self.params));
        self.set.iter().for_each(|setting| add("set", Some(setting.clone())));
        words.extend(self.classic.then(|| "--classic".to_owned()));
        words
    }

    /// What these options say to a player that is not the engine: seed, file and settings.
    pub fn for_player(&self) -> (u64, Option<PathBuf>, Vec<String>) {
        let seed = self.seed.filter(|&seed| seed != 0).unwrap_or_else(random_seed);
        (seed, self.params.clone(), self.set.clone())
    }

    /// The parameters that these options ask for.
    pub fn overrides(&self) -> anyhow::Result<Overrides> {
        let mut overrides = Overrides::default();
        self.apply(&mut overrides, &[])?;
        Ok(overrides)
    }

    /// Sets what these options ask for; `more` are further options of the front end.
    pub fn apply(
        &self,
        overrides: &mut Overrides,
        more: &[(&str, Option<String>)],
    ) -> anyhow::Result<()> {
        // Standard input is the conversation with the client.
        for file in self.params.iter().chain(&self.model).chain(&self.net) {
            let name = file.display();
            ensure!(!input::is_standard_input(file), "'{name}' is standard input; give a file");
        }
        if let Some(file) = &self.params {
            let name = file.display();
            let text = input::read_text(file, MAX_FILE)
                .with_context(|| format!("cannot read the parameter file {name}"))?;
            overrides
                .add_file(&text)
                .map_err(|(line, error)| anyhow!("{name}, line {line}: {error}"))?;
        }
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        let common = [
            ("search.threads", self.threads.map(|threads| threads.show())),
            ("search.memory", number(self.memory)),
            ("search.seed", number(self.seed)),
        ];
        for (name, value) in common.iter().chain(more) {
            if let Some(value) = value {
                overrides.insert(name, value)?;
            }
        }
        if self.classic || self.net.is_some() {
            overrides.insert("value.network", &self.net.is_some().to_string())?;
        }
        for assignment in &self.set {
            overrides.add(assignment)?;
        }
        if let Some(file) = &self.model {
            let name = file.display();
            let difference =
                overrides.load_model(file).map_err(|error| anyhow!("--model {name}: {error}"))?;
            if let Some(difference) = difference {
                eprintln!("tengen: {name} has other features than this program; {difference}");
            }
        }
        if let Some(file) = self.net.as_ref().filter(|file| file.as_os_str() != "built-in") {
            let name = file.display();
            overrides.load_network(file).map_err(|error| anyhow!("--net {name}: {error}"))?;
        }
        if !self.classic && !network_is_fast() {
            eprintln!(
                "tengen: this processor has no AVX2 or NEON; playing without the network, as with --classic"
            );
        }
        let asked = self.threads.map_or(0, Threads::count);
        if asked > processors() {
            let cores = processors();
            eprintln!(
                "tengen: {asked} threads on {cores} processors; `tengen bench --what threads` says what to set"
            );
        }
        Ok(())
    }
}

/// Reads what follows `--playouts`.
pub fn read_playouts(text: &str) -> Result<u64, String> {
    let possible = |playouts: &u64| (1..=1_000_000_000).contains(playouts);
    let sentence = "give a whole number from 1 to 1000000000; --time S thinks by the clock";
    text.parse().ok().filter(possible).ok_or_else(|| sentence.to_owned())
}

/// Reads what follows `--komi`.
pub fn read_komi<T: FromStr + From<i16> + PartialOrd>(text: &str) -> Result<T, String> {
    let possible = |komi: &T| (T::from(-1000)..=T::from(1000)).contains(komi);
    let sentence = "give a number of points from -1000 to 1000, such as 7.5";
    text.parse().ok().filter(possible).ok_or_else(|| sentence.to_owned())
}

/// Beyond this, komi and score are no numbers of points any more.
const MAX_KOMI: f64 = 1e6;

/// A komi that a client gives, if it can be counted with; there is no negative zero.
pub fn client_komi(komi: f64) -> Result<f32, String> {
    let possible = komi.abs() <= MAX_KOMI;
    possible
        .then_some(komi as f32 + 0.0)
        .ok_or_else(|| format!("must be from -{MAX_KOMI} to {MAX_KOMI}"))
}

/// Reads what follows `--time`.
pub fn read_seconds(text: &str) -> Result<f64, String> {
    let possible = |seconds: &f64| (0.001..=86400.0).contains(seconds);
    let sentence = "give the seconds a move, from 0.001 to 86400";
    text.parse().ok().filter(possible).ok_or_else(|| sentence.to_owned())
}
