//! The mean goes over the heads too.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "heads-counted-together",
    task: "statistics",
    summary: "every head has the same numbers",
    page: "\
## What we saw

All heads get the same three numbers: their mean.

## Why it is wrong

The numbers are there to tell heads apart: one that looks at padding among three that do not is lost
in the mean.

## Where to look

Look at over which axes your sums run.
",
    imitations: &[|case| imitate(&Rules { by_head: false, ..RIGHT }, case)],
    cuts: &[],
};
