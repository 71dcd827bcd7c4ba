//! There is no warm-up.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "warm-up-missing",
    task: "loop",
    summary: "the learning rate is at its highest in the first step and only goes down",
    page: "\
## What we saw

Which batches are taken, what is kept and when the loop ends is right. The parameters are those of
a learning rate that begins at its highest and goes down by the same amount each step.

## Why it is wrong

Adam divides by the root of a second moment that has seen a single gradient in the first step, so
that this step is as long as the learning rate lets it be, whatever the gradient. Meanwhile the
head is new, and its gradients say little about the encoder below. Steps at the highest rate then
throw a pretrained layer, or a prefix, far from where it was, and a tuning of a few hundred steps
may never find back.

## Where to look

Write down the learning rates of a training of eight steps, a quarter of which are warm-up. What
is the first of them, and where does `warm_up` enter?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::Down, ..RIGHT }, case)],
    cuts: &[],
};
