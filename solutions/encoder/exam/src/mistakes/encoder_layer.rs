//! Mistakes in the encoder layer.

use softmark_exam::{Mistake, Response, mistake};

use crate::imitate::algebra::{DROPS, Dropping, NORM, Norm, Over, When};
use crate::imitate::layer::{Base, Mask, Names, Order, Placement, RIGHT, Rules, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "first-residual-missing",
        &[|case| imitate(&Rules { bases: [Base::Nothing, Base::Stream], ..RIGHT }, case)]
    ),
    mistake!(
        "second-residual-missing",
        &[|case| imitate(&Rules { bases: [Base::Stream, Base::Nothing], ..RIGHT }, case)]
    ),
    mistake!(
        "both-residuals-missing",
        &[|case| imitate(&Rules { bases: [Base::Nothing, Base::Nothing], ..RIGHT }, case)]
    ),
    mistake!(
        "second-residual-from-input",
        &[|case| imitate(&Rules { bases: [Base::Stream, Base::Input], ..RIGHT }, case)]
    ),
    mistake!(
        "residual-of-itself",
        &[
            |case| imitate(&Rules { bases: [Base::Itself, Base::Itself], ..RIGHT }, case),
            |case| imitate(&Rules { bases: [Base::Itself, Base::Stream], ..RIGHT }, case),
            |case| imitate(&Rules { bases: [Base::Stream, Base::Itself], ..RIGHT }, case),
            |case| imitate(&Rules { bases: [Base::Stream, Base::Attended], ..RIGHT }, case),
        ]
    ),
    mistake!(
        "residual-after-norm",
        &[
            |case| imitate(&Rules { bases: [Base::Normed, Base::Normed], ..RIGHT }, case),
            |case| imitate(&Rules { bases: [Base::Normed, Base::Stream], ..RIGHT }, case),
            |case| imitate(&Rules { bases: [Base::Stream, Base::Normed], ..RIGHT }, case),
        ]
    ),
    mistake!(
        "always-post-norm",
        &[|case| imitate(&Rules { placement: Placement::Post, ..RIGHT }, case)]
    ),
    mistake!(
        "always-pre-norm",
        &[|case| imitate(&Rules { placement: Placement::Pre, ..RIGHT }, case)]
    ),
    mistake!(
        "norm-placements-swapped",
        &[|case| imitate(&Rules { placement: Placement::Swapped, ..RIGHT }, case)]
    ),
    mistake!(
        "norms-missing",
        &[|case| imitate(&Rules { placement: Placement::Nowhere, ..RIGHT }, case)]
    ),
    mistake!(
        "norms-shared",
        &[
            |case| imitate(&Rules { names: Names::First, ..RIGHT }, case),
            |case| imitate(&Rules { names: Names::Second, ..RIGHT }, case),
        ]
    ),
    mistake!("norms-swapped", &[|case| imitate(&Rules { names: Names::Swapped, ..RIGHT }, case)]),
    mistake!(
        "norm-over-positions",
        &[
            |case| imitate(&Rules { norm: Norm { over: Over::Positions, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { norm: Norm { over: Over::Example, ..NORM }, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "norm-epsilon",
        &[
            |case| imitate(&Rules { norm: Norm { epsilon: 1e-3, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { norm: Norm { epsilon: 1e-6, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { norm: Norm { epsilon: 1e-8, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { norm: Norm { epsilon: 1e-12, ..NORM }, ..RIGHT }, case),
            |case| imitate(&of_one(0, 1e-3), case),
            |case| imitate(&of_one(1, 1e-3), case),
            |case| imitate(&of_one(0, 1e-6), case),
            |case| imitate(&of_one(1, 1e-6), case),
            |case| imitate(&of_one(0, 1e-12), case),
            |case| imitate(&of_one(1, 1e-12), case),
        ]
    ),
    mistake!(
        "epsilon-outside-root",
        &[|case| imitate(&Rules { norm: Norm { outside: true, ..NORM }, ..RIGHT }, case)]
    ),
    mistake!(
        "norm-unbiased",
        &[|case| imitate(&Rules { norm: Norm { unbiased: true, ..NORM }, ..RIGHT }, case)]
    ),
    mistake!(
        "norm-without-affine",
        &[
            |case| imitate(
                &Rules { norm: Norm { weight: false, bias: false, ..NORM }, ..RIGHT },
                case
            ),
            |case| imitate(&Rules { norm: Norm { bias: false, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { norm: Norm { weight: false, ..NORM }, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "norm-off-formula",
        &[
            |case| imitate(&Rules { norm: Norm { centered: false, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { norm: Norm { rooted: false, ..NORM }, ..RIGHT }, case),
        ]
    ),
    mistake!("layer-hides-nothing", &[|case| imitate(&Rules { mask: Mask::Open, ..RIGHT }, case)]),
    mistake!(
        "layer-mask-inverted",
        &[|case| imitate(&Rules { mask: Mask::Inverted, ..RIGHT }, case)]
    ),
    mistake!(
        "layer-attends-across-batch",
        &[|case| imitate(&Rules { across: true, ..RIGHT }, case)]
    ),
    mistake!(
        "sublayers-out-of-order",
        &[
            |case| imitate(&Rules { order: Order::Parallel, ..RIGHT }, case),
            |case| imitate(&Rules { order: Order::FeedForwardFirst, ..RIGHT }, case),
            |case| imitate(&Rules { order: Order::AttentionAlone, ..RIGHT }, case),
        ]
    ),
    mistake!("layer-ends-in-norm", &[|case| imitate(&Rules { ends_in_norm: true, ..RIGHT }, case)]),
    mistake!(
        "sublayer-dropout-missing",
        &[
            |case| imitate(&Rules { drops: [false, false], ..RIGHT }, case),
            |case| imitate(&Rules { drops: [true, false], ..RIGHT }, case),
            |case| imitate(&Rules { drops: [false, true], ..RIGHT }, case),
        ]
    ),
    mistake!(
        "sublayer-dropout-always",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "sublayer-dropout-unscaled",
        &[|case| {
            imitate(&Rules { dropping: Dropping { scales: false, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "sublayer-dropout-inverted",
        &[|case| {
            imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "sublayers-not-told",
        &[
            |case| imitate(&Rules { tells: [false; 2], ..RIGHT }, case),
            |case| imitate(&Rules { tells: [false, true], ..RIGHT }, case),
            |case| imitate(&Rules { tells: [true, false], ..RIGHT }, case),
        ]
    ),
    mistake!(
        "layer-in-double-precision",
        &[|case| imitate(&Rules { in_f64: true, ..RIGHT }, case)]
    ),
    mistake!("cut-by-layer-norm", &[|case| imitate(&RIGHT, case)], &[|_, _, _| true]),
    mistake!(
        "norm-parameters-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| to.starts_with("norm")]
    ),
    mistake!(
        "parts-unwrapped",
        &[|case| imitate(&Rules { uneven: Response::Panicked, ..RIGHT }, case)]
    ),
    mistake!(
        "layer-refuses-views",
        &[|case| imitate(&Rules { refuses_strided: true, ..RIGHT }, case)]
    ),
];

/// The rules of a layer of whose two norms this one has another ε.
fn of_one(n: usize, epsilon: f64) -> Rules {
    Rules { norm: Norm { epsilon, ..NORM }, only_norm: Some(n), ..RIGHT }
}
