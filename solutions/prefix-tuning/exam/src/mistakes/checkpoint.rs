//! Mistakes in the checkpoint.

use softmark_exam::{Mistake, mistake};

use crate::imitate::checkpoint::{Keeps, Labels, RIGHT, Refusal, Rules, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "encoder-in-the-checkpoint",
        &[|case| imitate(&Rules { keeps: Keeps::Everything, ..RIGHT }, case)]
    ),
    mistake!(
        "kept-by-name",
        &[|case| imitate(&Rules { keeps: Keeps::NotTheEncoder, ..RIGHT }, case)]
    ),
    mistake!("prefix-not-kept", &[|case| imitate(&Rules { keeps: Keeps::Head, ..RIGHT }, case)]),
    mistake!("head-not-kept", &[|case| imitate(&Rules { keeps: Keeps::Prefix, ..RIGHT }, case)]),
    mistake!("biases-not-kept", &[|case| imitate(&Rules { keeps: Keeps::Weights, ..RIGHT }, case)]),
    mistake!(
        "labels-sorted",
        &[
            |case| imitate(&Rules { labels: Labels::SortedInSaving, ..RIGHT }, case),
            |case| imitate(&Rules { labels: Labels::SortedInLoading, ..RIGHT }, case),
        ]
    ),
    mistake!("labels-lost", &[|case| imitate(&Rules { labels: Labels::Lost, ..RIGHT }, case)]),
    mistake!("settings-forgotten", &[|case| imitate(&Rules { forgets: true, ..RIGHT }, case)]),
    mistake!(
        "missing-parameters-taken",
        &[|case| imitate(&Rules { takes_missing: true, ..RIGHT }, case)]
    ),
    mistake!("strangers-taken", &[|case| imitate(&Rules { takes_strangers: true, ..RIGHT }, case)]),
    mistake!(
        "frozen-tensors-taken",
        &[|case| imitate(&Rules { takes_frozen: true, ..RIGHT }, case)]
    ),
    mistake!("surplus-passed-over", &[|case| imitate(&Rules { passes_over: true, ..RIGHT }, case)]),
    mistake!(
        "other-encoder-taken",
        &[|case| imitate(&Rules { takes_other_base: true, ..RIGHT }, case)]
    ),
    mistake!("misfits-taken", &[|case| imitate(&Rules { takes_misfits: true, ..RIGHT }, case)]),
    mistake!(
        "set-before-checked",
        &[
            |case| imitate(&Rules { refusal: Refusal::OnTheWay, ..RIGHT }, case),
            |case| imitate(&Rules { refusal: Refusal::Last, ..RIGHT }, case),
        ]
    ),
    mistake!("loaded-into-copies", &[|case| imitate(&Rules { sets_nothing: true, ..RIGHT }, case)]),
];
