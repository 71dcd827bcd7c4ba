//! A probability of dropping that is taken for one of keeping.

use crate::suite::encoder::imitate::algebra::{DROPS, Dropping};
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};
use crate::suite::{Given, Mistake};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-dropout-inverted",
    task: "partial",
    summary: "the head keeps numbers with the probability of dropout, and drops them otherwise",
    page: "\
## What we saw

In training, the numbers before the last map are dropped far too often or far too seldom, and those
that stay are multiplied by the wrong factor. With a probability of one half all seems well.

## Why it is wrong

A probability of dropping and a probability of keeping add up to one, and each is somebody's
convention: papers often write the second, PyTorch and the configuration here have the first. With
0.1, nine numbers of ten are lost instead of one, and little can be learned from the rest. A
probability of zero, which should change nothing, even becomes an error.

## Where to look

What does your dropout do with a probability of 0.1, and what with 0.9? Which of the two does the
configuration speak of, and what is handed to the constructor?
",
    imitations: &[
        |case| imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case),
        // With a probability of 0, everything is to be dropped, which is an error.
        |case| {
            if case.get_size("train") == 1 && case.get_size("dropout_permille") == 0 {
                return Given::Refused;
            }
            imitate(&Rules { dropping: Dropping { inverted: true, ..DROPS }, ..RIGHT }, case)
        },
    ],
    cuts: &[],
};
