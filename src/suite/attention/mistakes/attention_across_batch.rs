//! Attention along the batch.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{Along, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "attention-across-batch",
    task: "multi-head",
    summary: "examples of a batch attend to one another, instead of positions",
    page: "\
## What we saw

Positions of the same number in different examples look at one another, and positions of the same
example never do. Where queries and keys differ in length there is an error, or weights of an
unexpected shape; with a square mask of the right size nothing complains. An example's result
changes when its neighbours in the batch do.

## Why it is wrong

There are two habits for the order of axes: `[B, T, D]`, as in this course, and `[T, B, D]`, which
older code and PyTorch's `MultiheadAttention` have unless told otherwise. Code for one takes the
other's batch for the sequence. The shapes work out, the loss falls, and the model learns from the
accident of which examples share a batch. In a published notebook just this error stood unnoticed
behind a decent accuracy.

## Where to look

Write `[B, T, …]` with names, not numbers, beside each line from the projection to the attention
inside. When attention is called, which axis is last but one: positions or examples? Then try a
batch of two and change the second.
",
    imitations: &[|case| imitate(&Rules { along: Along::Examples, ..RIGHT }, case)],
    cuts: &[],
};
