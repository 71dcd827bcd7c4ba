//! Of two equal epochs the later one is the best.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Best, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "later-epoch-of-equals",
    task: "loop",
    summary: "a validation loss equal to the best counts as a new best",
    page: "\
## What we saw

Where all validation losses differ all is right. One that is as low as the lowest before it is
taken for a new best, and the count of patience begins anew.

## Why it is wrong

Equal losses are more frequent than one thinks: small validation sets, losses that were rounded, a
model that no longer moves. Of these the first is the best by agreement, since it took the fewest
steps to get there. What is worse is the patience: a model that has come to a standstill gives the
same loss in every epoch, and a loop that calls each of them a new best never ends before its last
epoch. That is the very case in which it should.

## Where to look

What does your comparison say when both sides are equal?
",
    imitations: &[|case| imitate(&Rules { best: Best::LastLowest, ..RIGHT }, case)],
    cuts: &[],
};
