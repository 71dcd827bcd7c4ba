//! The first row for every position.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoding-row-zero-only",
    task: "sinusoidal-position",
    summary: "every position gets the encoding of position 0",
    page: "\
## What we saw

The row of position 0, zeros and ones in turn, is added at every position. A sequence of length 1
is right.

## Why it is wrong

Something that is the same at every position says nothing about positions: it is a constant, and a
bias could do the same. Attention with it sees a bag of words, as it would without any encoding,
and two sentences of the same words are one sentence. Broadcasting is what hides it: a single row
fits beside any number of positions, and candle repeats it without asking. Whenever an axis of
size 1 meets a longer one, the question is whether it should have been 1.

## Where to look

How many rows does your code take from the table for a sequence of length 5? Write the shape of
what you take beside the line that takes it. In the operation that cuts rows out, which argument
says where to start, and which how many? If rows are computed one by one, which number stands for
the position?
",
    imitations: &[|case| imitate(&Rules { row: Row::First, ..RIGHT }, case)],
    cuts: &[],
};
