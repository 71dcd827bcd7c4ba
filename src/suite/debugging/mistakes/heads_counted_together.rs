//! The mean goes over the heads too.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-counted-together",
    task: "statistics",
    summary: "every head has the same numbers",
    page: "\
## What we saw

All heads get the same three numbers: the mean over the heads of what each of them should have got.

## Why it is wrong

The numbers are there to tell heads apart. One head that puts half of its weight on padding, beside
three that put none there, comes out as four heads with an eighth each; and a head that has
collapsed onto one token disappears among others that look around. Which head it is, and whether it
is one at all, can no longer be said.

## Where to look

Look at over which axes your sums run, and at which axis has to be left when they are done. Try it
with two heads that differ as much as they can.
",
    imitations: &[|case| imitate(&Rules { by_head: false, ..RIGHT }, case)],
    cuts: &[],
};
