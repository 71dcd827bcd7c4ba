//! The encoder sees padding.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "partial-mask-ignored",
    task: "partial",
    summary: "the encoder gets a mask that hides nothing",
    page: "\
## What we saw

Texts without padding are right. With padding, other ids at padding change the logits: the encoder
is handed a mask of ones, and the first token looks at fillings.

## Why it is wrong

As only the first token is taken, and that is never padding, the mask seems to have no work here.
But the first token is made of all that it looks at, in every layer. With padding among it, a
text's answer hangs on how long its neighbours in the batch are, and the layers that learn take
the number of fillings for a feature. Texts that are classified one by one later get other answers
than in training.

## Where to look

The mask comes in as an argument. Follow it: what does the encoder get in its place?
",
    imitations: &[|case| imitate(&Rules { open: true, ..RIGHT }, case)],
    cuts: &[],
};
