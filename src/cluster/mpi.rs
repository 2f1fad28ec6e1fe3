//! A link by MPI.
//!
//! The thread that started MPI carries the messages, and it alone speaks to the library; all else happens on other
//! threads, which have a pair of channels to it. So the search never enters MPI, and the library needs no support for
//! threads. The carrier looks for messages every millisecond.
//!
//! Messages are sent buffered: MPI copies them and returns at once. So that the buffer cannot overflow when a
//! receiver stalls, every rank tells every other a few times a second how many bytes it has got (a *beat*), and what
//! goes to a rank that has not acknowledged `CREDIT` bytes is dropped. Beats are also the signs of life. One that
//! acknowledges something new may go beyond the credit: after a network was down, two ranks that have used theirs up
//! would else never hear of each other again.

use super::link::{Link, Received};
use mpi::Threading;
use mpi::point_to_point::{Destination, Source};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::MatchedReceiveVec as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that may be under way to one rank.
const CREDIT: usize = 256 << 10;
/// The longest message.
const MAX_MESSAGE: usize = 128 << 10;
/// What a message costs beside its bytes.
const OVERHEAD: usize = 256;
/// From one beat to the next.
const BEAT: Duration = Duration::from_millis(200);
/// Silence after which a rank counts as absent.
const SILENCE: Duration = Duration::from_millis(1500);
/// How long the carrier waits for work.
const LOOK: Duration = Duration::from_millis(1);
/// How long a silent rank is waited for at the end.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long one that is there is waited for at the end.
const LONG_FAREWELL: Duration = Duration::from_secs(60);

/// Kinds of messages.
const DATA: u8 = 0;
const BEATS: u8 = 1;
const GOODBYE: u8 = 2;

/// Was this process started by `mpirun`, `mpiexec` or `srun` with MPI?
pub fn is_started() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

/// A program that is started from here is no rank: it must not find what tells ranks of each other. What the
/// person allows `mpirun` to do stays, since the program may be one.
pub fn start_outside(command: &mut std::process::Command) {
    let prefixes = ["OMPI_", "PMIX_", "PMI_", "ORTE_", "PRTE_", "OPAL_", "MPI_", "HYDI_", "HYDRA_"];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_rank = prefixes.iter().any(|prefix| text.starts_with(prefix));
        if is_rank && !text.starts_with("OMPI_ALLOW_") {
            command.env_remove(&name);
        }
    }
}

/// When each rank was heard last, in milliseconds of this process.
type Heard = Arc<Vec<AtomicU64>>;

/// The end that the work holds.
struct Wire {
    rank: usize,
    begin: Instant,
    outbox: Sender<Received>,
    inbox: Receiver<Received>,
    heard: Heard,
}

impl Link for Wire {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.heard.len()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        // The carrier is there until the work is over.
        let _ = self.outbox.send((to, bytes));
    }

    fn receive(&mut self) -> Option<Received> {
        self.inbox.try_recv().ok()
    }

    fn wait(&mut self, at_most: Duration) -> Option<Received> {
        self.inbox.recv_timeout(at_most).ok()
    }

    fn is_present(&self, rank: usize) -> bool {
        let now = self.begin.elapsed().as_millis() as u64;
        let silence = SILENCE.as_millis() as u64;
        self.heard.get(rank).is_some_and(|heard| heard.load(Relaxed) + silence >= now)
    }
}

/// What is known of the way to and from another rank.
#[derive(Clone, Copy, Default)]
struct Way {
    /// Bytes sent, and how many of them were acknowledged.
    sent: u64,
    acknowledged: u64,
    /// Bytes received, and how many of them the last beat has told.
    received: u64,
    told: u64,
    has_left: bool,
}

/// The one who speaks to MPI.
struct Carrier {
    world: SimpleCommunicator,
    rank: usize,
    begin: Instant,
    heard: Heard,
    ways: Vec<Way>,
    inbox: Sender<Received>,
    next_beat: Duration,
}

/// Does the work of this rank with a link to the others. The first argument of the work is the link, its answer the
/// exit code.
pub fn run(work: impl FnOnce(Box<dyn Link>) -> ExitCode + Send + 'static) -> ExitCode {
    let Some((mut universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("tengen: MPI cannot be started; is this process one of an mpirun?");
        return ExitCode::from(2);
    };
    let world = universe.world();
    let (rank, ranks) = (world.rank() as usize, world.size() as usize);
    universe.set_buffer_size((CREDIT + MAX_MESSAGE) * ranks.max(2));
    let begin = Instant::now();
    let heard: Heard = Arc::new((0..ranks).map(|_| AtomicU64::new(0)).collect());
    let (outbox, outgoing) = channel();
    let (incoming, inbox) = channel();
    let wire = Wire { rank, begin, outbox, inbox, heard: Arc::clone(&heard) };
    let mut carrier = Carrier {
        world,
        rank,
        begin,
        heard,
        ways: vec![Way::default(); ranks],
        inbox: incoming,
        next_beat: Duration::ZERO,
    };
    // As much stack as the main thread has.
    let builder = thread::Builder::new().name("work".to_owned()).stack_size(8 << 20);
    let Ok(worker) = builder.spawn(move || work(Box::new(wire))) else {
        eprintln!("tengen: no thread can be started");
        return ExitCode::from(2);
    };
    carrier.carry(&outgoing);
    let code = worker.join().unwrap_or(ExitCode::FAILURE);
    if carrier.say_goodbye() {
        drop(universe);
        return code;
    }
    // To leave MPI in order would be to wait for the dead.
    let missing = carrier.missing();
    if rank == 0 {
        eprintln!("tengen: rank {missing} does not answer; the job ends without it");
    }
    std::mem::forget(universe);
    let status = if code == ExitCode::SUCCESS { 0 } else { 1 };
    std::process::exit(status);
}

impl Carrier {
    /// Carries messages until the work drops its end.
    fn carry(&mut self, outgoing: &Receiver<Received>) {
        loop {
            match outgoing.recv_timeout(LOOK) {
                Ok((to, bytes)) => self.send(to, DATA, &bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.collect();
            self.beat();
        }
    }

    fn send(&mut self, to: usize, kind: u8, bytes: &[u8]) {
        let Some(way) = self.ways.get_mut(to).filter(|way| !way.has_left) else { return };
        let cost = (bytes.len() + OVERHEAD) as u64;
        let is_news = kind == BEATS && way.received > way.told;
        let credit = if is_news { CREDIT + MAX_MESSAGE } else { CREDIT };
        if bytes.len() > MAX_MESSAGE || way.sent + cost > way.acknowledged + credit as u64 {
            log::debug!("a message of {} bytes to rank {to} is dropped", bytes.len());
            return;
        }
        if kind == BEATS {
            way.told = way.received;
        }
        way.sent += cost;
        let message = [&[kind], bytes].concat();
        self.world.process_at_rank(to as i32).buffered_send(&message[..]);
    }

    /// Takes in all that has arrived.
    fn collect(&mut self) {
        while let Some(found) = self.world.any_process().immediate_matched_probe() {
            let from = found.1.source_rank() as usize;
            let (bytes, _) = found.matched_receive_vec::<u8>();
            let Some(way) = self.ways.get_mut(from) else { continue };
            let Some((&kind, rest)) = bytes.split_first() else { continue };
            way.received += (rest.len() + OVERHEAD) as u64;
            self.heard[from].store(self.begin.elapsed().as_millis() as u64, Relaxed);
            match kind {
                DATA => {
                    // Without a receiver the work is over.
                    let _ = self.inbox.send((from, rest.to_vec()));
                }
                BEATS => {
                    if let Ok(number) = rest.try_into() {
                        way.acknowledged = u64::from_le_bytes(number);
                    }
                }
                GOODBYE => way.has_left = true,
                _ => {}
            }
        }
    }

    fn beat(&mut self) {
        let now = self.begin.elapsed();
        if now >= self.next_beat {
            self.next_beat = now + BEAT;
            let own = self.rank;
            for rank in (0..self.ways.len()).filter(|&rank| rank != own) {
                let received = self.ways[rank].received.to_le_bytes();
                self.send(rank, BEATS, &received);
            }
        }
    }

    /// Leaves, and waits until all others do; false if some do not.
    fn say_goodbye(&mut self) -> bool {
        for rank in (0..self.ways.len()).filter(|&rank| rank != self.rank) {
            // Whoever has left still waits for this, and it is short.
            let message = [GOODBYE];
            self.world.process_at_rank(rank as i32).buffered_send(&message[..]);
        }
        self.ways[self.rank].has_left = true;
        let begin = self.begin.elapsed();
        while self.ways.iter().any(|way| !way.has_left) {
            let now = self.begin.elapsed();
            // Rank 0 decides how long; what stalls or dies is silent, a busy machine is only slow.
            let is_patient = self.rank > 0 && !self.ways[0].has_left;
            let silence = now.saturating_sub(self.last_sign().max(begin));
            if !is_patient && (silence >= FAREWELL || now - begin >= LONG_FAREWELL) {
                return false;
            }
            self.collect();
            self.beat();
            thread::sleep(LOOK);
        }
        true
    }

    /// When the last of those that have not left was heard.
    fn last_sign(&self) -> Duration {
        let missing = self.ways.iter().zip(self.heard.iter()).filter(|(way, _)| !way.has_left);
        let last = missing.map(|(_, heard)| heard.load(Relaxed)).max();
        Duration::from_millis(last.unwrap_or(0))
    }

    /// The first rank that has not left.
    fn missing(&self) -> usize {
        self.ways.iter().position(|way| !way.has_left).unwrap_or(0)
    }
}
