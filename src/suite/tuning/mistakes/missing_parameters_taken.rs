//! A checkpoint that lacks a parameter is taken.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-parameters-taken",
    task: "checkpoint",
    summary: "a tuned parameter that the checkpoint lacks is no error",
    page: "\
## What we saw

A checkpoint that fits is loaded as it should be. One that lacks a tuned parameter is loaded as
well, and the parameter stays what it was in the fresh model.

## Why it is wrong

In the fresh model that parameter is random, or is the pretrained one that was tuned away from. So
what comes out is half of a tuned model: it answers, at a lower accuracy, and nobody was told.
Such checkpoints come about all the time, from a file of an older version, from another number of
layers that were tuned, from a name that was spelled differently. An error that names the
parameter takes a minute to understand, a model that is somewhat worse takes a week.

## Where to look

Your loop goes through one of two collections. Which things are only in the other one, and who
would notice that they are not met?
",
    imitations: &[|case| imitate(&Rules { takes_missing: true, ..RIGHT }, case)],
    cuts: &[],
};
