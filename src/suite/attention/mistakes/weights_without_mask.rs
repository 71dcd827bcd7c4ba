//! Weights that are returned without the mask that made the output.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Returned, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "weights-without-mask",
    task: "scaled-dot-product",
    summary: "the output is made with masked weights, those returned are not masked",
    page: "\
## What we saw

The output is right: hidden keys have no part in it. The weights that come out are others, those
of the same scores without a mask, and give hidden keys their share. Without a mask both are the
same, and all is right.

## Why it is wrong

The two results are two views of one computation: whoever looks at the weights wants to know what
the output was made of. Here the picture shows attention to padding and to the future that never
took place, and who looks for a bug by looking at weights will search for a fault in a mask that
works. What is computed from the weights, such as an entropy or the share that goes to padding, is
wrong without a sign of it.

## Where to look

Which tensor do you return as the weights, and which one is multiplied with the values? Is there a
step between the two? Multiply the returned weights with the values in a test, and hold the result
against the output.
",
    imitations: &[|case| imitate(&Rules { returned: Returned::Unmasked, ..RIGHT }, case)],
    cuts: &[],
};
