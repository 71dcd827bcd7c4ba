//! A loss of NaN is taken for a new best.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Best, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "nan-loss-wins",
    task: "loop",
    summary: "a validation loss of NaN counts as lower than the best",
    page: "\
## What we saw

Without `NaN` all is right. An epoch whose validation loss is `NaN` is called the best, whatever
came before it.

## Why it is wrong

Every comparison with `NaN` is false: it is neither below the best nor equal to it nor above it.
Code that asks whether the loss is worse, and takes everything else for a new best, takes `NaN`
for one; and so does code that turns a comparison without an answer into an answer of its own.
What is kept is then the model that has just diverged, in place of the good one from before, and
patience begins anew each time.

## Where to look

Which branch of your comparison does `NaN` end in, on the left side and on the right? Which
question would send it into the other one?
",
    imitations: &[
        |case| imitate(&Rules { best: Best::NaNWins, ..RIGHT }, case),
        |case| imitate(&Rules { best: Best::NaNWinsFromInfinity, ..RIGHT }, case),
    ],
    cuts: &[],
};
