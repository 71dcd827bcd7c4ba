//! Stratified splits: parts with the same share of each class.

use std::collections::BTreeMap;

use crate::rng::Stream;
use crate::train::examples::shuffle;

/// Errors of splitting examples.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SplitError {
    /// The fractions are not shares of a whole.
    #[error("the fractions {fractions:?} should be at least 0 and add up to 1")]
    Fractions {
        /// Fractions given.
        fractions: Vec<f64>,
    },
    /// A class has too few examples.
    #[error(
        "class {class} has {examples} examples, which leaves none for part {part} (counted from 0); \
         give it a larger share, or the class more examples"
    )]
    TooFew {
        /// The class.
        class: u32,
        /// Number of examples of the class.
        examples: usize,
        /// Part that would get no example.
        part: usize,
    },
}

/// Splits the examples with these labels into parts of the given shares, class by class. Returns, for each
/// part, the numbers of its examples in ascending order.
///
/// Part `i` first gets `⌊n · fᵢ⌋` of the `n` examples of a class; the remaining ones go one by one to the
/// parts with the largest remainders `n · fᵢ − ⌊n · fᵢ⌋`, with equal remainders to the earlier part first.
/// The examples of each part are drawn from the stream `split` of the seed and the class. A part with a share
/// of 0 stays empty.
///
/// ```
/// use softmark_kit::train::split::stratified;
///
/// let labels = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
/// let parts = stratified(&labels, &[0.6, 0.2, 0.2], 7)?;
/// assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [6, 2, 2]);
/// # Ok::<(), softmark_kit::train::split::SplitError>(())
/// ```
///
/// # Errors
///
/// Fails if the fractions do not add up to 1 (within 10⁻⁹), or a part would get no example of a class.
pub fn stratified(
    labels: &[u32],
    fractions: &[f64],
    seed: u64,
) -> Result<Vec<Vec<usize>>, SplitError> {
    let sum: f64 = fractions.iter().sum();
    if fractions.iter().any(|it| !(0.0..=1.0).contains(it)) || (sum - 1.0).abs() > 1e-9 {
        return Err(SplitError::Fractions { fractions: fractions.to_vec() });
    }
    let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, &label) in labels.iter().enumerate() {
        classes.entry(label).or_default().push(number);
    }
    let mut parts = vec![Vec::new(); fractions.len()];
    for (class, mut members) in classes {
        shuffle(&mut members, &mut Stream::derive(seed, "split", u64::from(class)));
        let examples = members.len();
        let sizes = apportion(examples, fractions);
        let mut members = members.into_iter();
        for (part, (size, &share)) in sizes.into_iter().zip(fractions).enumerate() {
            if size == 0 && share > 0.0 {
                return Err(SplitError::TooFew { class, examples, part });
            }
            if let Some(into) = parts.get_mut(part) {
                into.extend(members.by_ref().take(size));
            }
        }
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    Ok(parts)
}

/// Divides `n` into integers close to `n · fᵢ`, by the method of largest remainders.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of `n` is at least 0 and at most `n`"
)]
fn apportion(n: usize, fractions: &[f64]) -> Vec<usize> {
    // Rounding to billionths makes 0.6 · 5 an integer again, so that equal remainders are equal.
    let share = |fraction: f64| (n as f64 * fraction * 1e9).round() / 1e9;
    let mut sizes: Vec<usize> = fractions.iter().map(|&f| share(f).floor() as usize).collect();
    let mut order: Vec<usize> = (0..fractions.len()).collect();
    let remainder = |part: &usize| fractions.get(*part).map_or(0.0, |&f| share(f).fract());
    order.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));
    let left_over = n.saturating_sub(sizes.iter().sum());
    for part in order.into_iter().take(left_over) {
        if let Some(size) = sizes.get_mut(part) {
            *size += 1;
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_over_examples_go_to_the_largest_remainder() {
        // 7 · (0.6, 0.2, 0.2) = 4.2, 1.4, 1.4: one is left over, and the second part is first.
        assert_eq!(apportion(7, &[0.6, 0.2, 0.2]), [4, 2, 1]);
        // 8 · (0.6, 0.2, 0.2) = 4.8, 1.6, 1.6: the first part, then the second.
        assert_eq!(apportion(8, &[0.6, 0.2, 0.2]), [5, 2, 1]);
        assert_eq!(apportion(5, &[0.6, 0.2, 0.2]), [3, 1, 1]);
        assert_eq!(apportion(100, &[0.29, 0.71]), [29, 71]);
        assert_eq!(apportion(3, &[0.0, 1.0]), [0, 3]);
    }

    #[test]
    fn each_part_has_its_share_of_each_class_and_none_has_two() {
        let labels: Vec<u32> = (0..1000).map(|i| [0, 0, 0, 1, 1, 2][i % 6]).collect();
        let parts = stratified(&labels, &[0.6, 0.2, 0.2], 3).unwrap();
        let mut all: Vec<usize> = parts.concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<_>>());
        let count = |part: &[usize], class| part.iter().filter(|&&i| labels[i] == class).count();
        // 501, 333 and 166 examples.
        let of = |part: &[usize]| [count(part, 0), count(part, 1), count(part, 2)];
        assert_eq!(of(&parts[0]), [301, 200, 100]);
        assert_eq!(of(&parts[1]), [100, 67, 33]);
        assert_eq!(of(&parts[2]), [100, 66, 33]);
    }

    #[test]
    fn a_split_depends_on_its_seed_alone() {
        let labels = [0, 1].repeat(50);
        let split = |seed| stratified(&labels, &[0.5, 0.5], seed).unwrap();
        assert_eq!(split(1), split(1));
        assert_ne!(split(1), split(2));
        assert!(split(1).iter().all(|part| part.is_sorted()));
    }

    #[test]
    fn what_cannot_be_split_says_why() {
        let error = stratified(&[0, 0, 1], &[0.5, 0.5], 1).unwrap_err();
        assert_eq!(error, SplitError::TooFew { class: 1, examples: 1, part: 1 });
        assert!(stratified(&[0], &[0.5, 0.6], 1).is_err());
        assert!(stratified(&[0], &[1.5, -0.5], 1).is_err());
        assert_eq!(stratified(&[0, 1], &[1.0, 0.0], 1).unwrap(), [vec![0, 1], vec![]]);
    }
}
