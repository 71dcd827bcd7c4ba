//! The copying task: continue a repetition.
//!
//! A text is [`LENGTH`] random symbols, a separator, and the first `m` of the symbols again, `0 ≤ m < LENGTH`. Its
//! label is the number of the symbol that comes next.
//!
//! ```text
//! D A F A C B | D A        F
//! ```
//!
//! One block is enough. The next symbol always stands [`LENGTH`] positions before the last one, because the separator
//! takes the place of the symbol that is still missing: it is at position `m`, and the last position is
//! `LENGTH + m`. Rotary positions let a query prefer a distance, so attention can read that symbol from every text. A
//! model that sees no order can only guess among the symbols.

use std::collections::BTreeSet;

use softmark_common::examples::Examples;
use softmark_common::rng::Stream;

/// Number of symbols before the separator.
pub const LENGTH: usize = 6;

/// Number of symbols, and of classes.
pub const SYMBOLS: u32 = 12;

/// Id of the separator. Id 0 is padding, which no text has; symbol `s` has the id `SEPARATOR + 1 + s`.
pub const SEPARATOR: u32 = 1;

/// Number of ids.
pub const VOCABULARY: u32 = SEPARATOR + 1 + SYMBOLS;

/// Returns `count` different texts with their labels, so that no text is both learned and asked about. There are
/// `6 · 12⁶` texts.
pub fn generate(seed: u64, count: usize) -> Examples {
    let mut stream = Stream::derive(seed, "data/copying", 0);
    let mut below = |n: u32| u32::try_from(stream.below(u64::from(n))).unwrap_or(0);
    let mut examples = Examples::default();
    let mut known = BTreeSet::new();
    while examples.ids.len() < count {
        let symbols: Vec<u32> = (0..LENGTH).map(|_| below(SYMBOLS)).collect();
        let repeated = below(u32::try_from(LENGTH).unwrap_or(1));
        let (ids, next) = text(&symbols, usize::try_from(repeated).unwrap_or(0));
        if known.insert(ids.clone()) {
            examples.ids.push(ids);
            examples.labels.push(next);
        }
    }
    examples
}

/// Returns the ids of the text that repeats the first `repeated` symbols, and the symbol that comes next.
fn text(symbols: &[u32], repeated: usize) -> (Vec<u32>, u32) {
    let ids = symbols.iter().map(|symbol| SEPARATOR + 1 + symbol);
    let ids = ids.clone().chain([SEPARATOR]).chain(ids.take(repeated)).collect();
    (ids, symbols.get(repeated).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_is_the_symbol_at_a_fixed_distance_before_the_end() {
        let examples = generate(3, 500);
        assert_eq!(examples, generate(3, 500));
        assert_ne!(examples, generate(4, 500));
        for (ids, label) in examples.ids.iter().zip(&examples.labels) {
            assert_eq!(ids[ids.len() - 1 - LENGTH], SEPARATOR + 1 + label, "{ids:?}");
            assert_eq!(ids.iter().filter(|&&id| id == SEPARATOR).count(), 1, "{ids:?}");
            assert!(ids.iter().all(|&id| 0 < id && id < VOCABULARY), "{ids:?}");
        }
        let repeats = |m| examples.ids.iter().any(|ids| ids.len() == LENGTH + 1 + m);
        assert!((0..LENGTH).all(repeats) && !repeats(LENGTH));
    }
}
