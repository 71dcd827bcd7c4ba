//! An infinite validation loss is never the best, even where there is no lower one.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Best, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "infinite-loss-never-best",
    task: "loop",
    summary: "an infinite validation loss is never the best, even where there is no lower one",
    page: "\
## What we saw

Where every validation loss is infinite, or infinite or NaN, the report names no best epoch, and
the parameters at the end are those from before the first step.

## Why it is wrong

The best epoch is the one with the lowest validation loss, and infinity is a loss: the first of
equals is the best. NaN alone is none. A loss is infinite where one right answer was given a
probability of zero, which says little about all the others; a loop that throws its steps away for
that, and says that there was no epoch worth keeping, has done an hour's work for nothing.

## Where to look

What is the lowest loss before the first epoch, and is the first loss compared with that? What
would say that there is none yet?
",
    imitations: &[|case| imitate(&Rules { best: Best::BelowInfinity, ..RIGHT }, case)],
    cuts: &[],
};
