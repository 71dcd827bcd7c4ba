//! The hidden checks, a file a task.

pub(crate) mod classifier;
pub(crate) mod empty_text;
pub(crate) mod learned_position;
pub(crate) mod masked_pooling;
pub(crate) mod multi_head;
pub(crate) mod scaled_dot_product;
pub(crate) mod sinusoidal_position;

use softmark_checks::subject::refuses;
use softmark_checks::{Array, Case, Judged, Stop, Subject};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{Cotangents, LossyOperations, Oracle, Trainable, matches_gradients};

use crate::oracle::{oracle, output_oracle};

/// Random weights for the outputs of a case through which gradients are promised: all but the weights of
/// attention.
pub(crate) fn cotangents(case: &Case, seed: u64) -> Cotangents {
    softmark_exam::cotangents::cotangents(case, output_oracle, seed)
}

/// Holds the gradients of a part against the differences of the oracle's outputs; the second of the cases is one
/// without a mask, where there may be one.
pub(crate) fn slopes(
    subject: &mut Subject<'_>,
    cases: (&Case, &Case),
    seed: u64,
    tolerances: (Tolerance, Tolerance),
    lossy: LossyOperations,
) -> Judged {
    let cotangents = cotangents(cases.0, seed);
    let trainable = Trainable::all(lossy);
    matches_gradients(subject, cases, output_oracle, &cotangents, tolerances, trainable)
}

/// The oracle that the part's answer to `case` is compared with: without the weights of attention, where
/// they come in another shape than theirs.
///
/// Weights of another shape fail `shapes` and the checks of the weights; the output is judged all the
/// same.
///
/// # Errors
///
/// The verdict, where no answer comes.
pub(crate) fn oracle_for(subject: &mut Subject<'_>, case: &Case) -> Result<Oracle, Stop> {
    let answer = subject.forward(case)?;
    let (expected, came) = (oracle(case), answer.arrays());
    let fits = |name: &str| {
        let shape_of = |array: &Array| array.shape().to_vec();
        came.get(name).map(shape_of) == expected.get(name).map(shape_of)
    };
    Ok(if fits("weights") { oracle } else { output_oracle })
}

/// Holds that positions refuse an input that is narrower or wider than the model.
///
/// # Errors
///
/// The verdict, where they do not.
pub(crate) fn refuses_other_widths(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let x = case.get("x");
    let d = x.dim(2);
    // A single channel is what broadcasting fits to any width.
    for width in [1, d + 2] {
        let mut misfit = case.with("x", Array::full(&[x.dim(0), x.dim(1), width], 0.5));
        misfit.label = format!("D={d}, an input {width} wide");
        let claim = format!(
            "The input is {width} wide and d_model is {d}, so `encode` should return an error"
        );
        let look = "Look at what the addition does with an input of another width than the table.";
        refuses(subject, (case, &misfit), (&claim, look))?;
    }
    Ok(())
}
