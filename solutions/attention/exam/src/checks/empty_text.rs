//! Check of a batch in which one text consists of padding.

use softmark_checks::subject::compare;
use softmark_checks::text_classifier::{classify, output_responds};
use softmark_checks::texts::with_empty_texts;
use softmark_checks::{Array, Case, Judged, Subject};
use softmark_common::compare::Tolerance;

/// Checks that a classifier gives the head's bias for a text that consists of padding, and that it
/// gives the other texts of the batch the same logits as if that text had tokens, as in `full`. The first text is
/// such a one, then the last.
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
    let before = classify(subject, full)?;
    let last = before.dim(0).saturating_sub(1);
    judge_empty(subject, (full, &before), (0, "first"), tolerance, look)?;
    if last > 0 {
        judge_empty(subject, (full, &before), (last, "last"), tolerance, look)?;
    }
    output_responds(subject, full, &before)
}

/// Checks the logits of the batch in which the text at `place` consists of padding.
fn judge_empty(
    subject: &mut Subject<'_>,
    (full, before): (&Case, &Array),
    (place, name): (usize, &str),
    tolerance: Tolerance,
    look: &str,
) -> Judged {
    let empty = with_empty_texts(full, |text| text == place);
    let after = classify(subject, &empty)?;
    let bias = full.get_parameter("classifier.bias");
    let want = Array::from_fn(before.shape(), |at| match *at {
        [text, c] if text == place => bias.at(&[c]),
        _ => before.at(at),
    });
    let others = if before.dim(0) > 1 {
        format!(", and those of the other texts what they are when the {name} one has tokens")
    } else {
        String::new()
    };
    let claim = format!(
        "The {name} text is padding throughout, so its logits should be the head's bias{others}"
    );
    compare(&empty, "logits", (&after, &want), tolerance, (&claim, look))
}
