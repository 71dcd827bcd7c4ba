//! Calls that show the same weights again are not kept.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "repeats-dropped",
    task: "capture",
    summary: "calls that show the same weights again are not kept",
    page: "\
## What we saw

Where all calls show other weights, each is there. Where a call shows what an earlier one showed,
one tensor is missing for it.

## Why it is wrong

What comes back is a record of the calls, one tensor for each, and a call is not undone by being
like another one. Weights do repeat: a frozen layer shows the same ones in every epoch for the same
batch, and a model that has stopped learning nearly does. Whoever lays the record beside the
batches of an epoch, to see which call belonged to which, is off by one from the first repeat on,
and nothing reports it.

## Where to look

In what do you keep the tensors, and what does it do with one that it has already? Is anything
compared before it is kept?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Distinct, ..RIGHT }, case)],
    cuts: &[],
};
