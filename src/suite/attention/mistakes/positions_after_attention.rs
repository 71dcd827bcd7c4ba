//! Positions that come too late.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Positions, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "positions-after-attention",
    task: "classifier",
    summary: "positions are added to what the attention gives, and not to what goes in",
    page: "\
## What we saw

The logits move with the rows of the positions, and still two words that change places leave a
mean as it was. What is attended to does not hang on where a word stands.

## Why it is wrong

Positions have to be there when queries are compared with keys: only then can a word look for what
stands beside it. Added afterwards, each place of a text gets its constant, and the mean of
constants is a constant: the head sees the same number for every text of that length and learns
nothing from it. As the tables are used and get gradients, the usual test of whether something is
learned passes, which makes this harder to see than a missing table.

## Where to look

Write down what the attention is handed as query, key and value. Is it what the first line of the
formula calls `x`? Which line does your addition of positions belong to?
",
    imitations: &[|case| imitate(&Rules { positions: Positions::AfterAttention, ..RIGHT }, case)],
    cuts: &[],
};
