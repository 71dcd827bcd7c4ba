//! The hidden checks, a file a task.

pub(super) mod checkpoint;
pub(super) mod clipping;
mod early_stopping;
mod errors;
mod loop_runs;
pub(super) mod partial;
pub(super) mod prefix;
mod prefix_dropout;
pub(super) mod steps;

use encoder_checks::cases::EncoderShape;
use prefix_tuning_checks::cases::TuningShape;
use softmark_checks::dropout::with_dropout;
use softmark_checks::subject::compare;
use softmark_checks::text_classifier::{classify, output_responds, shape_of};
use softmark_checks::{Array, Case, Gradients, Judged, Stop, Subject};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{
    Cotangents, LossyOperations, Trainable, depends_on_inputs, follows_updates, is_right,
    keeps_frozen, matches_gradients, matches_oracle, with_parameters_of,
};
use softmark_exam::gradient_tolerance::gradient_tolerance;

use crate::network::tolerance;
use crate::oracle::oracle;

/// Seed of the questions that do not depend on the seed of the run.
const FIXED: u64 = 11;

/// Shape of the fixed questions: three texts with padding, and one layer, so that rounding errors stay small.
const SHAPE: TuningShape = TuningShape {
    base: EncoderShape {
        b: 3,
        t: 5,
        h: 2,
        k: 4,
        f: 5,
        v: 9,
        spare: 6,
        layers: 1,
        c: 4,
        gelu: true,
        padded: true,
        ..EncoderShape::BARE
    },
    prefix: 4,
    unfrozen: 1,
    types: 2,
};

/// Shape of the fixed questions about gradients: with `FIXED`, the gradient of each parameter that learns is far
/// larger than the tolerance, so that one that does not arrive is noticed. With random numbers it may be smaller.
const STEEP: TuningShape = TuningShape {
    base: EncoderShape { b: 2, t: 3, f: 3, v: 5, c: 2, padded: false, ..SHAPE.base },
    prefix: 2,
    unfrozen: 1,
    types: 0,
};

/// Hint to code that is right for short fractions, and wrong for numbers that no format with a shorter mantissa
/// holds.
const DIGITS: &str = "The numbers here need all the digits of f32: look for a tensor that passes through a shorter \
                      type.";

/// Claim about the case of [`with_zero_at_a_token`].
const ZERO_AT_A_TOKEN: &str = "The first token of each text has the id 0 and is real, for its mask is 1: the logits \
                               should be those of the formula, in which the id 0 is an id as any other";

/// Hint for the case of [`with_zero_at_a_token`].
const MASK_ALONE: &str = "Look at what decides which tokens are padding.";

/// Returns the case with the id 0 at the first token of each text, which is real.
fn with_zero_at_a_token(case: &Case) -> Case {
    let first = |array: &Array, value: f64| {
        Array::from_fn(array.shape(), |at| if at.last() == Some(&0) { value } else { array.at(at) })
    };
    let (ids, mask) = (first(&case.get("ids"), 0.0), first(&case.get("mask"), 1.0));
    let mut changed = case.with("ids", ids).with("mask", mask);
    changed.label = format!("{}, id 0 at the first token", case.label);
    changed
}

/// Random weights for every output of a case.
pub(super) fn cotangents(case: &Case, seed: u64) -> Cotangents {
    softmark_exam::cotangents::cotangents(case, oracle, seed)
}

/// Holds the logits against the oracle's.
fn right(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    matches_oracle(subject, case, oracle, tolerance(case), words)
}

/// Checks that a tuned classifier follows updates of what learns, on one text without padding: what goes wrong
/// with several texts, or with padding, is for other checks.
fn follows_new_parameters(
    subject: &mut Subject<'_>,
    (shape, seed): (&TuningShape, u64),
    part: fn(&TuningShape, u64) -> Case,
) -> Judged {
    let base = EncoderShape { b: 1, padded: false, ..shape.base };
    let shape = TuningShape { base, ..*shape };
    let case = part(&shape, seed);
    let base = EncoderShape { data: base.data.wrapping_add(1), ..base };
    let other = part(&TuningShape { base, ..shape }, seed);
    let changed = with_parameters_of(&case, &other, &|name| TuningShape::learns(&case, name));
    let output = ("logits", &shape_of(&case)[..]);
    follows_updates(subject, (&case, &changed), output, tolerance(&changed), FROZEN)
}

/// Checks that no logit is `NaN`. Must run before any verdict on how the logits differ from others.
fn is_finite(case: &Case, logits: &Array) -> Judged {
    compare(
        case,
        "logits",
        (logits, logits),
        Tolerance::EXACT,
        ("The logits should be numbers", ""),
    )
}

/// Checks that a classifier without layers, whose encoder is in training and drops, answers as outside of
/// training: dropout stands inside of the layers, and here are none.
fn judge_nothing_else_drops(subject: &mut Subject<'_>, case: &Case, training: &Case) -> Judged {
    let (before, after) = (classify(subject, case)?, classify(subject, training)?);
    let words = (
        "The encoder's dropout stands inside of its layers, of which there are none here, so that \
         training should make no difference",
        "Look at what you drop yourself, and with which probability.",
    );
    compare(training, "logits", (&after, &before), Tolerance::EXACT, words)?;
    output_responds(subject, case, &before)
}

/// Small, because every entry of every matrix that learns is moved twice; two layers, so that one can
/// learn and one not.
pub(super) fn small(shape: &TuningShape) -> TuningShape {
    let of = shape.base;
    let base = EncoderShape {
        b: of.b.min(2),
        t: of.t.clamp(2, 3),
        h: 2,
        k: 2,
        f: of.f.min(3),
        v: of.v.min(4),
        layers: 2,
        c: 2,
        padded: false,
        ..of
    };
    TuningShape { base, prefix: shape.prefix.min(2), unfrozen: 1, ..*shape }
}

/// Returns the case in training, with nothing dropped: gradients are needed in training only, so code may cut
/// the graph outside of it. Returns `case` itself if training changes the logits and makes them wrong, which
/// the checks of dropout report.
fn in_training(subject: &mut Subject<'_>, case: &Case) -> Result<Case, Stop> {
    let training = with_dropout(case, 0, true);
    let Some(inside) = logits_of(subject, &training)? else { return Ok(case.clone()) };
    let allowed = tolerance(case).absolute;
    let outside = logits_of(subject, case)?;
    let agrees = outside.is_none_or(|outside| outside.largest_difference(&inside) <= allowed);
    let is_asked = agrees || is_right(subject, &training, oracle, tolerance(&training))?;
    Ok(if is_asked { training } else { case.clone() })
}

/// Returns the logits; `None` if the component fails or gives another shape.
fn logits_of(subject: &mut Subject<'_>, case: &Case) -> Result<Option<Array>, Stop> {
    let answer = subject.try_forward(case)?.into_result().ok();
    Ok(answer.and_then(|answer| answer.get(case, "logits", &shape_of(case)).ok()))
}

/// Checks that gradients arrive at something that learns, and at nothing else.
fn only_what_learns(subject: &mut Subject<'_>, case: &Case, seed: u64) -> Result<Gradients, Stop> {
    let case = &in_training(subject, case)?;
    let came = subject.gradients(case, &cotangents(case, seed))?;
    keeps_frozen(case, &came, &|name| TuningShape::learns(case, name))?;
    is_alive(case, &came)?;
    Ok(came)
}

/// Checks that the gradients come from an output that depends on the texts: code that hands on the head's bias
/// leaves the encoder alone too, whatever it multiplies the head's weight with.
fn is_alive(case: &Case, came: &Gradients) -> Judged {
    depends_on_inputs(case, came, &|name, gradient| match name {
        "classifier.bias" => false,
        "classifier.weight" => gradient.magnitude() > 0.0,
        name => TuningShape::learns(case, name),
    })
}

/// Tolerance of the gradients of a case.
fn back(case: &Case, forward: Tolerance) -> Tolerance {
    let ids = case.get("ids");
    let places = ids.dim(1) + case.find_size("prefix_length").unwrap_or(0);
    gradient_tolerance(forward, ids.dim(0) * places)
}

/// Holds the gradients of what learns against the oracle's differences.
fn slopes(subject: &mut Subject<'_>, case: &Case, seed: u64) -> Judged {
    let case = &in_training(subject, case)?;
    let forward = tolerance(case);
    let (weights, learns) = (cotangents(case, seed), |name: &str| TuningShape::learns(case, name));
    is_alive(case, &subject.gradients(case, &weights)?)?;
    let tolerances = (forward, back(case, forward));
    let operations = match case.part() {
        "partial" => LossyOperations::Norm,
        _ => LossyOperations::None,
    };
    let trained = Trainable::only(&learns, operations);
    matches_gradients(subject, (case, case), oracle, &weights, tolerances, trained)
}

/// Hint about copies of parameters that a component takes over from the encoder.
const FROZEN: &str =
    "Look at which parameters are handed out as frozen: the encoder may keep copies of those. ";

#[cfg(test)]
mod tests {
    use softmark_exam::check::numeric_gradients;

    use super::*;

    /// A gradient that does not arrive is a mistake only if it is larger than the tolerance.
    #[test]
    fn every_gradient_of_the_steep_cases_is_ten_times_the_tolerance() {
        for case in [STEEP.prefix(FIXED), STEEP.partial(FIXED)] {
            let allowed = back(&case, tolerance(&case)).absolute;
            let gradients = numeric_gradients(&case, &oracle, &cotangents(&case, FIXED));
            let learning =
                case.parameters.iter().filter(|(name, _)| TuningShape::learns(&case, name));
            for (name, _) in learning {
                let ratio = gradients[name].magnitude() / allowed;
                // The softmax takes no notice of what is added to all scores of a query.
                assert!(ratio > 10.0 || name.ends_with("k_proj.bias"), "{name}: {ratio}");
            }
        }
    }
}
