//! The weight decay goes into the gradient.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Decays, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "decay-in-the-gradient",
    task: "loop",
    summary: "the weight decay is added to the gradient, as in Adam, and not apart from it",
    page: "\
## What we saw

Without weight decay the loop would be right. With it, the decay is added to the gradient and goes
through Adam's moments.

## Why it is wrong

Adam divides a gradient by its own size. What is added to the gradient is divided with it: a
parameter with large gradients then decays hardly at all, and one with small gradients by nearly
the whole learning rate. That is what Loshchilov and Hutter found, and why the W is there: the
decay is taken from the parameter itself, by the same share for all. With the rule from before,
the same `λ` means something else for each parameter.

## Where to look

The optimizer knows several rules. Which one do you give it, and what does its documentation say
about where the decay stands?
",
    imitations: &[|case| imitate(&Rules { decays: Decays::Coupled, ..RIGHT }, case)],
    cuts: &[],
};
