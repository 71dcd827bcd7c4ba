//! The epoch is run twice.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "epoch-run-twice",
    task: "capture",
    summary: "the epoch is run more than once",
    page: "\
## What we saw

`epoch` was called twice, and every call of the module is there twice.

## Why it is wrong

An epoch is a piece of training: run again, it changes the model again.

## Where to look

Count the calls of `epoch` in your function.
",
    imitations: &[|case| imitate(&Rules { epochs: 2, ..RIGHT }, case)],
    cuts: &[],
};
