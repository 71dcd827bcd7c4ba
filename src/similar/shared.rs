//! Fingerprints that say nothing about a pair: those of the skeleton, and those that much of the class has.

use std::collections::BTreeMap;

use crate::similar::fingerprints::grams;
use crate::similar::prepared::Prepared;
use crate::similar::tokens::tokens;

/// Share of a class, as one in so many, above which a fingerprint is common: the task asks for that code, a lecture
/// showed it, or everybody writes it so.
///
/// A quarter is more than a group that works together, and less than the part of a class that writes the same idiom.
const COMMON_ONE_IN: usize = 4;

/// Number of submissions up to which a fingerprint is never common, however small the class is.
///
/// In a class of up to sixteen, this limit is the one that counts. A quarter of four is one, so that nothing would ever
/// be reported in a small class; with a limit of four, a group of up to four is found in any class. The price is that
/// in a class of four or less only the skeleton is left out, and figures are larger.
const NEVER_COMMON: usize = 4;

/// True if more than a quarter of a class, and more than four of it, have a fingerprint.
fn is_common(having: usize, class: usize) -> bool {
    having > NEVER_COMMON && having * COMMON_ONE_IN > class
}

/// Returns the hashes of all k-grams of the skeleton, sorted. All of them and not the fingerprints alone: which k-grams
/// of a submission are kept depends on what is around them.
pub(super) fn grams_of_skeleton(skeleton: &BTreeMap<String, String>) -> Vec<u64> {
    let mut given: Vec<u64> = skeleton.values().flat_map(|text| grams(&tokens(text))).collect();
    given.sort_unstable();
    given.dedup();
    given
}

/// Returns the hashes of the fingerprints that are common in one of the classes, sorted.
pub(super) fn common(classes: &[&[Prepared]]) -> Vec<u64> {
    let mut common: Vec<u64> = classes.iter().flat_map(|class| common_in(class)).collect();
    common.sort_unstable();
    common.dedup();
    common
}

fn common_in(class: &[Prepared]) -> Vec<u64> {
    let mut all = Vec::new();
    for member in class {
        let mut hashes: Vec<u64> = member.fingerprints().map(|it| it.hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        all.extend(hashes);
    }
    all.sort_unstable();
    let groups = all.chunk_by(|one, other| one == other);
    let common = groups.filter(|group| is_common(group.len(), class.len()));
    common.filter_map(|group| group.first().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_is_more_than_a_quarter_and_more_than_four() {
        for (class, most) in [(2, 4), (5, 4), (15, 4), (16, 4), (19, 4), (20, 5), (300, 75)] {
            assert!(!is_common(most, class), "{most} of {class}");
            assert!(is_common(most + 1, class), "{} of {class}", most + 1);
        }
    }
}
