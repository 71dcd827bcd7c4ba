//! Padded keys are in the distance.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "distance-over-padding",
    task: "statistics",
    summary: "the distance goes over padding too",
    page: "\
## What we saw

Without padding all is right. With padding, the distance to uniform is too large.

## Why it is wrong

At a padded key uniform is 0 and not 1/n. Each of them adds up to half of 1/n to the sum, so that
texts with more padding seem to be looked at less evenly.

## Where to look

Look at over which keys the sum of the distance runs.
",
    imitations: &[|case| imitate(&Rules { distance_of_all: true, ..RIGHT }, case)],
    cuts: &[],
};
