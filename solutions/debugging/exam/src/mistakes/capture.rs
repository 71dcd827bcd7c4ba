//! Mistakes in capturing attention weights.

use softmark_exam::{Mistake, mistake};

use crate::imitate::capture::{Errors, Keeps, Leaves, RIGHT, Rules, Unknown, Unnamed, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "hook-dropped-at-once",
        &[|case| imitate(&Rules { keeps: Keeps::Nothing, ..RIGHT }, case)]
    ),
    mistake!(
        "only-last-call-kept",
        &[|case| imitate(&Rules { keeps: Keeps::Last, ..RIGHT }, case)]
    ),
    mistake!(
        "only-first-call-kept",
        &[|case| imitate(&Rules { keeps: Keeps::First, ..RIGHT }, case)]
    ),
    mistake!(
        "calls-in-reverse",
        &[|case| imitate(&Rules { keeps: Keeps::Backwards, ..RIGHT }, case)]
    ),
    mistake!(
        "repeats-dropped",
        &[|case| imitate(&Rules { keeps: Keeps::Distinct, ..RIGHT }, case)]
    ),
    mistake!(
        "calls-of-one-shape-merged",
        &[|case| imitate(&Rules { keeps: Keeps::OneOfEachShape, ..RIGHT }, case)]
    ),
    mistake!("history-kept", &[|case| imitate(&Rules { history: true, ..RIGHT }, case)]),
    mistake!(
        "hook-left-behind",
        &[|case| imitate(&Rules { leaves: Leaves::Always, ..RIGHT }, case)]
    ),
    mistake!(
        "hook-left-on-error",
        &[|case| imitate(&Rules { leaves: Leaves::OnError, ..RIGHT }, case)]
    ),
    mistake!(
        "epoch-error-swallowed",
        &[|case| imitate(&Rules { errors: Errors::Swallowed, ..RIGHT }, case)]
    ),
    mistake!(
        "missing-weights-passed-over",
        &[|case| imitate(&Rules { unnamed: Unnamed::PassedOver, ..RIGHT }, case)]
    ),
    mistake!(
        "every-module-captured",
        &[|case| imitate(&Rules { both_modules: true, ..RIGHT }, case)]
    ),
    mistake!("heads-averaged", &[|case| imitate(&Rules { averages: true, ..RIGHT }, case)]),
    mistake!("epoch-run-twice", &[|case| imitate(&Rules { epochs: 2, ..RIGHT }, case)]),
    mistake!(
        "unknown-module-let-pass",
        &[
            |case| imitate(&Rules { unknown: Unknown::Ignored, ..RIGHT }, case),
            |case| imitate(&Rules { unknown: Unknown::RefusedLate, ..RIGHT }, case),
        ]
    ),
];
