//! The steps of the warm-up are rounded down.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "warm-up-rounded-down",
    task: "loop",
    summary: "the steps of the warm-up are rounded down",
    page: "\
## What we saw

Where the share of the warm-up comes to a whole number of steps all learning rates are right.
Elsewhere the warm-up is a step shorter than it should be, and every rate differs.

## Why it is wrong

The warm-up lasts for ⌈warm_up · S⌉ steps, rounded up, so that a share that is not zero has a step
of warm-up at least. A conversion to a whole number cuts off what stands behind the point. With
many steps the difference is small; with few, or with a small share, there is no warm-up left at
all, and the first step is taken at the full rate.

## Where to look

How do you come from `warm_up · S`, which has digits behind the point, to a number of steps? Try it
with a quarter of five steps.
",
    imitations: &[|case| imitate(&Rules { rate: Rate::RoundedDown, ..RIGHT }, case)],
    cuts: &[],
};
