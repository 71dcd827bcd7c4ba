//! A question that shows whether the prefix itself is dropped.

use encoder_checks::cases::EncoderShape;
use prefix_tuning_checks::cases::TuningShape;
use softmark_checks::check::wrong;
use softmark_checks::dropout::with_dropout;
use softmark_checks::text_classifier::classify;
use softmark_checks::{Array, Case, Judged, Subject};
use softmark_exam::check::is_right;

use crate::checks::{FIXED, SHAPE};
use crate::network::tolerance;
use crate::oracle::oracle;

/// Eight texts of one token, with a prefix of three vectors, in one layer with one head of sixteen channels.
const EVEN: TuningShape = TuningShape {
    base: EncoderShape { b: 8, t: 1, h: 1, k: 16, f: 1, c: 16, padded: false, ..SHAPE.base },
    prefix: 3,
    unfrozen: 0,
    types: 0,
};

/// A case in which all channels of a text are alike unless something drops some of them.
///
/// Each vector of the prefix has the same number in every channel, the tokens are zeros, attention looks at
/// all places alike and hands on what stands there, and the feed-forward network gives zeros. What reaches
/// the token is a sum of the prefix's numbers, the same for each channel; the head hands it on.
fn even() -> Case {
    let case = EVEN.prefix(FIXED);
    let mut even = case.clone();
    for (name, array) in &case.parameters {
        let is_diagonal = |at: &[usize]| matches!(*at, [row, column] if row == column);
        let identity = ["v_proj.weight", "out_proj.weight", "classifier.weight"];
        let value = |at: &[usize]| match name.as_str() {
            // Sums of some of these are all different, and none of them is 0.
            "prefix" => {
                [1.0, 2.0, 4.0].get(at.first().copied().unwrap_or(0)).copied().unwrap_or(1.0)
            }
            name if identity.iter().any(|end| name.ends_with(end)) => {
                f64::from(u8::from(is_diagonal(at)))
            }
            name if name.ends_with("norm1.weight") || name.ends_with("norm2.weight") => 1.0,
            _ => 0.0,
        };
        even = even.with_parameter(name, &Array::from_fn(array.shape(), value));
    }
    even.label =
        format!("{}, tokens of zeros, each vector of the prefix alike throughout", case.label);
    even
}

/// The least difference between two values that count as different.
///
/// A text's logits are a norm of a norm of numbers of which the encoder's dropout makes zeros and one other
/// number, so they are at least 2 apart from one another, and rounding moves them by a few units in the last
/// place of numbers below 4. What a dropped prefix adds are other sums of 1, 2 and 4, at least a seventh of
/// the largest apart.
const APART: f64 = 0.01;

/// The least range of logits at which there is more than one value: where nothing or everything was dropped,
/// the norms divide rounding by a deviation of nearly zero.
const RANGE: f64 = 1.0;

/// Number of different values of a text's logits.
fn values_of(logits: &Array, text: usize) -> usize {
    let mut row: Vec<f64> = (0..logits.dim(1)).map(|c| logits.at(&[text, c])).collect();
    row.sort_by(f64::total_cmp);
    let range = row.last().zip(row.first()).map_or(0.0, |(most, least)| most - least);
    if range < RANGE {
        return 1;
    }
    let steps = row.iter().zip(row.iter().skip(1)).filter(|(x, y)| *y - *x > APART);
    1 + steps.count()
}

/// Checks that nothing of the prefix is dropped, whose values would show as more than two different logits.
///
/// A classifier that is wrong outside of training may give any number of values, and fails other checks.
pub(super) fn prefix_is_not_dropped(subject: &mut Subject<'_>) -> Judged {
    let plain = SHAPE.prefix(FIXED);
    if !is_right(subject, &plain, oracle, tolerance(&plain))? {
        return Ok(());
    }
    let training = with_dropout(&even(), 300, true);
    let logits = classify(subject, &training)?;
    for text in 0..logits.dim(0) {
        let count = values_of(&logits, text);
        if count > 2 {
            let message = format!(
                "Each vector of the prefix has the same number in all of its channels here, and the encoder's \
                 dropout, which is inside of its layer, leaves each channel or sets it to zero: the logits of a \
                 text should take at most two different values. Those of text {text} (counted from 0) take \
                 {count}. Look at what you drop yourself: the prefix should reach the encoder as it is."
            );
            return Err(wrong(&training, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::logits;

    #[test]
    fn the_encoders_own_dropout_leaves_at_most_two_values() {
        let logits = logits(&with_dropout(&even(), 300, true));
        let counts: Vec<usize> = (0..logits.dim(0)).map(|text| values_of(&logits, text)).collect();
        assert!(counts.iter().all(|count| *count <= 2), "{counts:?}");
        assert!(counts.contains(&2), "{counts:?}");
    }
}
