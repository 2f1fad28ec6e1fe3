//! What this machine gains from more threads, and how many to set.
//!
//! The whole search runs on one thread and on more, in turns, on each board size. The number to
//! set is the smallest that is nearly as fast as the fastest: threads that add nothing to the
//! speed make the search worse, since each looks at the tree without knowing what the others are
//! about to find, and they take the machine from the programs beside it.

use super::Setup;
use super::measure::{Amount, Totals};
use super::search::measure_search;
use crate::params::{Overrides, cores, processors};
use crate::workshop::tools::figures::{Figure, Printer};
use std::io::Write;

/// A speed within this share of the best is as good as the best: measured again, the order
/// may be another.
const NEARLY: f64 = 0.95;

/// The numbers of threads to try up to a most: all if they are few, and otherwise powers of two,
/// with the cores and the most among them.
fn counts(most: usize, cores: usize) -> Vec<usize> {
    let few = most <= 8;
    let tried = |&count: &usize| few || count.is_power_of_two() || count == cores || count == most;
    (1..=most).filter(tried).collect()
}

/// The gain of each number of threads against one, over all sizes: the geometric mean.
fn gains(measured: &[Vec<Totals>]) -> Vec<(usize, f64)> {
    let rate = |total: &Totals| total.done.units as f64 / total.wall.as_secs_f64();
    let Some(first) = measured.first() else { return Vec::new() };
    let gain = |index: usize| {
        let logs = measured.iter().map(|totals| (rate(&totals[index]) / rate(&totals[0])).ln());
        (logs.sum::<f64>() / measured.len() as f64).exp()
    };
    (0..first.len()).map(|index| (first[index].threads, gain(index))).collect()
}

/// The smallest number that is nearly as fast as the fastest.
fn best(gains: &[(usize, f64)]) -> usize {
    let most = gains.iter().map(|&(_, gain)| gain).fold(0.0, f64::max);
    gains.iter().find(|&&(_, gain)| gain >= NEARLY * most).map_or(1, |&(threads, _)| threads)
}

/// Measures and prints; `most` is the largest number of threads to try, if not all there are.
pub(super) fn run(
    printer: &mut Printer<impl Write>,
    sizes: &[usize],
    overrides: &Overrides,
    most: Option<usize>,
    amount: Amount,
) -> anyhow::Result<()> {
    let counts = counts(most.unwrap_or_else(processors), cores());
    let mut measured = Vec::new();
    for &size in sizes {
        let setup = Setup { size, overrides: overrides.clone() };
        let totals = measure_search(&setup, &counts, amount);
        super::print_totals(printer, &super::SEARCH, size, &totals)?;
        measured.push(totals);
    }
    let gains = gains(&measured);
    for &(threads, gain) in gains.iter().filter(|&&(threads, _)| threads > 1) {
        printer.print(Figure::new(
            format!("all sizes {threads} threads speedup"),
            gain,
            "times",
        ))?;
    }
    printer.print(Figure::new("processors", processors() as f64, ""))?;
    printer.print(Figure::new("search.threads auto", cores() as f64, "threads"))?;
    printer.print(Figure::new("search.threads to set", best(&gains) as f64, "threads"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::bench::measure::Done;
    use std::time::Duration;

    #[test]
    fn few_numbers_are_all_tried_and_of_many_the_powers_of_two() {
        assert_eq!(counts(1, 1), [1]);
        assert_eq!(counts(4, 2), [1, 2, 3, 4]);
        assert_eq!(counts(24, 12), [1, 2, 4, 8, 12, 16, 24]);
    }

    #[test]
    fn the_smallest_number_that_is_nearly_the_fastest_is_advised() {
        let total = |threads, units| Totals {
            threads,
            done: Done { units, moves: 0 },
            wall: Duration::from_secs(1),
            cpu: Duration::from_secs(1),
        };
        let small = vec![total(1, 1000), total(2, 1600), total(4, 2500), total(8, 2500)];
        let large = vec![total(1, 100), total(2, 160), total(4, 250), total(8, 260)];
        let gains = gains(&[small, large]);
        assert_eq!(gains[0], (1, 1.0));
        assert!((gains[3].1 - 6.5f64.sqrt()).abs() < 1e-9, "{gains:?}");
        assert_eq!(best(&gains), 4);
        assert_eq!(best(&[(1, 1.0), (2, 1.02)]), 1, "no gain, no more threads");
        assert_eq!(best(&[(1, 1.0), (2, 1.9)]), 2);
    }

    #[test]
    fn every_number_is_printed_with_what_to_set() {
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, false);
        let overrides = Overrides::default();
        run(&mut printer, &[5], &overrides, Some(2), Amount::Units(1)).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in ["search 5x5 1 thread: ", "search 5x5 2 threads speedup: ", "to set: "] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}
