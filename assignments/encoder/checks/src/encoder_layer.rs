//! Task 2, the encoder layer: properties of every correct implementation.

use softmark_checks::array::{Array, disturbed};
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged};
use softmark_checks::component::asks_for_all;
use softmark_checks::computes::{computes, other_parameters};
use softmark_checks::dropout;
use softmark_checks::missing::refused_without;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, responds};
use softmark_checks::texts::{at_real_tokens, first_example, padded_at_the_end};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::cases::{EncoderShape, encoder_shapes, full_mantissas, normed};

pub use softmark_checks::component::output_like_input as pass;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "encoder-layer/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check {
        id: "encoder-layer/shapes",
        title: "the output has the shape of the input, in f32",
        run: shapes,
    },
    Check {
        id: "encoder-layer/residuals",
        title: "with silent sublayers, pre-norm is the identity and post-norm two norms",
        run: residuals,
    },
    Check {
        id: "encoder-layer/ignores-padding",
        title: "what stands at padding has no influence on real tokens at all",
        run: ignores_padding,
    },
    Check {
        id: "encoder-layer/batch-independence",
        title: "each example is computed by itself",
        run: batch_independence,
    },
    Check {
        id: "encoder-layer/dropout-rests",
        title: "dropout does nothing outside of training",
        run: dropout_rests,
    },
];

const CASES: usize = 4;

/// Checks that the output depends on the parameters: on the biases of the norms and of the last map, or
/// otherwise on all parameters together. The output of code that returns its input depends on that alone.
///
/// This check only establishes that something is computed at all, not that the result is right.
///
/// # Errors
///
/// Fails with the verdict if the output does not change.
pub fn output_responds(subject: &mut Subject<'_>, case: &Case, before: &Array) -> Judged {
    let mut moved = case.clone();
    for name in ["norm1.bias", "norm2.bias", "feed_forward.linear2.bias"] {
        let raised = case.get_parameter(name).map(|x| x + 1.0);
        moved = moved.with_parameter(name, &raised);
    }
    if before.differs(&pass(subject, &moved)?) {
        return Ok(());
    }
    let moved = other_parameters(case, |_| true);
    let after = pass(subject, &moved)?;
    responds(&moved, "output", (before, &after), "Every parameter was changed")
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder-layer/parameters", seed), 2, encoder_shapes(), |subject, shape| {
        let case = shape.encoder_layer(seed);
        let about = "A layer has two norms of its own, and two sublayers that are made by way of `below`. \
                     Look at the table of parameters in the documentation of EncoderLayer.";
        asks_for_all(subject, &case, about)?;
        let own = ["norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"];
        refused_without(subject, &case, &own)?;
        computes(subject, &case)
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder-layer/shapes", seed), CASES, encoder_shapes(), |subject, shape| {
        let case = shape.encoder_layer(seed);
        let output = pass(subject, &case)?;
        output_responds(subject, &case, &output)
    })
}

/// Returns the case with sublayers that give zeros: their last maps have weights and biases of 0.
#[must_use]
pub fn silent(case: &Case) -> Case {
    let mut silent = case.clone();
    for map in ["self_attn.out_proj", "feed_forward.linear2"] {
        for name in [format!("{map}.weight"), format!("{map}.bias")] {
            silent = silent.with_parameter(&name, &case.get_parameter(&name).map(|_| 0.0));
        }
    }
    silent.label = format!("{}, sublayers silent", case.label);
    silent
}

/// Returns the tolerance for two layer norms in a row, in a case of [`residuals`].
///
/// A norm takes `2D + 8` roundings of the largest number and divides by the row's deviation, which enlarges
/// them; mean and deviation carry the error of one channel to the others, `1 + √D` times as much in all,
/// and the weights, at most 3/2 of those of the first norm, scale it. The second norm does so again with
/// the error of the first.
///
/// An ε that differs a little from 1e-5 has a check of its own: eight times the effect of an ε ten times
/// smaller is also allowed here. An ε of 1e-3 has a hundred times that effect.
fn two_norms(case: &Case, (x, inner, want): (&Array, &Array, &Array)) -> Tolerance {
    let d = x.dim(2);
    let (scale, spread) = ((2 * d + 8) as f64, 1.0 + (d as f64).sqrt());
    let largest = |name| case.get_parameter(name).magnitude();
    let first = scale * x.magnitude() / least_deviation(x) * spread * largest("norm1.weight");
    let own = scale * inner.magnitude();
    let second = (first + own) / least_deviation(inner) * spread * largest("norm2.weight");
    let other = twice_normed(case, x, 1e-6).1;
    let epsilon = other.largest_difference(want);
    Tolerance { relative: 0.0, absolute: 8.0 * epsilon } + Tolerance::f32(1, second)
}

/// Returns the input after the first norm, and after the second.
fn twice_normed(case: &Case, x: &Array, epsilon: f64) -> (Array, Array) {
    let parameter = |name| case.get_parameter(name);
    let inner = normed(x, (&parameter("norm1.weight"), &parameter("norm1.bias")), epsilon);
    let outer = normed(&inner, (&parameter("norm2.weight"), &parameter("norm2.bias")), epsilon);
    (inner, outer)
}

fn least_deviation(x: &Array) -> f64 {
    let rows = x.values().chunks(x.dim(2).max(1));
    rows.map(deviation).fold(f64::INFINITY, f64::min).max(1e-6)
}

fn deviation(row: &[f64]) -> f64 {
    let n = row.len() as f64;
    let mean = row.iter().sum::<f64>() / n;
    (row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt()
}

fn residuals(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder-layer/residuals", seed), CASES, encoder_shapes(), |subject, shape| {
        shape.each_placement().into_iter().try_for_each(|shape| {
            // Numbers of at least 2 apart in each row, so that no norm works on rounding alone.
            // And numbers of full length, which no narrower type hands on unchanged.
            // And no padding: the output there has no meaning.
            let shape = EncoderShape { padded: false, ..shape };
            let case = silent(&full_mantissas(&spread(&shape.encoder_layer(seed)), seed));
            let case = if shape.pre_norm { case } else { quiet(&case) };
            passes_through(subject, &case, &shape)?;
            let other = case.with("x", case.get("x").map(|x| x * 0.5 + 1.0));
            let (before, after) = (pass(subject, &case)?, pass(subject, &other)?);
            let changed = "Every input was halved and raised by one";
            if shape.pre_norm {
                return responds(&other, "output", (&before, &after), changed);
            }
            Ok(())
        })
    })
}

/// Returns the case with a first norm of a sixteenth of its size, without biases: so that what the second one works
/// on is even enough, and small enough, for what it divides by to show.
fn quiet(case: &Case) -> Case {
    let scaled = |by: f64, name| case.get_parameter(name).map(|x| x * by);
    case.with_parameter("norm1.weight", &scaled(1.0 / 16.0, "norm1.weight"))
        .with_parameter("norm1.bias", &scaled(0.0, "norm1.bias"))
}

/// Returns the case with the first two channels of each position 4 apart.
fn spread(case: &Case) -> Case {
    let x = case.get("x");
    let apart = |at: &[usize]| match *at {
        [_, _, 0] => x.at(at) + 4.0,
        [_, _, 1] => x.at(at) - 4.0,
        _ => x.at(at),
    };
    case.with("x", Array::from_fn(x.shape(), apart))
}

fn passes_through(subject: &mut Subject<'_>, case: &Case, shape: &EncoderShape) -> Judged {
    let (x, output) = (case.get("x"), pass(subject, case)?);
    if shape.pre_norm {
        let claim = "Both sublayers give zeros here, so a pre-norm layer should hand on what it was \
                     given, bit for bit";
        let look = "Look at what is added in each of the two residual sums, at whether a norm stands where \
                    none should, and at whether the numbers are converted on the way.";
        return compare(case, "output", (&output, &x), Tolerance::EXACT, (claim, look));
    }
    let (inner, want) = twice_normed(case, &x, 1e-5);
    let claim = "Both sublayers give zeros here, so a post-norm layer should be norm2(norm1(x))";
    let look = "Look at what is added in each of the two residual sums, at which norm stands where, and at \
                what each norm computes.";
    let tolerance = two_norms(case, (&x, &inner, &want));
    compare(case, "output", (&output, &want), tolerance, (claim, look))
}

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/ignores-padding", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { padded: true, t: shape.t.max(2), ..*shape };
        let case = padded_at_the_end(&shape.encoder_layer(seed));
        let mask = case.get("mask");
        let mut stream = Stream::derive(seed, "disturbed", shape.data);
        let hidden = |at: &[usize]| matches!(*at, [b, t, _] if mask.at(&[b, t]) == 0.0);
        let before = pass(subject, &case)?;
        // The square of the largest is still a number in f32.
        for big in [1.0, 1000.0, 1e10] {
            let moved = case.with("x", disturbed(&case.get("x"), big, &mut stream, hidden));
            let after = pass(subject, &moved)?;
            let look = if big > 1e6 {
                "The numbers at padding are large here: look at what is done with them, and at the type that \
                 you compute in."
            } else {
                "Look at whether the mask reaches the attention as it was handed in, and at whether anything \
                 else mixes positions."
            };
            let words = (
                "What stands at padding (mask 0) was replaced, and the output at a real token moved",
                look,
            );
            let pair = (&at_real_tokens(&after, &mask), &at_real_tokens(&before, &mask));
            compare(&moved, "output", pair, Tolerance::EXACT, words)?;
        }
        output_responds(subject, &case, &before)
    })
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("encoder-layer/batch-independence", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let case = EncoderShape { b: shape.b.max(2), ..*shape }.encoder_layer(seed);
        let mut stream = Stream::derive(seed, "disturbed", shape.data);
        let others = |at: &[usize]| at.first() != Some(&0);
        let moved = case.with("x", disturbed(&case.get("x"), 10.0, &mut stream, others));
        let (before, after) = (pass(subject, &case)?, pass(subject, &moved)?);
        let claim =
            "Only examples after the first were replaced, and the output of the first moved";
        let look = "Look at which axis is the batch in each step.";
        let pair = (&first_example(&after), &first_example(&before));
        compare(&moved, "output", pair, Tolerance::EXACT, (claim, look))?;
        output_responds(subject, &case, &before)
    })
}

fn dropout_rests(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("encoder-layer/dropout-rests", seed), 2, encoder_shapes(), |subject, shape| {
        shape.each_placement().into_iter().try_for_each(|shape| {
            let case = shape.encoder_layer(seed);
            dropout::has_no_effect(subject, &case, "output", case.get("x").shape())?;
            let before = pass(subject, &case)?;
            output_responds(subject, &case, &before)
        })
    })
}
