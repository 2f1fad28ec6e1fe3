//! The flags of `tengen gtp` that can be measured, and the two sides of a comparison.

use crate::frontend::EngineArgs;
use crate::params::Threads;
use crate::workshop::arena::options::tengen_itself;
use crate::workshop::tools::player::Program;
use crate::workshop::tools::words::split_words;
use anyhow::{Context, bail, ensure};
use clap::{Args, Parser};

/// Settings of tengen; each is passed on to `tengen gtp` as it is.
#[derive(Args, Clone, Debug, Default, PartialEq)]
pub struct EngineFlags {
    /// Playouts per move
    #[arg(long, value_name = "N", conflicts_with = "time", allow_negative_numbers = true)]
    pub playouts: Option<u64>,
    /// Seconds per move
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Playout policy
    #[arg(long, value_name = "NAME")]
    pub playout: Option<String>,
    /// The options of every engine; one thread and seed 1 unless they say otherwise. Every position
    /// gets a seed of its own that follows from it.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// `--against` as a command line of its own.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct AgainstLine {
    #[command(flatten)]
    flags: EngineFlags,
}

impl EngineFlags {
    /// Reads flags that are written in one string.
    pub fn parse(line: &str) -> anyhow::Result<EngineFlags> {
        let words = split_words(line)?;
        let parsed = AgainstLine::try_parse_from(words).map_err(|error| {
            // The first line is the sentence; usage and hints are about another command line.
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            anyhow::anyhow!("{}", first.trim_start_matches("error: ").to_owned())
        })?;
        Ok(parsed.flags)
    }

    /// Values that no engine could take.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some(time) = self.time {
            let possible = time.is_finite() && time > 0.0 && time <= 1e6;
            ensure!(possible, "--time {time} must be a number of seconds above 0");
        }
        ensure!(self.playouts != Some(0), "--playouts must be at least 1");
        self.engine.overrides()?;
        Ok(())
    }

    /// These flags with others laid over them: what the others give replaces what is here, and a
    /// limit of one kind replaces one of the other kind.
    pub fn with(&self, over: &EngineFlags) -> EngineFlags {
        let new_limit = over.playouts.is_some() || over.time.is_some();
        EngineFlags {
            playouts: if new_limit { over.playouts } else { self.playouts },
            time: if new_limit { over.time } else { self.time },
            playout: over.playout.clone().or(self.playout.clone()),
            engine: self.engine.with(&over.engine),
        }
    }

    /// The flags as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |flag: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [format!("--{flag}"), value]));
        };
        add("playouts", self.playouts.map(|n| n.to_string()));
        add("time", self.time.map(|s| s.to_string()));
        add("playout", self.playout.clone());
        words.extend(self.engine.words());
        words
    }

    /// Refuses flags that only tengen understands.
    fn for_another_program(&self) -> anyhow::Result<()> {
        let only_tengen = EngineFlags { time: None, ..self.clone() };
        let words = only_tengen.words();
        // The seed also numbers the positions, whoever plays.
        if let Some(flag) = words.iter().find(|word| word.starts_with("--") && *word != "--seed") {
            bail!("{flag} is a flag of tengen; write the program's own flags into --engine");
        }
        Ok(())
    }
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// What to start.
    pub program: Program,
    /// Seconds per move to be set over GTP: programs other than tengen have no flag for it.
    pub seconds: Option<u32>,
    /// The longest a move should take, where that is known.
    pub time: Option<f64>,
    /// The seed from which those of the positions follow.
    pub seed: u64,
}

impl Side {
    const DEFAULT_SEED: u64 = 1;

    /// tengen itself with some flags.
    fn tengen(flags: &EngineFlags) -> anyhow::Result<Side> {
        flags.check()?;
        let seed = flags.engine.seed().unwrap_or(Side::DEFAULT_SEED);
        let engine = flags.engine.clone().or(Threads::of(1), Some(seed));
        let flags = EngineFlags { engine, ..flags.clone() };
        // A resignation says nothing about moves.
        let words = ["--no-resign".to_owned()].into_iter().chain(flags.words());
        let program = tengen_itself()?.with_arguments(words);
        Ok(Side { program, seconds: None, time: flags.time, seed })
    }

    /// Another program.
    fn other(command: &str, flags: &EngineFlags) -> anyhow::Result<Side> {
        flags.check()?;
        let seconds = match flags.time {
            None => None,
            Some(time) => {
                ensure!(
                    time.fract() == 0.0,
                    "--time {time} must be whole seconds with --engine: GTP has no fractions"
                );
                Some(time as u32)
            }
        };
        let seed = flags.engine.seed().unwrap_or(Side::DEFAULT_SEED);
        let program = Program::parse(command)?.with_one_thread();
        Ok(Side { program, seconds, time: flags.time, seed })
    }

    /// The sides that a command line asks for: one, or two to compare.
    ///
    /// `--against` changes flags of tengen, or appends flags to the command of another program;
    /// `--engine2` is a program of its own.
    pub fn all(
        flags: &EngineFlags,
        engine: Option<&str>,
        against: Option<&str>,
        engine2: Option<&str>,
    ) -> anyhow::Result<Vec<Side>> {
        let first = match engine {
            None => Side::tengen(flags)?,
            Some(command) => {
                flags.for_another_program()?;
                Side::other(command, flags)?
            }
        };
        let second = match (engine2, against, engine) {
            (Some(command), _, _) => Some(Side::other(command, flags)?),
            (None, Some(line), None) => {
                let over = EngineFlags::parse(line).context("--against cannot be understood")?;
                Some(Side::tengen(&flags.with(&over))?)
            }
            (None, Some(line), Some(_)) => {
                let program = first.program.clone().with_arguments(split_words(line)?);
                Some(Side { program, ..first.clone() })
            }
            (None, None, _) => None,
        };
        Ok([first].into_iter().chain(second).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str) -> EngineFlags {
        EngineFlags::parse(line).unwrap()
    }

    #[test]
    fn flags_become_the_words_they_were() {
        let line = "--playouts 500 --playout rules --threads 2 --seed 7 --model m.bin --net n.bin \
                    --set a=b --set c=d=e";
        assert_eq!(flags(line).words().join(" "), line);
        assert_eq!(flags("--time 0.5").words(), ["--time", "0.5"]);
        assert!(EngineFlags::default().words().is_empty());
    }

    #[test]
    fn flags_over_flags() {
        let base = flags("--playouts 500 --set a=1 --set b=2 --seed 3");
        let over = |line: &str| base.with(&flags(line)).words().join(" ");
        assert_eq!(over("--set a=5"), "--playouts 500 --seed 3 --set b=2 --set a=5");
        assert_eq!(over("--time 2"), "--time 2 --seed 3 --set a=1 --set b=2");
        assert_eq!(over("--classic"), "--playouts 500 --seed 3 --set a=1 --set b=2 --classic");
        assert_eq!(over("--playouts 9 --seed 4"), "--playouts 9 --seed 4 --set a=1 --set b=2");
    }

    #[test]
    fn bad_flags_get_one_sentence() {
        for (line, message) in [
            ("--speed 3", "unexpected argument '--speed' found"),
            ("--playouts many", "invalid value 'many' for '--playouts <N>'"),
            ("--playouts 1 --time 2", "cannot be used with"),
            ("--set 'a", "quote"),
            ("", "empty"),
        ] {
            let error = EngineFlags::parse(line).unwrap_err().to_string();
            assert!(error.contains(message) && !error.contains('\n'), "{line}: {error}");
        }
        for line in
            ["--time=-1", "--time nan", "--playouts 0", "--set x", "--set =1", "--net nowhere.tgn"]
        {
            assert!(flags(line).check().is_err(), "{line}");
        }
    }

    #[test]
    fn sides_of_tengen_and_of_other_programs() {
        let sides = |line: &str, engine, against, engine2| {
            let flags = if line.is_empty() { EngineFlags::default() } else { flags(line) };
            Side::all(&flags, engine, against, engine2)
        };
        let tengen =
            sides("--playouts 9", None, Some("--playouts 5 --set search.mix=mc"), None).unwrap();
        let words = |side: &Side| side.program.words()[1..].join(" ");
        assert_eq!(words(&tengen[0]), "gtp --no-resign --playouts 9 --threads 1 --seed 1");
        assert_eq!(
            words(&tengen[1]),
            "gtp --no-resign --playouts 5 --threads 1 --seed 1 --set search.mix=mc"
        );
        let two = sides("--threads 2", None, None, Some("tengen --playouts 5")).unwrap();
        assert_eq!(words(&two[0]), "gtp --no-resign --threads 2 --seed 1");
        assert_eq!(words(&two[1]), "--playouts 5 --threads 1");

        let gnugo = sides("--time 3 --seed 4", Some("gnugo --mode gtp"), Some("--level 1"), None);
        let gnugo = gnugo.unwrap();
        assert_eq!(gnugo[0].program.command(), "gnugo --mode gtp");
        assert_eq!(gnugo[1].program.command(), "gnugo --mode gtp --level 1");
        assert_eq!((gnugo[1].seconds, gnugo[1].seed), (Some(3), 4));

        let two = sides("--playouts 100", None, None, Some("gnugo")).unwrap();
        assert_eq!((two.len(), two[1].program.command().as_str()), (2, "gnugo"));
        assert_eq!(sides("", Some("x"), None, None).unwrap().len(), 1);

        let error = sides("--playouts 5", Some("x"), None, None).unwrap_err().to_string();
        assert!(error.starts_with("--playouts is a flag of tengen"), "{error}");
        assert!(sides("--time 0.5", Some("x"), None, None).is_err());
        assert!(sides("", Some("x 'y"), None, None).is_err());
    }
}
