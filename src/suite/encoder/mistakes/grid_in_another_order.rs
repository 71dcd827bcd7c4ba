//! Batch sizes in the outer loop.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::sweep::{RIGHT, Rules, Visits, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "grid-in-another-order",
    task: "sweep",
    summary: "all learning rates are trained for each batch size, not the other way round",
    page: "\
## What we saw

Every combination is trained once, but in another order than the documented one: the batch sizes
are in the outer loop.

## Why it is wrong

Without a budget the result is the same set, and with one it is not: what is trained before the
money runs out hangs on the order, and so does which of two equal trials is the first. A search
that is resumed after a crash relies on the order as well. That is why it is written down.

## Where to look

Read your two loops aloud, the outer one first, and then the sentence of the documentation.
",
    imitations: &[|case| imitate(&Rules { visits: Visits::SizesFirst, ..RIGHT }, case)],
    cuts: &[],
};
