//! What every rank but the first does: it waits for a task, searches, exchanges with all others, and stops when it is
//! told.

use super::leader::RHYTHM;
use super::link::Link;
use super::message::{Message, Task};
use crate::game::Game;
use crate::params::{Overrides, Params};
use crate::search::{Bounds, Interrupt, Partner, Request, Search, Window};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a rank waits for a message before it looks whether rank 0 is still there.
const LOOK_UP: Duration = Duration::from_secs(1);
/// How long rank 0 may be silent before a rank leaves.
const ABANDONED: Duration = Duration::from_secs(600);

/// What the loop and the partner of its search share.
struct Desk {
    link: Box<dyn Link>,
    /// A message that ended the search: the next task, or the end.
    next: Option<Message>,
    search: u64,
    /// The first search with the tree of the moment: digests of earlier ones are about what is forgotten.
    first: u64,
    /// When to exchange next.
    due: Duration,
    /// How long rank 0 has given no sign of life.
    silent: Duration,
}

type SharedDesk = Arc<Mutex<Desk>>;

fn lock(desk: &SharedDesk) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A rank at work.
struct Follower {
    desk: SharedDesk,
    rank: usize,
    overrides: Overrides,
    /// The search, and what it was made for.
    search: Option<(Search, u64, Params)>,
}

/// Follows rank 0 until it says that the work is over. The parameters give what does not travel: the model.
pub fn follow(link: Box<dyn Link>, overrides: Overrides) {
    let rank = link.rank();
    let (due, silent) = (Duration::ZERO, Duration::ZERO);
    let desk = Desk { link, next: None, search: 0, first: 0, due, silent };
    let desk = Arc::new(Mutex::new(desk));
    let mut follower = Follower { desk, rank, overrides, search: None };
    loop {
        let waiting = lock(&follower.desk).next.take();
        let received = match waiting {
            Some(message) => Some((0, message)),
            None => {
                let received = lock(&follower.desk).link.wait(LOOK_UP);
                received.and_then(|(from, bytes)| Some((from, Message::from_bytes(&bytes)?)))
            }
        };
        let Some((from, message)) = received else {
            if lock(&follower.desk).is_abandoned(LOOK_UP) {
                log::error!("rank 0 is gone; rank {rank} leaves");
                return;
            }
            continue;
        };
        match message {
            Message::Task(task) => follower.execute(&task),
            Message::Digest { search: number, digest, .. } => {
                let is_known = number >= lock(&follower.desk).first;
                if is_known && let Some((search, ..)) = &mut follower.search {
                    search.take(from, &digest);
                }
            }
            Message::Quit => return,
            _ => {}
        }
    }
}

impl Follower {
    fn execute(&mut self, task: &Task) {
        if let Err(why) = self.try_to(task) {
            log::warn!("rank {} refuses: {why}", self.rank);
            let refusal = Message::Refused { search: task.search, why };
            lock(&self.desk).link.send(0, refusal.to_bytes());
        }
    }

    fn try_to(&mut self, task: &Task) -> Result<(), String> {
        let game = task.game()?;
        let request = task.request()?;
        let params = task.params(&self.overrides.resolve(task.size()), self.rank)?;
        {
            let mut desk = lock(&self.desk);
            (desk.search, desk.due) = (task.search, RHYTHM);
        }
        let is_fit = |known: &(Search, u64, Params)| {
            known.1 == task.generation && known.2 == params && known.0.size() == task.size()
        };
        if !self.search.as_ref().is_some_and(is_fit) {
            let mut search = Search::new(params.clone(), task.size());
            search.set_partner(Some(Box::new(Colleague(Arc::clone(&self.desk)))));
            self.search = Some((search, task.generation, params));
            lock(&self.desk).first = task.search;
        }
        if let Some((search, ..)) = &mut self.search {
            search.run(&game, &request, &Interrupt::default(), &mut |_| ());
        }
        Ok(())
    }
}

/// The partner of a follower's search.
struct Colleague(SharedDesk);

impl Partner for Colleague {
    fn forget(&mut self) {}

    fn begin(&mut self, _: &Game, _: &Params, _: &Request) -> Duration {
        Duration::ZERO
    }

    fn between(&mut self, window: &mut Window) {
        let mut desk = lock(&self.0);
        while desk.next.is_none()
            && let Some((from, bytes)) = desk.link.receive()
        {
            match Message::from_bytes(&bytes) {
                Some(Message::Digest { search, last, digest }) if search >= desk.first => {
                    let is_taken = window.take(from, &digest);
                    if is_taken && from == 0 && !last {
                        window.adopt_komi(digest.extra_komi);
                    }
                    // Rank 0 has ended, and its word to stop was lost.
                    if last && from == 0 && search >= desk.search {
                        window.stop();
                    }
                }
                Some(Message::Stop { search }) if search >= desk.search => window.stop(),
                Some(message @ (Message::Task(_) | Message::Quit)) => {
                    desk.next = Some(message);
                    window.stop();
                }
                _ => {}
            }
        }
        let now = window.elapsed();
        if now >= desk.due {
            desk.due = now + RHYTHM;
            desk.tell(window, false);
            // A search without limits would never end by itself.
            if desk.is_abandoned(RHYTHM) {
                desk.next = Some(Message::Quit);
                window.stop();
            }
        }
    }

    fn end(&mut self, window: &mut Window) {
        lock(&self.0).tell(window, true);
    }

    fn leads(&self) -> bool {
        false
    }
}

impl Desk {
    /// Has rank 0 been silent for too long? Asked every so often.
    fn is_abandoned(&mut self, every: Duration) -> bool {
        let is_present = self.link.is_present(0);
        self.silent = if is_present { Duration::ZERO } else { self.silent + every };
        self.silent >= ABANDONED
    }

    fn tell(&mut self, window: &Window, last: bool) {
        let digest = window.give(&Bounds::default());
        let message = Message::Digest { search: self.search, last, digest };
        self.link.send_to_all(&message.to_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::channels::{Conditions, network};
    use super::*;

    #[test]
    fn a_rank_is_abandoned_after_ten_minutes_of_silence() {
        let mut ends = network(2, Conditions::default());
        let link = Box::new(ends.pop().unwrap());
        let (due, silent) = (Duration::ZERO, Duration::ZERO);
        let mut desk = Desk { link, next: None, search: 0, first: 0, due, silent };
        let minute = Duration::from_secs(60);
        assert!((0..100).all(|_| !desk.is_abandoned(minute)), "rank 0 is there");
        ends.clear();
        assert_eq!((0..20).position(|_| desk.is_abandoned(minute)), Some(9));
    }
}
