//! The hidden checks, a file a task.

pub(crate) mod classifier;
pub(crate) mod empty_row;
pub(crate) mod empty_text;
pub(crate) mod learned_position;
pub(crate) mod masked_pooling;
pub(crate) mod multi_head;
mod multi_head_answers;
mod multi_head_inner;
mod multi_head_state;
mod ordinary;
pub(crate) mod scaled_dot_product;
pub(crate) mod sinusoidal_position;
mod tolerances;

use attention_checks::attended::{attend, compare_weights};
use softmark_checks::array::disturbed;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, Judged, Stop, Subject};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_exam::check::{Cotangents, LossyOperations, Oracle, Trainable, matches_gradients};

use crate::oracle::{oracle, output_oracle};

/// Claim and hint about a single query with a mask.
pub(crate) const MASKED_QUERY: (&str, &str) = (
    "There is one query and five keys, of which the mask hides one, and the output should be that of the formula",
    "If matches-reference fails too, begin there. If not, look at what is done with a mask of a single row.",
);

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

/// Holds that other numbers in all queries, keys and values but those of one example or head leave what `own` takes of
/// both results for that one as it was, bit for bit; returns the output.
///
/// # Errors
///
/// The verdict, where they do not.
pub(crate) fn others_move_nothing(
    subject: &mut Subject<'_>,
    (case, mut stream): (&Case, Stream),
    others: fn(&[usize]) -> bool,
    own: fn(&Array) -> Array,
    words: (&str, &str),
) -> Result<Array, Stop> {
    let mut moved = case.clone();
    for name in ["query", "key", "value"] {
        moved = moved.with(name, disturbed(&case.get(name), 10.0, &mut stream, others));
    }
    let (before, weights_before) = attend(subject, case)?;
    let (after, weights_after) = attend(subject, &moved)?;
    let [got, want] = [weights_after, weights_before].map(|weights| weights.as_ref().map(own));
    compare_weights(&moved, (got.as_ref(), want.as_ref()), Tolerance::EXACT, words)?;
    compare(&moved, "output", (&own(&after), &own(&before)), Tolerance::EXACT, words)?;
    Ok(before)
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
