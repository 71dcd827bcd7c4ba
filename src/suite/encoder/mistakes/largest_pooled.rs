//! A maximum in place of the mean.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "largest-pooled",
    task: "classifier",
    summary: "the head gets the largest number of each channel instead of the mean",
    page: "\
## What we saw

A text of one token is right. For longer ones the head gets, in each channel, the largest number
among the real tokens, where their mean is due.

## Why it is wrong

A maximum keeps the strongest sign of each feature and forgets how often it came; a mean weighs all
words alike. Both are used, and both can be trained, but weights that were trained with the one are
of little use to the other, and results cannot be compared. The documentation asks for the mean.

## Where to look

Which operation turns `[B, T, D]` into `[B, D]` in your code? Double one number of the longest text:
does the pooled vector move by its share, by all of it, or not at all?
",
    imitations: &[|case| imitate(&Rules { pools: Pools::Max, ..RIGHT }, case)],
    cuts: &[],
};
