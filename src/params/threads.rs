//! How many threads search: a number, or as many as the machine has cores.
//!
//! A player expects all cores to be used, so `auto` is the default. It counts cores and not the
//! threads that two-way cores pretend to be: a second thread on a core adds little to a search
//! that waits for memory, and costs the programs beside it. A process that may use fewer (a
//! container's quota, `taskset`) takes these.

use super::Value;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::LazyLock;

/// The most threads that may be asked for.
const MOST: u64 = 256;

/// A number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// As many as there are cores for this process.
    #[default]
    Auto,
    /// So many.
    Fixed(u64),
}

impl Threads {
    /// The numbers that can be asked for.
    pub const RANGE: RangeInclusive<u64> = 1..=MOST;

    /// So many threads, or the nearest number that is allowed.
    pub fn of(count: usize) -> Threads {
        Threads::Fixed((count as u64).clamp(1, MOST))
    }

    /// How many that are on this machine.
    pub fn count(self) -> usize {
        match self {
            Threads::Auto => cores().min(MOST as usize),
            Threads::Fixed(count) => count as usize,
        }
    }
}

/// The cores that this process may use, at least one.
pub fn cores() -> usize {
    // Counted once: on large machines the system takes milliseconds to answer.
    static CORES: LazyLock<usize> =
        LazyLock::new(|| num_cpus::get_physical().min(processors()).max(1));
    *CORES
}

/// The processors that this process may use: two to a core on many machines.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Value for Threads {
    type Range = RangeInclusive<u64>;
    fn read(text: &str, range: &Self::Range) -> Option<Threads> {
        match text {
            "auto" => Some(Threads::Auto),
            number => u64::read(number, range).map(Threads::Fixed),
        }
    }
    fn show(&self) -> String {
        match self {
            Threads::Auto => "auto".to_owned(),
            Threads::Fixed(count) => count.to_string(),
        }
    }
    fn allowed(range: &Self::Range) -> String {
        format!("auto or {}", u64::allowed(range))
    }
}

/// For the command line.
impl FromStr for Threads {
    type Err = String;
    fn from_str(text: &str) -> Result<Threads, String> {
        let allowed = || format!("give {}", Threads::allowed(&Threads::RANGE));
        Threads::read(text, &Threads::RANGE).ok_or_else(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_is_what_the_machine_has_and_a_number_is_that_number() {
        let auto: Threads = "auto".parse().unwrap();
        assert_eq!(auto, Threads::default());
        assert!((1..=processors()).contains(&auto.count()));
        assert_eq!("3".parse::<Threads>().unwrap().count(), 3);
        assert_eq!(Threads::of(0), Threads::Fixed(1));
        for text in ["auto", "1", "256"] {
            assert_eq!(text.parse::<Threads>().unwrap().show(), text);
        }
        for text in ["0", "257", "-1", "many", ""] {
            let error = text.parse::<Threads>().unwrap_err();
            assert_eq!(error, "give auto or a whole number from 1 to 256", "{text}");
        }
    }
}
