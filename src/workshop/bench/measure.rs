//! Running workers for a while, on several threads, and adding up what they did.

use cpu_time::ThreadTime;
use std::ops::AddAssign;
use std::panic::resume_unwind;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// Does a small piece of work (some milliseconds) at every call.
pub(super) type Worker = Box<dyn FnMut() -> Done + Send>;

/// What a piece of work did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Done {
    /// Playouts, or what else the workload counts.
    pub units: u64,
    /// Moves played; 0 if the workload does not count them.
    pub moves: u64,
}

impl AddAssign for Done {
    fn add_assign(&mut self, other: Done) {
        self.units += other.units;
        self.moves += other.moves;
    }
}

/// What some threads did in some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Totals {
    pub threads: usize,
    pub done: Done,
    /// Time on the wall clock.
    pub wall: Duration,
    /// CPU time of all threads together.
    pub cpu: Duration,
}

/// How much to do on each number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    /// As much as fits into this time.
    Time(Duration),
    /// At least this many units in every thread: the same work whatever the machine, for
    /// profilers that count instructions.
    Units(u64),
}

impl Amount {
    /// Is it enough?
    pub(super) fn is_done(self, done: Done, wall: Duration) -> bool {
        match self {
            Amount::Time(time) => wall >= time,
            Amount::Units(units) => done.units >= units,
        }
    }
}

const TURN: Duration = Duration::from_millis(250);

/// Runs workers on each of the given numbers of threads, in turns.
pub(super) fn measure(
    worker: impl Fn(usize) -> Worker,
    thread_counts: &[usize],
    amount: Amount,
) -> Vec<Totals> {
    let most = thread_counts.iter().copied().max().unwrap_or(0);
    let mut workers: Vec<Worker> = (0..most).map(worker).collect();
    let none = |&threads| Totals { threads, ..Totals::default() };
    let mut totals: Vec<Totals> = thread_counts.iter().map(none).collect();
    match amount {
        Amount::Units(_) => {
            for total in &mut totals {
                take_turn(&mut workers[..total.threads], total, amount);
            }
        }
        Amount::Time(time) => {
            for worker in &mut workers {
                worker(); // the first batch warms caches and clocks
            }
            while totals.iter().any(|total| total.wall < time) {
                for total in totals.iter_mut().filter(|total| total.wall < time) {
                    let turn = Amount::Time(TURN.min(time - total.wall));
                    take_turn(&mut workers[..total.threads], total, turn);
                }
            }
        }
    }
    totals
}

/// Runs all workers at once, each until it is done.
fn take_turn(workers: &mut [Worker], total: &mut Totals, amount: Amount) {
    let barrier = Barrier::new(workers.len());
    let work = |worker: &mut Worker| {
        barrier.wait();
        let (start, cpu) = (Instant::now(), ThreadTime::now());
        let mut done = Done::default();
        while !amount.is_done(done, start.elapsed()) {
            done += worker();
        }
        (done, start.elapsed(), cpu.elapsed())
    };
    let results: Vec<_> = thread::scope(|scope| {
        let handles: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| work(worker))).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|p| resume_unwind(p)))
            .collect()
    });
    let mut longest = Duration::ZERO;
    for (done, wall, cpu) in results {
        total.done += done;
        total.cpu += cpu;
        longest = longest.max(wall);
    }
    total.wall += longest;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper(_: usize) -> Worker {
        Box::new(|| {
            thread::sleep(Duration::from_millis(5));
            Done { units: 1, moves: 3 }
        })
    }

    #[test]
    fn work_of_all_threads_is_added_up() {
        let totals = measure(sleeper, &[1, 3], Amount::Time(Duration::from_millis(400)));
        let [one, three] = totals[..] else { panic!("two totals") };
        assert_eq!((one.threads, three.threads), (1, 3));
        for total in [one, three] {
            assert_eq!(total.done.moves, 3 * total.done.units);
            assert!(total.wall >= Duration::from_millis(400));
            assert!(total.cpu < total.wall, "sleeping takes no CPU time");
        }
        // Sleepers scale on any machine; a third of the ideal is enough on a busy one.
        assert!(one.done.units > 10 && three.done.units > one.done.units, "{totals:?}");
    }

    #[test]
    fn a_fixed_amount_is_done_by_every_thread() {
        let totals = measure(sleeper, &[1, 3], Amount::Units(7));
        assert_eq!(totals.iter().map(|total| total.done.units).collect::<Vec<_>>(), [7, 21]);
    }
}
