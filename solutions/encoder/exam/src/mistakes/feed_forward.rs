//! Mistakes in the feed-forward network.

use softmark_exam::{Mistake, mistake};

use crate::imitate::algebra::{DROPS, Dropping, When};
use crate::imitate::feed_forward::{Activation, DropsAt, RIGHT, Rules, Stands, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "activation-missing",
        &[|case| imitate(&Rules { activation: Activation::Missing, ..RIGHT }, case)]
    ),
    mistake!(
        "activation-swapped",
        &[|case| imitate(&Rules { activation: Activation::Swapped, ..RIGHT }, case)]
    ),
    mistake!(
        "one-activation-for-all",
        &[
            |case| imitate(&Rules { activation: Activation::Relu, ..RIGHT }, case),
            |case| imitate(&Rules { activation: Activation::Gelu, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "gelu-approximated",
        &[
            |case| imitate(&Rules { activation: Activation::Tanh, ..RIGHT }, case),
            |case| imitate(&Rules { activation: Activation::Sigmoid, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "activation-after-output",
        &[
            |case| imitate(&Rules { stands: Stands::After, ..RIGHT }, case),
            |case| imitate(&Rules { stands: Stands::Both, ..RIGHT }, case),
        ]
    ),
    mistake!("network-adds-its-input", &[|case| imitate(&Rules { residual: true, ..RIGHT }, case)]),
    mistake!(
        "maps-without-bias",
        &[
            |case| imitate(&Rules { biases: [false, false], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [false, true], ..RIGHT }, case),
            |case| imitate(&Rules { biases: [true, false], ..RIGHT }, case),
        ]
    ),
    mistake!(
        "hidden-dropout-missing",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Never, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "hidden-dropout-always",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "hidden-dropout-unscaled",
        &[|case| {
            imitate(&Rules { dropping: Dropping { scales: false, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "hidden-dropout-inverted",
        &[|case| {
            imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "dropout-on-output",
        &[
            |case| imitate(&Rules { drops_at: DropsAt::Output, ..RIGHT }, case),
            |case| imitate(&Rules { drops_at: DropsAt::Both, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "hidden-normed-over-batch",
        &[|case| imitate(&Rules { norms_over_batch: true, ..RIGHT }, case)]
    ),
    mistake!(
        "network-in-double-precision",
        &[|case| imitate(&Rules { in_f64: true, ..RIGHT }, case)]
    ),
    mistake!(
        "hidden-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| to == "x" || to.starts_with("linear1.")]
    ),
    mistake!(
        "network-refuses-views",
        &[|case| imitate(&Rules { refuses_strided: true, ..RIGHT }, case)]
    ),
];
