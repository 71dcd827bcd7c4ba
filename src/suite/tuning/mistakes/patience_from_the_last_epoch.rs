//! The count begins anew with every epoch that is better than the one before.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Patience, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "patience-from-the-last-epoch",
    task: "loop",
    summary: "the count begins anew with every epoch that is better than the one before",
    page: "\
## What we saw

Where the loss falls, and where it rises from its best on, all is right. Where it falls again after
a bad epoch, without coming down to the best, the loop goes on: with a loss that jumped up once and
crept down from there it never ended before the last epoch.

## Why it is wrong

Patience asks how long nothing was worth keeping. An epoch that is better than the one before it
and worse than the best is not kept, however much it improved on a bad one, and the parameters that
come back are the same old ones. A loss that comes down from a peak looks like progress for exactly
as many epochs as it takes to get back to where it was.

## Where to look

With which loss do you compare when you decide whether the count begins anew? Take the losses 4, 9,
8, 7, 6 with a patience of two: which epochs are a new best?
",
    imitations: &[|case| imitate(&Rules { patience: Patience::NotBelowTheLast, ..RIGHT }, case)],
    cuts: &[],
};
