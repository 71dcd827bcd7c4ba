//! Dealing examples out into parts that have the classes in the same proportions.

use std::collections::BTreeMap;

use softmark_kit::rng::Stream;

/// How far the fractions' sum may be from 1: what ten of them lose in rounding is far below.
const SLACK: f64 = 1e-9;

/// Why examples cannot be dealt out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Fractions that are none.
    #[error("the fractions {fractions:?} have to be above 0 and add up to 1")]
    Fractions {
        /// What was asked for.
        fractions: Vec<f64>,
    },
    /// A class that does not reach all parts.
    #[error(
        "class {label} has {count} examples, and part {part} would get none of them; \
         leave the class out or ask for fewer parts"
    )]
    TooFew {
        /// The class.
        label: u32,
        /// How many examples it has.
        count: usize,
        /// The first part that would get none, counted from 1.
        part: usize,
    },
}

/// Deals the indices of `labels` out into one part a fraction, each class on its own.
///
/// Of a class with `n` examples a part gets `n · fraction` of them by the largest remainder: the whole
/// part of that first, and what is left over goes to the parts with the largest remainders, to the
/// earlier one where two are equal. Which examples these are is drawn from the stream
/// `split/stratified` of `seed` and the class; the indices of a part are in rising order.
///
/// ```
/// use softmark_data::split::stratified;
///
/// let labels = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
/// let parts = stratified(&labels, &[0.6, 0.2, 0.2], 7)?;
/// assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [6, 2, 2]);
/// assert_eq!(parts, stratified(&labels, &[0.6, 0.2, 0.2], 7)?);
/// # Ok::<(), softmark_data::split::SplitError>(())
/// ```
///
/// # Errors
///
/// When the fractions are not above 0 or do not add up to 1, or when a class has too few examples for
/// every part to get one.
pub fn stratified(
    labels: &[u32],
    fractions: &[f64],
    seed: u64,
) -> Result<Vec<Vec<usize>>, SplitError> {
    let sum: f64 = fractions.iter().sum();
    let positive = fractions.iter().all(|fraction| *fraction > 0.0 && fraction.is_finite());
    if fractions.is_empty() || !positive || (sum - 1.0).abs() > SLACK {
        return Err(SplitError::Fractions { fractions: fractions.to_vec() });
    }
    let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, &label) in labels.iter().enumerate() {
        classes.entry(label).or_default().push(index);
    }
    let mut parts = vec![Vec::new(); fractions.len()];
    for (label, mut members) in classes {
        let count = members.len();
        shuffle(&mut members, &mut Stream::derive(seed, "split/stratified", label.into()));
        let sizes = largest_remainder(count, fractions);
        if let Some(part) = sizes.iter().position(|size| *size == 0) {
            return Err(SplitError::TooFew { label, count, part: part + 1 });
        }
        let mut members = members.into_iter();
        for (part, size) in parts.iter_mut().zip(sizes) {
            part.extend(members.by_ref().take(size));
        }
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    Ok(parts)
}

/// Whole numbers that add up to `count` and are as near to `count · fraction` as can be.
fn largest_remainder(count: usize, fractions: &[f64]) -> Vec<usize> {
    let shares: Vec<f64> = fractions.iter().map(|fraction| fraction * count as f64).collect();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share is between 0 and the count"
    )]
    // What rounding makes of 0.6 · 5 is 3, however it falls.
    let mut sizes: Vec<usize> = shares.iter().map(|share| (share + SLACK) as usize).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let remainder = |part: usize| {
        shares.get(part).zip(sizes.get(part)).map_or(0.0, |(share, size)| share - *size as f64)
    };
    // Remainders are compared in steps of the slack, so that equal ones are equal.
    let steps: Vec<f64> = order.iter().map(|&part| (remainder(part) / SLACK).round()).collect();
    let step = |part: &usize| steps.get(*part).copied().unwrap_or_default();
    order.sort_by(|a, b| step(b).total_cmp(&step(a)));
    let left = count.saturating_sub(sizes.iter().sum());
    for part in order.into_iter().take(left) {
        if let Some(size) = sizes.get_mut(part) {
            *size += 1;
        }
    }
    sizes
}

/// Fisher and Yates: each order as likely as any other.
fn shuffle(items: &mut [usize], stream: &mut Stream) {
    for last in (1..items.len()).rev() {
        let other = usize::try_from(stream.below(last as u64 + 1)).unwrap_or(last);
        items.swap(last, other);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_left_goes_to_the_largest_remainders() {
        assert_eq!(largest_remainder(7, &[0.6, 0.2, 0.2]), [4, 2, 1]);
        assert_eq!(largest_remainder(8, &[0.6, 0.2, 0.2]), [5, 2, 1]);
        assert_eq!(largest_remainder(10, &[0.6, 0.2, 0.2]), [6, 2, 2]);
        assert_eq!(largest_remainder(5, &[0.5, 0.5]), [3, 2]);
    }

    #[test]
    fn impossible_splits_are_refused() {
        for fractions in [vec![], vec![0.5], vec![1.2, -0.2], vec![f64::NAN, 1.0], vec![1.0, 0.0]] {
            let error = stratified(&[0, 0, 0], &fractions, 1).unwrap_err();
            assert!(matches!(error, SplitError::Fractions { .. }), "{fractions:?}");
        }
        let error = stratified(&[0, 0, 3], &[0.5, 0.5], 1).unwrap_err();
        assert_eq!(error, SplitError::TooFew { label: 3, count: 1, part: 2 });
    }

    #[test]
    fn another_seed_deals_otherwise() {
        let labels: Vec<u32> = (0..100).map(|n| n % 4).collect();
        let split = |seed| stratified(&labels, &[0.6, 0.2, 0.2], seed).unwrap();
        assert_ne!(split(1), split(2));
    }

    proptest! {
        #[test]
        fn every_index_is_dealt_once_and_classes_keep_their_proportions(
            labels in prop::collection::vec(0_u32..4, 40..200),
            seed: u64,
        ) {
            let fractions = [0.6, 0.2, 0.2];
            let Ok(parts) = stratified(&labels, &fractions, seed) else { return Ok(()) };
            let mut all: Vec<usize> = parts.concat();
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..labels.len()));
            for class in 0..4 {
                let of = |part: &[usize]| part.iter().filter(|i| labels[**i] == class).count();
                let count = labels.iter().filter(|label| **label == class).count();
                for (part, fraction) in parts.iter().zip(fractions) {
                    prop_assert!((of(part) as f64 - fraction * count as f64).abs() < 1.0);
                }
            }
        }
    }
}
