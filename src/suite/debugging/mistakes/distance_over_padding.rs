//! Padded keys are in the distance.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::statistics::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "distance-over-padding",
    task: "statistics",
    summary: "the distance goes over padding too",
    page: "\
## What we saw

Without padding all three numbers are right. With padding, the distance to uniform is too large, and
the more so the more padding there is.

## Why it is wrong

Uniform means the same weight for each real token, and none for padding: at a padded key there is
nothing to be compared with 1/n. Each padded key that is compared all the same adds half of 1/n, so
that a text with much padding around it seems to be looked at less evenly than the same text alone,
though nothing about the head has changed.

## Where to look

Look at over which keys the sum of the distance runs, and at what it takes uniform to be at a key
that is padding.
",
    imitations: &[|case| imitate(&Rules { distance_of_all: true, ..RIGHT }, case)],
    cuts: &[],
};
