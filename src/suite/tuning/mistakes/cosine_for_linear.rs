//! The decay follows a cosine.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{RIGHT, Rate, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "cosine-for-linear",
    task: "loop",
    summary: "after the warm-up the learning rate follows a cosine instead of a line",
    page: "\
## What we saw

The warm-up is right, and at the middle of what comes after it the learning rate is too. Before
that it is too high and after it too low: it goes down along half a cosine.

## Why it is wrong

Both are in use. The cosine is that of pictures, where a training takes many epochs; for tuning
BERT its authors chose a line, and so does the recipe here. Neither is much better, but results
can only be compared where the recipe is the same: who reports `warm_up` and a learning rate, and
follows another curve, reports numbers that nobody else will find.

## Where to look

By how much does your learning rate fall from one step to the next, early in the decay and in its
middle? By the formula, how should these two compare?
",
    imitations: &[|case| imitate(&Rules { rate: Rate::Cosine, ..RIGHT }, case)],
    cuts: &[],
};
