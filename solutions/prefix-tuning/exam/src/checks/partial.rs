//! Hidden checks of the last layers.

use encoder_checks::cases::{EncoderShape, full_mantissas};
use prefix_tuning_checks::cases::{TuningShape, tuning_shapes};
use softmark_checks::array::short;
use softmark_checks::check::{if_passed, wrong};
use softmark_checks::subject::compare;
use softmark_checks::text_classifier::{classify, lifted, shape_of};
use softmark_checks::{
    Array, Case, Check, CheckError, Gradients, Judged, Outcome, Subject, dropout, search,
};
use softmark_common::compare::Tolerance;

use crate::checks::errors::{judge_errors, judge_misfits, several};
use crate::checks::{
    DIGITS, FIXED, MASK_ALONE, SHAPE, STEEP, ZERO_AT_A_TOKEN, follows_new_parameters, is_finite,
    judge_nothing_else_drops, only_what_learns, right, slopes, small, with_zero_at_a_token,
};
use crate::network::tolerance;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "partial/matches-reference",
        title: "the logits are those of the formula, with and without padding",
        run: matches_reference,
    },
    Check {
        id: "partial/gradients",
        title: "gradients reach the last layers and the head, and are right",
        run: gradients,
    },
    Check {
        id: "partial/frozen",
        title: "gradients reach nothing but the last layers and the head",
        run: frozen,
    },
    Check {
        id: "partial/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "partial/dropout-drops",
        title: "in training, what goes into the last map is dropped or scaled",
        run: dropout_drops,
    },
    Check {
        id: "partial/dropout-reaches",
        title: "in training, and only then, the encoder drops, and nothing else does",
        run: dropout_reaches,
    },
    Check {
        id: "partial/passes-errors-on",
        title: "errors of the encoder and of the builder are returned",
        run: passes_errors_on,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("partial/matches-reference", seed);
    let words = (
        "The logits should be those of the formula: encode, the first token, linear, norm, ReLU, linear",
        "Go through the four lines of the formula in the documentation of PartialTuning, with the shape of \
         every tensor.",
    );
    let found = search(subject, run, 6, tuning_shapes(), |subject, shape| {
        right(subject, &shape.partial(seed), words)
    })?;
    if_passed(found, || {
        let fixed = SHAPE.partial(FIXED);
        right(subject, &full_mantissas(&fixed, FIXED), (words.0, DIGITS))?;
        right(subject, &with_zero_at_a_token(&fixed), (ZERO_AT_A_TOKEN, MASK_ALONE))?;
        let words = (
            "What goes into the head's norm is as small as 0.002 here, so that ε = 1e-5 counts in what the \
             norm divides by",
            "Look at the ε of the head's norm.",
        );
        right(subject, &faint(&fixed), words)
    })
}

/// The case with a first map of the head whose results are about as large as the square root of `ε`: any
/// other `ε` from 0 to 1e-3 moves the logits by more than a tenth.
fn faint(case: &Case) -> Case {
    let mut faint = case.clone();
    for name in ["linear1.weight", "linear1.bias"] {
        faint = faint.with_parameter(name, &case.get_parameter(name).map(|x| x / 512.0));
    }
    faint.label = format!("{}, linear1 divided by 512", case.label);
    faint
}

/// Errors of the encoder and of the builder must be passed on.
fn passes_errors_on(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/passes-errors-on", seed), 2, tuning_shapes(), |subject, shape| {
        let case = several(shape).partial(seed);
        let own = [
            "linear1.weight",
            "linear1.bias",
            "norm.weight",
            "norm.bias",
            "classifier.weight",
            "classifier.bias",
        ];
        judge_errors(subject, &case, &own)?;
        judge_misfits(subject, &case)
    })
}

/// With none, one and all of the layers unfrozen.
fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found =
        search(subject, ("partial/gradients", seed), 0, tuning_shapes(), |subject, shape| {
            [1, 0, 2].into_iter().try_for_each(|unfrozen| {
                let shape = TuningShape { unfrozen, ..small(shape) };
                slopes(subject, &shape.partial(seed), seed)
            })
        })?;
    if_passed(found, || slopes(subject, &STEEP.partial(FIXED), FIXED))
}

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/updated-parameters", seed), 0, tuning_shapes(), |subject, shape| {
        follows_new_parameters(subject, (shape, seed), TuningShape::partial)
    })
}

fn frozen(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found = search(subject, ("partial/frozen", seed), 0, tuning_shapes(), |subject, shape| {
        [1, 0, 2].into_iter().try_for_each(|unfrozen| {
            let shape = TuningShape { unfrozen, ..small(shape) };
            only_what_learns(subject, &shape.partial(seed), seed).map(drop)
        })
    })?;
    if_passed(found, || {
        let case = DEEP.partial(FIXED);
        let came = only_what_learns(subject, &case, FIXED)?;
        each_layer_learns(&case, &came)
    })
}

/// Twelve layers, as in BERT, of which the last three learn: the numbers of two of them have two digits,
/// begin with that of another layer, and are smaller than most others as texts.
const DEEP: TuningShape = TuningShape {
    base: EncoderShape { b: 1, t: 2, h: 1, k: 4, f: 2, layers: 12, padded: false, ..SHAPE.base },
    prefix: 0,
    unfrozen: 3,
    types: 0,
};

/// Checks that gradients arrive at every layer that learns, at the bias of its last norm, which is added to
/// what it gives.
fn each_layer_learns(case: &Case, came: &Gradients) -> Judged {
    let layers = case.get_size("layers");
    let first = layers.saturating_sub(case.get_size("unfrozen"));
    let reached = |n: &usize| {
        let bias = format!("base.layers.{n}.norm2.bias");
        came.parameters.iter().any(|(name, gradient)| *name == bias && gradient.is_some())
    };
    // Where no layer learns at all, `partial/gradients` says so.
    let is_alive = (first..layers).any(|n| reached(&n));
    let Some(cut) = (first..layers).find(|n| is_alive && !reached(n)) else { return Ok(()) };
    let message = format!(
        "The last {} of {layers} layers should learn, and no gradient arrives at layer {cut} (counted from 0). \
         Look at how the names of the layers that learn are told from the others: `layers.1` is the beginning \
         of `layers.10`, and as text `layers.10` comes before `layers.9`.",
        case.get_size("unfrozen")
    );
    Err(wrong(case, message))
}

/// The same question with an encoder that drops that many thousandths, in training or not; the head drops
/// nothing.
fn with_encoder_dropout(case: &Case, permille: usize, train: bool) -> Case {
    let mut changed =
        case.with_size("base_dropout_permille", permille).with_size("train", usize::from(train));
    let train = if train { ", train" } else { "" };
    let rate = permille as f64 / 1000.0;
    changed.label = format!("{}, dropout {rate} in the encoder{train}", case.label);
    changed
}

fn dropout_reaches(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/dropout-reaches", seed), 2, tuning_shapes(), |subject, shape| {
        // Enough numbers that something is dropped, and none that a cut at 0 would hide.
        let base = EncoderShape { b: 2, t: 4, h: 2, k: 4, layers: 2, ..shape.base };
        for unfrozen in [1, 0, 2] {
            let case = lifted(&TuningShape { base, unfrozen, ..*shape }.partial(seed));
            judge_encoder_drops(subject, &case)?;
        }
        let base = EncoderShape { layers: 0, ..base };
        let case = TuningShape { base, unfrozen: 0, ..*shape }.partial(seed);
        judge_nothing_else_drops(subject, &case, &with_encoder_dropout(&case, 300, true))
    })
}

/// Checks that the encoder drops in training, and at no other time.
fn judge_encoder_drops(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let before = classify(subject, case)?;
    let resting = with_encoder_dropout(case, 300, false);
    let words = (
        "`train` is false, so the encoder should drop nothing",
        "Look at what `encode` is passed as `train`.",
    );
    let after = classify(subject, &resting)?;
    compare(&resting, "logits", (&after, &before), Tolerance::EXACT, words)?;
    let training = with_encoder_dropout(case, 300, true);
    let after = classify(subject, &training)?;
    is_finite(&training, &after)?;
    if after.differs(&before) {
        return Ok(());
    }
    let message = "`train` is true and the encoder has dropout with probability 0.3, and nothing is different \
                   from what comes out without. Look at what `encode` is passed as `train`.";
    Err(wrong(&training, message.to_owned()))
}

/// The head's dropout, in thousandths: other than ½, where what is kept is as much as what is dropped.
const RATE: usize = 250;

fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/dropout-drops", seed), 2, tuning_shapes(), |subject, shape| {
        // As many classes as channels, and a last map that hands on what it is given: the logits are then
        // what dropout leaves. Enough numbers that some are dropped and some are not.
        let base = EncoderShape { b: 8, t: 2, h: 4, k: 4, c: 16, ..shape.base };
        let case = TuningShape { base, ..*shape }.partial(seed);
        let identity = Array::from_fn(&[16, 16], |at| match *at {
            [o, c] if o == c => 1.0,
            _ => 0.0,
        });
        let case = case.with_parameter("classifier.weight", &identity);
        let case = case.with_parameter("classifier.bias", &Array::full(&[16], 0.0));
        let before = classify(subject, &case)?;
        dropout::works(subject, &case, "logits", &shape_of(&case))?;
        let training = dropout::with_dropout(&case, RATE, true);
        let after = classify(subject, &training)?;
        is_finite(&case, &before)?;
        is_finite(&training, &after)?;
        let kept = 1.0 / (1.0 - RATE as f64 / 1000.0);
        let allowed = tolerance(&case).absolute * 2.0;
        let (mut dropped, mut all) = (0, 0);
        for (at, (&was, &is)) in before.values().iter().zip(after.values()).enumerate() {
            if is.abs() > allowed && (is - kept * was).abs() > allowed {
                let message = format!(
                    "The last map hands on what it is given here, and the head's dropout has \
                     probability {}: logit {at} (all logits in a row, counted from 0) is {} without dropout, \
                     so it should be 0 or {}. It is {}. Look at where the head's dropout stands, at its \
                     probability, and at what comes after the last map.",
                    RATE as f64 / 1000.0,
                    short(was),
                    short(kept * was),
                    short(is),
                );
                return Err(wrong(&training, message));
            }
            if was.abs() > 2.0 * allowed {
                all += 1;
                dropped += usize::from(is.abs() <= allowed);
            }
        }
        // Of some sixty numbers above 0, none or all are dropped with a probability below 1e-7.
        if dropped == 0 || dropped == all {
            let message = format!(
                "The head's dropout has probability {}, and of {all} numbers that are not 0 it dropped \
                 {dropped}. Look at what its probability is.",
                RATE as f64 / 1000.0
            );
            return Err(wrong(&training, message));
        }
        logits_are_not_dropped(subject, &case)
    })
}

/// Checks that nothing is dropped after the last map: if it has the same weights for every class, the logits of
/// a text are equal, whatever is dropped before it.
fn logits_are_not_dropped(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let ones = case.get_parameter("classifier.weight").map(|_| 1.0);
    let mut training =
        dropout::with_dropout(&case.with_parameter("classifier.weight", &ones), RATE, true);
    training.label = format!("{}, each weight of the last map 1", training.label);
    let logits = classify(subject, &training)?;
    is_finite(&training, &logits)?;
    // What is kept is scaled by 4/3, and so is its rounding error; two logits may each be off by that.
    let allowed = tolerance(&training.with_size("train", 0)).absolute * 8.0 / 3.0;
    for text in 0..logits.dim(0) {
        let first = logits.at(&[text, 0]);
        let other = (1..logits.dim(1)).find(|&c| (logits.at(&[text, c]) - first).abs() > allowed);
        if let Some(class) = other {
            let message = format!(
                "The last map has the same weights and the same bias for every class here, and the head's \
                 dropout has probability {}: all logits of a text should be equal, whatever is dropped. Of text \
                 {text}, logit 0 (texts and classes are counted from 0) is {}, and logit {class} is {}. Look at \
                 where the head's dropout stands.",
                RATE as f64 / 1000.0,
                short(first),
                short(logits.at(&[text, class])),
            );
            return Err(wrong(&training, message));
        }
    }
    Ok(())
}
