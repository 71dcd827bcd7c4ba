//! The head drops outside of training.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::algebra::{DROPS, Dropping, When};
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-dropout-always",
    task: "partial",
    summary: "the head's dropout is at work outside of training as well",
    page: "\
## What we saw

With `train` false and a probability above zero, numbers of the head are dropped all the same. The
same question gets another answer than without dropout.

## Why it is wrong

Outside of training a model is asked to do its best, with all that it has. Dropout then only takes
away, and here it does so right before the last map, where nothing can make up for it. Validation
losses are too high and jump from epoch to epoch, early stopping, which looks at nothing else,
keeps the wrong epoch, and a text may get one class now and another one a moment later.

## Where to look

What is the second argument of your dropout, and does it come from the caller or from somewhere
else?
",
    imitations: &[|case| {
        imitate(&Rules { dropping: Dropping { when: When::Always, ..DROPS }, ..RIGHT }, case)
    }],
    cuts: &[],
};
