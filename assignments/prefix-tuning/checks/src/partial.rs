//! Task 2, tuning the last layers: properties of every correct implementation.

use encoder_checks::cases::{EncoderShape, layer_norm};
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError};
use softmark_checks::component::asks_for_all;
use softmark_checks::dropout;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare};
use softmark_checks::text_classifier::{
    classify, other_texts_move_nothing, output_responds, padding_moves_nothing, reads_texts,
    shape_of,
};
use softmark_checks::texts::padded_at_the_end;

use crate::cases::{TuningShape, embedded, tuning_shapes};
use crate::prefix::{judge_shape, of_embedded};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "partial/parameters",
        title: "exactly the documented parameters are asked for",
        run: parameters,
    },
    Check { id: "partial/shapes", title: "the logits are [B, C], in f32", run: shapes },
    Check {
        id: "partial/first-token",
        title: "without layers, the head gets the embedded first token",
        run: first_token,
    },
    Check {
        id: "partial/ignores-padding",
        title: "which ids stand at padding has no influence at all",
        run: ignores_padding,
    },
    Check {
        id: "partial/batch-independence",
        title: "each text is classified by itself",
        run: batch_independence,
    },
    Check {
        id: "partial/dropout-rests",
        title: "dropout does nothing outside of training",
        run: dropout_rests,
    },
];

const CASES: usize = 4;

fn parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/parameters", seed), 2, tuning_shapes(), |subject, shape| {
        let about = "The encoder's parameters stand below `base`; the head has `linear1`, `norm` and `classifier`, \
                    each with a weight and a bias. Look at the table of parameters in the \
                    documentation of PartialTuning.";
        let case = shape.partial(seed);
        asks_for_all(subject, &case, about)?;
        reads_texts(subject, &case)
    })
}

fn shapes(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/shapes", seed), CASES, tuning_shapes(), |subject, shape| {
        let case = shape.partial(seed);
        judge_shape(subject, &case)?;
        let logits = classify(subject, &case)?;
        output_responds(subject, &case, &logits)
    })
}

/// `x · Wᵀ + b` for `[B, D]`, with the parameters of that name.
fn linear(case: &Case, name: &str, x: &Array) -> Array {
    let weight = case.get_parameter(&format!("{name}.weight"));
    let bias = case.get_parameter(&format!("{name}.bias"));
    Array::from_fn(&[x.dim(0), weight.dim(0)], |at| match *at {
        [b, o] => {
            let dot: f64 = (0..x.dim(1)).map(|c| x.at(&[b, c]) * weight.at(&[o, c])).sum();
            dot + bias.at(&[o])
        }
        _ => f64::NAN,
    })
}

/// Returns the expected logits of the head for `h`, `[B, T, D]`, without dropout.
#[must_use]
pub fn head(case: &Case, h: &Array) -> Array {
    let first = Array::from_fn(&[h.dim(0), h.dim(2)], |at| match *at {
        [b, c] => h.at(&[b, 0, c]),
        _ => f64::NAN,
    });
    let hidden = linear(case, "linear1", &first);
    let rows = Array::new(&[1, hidden.dim(0), hidden.dim(1)], hidden.values().to_vec());
    let normed =
        layer_norm(&rows, &case.get_parameter("norm.weight"), &case.get_parameter("norm.bias"));
    let active = Array::new(hidden.shape(), normed.values().iter().map(|x| x.max(0.0)).collect());
    linear(case, "classifier", &active)
}

fn first_token(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/first-token", seed), CASES, tuning_shapes(), |subject, shape| {
        let base = EncoderShape { t: shape.base.t.max(2), layers: 0, ..shape.base };
        let shape = TuningShape { base, unfrozen: 0, ..*shape };
        let case = shape.partial(seed);
        let logits = classify(subject, &case)?;
        let want = head(&case, &embedded(&case));
        let words = (
            "There are no layers here, so the head should get the embedded first token: a linear \
             map, a norm, ReLU, and a linear map, whose result is the logits",
            "Look at which token is taken, at the order of what the head is made of, at what its norm runs over, \
             and at what comes after it.",
        );
        // A norm of numbers with a small variance, here of at least 1/100 of their size, makes a
        // hundred times as much of what rounding did to them.
        let tolerance = of_embedded(&shape, 100, 2);
        compare(&case, "logits", (&logits, &want), tolerance, words)
    })
}

fn ignores_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/ignores-padding", seed), CASES, tuning_shapes(), |subject, shape| {
        let base = EncoderShape { padded: true, t: shape.base.t.max(2), ..shape.base };
        let case = TuningShape { base, ..*shape }.partial(seed);
        let look = "Look at whether the mask reaches the encoder as it was handed in.";
        padding_moves_nothing(subject, &padded_at_the_end(&case), seed, look)
    })
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("partial/batch-independence", seed),
        CASES,
        tuning_shapes(),
        |subject, shape| {
            let base = EncoderShape { b: shape.base.b.max(2), ..shape.base };
            let case = TuningShape { base, ..*shape }.partial(seed);
            let look = "Look at which axis the first token is taken along, and at what the norm runs over.";
            other_texts_move_nothing(subject, &case, seed, look)
        },
    )
}

fn dropout_rests(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("partial/dropout-rests", seed), 2, tuning_shapes(), |subject, shape| {
        let case = shape.partial(seed);
        dropout::has_no_effect(subject, &case, "logits", &shape_of(&case))?;
        let before = classify(subject, &case)?;
        output_responds(subject, &case, &before)
    })
}
