//! The learning rate is constant.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learning-rate-constant",
    task: "loop",
    summary: "every step has the same learning rate: neither warm-up nor decay",
    page: "\
## What we saw

The parameters are those of a learning rate that is the same in every step, from the first to the
last. Which batches are taken, what is kept and when the loop ends is right.

## Why it is wrong

The two ends of a tuning are delicate for different reasons. At the beginning the head is new and
Adam's moments have seen little, so that full steps carry the pretrained parameters away from what
they know. At the end full steps keep them from coming to rest. The recipe names `warm_up` for the
first, and the decay is there for the second; without both, a result hangs on the step at which
the training happened to end.

## Where to look

Which number is handed to the optimizer as the learning rate? Does the number of the step take
part in it, and does `warm_up`?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::Constant, ..RIGHT }, case)],
    cuts: &[],
};
