//! A mask that ends in multi-head attention.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-not-passed",
    task: "multi-head",
    summary: "the mask is not handed on to the attention inside",
    page: "\
## What we saw

With and without a mask the result is the same: every position looks at every other. All else is
right, and with the same weights the attention inside, asked by itself, does mind its mask.

## Why it is wrong

Multi-head attention makes nothing of the mask but a shape: what may be seen holds for every head
alike, and the attention inside applies it. If it does not arrive there, padding is attended to, a
sentence's result depends on the longest sentence in its batch, and a decoder sees the words that
it is to predict. None of these is an error that a computer would notice.

## Where to look

Follow `mask` from the signature of `attend` to the call of the inner attention. What is handed
over in its place, and why was it easier? If the shapes were the reason: which axis does the inner
mask have that the outer one lacks, and what does broadcasting do along an axis of size 1?
",
    imitations: &[|case| imitate(&Rules { passes_mask: false, ..RIGHT }, case)],
    cuts: &[],
};
