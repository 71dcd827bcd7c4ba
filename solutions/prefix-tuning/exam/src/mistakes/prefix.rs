//! Mistakes in prefix tuning.

use encoder_exam::imitate::classifier::Ends;
use softmark_exam::{Mistake, mistake};

use crate::imitate::prefix::{Gets, Passes, Pools, RIGHT, Rules, Seen, Stands, imitate};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!(
        "prefix-hidden",
        &[|case| imitate(&Rules { seen: Seen::PrefixHidden, ..RIGHT }, case)]
    ),
    mistake!(
        "tuned-mask-inverted",
        &[|case| imitate(&Rules { seen: Seen::Inverted, ..RIGHT }, case)]
    ),
    mistake!(
        "mask-extended-at-the-end",
        &[|case| imitate(&Rules { seen: Seen::OtherEnd, ..RIGHT }, case)]
    ),
    mistake!(
        "prefix-appended",
        &[|case| {
            imitate(&Rules { stands: Stands::Behind, seen: Seen::OtherEnd, ..RIGHT }, case)
        }]
    ),
    mistake!("mask-of-ones", &[|case| imitate(&Rules { seen: Seen::Open, ..RIGHT }, case)]),
    mistake!(
        "one-vector-a-text",
        &[
            |case| imitate(&Rules { gets: Gets::FirstVector, ..RIGHT }, case),
            |case| imitate(&Rules { gets: Gets::VectorByText, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "prefix-normed",
        &[
            |case| imitate(&Rules { passes: Passes::Norm, ..RIGHT }, case),
            |case| imitate(&Rules { passes: Passes::PositionsAndNorm, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "prefix-given-positions",
        &[|case| imitate(&Rules { passes: Passes::Positions, ..RIGHT }, case)]
    ),
    mistake!("tokens-shifted", &[|case| imitate(&Rules { shifts: true, ..RIGHT }, case)]),
    mistake!(
        "wrong-places-pooled",
        &[|case| imitate(&Rules { pools: Pools::WrongPlaces, ..RIGHT }, case)]
    ),
    mistake!(
        "prefix-pooled",
        &[
            |case| imitate(&Rules { pools: Pools::PrefixToo, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::PrefixAlone, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::Everything, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "first-place-for-the-mean",
        &[
            |case| imitate(&Rules { pools: Pools::FirstPlace, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::FirstToken, ..RIGHT }, case),
        ]
    ),
    mistake!("sum-for-the-mean", &[|case| imitate(&Rules { pools: Pools::Sum, ..RIGHT }, case)]),
    mistake!(
        "padding-in-the-mean",
        &[
            |case| imitate(&Rules { pools: Pools::AllTokens, ..RIGHT }, case),
            |case| imitate(&Rules { pools: Pools::SumByLength, ..RIGHT }, case),
        ]
    ),
    mistake!("empty-text-divided", &[|case| imitate(&Rules { unguarded: true, ..RIGHT }, case)]),
    mistake!(
        "prefix-always-asked-for",
        &[|case| imitate(&Rules { always_asks: true, ..RIGHT }, case)]
    ),
    mistake!(
        "tuned-softmax",
        &[
            |case| imitate(&Rules { ends: Ends::Softmax, ..RIGHT }, case),
            |case| imitate(&Rules { ends: Ends::LogSoftmax, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "tuned-head-without-bias",
        &[|case| imitate(&Rules { unbiased: true, ..RIGHT }, case)]
    ),
    mistake!(
        "encoder-always-told-to-train",
        &[|case| imitate(&Rules { tells: Some(true), ..RIGHT }, case)]
    ),
    mistake!("encoder-never-told", &[|case| imitate(&Rules { tells: Some(false), ..RIGHT }, case)]),
    mistake!(
        "prefix-detached",
        &[|case| imitate(&RIGHT, case)],
        &[|_, _, to| !to.starts_with("classifier."), |_, _, _| true]
    ),
    mistake!("head-frozen-too", &[|case| imitate(&RIGHT, case)], &[|_, _, to| to != "prefix"]),
    mistake!("encoder-not-frozen", &[|case| imitate(&RIGHT, case)], &[|_, _, _| false]),
];
