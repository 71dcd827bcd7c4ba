//! Heads merged in the order of memory.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{Arrange, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-merged-without-transpose",
    task: "multi-head",
    summary: "heads are merged by a reshape alone, so that positions are mixed",
    page: "\
## What we saw

The weights are right. In the output, each position has channels of several positions: the first
rows are made of head 0, the last ones of the last head. With one head, or a single query, nothing
is wrong.

## Why it is wrong

What attention returns stands in memory head by head: all positions of head 0, then all of head 1.
A reshape to `[B, Tq, D]` reads on in that order, and fills the first position with what head 0
found for several positions. The shape is right, and so nothing complains, but position 3 carries
what other positions learnt, and the residual connection above adds it to the wrong token. Such a
model trains, and never gets far.

## Where to look

Write the shape of the attention's output with names, `[B, H, Tq, K]`, and below it the shape that
you want. Which two axes have to be neighbours before they can be made one? Try it with `H = 2`,
`Tq = 2`, `K = 1` and the numbers 0 to 3.
",
    imitations: &[|case| imitate(&Rules { merge: Arrange::Untransposed, ..RIGHT }, case)],
    cuts: &[],
};
