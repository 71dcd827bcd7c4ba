//! Padding is pooled.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-pooled",
    task: "classifier",
    summary: "the mean runs over padding as well, or over padding alone",
    page: "\
## What we saw

Texts without padding are right, or get the head's bias alone. With padding, what the encoder gives
at places that are no text takes part in the mean.

## Why it is wrong

Padding gets an output like any other place, and it looks at the whole text as the others do, so
that it is not even far off: a mean that includes it is a mean of something. But its weight hangs
on how long the neighbours in the batch are, and the same text is classified one way among short
texts and another way among long ones.

## Where to look

Where does the mask enter your mean: in the sum, in what it is divided by, in both? Which way does
it point?
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::MeanOfAll, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::MeanOfPadding, ..RIGHT }, case),
    ],
    cuts: &[],
};
