//! Attention along the batch.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-attends-across-batch",
    task: "encoder-layer",
    summary: "the layer's attention runs along the batch instead of the sequence",
    page: "\
## What we saw

Tokens of the same place in different examples look at one another, and tokens of the same text
never do. An example's result changes when its neighbours in the batch do.

## Why it is wrong

There are two habits for the order of axes, batch first and sequence first, and code for the one
runs on the other: the shapes work out. The model then learns from the accident of which examples
share a batch, its answers depend on that accident, and with one example at a time, as when it is
put to use, it has nothing to look at. In a published notebook just this stood unnoticed.

## Where to look

Write what each axis counts beside every transposition. When the attention is called, which axis is
in the middle? Try a batch of two, and change the second.
",
    imitations: &[|case| imitate(&Rules { across: true, ..RIGHT }, case)],
    cuts: &[],
};
