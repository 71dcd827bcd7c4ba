//! Combinations are missing.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{RIGHT, Rules, Visits, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "combinations-missing",
    task: "sweep",
    summary: "not every combination is trained exactly once",
    page: "\
## What we saw

Some combinations of learning rate and batch size are never trained, or one of them twice: the last
is missing, or only pairs of the same place in both lists are tried.

## Why it is wrong

A grid is every learning rate with every batch size, because the two belong together: a larger
batch usually wants a larger step. Pairing the lists, as `zip` does, tries a diagonal, and a loop
that ends one early leaves out the corner. The report looks complete, and the best may be among
what is missing.

## Where to look

How many trainings do three learning rates and four batch sizes make? Write down those that your
loops visit.
",
    imitations: &[
        |case| imitate(&Rules { visits: Visits::AllButLast, ..RIGHT }, case),
        |case| imitate(&Rules { visits: Visits::Pairs, ..RIGHT }, case),
        |case| imitate(&Rules { visits: Visits::FirstTwice, ..RIGHT }, case),
    ],
    cuts: &[],
};
