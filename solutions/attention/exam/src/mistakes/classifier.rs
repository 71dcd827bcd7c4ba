//! Mistakes in the classifier.

use softmark_exam::{Mistake, mistake};

use crate::imitate::classifier::{
    Ends, Norm, Pools, Positions, RIGHT, Rules, Sees, Unknown, imitate,
};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "texts-without-positions",
        &[
            |case| {
                imitate(
                    &Rules { positions: Positions::Missing, refuses_too_long: false, ..RIGHT },
                    case,
                )
            },
            |case| imitate(&Rules { positions: Positions::Missing, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "positions-after-attention",
        &[|case| imitate(&Rules { positions: Positions::AfterAttention, ..RIGHT }, case)]
    ),
    mistake!("padding-attended-to", &[|case| imitate(&Rules { sees: Sees::All, ..RIGHT }, case)]),
    mistake!(
        "padding-alone-attended-to",
        &[|case| imitate(&Rules { sees: Sees::Padding, ..RIGHT }, case)]
    ),
    mistake!(
        "later-words-hidden",
        &[|case| imitate(&Rules { sees: Sees::Earlier, ..RIGHT }, case)]
    ),
    mistake!(
        "texts-attend-to-texts",
        &[|case| imitate(&Rules { across_texts: true, ..RIGHT }, case)]
    ),
    mistake!(
        "input-added-to-attention",
        &[|case| imitate(&Rules { residual: true, ..RIGHT }, case)]
    ),
    mistake!(
        "norm-before-attention",
        &[|case| imitate(&Rules { norm: Norm::Before, ..RIGHT }, case)]
    ),
    mistake!(
        "attention-norm-epsilon",
        &[
            |case| imitate(&Rules { epsilon: 1e-3, ..RIGHT }, case),
            |case| imitate(&Rules { epsilon: 1e-6, ..RIGHT }, case),
            |case| imitate(&Rules { epsilon: 1e-8, ..RIGHT }, case),
            |case| imitate(&Rules { epsilon: 1e-12, ..RIGHT }, case),
            |case| imitate(&Rules { epsilon: 0.0, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "attention-not-normed",
        &[|case| imitate(&Rules { norm: Norm::Missing, ..RIGHT }, case)]
    ),
    mistake!(
        "attention-always-normed",
        &[|case| imitate(&Rules { norm: Norm::Always, ..RIGHT }, case)]
    ),
    mistake!(
        "pooling-whatever-asked",
        &[
            |case| imitate(&Rules { pools: Pools::First, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::Mean, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::Max, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "padding-in-the-pooling",
        &[|case| imitate(&Rules { pools: Pools::Everything, ..RIGHT }, case)]
    ),
    mistake!(
        "pooled-across-texts",
        &[|case| imitate(&Rules { pools: Pools::OverTexts, ..RIGHT }, case)]
    ),
    mistake!(
        "shares-instead-of-logits",
        &[
            |case| imitate(&Rules { ends: Ends::Softmax, ..RIGHT }, case),
            |case| imitate(&Rules { ends: Ends::LogSoftmax, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "tokens-times-root-of-width",
        &[|case| imitate(&Rules { scale: f64::sqrt, ..RIGHT }, case)]
    ),
    mistake!(
        "empty-text-undefined",
        &[|case| imitate(&Rules { pools: Pools::Unguarded, ..RIGHT }, case)]
    ),
    mistake!(
        "unknown-words-let-pass",
        &[
            |case| imitate(&Rules { unknown: Unknown::LastRow, ..RIGHT }, case),
            |case| imitate(&Rules { unknown: Unknown::Wrapped, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "unknown-words-panic",
        &[|case| imitate(&Rules { unknown: Unknown::Panicked, ..RIGHT }, case)]
    ),
    mistake!(
        "classifier-detached",
        &[|case| imitate(&RIGHT, case)],
        &[
            |_, _, to| to == "token_embedding.weight",
            |_, _, to| !to.starts_with("classifier."),
            |_, _, to| !to.starts_with("classifier.") && !to.starts_with("norm."),
        ]
    ),
];
