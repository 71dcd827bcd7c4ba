//! The last call alone is kept.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "only-last-call-kept",
    task: "capture",
    summary: "each call replaces what the call before it left",
    page: "\
## What we saw

Of an epoch with several calls, the weights of the last one come back, and of no other.

## Why it is wrong

A hook is called once for each batch. What it keeps has to grow with each call; a single place for a
tensor is overwritten by the next.

## Where to look

Look at what your hook does with what it has kept before.
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Last, ..RIGHT }, case)],
    cuts: &[],
};
