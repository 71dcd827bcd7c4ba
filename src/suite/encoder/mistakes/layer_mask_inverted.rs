//! The mask is turned round.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Mask, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-mask-inverted",
    task: "encoder-layer",
    summary: "the attention is shown the padding and not the tokens",
    page: "\
## What we saw

Without padding, no token may look anywhere. With padding, real tokens look at it and at nothing
else: the mask arrives turned round.

## Why it is wrong

There are two habits: in one, 1 stands for what may be seen, as in this course; in the other, for
what is hidden, as in several libraries. Code for the one that meets the other runs without an
error. A model can even learn that way, from positions and from what the residual connection
carries past the attention, and stays far below what it could.

## Where to look

What does 1 mean where the mask comes from, and what where it goes to? Is there a step between that
turns it?
",
    imitations: &[|case| imitate(&Rules { mask: Mask::Inverted, ..RIGHT }, case)],
    cuts: &[],
};
