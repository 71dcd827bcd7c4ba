//! Mistakes in the sweep over configurations.

use softmark_exam::{Mistake, mistake};

use crate::imitate::sweep::{Budget, NotANumber, RIGHT, Rules, Tie, Visits, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "chosen-by-other-scores",
        &[
            |case| imitate(&Rules { by: "test", ..RIGHT }, case),
            |case| imitate(&Rules { by: "train", ..RIGHT }, case),
        ]
    ),
    mistake!("lowest-wins", &[|case| imitate(&Rules { lowest: true, ..RIGHT }, case)]),
    mistake!("last-of-equals", &[|case| imitate(&Rules { tie: Tie::Last, ..RIGHT }, case)]),
    mistake!(
        "nan-wins",
        &[
            |case| imitate(&Rules { not_a_number: NotANumber::StaysFirst, ..RIGHT }, case),
            |case| imitate(&Rules { not_a_number: NotANumber::Wins, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "nan-panics",
        &[|case| imitate(&Rules { not_a_number: NotANumber::Panics, ..RIGHT }, case)]
    ),
    mistake!(
        "grid-in-another-order",
        &[|case| imitate(&Rules { visits: Visits::SizesFirst, ..RIGHT }, case)]
    ),
    mistake!(
        "combinations-missing",
        &[
            |case| imitate(&Rules { visits: Visits::AllButLast, ..RIGHT }, case),
            |case| imitate(&Rules { visits: Visits::Pairs, ..RIGHT }, case),
            |case| imitate(&Rules { visits: Visits::FirstTwice, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "budget-overrun",
        &[
            |case| imitate(&Rules { budget: Budget::Ignored, ..RIGHT }, case),
            |case| imitate(&Rules { budget: Budget::OneMore, ..RIGHT }, case),
            |case| imitate(&Rules { budget: Budget::EachRate, ..RIGHT }, case),
        ]
    ),
];
