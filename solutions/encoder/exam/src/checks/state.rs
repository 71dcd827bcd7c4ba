//! Checks that a part of the network keeps nothing of a call, and follows updates of its parameters.

use encoder_checks::cases::EncoderShape;
use encoder_checks::signatures::{MODE, STEP};
use softmark_checks::check::wrong;
use softmark_checks::dropout::with_dropout;
use softmark_checks::subject::finite;
use softmark_checks::{Array, Case, Judged, Subject};
use softmark_exam::check::{answers_again, expected, follows_updates, with_parameters_of};

use crate::checks::dropped::RATE;
use crate::oracle::oracle;
use crate::rounding::tolerance;

/// Function that constructs a case of a part from its shape and a seed.
pub(super) type Part = fn(&EncoderShape, u64) -> Case;

/// The shape with one text without padding: what goes wrong with several texts, or with padding, is for other
/// checks.
pub(super) fn one_text(shape: &EncoderShape) -> EncoderShape {
    EncoderShape { b: 1, padded: false, ..*shape }
}

/// Checks that a part follows updates of its parameters, on one text without padding.
pub(super) fn follows_new_parameters(
    subject: &mut Subject<'_>,
    (shape, seed): (&EncoderShape, u64),
    part: Part,
) -> Judged {
    let shape = one_text(shape);
    let case = part(&shape, seed);
    let other = EncoderShape { data: shape.data.wrapping_add(1), ..shape };
    let changed = with_parameters_of(&case, &part(&other, seed), &|_| true);
    let allowed = tolerance(&changed);
    expected(&case, oracle)?.iter().try_for_each(|(name, want)| {
        follows_updates(subject, (&case, &changed), (name, want.shape()), allowed, "")
    })
}

/// Checks that a part answers one text after a shorter one as a new part does.
pub(super) fn answers_longer_text(
    subject: &mut Subject<'_>,
    (shape, seed): (&EncoderShape, u64),
    part: Part,
) -> Judged {
    let shape = one_text(shape);
    let first = part(&EncoderShape { spare: shape.spare + 1, ..shape }, seed);
    let longer = part(&EncoderShape { t: shape.t + 1, padded: true, ..shape }, seed);
    let allowed = tolerance(&longer);
    expected(&longer, oracle)?.iter().try_for_each(|(name, want)| {
        answers_again(subject, (&first, &longer), (name, want.shape()), allowed)
    })
}

/// Checks that a part answers a text with another mask than the one before, of the same length, as a new part does.
pub(super) fn follows_the_mask(
    subject: &mut Subject<'_>,
    (shape, seed): (&EncoderShape, u64),
    part: Part,
) -> Judged {
    let first = part(&EncoderShape { t: shape.t.max(2), ..one_text(shape) }, seed);
    let mask = first.get("mask");
    let last = mask.dim(1).saturating_sub(1);
    let hidden = Array::from_fn(mask.shape(), |at| f64::from(u8::from(at.last() != Some(&last))));
    let second = first.with("mask", hidden);
    let allowed = tolerance(&second);
    expected(&second, oracle)?.iter().try_for_each(|(name, want)| {
        answers_again(subject, (&first, &second), (name, want.shape()), allowed)
    })
}

/// Checks that a part that is called twice in training, at two steps, does not drop the same numbers again.
///
/// `case` is without dropout, and what it shows is dropped by the part itself. That a right part drops the same of 32
/// numbers by chance has a probability of (5/8)³², less than 10⁻⁶, and both cases are the same on every seed of a stream.
pub(super) fn draws_anew(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let at_step = |step: f64| case.clone().ids(STEP, Array::full(&[1], step));
    let [first, second] = [0.0, 1.0].map(|step| with_mode(&at_step(step), true));
    let kept = with_dropout(&first, 0, true);
    expected(case, oracle)?.iter().try_for_each(|(name, want)| {
        let shape = want.shape();
        // Where a new part drops nothing in training, or fails at it, the checks of dropout say so.
        let Ok(undropped) = subject.try_forward(&kept)?.into_result() else { return Ok(()) };
        let undropped = undropped.get(&kept, name, shape)?;
        let before = subject.forward(&first)?.get(&first, name, shape)?;
        if !before.differs(&undropped) {
            return Ok(());
        }
        let after = subject.forward_again(&first, &second)?.get(&second, name, shape)?;
        if after.differs(&before) {
            return Ok(());
        }
        [&before, &after].into_iter().try_for_each(|it| finite(&second, name, it))?;
        let message = format!(
            "The part was made once and called twice with the same input, both times with `train` true and dropout \
             of probability 0.25, at two steps of a training: each call should draw anew what it drops, and \
             `{name}` was the same both times. Look at what is kept from one call to the next, and at where \
             the random numbers come from."
        );
        Err(wrong(&second, message))
    })
}

/// The case with the mode of its call in the question, as the second call of a part needs it.
fn with_mode(case: &Case, train: bool) -> Case {
    let mode = Array::full(&[1], f64::from(u8::from(train)));
    with_dropout(case, RATE, train).mask_called(MODE, mode)
}

/// Checks that a part that was called in one mode, training or evaluation, is in the other one at the next call.
///
/// A part may choose what a second call drops, as long as it drops something in training. There
/// are 48 numbers at least: that none of them is has a probability of (3/4)⁴⁸, or 10⁻⁶.
pub(super) fn follows_the_mode(
    subject: &mut Subject<'_>,
    (shape, seed): (&EncoderShape, u64),
    part: Part,
) -> Judged {
    let wide = EncoderShape { t: 6, h: 2, k: 4, f: 8, layers: 1, gelu: true, ..one_text(shape) };
    let case = part(&wide, seed);
    let [learning, at_rest] = [true, false].map(|train| with_mode(&case, train));
    let allowed = tolerance(&at_rest);
    expected(&at_rest, oracle)?.iter().try_for_each(|(name, want)| {
        let output = (*name, want.shape());
        answers_again(subject, (&learning, &at_rest), output, allowed)?;
        begins_to_drop(subject, (&at_rest, &learning), output)
    })
}

/// Checks that a part that was called outside of training drops something at the next call, which is in training.
fn begins_to_drop(
    subject: &mut Subject<'_>,
    (at_rest, learning): (&Case, &Case),
    (name, shape): (&str, &[usize]),
) -> Judged {
    let before = subject.forward(at_rest)?.get(at_rest, name, shape)?;
    let at_once = subject.forward(learning)?.get(learning, name, shape)?;
    let after = subject.forward_again(at_rest, learning)?.get(learning, name, shape)?;
    // Where a new part drops nothing, the check of dropout says so.
    if after.differs(&before) || !at_once.differs(&before) {
        return Ok(());
    }
    [&before, &after].into_iter().try_for_each(|it| finite(learning, name, it))?;
    let message = format!(
        "The part was made once and called twice, first with `train` false and then with `train` true and \
         dropout of probability 0.25, and `{name}` was the same both times. Look at what is kept from one \
         call to the next."
    );
    Err(wrong(learning, message))
}
