//! The half in front of the distance is missing.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "distance-not-halved",
    task: "statistics",
    summary: "the distance is twice as large",
    page: "\
## What we saw

The entropy and the share on padding are right. The distance to uniform is twice what it should be,
for every head and every batch.

## Why it is wrong

What one key has too much, other keys have too little, so a sum of all the differences counts each
of them twice. With the half in front, the distance (total variation, as statistics calls it) is the
share of the weight that would have to be moved to make it uniform: 0 for a head that looks
everywhere alike, and never more than 1. Without it, a number of 1.4 comes out that means nothing.

## Where to look

Compare your formula with the one in the documentation, factor by factor.
",
    imitations: &[|case| imitate(&Rules { halved: false, ..RIGHT }, case)],
    cuts: &[],
};
