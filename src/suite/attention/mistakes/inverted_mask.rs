//! A mask read the wrong way round.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{EmptyRow, Masking, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "inverted-mask",
    task: "scaled-dot-product",
    summary: "the mask hides what it should show and shows what it should hide",
    page: "\
## What we saw

With a mask, all the weight lies on keys whose mask is 0, and none on those whose mask is 1.
Without a mask everything is right, and a mask of ones, which should change nothing, hides all
there is.

## Why it is wrong

In this course, as in the documentation of the trait, 1 means \"may look\". Other libraries have it
the other way round: in PyTorch's `MultiheadAttention` a `True` in the mask means \"leave out\", in
its `scaled_dot_product_attention` it means \"take part\". Both conventions are in use, so the only
safe thing is to read what the mask at hand means. A model with its mask inverted attends to
padding alone, and its loss still falls a little.

## Where to look

Which of its two choices does the operation that applies your mask take where the condition is 1?
Try it with two keys, the mask `[1, 0]`, and say aloud which key should get all the weight.
",
    imitations: &[
        |case| imitate(&Rules { masking: Masking::Inverted, ..RIGHT }, case),
        |case| {
            imitate(
                &Rules { masking: Masking::Inverted, empty_row: EmptyRow::NotANumber, ..RIGHT },
                case,
            )
        },
        |case| {
            imitate(
                &Rules { masking: Masking::Inverted, empty_row: EmptyRow::Uniform, ..RIGHT },
                case,
            )
        },
    ],
    cuts: &[],
};
