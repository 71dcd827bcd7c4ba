//! The half in front of the distance is missing.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "distance-not-halved",
    task: "statistics",
    summary: "the distance is twice as large",
    page: "\
## What we saw

Entropy and share are right. The distance is twice what it should be.

## Why it is wrong

What one key has too much, another has too little, so every difference is counted twice. With the
half the distance is the share of weight that would have to be moved, and at most 1.

## Where to look

Compare your formula with the one in the documentation, factor by factor.
",
    imitations: &[|case| imitate(&Rules { halved: false, ..RIGHT }, case)],
    cuts: &[],
};
