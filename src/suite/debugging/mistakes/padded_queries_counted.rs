//! The mean is over every place.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{Mean, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padded-queries-counted",
    task: "statistics",
    summary: "padded queries are in the means",
    page: "\
## What we saw

Without padding all is right. With padding, all three numbers are off.

## Why it is wrong

A padded query has weights too, of which nothing is made. In a mean over all places they count as
much as the words of the text.

## Where to look

Look at over which queries there is a mean, and at what it is divided by.
",
    imitations: &[|case| imitate(&Rules { mean: Mean::AllQueries, ..RIGHT }, case)],
    cuts: &[],
};
