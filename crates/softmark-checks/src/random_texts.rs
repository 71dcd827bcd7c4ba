//! Random texts of cases: which places hold real tokens, and their ids.

use softmark_common::rng::Stream;

use crate::array::Array;

/// Returns a mask `[b, t]` in which each text has a real token, and padding too if `padded` says so and there is
/// room for both; the first has two real tokens if there is room for those.
pub fn real_tokens([b, t]: [usize; 2], padded: bool, mut stream: Stream) -> Array {
    let mut mask = Array::from_fn(&[b, t], |_| f64::from(u8::from(!padded || stream.below(5) < 3)));
    for example in 0..b {
        let at = usize::try_from(stream.below(t as u64)).unwrap_or(0);
        mask.set(&[example, at], 1.0);
        let real = (0..t).filter(|&at| mask.at(&[example, at]) == 1.0).count();
        let next = [example, (at + 1) % t];
        if padded && t > 1 && real == t {
            mask.set(&next, 0.0);
        } else if padded && t > 2 && example == 0 && real == 1 {
            mask.set(&next, 1.0);
        }
    }
    mask
}

/// Returns ids below `vocabulary` for the texts of a mask, with 0 at padding and nowhere else.
pub fn ids(mask: &Array, vocabulary: usize, mut stream: Stream) -> Array {
    let words = (vocabulary as u64).saturating_sub(1).max(1);
    Array::from_fn(mask.shape(), |at| match mask.at(at) {
        1.0 => (1 + stream.below(words)) as f64,
        _ => 0.0,
    })
}
