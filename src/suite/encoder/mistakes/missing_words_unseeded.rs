//! Random rows without the seed.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{Missing, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-words-unseeded",
    task: "glove",
    summary: "random rows do not hang on the seed",
    page: "\
## What we saw

Missing words get random rows of the right spread, but the same ones whatever the seed is.

## Why it is wrong

A seed is there so that a run can be repeated, and so that another run is another: the only way to
find out whether a difference in accuracy means anything is to train with several seeds and look at
how much they differ. Where part of the start is always the same, runs seem to agree more than they
do.

## Where to look

Where does the stream of your random numbers come from, and what is handed to it as its seed?
",
    imitations: &[|case| imitate(&Rules { missing: Missing::Unseeded, ..RIGHT }, case)],
    cuts: &[],
};
