//! Dropout after the second map.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{DropsAt, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "dropout-on-output",
    task: "feed-forward",
    summary: "dropout falls on what comes out instead of on the hidden numbers",
    page: "\
## What we saw

In training, whole entries of the output are missing, biases of the second map and all, while each
hidden number takes part every time.

## Why it is wrong

The layer around the network drops its output already, before it is added. A second dropout in the
same place makes the probability what nobody asked for, and the hidden numbers, of which there are
many more and which dropout was meant for, are never left out. Where it stands in both places, both
happen.

## Where to look

Between which two lines of the formula does the documentation put dropout? What shape do the
numbers have there, and which have yours when it is applied?
",
    imitations: &[
        |case| imitate(&Rules { drops_at: DropsAt::Output, ..RIGHT }, case),
        |case| imitate(&Rules { drops_at: DropsAt::Both, ..RIGHT }, case),
    ],
    cuts: &[],
};
