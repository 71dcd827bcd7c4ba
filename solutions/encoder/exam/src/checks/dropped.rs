//! Dropout of each number by itself.

use softmark_checks::check::wrong;
use softmark_checks::{Array, Case, Judged};

/// Probability of dropout in thousandths: with a probability of one half, `p` and `1 − p` would be the same.
pub(super) const RATE: usize = 250;

/// Factor of the numbers that dropout keeps at [`RATE`].
pub(super) const SCALE: f64 = 4.0 / 3.0;

/// Descriptions of dropout that is the same for all numbers along one axis of `[B, T, D]`.
const TOGETHER: [&str; 3] = [
    "the same ones are dropped in every text",
    "the same ones are dropped at every position of a text",
    "at each position all of them are dropped or none",
];

/// Holds that what is dropped differs between texts, between positions and between channels.
///
/// `is_dropped`, `[B, T, D]`, has 1 at what is dropped, 0 at what is kept and `NaN` where neither shows; `what` names the
/// numbers in the message. With a probability of 1/4, two numbers that are drawn by themselves differ with a probability
/// of 3/8: that no two of the 64 pairs along an axis do has a probability of (5/8)⁶⁴, less than 10⁻¹³.
///
/// # Errors
///
/// Fails with the verdict if it does not differ along one of the axes.
pub(super) fn each_drawn_by_itself(case: &Case, is_dropped: &Array, what: &str) -> Judged {
    let is_together = |axis: &usize| differences(is_dropped, *axis) == 0;
    let Some(together) = (0..3).find(is_together).and_then(|axis| TOGETHER.get(axis)) else {
        return Ok(());
    };
    let message = format!(
        "With dropout of probability 0.25 in training, each of the {what} should be dropped or kept by a draw \
         of its own, and {together}. Look at the shape of what dropout is asked to draw for."
    );
    Err(wrong(case, message))
}

/// The number of neighbours along the axis of which one is 0 and the other 1.
fn differences(array: &Array, axis: usize) -> usize {
    let differ = Array::from_fn(array.shape(), |at| {
        let mut before = at.to_vec();
        let Some(place) = before.get_mut(axis).filter(|place| **place > 0) else { return 0.0 };
        *place -= 1;
        f64::from(u8::from((array.at(at) - array.at(&before)).abs() == 1.0))
    });
    differ.values().iter().filter(|it| **it == 1.0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_dropped_together_are_found_along_each_axis() {
        let shape = [2, 3, 4];
        let along = |axis: usize| Array::from_fn(&shape, |at| (at[axis] % 2) as f64);
        for axis in 0..3 {
            let found: Vec<bool> = (0..3).map(|it| differences(&along(axis), it) > 0).collect();
            assert_eq!(found, [axis == 0, axis == 1, axis == 2]);
        }
    }
}
