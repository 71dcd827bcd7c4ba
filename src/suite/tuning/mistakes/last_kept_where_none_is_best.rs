//! Where no epoch is the best, the last one stays.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "last-kept-where-none-is-best",
    task: "loop",
    summary: "where every validation loss is NaN the parameters are the last ones",
    page: "\
## What we saw

Where some epoch is the best all is right. Where every validation loss is `NaN`, and the report
rightly says that none is, the parameters at the end are those of the last step.

## Why it is wrong

A training of which every loss is `NaN` has diverged, often in its first steps, and its parameters
are full of `NaN` themselves or on the way there. Whoever goes on with this model finds an encoder
that answers nothing any more. The parameters from before the first step are at least the
pretrained ones, and with them the search for a smaller learning rate can go on in the same
process.

## Where to look

What is in the place where you keep the best before any epoch was one? What is put back when it is
still that?
",
    imitations: &[|case| imitate(&Rules { ends: Ends::BestOrLast, ..RIGHT }, case)],
    cuts: &[],
};
