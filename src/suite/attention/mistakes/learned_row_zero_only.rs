//! The first row for every position.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-row-zero-only",
    task: "learned-position",
    summary: "every position gets row 0 of the table",
    page: "\
## What we saw

The first row of the table is added at every position. A sequence of length 1 is right. Gradients
arrive at the first row alone, and all other rows stay what they were.

## Why it is wrong

Something that is the same at every position says nothing about positions: it is one more bias.
Attention with it sees a bag of words, as it would without any encoding. Broadcasting is what
hides it: a single row fits beside any number of positions, and candle repeats it without asking.
Whenever an axis of size 1 meets a longer one, the question is whether it should have been 1.

## Where to look

How many rows does your code take from the table for a sequence of length 5? Write the shape of
what you take beside the line that takes it. In the operation that cuts rows out, which argument
says where to start and which how many?
",
    imitations: &[|case| imitate(&Rules { row: Row::First, ..RIGHT }, case)],
    cuts: &[],
};
