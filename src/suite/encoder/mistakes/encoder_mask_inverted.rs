//! A mask that is inverted for the layers.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};
use crate::suite::encoder::imitate::layer::Mask;

pub(super) const MISTAKE: Mistake = Mistake {
    id: "encoder-mask-inverted",
    task: "encoder",
    summary: "the layers are shown the padding and not the tokens",
    page: "\
## What we saw

Without padding, no token may look anywhere in any layer. With padding, real tokens look at it and
at nothing else: the mask arrives at the layers inverted.

## Why it is wrong

There are two habits: in one, 1 stands for what may be seen, as in this course; in the other, for
what is hidden, as in several libraries. Code for the one that meets the other runs without an
error. A model can even learn that way, from positions and from what the residual connections carry
past the attention, and stays far below what it could.

## Where to look

What does 1 mean where the mask comes from, and what in a layer? Is there a step between that turns
it?
",
    imitations: &[|case| imitate(&Rules { mask: Mask::Inverted, ..RIGHT }, case)],
    cuts: &[],
};
