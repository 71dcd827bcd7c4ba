//! Task 4, the classifier: properties of every correct implementation.

use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, outcome};
use softmark_checks::component::asks_for_all;
use softmark_checks::dropout;
use softmark_checks::missing::refused_without;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare};
use softmark_checks::text_classifier::{
    classify, other_texts_move_nothing, output_responds, padding_moves_nothing, reads_texts,
    shape_of,
};
use softmark_checks::texts::{embedded, enlarged_padding, padded_at_the_end, padded_at_the_start};
use softmark_common::compare::Tolerance;

use crate::cases::{EncoderShape, encoder_shapes};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "classifier/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check { id: "classifier/shapes", title: "the logits are [B, C], in f32", run: shapes },
    Check {
        id: "classifier/mean-of-tokens",
        title: "without layers, the head gets the mean of the embedded real tokens",
        run: mean_of_tokens,
    },
    Check {
        id: "classifier/ignores-padding",
        title: "which ids stand at padding has no influence at all",
        run: ignores_padding,
    },
    Check {
        id: "classifier/batch-independence",
        title: "each text is classified by itself",
        run: batch_independence,
    },
    Check {
        id: "classifier/dropout-rests",
        title: "dropout does nothing outside of training",
        run: dropout_rests,
    },
];

const CASES: usize = 4;

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/parameters", seed), 2, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        let about = "The encoder is made by way of `below`, and the head has a weight and a bias. Look at the \
                     table of parameters in the documentation of TextClassifier.";
        asks_for_all(subject, &case, about)?;
        refused_without(subject, &case, &["classifier.weight", "classifier.bias"])?;
        reads_texts(subject, &case)
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/shapes", seed), CASES, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        let logits = classify(subject, &case)?;
        output_responds(subject, &case, &logits)
    })
}

/// `mean · Wᵀ + b`, with the mean over the real tokens of `x`, `[B, T, D]`.
#[must_use]
pub fn head(case: &Case, x: &Array) -> Array {
    let (mask, d) = (case.get("mask"), x.dim(2));
    let (weight, bias) =
        (case.get_parameter("classifier.weight"), case.get_parameter("classifier.bias"));
    let real = |b: usize| (0..x.dim(1)).filter(|&t| mask.at(&[b, t]) == 1.0).collect::<Vec<_>>();
    let mean = Array::from_fn(&[x.dim(0), d], |at| match *at {
        [b, c] => {
            let tokens = real(b);
            let sum: f64 = tokens.iter().map(|&t| x.at(&[b, t, c])).sum();
            sum / tokens.len().max(1) as f64
        }
        _ => f64::NAN,
    });
    Array::from_fn(&shape_of(case), |at| match *at {
        [b, o] => {
            let dot: f64 = (0..d).map(|c| mean.at(&[b, c]) * weight.at(&[o, c])).sum();
            dot + bias.at(&[o])
        }
        _ => f64::NAN,
    })
}

fn mean_of_tokens(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/mean-of-tokens", seed);
    let bare = |shape: &EncoderShape| EncoderShape { layers: 0, pre_norm: false, ..*shape };
    let found = search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        // Two places at least: one for padding, and one for a token to take the mean of.
        let shape = EncoderShape { t: shape.t.max(2), padded: true, ..bare(shape) };
        is_the_mean(subject, &padded_at_the_end(&shape.classifier(seed)))
    })?;
    if !found.is_pass() {
        return Ok(found);
    }
    // More tokens than a byte counts: 256 come to 0 there.
    let long = |t| EncoderShape { b: 1, t, padded: false, ..bare(&PAIR) }.classifier(seed);
    outcome([256, 300].into_iter().try_for_each(|t| is_the_mean(subject, &long(t))))
}

fn is_the_mean(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let logits = classify(subject, case)?;
    let want = head(case, &embedded(case));
    let claim = "There are no layers here, so the head should get the mean of the embedded real \
                 tokens, and its result is the logits";
    let look = "Look at which positions are added up, at what their sum is divided by, and at what is done \
                in the head and after it.";
    // A mean of T numbers up to 4, then D products with weights up to 1.
    let (t, d) = (case.get("ids").dim(1), case.get_size("d_model"));
    let tolerance = Tolerance::f32(t + d + 8, 4.0 * d as f64 + 2.0);
    compare(case, "logits", (&logits, &want), tolerance, (claim, look))
}

/// Two texts with padding.
const PAIR: EncoderShape = EncoderShape {
    b: 2,
    t: 4,
    h: 2,
    k: 4,
    f: 5,
    v: 6,
    spare: 1,
    layers: 1,
    c: 3,
    padded: true,
    ..EncoderShape::BARE
};

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/ignores-padding", seed);
    let found = search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let shape = EncoderShape { padded: true, t: shape.t.max(2), ..*shape };
        let case = shape.classifier(seed);
        let look = "Look at whether the mask reaches both the encoder and the pooling, and at what is added \
                    up before it is applied.";
        // At the start of a text too: code that uses a single token uses the first or the last.
        let each = [padded_at_the_end(&case), padded_at_the_start(&case)];
        each.iter().try_for_each(|case| padding_moves_nothing(subject, case, seed, look))
    })?;
    if found.is_pass() { outcome(huge_padding_moves_nothing(subject, seed)) } else { Ok(found) }
}

/// Numbers whose squares f32 holds, below a layer; and without layers nearly the largest there are.
fn huge_padding_moves_nothing(subject: &mut Subject<'_>, seed: u64) -> Judged {
    let words = (
        "A word of huge numbers stands where the mask is 0, and the logits moved with them",
        "Look at what the padding is multiplied with, and at what is added up before it is hidden.",
    );
    for (layers, size) in [(1, 1e10), (0, 3e38)] {
        let case = EncoderShape { layers, ..PAIR }.classifier(seed);
        let (small, huge) = (enlarged_padding(&case, 1.0), enlarged_padding(&case, size));
        let pair = (&classify(subject, &huge)?, &classify(subject, &small)?);
        compare(&huge, "logits", pair, Tolerance::EXACT, words)?;
    }
    Ok(())
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/batch-independence", seed);
    search(subject, run, CASES, encoder_shapes(), |subject, shape| {
        let case = EncoderShape { b: shape.b.max(2), ..*shape }.classifier(seed);
        other_texts_move_nothing(subject, &case, seed, "Look at which axis is pooled over.")
    })
}

fn dropout_rests(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/dropout-rests", seed), 2, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        dropout::has_no_effect(subject, &case, "logits", &shape_of(&case))?;
        let before = classify(subject, &case)?;
        output_responds(subject, &case, &before)
    })
}
