//! The learning rate begins anew with every epoch.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "schedule-of-each-epoch",
    task: "loop",
    summary: "the learning rate goes up and down within each epoch and not once in all",
    page: "\
## What we saw

With a single epoch all is right. With several, the parameters are those of a learning rate that
goes up and down again within every one of them.

## Why it is wrong

Warm-up and decay belong to the training as a whole: it begins with a new head once, and comes to
its end once. When the rate rises anew in the second epoch it throws the parameters away from
where the first one had brought them to rest, and the validation losses of the epochs show a saw
instead of a slope. Early stopping then compares epochs that each ended at a tiny rate, and hardly
says anything.

## Where to look

Your formula knows a step and a number of steps. What do both count: batches of an epoch, or those
of all epochs? Write both down for the first step of the second epoch.
",
    imitations: &[|case| imitate(&Rules { rate: Rate::EachEpoch, ..RIGHT }, case)],
    cuts: &[],
};
