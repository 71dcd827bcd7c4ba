//! Mistakes in the training loop.

use softmark_exam::{Mistake, mistake};

use crate::imitate::steps::{
    Best, Clips, Decays, Ends, Frozen, Patience, RIGHT, Rate, Rules, imitate,
};

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("warm-up-missing", &[|case| imitate(&Rules { rate: Rate::Down, ..RIGHT }, case)]),
    mistake!("decay-missing", &[|case| imitate(&Rules { rate: Rate::Up, ..RIGHT }, case)]),
    mistake!(
        "learning-rate-constant",
        &[|case| imitate(&Rules { rate: Rate::Constant, ..RIGHT }, case)]
    ),
    mistake!(
        "warm-up-from-zero",
        &[|case| imitate(&Rules { rate: Rate::FromZero, ..RIGHT }, case)]
    ),
    mistake!(
        "warm-up-rounded-down",
        &[|case| imitate(&Rules { rate: Rate::RoundedDown, ..RIGHT }, case)]
    ),
    mistake!(
        "warm-up-one-step-at-least",
        &[|case| imitate(&Rules { rate: Rate::OneAtLeast, ..RIGHT }, case)]
    ),
    mistake!(
        "schedule-of-each-epoch",
        &[|case| imitate(&Rules { rate: Rate::EachEpoch, ..RIGHT }, case)]
    ),
    mistake!(
        "decay-by-all-steps",
        &[|case| imitate(&Rules { rate: Rate::DownByAll, ..RIGHT }, case)]
    ),
    mistake!("cosine-for-linear", &[|case| imitate(&Rules { rate: Rate::Cosine, ..RIGHT }, case)]),
    mistake!(
        "clipping-missing",
        &[|case| imitate(&Rules { clips: Clips::Nothing, ..RIGHT }, case)]
    ),
    mistake!(
        "clipped-one-by-one",
        &[|case| imitate(&Rules { clips: Clips::EachAlone, ..RIGHT }, case)]
    ),
    mistake!("clipped-by-value", &[|case| imitate(&Rules { clips: Clips::Values, ..RIGHT }, case)]),
    mistake!(
        "frozen-in-the-norm",
        &[|case| imitate(&Rules { clips: Clips::FrozenToo, ..RIGHT }, case)]
    ),
    mistake!(
        "always-scaled-to-the-norm",
        &[|case| imitate(&Rules { clips: Clips::Always, ..RIGHT }, case)]
    ),
    mistake!(
        "frozen-parameters-learn",
        &[|case| imitate(&Rules { frozen: Frozen::Learn, ..RIGHT }, case)]
    ),
    mistake!(
        "frozen-parameters-decay",
        &[|case| imitate(&Rules { frozen: Frozen::Decay, ..RIGHT }, case)]
    ),
    mistake!(
        "decay-in-the-gradient",
        &[|case| imitate(&Rules { decays: Decays::Coupled, ..RIGHT }, case)]
    ),
    mistake!(
        "weight-decay-missing",
        &[|case| imitate(&Rules { decays: Decays::Never, ..RIGHT }, case)]
    ),
    mistake!("optimizer-renewed", &[|case| imitate(&Rules { renews: true, ..RIGHT }, case)]),
    mistake!("last-epoch-kept", &[|case| imitate(&Rules { ends: Ends::Last, ..RIGHT }, case)]),
    mistake!(
        "epoch-before-the-best-kept",
        &[|case| imitate(&Rules { ends: Ends::BeforeBest, ..RIGHT }, case)]
    ),
    mistake!(
        "last-kept-where-none-is-best",
        &[|case| imitate(&Rules { ends: Ends::BestOrLast, ..RIGHT }, case)]
    ),
    mistake!(
        "later-epoch-of-equals",
        &[|case| imitate(&Rules { best: Best::LastLowest, ..RIGHT }, case)]
    ),
    mistake!("highest-loss-wins", &[|case| imitate(&Rules { best: Best::Highest, ..RIGHT }, case)]),
    mistake!(
        "nan-loss-stays-best",
        &[|case| imitate(&Rules { best: Best::StuckAtNaN, ..RIGHT }, case)]
    ),
    mistake!(
        "nan-loss-wins",
        &[
            |case| imitate(&Rules { best: Best::NaNWins, ..RIGHT }, case),
            |case| imitate(&Rules { best: Best::NaNWinsFromInfinity, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "infinite-loss-never-best",
        &[|case| imitate(&Rules { best: Best::BelowInfinity, ..RIGHT }, case)]
    ),
    mistake!(
        "patience-one-more",
        &[|case| imitate(&Rules { patience: Patience::OneMore, ..RIGHT }, case)]
    ),
    mistake!(
        "patience-one-less",
        &[|case| imitate(&Rules { patience: Patience::OneLess, ..RIGHT }, case)]
    ),
    mistake!(
        "patience-altogether",
        &[|case| imitate(&Rules { patience: Patience::Altogether, ..RIGHT }, case)]
    ),
    mistake!(
        "patience-of-worsening",
        &[|case| imitate(&Rules { patience: Patience::Worsening, ..RIGHT }, case)]
    ),
    mistake!(
        "patience-from-the-last-epoch",
        &[|case| imitate(&Rules { patience: Patience::NotBelowTheLast, ..RIGHT }, case)]
    ),
    mistake!(
        "patience-ignored",
        &[|case| imitate(&Rules { patience: Patience::Never, ..RIGHT }, case)]
    ),
];
