//! Mistakes in the learned positional encoding.

use softmark_exam::{Mistake, mistake};

use crate::imitate::position::{Combine, RIGHT, Row, Rules, TooLong, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("learned-by-batch", &[|case| imitate(&Rules { row: Row::Example, ..RIGHT }, case)]),
    mistake!(
        "learned-from-one",
        &[|case| imitate(&Rules { row: Row::NextPosition, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-input-scaled",
        &[|case| imitate(&Rules { combine: Combine::AddToScaled, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-multiplied",
        &[|case| imitate(&Rules { combine: Combine::Multiply, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-padded-to-max-len",
        &[|case| imitate(&Rules { combine: Combine::AddToPadded, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-replaces",
        &[|case| imitate(&Rules { combine: Combine::Replace, ..RIGHT }, case)]
    ),
    mistake!("learned-row-zero-only", &[|case| imitate(&Rules { row: Row::First, ..RIGHT }, case)]),
    mistake!(
        "learned-rows-from-end",
        &[|case| imitate(&Rules { row: Row::FromEnd, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-rows-begin-again",
        &[
            |case| imitate(&Rules { row: Row::AgainAfter(16), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(32), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(64), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(100), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(128), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(256), ..RIGHT }, case),
        ]
    ),
    mistake!(
        "learned-rows-reversed",
        &[|case| imitate(&Rules { row: Row::Backwards, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-never-asked",
        &[|case| imitate(&Rules { combine: Combine::Omit, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| to == "position_embedding.weight"]
    ),
    mistake!(
        "learned-too-long-clamped",
        &[|case| imitate(&Rules { too_long: TooLong::Clamped, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-too-long-wraps",
        &[|case| imitate(&Rules { too_long: TooLong::Wraps, ..RIGHT }, case)]
    ),
    mistake!(
        "learned-too-long-panics",
        &[|case| imitate(&Rules { too_long: TooLong::Panics, ..RIGHT }, case)]
    ),
];
