//! Hidden checks of the feed-forward network.

use softmark_checks::check::{Judged, wrong};
use softmark_checks::encoder::cases::{EncoderShape, encoder_shapes};
use softmark_checks::encoder::dropout::{self, with_dropout};
use softmark_checks::encoder::feed_forward::{output_responds, pass};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};
use softmark_kit::compare::Tolerance;

use crate::check::{follows_updates, same_on_views, with_parameters_of};
use crate::suite::encoder::checks::{right, slopes};
use crate::suite::encoder::oracle::{oracle, tolerance};

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/matches-reference", seed);
    search(subject, run, 8, encoder_shapes(), |subject, shape| {
        let words = (
            "The output should be activation(x · W₁ᵀ + b₁) · W₂ᵀ + b₂, with the activation that the \
             config names",
            "Go through the formula in the documentation of FeedForward step by step, and write each \
             step's shape beside it.",
        );
        let each = shape.each_activation().into_iter();
        each.map(|shape| shape.feed_forward(seed)).try_for_each(|it| right(subject, &it, words))
    })
}

pub(crate) fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/strided-input", seed);
    search(subject, run, 4, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { t: shape.t.max(2), ..*shape };
        let plain = shape.feed_forward(seed);
        let view = EncoderShape { strided: true, ..shape }.feed_forward(seed);
        same_on_views(subject, (&plain, &view), oracle, tolerance(&plain))?;
        let before = pass(subject, &plain)?;
        output_responds(subject, &plain, &before)
    })
}

pub(crate) fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/gradients", seed);
    search(subject, run, 1, encoder_shapes(), |subject, shape| {
        let each = shape.each_activation().into_iter();
        each.map(|shape| shape.feed_forward(seed)).try_for_each(|it| slopes(subject, &it, seed))
    })
}

/// One text: what goes wrong with several is for other checks.
pub(crate) fn updated_parameters(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/updated-parameters", seed);
    search(subject, run, 0, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { b: 1, padded: false, ..*shape };
        let case = shape.feed_forward(seed);
        let other = EncoderShape { data: shape.data.wrapping_add(1), ..shape };
        let changed = with_parameters_of(&case, &other.feed_forward(seed), &|_| true);
        let allowed = tolerance(&changed);
        follows_updates(subject, (&case, &changed), ("output", case.get("x").shape()), allowed)
    })
}

/// The case with a second map that changes nothing: the hidden numbers themselves come out.
fn bared(case: &Case) -> Case {
    let d = case.get_size("d_model");
    let identity = Array::from_fn(&[d, d], |at| match *at {
        [o, i] if o == i => 1.0,
        _ => 0.0,
    });
    case.with_parameter("linear2.weight", &identity)
        .with_parameter("linear2.bias", &Array::full(&[d], 0.0))
}

/// 64 hidden numbers: each drawn for both outcomes, so that neither is missing by chance.
fn wide(shape: &EncoderShape) -> EncoderShape {
    EncoderShape { b: 2, t: 4, h: 2, k: 4, f: 8, gelu: true, ..*shape }
}

/// The hidden numbers stand bare before the output, and each of them should be dropped or doubled.
/// What a second map of zeros adds should not be.
pub(crate) fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/dropout-drops", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        let case = wide(shape).feed_forward(seed);
        dropout::works(subject, &case, "output", case.get("x").shape())?;
        let bare = bared(&case);
        let kept = pass(subject, &bare)?;
        let dropped = with_dropout(&bare, 500, true);
        drops_or_doubles(&dropped, &pass(subject, &dropped)?, &kept)?;
        let constant = dropped
            .with_parameter("linear2.weight", &bare.get_parameter("linear2.weight").map(|_| 0.0))
            .with_parameter("linear2.bias", &Array::full(&[8], 1.0));
        let want = Array::full(case.get("x").shape(), 1.0);
        let claim = "The second map has weights of 0 and biases of 1, so that the output should be 1 \
                     throughout, whatever is dropped before it";
        let look = "Look at where dropout stands: on the hidden numbers, and nowhere else.";
        let got = pass(subject, &constant)?;
        compare(&constant, "output", (&got, &want), Tolerance::EXACT, (claim, look))
    })
}

/// Holds that every number of `got` is 0 or twice what it is without dropout, and that both occur.
pub(super) fn drops_or_doubles(case: &Case, got: &Array, kept: &Array) -> Judged {
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-5 * y.abs().max(1.0);
    let pairs = || got.values().iter().zip(kept.values()).filter(|(_, kept)| kept.abs() > 1e-3);
    let dropped = pairs().filter(|(x, _)| near(**x, 0.0)).count();
    let doubled = pairs().filter(|(x, kept)| near(**x, 2.0 * **kept)).count();
    if dropped > 0 && doubled > 0 && dropped + doubled == pairs().count() {
        return Ok(());
    }
    let message = format!(
        "With dropout of probability 0.5 in training, each number should be either 0 or twice what \
         it is without: about half of them each. Of {} numbers, {dropped} are 0, {doubled} are \
         doubled, and the rest is neither. Look at where dropout stands, and at what it does with the \
         numbers that stay.",
        pairs().count()
    );
    Err(wrong(case, message))
}
