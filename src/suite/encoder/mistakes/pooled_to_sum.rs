//! A sum instead of a mean.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "pooled-to-sum",
    task: "classifier",
    summary: "tokens are summed up, or their sum is divided by the padded length",
    page: "\
## What we saw

Texts of one token are right, or texts without padding are; for others the head gets the sum of the
real tokens, divided by nothing or by a length in which padding counts.

## Why it is wrong

A mean is as large for a long text as for a short one, and the head can learn one threshold for
both. A sum grows with the text, so that length speaks louder than content; and a sum that is
divided by the padded length hangs on the longest neighbour in the batch. Both train, and both get
worse on texts of other lengths than those in training.

## Where to look

What do you divide by? Try a text of two real tokens in a row of four places.
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::Sum, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::SumByLength, ..RIGHT }, case),
    ],
    cuts: &[],
};
