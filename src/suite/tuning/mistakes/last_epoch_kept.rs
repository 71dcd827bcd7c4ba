//! The parameters of the last epoch stay.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "last-epoch-kept",
    task: "loop",
    summary: "at the end the parameters are those of the last epoch, not of the best",
    page: "\
## What we saw

The best epoch is reported rightly. Where it is not the last one, the parameters at the end are
those of the last epoch all the same.

## Why it is wrong

After the best epoch a model learns its training texts by heart, and early stopping waits some
epochs to be sure of that. Those epochs are the worst ones to keep. Two things lead here: nothing
is put back at the end, or what was kept is not a copy. A candle tensor that is cloned is a second
name for the same numbers, and an optimizer that steps in place changes them under both names.

## Where to look

Print a number of what you keep, when you keep it and again at the end. Has it changed? What do
`clone` and `copy` of a tensor each do, and is anything set after the loop?
",
    imitations: &[|case| imitate(&Rules { ends: Ends::Last, ..RIGHT }, case)],
    cuts: &[],
};
