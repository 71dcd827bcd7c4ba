//! `NaN` for a query that may look at nothing.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-row-nan",
    task: "scaled-dot-product",
    summary: "a query that may look at nothing gets NaN",
    page: "\
## What we saw

Where the mask hides every key from a query, its weights and its output are `NaN`. All other
queries of the same call are right, so most inputs show nothing.

## Why it is wrong

A softmax divides by the sum of its exponentials. If every score is minus infinity, that sum is
zero, or infinity is taken from infinity before it, and zero over zero is no number. Padding
brings such rows about every day: a batch pads short sequences, and a sequence of padding alone
has no key left. One `NaN` in a batch is enough to make the loss `NaN`, and after one step of the
optimizer every parameter.

## Where to look

Work through the softmax of a row that is hidden throughout, on paper: what is the largest score,
what is left after it has been subtracted, what is the sum? Then decide at which step such a row
has to be treated apart, and what the documentation of the trait asks to come out.
",
    imitations: &[|case| imitate(&Rules { empty_row: EmptyRow::NotANumber, ..RIGHT }, case)],
    cuts: &[],
};
