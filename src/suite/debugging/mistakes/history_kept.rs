//! What is kept has its history.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "history-kept",
    task: "capture",
    summary: "captured tensors keep the training graph alive",
    page: "\
## What we saw

The right weights come back, and each of them still has the graph that made it.

## Why it is wrong

In training, a tensor knows the operations that it came from, so that gradients can go back through
them; and these know theirs, down to the parameters. One kept tensor keeps the activations of its
whole step in memory. An epoch of them is what \"out of memory after 300 steps\" is made of.

## Where to look

Look at what your hook keeps. What is there on a tensor that gives the same numbers without where
they came from?
",
    imitations: &[|case| imitate(&Rules { history: true, ..RIGHT }, case)],
    cuts: &[],
};
