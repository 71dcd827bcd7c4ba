//! The mean is over every place.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{Mean, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padded-queries-counted",
    task: "statistics",
    summary: "padded queries are in the means",
    page: "\
## What we saw

Without padding all three numbers are right. With padding, all three are off, and the more so the
more padding there is.

## Why it is wrong

A padded query has a row of weights like any other, though nothing is ever made of it: its output is
masked, or not pooled. In a mean over all places such rows count as much as those of the words.
Padding to the longest text then changes the numbers of a short one, and two batches with the same
texts, arranged otherwise, disagree.

## Where to look

Look at over which queries your means go, and at what they are divided by. Both have to know of the
mask.
",
    imitations: &[|case| imitate(&Rules { mean: Mean::AllQueries, ..RIGHT }, case)],
    cuts: &[],
};
