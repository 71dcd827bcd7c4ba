//! Check of a batch in which one text consists of padding.

use softmark_checks::subject::compare;
use softmark_checks::text_classifier::{classify, output_responds};
use softmark_checks::texts::with_empty_text;
use softmark_checks::{Array, Case, Judged, Subject};
use softmark_common::compare::Tolerance;

/// Checks that a classifier gives the head's bias for a text that consists of padding, and that it
/// gives the other texts of the batch the same logits as if the first text had tokens, as in
/// `full`.
///
/// # Errors
///
/// Fails with the verdict if there are no logits, if they differ, or if they do not depend on the texts.
pub fn judge_empty_text(
    subject: &mut Subject<'_>,
    full: &Case,
    tolerance: Tolerance,
    look: &str,
) -> Judged {
    let empty = with_empty_text(full);
    let (before, after) = (classify(subject, full)?, classify(subject, &empty)?);
    let bias = full.get_parameter("classifier.bias");
    let want = Array::from_fn(before.shape(), |at| match *at {
        [0, c] => bias.at(&[c]),
        _ => before.at(at),
    });
    let others = if before.dim(0) > 1 {
        ", and those of the other texts what they are when the first one has tokens"
    } else {
        ""
    };
    let claim = format!(
        "The first text is padding throughout, so its logits should be the head's bias{others}"
    );
    compare(&empty, "logits", (&after, &want), tolerance, (&claim, look))?;
    output_responds(subject, full, &before)
}
