//! The loop is one epoch too impatient.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Patience, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "patience-one-less",
    task: "loop",
    summary: "the loop ends one epoch earlier than patience says",
    page: "\
## What we saw

With a patience of 1 all is right. With a larger one the loop ends an epoch too early: with
patience 2, after the first epoch that is no new best.

## Why it is wrong

Validation losses go up and down, the more so the smaller the validation set. Patience is what
lets a loop wait through one that went up by chance, and the difference between 1 and 2 is just
that: whether a single bad epoch ends the training. A loop that is one short ends at such a bump,
and what would have come after it is never seen.

## Where to look

Take patience 2 and the losses 3, 4, 5, 6. How many epochs are no new best when your loop ends?
Does your count begin at 0 or at 1, and with what is it compared?
",
    imitations: &[|case| imitate(&Rules { patience: Patience::OneLess, ..RIGHT }, case)],
    cuts: &[],
};
