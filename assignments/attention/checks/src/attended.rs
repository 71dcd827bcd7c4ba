//! Output and weights that attention answers with, scaled dot-product attention and multi-head attention alike.

use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Judged, Stop};
use softmark_checks::subject::{Answer, Subject, compare};
use softmark_common::compare::Tolerance;

/// Returns the output, which must have the required shape, and the weights if they have theirs.
///
/// Weights of another shape fail `shapes` and the checks of the weights; the checks of the output still apply.
///
/// # Errors
///
/// Fails with the verdict if the output has another shape.
pub fn results(case: &Case, answer: &Answer) -> Result<(Array, Option<Array>), Stop> {
    let output = answer.get(case, "output", case.get("query").shape())?;
    Ok((output, weights(case, answer).ok()))
}

/// Returns the keys, which are the queries in self-attention.
pub(crate) fn keys(case: &Case) -> Array {
    case.find("key").unwrap_or_else(|| case.get("query"))
}

/// Returns the weights, which must have the required shape.
fn weights(case: &Case, answer: &Answer) -> Result<Array, Stop> {
    let (query, key) = (case.get("query"), keys(case));
    let shape = match case.find_size("heads") {
        Some(heads) => [query.dim(0), heads, query.dim(1), key.dim(1)],
        None => [query.dim(0), query.dim(1), query.dim(2), key.dim(2)],
    };
    answer.get(case, "weights", &shape)
}

/// Compares the weights of two answers if both have the required shape.
///
/// # Errors
///
/// Fails with the verdict if the weights differ.
pub fn compare_weights(
    case: &Case,
    (got, want): (Option<&Array>, Option<&Array>),
    tolerance: Tolerance,
    words: (&str, &str),
) -> Judged {
    match (got, want) {
        (Some(got), Some(want)) => compare(case, "weights", (got, want), tolerance, words),
        _ => Ok(()),
    }
}

/// Runs the part and returns the output, and the weights if they have the required shape.
///
/// # Errors
///
/// Fails with the verdict if the part gives no answer, or the output has another shape.
pub fn attend(subject: &mut Subject<'_>, case: &Case) -> Result<(Array, Option<Array>), Stop> {
    let answer = subject.forward(case)?;
    results(case, &answer)
}

/// Runs the part and returns both results, which must have the required shapes.
pub(crate) fn attend_with_weights(
    subject: &mut Subject<'_>,
    case: &Case,
) -> Result<(Array, Array), Stop> {
    let answer = subject.forward(case)?;
    Ok((results(case, &answer)?.0, weights(case, &answer)?))
}
