//! Checks of training examples, and the order in which they are taken.

use softmark_common::examples::Examples;

use crate::rng::Stream;
use crate::train::error::TrainError;

/// Fails unless there are examples, and each has a label.
pub(crate) fn check(examples: &Examples, what: &'static str) -> Result<(), TrainError> {
    let (ids, labels) = (examples.ids.len(), examples.labels.len());
    if ids == 0 {
        return Err(TrainError::NoExamples { what });
    }
    if ids != labels {
        return Err(TrainError::Unpaired { what, ids, labels });
    }
    Ok(())
}

/// Returns a number that other examples hardly share: FNV-1a over all ids and labels with their
/// lengths. It tells a mistaken data set, not a forged one.
pub(crate) fn fingerprint(examples: &Examples) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |word: u64| {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for (ids, &label) in examples.ids.iter().zip(&examples.labels) {
        take(ids.len() as u64);
        for &id in ids {
            take(u64::from(id));
        }
        take(u64::from(label));
    }
    hash
}

/// Returns the numbers `0 .. n` in the order of an epoch: every order is equally likely (Fisher and Yates),
/// and depends on the seed and the epoch alone.
///
/// ```
/// use softmark_kit::train::shuffled;
///
/// let mut order = shuffled(5, 7, 0);
/// assert_eq!(order, shuffled(5, 7, 0));
/// order.sort();
/// assert_eq!(order, [0, 1, 2, 3, 4]);
/// ```
pub fn shuffled(n: usize, seed: u64, epoch: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    shuffle(&mut order, &mut Stream::derive(seed, "train/shuffle", epoch));
    order
}

/// Shuffles a slice by the method of Fisher and Yates.
pub(crate) fn shuffle<T>(of: &mut [T], stream: &mut Stream) {
    for last in (1..of.len()).rev() {
        let other = usize::try_from(stream.below(last as u64 + 1)).unwrap_or(last);
        of.swap(last, other);
    }
}
