//! Mistakes in scaled dot-product attention.

use softmark_checks::Case;
use softmark_exam::{Mistake, Response, mistake};

use crate::imitate::attention::{
    Causal, EmptyRow, Exponential, MaskOf, Masking, Misfit, Mixes, RIGHT, Returned, Rules, Softmax,
    Strided, imitate,
};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("missing-scale", &[|case| imitate(&Rules { scale: |_| 1.0, ..RIGHT }, case)]),
    mistake!(
        "always-causal",
        &[
            |case| imitate(&Rules { causal: Causal::Unmasked, ..RIGHT }, case),
            |case| imitate(&Rules { causal: Causal::Always, ..RIGHT }, case),
            |case| imitate(&Rules { causal: Causal::Unguarded, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "empty-row-nan",
        &[|case| imitate(&Rules { empty_row: EmptyRow::NotANumber, ..RIGHT }, case)]
    ),
    mistake!(
        "empty-row-uniform",
        &[|case| imitate(&Rules { empty_row: EmptyRow::Uniform, ..RIGHT }, case)]
    ),
    mistake!(
        "inverted-mask",
        &[
            |case| imitate(&Rules { masking: Masking::Inverted, ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules { masking: Masking::Inverted, empty_row: EmptyRow::NotANumber, ..RIGHT },
                    case,
                )
            },
            |case| {
                imitate(
                    &Rules { masking: Masking::Inverted, empty_row: EmptyRow::Uniform, ..RIGHT },
                    case,
                )
            },
        ]
    ),
    mistake!("key-reshaped", &[|case| imitate(&Rules { reshapes_keys: true, ..RIGHT }, case)]),
    mistake!("keys-mixed", &[|case| imitate(&Rules { mixes: Mixes::Keys, ..RIGHT }, case)]),
    mistake!(
        "leaky-mask",
        &[
            |case| imitate(&Rules { masking: Masking::Adds(0.0, -10.0), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(0.0, -10.0),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| imitate(&Rules { masking: Masking::Adds(0.0, -100.0), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(0.0, -100.0),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e3), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(0.0, -1e3),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| imitate(&Rules { masking: Masking::SetsTo(-10.0), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::SetsTo(-10.0),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "mask-after-softmax",
        &[|case| imitate(&Rules { masking: Masking::AfterSoftmax, ..RIGHT }, case)]
    ),
    mistake!(
        "mask-ignored",
        &[|case| imitate(&Rules { masking: Masking::Ignored, ..RIGHT }, case)]
    ),
    mistake!(
        "mask-of-first-example",
        &[|case| imitate(&Rules { mask_of: MaskOf::FirstExample, ..RIGHT }, case)]
    ),
    mistake!(
        "mask-of-first-head",
        &[|case| imitate(&Rules { mask_of: MaskOf::FirstHead, ..RIGHT }, case)]
    ),
    mistake!(
        "missing-softmax",
        &[|case| imitate(&Rules { softmax: Softmax::Missing, ..RIGHT }, case)]
    ),
    mistake!(
        "output-without-mask",
        &[|case| imitate(&Rules { masking: Masking::WeightsOnly, ..RIGHT }, case)]
    ),
    mistake!(
        "reads-memory-order",
        &[|case| imitate(&Rules { mask_of: MaskOf::Memory, ..RIGHT }, case)]
    ),
    mistake!("scale-by-width", &[|case| imitate(&Rules { scale: |k| 1.0 / k, ..RIGHT }, case)]),
    mistake!("scale-inverted", &[|case| imitate(&Rules { scale: f64::sqrt, ..RIGHT }, case)]),
    mistake!(
        "shallow-mask",
        &[
            |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e4), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(0.0, -1e4),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e5), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(0.0, -1e5),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| zeroed(-1e4, case),
            |case| zeroed(-1e5, case),
            |case| zeroed(-1e9, case),
            |case| imitate(&Rules { masking: Masking::Adds(0.0, -1e9), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(0.0, -1e9),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "filler-not-lowest",
        &[
            |case| filler(-100.0, EmptyRow::Zeros, case),
            |case| filler(-100.0, EmptyRow::Uniform, case),
            |case| zeroed_filler(-100.0, case),
            |case| filler(-1e3, EmptyRow::Zeros, case),
            |case| filler(-1e3, EmptyRow::Uniform, case),
            |case| zeroed_filler(-1e3, case),
            |case| filler(-1e4, EmptyRow::Zeros, case),
            |case| filler(-1e4, EmptyRow::Uniform, case),
            |case| zeroed_filler(-1e4, case),
            |case| filler(-1e5, EmptyRow::Zeros, case),
            |case| filler(-1e5, EmptyRow::Uniform, case),
            |case| zeroed_filler(-1e5, case),
            |case| filler(-1e9, EmptyRow::Zeros, case),
            |case| filler(-1e9, EmptyRow::Uniform, case),
            |case| zeroed_filler(-1e9, case),
            |case| filler(-1e10, EmptyRow::Zeros, case),
            |case| filler(-1e10, EmptyRow::Uniform, case),
            |case| zeroed_filler(-1e10, case),
        ]
    ),
    mistake!(
        "softmax-over-heads",
        &[
            |case| imitate(&Rules { softmax: Softmax::OverHeads, ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules { softmax: Softmax::OverHeads, empty_row: EmptyRow::Uniform, ..RIGHT },
                    case,
                )
            },
            |case| {
                imitate(
                    &Rules {
                        softmax: Softmax::OverHeads,
                        empty_row: EmptyRow::NotANumber,
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "softmax-over-queries",
        &[
            |case| imitate(&Rules { softmax: Softmax::OverQueries, ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules { softmax: Softmax::OverQueries, empty_row: EmptyRow::Uniform, ..RIGHT },
                    case,
                )
            },
            |case| {
                imitate(
                    &Rules {
                        softmax: Softmax::OverQueries,
                        empty_row: EmptyRow::NotANumber,
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!(
        "softmax-overflow",
        &[
            |case| imitate(&Rules { exponential: Exponential::Guarded, ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        exponential: Exponential::Plain,
                        empty_row: EmptyRow::NotANumber,
                        ..RIGHT
                    },
                    case,
                )
            },
            |case| imitate(&Rules { exponential: Exponential::Plain, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "weights-before-softmax",
        &[
            |case| imitate(&Rules { returned: Returned::MaskedScores, ..RIGHT }, case),
            |case| imitate(&Rules { returned: Returned::Scores, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "weights-transposed",
        &[|case| imitate(&Rules { returned: Returned::Transposed, ..RIGHT }, case)]
    ),
    mistake!(
        "weights-without-mask",
        &[|case| imitate(&Rules { returned: Returned::Unmasked, ..RIGHT }, case)]
    ),
    mistake!(
        "zero-one-mask-added",
        &[
            |case| imitate(&Rules { masking: Masking::Adds(1.0, 0.0), ..RIGHT }, case),
            |case| {
                imitate(
                    &Rules {
                        masking: Masking::Adds(1.0, 0.0),
                        empty_row: EmptyRow::Uniform,
                        ..RIGHT
                    },
                    case,
                )
            },
        ]
    ),
    mistake!("cut-at-weights", &[|case| imitate(&RIGHT, case)], &[|_, _, to| to != "value"]),
    mistake!(
        "strided-attention-refused",
        &[|case| imitate(&Rules { strided: Strided::Refused, ..RIGHT }, case)]
    ),
    mistake!(
        "misfit-sliced-away",
        &[|case| imitate(&Rules { misfit: Misfit::LeftOut, ..RIGHT }, case)]
    ),
];

/// Attention in which `number` is added to hidden scores, and hidden weights are set to zero at the end.
fn zeroed(number: f64, case: &Case) -> Response {
    imitate(&Rules { masking: Masking::Adds(0.0, number), zeroes_hidden: true, ..RIGHT }, case)
}

/// Attention in which hidden scores are set to `number`.
fn filler(number: f64, empty_row: EmptyRow, case: &Case) -> Response {
    imitate(&Rules { masking: Masking::SetsTo(number), empty_row, ..RIGHT }, case)
}

/// [`filler`], where the weights of hidden keys are set to zero after the softmax.
fn zeroed_filler(number: f64, case: &Case) -> Response {
    imitate(&Rules { masking: Masking::SetsTo(number), zeroes_hidden: true, ..RIGHT }, case)
}
