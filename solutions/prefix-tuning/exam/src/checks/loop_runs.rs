//! Comparison of runs of the loop, and the shapes that several of its checks ask about.

use prefix_tuning_checks::signatures::NAMES;
use prefix_tuning_checks::steps;
use prefix_tuning_checks::steps::{LoopShape, Tuned, patient};
use softmark_checks::check::wrong;
use softmark_checks::subject::{compare, finite};
use softmark_checks::{Array, Case, Judged};
use softmark_common::compare::Tolerance;

use crate::course::course;

/// Checks that a right loop's epochs took every batch once, in order.
pub(super) fn judge_order(case: &Case, tuned: &Tuned) -> Judged {
    steps::judge_order(case, tuned, course(case).0)
}

/// Compares parameters `[parameters, width]`, each under its own name.
pub(super) fn compare_parameters(
    case: &Case,
    (got, want): (&Array, &Array),
    tolerance: Tolerance,
    words: (&str, &str),
) -> Judged {
    let row = |of: &Array, n: usize| {
        Array::from_fn(&[of.dim(1)], |at| at.first().map_or(f64::NAN, |i| of.at(&[n, *i])))
    };
    NAMES.iter().enumerate().try_for_each(|(n, name)| {
        compare(case, name, (&row(got, n), &row(want, n)), tolerance, words)
    })
}

/// Checks that the parameters moved from where they started.
pub(super) fn has_moved(case: &Case, reached: &Array, steps: &str) -> Judged {
    finite(case, "the parameters", reached)?;
    if case.get("start").differs(reached) {
        return Ok(());
    }
    let message = format!(
        "{steps}, and the parameters did not change at all. Look at which parameters the optimizers are made \
         with, and at what their steps are given."
    );
    Err(wrong(case, message))
}

/// The same shape with validation losses that go down to the end: the last epoch is the best.
pub(super) fn falling(shape: &LoopShape) -> LoopShape {
    let n = u8::try_from(shape.losses.len()).unwrap_or(u8::MAX);
    let losses = (0..n).map(|epoch| Some(2 * (n - epoch))).collect();
    LoopShape { losses, ..patient(shape) }
}

/// The same shape with so many epochs.
pub(super) fn of_epochs(shape: &LoopShape, epochs: usize) -> LoopShape {
    falling(&LoopShape { losses: vec![Some(1); epochs], ..shape.clone() })
}
