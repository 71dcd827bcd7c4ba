//! There is no weight decay.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Decays, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "weight-decay-missing",
    task: "loop",
    summary: "the recipe's weight decay is never used",
    page: "\
## What we saw

The steps are those of Adam with the right learning rates, and nothing decays: the parameters are
as far from zero as the gradients alone bring them.

## Why it is wrong

A head and a prefix of thousands of numbers, tuned on a few hundred texts, can learn those by
heart. The decay pulls whatever the gradients do not need back toward zero, and so it is one of
the few things in the recipe that speak for unseen texts. When it is dropped the training loss
looks better and the validation loss does not. And whoever searches for the best `λ` compares runs
that are all the same.

## Where to look

Which fields of the recipe does your code read? What is the optimizer told when it is made?
",
    imitations: &[|case| imitate(&Rules { decays: Decays::Never, ..RIGHT }, case)],
    cuts: &[],
};
