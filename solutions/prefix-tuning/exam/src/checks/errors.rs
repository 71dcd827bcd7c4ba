//! Questions whether a tuned classifier returns the errors of what it is made of.

use encoder_checks::cases::EncoderShape;
use encoder_exam::too_long;
use prefix_tuning_checks::cases::TuningShape;
use softmark_checks::missing::refused_without;
use softmark_checks::subject::refuses;
use softmark_checks::{Case, Judged, Subject};
use softmark_exam::limits::{with_other_masks, with_unknown_id};

/// The shape with two texts of two tokens at least, so that a mask of one text or of one token does not fit.
pub(super) fn several(shape: &TuningShape) -> TuningShape {
    let base = EncoderShape { b: shape.base.b.max(2), t: shape.base.t.max(2), ..shape.base };
    TuningShape { base, ..*shape }
}

/// Checks that the errors of the encoder are returned by `forward`, and those of the builder by `new`; `own` are
/// the parameters that the classifier asks for itself.
pub(super) fn judge_errors(subject: &mut Subject<'_>, case: &Case, own: &[&str]) -> Judged {
    let words = (
        "An id is beyond the vocabulary, so the encoder returns an error, and `forward` should pass it on",
        "Look at what is done with the ids before they reach the encoder.",
    );
    refuses(subject, (case, &with_unknown_id(case, 0)), words)?;
    let words = (
        "The texts are longer than max_len, so the encoder returns an error, and `forward` should pass it on",
        "Look at what is done with the ids before they reach the encoder.",
    );
    refuses(subject, (case, &too_long(case, 1)), words)?;
    // A parameter that is never asked for is for other checks.
    let asked = subject.asked(case)?;
    let is_asked = |name: &&str| asked.iter().any(|(of, _)| of == name);
    let own: Vec<&str> = own.iter().copied().filter(is_asked).collect();
    refused_without(subject, case, &own)
}

/// Checks that the encoder's error about a mask of another shape is returned by `forward`.
///
/// Only where the formula hands the encoder the mask as it is: a classifier with a prefix makes a mask of its
/// own, and may leave out what stands at padding before it asks the encoder anything.
pub(super) fn judge_misfits(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let words = (
        "The mask does not fit the ids, so the encoder returns an error, and `forward` should pass it on",
        "Look at what is done with the mask on its way to the encoder.",
    );
    with_other_masks(case).iter().try_for_each(|misfit| refuses(subject, (case, misfit), words))
}
