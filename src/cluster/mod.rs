//! One search on several machines, and one match on several machines.
//!
//! Every process (a *rank*, as MPI calls it) has a tree of its own; ranks tell each other what they have counted near
//! the root ([`crate::search::Digest`]), and rank 0 moves by the sum. [`link`] is how messages travel: over channels
//! inside one process, or by MPI with the cargo feature `mpi`. `leader` is the partner of the search of rank 0,
//! `follower` what the others do. [`simulate`] tries clusters larger than there are.

#[cfg(feature = "programs")]
pub mod channels;
#[cfg(feature = "programs")]
pub mod follower;
#[cfg(feature = "programs")]
pub mod leader;
pub mod link;
#[cfg(feature = "programs")]
pub mod message;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod simulate;

/// The seed of a rank: rank 0 searches as one machine alone would.
pub fn rank_seed(seed: u64, rank: usize) -> u64 {
    seed ^ (rank as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
