//! The epoch is run twice.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "epoch-run-twice",
    task: "capture",
    summary: "the epoch is run more than once",
    page: "\
## What we saw

`epoch` was called more than once, and what every one of its calls showed came back more than once.

## Why it is wrong

An epoch is a piece of training, and no mere look at the model: run again, it changes the parameters
again, draws other batches and takes its time twice. A model that is watched would then have learned
something else than one that is not. Hooks are there so that one can look at a run without any
effect on it.

## Where to look

Count the calls of `epoch` in your function, on every way through it. Is there one to find out
something, such as how many calls there will be, before the one that counts?
",
    imitations: &[|case| imitate(&Rules { epochs: 2, ..RIGHT }, case)],
    cuts: &[],
};
