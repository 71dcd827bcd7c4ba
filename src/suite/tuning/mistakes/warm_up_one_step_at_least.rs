//! A warm-up of no steps is made one of a single step.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "warm-up-one-step-at-least",
    task: "loop",
    summary: "a warm-up of no steps is made one of a single step",
    page: "\
## What we saw

With a warm-up of some steps all learning rates are right. With a warm-up of none, the first one is
right and every other is too high.

## Why it is wrong

A warm-up of zero is a warm-up of no steps: the rate is at its highest in the first step and falls
from there, over all S steps. Whoever makes it a single step, to keep a division from being one by
zero, has the whole descent begin a step later. No step of a warm-up that does not exist is ever
asked for, so there is nothing to keep from anything.

## Where to look

What is the number of warm-up steps where `warm_up` is 0, and for which steps is it divided by?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::OneAtLeast, ..RIGHT }, case)],
    cuts: &[],
};
