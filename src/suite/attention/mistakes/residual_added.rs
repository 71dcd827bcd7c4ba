//! A residual connection that belongs one floor up.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{Ending, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "residual-added",
    task: "multi-head",
    summary: "the query is added to the output, which is not this layer's part",
    page: "\
## What we saw

The output is what it should be plus the query. The weights are right. Where the query is zero
nothing shows.

## Why it is wrong

A transformer layer does add what went into attention to what came out: section 3.1 of Vaswani et
al. 2017 puts a residual connection around each sub-layer. But it is the layer around attention
that does so, as the formula of MultiHeadAttention has no such sum. If both add, the input counts
twice, and a test of the layer that sets attention to nothing, to see whether the input passes
unchanged, finds it doubled. In cross-attention, whoever calls may not want the query added at
all.

## Where to look

Hold the last lines of `attend` against the formula in the documentation of the trait, step by
step: which has no counterpart? Then try it with all parameters zero: what should come out of
projections that make everything zero?
",
    imitations: &[|case| imitate(&Rules { ending: Ending::PlusQuery, ..RIGHT }, case)],
    cuts: &[],
};
