//! Biases are not kept.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "biases-not-kept",
    task: "checkpoint",
    summary: "tuned biases are left out of what is kept",
    page: "\
## What we saw

The tuned weights and the prefix are kept as they should be. What is called a bias is not, though
it was tuned.

## Why it is wrong

A bias is small and easily forgotten, and it decides as much as the rest. That of the head says
how frequent each class is: without it the rare ones are suddenly as likely as the frequent ones,
and the accuracy falls by some points that nobody can explain. It is worse than a checkpoint that
cannot be used at all, because the model still works, only not as well as it was reported.

## Where to look

Which ends of names does your code look for? Go through the parameters of a linear layer and of a
norm: is each of them among what you keep?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Weights, ..RIGHT }, case)],
    cuts: &[],
};
