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

A hook is called once for each call of its module, so once for each batch of the epoch. What it
keeps has to grow with every one of them: a single place for a tensor is overwritten by the next,
and all that was seen before is gone. The last batch is often the shortest too, so that what is left
shows the least. How attention changes while a model learns is seen by comparing calls, and for that
they all have to be there.

## Where to look

Look at what your hook does with what it has kept before.
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Last, ..RIGHT }, case)],
    cuts: &[],
};
