//! What is not tuned here is passed over without a word.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "surplus-passed-over",
    task: "checkpoint",
    summary: "tensors of a checkpoint that are not tuned here are passed over without an error",
    page: "\
## What we saw

A checkpoint that fits is loaded as it should be, and one that lacks something is refused. One
that has more than is tuned here, a frozen parameter or a tensor that no parameter is called, is
taken; what it has too much is left where it is.

## Why it is wrong

Nobody saves a tensor for nothing. Where a checkpoint has a layer that is frozen here, more
layers were tuned than this model expects, and what they learned is lost: the head then stands
on layers that it has never seen, every number is finite, and the accuracy is a few points lower
than it was. A loader that only looks up what it wants cannot notice.

## Where to look

Which names does your loop run over: those of the model, those of the checkpoint, or both?
",
    imitations: &[|case| imitate(&Rules { passes_over: true, ..RIGHT }, case)],
    cuts: &[],
};
