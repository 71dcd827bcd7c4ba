//! Values mixed with weights that never saw the mask.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{Masking, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "output-without-mask",
    task: "scaled-dot-product",
    summary: "the weights returned are masked, those that mix the values are not",
    page: "\
## What we saw

The weights that come out are right. The output is not made with them: it is the values mixed with
the weights of the same scores without a mask. Without a mask both are the same, and all is right.

## Why it is wrong

The two results are two views of one computation: whoever looks at the weights wants to know what
the output was made of. If they part, the picture shows a well-behaved model, while the output
contains padding or the future. Of all ways to lose a mask this is the hardest to find, since the
first thing that one looks at is right.

## Where to look

Find the product that makes the output, and go backwards from its left factor to where the mask
comes in. Is it the same tensor that you return? Two variables with nearly the same name, or one
that is shadowed in an inner block, are the usual reason. Then compute `weights · value` from the
returned weights in a test.
",
    imitations: &[|case| imitate(&Rules { masking: Masking::WeightsOnly, ..RIGHT }, case)],
    cuts: &[],
};
