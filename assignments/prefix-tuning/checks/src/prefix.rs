//! Task 1, tuning a prefix: properties of every correct implementation.

use encoder_checks::cases::EncoderShape;
use encoder_checks::classifier::head;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, wrong};
use softmark_checks::component::asks_for_all;
use softmark_checks::mantissa;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, finite};
use softmark_checks::text_classifier::{
    classify, lifted, other_texts_move_nothing, output_responds, padding_moves_nothing,
    reads_texts, shape_of,
};
use softmark_checks::texts::{padded_at_the_end, padded_at_the_start};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::cases::{TuningShape, embedded, tuning_shapes};
use crate::steps::listed;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "prefix/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check { id: "prefix/shapes", title: "the logits are [B, C], in f32", run: shapes },
    Check {
        id: "prefix/mean-of-tokens",
        title: "without layers, the head gets the mean of the embedded real tokens, prefix or not",
        run: mean_of_tokens,
    },
    Check {
        id: "prefix/prefix-matters",
        title: "every vector of the prefix has an influence on every text",
        run: prefix_matters,
    },
    Check {
        id: "prefix/ignores-padding",
        title: "which ids stand at padding has no influence at all",
        run: ignores_padding,
    },
    Check {
        id: "prefix/batch-independence",
        title: "each text is classified by itself",
        run: batch_independence,
    },
];

const CASES: usize = 4;

/// Returns the same shape without a prefix.
#[must_use]
pub fn without_prefix(shape: &TuningShape) -> TuningShape {
    TuningShape { prefix: 0, ..*shape }
}

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/parameters", seed), 2, tuning_shapes(), |subject, shape| {
        let about = "The encoder's parameters stand below `base`; `prefix` is asked for where there is one; the \
                    head has a weight and a bias. Look at the table of parameters in the \
                    documentation of PrefixTuning.";
        [without_prefix(shape), *shape].map(|shape| shape.prefix(seed)).iter().try_for_each(
            |case| {
                asks_for_all(subject, case, about)?;
                reads_texts(subject, case)
            },
        )
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/shapes", seed), CASES, tuning_shapes(), |subject, shape| {
        let case = shape.prefix(seed);
        judge_shape(subject, &case)?;
        let logits = classify(subject, &case)?;
        output_responds(subject, &case, &logits)
    })
}

/// Checks that the logits have no axis but those of the texts and of the classes. All other checks ignore an
/// axis of size 1, so that it only fails this one.
///
/// # Errors
///
/// Fails with the verdict if the axes differ.
pub fn judge_shape(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let answer = subject.forward(case)?;
    let axes = answer.tensor("axes").map_or(0, |it| it.shape().iter().product());
    let axes = answer.get(case, "axes", &[axes])?;
    let want = shape_of(case).map(|size| size as f64);
    if axes.values() == want {
        return Ok(());
    }
    let message = format!(
        "`logits` has shape {}; {} is expected. Look at every sum, mean and index: does one of them keep the axis \
         that it runs along?",
        listed(axes.values()),
        listed(&want)
    );
    Err(wrong(case, message))
}

/// Returns the tolerance in `f32` for a head on embedded tokens: a norm over `D` channels, a mean of `n`
/// vectors, then `maps` linear maps from `D` channels.
#[must_use]
pub fn of_embedded(shape: &TuningShape, n: usize, maps: usize) -> Tolerance {
    let d = shape.base.d();
    // A norm's numbers are at most √D, its weights at most 3/2 and its biases 2; each map has weights
    // up to 1/2, so that every number stays below this.
    let most =
        (1.5 * (d as f64).sqrt() + 2.0) * (d as f64 / 2.0 + 1.0).powi(i32::from(maps > 1) + 1);
    Tolerance::f32(n + (maps + 1) * (d + 8), most)
}

fn mean_of_tokens(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/mean-of-tokens", seed), CASES, tuning_shapes(), |subject, shape| {
        // Two places at least: one for padding, and one for a token to take the mean of.
        let base = EncoderShape { t: shape.base.t.max(2), layers: 0, padded: true, ..shape.base };
        let shape = TuningShape { base, unfrozen: 0, ..*shape };
        // One text of two tokens: of a single one, the mean is also the sum and the largest.
        let two = EncoderShape { b: 1, t: 2, padded: false, ..base };
        let two = without_prefix(&TuningShape { base: two, ..shape });
        judge_mean(subject, &two, &two.prefix(seed))?;
        for shape in [without_prefix(&shape), shape] {
            judge_mean(subject, &shape, &padded_at_the_end(&shape.prefix(seed)))?;
        }
        judge_many_tokens(subject, &shape, seed)
    })
}

/// Checks that the head gets the mean of the embedded real tokens, in a case without layers.
fn judge_mean(subject: &mut Subject<'_>, shape: &TuningShape, case: &Case) -> Judged {
    let logits = classify(subject, case)?;
    let want = head(case, &embedded(case));
    let mixes = if shape.prefix > 0 { ", so nothing mixes the prefix with the tokens" } else { "" };
    let claim = format!(
        "There are no layers here{mixes}: the head should get the mean of the embedded real tokens, and \
         its result is the logits"
    );
    let words = (
        claim.as_str(),
        "Look at which places are added up, at what their sum is divided by, and at what is done in \
         the head and after it.",
    );
    compare(case, "logits", (&logits, &want), of_embedded(shape, shape.base.t, 1), words)?;
    judge_large_prefix(subject, case, &logits)
}

/// Checks that a prefix of large numbers does not change the mean of the tokens if there are no layers.
fn judge_large_prefix(subject: &mut Subject<'_>, case: &Case, logits: &Array) -> Judged {
    if case.get_size("prefix_length") == 0 {
        return Ok(());
    }
    for value in [1e10, 3e38] {
        let prefix = case.get_parameter("prefix").map(|_| mantissa::single(value));
        let mut large = case.with_parameter("prefix", &prefix);
        large.label = format!("{}, each number of the prefix {value:e}", case.label);
        let words = (
            "There are no layers here, so nothing mixes the prefix with the tokens: the logits should be \
             the same whatever stands in it, bit for bit",
            "Look at which places are added up: what is added and taken away again leaves its rounding \
             behind.",
        );
        let after = classify(subject, &large)?;
        compare(&large, "logits", (&after, logits), Tolerance::EXACT, words)?;
    }
    Ok(())
}

/// More tokens than a byte counts.
const MANY: usize = 300;

fn judge_many_tokens(subject: &mut Subject<'_>, shape: &TuningShape, seed: u64) -> Judged {
    let base = EncoderShape { b: 1, t: MANY, h: 1, k: 4, padded: false, ..shape.base };
    let long = TuningShape { base, ..*shape };
    let case = long.prefix(seed);
    let (logits, want) = (classify(subject, &case)?, head(&case, &embedded(&case)));
    let words = (
        "The text has 300 real tokens, and the head should get the mean of all of them",
        "Look at what the sum is divided by: which number type counts the tokens, and how far does it reach?",
    );
    compare(&case, "logits", (&logits, &want), of_embedded(&long, MANY, 1), words)
}

/// Returns the rows of the logits that are identical, bit for bit, before and after.
fn unmoved(before: &Array, after: &Array) -> Vec<usize> {
    let row = |of: &Array, b: usize| {
        let cells = (0..of.dim(1)).map(|c| of.at(&[b, c]).to_bits());
        cells.collect::<Vec<_>>()
    };
    (0..before.dim(0)).filter(|&b| row(before, b) == row(after, b)).collect()
}

/// Number of vectors that replace one of the prefix, one after another, until one changes the logits: a token
/// may happen to give no weight to some of them, but hardly to all. A test verifies how much they change.
pub const OTHERS: u64 = 8;

/// Returns the case with the `n`-th of [`OTHERS`] replacement vectors, which are four times as large, at one
/// place of the prefix.
#[must_use]
pub fn with_other_vector(case: &Case, vector: usize, n: u64) -> Case {
    let prefix = case.get_parameter("prefix");
    let drawn = Array::random(prefix.shape(), &mut Stream::derive(n, "other vector", 0));
    let other = Array::from_fn(prefix.shape(), |at| {
        if at.first() == Some(&vector) { 4.0 * drawn.at(at) + 0.5 } else { prefix.at(at) }
    });
    case.with_parameter("prefix", &other)
}

/// Claim about logits that are compared with themselves.
const NUMBERS: (&str, &str) = ("The logits should be numbers", "");

/// Returns the texts whose logits are the same, bit for bit, for every vector at that place of the prefix.
fn unmoved_by(subject: &mut Subject<'_>, case: &Case, vector: usize) -> Result<Vec<usize>, Stop> {
    let mut still: Vec<usize> = (0..case.get("ids").dim(0)).collect();
    // Cutting off all logits below 0 is another mistake, so lifted logits are tested too.
    for case in [case.clone(), lifted(case)] {
        let before = classify(subject, &case)?;
        for n in 0..OTHERS {
            if still.is_empty() {
                return Ok(still);
            }
            let other = with_other_vector(&case, vector, n);
            let after = classify(subject, &other)?;
            // `NaN` cannot be judged, and is never equal to itself.
            for (case, logits) in [(&case, &before), (&other, &after)] {
                compare(case, "logits", (logits, logits), Tolerance::EXACT, NUMBERS)?;
            }
            let also = unmoved(&before, &after);
            still.retain(|text| also.contains(text));
        }
    }
    Ok(still)
}

fn prefix_matters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/prefix-matters", seed), CASES, tuning_shapes(), |subject, shape| {
        let case = shape.prefix(seed);
        let before = classify(subject, &case)?;
        finite(&case, "logits", &before)?;
        for vector in 0..shape.prefix {
            let still = unmoved_by(subject, &case, vector)?;
            if !still.is_empty() {
                let message = format!(
                    "Vector {vector} of the prefix was changed (vectors and texts are counted from 0), and the \
                     logits of {} did not change at all. Each text gets the whole prefix, and its tokens may look \
                     at all of it. Look at what is put before each text, and at what the mask says \
                     there.",
                    texts(&still)
                );
                return Err(wrong(&case, message));
            }
        }
        output_responds(subject, &case, &before)
    })
}

/// `text 1`, or `texts 0, 2`.
fn texts(which: &[usize]) -> String {
    let numbers: Vec<String> = which.iter().map(ToString::to_string).collect();
    let texts = if which.len() == 1 { "text" } else { "texts" };
    format!("{texts} {}", numbers.join(", "))
}

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/ignores-padding", seed), CASES, tuning_shapes(), |subject, shape| {
        let base = EncoderShape { padded: true, t: shape.base.t.max(2), ..shape.base };
        let case = TuningShape { base, ..*shape }.prefix(seed);
        let look = "Look at whether the mask reaches both the encoder and the pooling, and at whether \
                    the prefix stands at the same end of the mask as of the tokens.";
        let each = [padded_at_the_end(&case), padded_at_the_start(&case)];
        each.iter().try_for_each(|case| padding_moves_nothing(subject, case, seed, look))
    })
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("prefix/batch-independence", seed),
        CASES,
        tuning_shapes(),
        |subject, shape| {
            let base = EncoderShape { b: shape.base.b.max(2), ..shape.base };
            let case = TuningShape { base, ..*shape }.prefix(seed);
            let look = "Look at which axis is pooled over, and along which axis the prefix is put before the tokens.";
            other_texts_move_nothing(subject, &case, seed, look)
        },
    )
}
