//! Random numbers: one small generator, seedable, with independent streams.

use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoroshiro128PlusPlus;

/// Xoroshiro128++. 16 bytes of state keep it in registers during a playout.
#[derive(Clone, Debug)]
pub struct Rng(Xoroshiro128PlusPlus);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoroshiro128PlusPlus::seed_from_u64(seed))
    }

    /// The `index`-th stream of a seed. Streams are 2^64 numbers apart and never meet, so every
    /// thread gets one of its own.
    pub fn stream(seed: u64, index: usize) -> Rng {
        let mut rng = Rng::new(seed);
        for _ in 0..index {
            rng.0.jump();
        }
        rng
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, by multiply and shift. The bias is below bound / 2^32.
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with this probability, given in 1/65536.
    #[inline(always)]
    pub fn chance(&mut self, probability: u32) -> bool {
        (self.bits() >> 48) < u64::from(probability)
    }

    /// Puts a slice into random order.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for i in (1..slice.len()).rev() {
            slice.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_streams_differ() {
        let draw = |mut rng: Rng| (0..4).map(|_| rng.bits()).collect::<Vec<_>>();
        assert_eq!(draw(Rng::new(7)), draw(Rng::new(7)));
        assert_eq!(draw(Rng::new(7)), draw(Rng::stream(7, 0)));
        assert_ne!(draw(Rng::stream(7, 0)), draw(Rng::stream(7, 1)));
        assert_ne!(draw(Rng::new(7)), draw(Rng::new(8)));
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0i32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Expected 10,000 each with a standard deviation of 93; five of them are 463.
        assert!(counts.iter().all(|&n| (n - 10_000).abs() < 463), "{counts:?}");
        let mean = (0..10_000).map(|_| rng.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.0145, "{mean}");
        let hits = (0..100_000).filter(|_| rng.chance(65536 / 4)).count() as i64;
        assert!((hits - 25_000).abs() < 685, "{hits}");
        assert_eq!((0..1000).filter(|_| rng.chance(65536)).count(), 1000);
    }
}
