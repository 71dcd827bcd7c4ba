//! The head's norm runs over the texts.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Step, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-normed-over-the-batch",
    task: "partial",
    summary: "the norm of the head runs over the texts of a batch instead of over the channels",
    page: "\
## What we saw

What a text gets hangs on the other texts of its batch: each channel has the mean and the
deviation that it has over the texts taken off, and not each text those of its channels. A text
that is alone gets the same whatever it says.

## Why it is wrong

That is a batch norm. It is at home in networks for pictures, where a batch has thousands of
places; over thirty texts its numbers are rough, and in use, where texts come one at a time,
there is nothing to take them over. Layer norm was made for just this: every text is normed by
itself, so that it is classified alike in whatever company.

## Where to look

Which axis of `[B, D]` do the mean and the variance of your norm run over? What comes out of it
for a batch of one text?
",
    imitations: &[|case| {
        let head = &[Step::BatchNorm, Step::Relu, Step::Dropout];
        imitate(&Rules { head, ..RIGHT }, case)
    }],
    cuts: &[],
};
