//! No residual connection around the attention.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "first-residual-missing",
    task: "encoder-layer",
    summary: "what goes into the attention is not added to what comes out",
    page: "\
## What we saw

The first of the two sums is missing: after the attention, nothing is left of what went in. With an
attention that gives zeros, every token comes out alike.

## Why it is wrong

The residual connection is the road on which a token travels through the stack, and sublayers only
add remarks. Without the first, a token is replaced by a mixture of all tokens at each layer, so
that they grow alike; and gradients have to pass every attention on the way back. Deep stacks then
hardly learn, though each layer runs.

## Where to look

Count the additions in your `forward` and those in the formula. In a pre-norm layer with silent
sublayers the input should come out to the bit: try it.
",
    imitations: &[|case| imitate(&Rules { bases: [Base::Nothing, Base::Stream], ..RIGHT }, case)],
    cuts: &[],
};
