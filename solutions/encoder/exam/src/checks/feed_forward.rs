//! Hidden checks of the feed-forward network.

use encoder_checks::cases::{EncoderShape, encoder_shapes, full_mantissas};
use encoder_checks::feed_forward::{output_responds, pass};
use softmark_checks::array::short;
use softmark_checks::check::{Judged, if_passed, wrong};
use softmark_checks::dropout::{self, with_dropout};
use softmark_checks::subject::{compare, finite, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::same_on_views;

use crate::checks::dropped::{RATE, SCALE, each_drawn_by_itself};
use crate::checks::state::{
    answers_longer_text, draws_anew, follows_new_parameters, follows_the_mode,
};
use crate::checks::{FIXED, LONG, right, slopes, slopes_in_training};
use crate::oracle::oracle;
use crate::rounding::tolerance;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "feed-forward/matches-reference",
        title: "the output is that of the formula, with ReLU and with GELU",
        run: matches_reference,
    },
    Check {
        id: "feed-forward/refuses-other-widths",
        title: "an input of another width is an error",
        run: refuses_other_widths,
    },
    Check {
        id: "feed-forward/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "feed-forward/gradients",
        title: "gradients reach the input and all parameters, and are right",
        run: gradients,
    },
    Check {
        id: "feed-forward/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "feed-forward/dropout-drops",
        title: "in training, hidden numbers are dropped or scaled, and no others",
        run: dropout_drops,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/matches-reference", seed);
    let words = (
        "The output should be activation(x · W₁ᵀ + b₁) · W₂ᵀ + b₂, with the activation that the \
         config names",
        "Go through the formula in the documentation of FeedForward step by step, and write each \
         step's shape beside it.",
    );
    let found = search(subject, run, 8, encoder_shapes(), |subject, shape| {
        let each = shape.each_activation().into_iter();
        each.map(|shape| shape.feed_forward(seed)).try_for_each(|it| right(subject, &it, words))
    })?;
    if_passed(found, || {
        let each = EncoderShape { f: 40, ..LONG }.each_activation().into_iter();
        let full = each.map(|shape| full_mantissas(&shape.feed_forward(FIXED), FIXED));
        full.into_iter().try_for_each(|case| {
            right(subject, &case, words)?;
            // An activation has no upper end.
            right(subject, &case.with("x", case.get("x").map(|x| 32.0 * x)), words)
        })
    })
}

/// The case with an input that is twice as wide.
fn twice_as_wide(case: &Case) -> Case {
    let x = case.get("x");
    let d = x.dim(2);
    let wide = Array::from_fn(&[x.dim(0), x.dim(1), 2 * d], |at| match *at {
        [b, t, c] => x.at(&[b, t, c % d.max(1)]),
        _ => f64::NAN,
    });
    let mut other = case.with("x", wide);
    other.label = format!("{}, x is {} wide", case.label, 2 * d);
    other
}

fn refuses_other_widths(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/refuses-other-widths", seed);
    search(subject, run, 3, encoder_shapes(), |subject, shape| {
        let case = shape.feed_forward(seed);
        let words = (
            "The input is twice as wide as the model, so `forward` should return an error",
            "Look at what becomes of the input's last axis before the first map.",
        );
        refuses(subject, (&case, &twice_as_wide(&case)), words)
    })
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("feed-forward/strided-input", seed), 4, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { t: shape.t.max(2), ..*shape };
        let plain = shape.feed_forward(seed);
        let view = EncoderShape { strided: true, ..shape }.feed_forward(seed);
        same_on_views(subject, (&plain, &view), oracle, tolerance(&plain))?;
        let before = pass(subject, &plain)?;
        output_responds(subject, &plain, &before)
    })
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/gradients", seed);
    let found = search(subject, run, 1, encoder_shapes(), |subject, shape| {
        let each = shape.each_activation().into_iter();
        each.map(|shape| shape.feed_forward(seed)).try_for_each(|it| slopes(subject, &it, seed))
    })?;
    if_passed(found, || {
        slopes(subject, &NARROW.feed_forward(FIXED), FIXED)?;
        let training = EncoderShape { b: 2, t: 3, ..LONG };
        let each = training.each_activation().into_iter();
        each.map(|shape| shape.feed_forward(FIXED))
            .try_for_each(|case| slopes_in_training(subject, &case))
    })
}

/// One position of a narrow network: the tolerance is small, and with `FIXED` the gradient of the input needs more
/// digits than half precision has.
const NARROW: EncoderShape =
    EncoderShape { b: 1, t: 1, h: 2, k: 2, f: 2, gelu: false, padded: false, data: 321, ..LONG };

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/updated-parameters", seed);
    search(subject, run, 0, encoder_shapes(), |subject, shape| {
        follows_new_parameters(subject, (shape, seed), EncoderShape::feed_forward)?;
        answers_longer_text(subject, (shape, seed), EncoderShape::feed_forward)?;
        follows_the_mode(subject, (shape, seed), EncoderShape::feed_forward)?;
        let wide = EncoderShape { gelu: true, ..wide(shape) };
        draws_anew(subject, &bared(&wide.feed_forward(seed)))
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

/// 128 hidden numbers: enough that neither outcome of a draw is missing by chance, in any text or at any position.
fn wide(shape: &EncoderShape) -> EncoderShape {
    EncoderShape { b: 2, t: 8, h: 2, k: 4, f: 8, ..*shape }
}

/// The case with a first map of which every number is above 0: of eight inputs up to 2 and weights up to 1/2 comes
/// no less than −8.
fn above_zero(case: &Case) -> Case {
    let bias = case.get_parameter("linear1.bias").map(|x| x + 16.0);
    case.with_parameter("linear1.bias", &bias)
}

/// The hidden numbers stand bare before the output, and each of them should be dropped or doubled.
/// What a second map of zeros adds should not be.
fn dropout_drops(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("feed-forward/dropout-drops", seed), 3, encoder_shapes(), |subject, shape| {
        let [relu, gelu] = wide(shape).each_activation().map(|shape| shape.feed_forward(seed));
        drops_hidden_numbers(subject, &gelu)?;
        // A number that is 0 already does not show whether it is dropped.
        drops_hidden_numbers(subject, &above_zero(&relu))
    })
}

fn drops_hidden_numbers(subject: &mut Subject<'_>, case: &Case) -> Judged {
    dropout::works(subject, case, "output", case.get("x").shape())?;
    let bare = bared(case);
    let kept = pass(subject, &bare)?;
    let dropped = with_dropout(&bare, RATE, true);
    drops_or_scales(&dropped, (&pass(subject, &dropped)?, &kept), DROPOUT_HINT)?;
    let constant = dropped
        .with_parameter("linear2.weight", &bare.get_parameter("linear2.weight").map(|_| 0.0))
        .with_parameter("linear2.bias", &Array::full(&[8], 1.0));
    let want = Array::full(case.get("x").shape(), 1.0);
    let claim = "The second map has weights of 0 and biases of 1, so that the output should be 1 \
                 throughout, whatever is dropped before it";
    let look = "Look at the bias of the second map, and at what is done to the output after it.";
    let got = pass(subject, &constant)?;
    compare(&constant, "output", (&got, &want), Tolerance::EXACT, (claim, look))?;
    product_is_not_dropped(subject, &dropped)
}

/// Holds that nothing of the second product is dropped: with the same weights for every channel, the numbers of a
/// position are equal, whatever is dropped before it.
///
/// A network that gives other numbers without dropout fails other checks.
fn product_is_not_dropped(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let weights = case.get_parameter("linear2.weight").map(|_| 0.5);
    let alike = case.with_parameter("linear2.weight", &weights);
    let (at_rest, mut training) = (with_dropout(&alike, 0, false), alike);
    training.label = format!("{}, each weight of the second map 0.5", training.label);
    if first_apart(&at_rest, &pass(subject, &at_rest)?).is_some() {
        return Ok(());
    }
    let output = pass(subject, &training)?;
    finite(&training, "output", &output)?;
    let Some([b, t, c]) = first_apart(&at_rest, &output) else { return Ok(()) };
    let message = format!(
        "The second map has the same weights for every channel here and no biases, and dropout has probability 0.25: \
         the numbers of a position should be equal, whatever is dropped before the map. In text {b} at position {t} \
         (both counted from 0), channel 0 is {}, and channel {c} is {}. Look at what dropout is given: the hidden \
         numbers, or what the second map makes of them.",
        short(output.at(&[b, t, 0])),
        short(output.at(&[b, t, c])),
    );
    Err(wrong(&training, message))
}

/// The first number of an output `[B, T, D]` that is not that of channel 0 at the same position.
///
/// Numbers that are kept are scaled by [`SCALE`], and so are their rounding errors; two numbers may each be off by that.
fn first_apart(at_rest: &Case, output: &Array) -> Option<[usize; 3]> {
    let allowed = 2.0 * SCALE * tolerance(at_rest).absolute;
    let places = (0..output.dim(0)).flat_map(|b| (0..output.dim(1)).map(move |t| [b, t]));
    let all = places.flat_map(|[b, t]| (1..output.dim(2)).map(move |c| [b, t, c]));
    all.into_iter()
        .find(|&[b, t, c]| (output.at(&[b, t, c]) - output.at(&[b, t, 0])).abs() > allowed)
}

/// Hint where what comes out without dropout is right.
pub(super) const DROPOUT_HINT: &str =
    "Look at where dropout stands, at its probability, and at what else is done to the numbers.";

/// Holds that every number of `got` is 0 or [`SCALE`] times what it is without dropout, that both occur, and that
/// each number is drawn by itself.
pub(crate) fn drops_or_scales(case: &Case, (got, kept): (&Array, &Array), look: &str) -> Judged {
    [got, kept].into_iter().try_for_each(|it| finite(case, "output", it))?;
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-5 * y.abs().max(1.0);
    // A number near 0 does not show whether it was dropped.
    let is_dropped = Array::from_fn(got.shape(), |at| match kept.at(at).abs() > 1e-3 {
        true if near(got.at(at), 0.0) => 1.0,
        true => 0.0,
        false => f64::NAN,
    });
    let pairs = || got.values().iter().zip(kept.values()).filter(|(_, kept)| kept.abs() > 1e-3);
    let dropped = pairs().filter(|(x, _)| near(**x, 0.0)).count();
    let scaled = pairs().filter(|(x, kept)| near(**x, SCALE * **kept)).count();
    let all = pairs().count();
    // Of 128 numbers a quarter is dropped: more than half of them never is, by any stream.
    if dropped > 0 && scaled > dropped && dropped + scaled == all {
        return each_drawn_by_itself(case, &is_dropped, "numbers");
    }
    let neither = all.saturating_sub(dropped + scaled);
    let message = format!(
        "With dropout of probability 0.25 in training, about a quarter of the numbers should be 0, and \
         the others 4/3 of what they are without dropout. Count among {all} numbers: {dropped} at 0, \
         {scaled} at 4/3, {neither} at neither. {look}"
    );
    Err(wrong(case, message))
}

#[cfg(test)]
mod tests {
    use softmark_exam::check::numeric_gradients;

    use crate::checks::{back, cotangents};

    use super::*;

    /// The nearest number with as many digits as half precision has, 11 bits.
    fn halved(x: f64) -> f64 {
        if x == 0.0 {
            return 0.0;
        }
        let unit = (x.abs().log2().floor() - 10.0).exp2();
        (x / unit).round() * unit
    }

    #[test]
    fn the_narrow_case_shows_a_gradient_in_half_precision() {
        let case = NARROW.feed_forward(FIXED);
        let allowed = back(&case).absolute;
        let gradients = numeric_gradients(&case, &oracle, &cotangents(&case, FIXED));
        let lost = gradients["x"].values().iter().map(|x| (x - halved(*x)).abs());
        let most = lost.fold(0.0, f64::max);
        assert!(most > 10.0 * allowed, "{most:e} {allowed:e}");
    }
}
