//! The encoder does not get the mask.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-without-mask",
    task: "classifier",
    summary: "the mask reaches the pooling but not the encoder",
    page: "\
## What we saw

Texts without padding are right. With padding the mean leaves it out, but the encoder has looked at
it: other ids at padding change the logits.

## Why it is wrong

Masking at the end does not undo what was mixed before: attention has carried padding into every
real token by then, in every layer. The change is small where texts are long and large where they
are short, and a text is classified one way alone and another way beside a longer neighbour. As the
pooling is right, a look at it finds nothing.

## Where to look

The mask is needed in two places. What is handed to the encoder as its second argument?
",
    imitations: &[|case| imitate(&Rules { passes_mask: false, ..RIGHT }, case)],
    cuts: &[],
};
