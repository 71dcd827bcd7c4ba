//! Padding takes part in the mean.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-in-the-mean",
    task: "prefix",
    summary: "the mean runs over padding as well, or is divided by the padded length",
    page: "\
## What we saw

Texts without padding are right. With padding, what the encoder gives there is added up too, or
the sum is right and is divided by a number in which padding counts.

## Why it is wrong

The mask has kept padding out of attention, but each place still gets an output of its own,
padding too, and that output looks like any other. A mean over all of them hangs on how long the
longest text of the batch is: the same text is classified one way among short ones and another way
among long ones. The encoder cannot make up for it, since it is frozen.

## Where to look

Where does the mask enter your mean: in the sum, in what it is divided by, in both? Try a text of
two words in a row of four places, and count.
",
    imitations: &[
        |case| imitate(&Rules { pools: Pools::AllTokens, ..RIGHT }, case),
        |case| imitate(&Rules { pools: Pools::SumByLength, ..RIGHT }, case),
    ],
    cuts: &[],
};
