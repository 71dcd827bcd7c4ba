//! Hidden checks of the last layers.

use softmark_checks::check::wrong;
use softmark_checks::encoder::cases::EncoderShape;
use softmark_checks::encoder::classifier::{classify, shape_of};
use softmark_checks::encoder::dropout;
use softmark_checks::tuning::cases::{TuningShape, tuning_shapes};
use softmark_checks::{Array, CheckError, Outcome, Subject, search};

use crate::check::{follows_updates, with_parameters_of};
use crate::suite::tuning::checks::{right, slopes, small};
use crate::suite::tuning::network::tolerance;

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("partial/matches-reference", seed);
    search(subject, run, 6, tuning_shapes(), |subject, shape| {
        let words = (
            "The logits should be those of the formula: encode, the first token, linear, norm, ReLU, \
             linear",
            "Go through the four lines of the formula in the documentation of PartialTuning, with the \
             shape of every tensor.",
        );
        right(subject, &shape.partial(seed), words)
    })
}

/// With none, one and all of the layers unfrozen.
pub(crate) fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("partial/gradients", seed);
    search(subject, run, 0, tuning_shapes(), |subject, shape| {
        [1, 0, 2].into_iter().try_for_each(|unfrozen| {
            let shape = TuningShape { unfrozen, ..small(shape) };
            slopes(subject, &shape.partial(seed), seed)
        })
    })
}

/// Only what learns is changed; one text without padding, which is for other checks.
pub(crate) fn updated_parameters(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("partial/updated-parameters", seed);
    search(subject, run, 0, tuning_shapes(), |subject, shape| {
        let base = EncoderShape { b: 1, padded: false, ..shape.base };
        let shape = TuningShape { base, ..*shape };
        let case = shape.partial(seed);
        let base = EncoderShape { data: base.data.wrapping_add(1), ..base };
        let other = TuningShape { base, ..shape }.partial(seed);
        let changed = with_parameters_of(&case, &other, &|name| TuningShape::learns(&case, name));
        let allowed = tolerance(&changed);
        follows_updates(subject, (&case, &changed), ("logits", &shape_of(&case)), allowed)
    })
}

pub(crate) fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("partial/dropout-drops", seed);
    search(subject, run, 2, tuning_shapes(), |subject, shape| {
        // As many classes as channels, and a last map that hands on what it is given: the logits are then
        // what dropout leaves. Enough numbers that some are dropped and some are not.
        let base = EncoderShape { b: 3, t: 2, h: 2, k: 4, c: 8, ..shape.base };
        let case = TuningShape { base, ..*shape }.partial(seed);
        let identity = Array::from_fn(&[8, 8], |at| match *at {
            [o, c] if o == c => 1.0,
            _ => 0.0,
        });
        let case = case.with_parameter("classifier.weight", &identity);
        let case = case.with_parameter("classifier.bias", &Array::full(&[8], 0.0));
        let before = classify(subject, &case)?;
        let after = dropout::works(subject, &case, "logits", &shape_of(&case))?;
        let allowed = tolerance(&case).absolute * 2.0;
        for (at, (&was, &is)) in before.values().iter().zip(after.values()).enumerate() {
            if is.abs() > allowed && (is - 2.0 * was).abs() > allowed {
                let message = format!(
                    "The last map hands on what it is given here, and the head's dropout has \
                     probability 0.5: each logit should be 0, or twice the {was} that it is without. \
                     Number {at} is {is}. Look at where the head's dropout stands: between ReLU and the \
                     last map."
                );
                return Err(wrong(&dropout::with_dropout(&case, 500, true), message));
            }
        }
        Ok(())
    })
}
