//! Work on many positions at once, with results that do not depend on the number of threads.

use indicatif::{ProgressBar, ProgressStyle};
use std::ops::SubAssign;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does a piece of work for every index below `count` on some threads and returns the results in
/// the order of the indices. Each thread makes a worker of its own and keeps it.
pub fn in_parallel<W, T: Send>(
    count: usize,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut worker = worker();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, work(&mut worker, index)));
        }
    };
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads = threads.clamp(1, count.max(1));
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles
            .into_iter()
            .flat_map(|handle| {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A progress bar on stderr, drawn only if that is a terminal.
pub fn progress_bar(count: usize, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(count as u64).with_style(style).with_message(name.to_owned())
}

/// The seed of the position on a line of a file: the same whatever the thread that works on it
/// and however many positions are used, and different for neighbouring lines and seeds.
pub fn position_seed(seed: u64, line: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(line as u64)
}

/// The place of the weight at which a ticket between 0 and their sum is used up; none if it never is.
pub fn drawn<T: SubAssign + PartialOrd + Default>(
    mut ticket: T,
    weights: impl IntoIterator<Item = T>,
) -> Option<usize> {
    weights.into_iter().position(|weight| {
        ticket -= weight;
        ticket < T::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_whatever_the_number_of_threads() {
        for (count, threads) in [(0, 3), (1, 4), (100, 1), (100, 7), (5, 100)] {
            let results = in_parallel(count, threads, || 0, |_, index| index * index);
            assert_eq!(results, (0..count).map(|index| index * index).collect::<Vec<_>>());
        }
    }

    #[test]
    fn tickets_are_used_up_by_weights() {
        let place = |ticket: f32| drawn(ticket, [0.5, 0.0, 0.25]);
        assert_eq!([0.0, 0.49, 0.5, 0.74].map(place), [Some(0), Some(0), Some(2), Some(2)]);
        assert_eq!(place(0.75), None);
    }

    #[test]
    fn seeds_differ() {
        let mut seeds: Vec<u64> =
            (0..20).flat_map(|s| (0..500).map(move |i| position_seed(s, i))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 20 * 500);
    }
}
