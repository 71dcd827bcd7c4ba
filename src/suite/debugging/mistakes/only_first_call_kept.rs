//! The first call alone is kept.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "only-first-call-kept",
    task: "capture",
    summary: "after the first call, nothing is captured any more",
    page: "\
## What we saw

Of an epoch with several calls, the weights of the first one come back, and of no other.

## Why it is wrong

An epoch is many batches. The first of them shows attention as it was before anything was learned,
which says nothing of how it changed, and its heat map will look like chance whatever the model does
later. A hook that gives up after one call, that goes too early, or that keeps something only where
nothing is kept yet, misses all the rest.

## Where to look

Look at the condition under which your hook keeps something, and at when its handle goes out of
scope.
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::First, ..RIGHT }, case)],
    cuts: &[],
};
