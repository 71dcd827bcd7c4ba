//! The mask does not reach the attention.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Mask, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-hides-nothing",
    task: "encoder-layer",
    summary: "the layer does not pass the mask on",
    page: "\
## What we saw

Without padding all is right. With padding, real tokens look at it as at any other token, and what
stands there changes them.

## Why it is wrong

Texts of one batch are of different lengths, and the short ones are filled up. Whatever stands
there is no text, but attention mixes it into every token of the sentence, the more so the shorter
the sentence is. The same text then gets another answer in another batch, beside longer neighbours,
and accuracy on short texts suffers first.

## Where to look

The mask comes in as an argument of `forward`. Follow it: what does the attention get in its place?
",
    imitations: &[|case| imitate(&Rules { mask: Mask::Open, ..RIGHT }, case)],
    cuts: &[],
};
