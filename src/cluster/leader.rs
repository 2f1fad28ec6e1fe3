//! Rank 0 of a search on many: it gives the others their task, exchanges with them, stops them, and moves by the sum.
//!
//! Nobody is waited for: a rank that stalls or dies keeps its last numbers in the sum and costs at most [`PATIENCE`]
//! at the end of the search during which it fell silent.

use super::link::Link;
use super::message::{Message, Task};
use crate::game::Game;
use crate::params::Params;
use crate::search::{Bounds, Partner, Request, Window};
use std::time::{Duration, Instant};

/// From one exchange to the next.
pub const RHYTHM: Duration = Duration::from_millis(100);
/// How long rank 0 waits for the last numbers of the others when its time is up.
pub const PATIENCE: Duration = Duration::from_millis(20);
/// How often it looks up while it waits.
const STEP: Duration = Duration::from_millis(10);
/// How much longer than rank 0 the others may take for a number of playouts, beside as long again.
const GRACE: Duration = Duration::from_secs(1);

/// What another rank does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It does not answer: it was silent when the search began.
    Absent,
    /// It has its task.
    Searching,
    /// It has told its last numbers.
    Done,
    /// It cannot search this position.
    LeftOut,
}

/// The partner of rank 0's search.
pub struct Leader {
    link: Box<dyn Link>,
    bounds: Bounds,
    search: u64,
    generation: u64,
    /// The first search of this generation: what was counted before is forgotten.
    first: u64,
    /// When to exchange next.
    next: Duration,
    by_playouts: bool,
    /// How long the last numbers are waited for: a small part of a short search.
    patience: Duration,
    others: Vec<State>,
    /// Bytes of all digests, each counted once.
    bytes: usize,
}

impl Leader {
    /// The leader of the ranks at the other ends of a link.
    pub fn new(link: Box<dyn Link>) -> Leader {
        let others = vec![State::Absent; link.ranks()];
        Leader {
            link,
            bounds: Bounds::default(),
            search: 0,
            generation: 0,
            first: 0,
            next: RHYTHM,
            by_playouts: false,
            patience: PATIENCE,
            others,
            bytes: 0,
        }
    }

    fn hear(&mut self, from: usize, bytes: &[u8], window: &mut Window) {
        match Message::from_bytes(bytes) {
            Some(Message::Digest { search, last, digest }) => {
                if self.others[from] == State::LeftOut || search < self.first {
                    return;
                }
                window.take(from, &digest);
                if search == self.search {
                    self.others[from] = if last { State::Done } else { State::Searching };
                }
            }
            Some(Message::Refused { search, why }) if search == self.search => {
                log::warn!("rank {from} is left out of this search: {why}");
                self.others[from] = State::LeftOut;
            }
            _ => {}
        }
    }

    fn tell(&mut self, window: &Window, last: bool) {
        let digest = window.give(&self.bounds);
        let bytes = Message::Digest { search: self.search, last, digest }.to_bytes();
        self.bytes += bytes.len();
        self.link.send_to_all(&bytes);
    }

    /// Is there anybody whose last numbers are still to come?
    fn is_waiting(&self) -> bool {
        let mut others = self.others.iter().enumerate().skip(1);
        others.any(|(rank, &state)| state == State::Searching && self.link.is_present(rank))
    }

    /// Takes in the last numbers of the others, for a limited time.
    fn gather(&mut self, window: &mut Window, at_most: Duration) {
        let until = Instant::now() + at_most;
        while self.is_waiting() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || at_most > PATIENCE && window.is_interrupted() {
                break;
            }
            if let Some((from, bytes)) = self.link.wait(left.min(STEP)) {
                self.hear(from, &bytes, window);
            }
        }
    }
}

impl Partner for Leader {
    fn forget(&mut self) {
        self.generation += 1;
        self.first = self.search + 1;
    }

    fn begin(&mut self, game: &Game, params: &Params, request: &Request) -> Duration {
        self.search += 1;
        self.next = RHYTHM;
        let limit = request.limit;
        self.by_playouts = limit.playouts.is_some() && limit.maximum.is_none();
        let (search, generation) = (self.search, self.generation);
        let mut task = Task::new(game, params, request);
        (task.search, task.generation) = (search, generation);
        self.link.send_to_all(&Message::Task(Box::new(task)).to_bytes());
        for rank in 1..self.others.len() {
            let present = self.link.is_present(rank);
            self.others[rank] = if present { State::Searching } else { State::Absent };
        }
        let limits = [limit.planned, limit.maximum].into_iter().flatten();
        self.patience = limits.map(|limit| limit / 10).fold(PATIENCE, Duration::min);
        if self.is_waiting() { self.patience } else { Duration::ZERO }
    }

    fn between(&mut self, window: &mut Window) {
        while let Some((from, bytes)) = self.link.receive() {
            self.hear(from, &bytes, window);
        }
        let now = window.elapsed();
        if now >= self.next {
            self.next = now + RHYTHM;
            self.tell(window, false);
        }
    }

    fn end(&mut self, window: &mut Window) {
        if self.by_playouts {
            // Whoever asks for playouts gets them from every rank, unless one is very slow.
            self.gather(window, window.elapsed() + GRACE);
        }
        self.link.send_to_all(&Message::Stop { search: self.search }.to_bytes());
        self.gather(window, self.patience);
        self.tell(window, true);
        log::debug!("search {}: {} bytes so far, {:?}", self.search, self.bytes, self.others);
    }

    fn leads(&self) -> bool {
        true
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.link.send_to_all(&Message::Quit.to_bytes());
    }
}
