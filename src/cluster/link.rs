//! How messages travel between ranks.
//!
//! A link never blocks the one who sends and promises little: messages of one sender come in their order, some may
//! not come at all. What is built on it holds under both, so a machine that stalls stops nobody.

use std::time::Duration;

/// A message and the rank it comes from.
pub type Received = (usize, Vec<u8>);

/// The end of a network at one rank.
pub trait Link: Send {
    /// The number of this end, from 0.
    fn rank(&self) -> usize;

    /// How many ends there are.
    fn ranks(&self) -> usize;

    /// Sends without waiting. The message is dropped if its receiver has stalled.
    fn send(&mut self, to: usize, bytes: Vec<u8>);

    /// A message that has arrived, if there is one.
    fn receive(&mut self) -> Option<Received>;

    /// The next message, or None after some time without one.
    fn wait(&mut self, at_most: Duration) -> Option<Received>;

    /// Has the other end shown signs of life lately?
    fn is_present(&self, rank: usize) -> bool;

    /// Sends to all other ranks.
    fn send_to_all(&mut self, bytes: &[u8]) {
        let own = self.rank();
        for rank in (0..self.ranks()).filter(|&rank| rank != own) {
            self.send(rank, bytes.to_vec());
        }
    }
}
