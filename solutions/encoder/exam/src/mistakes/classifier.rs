//! Mistakes in the classifier.

use softmark_exam::{Mistake, mistake};

use crate::imitate::classifier::{Ends, Pools, RIGHT, Rules, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "pooled-to-sum",
        &[
            |case| imitate(&Rules { pools: Pools::Sum, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::SumByLength, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "padding-pooled",
        &[
            |case| imitate(&Rules { pools: Pools::MeanOfAll, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::MeanOfPadding, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "single-token-pooled",
        &[
            |case| imitate(&Rules { pools: Pools::First, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::Last, ..RIGHT }, case),
        ]
    ),
    mistake!("largest-pooled", &[|case| imitate(&Rules { pools: Pools::Max, ..RIGHT }, case)]),
    mistake!(
        "texts-pooled-together",
        &[|case| imitate(&Rules { pools: Pools::OverExamples, ..RIGHT }, case)]
    ),
    mistake!(
        "softmax-after-head",
        &[
            |case| imitate(&Rules { ends: Ends::Softmax, ..RIGHT }, case),
            |case| imitate(&Rules { ends: Ends::LogSoftmax, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "activation-at-head",
        &[
            |case| imitate(&Rules { ends: Ends::Relu, ..RIGHT }, case),
            |case| imitate(&Rules { ends: Ends::Sigmoid, ..RIGHT }, case),
            |case| imitate(&Rules { squashes: true, ..RIGHT }, case),
        ]
    ),
    mistake!("head-without-bias", &[|case| imitate(&Rules { biased: false, ..RIGHT }, case)]),
    mistake!(
        "encoder-without-mask",
        &[|case| imitate(&Rules { passes_mask: false, ..RIGHT }, case)]
    ),
    mistake!("encoder-unwrapped", &[|case| imitate(&Rules { unwraps: true, ..RIGHT }, case)]),
    mistake!(
        "encoder-told-otherwise",
        &[
            |case| imitate(&Rules { tells: Some(false), ..RIGHT }, case),
            |case| imitate(&Rules { tells: Some(true), ..RIGHT }, case),
        ]
    ),
    mistake!("empty-text-not-a-number", &[|case| imitate(&Rules { guards: false, ..RIGHT }, case)]),
    mistake!(
        "encoder-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| !to.starts_with("classifier.")]
    ),
];
