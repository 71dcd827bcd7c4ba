//! Mistakes in the encoder.

use softmark_exam::{Mistake, mistake};

use crate::imitate::algebra::{DROPS, Dropping, NORM, Norm, When};
use crate::imitate::encoder::{Beyond, Ends, Layers, Positions, RIGHT, Rules, imitate};
use crate::imitate::layer::Mask;

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("tokens-scaled", &[|case| imitate(&Rules { scale: f64::sqrt, ..RIGHT }, case)]),
    mistake!(
        "positions-missing",
        &[|case| imitate(&Rules { positions: Positions::Missing, ..RIGHT }, case)]
    ),
    mistake!(
        "positions-by-the-wrong-index",
        &[
            |case| imitate(&Rules { positions: Positions::ByExample, ..RIGHT }, case),
            |case| imitate(&Rules { positions: Positions::ByToken, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "positions-off",
        &[
            |case| imitate(&Rules { positions: Positions::FromOne, ..RIGHT }, case),
            |case| imitate(&Rules { positions: Positions::FirstRow, ..RIGHT }, case),
            |case| imitate(&Rules { positions: Positions::Backwards, ..RIGHT }, case),
            |case| imitate(&Rules { positions: Positions::FromEnd, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "tokens-times-positions",
        &[|case| imitate(&Rules { positions: Positions::Multiplied, ..RIGHT }, case)]
    ),
    mistake!(
        "positions-before-each-layer",
        &[|case| imitate(&Rules { positions: Positions::EachLayer, ..RIGHT }, case)]
    ),
    mistake!(
        "positions-begin-again",
        &[|case| { imitate(&Rules { positions: Positions::AgainAfterSixteen, ..RIGHT }, case) }]
    ),
    mistake!(
        "padding-row-used",
        &[|case| imitate(&Rules { clears_padding: false, ..RIGHT }, case)]
    ),
    mistake!(
        "layers-share-parameters",
        &[|case| imitate(&Rules { layers: Layers::FirstForAll, ..RIGHT }, case)]
    ),
    mistake!(
        "layers-left-out",
        &[
            |case| imitate(&Rules { layers: Layers::FirstOnly, ..RIGHT }, case),
            |case| imitate(&Rules { layers: Layers::AllButLast, ..RIGHT }, case),
            |case| imitate(&Rules { layers: Layers::FromTheStart, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "layers-out-of-order",
        &[
            |case| imitate(&Rules { layers: Layers::Backwards, ..RIGHT }, case),
            |case| imitate(&Rules { layers: Layers::Summed, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "final-norm-missing",
        &[
            |case| imitate(&Rules { ends: Ends::Never, ..RIGHT }, case),
            |case| imitate(&Rules { ends: Ends::First, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "final-norm-epsilon",
        &[
            |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-3, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-6, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-8, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { final_norm: Norm { epsilon: 1e-12, ..NORM }, ..RIGHT }, case),
            |case| imitate(&Rules { final_norm: Norm { epsilon: 0.0, ..NORM }, ..RIGHT }, case),
        ]
    ),
    mistake!("final-norm-always", &[|case| imitate(&Rules { ends: Ends::Always, ..RIGHT }, case)]),
    mistake!(
        "encoder-hides-nothing",
        &[|case| imitate(&Rules { mask: Mask::Open, ..RIGHT }, case)]
    ),
    mistake!(
        "encoder-mask-inverted",
        &[|case| imitate(&Rules { mask: Mask::Inverted, ..RIGHT }, case)]
    ),
    mistake!("mask-made-of-ids", &[|case| imitate(&Rules { mask_of_ids: true, ..RIGHT }, case)]),
    mistake!(
        "unknown-ids-taken",
        &[
            |case| imitate(&Rules { unknown: Beyond::Clamped, ..RIGHT }, case),
            |case| imitate(&Rules { unknown: Beyond::Wrapped, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "unknown-ids-panic",
        &[|case| imitate(&Rules { unknown: Beyond::Panicked, ..RIGHT }, case)]
    ),
    mistake!("layers-unwrapped", &[|case| imitate(&Rules { unwraps: true, ..RIGHT }, case)]),
    mistake!(
        "long-texts-taken",
        &[
            |case| imitate(&Rules { too_long: Beyond::Clamped, ..RIGHT }, case),
            |case| imitate(&Rules { too_long: Beyond::Wrapped, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "long-texts-panic",
        &[|case| imitate(&Rules { too_long: Beyond::Panicked, ..RIGHT }, case)]
    ),
    mistake!(
        "embedding-dropout-missing",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Never, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "embedding-dropout-unscaled",
        &[|case| {
            imitate(&Rules { dropping: Dropping { scales: false, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "embedding-dropout-always",
        &[|case| {
            imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "embedding-dropout-inverted",
        &[|case| {
            imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case)
        }]
    ),
    mistake!(
        "layers-told-otherwise",
        &[
            |case| imitate(&Rules { tells_layers: Some(false), ..RIGHT }, case),
            |case| imitate(&Rules { tells_layers: Some(true), ..RIGHT }, case),
            |case| imitate(&Rules { tells_first_alone: true, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "embeddings-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| to.ends_with("_embedding.weight")]
    ),
];
