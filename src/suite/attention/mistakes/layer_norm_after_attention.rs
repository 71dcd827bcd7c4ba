//! A norm that belongs one floor up.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{Ending, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-norm-after-attention",
    task: "multi-head",
    summary: "the output is normalized, which is not this layer's part",
    page: "\
## What we saw

Each row of the output has mean 0 and variance 1: what attention gives has been put through a
layer norm. The weights are right. If the norm is `candle_nn::LayerNorm`, no gradient comes back
from the output at all.

## Why it is wrong

A transformer layer does have a norm next to its attention, and where it stands has a name: after
the residual sum in the original (section 3.1 of Vaswani et al. 2017, \"post-norm\"), before
attention in later models (\"pre-norm\"). Both are the business of the layer around this one. If
attention normalizes as well, the size of its result is lost, the sum above is another one, and
weights trained elsewhere no longer fit. Besides, the norm's fast path in candle ends the graph
without a word.

## Where to look

Hold the last lines of `attend` against the formula in the documentation of MultiHeadAttention:
which step has no counterpart there? Is there a field in your struct that none of the eight
parameters goes into?
",
    imitations: &[|case| imitate(&Rules { ending: Ending::Normalized, ..RIGHT }, case)],
    cuts: &[|_, from, _| from == "output"],
};
