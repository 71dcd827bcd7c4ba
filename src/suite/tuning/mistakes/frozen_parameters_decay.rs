//! Frozen parameters decay.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Frozen, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "frozen-parameters-decay",
    task: "loop",
    summary: "frozen parameters get a gradient of zero and decay all the same",
    page: "\
## What we saw

Parameters of which `learns` says no do not follow their gradients. They shrink a little in every
step nevertheless, all by the same share.

## Why it is wrong

A gradient of zero is not the same as no gradient. An optimizer leaves alone what has none; what
has one of zeros it counts among what it tunes, and the weight decay of AdamW, which does not look
at the gradient, takes its share from it in each step. After a thousand steps an encoder that was
to stay as it is has lost a part of every weight, the weights of its norms among them, and no loss
says why.

## Where to look

What does the optimizer do with a parameter whose gradient is zero everywhere? Read the first line
of AdamW. Which map of parameters should it get?
",
    imitations: &[|case| imitate(&Rules { frozen: Frozen::Decay, ..RIGHT }, case)],
    cuts: &[],
};
