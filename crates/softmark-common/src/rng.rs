//! Random numbers from named, seeded streams.
//!
//! Every random number in Softmark comes from a [`Stream`], which is told apart from all others by
//! a seed, a name and a case number. So the same seed gives the same numbers on every machine, and
//! adding a check does not shift the numbers of the others.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers (`ChaCha` with 8 rounds).
///
/// ```
/// use softmark_kit::rng::Stream;
///
/// let mut a = Stream::derive(7, "attention/query", 0);
/// let mut b = Stream::derive(7, "attention/query", 0);
/// let mut c = Stream::derive(7, "attention/key", 0);
/// let (x, y, z) = (a.uniform(), b.uniform(), c.uniform());
/// assert_eq!(x, y);
/// assert_ne!(x, z);
/// assert!((0.0..1.0).contains(&x));
/// ```
#[derive(Debug, Clone)]
pub struct Stream {
    rng: ChaCha8Rng,
}

/// Computes the 64-bit FNV-1a hash, which distributes names over keys; it need not be secure.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Stream {
    /// The stream for `seed`, `name` and `case`.
    pub fn derive(seed: u64, name: &str, case: u64) -> Self {
        Self { rng: ChaCha8Rng::from_seed(key(seed, name, case)) }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A number from `[0, 1)`, a multiple of 2⁻²⁴ so that it is exact in `f32`.
    pub fn uniform(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }

    /// A whole number from `0 .. n`, each as likely as any other; 0 where `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // The largest multiple of n: beyond it, small remainders would come up more often.
        let limit = u64::MAX - u64::MAX % n;
        loop {
            let bits = self.bits();
            if bits < limit {
                return bits % n;
            }
        }
    }
}

/// The 256-bit key of the stream for `seed`, `name` and `case`; for generators that take one.
pub fn key(seed: u64, name: &str, case: u64) -> [u8; 32] {
    let mut key = [0_u8; 32];
    let words = [seed, fnv1a(name.as_bytes()), case, name.len() as u64];
    for (chunk, word) in key.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    key
}
