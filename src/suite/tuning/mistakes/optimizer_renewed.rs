//! Each epoch has a new optimizer.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "optimizer-renewed",
    task: "loop",
    summary: "the optimizer is made anew in each epoch and forgets its moments",
    page: "\
## What we saw

The first epoch is right. From the second one on the steps are those of an optimizer that has seen
nothing before it.

## Why it is wrong

Adam's moments are averages over the last ten and the last thousand gradients. An optimizer that
begins anew has none: its first step is as long as the learning rate lets it be, whatever the
gradient, and its direction is that of a single batch. Once in a training that is what the warm-up
is for. At the beginning of each epoch it is a jolt at the full learning rate, and the validation
loss shows it.

## Where to look

How often is your optimizer made in a training of three epochs? Inside of which loop does that
line stand?
",
    imitations: &[|case| imitate(&Rules { renews: true, ..RIGHT }, case)],
    cuts: &[],
};
