//! A mask that is never looked at.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{Masking, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-ignored",
    task: "scaled-dot-product",
    summary: "the mask makes no difference",
    page: "\
## What we saw

The result is the same with and without a mask, and the same for any mask: every query looks at
every key. A mask of the wrong size is not noticed either. Calls without a mask are right.

## Why it is wrong

Batches are padded to the same length, and the mask is all that tells a word from padding. Without
it, the mean of a short sentence is mostly a mean of padding, and the same sentence gets another
result in a batch with longer ones. It still trains, only worse, so nothing reports it; and in a
model that predicts the next token, the token to be predicted can simply be read off, and the
training loss falls beautifully.

## Where to look

Where in your function does `mask` occur? If the answer is \"nowhere but in its signature\", the
documentation of the trait says what a 0 in it means, and at which step of the formula it counts.
Try two keys with the mask `[1, 0]`: there is only one right answer.
",
    imitations: &[|case| imitate(&Rules { masking: Masking::Ignored, ..RIGHT }, case)],
    cuts: &[],
};
