//! A first loss of NaN stays the best.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Best, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "nan-loss-stays-best",
    task: "loop",
    summary: "when the first validation loss is NaN no later one is a new best",
    page: "\
## What we saw

Where the first validation loss is a number all is right, and a later `NaN` changes nothing. Where
the first one is `NaN` its epoch is called the best, and no other ever beats it.

## Why it is wrong

Every comparison with `NaN` is false. Whatever comes first is the best so far, as there is nothing
to compare it with, and if that is `NaN` then no number is lower than it. The loop takes each
later epoch for a failure: it ends when patience does, and puts the parameters of the one epoch
back whose loss was no number at all. Mixed precision and a rate that is still too high make a
first `NaN` quite ordinary.

## Where to look

Go through your comparison with a first loss of `NaN` and then with a second one of 2. What is the
best after each of them?
",
    imitations: &[|case| imitate(&Rules { best: Best::StuckAtNaN, ..RIGHT }, case)],
    cuts: &[],
};
