//! A mask applied after the softmax.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{Masking, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-after-softmax",
    task: "scaled-dot-product",
    summary: "the mask is applied to the weights, after the softmax",
    page: "\
## What we saw

Hidden keys have the weight 0, as they should, but the other weights of the row no longer sum to
one: what the hidden keys had is missing. The more a mask hides, and the better the hidden keys
fit, the smaller the output. Without a mask all is right.

## Why it is wrong

The softmax shares one whole among the keys that take part. If a key is taken out afterwards, its
share is lost, and the rest still is what it was beside that key: the hidden key has had its
influence in the sum below the line. So the output of a sequence depends on what stands in its
padding. In section 3.2.3 of Vaswani et al. 2017 masking happens in the input of the softmax.

## Where to look

Add up a row of your weights under a mask that hides one of three keys. Then change the hidden key
and add it up again. At which step would a key have to be gone, so that the others share
everything among themselves?
",
    imitations: &[|case| imitate(&Rules { masking: Masking::AfterSoftmax, ..RIGHT }, case)],
    cuts: &[],
};
