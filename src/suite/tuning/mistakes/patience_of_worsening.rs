//! Patience looks at the epoch before and not at the best.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Patience, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "patience-of-worsening",
    task: "loop",
    summary: "epochs are counted that are worse than the one before, not than the best",
    page: "\
## What we saw

Where the loss rises from the best epoch on all is right. Where it falls a little from one bad
epoch to the next, without coming down to the best, or stays where it is, the loop goes on.

## Why it is wrong

A validation loss that has once turned up rarely climbs without a pause: it goes up and down,
above its best. Compared with the epoch before, every small descent begins the count anew, and a
loss that stays where it is counts for nothing at all, so that a model that has stopped learning
is trained to the last epoch. What is asked is whether anything was worth keeping lately, and that
is a question about the best.

## Where to look

With what do you compare the loss when you count: with that of the epoch before, or with the
lowest so far? Take the losses 3, 5, 4, 5, 4.
",
    imitations: &[|case| imitate(&Rules { patience: Patience::Worsening, ..RIGHT }, case)],
    cuts: &[],
};
