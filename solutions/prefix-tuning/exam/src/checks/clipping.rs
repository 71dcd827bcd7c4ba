//! Hidden check of clipping.

use prefix_tuning_checks::steps::{LoopShape, loop_shapes, run};
use softmark_checks::{Array, Case, CheckError, Judged, Outcome, Subject, mantissa, search};

use crate::checks::loop_runs::{compare_parameters, has_moved, judge_order, of_epochs};
use crate::oracle::loop_tolerance;

/// The same question with the gradients of what learns clipped beforehand, and nothing left to clip.
fn clipped_beforehand(case: &Case) -> Case {
    let (gradients, learns, settings) =
        (case.get("gradients"), case.get("learns"), case.get("settings"));
    let clip_norm = settings.at(&[3]);
    let scale = |step: usize| (clip_norm / (norm(case, step) + 1e-6)).min(1.0);
    let scaled = Array::from_fn(gradients.shape(), |at| match *at {
        [step, n, _] if learns.at(&[n]) == 1.0 => mantissa::single(gradients.at(at) * scale(step)),
        _ => gradients.at(at),
    });
    let open = Array::from_fn(settings.shape(), |at| match *at {
        [3] => 256.0,
        _ => settings.at(at),
    });
    case.with("gradients", scaled).with("settings", open)
}

/// Compares a loop that clips with the same loop on gradients that were clipped before: what it makes of
/// them otherwise is asked about elsewhere.
pub(super) fn clipping(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("loop/clipping", seed), 4, loop_shapes(), |subject, shape| {
        let words = (
            "The gradients' norm, taken over all that learns, is larger than `clip_norm` in every \
             step, and all gradients of a step should be scaled by the same factor: the parameters should be \
             those that your loop reaches if the gradients are scaled beforehand",
            "Look at what the norm is taken over, and at when gradients are scaled and by what.",
        );
        // From one step to the next the norm changes, which one step alone would not show: AdamW's
        // first step is the same for gradients of any size.
        let shape = of_epochs(shape, 2);
        let shape =
            LoopShape { clips: true, batches: shape.batches.max(2), silent: false, ..shape };
        judge_clipping(subject, &shape.case(seed), words)?;
        let words = (
            "The gradients' norm is 0.3 in the first step, 5 in the second, and so on in turn: they should be \
             scaled down to `clip_norm` where it is larger, and stay as they are where it is smaller. The \
             parameters should be those that your loop reaches if the gradients are scaled beforehand",
            "Look at how the norm is computed, and at what it is compared with.",
        );
        let wide = LoopShape { width: shape.width.max(2), ..shape };
        judge_clipping(subject, &on_both_sides(&wide.case(seed)), words)
    })
}

/// Compares the parameters after the second epoch with those that the same loop reaches on gradients that were
/// clipped beforehand.
fn judge_clipping(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    let beforehand = clipped_beforehand(case);
    let (is, due) = (run(subject, case)?, run(subject, &beforehand)?);
    let (reached, wanted) = (is.after(case, 1)?, due.after(case, 1)?);
    has_moved(case, &reached, "Two epochs of batches with gradients were run")
        .map_err(|wrong| judge_order(case, &is).err().unwrap_or(wrong))?;
    // Both are rounded.
    let allowed = loop_tolerance(case) + loop_tolerance(case);
    compare_parameters(case, (&reached, &wanted), allowed, words)
}

/// Norms of the gradients of the steps, in turn: one below the clip norm of such a case, which is 0.5, and one above.
const NORMS: [f64; 2] = [0.3, 5.0];

/// Returns the case with gradients whose norms are in turn below and above the clip norm. A norm that is off by a
/// constant factor then changes the ratio of the steps' gradients. If every step is clipped it does not, and AdamW
/// takes the same steps for gradients of any common scale.
pub(crate) fn on_both_sides(case: &Case) -> Case {
    let gradients = case.get("gradients");
    let [low, high] = NORMS;
    let of_step = |step: usize| if step.is_multiple_of(2) { low } else { high };
    let scale = |step: usize| of_step(step) / norm(case, step);
    let scaled = Array::from_fn(gradients.shape(), |at| match *at {
        [step, ..] => mantissa::single(gradients.at(at) * scale(step)),
        _ => f64::NAN,
    });
    let mut changed = case.with("gradients", scaled);
    changed.label = format!("{}, gradients of norm {} and {} in turn", case.label, low, high);
    changed
}

/// Returns the norm of the gradients of all that learns in a step.
fn norm(case: &Case, step: usize) -> f64 {
    let (gradients, learns) = (case.get("gradients"), case.get("learns"));
    let learned = (0..gradients.dim(1)).filter(|&n| learns.at(&[n]) == 1.0);
    let squares = learned
        .flat_map(|n| (0..gradients.dim(2)).map(move |i| (n, i)))
        .map(|(n, i)| gradients.at(&[step, n, i]).powi(2));
    squares.sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    use super::*;
    use crate::oracle::after_each_epoch;

    fn shapes(n: usize) -> impl Iterator<Item = LoopShape> {
        let mut runner = TestRunner::deterministic();
        let mut shape = move || loop_shapes().new_tree(&mut runner).unwrap().current();
        (0..n).map(move |_| {
            let shape = of_epochs(&shape(), 2);
            let (batches, width) = (shape.batches.max(2), shape.width.max(2));
            LoopShape { clips: true, silent: false, batches, width, ..shape }
        })
    }

    fn off(a: &Case, b: &Case) -> f64 {
        let last = |case: &Case| after_each_epoch(case).pop().unwrap();
        last(a).largest_difference(&last(b))
    }

    /// Both of the grader's computations agree: clipping on the way, and clipping beforehand.
    #[test]
    fn gradients_that_were_clipped_beforehand_come_to_the_same() {
        for case in shapes(50).map(|shape| shape.case(1)) {
            for case in [on_both_sides(&case), case] {
                let beforehand = clipped_beforehand(&case);
                assert!(case.get("gradients").differs(&beforehand.get("gradients")));
                assert!(off(&case, &beforehand) < loop_tolerance(&case).absolute);
            }
        }
    }

    /// A norm that is off by the root of 2, as that of a mean over two numbers is, is noticed.
    #[test]
    fn on_both_sides_of_the_clip_norm_a_constant_factor_shows() {
        for case in shapes(200).map(|shape| on_both_sides(&shape.case(1))) {
            let settings = case.get("settings");
            for factor in [0.5_f64.sqrt(), 2.0_f64.sqrt()] {
                let clip = |at: &[usize]| settings.at(at) * if at == [3] { factor } else { 1.0 };
                let other = case.with("settings", Array::from_fn(settings.shape(), clip));
                let ratio = off(&case, &other) / (2.0 * loop_tolerance(&case).absolute);
                assert!(ratio > 5.0, "{}: {ratio}", case.label);
            }
        }
    }
}
