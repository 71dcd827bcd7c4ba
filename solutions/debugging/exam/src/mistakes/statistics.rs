//! Mistakes in statistics of attention weights.

use softmark_exam::{Mistake, mistake};

use crate::imitate::statistics::{Empty, EmptyText, Mean, RIGHT, Rules, Zero, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("logarithm-to-base-two", &[|case| imitate(&Rules { natural: false, ..RIGHT }, case)]),
    mistake!(
        "zero-weight-not-a-number",
        &[|case| imitate(&Rules { zero: Zero::NotANumber, ..RIGHT }, case)]
    ),
    mistake!(
        "uniform-over-places",
        &[|case| imitate(&Rules { uniform_over_real: false, ..RIGHT }, case)]
    ),
    mistake!(
        "distance-over-padding",
        &[|case| imitate(&Rules { distance_of_all: true, ..RIGHT }, case)]
    ),
    mistake!("distance-not-halved", &[|case| imitate(&Rules { halved: false, ..RIGHT }, case)]),
    mistake!(
        "share-of-real-tokens",
        &[|case| imitate(&Rules { on_padding: false, ..RIGHT }, case)]
    ),
    mistake!(
        "padded-queries-counted",
        &[|case| imitate(&Rules { mean: Mean::AllQueries, ..RIGHT }, case)]
    ),
    mistake!(
        "padding-multiplied-by-zero",
        &[|case| imitate(&Rules { leaves_out: false, ..RIGHT }, case)]
    ),
    mistake!(
        "empty-text-spoils-distance",
        &[|case| imitate(&Rules { empty_text: EmptyText::Divided, ..RIGHT }, case)]
    ),
    mistake!(
        "empty-text-refused",
        &[|case| imitate(&Rules { empty_text: EmptyText::Refused, ..RIGHT }, case)]
    ),
    mistake!(
        "mean-of-means",
        &[
            |case| imitate(&Rules { mean: Mean::Texts(Empty::LeftOut), ..RIGHT }, case),
            |case| imitate(&Rules { mean: Mean::Texts(Empty::NotANumber), ..RIGHT }, case),
            |case| imitate(&Rules { mean: Mean::Texts(Empty::Zero), ..RIGHT }, case),
        ]
    ),
    mistake!("heads-counted-together", &[|case| imitate(&Rules { by_head: false, ..RIGHT }, case)]),
    mistake!(
        "views-of-weights-refused",
        &[|case| imitate(&Rules { takes_views: false, ..RIGHT }, case)]
    ),
    mistake!(
        "no-token-no-error",
        &[|case| imitate(&Rules { refuses_empty: false, ..RIGHT }, case)]
    ),
];
