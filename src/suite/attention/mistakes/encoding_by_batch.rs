//! Positions counted along the batch.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-by-batch",
    task: "sinusoidal-position",
    summary: "examples are numbered instead of positions",
    page: "\
## What we saw

All positions of an example get the same encoding: the first example that of position 0, the
second that of position 1, and so on. With a single example, every position gets what only the
first one should.

## Why it is wrong

An encoding is there because attention cannot tell positions apart: without it, a sentence is a
bag of words (section 3.5 of Vaswani et al. 2017). Counting along the wrong axis leaves it one,
and adds to each sentence a mark of its place in the batch, which means nothing and changes
whenever the data is shuffled. The shapes fit by broadcasting, so nothing complains. The error
comes from code that was written for `[T, B, D]`, where the first axis does count positions; a
published notebook has it.

## Where to look

Which axis of `x` counts positions in this course, and which size does your code take for their
number? Encode zeros of shape `[2, 3, 4]` and look which rows are alike.
",
    imitations: &[|case| imitate(&Rules { row: Row::Example, ..RIGHT }, case)],
    cuts: &[],
};
