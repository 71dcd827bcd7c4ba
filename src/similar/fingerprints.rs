//! Fingerprints of a text: some of the hashes of its k-grams, selected by winnowing.

use crate::similar::tokens::Token;

/// Tokens of a k-gram (*k*, the noise threshold): no agreement of fewer tokens is found.
///
/// Twenty tokens are two lines: what everybody writes, such as `let name = name.name(&name)?;`, has twelve. Of the files that
/// were written apart (see [`Threshold`](super::Threshold)), two have up to 34 % of all k-grams of 16 tokens in common, and
/// up to 27 % of those of 20.
pub(super) const GRAM: usize = 20;

/// K-grams of a window (*w*): one of them at least is kept.
///
/// So an agreement of *w + k − 1* = 24 tokens is always found, and two of *w + 1* k-grams are kept on average (Schleimer,
/// Wilkerson and Aiken 2003, sections 3 and 4). A third of the k-grams is enough for a share to be that of all k-grams
/// within 3 % of the code of one function; with *w* = 9, a fifth, it may be off by 7 %. Smaller windows cost memory alone,
/// and there is plenty: a submission has about a thousand tokens of its own.
pub(super) const WINDOW: usize = 5;

/// Kept k-gram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fingerprint {
    /// Hash of its tokens.
    pub(super) hash: u64,
    /// Index of its first token.
    pub(super) start: usize,
}

/// Odd base of the polynomial that hashes a k-gram.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the hashes of all k-grams of a file, by the index of their first token.
pub(super) fn grams(tokens: &[Token]) -> Vec<u64> {
    let leading = (1..GRAM).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut found = Vec::new();
    let mut sum = 0_u64;
    for (at, token) in tokens.iter().enumerate() {
        sum = sum.wrapping_mul(BASE).wrapping_add(u64::from(token.symbol));
        let Some(first) = (at + 1).checked_sub(GRAM) else { continue };
        found.push(mixed(sum));
        let oldest = tokens.get(first).map_or(0, |token| u64::from(token.symbol));
        sum = sum.wrapping_sub(oldest.wrapping_mul(leading));
    }
    found
}

/// Returns the smallest hash of each window, each once. Of equal ones the one of the window before is kept, or else the
/// last (robust winnowing, section 5 of the paper), so that a text that repeats itself has no more of them.
pub(super) fn fingerprints(grams: &[u64]) -> Vec<Fingerprint> {
    let mut kept: Vec<Fingerprint> = Vec::new();
    let windows = grams.len().saturating_sub(WINDOW - 1).max(usize::from(!grams.is_empty()));
    for from in 0..windows {
        let window = grams.get(from..grams.len().min(from + WINDOW)).unwrap_or_default();
        let smallest = (from..).zip(window).min_by_key(|(at, hash)| (**hash, usize::MAX - at));
        let Some((start, hash)) = smallest else { continue };
        if kept.last().is_none_or(|last| last.start < from || last.hash != *hash) {
            kept.push(Fingerprint { hash: *hash, start });
        }
    }
    kept
}

/// True if a sorted list of hashes holds this one.
pub(super) fn is_in(sorted: &[u64], hash: u64) -> bool {
    sorted.binary_search(&hash).is_ok()
}

/// Spreads a sum over all bits, without loss (the finaliser of `SplitMix64`), so that which hash is the smallest does not
/// depend on the last tokens alone.
fn mixed(sum: u64) -> u64 {
    let sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    sum ^ (sum >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn tokens(symbols: &[u32]) -> Vec<Token> {
        symbols.iter().map(|symbol| Token { symbol: *symbol, line: 1 }).collect()
    }

    fn hashes(symbols: &[u32]) -> BTreeSet<u64> {
        fingerprints(&grams(&tokens(symbols))).iter().map(|it| it.hash).collect()
    }

    #[test]
    fn a_k_gram_hashes_the_same_wherever_it_stands() {
        let gram: Vec<u32> = (100..).take(GRAM).collect();
        let alone = grams(&tokens(&gram));
        assert_eq!(alone.len(), 1);
        let inside = grams(&tokens(&[&[1, 2, 3], gram.as_slice(), &[4]].concat()));
        assert_eq!(inside.get(3), alone.first());
        assert_eq!(inside.iter().collect::<BTreeSet<_>>().len(), 5);
        assert_eq!(grams(&tokens(&gram[1..])), [0; 0]);
    }

    #[test]
    fn a_short_text_has_one_fingerprint_and_a_shorter_one_none() {
        assert_eq!(fingerprints(&[]), []);
        assert_eq!(fingerprints(&[3, 1, 2]), [Fingerprint { hash: 1, start: 1 }]);
    }

    #[test]
    fn of_equal_minima_one_is_kept_in_each_window() {
        let same = vec![7; 30];
        let kept: Vec<usize> = fingerprints(&same).iter().map(|it| it.start).collect();
        assert_eq!(kept, (WINDOW - 1..30).step_by(WINDOW).collect::<Vec<_>>());
        let mut one = vec![7; 30];
        one[12] = 1;
        let at_twelve = fingerprints(&one).iter().filter(|it| it.start == 12).count();
        assert_eq!(at_twelve, 1);
    }

    proptest! {
        /// The guarantee of `GRAM` and `WINDOW`: whatever is around it, an agreement of w + k − 1 tokens is found.
        #[test]
        fn an_agreement_of_the_guaranteed_length_is_found(
            shared in prop::collection::vec(0_u32..9, GRAM + WINDOW - 1),
            around in prop::array::uniform4(prop::collection::vec(0_u32..9, 0..40)),
        ) {
            let [a, b, c, d] = around;
            let (one, other) = ([a, shared.clone(), b].concat(), [c, shared, d].concat());
            prop_assert!(!hashes(&one).is_disjoint(&hashes(&other)));
        }

        /// From the other side: texts that have no k tokens in common have no fingerprint in common.
        #[test]
        fn texts_without_a_common_k_gram_have_no_common_fingerprint(
            one in prop::collection::vec(0_u32..9, 0..80),
            other in prop::collection::vec(9_u32..18, 0..80),
            common in prop::collection::vec(0_u32..9, GRAM - 1),
        ) {
            let one = [one, vec![100], common.clone(), vec![101]].concat();
            let other = [other, vec![102], common, vec![103]].concat();
            prop_assert!(hashes(&one).is_disjoint(&hashes(&other)));
        }

        #[test]
        fn every_window_keeps_a_k_gram(symbols in prop::collection::vec(0_u32..4, GRAM..120)) {
            let kept = fingerprints(&grams(&tokens(&symbols)));
            for two in kept.windows(2) {
                prop_assert!((1..=WINDOW).contains(&(two[1].start - two[0].start)));
            }
        }
    }
}
