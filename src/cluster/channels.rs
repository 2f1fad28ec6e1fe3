//! A link over channels: ranks that are threads of one process, with a delay and loss of messages as a network has
//! them.

use super::link::{Link, Received};
use crate::types::Rng;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What a network does to messages.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Conditions {
    /// How long they are under way.
    pub delay: Duration,
    /// Share of them that is lost.
    pub loss: f64,
    /// Decides which.
    pub seed: u64,
}

struct Letter {
    due: Instant,
    sender: usize,
    bytes: Vec<u8>,
}

/// One end of a network inside a process.
pub struct Channels {
    rank: usize,
    conditions: Conditions,
    luck: Rng,
    mail: Vec<Sender<Letter>>,
    inbox: Receiver<Letter>,
    /// Letters that have come and are not due yet.
    early: VecDeque<Letter>,
    /// Ends that exist.
    present: Arc<Vec<AtomicBool>>,
}

/// All ends of a network.
pub fn network(ranks: usize, conditions: Conditions) -> Vec<Channels> {
    let (mail, inboxes): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
    let present = Arc::new((0..ranks).map(|_| AtomicBool::new(true)).collect::<Vec<_>>());
    let end = |(rank, inbox)| Channels {
        rank,
        conditions,
        luck: Rng::stream(conditions.seed, rank),
        mail: mail.clone(),
        inbox,
        early: VecDeque::new(),
        present: Arc::clone(&present),
    };
    inboxes.into_iter().enumerate().map(end).collect()
}

impl Channels {
    fn due(&mut self) -> Option<Received> {
        let now = Instant::now();
        let is_due = self.early.front().is_some_and(|letter| letter.due <= now);
        let letter = if is_due { self.early.pop_front()? } else { return None };
        Some((letter.sender, letter.bytes))
    }
}

impl Link for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.mail.len()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        if self.luck.unit() >= self.conditions.loss
            && let Some(mail) = self.mail.get(to)
        {
            let due = Instant::now() + self.conditions.delay;
            // Nobody there any more: a lost message like others.
            let _ = mail.send(Letter { due, sender: self.rank, bytes });
        }
    }

    fn receive(&mut self) -> Option<Received> {
        self.early.extend(self.inbox.try_iter());
        self.due()
    }

    fn wait(&mut self, at_most: Duration) -> Option<Received> {
        let until = Instant::now() + at_most;
        loop {
            if let Some(received) = self.receive() {
                return Some(received);
            }
            let next = self.early.front().map_or(until, |letter| letter.due.min(until));
            match self.inbox.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(letter) => self.early.push_back(letter),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    if Instant::now() >= until {
                        return self.receive();
                    }
                }
            }
        }
    }

    fn is_present(&self, rank: usize) -> bool {
        self.present.get(rank).is_some_and(|present| present.load(Relaxed))
    }
}

impl Drop for Channels {
    fn drop(&mut self) {
        self.present[self.rank].store(false, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_in_order_and_not_before_their_time() {
        let delay = Duration::from_millis(30);
        let mut ends = network(2, Conditions { delay, ..Conditions::default() });
        let begin = Instant::now();
        ends[0].send(1, vec![1]);
        ends[0].send(1, vec![2]);
        assert!(ends[1].receive().is_none());
        let minute = Duration::from_secs(60);
        assert_eq!(ends[1].wait(minute), Some((0, vec![1])));
        assert_eq!(ends[1].wait(minute), Some((0, vec![2])));
        assert!(begin.elapsed() >= delay);
        assert_eq!(ends[1].wait(Duration::from_millis(1)), None);
    }

    #[test]
    fn some_are_lost_and_the_dead_are_known() {
        let conditions = Conditions { loss: 0.5, seed: 1, ..Conditions::default() };
        let mut ends = network(2, conditions);
        (0..1000).for_each(|_| ends[0].send(1, vec![]));
        let arrived = std::iter::from_fn(|| ends[1].receive()).count();
        assert!((420..580).contains(&arrived), "{arrived}");
        assert!(ends[0].is_present(1));
        ends.pop();
        assert!(!ends[0].is_present(1) && !ends[0].is_present(7));
        ends[0].send(1, vec![]);
    }
}
