//! Calls come back in the opposite order.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "calls-in-reverse",
    task: "capture",
    summary: "the last call comes first",
    page: "\
## What we saw

Every call is captured, and they come back with the last one first.

## Why it is wrong

Captures are read along the epoch: the first is the first batch. In the opposite order, whatever is
learned looks forgotten.

## Where to look

Look at the end at which your hook adds, and at how the result is taken out.
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Backwards, ..RIGHT }, case)],
    cuts: &[],
};
