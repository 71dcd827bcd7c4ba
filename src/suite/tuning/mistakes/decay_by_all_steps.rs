//! The decay is spread over the warm-up too.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "decay-by-all-steps",
    task: "loop",
    summary: "the decay counts from the first step, so the rate jumps down after the warm-up",
    page: "\
## What we saw

The warm-up is right, up to the highest learning rate. The step after it has a lower one at once:
as far down as if the rate had been going down since the first step.

## Why it is wrong

The two lines of the formula meet where the warm-up ends. Where the second one is a share of all
steps it begins below the first one's end, and the learning rate drops in one step by the share
that the warm-up takes: with a warm-up of half of the steps, by half. The peak that the recipe
asks for is then reached in a single step, and the average rate is lower than what was asked for,
by more the longer the warm-up is.

## Where to look

Put the first step after the warm-up into your formula. How many steps are left there, and what
are they divided by?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::DownByAll, ..RIGHT }, case)],
    cuts: &[],
};
