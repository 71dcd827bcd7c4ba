//! The first head's mask, used for all heads.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{MaskOf, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-of-first-head",
    task: "scaled-dot-product",
    summary: "every head is masked as the first one is",
    page: "\
## What we saw

With a mask of shape `[B, H, Tq, Tk]`, one for each head, all heads hide what the first one hides.
With a mask of shape `[B, 1, Tq, Tk]`, the usual case, everything is right, and so it is with one
head.

## Why it is wrong

The documentation of the trait allows both shapes. A mask per head lets heads have tasks of their
own, such as one that looks only at neighbours beside one that looks everywhere. If the first
head's mask is used for all, the others do the first one's task, and what they should have been
kept from seeing, they see. Nothing fails: a mask with one head too few is just what broadcasting
is good at.

## Where to look

Look at what your code does with the second axis of the mask. Is it cut, indexed or squeezed on
the assumption that its size is 1? Try a mask in which head 0 may see key 0 alone and head 1 key 1
alone.
",
    imitations: &[|case| imitate(&Rules { mask_of: MaskOf::FirstHead, ..RIGHT }, case)],
    cuts: &[],
};
