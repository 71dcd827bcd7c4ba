//! Frozen parameters take part in the norm.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Clips, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "frozen-in-the-norm",
    task: "loop",
    summary: "the norm that gradients are clipped by includes those of frozen parameters",
    page: "\
## What we saw

What does not learn stays as it was. Where gradients have to be clipped, they are scaled by more
than they should: the norm is taken over those of the frozen parameters too.

## Why it is wrong

A pretrained encoder is a hundred times as large as what is tuned of it. Where its parameters have
gradients, because nobody cut them, they are most of the norm: what learns is then scaled down to
next to nothing, by gradients that nobody follows. And the same recipe gives another result for a
model that cuts them and for one that does not, though both learn the same parameters.

## Where to look

What do you take the norm over: everything that has a gradient, or everything that gets a step?
Which map of parameters do you hand to the function that computes it?
",
    imitations: &[|case| imitate(&Rules { clips: Clips::FrozenToo, ..RIGHT }, case)],
    cuts: &[],
};
