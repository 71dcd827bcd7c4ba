//! 0 · ln 0 is computed.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, Zero, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "zero-weight-not-a-number",
    task: "statistics",
    summary: "a weight of zero makes the entropy NaN",
    page: "\
## What we saw

Where every weight is above zero, all is right. Where one is zero, the entropy is `NaN`.

## Why it is wrong

ln 0 is minus infinity, and zero times that is no number. The limit of w · ln w at 0 is 0, so a
weight of zero adds nothing; and weights are zero at padding always.

## Where to look

Look at what your sum adds for a weight of exactly 0.
",
    imitations: &[|case| imitate(&Rules { zero: Zero::NotANumber, ..RIGHT }, case)],
    cuts: &[],
};
