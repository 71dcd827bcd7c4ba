//! Rows handed out along the batch.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Row, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-by-batch",
    task: "learned-position",
    summary: "each example gets a row of the table, instead of each position",
    page: "\
## What we saw

All positions of the first example get row 0, all of the second one row 1, and so on. With a
single example, every position gets row 0.

## Why it is wrong

The table has a row for each position, so that the layers above can tell the first word from the
second. Handed out by example, it says instead which place an example has in its batch, which is
an accident of shuffling. Its rows are trained on that accident, the order of words stays unknown,
and every shape fits by broadcasting. Code that was written for `[T, B, D]` does this when it is
given `[B, T, D]`; a published notebook slices its table of positions by the size of the batch.

## Where to look

Which axis of `x` does your code ask for its size, and what does that axis count in this course?
Encode zeros of shape `[2, 3, 4]` with a table whose row `t` is `t` throughout, and read off who
got which row.
",
    imitations: &[|case| imitate(&Rules { row: Row::Example, ..RIGHT }, case)],
    cuts: &[],
};
