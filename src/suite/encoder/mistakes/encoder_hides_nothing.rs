//! The layers see padding.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};
use crate::suite::encoder::imitate::layer::Mask;

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-hides-nothing",
    task: "encoder",
    summary: "the mask does not reach the layers",
    page: "\
## What we saw

Without padding all is right. With padding, the ids that stand there change what comes out at real
tokens: the layers get a mask that hides nothing.

## Why it is wrong

Padding is there because a batch is a rectangle and texts are not. Where layers see it, a text's
result hangs on how long its neighbours are, and the model learns to take the number of fillings
for a feature. Texts that are put to it one by one later, without padding, then get other answers
than in training.

## Where to look

The mask comes in as an argument. Follow it into the loop: what does each layer get?
",
    imitations: &[|case| imitate(&Rules { mask: Mask::Open, ..RIGHT }, case)],
    cuts: &[],
};
