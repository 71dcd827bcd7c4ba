//! Task 1, the feed-forward network: properties of every correct implementation.

use softmark_checks::array::{Array, disturbed};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, outcome, wrong};
use softmark_checks::computes::{computes, other_parameters};
use softmark_checks::dropout;
use softmark_checks::missing::{never_asked, refused_without};
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, responds};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::cases::{EncoderShape, FEED_FORWARD_PARAMETERS, encoder_shapes};

pub use softmark_checks::component::output_like_input as pass;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "feed-forward/parameters",
        title: "exactly the four documented parameters are asked for",
        run: parameters,
    },
    Check {
        id: "feed-forward/shapes",
        title: "the output has the shape of the input, in f32",
        run: shapes,
    },
    Check { id: "feed-forward/worked-example", title: "worked example", run: worked_example },
    Check {
        id: "feed-forward/exact-gelu",
        title: "GELU is the one with the error function",
        run: exact_gelu,
    },
    Check {
        id: "feed-forward/position-wise",
        title: "each position is computed by itself",
        run: position_wise,
    },
    Check {
        id: "feed-forward/dropout-rests",
        title: "dropout does nothing outside of training",
        run: dropout_rests,
    },
];

const CASES: usize = 6;

/// Checks that the output depends on the parameters: on the last bias, or otherwise on all parameters together.
/// The output of code that returns its input depends on that alone.
///
/// This check only establishes that something is computed at all, not that the result is right.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let bias = case.get_parameter("linear2.bias").map(|x| x + 1.0);
    if before.differs(&pass(subject, &case.with_parameter("linear2.bias", &bias))?) {
        return Ok(());
    }
    let moved = other_parameters(case, |_| true);
    if before.differs(&pass(subject, &moved)?) {
        return Ok(());
    }
    // A hidden number that is cut off for an input is not for its opposite.
    let turned = |case: &Case| case.with("x", case.get("x").map(|x| -x));
    let (case, moved) = (turned(case), turned(&moved));
    let (before, after) = (pass(subject, &case)?, pass(subject, &moved)?);
    responds(&moved, "output", (&before, &after), "Every parameter was changed")
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("feed-forward/parameters", seed), 2, encoder_shapes(), |subject, shape| {
        let case = shape.feed_forward(seed);
        let missing = never_asked(&case, &subject.asked(&case)?);
        if missing.is_empty() {
            refused_without(subject, &case, &FEED_FORWARD_PARAMETERS)?;
            return computes(subject, &case);
        }
        let message = format!(
            "The constructor never asked for {}; its parameters are {}. Look at the table in the \
             documentation of FeedForward.",
            missing.join(", "),
            FEED_FORWARD_PARAMETERS.join(", ")
        );
        Err(wrong(&case, message))
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("feed-forward/shapes", seed), CASES, encoder_shapes(), |subject, shape| {
        let case = shape.feed_forward(seed);
        let output = pass(subject, &case)?;
        output_responds(subject, &case, &output)
    })
}

/// Hidden numbers 1, −2 and 1 before the activation, with `ReLU`.
fn worked_example(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let array = |shape: &[usize], values: &[f64]| Array::new(shape, values.to_vec());
    let case = EncoderShape::BARE
        .feed_forward(seed)
        .with("x", array(&[1, 1, 2], &[1.0, -2.0]))
        .with_parameter("linear1.weight", &array(&[3, 2], &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
        .with_parameter("linear1.bias", &array(&[3], &[0.0, 0.0, 2.0]))
        .with_parameter("linear2.weight", &array(&[2, 3], &[1.0, 5.0, 1.0, 2.0, 7.0, -1.0]))
        .with_parameter("linear2.bias", &array(&[2], &[0.5, -0.5]));
    let mut judge = || -> Judged {
        let output = pass(subject, &case)?;
        let want = array(&[1, 1, 2], &[2.5, 0.5]);
        let claim = "x = [1, -2] comes to [1, -2, 1] in the first map, to [1, 0, 1] after ReLU and \
                     to [2.5, 0.5] in the second";
        let look = "Work it through on paper: what does each map add, what stands between the two, and \
                    what comes after them?";
        // Halves of small whole numbers: exact in f32.
        compare(&case, "output", (&output, &want), Tolerance::EXACT, (claim, look))
    };
    outcome(judge())
}

/// `x/2 · (1 + erf(x/√2))` at −3, −2, −1, 0, 1, 2 and 3, from tables of the normal distribution.
const GELU: [(f64, f64); 7] = [
    (-3.0, -0.004_049_694_095_490_28),
    (-2.0, -0.045_500_263_896_358_4),
    (-1.0, -0.158_655_253_931_457_05),
    (0.0, 0.0),
    (1.0, 0.841_344_746_068_542_9),
    (2.0, 1.954_499_736_103_641_6),
    (3.0, 2.995_950_305_904_509_6),
];

fn exact_gelu(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let t = GELU.len();
    let one = |shape: &[usize]| Array::full(shape, 1.0);
    let zero = |shape: &[usize]| Array::full(shape, 0.0);
    let case = EncoderShape { t, k: 1, f: 1, gelu: true, ..EncoderShape::BARE }
        .feed_forward(seed)
        .with("x", Array::new(&[1, t, 1], GELU.map(|(x, _)| x).to_vec()))
        .with_parameter("linear1.weight", &one(&[1, 1]))
        .with_parameter("linear1.bias", &zero(&[1]))
        .with_parameter("linear2.weight", &one(&[1, 1]))
        .with_parameter("linear2.bias", &zero(&[1]));
    let mut judge = || -> Judged {
        let output = pass(subject, &case)?;
        let want = Array::new(&[1, t, 1], GELU.map(|(_, y)| y).to_vec());
        let claim = "With weights of 1 and biases of 0 only the activation is left: \
                     x/2 · (1 + erf(x/√2))";
        let look = "Look at which activation is called for GELU (the approximation by tanh is close, but \
                    another function), and at what else is done to the numbers.";
        // Numbers up to 3 through a handful of operations, an error function among them.
        compare(&case, "output", (&output, &want), Tolerance::f32(16, 3.0), (claim, look))
    };
    outcome(judge())
}

fn position_wise(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("feed-forward/position-wise", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { t: shape.t.max(2), ..*shape };
        let case = shape.feed_forward(seed);
        let mut stream = Stream::derive(seed, "disturbed", shape.data);
        let others = |at: &[usize]| !matches!(*at, [0, 0, _]);
        let moved = case.with("x", disturbed(&case.get("x"), 10.0, &mut stream, others));
        let first = |output: &Array| {
            Array::from_fn(&[shape.d()], |at| match *at {
                [c] => output.at(&[0, 0, c]),
                _ => f64::NAN,
            })
        };
        let (before, after) = (pass(subject, &case)?, pass(subject, &moved)?);
        let claim = "Every position but the first of the first example was replaced, and what comes \
                     out at that one moved";
        let look = "Look at which axis each map and the activation work on.";
        let pair = (&first(&after), &first(&before));
        compare(&moved, "output", pair, Tolerance::EXACT, (claim, look))?;
        output_responds(subject, &case, &before)
    })
}

fn dropout_rests(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("feed-forward/dropout-rests", seed), 3, encoder_shapes(), |subject, shape| {
        let case = shape.feed_forward(seed);
        dropout::has_no_effect(subject, &case, "output", case.get("x").shape())?;
        let before = pass(subject, &case)?;
        output_responds(subject, &case, &before)
    })
}
